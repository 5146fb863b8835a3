// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/chrome_trace.h"

#include <nlohmann/json.hpp>
#include <set>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver::trace {
namespace {

using Json = nlohmann::ordered_json;

// Chrome's unit is the microsecond.
constexpr double kMicrosecond = 1000.0;

class Converter {
 public:
  explicit Converter(std::ostream& out) : out_(out) { out_ << "{\"traceEvents\":["; }
  void Finish() { out_ << "\n]}\n"; }

  // What is wrong with the line, or nothing. The first one is the header.
  std::string Take(const std::string& text, bool first) {
    try {
      const Json line = Json::parse(text);
      first ? Header(line) : Call(line);
      return {};
    } catch (const Json::parse_error&) {
      return first ? kNoTrace : "not JSON";
    } catch (const Json::exception&) {
      return first ? kNoTrace : "a field of a call is missing, or of the wrong type";
    }
  }

 private:
  static constexpr const char* kNoTrace = "this is no trace; `culprit run --trace` writes one";

  void Header(const Json& line) {
    line.at("culprit_trace").get<int>();
    process_ = line.at("pid");
  }

  void Call(const Json& line) {
    const uint32_t thread = line.at("thread");
    if (threads_.insert(thread).second) NameThread(thread);
    const std::string entry = line.at("entry");
    const double begin = line.at("start_ns").get<double>() / kMicrosecond;
    const double duration = line.at("ns").get<double>() / kMicrosecond;
    Json details;
    for (const char* key :
         {"seq", "nth", "args", "out", "result", "context", "depth", "fault", "harness"}) {
      if (line.contains(key)) details[key] = line.at(key);
    }
    const auto api = ApiNamed(entry);
    Emit({{"name", entry},
          {"cat", api ? FamilyName(Info(*api).family) : "unknown"},
          {"ph", "X"},
          {"ts", begin},
          {"dur", duration},
          {"pid", process_},
          {"tid", thread},
          {"args", details}});
    if (!line.contains("fault")) return;
    Emit({{"name", "fault " + std::to_string(line.at("fault").get<int>())},
          {"cat", "fault"},
          {"ph", "i"},
          {"s", "t"},
          {"ts", begin},
          {"pid", process_},
          {"tid", thread}});
  }

  void NameThread(uint32_t thread) {
    Emit({{"name", "thread_name"},
          {"ph", "M"},
          {"pid", process_},
          {"tid", thread},
          {"args", {{"name", "thread " + std::to_string(thread)}}}});
  }

  void Emit(const Json& event) {
    out_ << (first_ ? "\n" : ",\n") << event.dump(-1, ' ', false, Json::error_handler_t::replace);
    first_ = false;
  }

  std::ostream& out_;
  bool first_ = true;
  int64_t process_ = 0;
  std::set<uint32_t> threads_;
};

}  // namespace

Conversion WriteChromeTrace(std::istream& lines, const std::string& name, std::ostream& out) {
  Conversion conversion;
  Converter converter(out);
  std::string text;
  uint64_t number = 0;
  while (conversion.error.empty() && !conversion.cut_short && std::getline(lines, text)) {
    ++number;
    const bool last = lines.eof();  // no line end behind it
    const std::string wrong = text.find('\0') == std::string::npos
                                  ? converter.Take(text, number == 1)
                                  : "a line with zero bytes";
    if (wrong.empty()) {
      conversion.calls += number > 1 ? 1 : 0;
    } else if (number > 1 && (last || text.find('\0') != std::string::npos)) {
      conversion.cut_short = true;
    } else {
      conversion.error = name + ":" + std::to_string(number) + ": " + wrong;
    }
  }
  if (number == 0) conversion.error = name + ": is empty, so it is no trace";
  converter.Finish();
  return conversion;
}

}  // namespace culprit::fakedriver::trace
