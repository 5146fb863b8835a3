// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/source_line.h"

#include <charconv>
#include <mutex>

namespace culprit::tools {

std::optional<suites::SourceFrame> FrameAt(const std::string& location) {
  const size_t end = std::min(location.find(" ("), location.size());
  const size_t plus = location.rfind("+0x", end);
  if (plus == std::string::npos) return std::nullopt;
  uint64_t offset = 0;
  const char* last = location.data() + end;
  if (std::from_chars(location.data() + plus + 3, last, offset, 16).ptr != last) {
    return std::nullopt;
  }
  // Shared, because reading a module's debug information costs more than a thousand look-ups.
  static const suites::Symbolizer symbolizer("");
  // It reads modules as they are asked for, and a sweep reads the reports of several runs at once.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  // A return address points behind the call.
  return suites::FrameToName(
      symbolizer.FindInModule(location.substr(0, plus), offset == 0 ? 0 : offset - 1));
}

void ResolveLocations(nlohmann::json* details) {
  if (details->is_array()) {
    for (nlohmann::json& item : *details) ResolveLocations(&item);
    return;
  }
  if (!details->is_object()) return;
  const auto location = details->find("location");
  if (location != details->end() && location->is_string() && !details->contains("source_line")) {
    const auto frame = FrameAt(location->get<std::string>());
    if (frame && !frame->function.empty()) {
      (*details)["location"] = frame->Text();
      if (!frame->file.empty()) {
        (*details)["source_file"] = frame->file;
        (*details)["source_line"] = frame->line;
      }
    }
  }
  for (auto& item : details->items()) ResolveLocations(&item.value());
}

std::optional<SourceLine> SourceLineOf(const nlohmann::json& details) {
  const auto file = details.find("source_file");
  if (file != details.end()) return SourceLine{*file, details.value("source_line", 1)};
  const auto created = details.find("created_by");
  return created != details.end() ? SourceLineOf(*created) : std::nullopt;
}

}  // namespace culprit::tools
