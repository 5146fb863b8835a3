// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/minimizer.h"

#include <algorithm>
#include <utility>

namespace culprit::suites {
namespace {

constexpr uint64_t kMostCallsTried = 48;

ReplayRequest WithFaults(ReplayRequest request, std::vector<Fault> faults) {
  request.faults = std::move(faults);
  request.index = request.faults.empty() ? 0 : 1;
  return request;
}

}  // namespace

bool Minimizer::Accept(const ReplayRequest& smaller) {
  if (best_.tries >= limits_.tries) return false;
  ++best_.tries;
  std::optional<CaseResult> result = run_(smaller);
  if (!result) return false;
  bool kept = false;
  for (const Finding& finding : result->findings) {
    if (!finding.IsError()) continue;
    kept |= finding.id == findings_.front();
    if (std::find(findings_.begin(), findings_.end(), finding.id) == findings_.end()) return false;
  }
  if (!kept) return false;
  best_.request = smaller;
  best_.result = std::move(*result);
  return true;
}

bool Minimizer::AcceptElsewhere(ReplayRequest smaller) {
  if (Accept(smaller)) return true;
  if (smaller.faults.size() != 1) return false;
  const uint64_t last = std::min(smaller.faults.front().nth - 1, kMostCallsTried);
  for (uint64_t nth = 1; nth <= last; ++nth) {
    smaller.faults.front().nth = nth;
    if (Accept(smaller)) return true;
  }
  return false;
}

void Minimizer::DropFaults() {
  if (best_.request.index == 0) return;  // the scenario's own faults belong to it
  if (Accept(WithFaults(best_.request, {}))) return;
  for (size_t i = 0; i < best_.request.faults.size() && best_.request.faults.size() > 1;) {
    std::vector<Fault> fewer = best_.request.faults;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
    if (!Accept(WithFaults(best_.request, std::move(fewer)))) ++i;
  }
}

void Minimizer::DropThreads() {
  for (uint32_t threads = 0; threads < best_.request.settings.threads; ++threads) {
    ReplayRequest smaller = best_.request;
    smaller.settings.threads = threads;
    if (AcceptElsewhere(smaller)) return;
  }
}

void Minimizer::DropExtractors() {
  for (size_t i = 0; i < best_.request.settings.extractors.size() &&
                     best_.request.settings.extractors.size() > 1;) {
    ReplayRequest smaller = best_.request;
    std::vector<std::string>& names = smaller.settings.extractors;
    names.erase(names.begin() + static_cast<ptrdiff_t>(i));
    if (!AcceptElsewhere(smaller)) ++i;
  }
}

void Minimizer::DropFrames() {
  for (uint32_t frames = 1; frames < limits_.frames; ++frames) {
    ReplayRequest smaller = best_.request;
    smaller.frames = frames;
    if (AcceptElsewhere(smaller)) return;
  }
}

void Minimizer::SimplifyCaller() {
  ReplayRequest smaller = best_.request;
  smaller.settings.caller = CallerContext::kNone;
  smaller.settings.state = StateContext::kPrimary;
  if (!(smaller.settings == best_.request.settings)) AcceptElsewhere(smaller);
}

void Minimizer::MoveFaultsForward() {
  for (size_t i = 0; i < best_.request.faults.size(); ++i) {
    const uint64_t last = std::min(best_.request.faults[i].nth - 1, kMostCallsTried);
    for (uint64_t nth = 1; nth <= last; ++nth) {
      ReplayRequest earlier = best_.request;
      earlier.faults[i].nth = nth;
      if (Accept(earlier)) break;
    }
  }
}

std::optional<Minimizer::Minimal> Minimizer::Run(const ReplayRequest& request) {
  best_ = {};
  if (findings_.empty() || !Accept(request)) return std::nullopt;
  DropFaults();
  DropThreads();
  DropExtractors();
  DropFrames();
  SimplifyCaller();
  MoveFaultsForward();
  return std::move(best_);
}

}  // namespace culprit::suites
