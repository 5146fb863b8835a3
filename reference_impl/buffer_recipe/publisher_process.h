// SPDX-License-Identifier: Apache-2.0
//
// Another process that publishes device memory: a driver hands a process's own memory to others
// only. The program is culprit-buffer-publisher, in the folder of this library or one above it.
#ifndef CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_PUBLISHER_PROCESS_H_
#define CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_PUBLISHER_PROCESS_H_

#include <cuda.h>
#include <sys/types.h>

#include <cstddef>

#include "reference_impl/driver/status.h"

namespace culprit::reference {

class PublisherProcess {
 public:
  PublisherProcess() = default;
  ~PublisherProcess() { static_cast<void>(Stop()); }
  PublisherProcess(const PublisherProcess&) = delete;
  PublisherProcess& operator=(const PublisherProcess&) = delete;

  // Starts the program unless it runs, and waits for its handle, which is good until Stop. Fails
  // with -ENOENT without the program, with -EIO when it gives no handle.
  Status Start(size_t bytes);
  const CUipcMemHandle& handle() const { return handle_; }

  // The program frees its memory and ends. -EIO when it could not.
  Status Stop();

 private:
  pid_t process_ = -1;
  int socket_ = -1;  // its end is the sign to stop
  CUipcMemHandle handle_{};
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_PUBLISHER_PROCESS_H_
