// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_LINK_STATE_H_
#define FAKEDRIVER_CORE_LINK_STATE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fakedriver/core/context.h"
#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

namespace handlers {
class JitOptions;
}

// A link in progress. A program uses it from one thread at a time.
class LinkState final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kLinkState;

  explicit LinkState(Context& context) : Object(ObjectKind::kLinkState, &context) {}

  std::vector<std::string> texts;
  std::vector<std::byte> image;                   // the output; empty until complete
  std::shared_ptr<handlers::JitOptions> options;  // where the caller wants its logs
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_LINK_STATE_H_
