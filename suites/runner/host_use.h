// SPDX-License-Identifier: Apache-2.0
//
// What a subject takes of its process beside the driver's objects: references to the driver's
// library, blocks of the heap, and mutexes that it destroys while they are locked.
//
// The program that runs subjects defines dlopen, dlclose, malloc and its kin, operator new and
// pthread_mutex_destroy, and hands every call on to the C library. Blocks are counted when the call
// comes from the subject's own code; what a library allocates on its behalf is not. Under a
// sanitizer, which stands in the same place, nothing is counted.
#ifndef SUITES_RUNNER_HOST_USE_H_
#define SUITES_RUNNER_HOST_USE_H_

#include <cstdint>

namespace culprit::suites {

struct HostUse {
  int64_t driver_references = 0;  // successful dlopen of libcuda less dlclose
  int64_t heap_blocks = 0;        // made by the subject since CountHeap and still there
  int64_t heap_bytes = 0;
  uint64_t locked_mutexes = 0;  // destroyed while locked
};

// The subject is the library that `address` lies in.
void SetSubjectOfHostUse(const void* address);

bool IsSubjectCode(const void* address);

// Off at first, since it costs every allocation a lock. Turning it on starts from zero.
void CountHeap(bool on);

HostUse CurrentHostUse();

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_HOST_USE_H_
