// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/argument.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>

#include "fakedriver/core/results.h"

namespace culprit::fakedriver::trace {
namespace {

// Longer texts (PTX, most of all) are cut.
constexpr size_t kMostText = 200;

bool IsNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// One declaration, "const char** pStr" or "int dims[3]".
Parameter Declared(std::string_view text) {
  std::string_view brackets = text.substr(std::min(text.find('['), text.size()));
  text.remove_suffix(brackets.size());
  size_t begin = text.size();
  while (begin > 0 && IsNameCharacter(text[begin - 1])) --begin;
  std::string_view type = text.substr(0, begin);
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  while (!type.empty() && type.front() == ' ') type.remove_prefix(1);
  return {std::string(text.substr(begin)), std::string(type) + (brackets.empty() ? "" : "*")};
}

std::vector<Parameter> Parse(std::string_view list) {
  std::vector<Parameter> parameters;
  list.remove_prefix(1);  // the parentheses
  list.remove_suffix(1);
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    parameters.push_back(Declared(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parameters;
}

std::vector<std::vector<Parameter>> ParseAll() {
  std::vector<std::vector<Parameter>> all;
  all.reserve(kApiCount);
  for (const ApiInfo& row : kApis) all.push_back(Parse(row.parameters));
  return all;
}

std::string Address(uint64_t bits) { return fmt::format("\"0x{:x}\"", bits); }

std::string ValueAsJson(ValueKind kind, uint64_t bits, std::string_view type) {
  switch (kind) {
    case ValueKind::kSigned:
      return std::to_string(static_cast<int64_t>(bits));
    case ValueKind::kUnsigned:
      return type.starts_with("CUdeviceptr") ? Address(bits) : std::to_string(bits);
    case ValueKind::kFloat:
      return nlohmann::json(std::bit_cast<double>(bits)).dump();
    case ValueKind::kResult:
      return '"' + ResultText(static_cast<CUresult>(bits)) + '"';
    case ValueKind::kAddress:
      return bits == 0 ? "null" : Address(bits);
    case ValueKind::kText: {
      const char* text = reinterpret_cast<const char*>(bits);
      return text == nullptr ? "null" : Quoted({text, strnlen(text, kMostText)});
    }
    case ValueKind::kBytes:
      return "\"...\"";
  }
  return "null";
}

// The bits of what an out-parameter points to, extended as Argument::bits are.
uint64_t Load(const Argument& argument) {
  const void* from = argument.pointee();
  uint64_t bits = 0;
  if (argument.pointee_kind == ValueKind::kFloat && argument.pointee_bytes == sizeof(float)) {
    float value;
    std::memcpy(&value, from, sizeof value);
    return std::bit_cast<uint64_t>(static_cast<double>(value));
  }
  std::memcpy(&bits, from, std::min<size_t>(argument.pointee_bytes, sizeof bits));
  const bool narrow = argument.pointee_bytes == sizeof(int32_t);
  const bool is_signed = argument.pointee_kind == ValueKind::kSigned;
  return narrow && is_signed ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(bits)}) : bits;
}

bool IsOutput(const Argument& argument) {
  return argument.kind == ValueKind::kAddress && argument.pointee_bytes != 0 &&
         argument.pointee_kind != ValueKind::kBytes && argument.bits != 0;
}

}  // namespace

const std::vector<Parameter>& ParametersOf(ApiId id) {
  static const auto* all = new std::vector<std::vector<Parameter>>(ParseAll());
  return (*all)[static_cast<size_t>(id)];
}

std::string ArgumentsAsJson(ApiId id, std::span<const Argument> arguments) {
  const auto& parameters = ParametersOf(id);
  std::string json = "{";
  for (size_t i = 0; i < arguments.size() && i < parameters.size(); ++i) {
    if (i != 0) json += ',';
    json += '"' + parameters[i].name + "\":";
    json += ValueAsJson(arguments[i].kind, arguments[i].bits, parameters[i].type);
  }
  return json + "}";
}

std::string OutputsAsJson(ApiId id, std::span<const Argument> arguments) {
  const auto& parameters = ParametersOf(id);
  std::string json = "{";
  for (size_t i = 0; i < arguments.size() && i < parameters.size(); ++i) {
    if (!IsOutput(arguments[i])) continue;
    if (json.size() > 1) json += ',';
    json += '"' + parameters[i].name + "\":";
    json += ValueAsJson(arguments[i].pointee_kind, Load(arguments[i]), parameters[i].type);
  }
  return json + "}";
}

std::string Quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace culprit::fakedriver::trace
