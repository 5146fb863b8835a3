// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace culprit::stress {

// `culprit stress`: argv[0] is the name to print in the usage. Returns the exit code: 0 all probes
// flat, 1 a leak, 2 usage, 3 unsure, 4 a probe failed, 77 nothing could run (the reason is
// printed). Must be called while the process is single-threaded and has no CUDA driver loaded.
int RunStress(int argc, char** argv);

}  // namespace culprit::stress
