// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/golden/followed.h"

#include <stdexcept>

namespace culprit::reference::testing {

std::optional<Difference> LargestDifference(
    const std::string& folder, const Followed& followed, const std::string& clip, uint32_t threads,
    const std::function<std::unique_ptr<State>()>& make_state) {
  const ClipSpec* spec = FindClip(clip);
  if (spec == nullptr) throw std::runtime_error("there is no clip " + clip);
  std::optional<Difference> largest;
  for (GoldenFeature& golden : ReadGolden(folder, clip)) {
    if (golden.name != followed.feature) continue;
    golden.options.erase("enable_apsnr");  // a score of the whole clip, not of a frame
    ScoreTable expected;
    for (const auto& [key, values] : golden.scores) expected[followed.key_prefix + key] = values;
    if (expected.empty()) continue;  // the original refuses these options
    const std::unique_ptr<State> state = make_state();
    Difference difference = Compare(
        expected, ScoreClip(*spec, followed.extractor, golden.options, threads, state.get()));
    if (state != nullptr && !state->Free().ok()) {
      throw std::runtime_error("the state cannot be freed");
    }
    if (largest && difference.largest <= largest->largest) continue;
    for (const auto& [name, value] : golden.options) difference.where += " " + name + "=" + value;
    largest = std::move(difference);
  }
  return largest;
}

}  // namespace culprit::reference::testing
