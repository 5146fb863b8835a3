// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/agreement.h"

#include <algorithm>

#include "suites/driver_atlas/asked_driver.h"
#include "suites/driver_atlas/shrink.h"

namespace culprit::atlas {
namespace {

size_t FirstDifference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

}  // namespace

AgreementResult CompareDrivers(const AgreementRequest& request) {
  AgreementResult result;
  auto both = [&](const std::vector<Sequence>& sequences, std::vector<std::string>* a,
                  std::vector<std::string>* b) {
    const Asked asked_a = Ask(request.library_a, sequences);
    const Asked asked_b = Ask(request.library_b, sequences);
    *a = Collect(asked_a);
    *b = Collect(asked_b);
    return *a == *b;
  };
  for (uint64_t done = 0; done < request.count;) {
    std::vector<Sequence> sequences;
    for (uint64_t i = 0; i < request.batch && done + i < request.count; ++i) {
      sequences.push_back(Generate(request.first_seed + done + i, request.generator));
    }
    std::vector<std::string> a, b;
    if (both(sequences, &a, &b)) {
      if (a.empty() || a[0].rfind("cannot open", 0) == 0) {
        result.error = a.empty() ? "no answers" : a[0];
        return result;
      }
      done += sequences.size();
      result.agreed = done;
      if (request.progress) request.progress(done);
      continue;
    }
    // Which sequence of the batch? Alone first; if each alone agrees, the batch as a whole is the
    // finding.
    result.disagreed = true;
    for (size_t i = 0; i < sequences.size(); ++i) {
      std::vector<std::string> one_a, one_b;
      if (both({sequences[i]}, &one_a, &one_b)) {
        ++result.agreed;
        continue;
      }
      auto differs = [&](const Sequence& candidate) {
        std::vector<std::string> x, y;
        return !both({candidate}, &x, &y);
      };
      result.first.seed = request.first_seed + done + i;
      // What the step that differs depends on is often all that is needed, and costs one try.
      Sequence smallest = Slice(sequences[i], FirstDifference(one_a, one_b));
      if (!differs(smallest)) smallest = sequences[i];
      result.first.sequence = Shrink(smallest, differs);
      both({result.first.sequence}, &result.first.answers_a, &result.first.answers_b);
      return result;
    }
    result.first.seed = request.first_seed + done;
    result.first.sequence = {"batch", {}};
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      if (i < a.size() && i < b.size() && a[i] == b[i]) continue;
      if (i < a.size()) result.first.answers_a.push_back(a[i]);
      if (i < b.size()) result.first.answers_b.push_back(b[i]);
      break;
    }
    return result;
  }
  return result;
}

}  // namespace culprit::atlas
