// SPDX-License-Identifier: Apache-2.0
//
// Names of opcodes and modifiers, expanded from opcodes.def and modifiers.def, and what the table
// says about each opcode.
#ifndef FAKEDRIVER_EXEC_READER_OPCODE_H_
#define FAKEDRIVER_EXEC_READER_OPCODE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "fakedriver/exec/reader/type.h"

namespace culprit::exec {

enum class Opcode : uint16_t {
#define PTX_OP(id, ...) k##id,
#define PTX_MACHINE_OP PTX_OP
#define PTX_UNSUPPORTED(id, ...) k##id,
#include "fakedriver/exec/opcodes.def"
#undef PTX_OP
#undef PTX_MACHINE_OP
#undef PTX_UNSUPPORTED
  kCount
};

enum class Modifier : uint8_t {
#define PTX_MODIFIER(id, text) k##id,
#include "fakedriver/exec/reader/modifiers.def"
#undef PTX_MODIFIER
  kCount
};

class ModifierSet {
 public:
  constexpr void Add(Modifier m) { words_[Word(m)] |= Bit(m); }
  constexpr bool Has(Modifier m) const { return (words_[Word(m)] & Bit(m)) != 0; }
  constexpr bool IsSubsetOf(const ModifierSet& other) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    }
    return true;
  }
  // Whether they have one in common.
  constexpr bool Meets(const ModifierSet& other) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  constexpr bool operator==(const ModifierSet&) const = default;

 private:
  static constexpr size_t Word(Modifier m) { return static_cast<size_t>(m) / 64; }
  static constexpr uint64_t Bit(Modifier m) { return uint64_t{1} << (static_cast<size_t>(m) % 64); }

  std::array<uint64_t, 4> words_{};
};
static_assert(static_cast<size_t>(Modifier::kCount) <= 256);

// A row of opcodes.def.
struct OpcodeInfo {
  std::string_view mnemonic;
  std::string_view modifiers;
  std::string_view types;
  std::string_view operands;
  std::string_view unsupported;  // the reason, or empty
};

const OpcodeInfo& Info(Opcode opcode);
std::optional<Opcode> FindOpcode(std::string_view mnemonic);

// What may follow a dot in an instruction: exactly one of the two is set.
struct SuffixWord {
  bool known = false;
  Modifier modifier = Modifier::kCount;
  Type type = Type::kNone;
};
SuffixWord FindSuffix(std::string_view word);
std::string_view Text(Modifier modifier);

// What the row allows, as sets.
struct OpcodeRules {
  ModifierSet modifiers;
  uint64_t types = 0;  // bit per Type
  uint8_t least_operands = 0;
  uint8_t most_operands = 0;
  uint8_t written_operands = 0;  // bit per position
};
const OpcodeRules& Rules(Opcode opcode);

// Words of the tables, separated by blanks, as sets; a word may stand for several modifiers.
ModifierSet ModifiersOf(std::string_view words);
uint64_t TypesOf(std::string_view words);  // bit per Type

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_READER_OPCODE_H_
