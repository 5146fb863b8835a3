// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/reader/opcode.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace culprit::exec {
namespace {

constexpr std::array kOpcodes{
#define PTX_OP(id, mnemonic, modifiers, types, operands, lowering) \
  OpcodeInfo{mnemonic, modifiers, types, operands, ""},
#define PTX_MACHINE_OP PTX_OP
#define PTX_UNSUPPORTED(id, mnemonic, reason) OpcodeInfo{mnemonic, "", "", "*", reason},
#include "fakedriver/exec/opcodes.def"
#undef PTX_OP
#undef PTX_MACHINE_OP
#undef PTX_UNSUPPORTED
};

constexpr std::array<std::string_view, static_cast<size_t>(Modifier::kCount)> kModifiers{
#define PTX_MODIFIER(id, text) text,
#include "fakedriver/exec/reader/modifiers.def"
#undef PTX_MODIFIER
};

// Words of the table that stand for several modifiers.
std::string_view Expand(std::string_view word) {
  if (word == "space") {
    return "global shared shared::cta shared::cluster local const param param::entry param::func";
  }
  if (word == "order") {
    return "volatile relaxed acquire release acq_rel sc weak mmio cta cluster gpu sys";
  }
  if (word == "cache") {
    return "ca cg cs lu cv wb wt L1::evict_normal L1::evict_unchanged L1::evict_first "
           "L1::evict_last "
           "L1::no_allocate L2::cache_hint L2::64B L2::128B L2::256B L2::evict_last "
           "L2::evict_first "
           "L2::evict_normal";
  }
  if (word == "round") return "rn rz rm rp";
  if (word == "compare") {
    return "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan";
  }
  return {};
}

template <typename Visit>
void ForEachWord(std::string_view words, Visit visit) {
  while (!words.empty()) {
    size_t end = words.find(' ');
    std::string_view word = words.substr(0, end);
    if (!word.empty()) visit(word);
    words = end == std::string_view::npos ? std::string_view{} : words.substr(end + 1);
  }
}

OpcodeRules MakeRules(const OpcodeInfo& info) {
  OpcodeRules rules;
  rules.modifiers = ModifiersOf(info.modifiers);
  rules.types = TypesOf(info.types);
  for (char c : info.operands) {
    if (c == '?') {
      --rules.least_operands;
    } else if (c == '*') {
      rules.most_operands = UINT8_MAX;
    } else {
      if (c == 'd') rules.written_operands |= static_cast<uint8_t>(1u << rules.most_operands);
      ++rules.least_operands;
      ++rules.most_operands;
    }
  }
  return rules;
}

}  // namespace

const OpcodeInfo& Info(Opcode opcode) { return kOpcodes[static_cast<size_t>(opcode)]; }
std::string_view Text(Modifier modifier) { return kModifiers[static_cast<size_t>(modifier)]; }

std::optional<Opcode> FindOpcode(std::string_view mnemonic) {
  static const auto* const index = [] {
    auto* map = new std::unordered_map<std::string_view, Opcode>;
    for (size_t i = 0; i < kOpcodes.size(); ++i) {
      map->emplace(kOpcodes[i].mnemonic, static_cast<Opcode>(i));
    }
    return map;
  }();
  auto it = index->find(mnemonic);
  return it == index->end() ? std::nullopt : std::optional(it->second);
}

SuffixWord FindSuffix(std::string_view word) {
  static const auto* const index = [] {
    auto* map = new std::unordered_map<std::string_view, SuffixWord>;
    for (size_t i = 0; i < kModifiers.size(); ++i) {
      map->emplace(kModifiers[i], SuffixWord{true, static_cast<Modifier>(i), Type::kNone});
    }
    for (size_t i = 1; i < kTypes.size(); ++i) {
      map->emplace(kTypes[i].text, SuffixWord{true, Modifier::kCount, static_cast<Type>(i)});
    }
    return map;
  }();
  auto it = index->find(word);
  return it == index->end() ? SuffixWord{} : it->second;
}

ModifierSet ModifiersOf(std::string_view words) {
  ModifierSet modifiers;
  auto add = [&](std::string_view word) { modifiers.Add(FindSuffix(word).modifier); };
  ForEachWord(words, [&](std::string_view word) {
    std::string_view several = Expand(word);
    several.empty() ? add(word) : ForEachWord(several, add);
  });
  return modifiers;
}

uint64_t TypesOf(std::string_view words) {
  uint64_t types = 0;
  ForEachWord(words, [&](std::string_view word) {
    types |= uint64_t{1} << static_cast<unsigned>(FindSuffix(word).type);
  });
  return types;
}

const OpcodeRules& Rules(Opcode opcode) {
  static const auto* const rules = [] {
    auto* all = new std::vector<OpcodeRules>;
    for (const OpcodeInfo& info : kOpcodes) all->push_back(MakeRules(info));
    return all;
  }();
  return (*rules)[static_cast<size_t>(opcode)];
}

}  // namespace culprit::exec
