// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/decode/register_places.h"

#include <algorithm>
#include <array>
#include <map>

namespace culprit::exec {
namespace {

class BitSet {
 public:
  explicit BitSet(size_t size) : words_((size + 63) / 64) {}
  bool Has(uint32_t n) const { return (words_[n / 64] >> (n % 64) & 1) != 0; }
  void Add(uint32_t n) { words_[n / 64] |= uint64_t{1} << (n % 64); }
  // this |= (other & ~without); true if anything changed.
  bool AddAll(const BitSet& other, const BitSet* without) {
    uint64_t changed = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      uint64_t added =
          other.words_[i] & ~(without != nullptr ? without->words_[i] : 0) & ~words_[i];
      words_[i] |= added;
      changed |= added;
    }
    return changed != 0;
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(static_cast<uint32_t>(i * 64 + static_cast<size_t>(__builtin_ctzll(word))));
      }
    }
  }

 private:
  std::vector<uint64_t> words_;
};

struct Lifetime {
  uint32_t first = UINT32_MAX;
  uint32_t last = 0;
  uint32_t number = 0;

  void Cover(uint32_t position) {
    first = std::min(first, position);
    last = std::max(last, position);
  }
};

void Visit(const ModuleText& module, const Operand& operand, bool written,
           const std::function<void(uint32_t, bool)>& visit) {
  switch (operand.kind) {
    case Operand::Kind::kRegister:
    case Operand::Kind::kNegative:
      visit(operand.index, written);
      break;
    case Operand::Kind::kAddress:
      if (operand.base == Operand::Base::kRegister) visit(operand.index, false);
      break;
    case Operand::Kind::kVector:
    case Operand::Kind::kPair:
    case Operand::Kind::kBracket:
    case Operand::Kind::kList:
      for (uint32_t n = 0; n < operand.count; ++n)
        Visit(module, module.operands[operand.index + n], written, visit);
      break;
    default:
      break;
  }
}

// Position of the operands that are written, for opcodes whose row says "*".
uint32_t WrittenOperands(const ModuleText& module, const InstructionText& i) {
  switch (i.opcode) {
    case Opcode::kCall: {
      const Operand& first = module.operands[i.first_operand];
      return i.operand_count > 0 && first.kind == Operand::Kind::kList ? 1 : 0;
    }
    case Opcode::kBar:
    case Opcode::kBarrier:
      return i.Has(Modifier::kRed) ? 1 : 0;
    case Opcode::kMbarrierOp: {
      const Operand& first = module.operands[i.first_operand];
      return i.operand_count > 0 && first.kind == Operand::Kind::kRegister ? 1 : 0;
    }
    default:
      return Rules(i.opcode).written_operands;
  }
}

}  // namespace

uint32_t SlotBytes(Type type) {
  if (type == Type::kPred) return 4;
  return std::max(2u, Bytes(type)) * kLanes;
}

void ForEachRegister(const ModuleText& module, const InstructionText& i,
                     const std::function<void(uint32_t, bool)>& visit) {
  if (i.guard != kNone) visit(i.guard, false);
  uint32_t written = WrittenOperands(module, i);
  for (uint32_t pass = 0; pass < 2; ++pass) {
    for (uint32_t n = 0; n < i.operand_count; ++n) {
      if ((written >> n & 1) != pass) continue;
      Visit(module, module.operands[i.first_operand + n], pass == 1, visit);
    }
  }
}

RegisterPlaces PlaceRegisters(const ModuleText& module, const FunctionText& function,
                              const ControlFlow& flow, const std::vector<Place>& replaced,
                              const std::vector<bool>& dropped,
                              const std::vector<uint32_t>& pinned) {
  const size_t count = function.registers.size();
  const InstructionText* text = module.instructions.data() + function.first_instruction;
  const size_t blocks = flow.blocks.size();
  auto each = [&](uint32_t n, auto visit) {
    if (dropped[n]) return;
    ForEachRegister(module, text[n], [&](uint32_t r, bool written) {
      if (replaced[r] == kNoPlace) visit(r, written);
    });
  };

  // Which registers a block reads before writing them, and which it writes for certain.
  std::vector<BitSet> live_in(blocks, BitSet(count));
  std::vector<BitSet> killed(blocks, BitSet(count));
  for (size_t b = 0; b < blocks; ++b) {
    for (uint32_t n = flow.blocks[b].begin; n < flow.blocks[b].end; ++n) {
      bool certain = text[n].guard == kNone;
      each(n, [&](uint32_t r, bool written) {
        if (written) {
          if (certain) killed[b].Add(r);
        } else if (!killed[b].Has(r)) {
          live_in[b].Add(r);
        }
      });
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blocks; b-- > 0;) {
      for (uint32_t s : flow.blocks[b].successors)
        changed |= live_in[b].AddAll(live_in[s], &killed[b]);
    }
  }

  // Positions are 2n for the reads and 2n + 1 for the writes of instruction n.
  std::vector<Lifetime> lifetimes(count);
  for (uint32_t r = 0; r < count; ++r) lifetimes[r].number = r;
  for (size_t b = 0; b < blocks; ++b) {
    const BasicBlock& block = flow.blocks[b];
    live_in[b].ForEach([&](uint32_t r) { lifetimes[r].Cover(2 * block.begin); });
    for (uint32_t n = block.begin; n < block.end; ++n) {
      each(n, [&](uint32_t r, bool written) { lifetimes[r].Cover(2 * n + (written ? 1 : 0)); });
    }
    for (uint32_t s : block.successors) {
      live_in[s].ForEach([&](uint32_t r) { lifetimes[r].Cover(2 * block.end); });
    }
  }
  for (uint32_t r : pinned) {
    lifetimes[r].Cover(0);
    lifetimes[r].Cover(2 * function.instruction_count + 1);
  }

  std::vector<Lifetime> order;
  for (const Lifetime& lifetime : lifetimes) {
    if (lifetime.first != UINT32_MAX) order.push_back(lifetime);
  }
  std::sort(order.begin(), order.end(), [](const Lifetime& a, const Lifetime& b) {
    return a.first != b.first ? a.first < b.first : a.number < b.number;
  });

  RegisterPlaces result;
  result.places = replaced;
  std::map<uint32_t, std::vector<uint32_t>> free;                 // offsets by size
  std::multimap<uint32_t, std::pair<uint32_t, uint32_t>> ending;  // last position: offset, size
  for (const Lifetime& lifetime : order) {
    while (!ending.empty() && ending.begin()->first < lifetime.first) {
      auto [offset, size] = ending.begin()->second;
      free[size].push_back(offset);
      ending.erase(ending.begin());
    }
    uint32_t size = SlotBytes(function.registers[lifetime.number]);
    std::vector<uint32_t>& candidates = free[size];
    if (candidates.empty()) {
      uint32_t piece = std::max(size, 64u);
      for (uint32_t offset = 0; offset < piece; offset += size) {
        candidates.push_back(result.slot_bytes + piece - size - offset);
      }
      result.slot_bytes += piece;
    }
    uint32_t offset = candidates.back();
    candidates.pop_back();
    result.places[lifetime.number] = MakePlace(kRegisterArea, offset);
    ending.emplace(lifetime.last, std::pair{offset, size});
    if (live_in[0].Has(lifetime.number)) {
      for (uint32_t at = offset / 64 * 64; at < offset + size; at += 64)
        result.zeroed.push_back(at);
    }
  }
  return result;
}

}  // namespace culprit::exec
