// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/suite_expansion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suites/runner/vendor_driver.h"

namespace culprit::suites {
namespace {

using ExtractorSet = std::vector<std::string>;

bool Wanted(const std::vector<std::string>& selected, const std::string& name) {
  return selected.empty() || std::find(selected.begin(), selected.end(), name) != selected.end();
}

class Expander {
 public:
  Expander(const Suite& suite, const Scenario& scenario, const PortLibrary& port,
           const Selection& selection)
      : suite_(suite),
        scenario_(scenario),
        matrix_(scenario.matrix ? *scenario.matrix : suite.matrix),
        port_(port),
        selection_(selection) {}

  Expansion Run() {
    if (const std::string lacking = Lacking(); !lacking.empty()) {
      Leave("", lacking);
      return std::move(expansion_);
    }
    const std::vector<ExtractorSet> sets = ExtractorSets();
    for (const std::string& profile : Profiles()) {
      for (const std::string& policy : Policies()) {
        for (const ExtractorSet& extractors : sets) ExpandMatrix(profile, policy, extractors);
      }
    }
    if (selection_.real) LeaveWhatOnlyAFakeCounts();
    return std::move(expansion_);
  }

 private:
  void Leave(const std::string& what, const std::string& reason) {
    for (const Skip& skip : expansion_.skips) {
      if (skip.what == what && skip.reason == reason) return;
    }
    expansion_.skips.push_back({suite_.name, what, reason});
  }

  std::string Lacking() const {
    for (const std::string& ability : suite_.subject.abilities) {
      if (!port_.Has(ability)) return fmt::format("the port does not declare '{}'", ability);
    }
    if (suite_.subject.kind == Requirements::Kind::kExtractor) {
      return port_.port().extractor_count == 0 ? "the port has no extractors" : "";
    }
    if (!port_.Can(CULPRIT_CAN_OPERATE)) return "the port has no operations";
    for (const std::string& operation : suite_.subject.operations) {
      if (!port_.HasOperation(operation)) {
        return fmt::format("the port has no operation '{}'", operation);
      }
    }
    return {};
  }

  std::vector<std::string> Profiles() {
    if (selection_.real) return {kOfVendor};
    return Selected("profile", suite_.profiles, selection_.profiles);
  }
  std::vector<std::string> Policies() {
    if (selection_.real) return {kOfVendor};
    return Selected("policy", suite_.policies, selection_.policies);
  }

  void LeaveWhatOnlyAFakeCounts() {
    for (const auto& [kind, count] : scenario_.expect.live) {
      if (CountedOnVendorsDriver(kind)) continue;
      Leave("live " + kind, "not checked: no call tells it of a vendor's driver");
    }
  }

  std::vector<std::string> Selected(const char* kind, const std::vector<std::string>& offered,
                                    const std::vector<std::string>& selected) {
    std::vector<std::string> kept;
    for (const std::string& name : offered) {
      if (Wanted(selected, name)) {
        kept.push_back(name);
      } else {
        Leave(fmt::format("{} {}", kind, name), "not selected on the command line");
      }
    }
    return kept;
  }

  // On the frames of the scenario's pattern. A clip file is large enough for any of them, or its
  // suite names the extractors.
  ExtractorSet Together(size_t most) {
    const ClipChoice& clip = scenario_.clip ? *scenario_.clip : suite_.clip;
    if (!clip.name.empty()) return port_.GpuExtractorsTogether({UINT32_MAX, UINT32_MAX}, most);
    const FrameSize frame{clip.width, clip.height};
    for (const std::string& name : most == SIZE_MAX ? port_.GpuExtractors() : ExtractorSet{}) {
      const FrameSize smallest = port_.SmallestFrame(name);
      if (frame.Holds(smallest)) continue;
      Leave(fmt::format("extractor {} with others", name),
            fmt::format("it needs frames of {}x{}, and the clip has {}x{}", smallest.width,
                        smallest.height, frame.width, frame.height));
    }
    return port_.GpuExtractorsTogether(frame, most);
  }

  std::vector<ExtractorSet> ExtractorSets() {
    if (suite_.subject.kind == Requirements::Kind::kOperations) return {{}};
    std::vector<ExtractorSet> sets;
    const ExtractorSet gpu = port_.GpuExtractors();
    for (const ExtractorSet& item : matrix_.extractors) {
      if (item == ExtractorSet{"all"}) {
        sets.push_back(Together(SIZE_MAX));
      } else if (item == ExtractorSet{"some"}) {
        sets.push_back(Together(Matrix::kSome));
      } else if (item == ExtractorSet{"each"}) {
        for (const std::string& name : gpu) sets.push_back({name});
      } else {
        const auto lacking = std::find_if(item.begin(), item.end(), [&](const std::string& name) {
          return port_.FindExtractor(name) == nullptr;
        });
        if (lacking == item.end()) {
          sets.push_back(item);
        } else {
          Leave(fmt::format("extractors {}", fmt::join(item, "+")),
                fmt::format("the port has no extractor '{}'", *lacking));
        }
      }
    }
    // A port with one extractor has the same set for "each", "some" and "all".
    std::vector<ExtractorSet> distinct;
    for (ExtractorSet& set : sets) {
      if (std::find(distinct.begin(), distinct.end(), set) == distinct.end()) {
        distinct.push_back(std::move(set));
      }
    }
    return distinct;
  }

  void ExpandMatrix(const std::string& profile, const std::string& policy,
                    const ExtractorSet& extractors) {
    Settings settings;
    settings.profile = profile;
    settings.policy = policy;
    settings.extractors = extractors;
    settings.seed = selection_.seed;
    for (const uint32_t bits : matrix_.bits) {
      settings.bits = bits;
      for (const uint32_t threads : matrix_.threads) {
        settings.threads = threads;
        for (const uint32_t ring : matrix_.preallocate) {
          settings.preallocate = ring;
          for (const CallerContext caller : matrix_.caller) {
            settings.caller = caller;
            for (const StateContext state : matrix_.state) {
              settings.state = state;
              Admit(settings);
            }
          }
        }
      }
    }
  }

  void Admit(const Settings& settings) {
    if (settings.threads != 0 && !port_.Can(CULPRIT_CAN_THREADS)) {
      Leave("threads", "the port does not declare 'threads'");
    } else if (settings.preallocate != 0 && !port_.Can(CULPRIT_CAN_PREALLOCATE)) {
      Leave("preallocate", "the port does not declare 'preallocate'");
    } else if (settings.state == StateContext::kGiven && !port_.Can(CULPRIT_CAN_FOREIGN_CONTEXT)) {
      Leave("state given", "the port does not declare 'foreign_context'");
    } else {
      expansion_.settings.push_back(settings);
    }
  }

  const Suite& suite_;
  const Scenario& scenario_;
  const Matrix& matrix_;
  const PortLibrary& port_;
  const Selection& selection_;
  Expansion expansion_;
};

}  // namespace

Expansion Expand(const Suite& suite, const Scenario& scenario, const PortLibrary& port,
                 const Selection& selection) {
  return Expander(suite, scenario, port, selection).Run();
}

}  // namespace culprit::suites
