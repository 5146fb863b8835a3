// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_EXEC_MACHINE_MBARRIERS_H_
#define FAKEDRIVER_EXEC_MACHINE_MBARRIERS_H_

namespace culprit::exec {
class Lowering;
}

namespace culprit::exec::machine {

// cp.async.mbarrier.arrive{.noinc}: the arrival when earlier copies are done, which they are.
void LowerAsyncArrival(Lowering& l);

}  // namespace culprit::exec::machine

#endif  // FAKEDRIVER_EXEC_MACHINE_MBARRIERS_H_
