// SPDX-License-Identifier: Apache-2.0
// A process beside the scenario's own, which runs the steps of @process1 and the like: forked
// before anybody calls the driver, with slots of its own.
#ifndef SUITES_DRIVER_ATLAS_PEER_PROCESS_H_
#define SUITES_DRIVER_ATLAS_PEER_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

namespace culprit::atlas {

// True for the names of threads that stand for processes.
inline bool NamesProcess(const std::string& thread) { return thread.rfind("process", 0) == 0; }

class PeerProcess {
 public:
  // `answer` runs step number i of the sequence, in the new process.
  explicit PeerProcess(const std::function<std::string(uint32_t)>& answer);
  // Ends the process and waits for it.
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  // "ended" when the process is gone.
  std::string Ask(uint32_t step);

 private:
  pid_t pid_ = -1;
  int socket_ = -1;
};

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_PEER_PROCESS_H_
