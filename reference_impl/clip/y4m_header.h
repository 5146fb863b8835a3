// SPDX-License-Identifier: Apache-2.0
//
// The first line of a YUV4MPEG2 file.
#ifndef CULPRIT_REFERENCE_IMPL_CLIP_Y4M_HEADER_H_
#define CULPRIT_REFERENCE_IMPL_CLIP_Y4M_HEADER_H_

#include <string>
#include <string_view>

#include "reference_impl/framework/frame.h"

namespace culprit::reference {

// With its newline.
std::string Y4mHeader(const Geometry& geometry);

// `line` without its newline. The message of a failure names the tag.
Status ParseY4mHeader(std::string_view line, Geometry* geometry);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CLIP_Y4M_HEADER_H_
