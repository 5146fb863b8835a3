// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_EXEC_READER_SPECIAL_REGISTER_H_
#define FAKEDRIVER_EXEC_READER_SPECIAL_REGISTER_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace culprit::exec {

enum class SpecialRegister : uint8_t {
#define PTX_SPECIAL(id, text, bits) k##id,
#include "fakedriver/exec/reader/special_registers.def"
#undef PTX_SPECIAL
  kCount
};

struct SpecialRegisterInfo {
  std::string_view text;
  uint8_t bits;
};

inline constexpr std::array kSpecialRegisters{
#define PTX_SPECIAL(id, text, bits) SpecialRegisterInfo{text, bits},
#include "fakedriver/exec/reader/special_registers.def"
#undef PTX_SPECIAL
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_READER_SPECIAL_REGISTER_H_
