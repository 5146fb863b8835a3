// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/resource/error_sink.h"

#include <mutex>
#include <utility>

namespace culprit::reference::error_sink {
namespace {

struct Sink {
  std::mutex mutex;
  std::vector<std::string> records;
};

Sink& TheSink() {
  static Sink sink;
  return sink;
}

}  // namespace

void Record(std::string what) {
  const std::lock_guard lock(TheSink().mutex);
  TheSink().records.push_back(std::move(what));
}

std::vector<std::string> Recorded() {
  const std::lock_guard lock(TheSink().mutex);
  return TheSink().records;
}

void Clear() {
  const std::lock_guard lock(TheSink().mutex);
  TheSink().records.clear();
}

}  // namespace culprit::reference::error_sink
