// SPDX-License-Identifier: Apache-2.0
//
// Options of integer motion and the score keys they lead to.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_OPTIONS_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_OPTIONS_H_

#include <string>

#include "reference_impl/framework/options.h"

namespace culprit::reference {

struct MotionKeys {
  std::string motion;
  std::string motion2;
  std::string motion3;
};

struct MotionOptions {
  double blend_factor = 1.0;
  double blend_offset = 40.0;
  double fps_weight = 1.0;
  double max_value = 10000.0;
  bool debug = true;  // also write motion itself
  bool five_frame_window = false;
  bool force_zero = false;
  bool moving_average = false;
  std::string suffix;  // of the keys
  MotionKeys keys;

  // Frames between the two pictures that are compared.
  uint32_t distance() const { return five_frame_window ? 2 : 1; }
};

// `prefix` comes before the keys: "integer_" for the integer definition.
Status ReadMotionOptions(const Options& options, const std::string& prefix, MotionOptions* read);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_OPTIONS_H_
