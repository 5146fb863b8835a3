// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/page.h"

#include <algorithm>
#include <set>

namespace culprit::atlas {
namespace {

constexpr const char* kIntroduction = R"(# Driver atlas

What a CUDA driver answers, call by call, recorded on real devices. This page is generated from the recordings in
`suites/driver_atlas/answers/`; the scenarios are in `suites/driver_atlas/scenarios/`, one operation a line
([how they are written](decisions/0003-the-driver-is-asked-in-text.md)).

A test holds the fake driver, under profile `r580` and policy `timed`, to every recorded answer; what is known to differ is listed,
with the reason, in `suites/driver_atlas/known_differences.txt`.

| you want | you type |
| --- | --- |
| ask the driver of this machine, compare with a recording | `culprit-atlas check suites/driver_atlas/scenarios suites/driver_atlas/answers/h200-r580.txt` |
| the same as a test | `ctest --test-dir build/release -L gpu -R driver_atlas` (a machine without a GPU says so and skips) |
| record another device or driver | `culprit-atlas record suites/driver_atlas/scenarios suites/driver_atlas/answers/DEVICE-rDRIVER.txt` |
| this page again | `cmake --build build/release --target driver_atlas_page` |
| ask two drivers the same random sequences | `culprit-atlas agree REAL/libcuda.so.1 build/release/fakedriver/lib/libcuda.so.1` |
| write down what a device answers to random sequences; compare later, elsewhere | `culprit-atlas sample REAL/libcuda.so.1 samples.txt --count 10000`; `culprit-atlas compare build/release/fakedriver/lib/libcuda.so.1 samples.txt` |
| keep a device's answers small | `culprit-atlas digest samples.txt > digests.txt`; `culprit-atlas digests build/release/fakedriver/lib/libcuda.so.1 digests.txt` |
| see the sequence of a seed | `culprit-atlas draw 17` |

`--library PATH` asks another `libcuda.so.1` than the loader's, `--only TEXT` only scenarios whose name contains the text.
)";

constexpr const char* kLegend = R"(
Each line shows the step, the result without its prefix, and what the call wrote: `new` is an object nobody had before, `=a`
the same as in slot `a`, `null` nothing. What a call leaves alone is not shown.
)";

struct Line {
  std::string scenario, index, step, result, values;
};

Line Split(const std::string& text) {
  Line line;
  std::string* fields[] = {&line.scenario, &line.index, &line.step, &line.result, &line.values};
  size_t start = 0;
  for (size_t i = 0; i < 5; ++i) {
    const size_t end = i == 4 ? std::string::npos : text.find('|', start);
    *fields[i] = text.substr(start, end == std::string::npos ? end : end - start);
    if (end == std::string::npos) break;
    start = end + 1;
  }
  for (const char* prefix : {"CUDA_ERROR_", "CUDA_"}) {
    const std::string cut = prefix;
    if (line.result.rfind(cut, 0) == 0) line.result.erase(0, cut.size());
  }
  return line;
}

std::string About(const Answers& answers, const std::string& key) {
  const auto found = answers.about.find(key);
  return found == answers.about.end() ? "" : found->second;
}

std::string Family(const std::string& scenario) { return scenario.substr(0, scenario.find('/')); }

std::string RecordingsTable(const std::vector<Recording>& recordings) {
  std::string text =
      "\n## Recordings\n\n| recording | device | CUDA | driver | date | scenarios | answers |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Recording& recording : recordings) {
    std::set<std::string> scenarios;
    for (const std::string& line : recording.answers.lines) scenarios.insert(Split(line).scenario);
    text += "| `" + recording.name + "` | " + About(recording.answers, "device") + " | " +
            About(recording.answers, "cuda") + " | " + About(recording.answers, "driver") + " | " +
            About(recording.answers, "date") + " | " + std::to_string(scenarios.size()) + " | " +
            std::to_string(recording.answers.lines.size()) + " |\n";
  }
  return text;
}

std::string DifferencesTable(const std::vector<Recording>& recordings) {
  std::string text = "\n## Where recordings differ\n\n";
  if (recordings.size() < 2) return text + "There is one recording so far, so nothing differs.\n";
  const Recording& first = recordings.front();
  text += "| recording | answer of `" + first.name + "` | its own |\n| --- | --- | --- |\n";
  for (size_t i = 1; i < recordings.size(); ++i) {
    size_t compared = 0;
    for (const AnswerDifference& difference :
         CompareAnswers(first.answers.lines, recordings[i].answers.lines, &compared)) {
      std::string expected = difference.expected, got = difference.got;
      std::replace(expected.begin(), expected.end(), '|', ' ');
      std::replace(got.begin(), got.end(), '|', ' ');
      text += "| `" + recordings[i].name + "` | `" + expected + "` | `" + got + "` |\n";
    }
  }
  return text;
}

std::string AnswersOf(const Recording& recording) {
  std::vector<Line> lines;
  size_t step_width = 0, result_width = 0;
  for (const std::string& line : recording.answers.lines) {
    lines.push_back(Split(line));
    step_width = std::max(step_width, std::min<size_t>(lines.back().step.size(), 48));
    result_width = std::max(result_width, lines.back().result.size());
  }
  std::string text, family, scenario;
  for (const Line& line : lines) {
    if (line.scenario != scenario) {
      if (!scenario.empty()) text += "```\n";
      if (Family(line.scenario) != family) {
        family = Family(line.scenario);
        text += "\n## " + family + "\n";
      }
      scenario = line.scenario;
      text += "\n### " + scenario + "\n\n```text\n";
    }
    std::string row = line.step;
    row.resize(std::max(row.size(), step_width), ' ');
    row += "  " + line.result;
    if (!line.values.empty()) {
      row.resize(std::max(row.size(), step_width + 2 + result_width), ' ');
      row += "  " + line.values;
    }
    text += row + "\n";
  }
  return scenario.empty() ? text : text + "```\n";
}

}  // namespace

std::string Page(const std::vector<Recording>& recordings) {
  std::string text = kIntroduction + RecordingsTable(recordings) + DifferencesTable(recordings);
  if (recordings.empty()) return text;
  return text + "\n# Answers of `" + recordings.front().name + "`\n" + kLegend +
         AnswersOf(recordings.front());
}

}  // namespace culprit::atlas
