// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_HANDLERS_RECLAIMED_H_
#define FAKEDRIVER_HANDLERS_RECLAIMED_H_

#include <vector>

#include "fakedriver/core/object.h"

namespace culprit::fakedriver::handlers {

// Raises leak.reclaimed for each object of the subject that only the end of its context gave back.
// Where another owner keeps the context alive, the same code leaks.
void ReportReclaimed(const std::vector<ObjectRecord>& reclaimed);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_RECLAIMED_H_
