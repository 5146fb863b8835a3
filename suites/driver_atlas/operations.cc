// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/operations.h"

#include <cstdlib>
#include <unordered_map>

namespace culprit::atlas {

uint64_t Call::Value(size_t i) {
  const auto value = slots_.Evaluate(operands_[i]);
  if (!value) missing_ = operands_[i];
  return value.value_or(0);
}

std::string Call::Text(size_t i) const {
  const std::string& operand = operands_[i];
  if (operand.size() >= 2 && operand.front() == '"' && operand.back() == '"') {
    return operand.substr(1, operand.size() - 2);
  }
  return operand;
}

bool Call::Wrote(size_t i) const {
  const size_t width = width_[i];
  return width != 0 && std::memcmp(&storage_[i], &kPoison, width) != 0;
}

uint64_t Call::Written(size_t i) const {
  uint64_t value = 0;
  std::memcpy(&value, &storage_[i], width_[i]);
  return value;
}

std::vector<OperandSpec> ParseSignature(const char* signature) {
  std::vector<OperandSpec> specs;
  for (const char* p = signature; *p != '\0'; ++p) {
    if (*p == ' ') continue;
    if (*p == '*') {
      specs.back().out = true;
    } else if (*p == '+') {
      specs.back().out = specs.back().fresh = true;
    } else if (*p == '!') {
      specs.back().ends = true;
    } else {
      specs.push_back({static_cast<Kind>(*p)});
    }
  }
  return specs;
}

const std::vector<Operation>& Operations() {
  static const std::vector<Operation> operations = [] {
    std::vector<Operation> all;
    AddContextOperations(&all);
    AddStreamOperations(&all);
    AddMemoryOperations(&all);
    AddModuleOperations(&all);
    AddPoolOperations(&all);
    AddGraphOperations(&all);
    AddIpcOperations(&all);
    AddLegacyOperations(&all);
    return all;
  }();
  return operations;
}

const Operation* FindOperation(const std::string& name) {
  static const std::unordered_map<std::string, const Operation*> index = [] {
    std::unordered_map<std::string, const Operation*> by_name;
    for (const Operation& operation : Operations()) by_name[operation.name] = &operation;
    return by_name;
  }();
  const auto found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

}  // namespace culprit::atlas
