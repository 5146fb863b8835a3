// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "fakedriver/exec/reader/parser.h"

namespace culprit::exec {

void Parser::ParseInstruction(std::string_view mnemonic, uint32_t line, uint32_t guard,
                              bool negated) {
  InstructionText instruction;
  instruction.line = line;
  instruction.guard = guard;
  instruction.guard_negated = negated;
  instruction.source_line = source_line_;
  instruction.name = mnemonic;
  std::optional<Opcode> opcode = FindOpcode(mnemonic);
  bool unsupported = opcode && !Info(*opcode).unsupported.empty();
  while (lexer_.NextIsSuffix()) {
    Token suffix = lexer_.Take();
    instruction.name = std::string_view(
        mnemonic.data(),
        static_cast<size_t>(suffix.text.data() + suffix.text.size() - mnemonic.data()));
    SuffixWord word = FindSuffix(suffix.text.substr(1));
    if (!word.known) {
      if (unsupported) continue;
      FailAt(suffix.line, "Unknown modifier '" + std::string(suffix.text) + "'");
    }
    if (word.type == Type::kNone) {
      instruction.modifiers.Add(word.modifier);
    } else if (instruction.type_count < instruction.types.size()) {
      instruction.types[instruction.type_count++] = word.type;
    } else if (!unsupported) {
      FailAt(suffix.line,
             "Unexpected instruction types specified for '" + std::string(mnemonic) + "'");
    }
  }
  if (!opcode) FailAt(line, "Not a name of any known instruction: '" + std::string(mnemonic) + "'");
  instruction.opcode = *opcode;

  // Groups append to `operands` while they are read, so an instruction's own operands follow in one
  // piece afterwards.
  std::array<Operand, 8> operands;
  size_t count = 0;
  if (!lexer_.Peek().Is(';')) {
    do {
      if (count == operands.size())
        FailAt(line, "Arguments mismatch for instruction '" + std::string(mnemonic) + "'");
      operands[count++] = ParseOperand();
    } while (lexer_.Accept(','));
  }
  instruction.first_operand = static_cast<uint32_t>(module_.operands.size());
  instruction.operand_count = static_cast<uint8_t>(count);
  module_.operands.insert(module_.operands.end(), operands.begin(),
                          operands.begin() + static_cast<long>(count));
  size_t unknown = 0;
  auto settle = [&](uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; ++at) {
      Operand& operand = module_.operands[at];
      if (operand.kind != Operand::Kind::kLabel) continue;
      pending_labels_.push_back({scopes_.current(), line, unknown_names_[unknown++], at, kNone, 0});
    }
  };
  settle(instruction.first_operand, static_cast<uint32_t>(module_.operands.size()));
  unknown_names_.clear();
  lexer_.Expect(';');
  Check(instruction);
  module_.instructions.push_back(instruction);
}

void Parser::Check(const InstructionText& instruction) {
  const OpcodeInfo& info = Info(instruction.opcode);
  if (!info.unsupported.empty()) return;
  const OpcodeRules& rules = Rules(instruction.opcode);
  std::string mnemonic(info.mnemonic);
  if (!instruction.modifiers.IsSubsetOf(rules.modifiers)) {
    for (size_t m = 0; m < static_cast<size_t>(Modifier::kCount); ++m) {
      Modifier modifier = static_cast<Modifier>(m);
      if (instruction.Has(modifier) && !rules.modifiers.Has(modifier)) {
        FailAt(instruction.line, "Illegal modifier '." + std::string(Text(modifier)) +
                                     "' for instruction '" + mnemonic + "'");
      }
    }
  }
  for (size_t t = 0; t < instruction.type_count; ++t) {
    if ((rules.types >> static_cast<unsigned>(instruction.types[t]) & 1) == 0) {
      FailAt(instruction.line, "Unexpected instruction types specified for '" + mnemonic + "'");
    }
  }
  if (rules.types != 0 && instruction.type_count == 0 && rules.most_operands != UINT8_MAX &&
      instruction.opcode != Opcode::kMembar) {
    FailAt(instruction.line, "Instruction type missing for '" + mnemonic + "'");
  }
  if (instruction.operand_count < rules.least_operands ||
      instruction.operand_count > rules.most_operands) {
    FailAt(instruction.line, "Arguments mismatch for instruction '" + mnemonic + "'");
  }
  for (size_t i = 0; i < info.operands.size() && i < instruction.operand_count; ++i) {
    const Operand& operand = module_.operands[instruction.first_operand + i];
    bool written = (rules.written_operands >> i & 1) != 0;
    bool fits = true;
    if (rules.most_operands == UINT8_MAX) break;
    switch (operand.kind) {
      case Operand::Kind::kRegister:
      case Operand::Kind::kVector:
      case Operand::Kind::kPair:
      case Operand::Kind::kSink:
        break;
      case Operand::Kind::kLabel:
        fits = info.operands.find('l') != std::string_view::npos;
        break;
      case Operand::Kind::kList:
        fits = false;
        break;
      case Operand::Kind::kNegative:
        fits = instruction.opcode == Opcode::kVmad && !written;
        break;
      case Operand::Kind::kBracket:
        fits = info.operands.find('m') != std::string_view::npos;
        break;
      default:
        fits = !written;
    }
    if (!fits) FailAt(instruction.line, "Arguments mismatch for instruction '" + mnemonic + "'");
  }
  CheckForm(instruction);
}

}  // namespace culprit::exec
