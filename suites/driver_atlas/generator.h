// SPDX-License-Identifier: Apache-2.0
// Random call sequences, legal and slightly illegal, as text a scenario file could hold. The same
// seed gives the same sequence everywhere, so a fake and a device can be asked in different places
// and compared by seed.
#ifndef SUITES_DRIVER_ATLAS_GENERATOR_H_
#define SUITES_DRIVER_ATLAS_GENERATOR_H_

#include <cstdint>

#include "suites/driver_atlas/sequence.h"

namespace culprit::atlas {

struct GeneratorOptions {
  bool contexts =
      false;  // create, destroy, push and pop contexts; slow on a device (0.17 s a context)
  int steps = 24;
};

// Never contains what real drivers leave undefined: use after destroy of streams, events, modules
// and user objects, be it with their context or module, questions to a destroyed context that is
// still current, reads of memory that was never written, frees of stream-ordered memory with work
// on it still queued, and stream-ordered frees of other memory. Nor does it destroy pools: an
// H200's driver crashes or hangs in one of ten thousand, empty ones too. Ends by destroying what it
// made, with an empty context stack, so that many sequences run in one process.
Sequence Generate(uint64_t seed, const GeneratorOptions& options);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_GENERATOR_H_
