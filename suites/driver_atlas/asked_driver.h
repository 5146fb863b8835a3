// SPDX-License-Identifier: Apache-2.0
// A driver asked from a process of its own, so that a crash is an answer and two drivers never
// meet.
#ifndef SUITES_DRIVER_ATLAS_ASKED_DRIVER_H_
#define SUITES_DRIVER_ATLAS_ASKED_DRIVER_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "suites/driver_atlas/sequence.h"

namespace culprit::atlas {

// A child that opened one driver and answers through a pipe.
struct Asked {
  pid_t pid = -1;
  int fd = -1;
};

// Starts the child, which goes through the sequences in order.
Asked Ask(const std::string& library, const std::vector<Sequence>& sequences);

// Its answers once it has ended, which it may do in the midst of a sequence. A last line "process|SIGNAL 11" or
// "process|EXIT 3" tells that it ended early; a first line "cannot open ..." that there was no
// driver.
std::vector<std::string> Collect(const Asked& asked);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_ASKED_DRIVER_H_
