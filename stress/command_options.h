// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stress/run/campaign.h"

namespace culprit::stress {

// What the command line of `culprit stress` asks for.
struct CommandOptions {
  std::vector<std::string> probes;
  bool all = false;
  bool list = false;

  CampaignOptions campaign;
  bool require_device = false;

  std::vector<std::string> from;  // judge these recorded reports instead of running

  bool details = false;
  bool json = false;
  std::string output;
  std::string plot;
  std::string costs;
  std::string expected_costs;

  bool bisect = false;
  std::optional<size_t> plant;
  bool bare = false;
  bool leak = false;
};

// Fills `options`. Returns the exit code when that is all there is to do: help was printed, or the
// line is wrong and the message on standard error says why.
std::optional<int> ParseCommandLine(int argc, char** argv, CommandOptions* options);

}  // namespace culprit::stress
