// SPDX-License-Identifier: Apache-2.0
//
// culprit-buffer-publisher BYTES: allocates device memory, writes its handle for other processes to
// the standard output, and keeps the memory until the standard input ends.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "reference_impl/resource/buffer.h"
#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {
namespace {

Status Publish(const std::shared_ptr<Context>& context, Buffer* buffer, size_t bytes) {
  Status allocated = buffer->Open(context, bytes);
  if (!allocated.ok()) return allocated;
  CUipcMemHandle handle{};
  Status published = InContext(
      *context, [&] { return context->driver().cuIpcGetMemHandle(&handle, buffer->get()); });
  if (!published.ok()) return published;
  std::fwrite(&handle, sizeof handle, 1, stdout);
  return std::fflush(stdout) == 0 ? Status() : HostFailure(-5, "the handle could not be written");
}

void WaitForTheEndOfInput() {
  char ignored[64];
  while (read(STDIN_FILENO, ignored, sizeof ignored) > 0) {
  }
}

Status Serve(size_t bytes) {
  std::shared_ptr<const Driver> driver;
  Status loaded = Driver::Load(&driver);
  if (!loaded.ok()) return loaded;
  std::shared_ptr<Context> context;
  FirstError first;
  if (!first.Note(Context::Retain(driver, &context))) return first.Take();
  Buffer buffer;
  if (first.Note(Publish(context, &buffer, bytes))) WaitForTheEndOfInput();
  first.Note(buffer.Close());
  first.Note(context->Release());
  return first.Take();
}

}  // namespace
}  // namespace culprit::reference

int main(int argc, char** argv) {
  const unsigned long long bytes = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (bytes == 0) {
    std::fprintf(stderr, "usage: culprit-buffer-publisher BYTES\n");
    return 2;
  }
  const culprit::reference::Status served = culprit::reference::Serve(bytes);
  if (served.ok()) return 0;
  std::fprintf(stderr, "culprit-buffer-publisher: %s\n", served.error().message.c_str());
  return 1;
}
