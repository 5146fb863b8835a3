// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/culprit/report/json_text.h"
#include "tools/culprit/report/junit.h"

namespace culprit::tools {

const char* const kTimelineStyle = R"(
.timeline { display: flex; border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; }
.timeline > div { overflow-x: auto; flex: 1; } .timeline svg { display: block; }
.timeline text { font: 11px system-ui, sans-serif; fill: currentColor; }
.timeline .axis { opacity: .6; } .timeline .lane { fill: #8881; } .timeline .call { fill: #5d8aa8; }
.timeline .failed { fill: #e67e22; } .timeline .hit { fill: var(--bad); } .timeline .strike { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 3 3; }
.timeline .step { fill: #7f8c8d44; stroke: #8888; } .timeline .step.failed { fill: #e67e2266; }
.timeline .life { fill: #1e844988; } .timeline .left { fill: var(--bad); } .timeline .queued { fill: #8e44ad; }
)";

namespace {

constexpr int kNarrowest = 12;  // pixels of one call
constexpr int kWidest = 26;
constexpr int kWidth = 900;  // that is filled when there are few
constexpr int kRow = 18;
constexpr int kBar = 12;
constexpr int kGutter = 240;
// A fixed set that is told apart in light and dark.
constexpr const char* kContextColours[] = {"#2e86c1", "#d68910", "#229954", "#884ea0", "#a93226"};

bool Succeeded(const nlohmann::json& call) { return Text(call, "result") == "CUDA_SUCCESS"; }
bool Hit(const nlohmann::json& call) { return call.value("fault", 0) != 0; }

bool HasVerb(const std::string& entry, std::initializer_list<const char*> verbs) {
  return std::any_of(verbs.begin(), verbs.end(),
                     [&](const char* verb) { return entry.find(verb) != std::string::npos; });
}

bool Destroys(const std::string& entry) {
  return HasVerb(entry, {"Destroy", "Free", "Unload", "Release", "Close", "Unregister"});
}

bool Creates(const std::string& entry) {
  return !Destroys(entry) && HasVerb(entry, {"Create", "Alloc", "Load", "Retain", "Instantiate"});
}

// "stream", "memory": what the name of a creating entry says.
std::string KindOf(const std::string& entry) {
  for (const auto& [part, kind] : {std::pair{"PrimaryCtx", "primary context"},
                                   {"Ctx", "context"},
                                   {"Stream", "stream"},
                                   {"Event", "event"},
                                   {"Module", "module"},
                                   {"Library", "library"},
                                   {"GraphInst", "graph exec"},
                                   {"Graph", "graph"},
                                   {"UserObject", "user object"},
                                   {"Pool", "pool"},
                                   {"Host", "host block"},
                                   {"Mem", "allocation"}}) {
    if (entry.find(part) != std::string::npos) return kind;
  }
  return "object";
}

bool IsHandle(const nlohmann::json& value) {
  return value.is_string() && value.get_ref<const std::string&>().rfind("0x", 0) == 0;
}

// The value that a creating call hands out; an allocation's pitch is no handle.
std::string Created(const nlohmann::json& call) {
  const auto out = call.value("out", nlohmann::json::object());
  for (const auto& [name, value] : out.items()) {
    if (IsHandle(value) && name.find("itch") == std::string::npos) return value.get<std::string>();
  }
  return {};
}

bool Names(const nlohmann::json& call, const std::string& handle) {
  const auto arguments = call.value("args", nlohmann::json::object());
  for (const auto& [name, value] : arguments.items()) {
    if (value.is_string() && value.get_ref<const std::string&>() == handle) return true;
  }
  return false;
}

std::string StreamOf(const nlohmann::json& call) {
  const auto arguments = call.value("args", nlohmann::json::object());
  const auto stream = arguments.find("hStream");
  return stream != arguments.end() ? Text(arguments, "hStream") : "";
}

// Rows of rectangles and text over one column for each call.
class Drawing {
 public:
  explicit Drawing(const nlohmann::json& timeline)
      : calls_(timeline.at("calls")), steps_(timeline.value("steps", nlohmann::json::array())) {
    column_ = std::clamp(kWidth / static_cast<int>(calls_.size()), kNarrowest, kWidest);
    for (size_t i = 0; i < calls_.size(); ++i) columns_[calls_[i].value("seq", uint64_t{0})] = i;
  }

  std::string Markup() {
    AddSteps();
    std::set<uint32_t> threads;
    for (const nlohmann::json& call : calls_) threads.insert(call.value("thread", 0U));
    for (const uint32_t thread : threads) {
      AddThread(thread);
      AddContexts(thread);
    }
    AddStreams();
    AddLifetimes();
    AddFaults();
    const int height = y_ + 6;
    const int width = static_cast<int>(calls_.size()) * column_ + 10;
    return fmt::format(
        "<div class=\"timeline\"><svg width=\"{}\" height=\"{}\">{}</svg><div><svg width=\"{}\" "
        "height=\"{}\">{}{}</svg></div></div>",
        kGutter, height, labels_, width, height, lanes_, shapes_);
  }

 private:
  int X(size_t column) const { return static_cast<int>(column) * column_ + 4; }

  void Label(const std::string& text) {
    labels_ += fmt::format("<text x=\"6\" y=\"{}\">{}</text>", y_ + kBar, EscapeMarkup(text));
    lanes_ += fmt::format("<rect class=\"lane\" x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"/>", y_,
                          static_cast<int>(calls_.size()) * column_ + 8, kBar + 2);
  }

  void Bar(size_t from, size_t to, const std::string& attributes, const std::string& title,
           const std::string& text = {}) {
    const int width = static_cast<int>(to - from) * column_ - 2;
    shapes_ += fmt::format(
        "<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\"><title>{}</title></rect>",
        attributes, X(from), y_ + 1, std::max(width, 4), kBar, EscapeMarkup(title));
    // Text that would run into its neighbour is left to the tooltip.
    if (!text.empty() && static_cast<int>(text.size()) * 7 < width) {
      shapes_ += fmt::format("<text x=\"{}\" y=\"{}\" pointer-events=\"none\">{}</text>",
                             X(from) + 3, y_ + kBar - 1, EscapeMarkup(text));
    }
  }

  void NextRow() { y_ += kRow; }

  // The first column at or behind a sequence number.
  size_t ColumnAt(uint64_t sequence) const {
    const auto at = columns_.lower_bound(sequence);
    return at == columns_.end() ? calls_.size() : at->second;
  }

  void AddSteps() {
    if (steps_.empty()) return;
    Label("calls into the port");
    for (const nlohmann::json& step : steps_) {
      const size_t from = ColumnAt(step.value("from", uint64_t{0}) + 1);
      const size_t to = ColumnAt(step.value("to", uint64_t{0}) + 1);
      if (from >= to) continue;
      const bool failed = step.value("failed", false);
      const std::string name = Text(step, "name");
      Bar(from, to, failed ? "class=\"step failed\"" : "class=\"step\"",
          name + (failed ? " failed: " + Text(step, "status") : ""), name);
    }
    NextRow();
  }

  static std::string Describe(const nlohmann::json& call) {
    return fmt::format("#{} {} {} -> {}{}\ncontext {}, stack depth {}", Text(call, "seq"),
                       Text(call, "entry"), call.value("args", nlohmann::json::object()).dump(),
                       Text(call, "result"), Hit(call) ? " (injected)" : "", Text(call, "context"),
                       Text(call, "depth"));
  }

  void AddThread(uint32_t thread) {
    Label(fmt::format("thread {}", thread));
    for (size_t i = 0; i < calls_.size(); ++i) {
      const nlohmann::json& call = calls_[i];
      if (call.value("thread", 0U) != thread) continue;
      Bar(i, i + 1,
          Hit(call)         ? "class=\"hit\""
          : Succeeded(call) ? "class=\"call\""
                            : "class=\"failed\"",
          Describe(call));
    }
    NextRow();
  }

  std::string ColourOf(const std::string& context) {
    const auto [known, added] = contexts_.emplace(context, contexts_.size());
    return kContextColours[known->second % std::size(kContextColours)];
  }

  // A block for each stretch of calls with the same current context and depth.
  void AddContexts(uint32_t thread) {
    Label(fmt::format("  context stack of thread {}", thread));
    struct Stretch {
      size_t from = 0;
      std::string context;
      std::string depth;
    };
    Stretch stretch;
    const auto draw = [&](size_t to) {
      if (stretch.depth.empty() || stretch.depth == "0" || to == stretch.from) return;
      Bar(stretch.from, to,
          fmt::format("fill=\"{}\" fill-opacity=\".55\"", ColourOf(stretch.context)),
          fmt::format("{} current, depth {}", stretch.context, stretch.depth), stretch.depth);
    };
    for (size_t i = 0; i < calls_.size(); ++i) {
      const nlohmann::json& call = calls_[i];
      if (call.value("thread", 0U) != thread) continue;
      const std::string context = Text(call, "context");
      const std::string depth = Text(call, "depth");
      if (context == stretch.context && depth == stretch.depth) continue;
      draw(i);
      stretch = {i, context, depth};
    }
    draw(calls_.size());
    NextRow();
  }

  void AddStreams() {
    std::map<std::string, std::vector<size_t>> queued;
    for (size_t i = 0; i < calls_.size(); ++i) {
      const std::string entry = Text(calls_[i], "entry");
      const std::string stream = StreamOf(calls_[i]);
      if (stream.empty() || Destroys(entry) || Creates(entry) || !Succeeded(calls_[i])) continue;
      queued[stream].push_back(i);
    }
    for (const auto& [stream, calls] : queued) {
      Label("work on stream " + stream);
      for (const size_t i : calls) Bar(i, i + 1, "class=\"queued\"", Describe(calls_[i]));
      NextRow();
    }
  }

  void AddLifetimes() {
    for (const Lifetime& life : LifetimesOf(calls_)) {
      Label(life.name);
      Bar(life.created, life.destroyed, life.left ? "class=\"left\"" : "class=\"life\"",
          life.name + (life.left ? " is left" : ""), life.left ? "left" : "");
      NextRow();
    }
  }

  void AddFaults() {
    for (size_t i = 0; i < calls_.size(); ++i) {
      if (!Hit(calls_[i])) continue;
      const int x = X(i) + column_ / 2 - 1;
      shapes_ +=
          fmt::format("<line class=\"strike\" x1=\"{0}\" y1=\"0\" x2=\"{0}\" y2=\"{1}\"/>", x, y_);
    }
    labels_ += fmt::format("<text class=\"axis\" x=\"6\" y=\"{}\">driver call</text>", y_ + kBar);
    for (size_t i = 0; i < calls_.size(); i += 5) {
      shapes_ += fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\">{}</text>", X(i), y_ + kBar,
                             Text(calls_[i], "seq"));
    }
    NextRow();
  }

  const nlohmann::json& calls_;
  const nlohmann::json steps_;
  std::map<uint64_t, size_t> columns_;  // by sequence number
  std::map<std::string, size_t> contexts_;
  std::string labels_;
  std::string lanes_;
  std::string shapes_;
  int column_ = kNarrowest;
  int y_ = 4;
};

}  // namespace

std::vector<Lifetime> LifetimesOf(const nlohmann::json& calls) {
  std::vector<Lifetime> lifetimes;
  std::vector<std::string> handles;
  for (size_t i = 0; i < calls.size(); ++i) {
    const nlohmann::json& call = calls[i];
    const std::string entry = Text(call, "entry");
    if (!Succeeded(call)) continue;
    if (Creates(entry)) {
      const std::string handle = Created(call);
      if (handle.empty()) continue;
      lifetimes.push_back({KindOf(entry) + " " + handle, i, calls.size(), true});
      handles.push_back(handle);
    } else if (Destroys(entry)) {
      // A release of a primary context names its device; the latest retain is given back.
      const bool primary = entry.find("PrimaryCtxRelease") != std::string::npos;
      for (size_t k = lifetimes.size(); k-- > 0;) {
        Lifetime& life = lifetimes[k];
        const bool meant =
            primary ? life.name.rfind("primary context", 0) == 0 : Names(call, handles[k]);
        if (!life.left || !meant) continue;
        life.destroyed = i + 1;
        life.left = false;
        break;
      }
    }
  }
  return lifetimes;
}

std::string TimelineOf(const nlohmann::json& timeline) {
  const auto calls = timeline.find("calls");
  if (calls == timeline.end() || calls->empty()) return {};
  return Drawing(timeline).Markup();
}

}  // namespace culprit::tools
