// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
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
  const std::string name(text.substr(begin));
  return {.name = name,
          .type = std::string(type) + (brackets.empty() ? "" : "*"),
          .key = '"' + name + "\":",
          .is_device_address = type.starts_with("CUdeviceptr")};
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

// As a JSON string literal; what is no UTF-8 is replaced.
void AppendText(const char* text, std::string* json) {
  const std::string_view cut(text, strnlen(text, kMostText));
  const bool plain = std::all_of(
      cut.begin(), cut.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (plain) {
    json->append(1, '"').append(cut).append(1, '"');
  } else {
    *json += nlohmann::json(cut).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

void AppendValue(ValueKind kind, uint64_t bits, bool is_device_address, std::string* json) {
  switch (kind) {
    case ValueKind::kSigned:
      json->append(fmt::format_int(static_cast<int64_t>(bits)).c_str());
      break;
    case ValueKind::kUnsigned:
      if (is_device_address) {
        AppendAddress(bits, json);
      } else {
        AppendNumber(bits, json);
      }
      break;
    case ValueKind::kFloat:
      *json += nlohmann::json(std::bit_cast<double>(bits)).dump();
      break;
    case ValueKind::kResult:
      json->append(1, '"').append(ResultText(static_cast<CUresult>(bits))).append(1, '"');
      break;
    case ValueKind::kAddress:
      AppendAddress(bits, json);
      break;
    case ValueKind::kText:
      if (bits == 0) {
        *json += "null";
      } else {
        AppendText(reinterpret_cast<const char*>(bits), json);
      }
      break;
    case ValueKind::kBytes:
      *json += "\"...\"";
      break;
  }
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

void AppendNumber(uint64_t number, std::string* json) {
  const fmt::format_int text(number);
  json->append(text.data(), text.size());
}

void AppendAddress(uint64_t address, std::string* json) {
  if (address == 0) {
    *json += "null";
    return;
  }
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), address, 16).ptr;
  json->append("\"0x").append(digits.begin(), end).append(1, '"');
}

void AppendArguments(ApiId id, std::span<const Argument> arguments, std::string* json) {
  const auto& parameters = ParametersOf(id);
  *json += '{';
  for (size_t i = 0; i < arguments.size() && i < parameters.size(); ++i) {
    if (i != 0) *json += ',';
    *json += parameters[i].key;
    AppendValue(arguments[i].kind, arguments[i].bits, parameters[i].is_device_address, json);
  }
  *json += '}';
}

void AppendOutputs(ApiId id, std::span<const Argument> arguments, std::string* json) {
  const auto& parameters = ParametersOf(id);
  *json += '{';
  bool first = true;
  for (size_t i = 0; i < arguments.size() && i < parameters.size(); ++i) {
    if (!IsOutput(arguments[i])) continue;
    if (!first) *json += ',';
    first = false;
    *json += parameters[i].key;
    AppendValue(arguments[i].pointee_kind, Load(arguments[i]), parameters[i].is_device_address,
                json);
  }
  *json += '}';
}

}  // namespace culprit::fakedriver::trace
