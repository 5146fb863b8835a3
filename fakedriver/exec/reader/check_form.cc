// SPDX-License-Identifier: Apache-2.0
//
// Instructions whose opcode, modifiers and types are each known, but not together or not for the
// target. Which are refused, and in which words, was measured on driver 580.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "fakedriver/exec/reader/parser.h"

namespace culprit::exec {
namespace {

enum class Refusal : uint8_t {
  kIllegalModifier,
  kIllegalWithType,
  kRounding,
  kOperation,
  kIncorrectType,
  kTypes
};

struct FormRule {
  ModifierSet modifiers;
  uint64_t types;
  std::string_view type_words;
  Refusal refusal;
};

const std::vector<FormRule>& RulesOf(Opcode opcode) {
  static const auto* const all = [] {
    auto* rules = new std::array<std::vector<FormRule>, static_cast<size_t>(Opcode::kCount)>;
#define PTX_FORM(id, modifiers, types, refusal)           \
  (*rules)[static_cast<size_t>(Opcode::k##id)].push_back( \
      {ModifiersOf(modifiers), TypesOf(types), types, Refusal::refusal});
#include "fakedriver/exec/reader/form_rules.def"
#undef PTX_FORM
    return rules;
  }();
  return (*all)[static_cast<size_t>(opcode)];
}

bool Contains(uint64_t types, Type type) { return (types >> static_cast<unsigned>(type) & 1) != 0; }

std::string Quoted(std::string_view word) { return "'" + std::string(word) + "'"; }
std::string Dotted(std::string_view word) { return "'." + std::string(word) + "'"; }

bool IsInteger(Type type) {
  return Info(type).family == TypeFamily::kUnsigned || Info(type).family == TypeFamily::kSigned;
}
bool IsHalf(Type type) {
  return type == Type::kF16 || type == Type::kBf16 || type == Type::kF16x2 || type == Type::kBf16x2;
}

std::string Explain(const FormRule& rule, Modifier modifier, std::string_view mnemonic, Type type) {
  const std::string_view word = Text(modifier);
  const std::string of = " for instruction " + Quoted(mnemonic);
  switch (rule.refusal) {
    case Refusal::kRounding:
      return "Illegal rounding modifier" + of;
    case Refusal::kIllegalWithType:
      return "Illegal modifier " + Dotted(word) + of + " with type " + Dotted(Info(type).text);
    case Refusal::kOperation: {
      std::string list;
      for (char c : " " + std::string(rule.type_words)) {
        if (c == ' ') {
          list += list.empty() ? "." : " or .";
        } else {
          list += c;
        }
      }
      return "Operation ." + std::string(word) + " requires " + list + " type" + of;
    }
    case Refusal::kIncorrectType:
      return "Incorrect type " + Dotted(Info(type).text) + " for operation " + Dotted(word) +
             " in instruction " + Quoted(mnemonic);
    case Refusal::kTypes:
      return "Unexpected instruction types specified for " + Quoted(mnemonic);
    case Refusal::kIllegalModifier:
      break;
  }
  if (modifier == Modifier::kSat &&
      (IsInteger(type) || type == Type::kU16x2 || type == Type::kS16x2)) {
    return "Modifier '.sat' does not apply to " + Dotted(Info(type).text) + " type";
  }
  return "Illegal modifier " + Dotted(word) + of;
}

bool Rounds(const InstructionText& i) {
  return i.Has(Modifier::kRn) || i.Has(Modifier::kRz) || i.Has(Modifier::kRm) ||
         i.Has(Modifier::kRp);
}
bool RoundsToInteger(const InstructionText& i) {
  return i.Has(Modifier::kRni) || i.Has(Modifier::kRzi) || i.Has(Modifier::kRmi) ||
         i.Has(Modifier::kRpi);
}

// Whether every value of integer type `from` is one of `to`.
bool Holds(Type to, Type from) {
  if (IsSigned(to) == IsSigned(from)) return Bits(to) >= Bits(from);
  return IsSigned(to) && Bits(to) > Bits(from);
}

// An empty text where nothing is wrong.
std::string RefuseConversion(const InstructionText& i) {
  const Type to = i.types[0];
  const Type from = i.types[1];
  const bool to_integer = IsInteger(to);
  const bool from_integer = IsInteger(from);
  const bool useless = to_integer && (from_integer ? Holds(to, from) : from == Type::kBf16);
  if (i.Has(Modifier::kSat) && useless) return "Illegal modifier '.sat' for instruction 'cvt'";
  if (to == Type::kTf32) {
    if (i.Has(Modifier::kRelu) && i.Has(Modifier::kRna))
      return "Modifier '.relu' cannot be combined with modifier '.rna'";
    return {};
  }
  if (to_integer && from_integer) return {};
  const bool narrows = from_integer || Bits(to) < Bits(from) ||
                       (to != from && Bits(to) == Bits(from) && IsHalf(to) && IsHalf(from));
  const bool missing = to_integer ? !RoundsToInteger(i) : narrows && !Rounds(i);
  if (missing && !i.Has(Modifier::kRs) && !i.Has(Modifier::kRna))
    return "Rounding modifier required for instruction 'cvt'";
  return {};
}

std::string RefuseComparison(const InstructionText& i, bool pair) {
  const Type type = i.opcode == Opcode::kSet ? i.types[1] : i.types[0];
  const bool bits = Info(type).family == TypeFamily::kBits;
  const bool real = IsFloat(type) || Info(type).family == TypeFamily::kPacked;
  for (size_t m = 0; m < static_cast<size_t>(Modifier::kCount); ++m) {
    const Modifier modifier = static_cast<Modifier>(m);
    if (!i.Has(modifier)) continue;
    bool fits = true;
    switch (modifier) {
      case Modifier::kLt:
      case Modifier::kLe:
      case Modifier::kGt:
      case Modifier::kGe:
        fits = !bits;
        break;
      case Modifier::kLo:
      case Modifier::kLs:
      case Modifier::kHi:
      case Modifier::kHs:
        fits = Info(type).family == TypeFamily::kUnsigned;
        break;
      case Modifier::kEqu:
      case Modifier::kNeu:
      case Modifier::kLtu:
      case Modifier::kLeu:
      case Modifier::kGtu:
      case Modifier::kGeu:
      case Modifier::kNum:
      case Modifier::kNan:
        fits = real;
        break;
      default:
        break;
    }
    if (!fits) return "Mismatch between instruction type and comparison qualifier";
  }
  if (i.opcode == Opcode::kSetp && type == Type::kBf16 && pair)
    return "Predicate output not allowed for instruction 'setp'";
  return {};
}

// Which half of a product is wanted has to be said.
std::string RefuseWithoutHalf(const InstructionText& i) {
  if (i.Has(Modifier::kLo) || i.Has(Modifier::kHi) || i.Has(Modifier::kWide)) return {};
  return "Unexpected instruction types specified for " + Quoted(Info(i.opcode).mnemonic);
}

std::string RefuseMissing(const InstructionText& i) {
  const std::string mnemonic(Info(i.opcode).mnemonic);
  const Type type = i.type();
  switch (i.opcode) {
    case Opcode::kMad:
      if (IsInteger(type)) return RefuseWithoutHalf(i);
      [[fallthrough]];
    case Opcode::kFma:
      if (!Rounds(i)) return "Rounding modifier required for instruction " + Quoted(mnemonic);
      break;
    case Opcode::kDiv:
      if (type == Type::kF64 && !Rounds(i))
        return "Rounding modifier required for instruction 'div'";
      if (type == Type::kF32 && !Rounds(i) && !i.Has(Modifier::kApprox) && !i.Has(Modifier::kFull))
        return "Rounding modifier or '.approx' modifier required for instruction 'div'";
      break;
    case Opcode::kMul:
      if (IsInteger(type)) return RefuseWithoutHalf(i);
      break;
    case Opcode::kEx2:
      if ((type == Type::kBf16 || type == Type::kBf16x2) && !i.Has(Modifier::kFtz))
        return ".ftz modifier required for instruction 'ex2." + std::string(Info(type).text) + "'";
      break;
    case Opcode::kAtom:
    case Opcode::kRed:
      if (IsHalf(type) && !i.Has(Modifier::kNoftz))
        return "'.noftz' modifier required for instruction " + Quoted(mnemonic) + " with type " +
               Dotted(Info(type).text);
      break;
    default:
      break;
  }
  return {};
}

// What needs a newer target than the text names.
std::string RefuseForTarget(const InstructionText& i, uint32_t target) {
  if (target >= 100) return {};
  const std::string mnemonic(Info(i.opcode).mnemonic);
  const std::string newer = " requires .target sm_100 or higher";
  if (i.type() == Type::kF32x2) return "Feature '" + mnemonic + ".f32x2'" + newer;
  if ((i.opcode == Opcode::kMin || i.opcode == Opcode::kMax) && i.operand_count == 4)
    return "Feature '" + mnemonic + ".f32 with 3 input operands'" + newer;
  if (i.opcode == Opcode::kRedux && i.type() == Type::kF32) {
    return "Instruction 'redux.f32' not supported on .target 'sm_" + std::to_string(target) + "'";
  }
  if (i.opcode == Opcode::kCvt && i.type() == Type::kTf32 && i.Has(Modifier::kSatfinite) &&
      !i.Has(Modifier::kRna)) {
    return std::string("Modifier '.satfinite' on 'cvt.tf32.f32.") +
           (i.Has(Modifier::kRz) ? "rz" : "rn") + "'" + newer;
  }
  return {};
}

}  // namespace

void Parser::CheckForm(const InstructionText& i) {
  auto refuse = [&](const std::string& reason) {
    if (!reason.empty()) FailAt(i.line, reason);
  };
  const std::string_view mnemonic = Info(i.opcode).mnemonic;
  refuse(RefuseForTarget(i, module_.target_sm));
  refuse(RefuseMissing(i));
  for (const FormRule& rule : RulesOf(i.opcode)) {
    if (!i.modifiers.Meets(rule.modifiers) || Contains(rule.types, i.type())) continue;
    for (size_t m = 0; m < static_cast<size_t>(Modifier::kCount); ++m) {
      const Modifier modifier = static_cast<Modifier>(m);
      if (i.Has(modifier) && rule.modifiers.Has(modifier))
        refuse(Explain(rule, modifier, mnemonic, i.type()));
    }
  }
  switch (i.opcode) {
    case Opcode::kCvt:
      return refuse(RefuseConversion(i));
    case Opcode::kSet:
    case Opcode::kSetp:
      return refuse(
          RefuseComparison(i, module_.operands[i.first_operand].kind == Operand::Kind::kPair));
    case Opcode::kCvta:
      // Said without a line, as of the whole text.
      if (i.type() == Type::kU32 && options_.device_sm >= 90) {
        throw ParseError{0,
                         "32-Bit ABI (--machine 32 or 32-Bit addressing) is not supported on "
                         "sm_90 or higher architectures."};
      }
      return;
    default:
      return;
  }
}

}  // namespace culprit::exec
