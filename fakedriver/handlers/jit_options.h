// SPDX-License-Identifier: Apache-2.0
//
// The option arrays of the loading and linking entries. Logs are written into the caller's buffers;
// of what tunes a compiler the limit on registers shows in the functions' attributes, and the rest
// is accepted and has no effect here.
#ifndef FAKEDRIVER_HANDLERS_JIT_OPTIONS_H_
#define FAKEDRIVER_HANDLERS_JIT_OPTIONS_H_

#include <cstddef>
#include <string_view>

#include "fakedriver/abi/cuda_api.h"

namespace culprit::fakedriver::handlers {

class JitOptions {
 public:
  // CUDA_ERROR_INVALID_VALUE when the arrays cannot be read.
  CUresult Read(unsigned count, const CUjit_option* options, void** values);

  // Writes the log, cut to fit and ended by a NUL, and the number of bytes written, as the size
  // options ask for.
  void ReportError(std::string_view log) { error_.Write(log); }
  void ReportInfo(std::string_view log) { info_.Write(log); }

  // Registers that a thread may have, 0 to 255; 0: as many as it needs.
  uint32_t register_limit() const { return register_limit_; }

 private:
  struct Buffer {
    char* text = nullptr;
    size_t size = 0;
    void** size_value = nullptr;  // where the caller looks for the bytes written
    void Write(std::string_view log);
  };

  uint32_t register_limit_ = 0;
  Buffer error_;
  Buffer info_;
};

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_JIT_OPTIONS_H_
