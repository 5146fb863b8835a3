// SPDX-License-Identifier: Apache-2.0
// Memory and events of another process. The peer is a process with a driver of its own that makes
// an object and exports it on demand; the probe opens and closes it. The control neither closes nor
// asks the peer to free, because freeing memory that somebody still maps is undefined.
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

constexpr size_t kBytes = 2 << 20;

enum Request : char { kMemory = 'm', kEvent = 'e', kDrop = 'd' };

// What the peer answers: the result of its calls, and a handle when they succeeded.
struct Reply {
  CUresult result = CUDA_SUCCESS;
  CUipcMemHandle memory{};
  CUipcEventHandle event{};
};

bool SendAll(int socket, const void* data, size_t size) {
  return send(socket, data, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

bool ReceiveAll(int socket, void* data, size_t size) {
  return recv(socket, data, size, MSG_WAITALL) == static_cast<ssize_t>(size);
}

Reply Export(Session& session, char request, std::vector<CUdeviceptr>& memory,
             std::vector<CUevent>& events) {
  const Driver& driver = session.driver();
  Reply reply;
  if (request == kMemory) {
    CUdeviceptr made = 0;
    reply.result = driver.cuMemAlloc(&made, kBytes).result();
    if (reply.result != CUDA_SUCCESS) return reply;
    memory.push_back(made);
    reply.result = driver.cuIpcGetMemHandle(&reply.memory, made).result();
  } else if (request == kEvent) {
    CUevent made = nullptr;
    reply.result =
        driver.cuEventCreate(&made, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS).result();
    if (reply.result != CUDA_SUCCESS) return reply;
    events.push_back(made);
    reply.result = driver.cuIpcGetEventHandle(&reply.event, made).result();
  } else if (!memory.empty()) {
    reply.result = driver.cuMemFree(memory.back()).result();
    memory.pop_back();
  } else if (!events.empty()) {
    reply.result = driver.cuEventDestroy(events.back()).result();
    events.pop_back();
  }
  return reply;
}

// Runs in the peer until the probe's end of the socket closes.
void Serve(const SessionPlan& plan, int socket) {
  std::unique_ptr<Session> session;
  Outcome opened = Session::Open(plan, &session);
  std::vector<CUdeviceptr> memory;
  std::vector<CUevent> events;
  char request = 0;
  while (ReceiveAll(socket, &request, sizeof request)) {
    Reply reply;
    reply.result = opened.result();
    if (session) reply = Export(*session, request, memory, events);
    if (!session && reply.result == CUDA_SUCCESS) reply.result = CUDA_ERROR_NOT_INITIALIZED;
    if (!SendAll(socket, &reply, sizeof reply)) return;
  }
}

class IpcBase : public Workload {
 public:
  using Workload::Workload;

 protected:
  Outcome Ask(Request request, Reply* reply) {
    const char byte = request;
    if (!SendAll(session().peer(), &byte, 1) ||
        !ReceiveAll(session().peer(), reply, sizeof *reply)) {
      return Outcome::Failed("the peer process is gone");
    }
    if (reply->result == CUDA_ERROR_NOT_SUPPORTED || reply->result == CUDA_ERROR_OPERATING_SYSTEM ||
        reply->result == CUDA_ERROR_NOT_PERMITTED) {
      return Outcome::Unsupported("exporting to another process: " + ResultName(reply->result));
    }
    return {"the peer's export", reply->result};
  }
};

class IpcMemory final : public IpcBase {
 public:
  explicit IpcMemory(Session& session) : IpcBase(session) {
    AddPair(
        "cuIpcOpenMemHandle",
        [this] {
          Reply reply;
          if (Outcome asked = Ask(kMemory, &reply); !asked.ok()) return asked;
          return driver().cuIpcOpenMemHandle(&mapped_, reply.memory,
                                             CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
        },
        "cuIpcCloseMemHandle",
        [this] {
          if (Outcome closed = driver().cuIpcCloseMemHandle(mapped_); !closed.ok()) return closed;
          Reply reply;
          return Ask(kDrop, &reply);
        });
  }

 private:
  CUdeviceptr mapped_ = 0;
};

class IpcEvent final : public IpcBase {
 public:
  explicit IpcEvent(Session& session) : IpcBase(session) {
    AddPair(
        "cuIpcOpenEventHandle",
        [this] {
          Reply reply;
          if (Outcome asked = Ask(kEvent, &reply); !asked.ok()) return asked;
          return driver().cuIpcOpenEventHandle(&event_, reply.event);
        },
        "cuEventDestroy",
        [this] {
          if (Outcome gone = driver().cuEventDestroy(event_); !gone.ok()) return gone;
          Reply reply;
          return Ask(kDrop, &reply);
        });
  }

 private:
  CUevent event_ = nullptr;
};

}  // namespace

const ProbeInfo kIpcMemory{
    .name = "ipc_memory",
    .summary = "open and close 2 MiB that another process exported",
    .object = "one opened handle and the 2 MiB behind it",
    .cycles = 500,
    .control_cycles = 200,
    .planted_device_bytes = kBytes,
    .peer = Serve,
    .make = MakeWorkload<IpcMemory>,
};

const ProbeInfo kIpcEvent{
    .name = "ipc_event",
    .summary = "open and destroy an event that another process exported",
    .object = "one opened event",
    .cycles = 500,
    .control_cycles = 200,
    .peer = Serve,
    .make = MakeWorkload<IpcEvent>,
};

}  // namespace culprit::stress
