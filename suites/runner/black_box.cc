// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/black_box.h"

#include <dirent.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "suites/runner/subject_frames.h"
#include "suites/runner/symbolizer.h"

namespace culprit::suites {
namespace {

constexpr int kFatalSignals[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                 SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};

BlackBox* recorder = nullptr;
const culprit_control_table* recorded_control = nullptr;

uintptr_t InterruptedAt(const void* signal_context) {
  if (signal_context == nullptr) return 0;
  const auto* context = static_cast<const ucontext_t*>(signal_context);
#if defined(__x86_64__)
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return context->uc_mcontext.pc;
#else
  return 0;
#endif
}

void RecordStack(const void* signal_context) {
  const uint32_t slot = recorder->stack_count.fetch_add(1);
  if (slot >= std::size(recorder->stacks)) return;
  RecordedStack& stack = recorder->stacks[slot];
  stack.interrupted_at = InterruptedAt(signal_context);
  stack.thread = static_cast<pid_t>(syscall(SYS_gettid));
  stack.depth =
      static_cast<uint32_t>(backtrace(stack.frames, static_cast<int>(std::size(stack.frames))));
}

void RecordMaps() {
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  size_t filled = 0;
  while (filled + 1 < sizeof(recorder->maps)) {
    const ssize_t got = read(file, recorder->maps + filled, sizeof(recorder->maps) - 1 - filled);
    if (got <= 0) break;
    filled += static_cast<size_t>(got);
  }
  close(file);
}

// Best effort, and last: the log is not async-signal-safe, and the parent kills a child that hangs
// in here.
void RecordLastDriverCall() {
  if (recorded_control == nullptr) return;
  const char* log = recorded_control->call_log();
  const char* last = log == nullptr ? nullptr : strrchr(log, '{');
  if (last != nullptr)
    strncpy(recorder->last_driver_call, last, sizeof(recorder->last_driver_call) - 1);
}

void OnFatalSignal(int number, siginfo_t* info, void* context) {
  int none = 0;
  if (recorder->signal.compare_exchange_strong(none, number)) {
    recorder->fault_address = reinterpret_cast<uintptr_t>(info->si_addr);
    RecordMaps();
    RecordStack(context);
    RecordLastDriverCall();
  }
  signal(number, SIG_DFL);
  raise(number);
}

// The first thread to get the request passes it on to all others.
void OnStackRequest(int, siginfo_t*, void* context) {
  static std::atomic<bool> passed_on{false};
  RecordStack(context);
  if (passed_on.exchange(true)) return;
  RecordMaps();
  const pid_t self = static_cast<pid_t>(syscall(SYS_gettid));
  const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  alignas(8) char entries[4096];
  for (long got;
       folder >= 0 && (got = syscall(SYS_getdents64, folder, entries, sizeof(entries))) > 0;) {
    for (long at = 0; at < got;) {
      const char* entry = entries + at;
      uint16_t length = 0;
      memcpy(&length, entry + 16, sizeof(length));
      const pid_t thread = static_cast<pid_t>(atoi(entry + 19));
      if (thread > 0 && thread != self) syscall(SYS_tgkill, getpid(), thread, SIGQUIT);
      at += length;
    }
  }
  RecordLastDriverCall();
}

void OnExit() {
  if (recorder == nullptr || recorder->finished) return;
  recorder->exiting = true;
  RecordMaps();
  RecordStack(nullptr);
}

// The first frame that is the subject's: where the signal came, or what called exit.
uint32_t FirstFrame(const RecordedStack& stack) {
  constexpr uint32_t kRecorderFrames = 2;
  for (uint32_t i = 0; i < stack.depth; ++i) {
    if (reinterpret_cast<uintptr_t>(stack.frames[i]) == stack.interrupted_at) return i;
  }
  return std::min(kRecorderFrames, stack.depth);
}

std::vector<SourceFrame> FramesOf(const RecordedStack& stack, const Symbolizer& symbolizer) {
  std::vector<SourceFrame> frames;
  for (uint32_t i = FirstFrame(stack); i < stack.depth; ++i) {
    // A return address points behind its call; where a signal came is exact.
    const auto address = reinterpret_cast<uintptr_t>(stack.frames[i]);
    const InlineChain chain =
        symbolizer.Find(address == stack.interrupted_at ? address : address - 1);
    frames.insert(frames.end(), chain.begin(), chain.end());
  }
  return frames;
}

}  // namespace

void BlackBox::BeginCase(int32_t index) {
  case_index = index;
  doing[0] = '\0';
  case_started_ns = std::chrono::steady_clock::now().time_since_epoch().count();
}

BlackBox* MapBlackBox() {
  void* memory =
      mmap(nullptr, sizeof(BlackBox), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory to share with a child");
  return new (memory) BlackBox;
}

void UnmapBlackBox(BlackBox* box) { munmap(box, sizeof(BlackBox)); }

void InstallRecorder(BlackBox* box, const culprit_control_table* control) {
  recorder = box;
  recorded_control = control;
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads the unwinder now, not inside a handler
  static char stack[1 << 16];
  const stack_t alternate{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof(stack)};
  sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = OnFatalSignal;
  for (const int number : kFatalSignals) sigaction(number, &action, nullptr);
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  action.sa_sigaction = OnStackRequest;
  sigaction(SIGQUIT, &action, nullptr);
  atexit(OnExit);
}

std::vector<std::vector<std::string>> DescribeStacks(const BlackBox& box) {
  const Symbolizer symbolizer(box.maps);
  const std::string harness = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::vector<std::string>> subjects;
  std::vector<std::vector<std::string>> others;
  const size_t count = std::min<size_t>(box.stack_count, std::size(box.stacks));
  for (size_t i = 0; i < count; ++i) {
    const std::vector<SourceFrame> frames = FramesOf(box.stacks[i], symbolizer);
    const size_t of_subject = CountSubjectFrames(frames, harness);
    std::vector<std::string> texts;
    for (size_t at = 0; at < (of_subject != 0 ? of_subject : frames.size()); ++at) {
      texts.push_back(frames[at].Text());
    }
    (of_subject != 0 ? subjects : others).push_back(std::move(texts));
  }
  return subjects.empty() ? others : subjects;
}

}  // namespace culprit::suites
