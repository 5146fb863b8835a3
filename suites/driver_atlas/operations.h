// SPDX-License-Identifier: Apache-2.0
// What a line of a scenario can do: driver calls, bound from their C signature, and a few
// operations that need more than one call. The signature says, operand by operand, the kind
// (slots.h); '*' marks an out operand, written by the call;
// '!' an operand whose object the call ends when it succeeds.
#ifndef SUITES_DRIVER_ATLAS_OPERATIONS_H_
#define SUITES_DRIVER_ATLAS_OPERATIONS_H_

#include <cuda.h>

#include <array>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "suites/driver_atlas/slots.h"

namespace culprit::atlas {

struct OperandSpec {
  Kind kind;
  bool out = false;
  bool fresh = false;  // an out operand that names a new object
  bool ends = false;
};

// One call in progress: gives the binding its arguments in C types.
class Call {
 public:
  static constexpr uint64_t kPoison = 0xa5a5a5a5a5a5a5a5;
  static constexpr size_t kMaxOperands = 12;

  Call(const Slots& slots, const std::vector<std::string>& operands)
      : slots_(slots), operands_(operands) {
    storage_.fill(kPoison);
  }

  uint64_t Value(size_t i);
  std::string Text(size_t i) const;

  template <typename T>
  T In(size_t i) {
    if constexpr (std::is_same_v<T, const char*>) {
      if (operands_[i] == "nil") return nullptr;
      texts_[i] = Text(i);
      return texts_[i].c_str();
    } else if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<T>(Value(i));
    } else {
      return static_cast<T>(Value(i));
    }
  }
  // Storage for an out operand, poisoned, so that a write on failure shows; nullptr for "nil".
  template <typename T>
  T* Out(size_t i) {
    static_assert(sizeof(T) <= sizeof(uint64_t));
    width_[i] = sizeof(T);
    return operands_[i] == "nil" ? nullptr : reinterpret_cast<T*>(&storage_[i]);
  }
  bool Wrote(size_t i) const;
  uint64_t Written(size_t i) const;
  // Set when an operand names a slot that was never filled: the step is then not run.
  const std::string& missing() const { return missing_; }
  // Text that an operation adds to the answer, for example bytes read.
  std::string extra;

 private:
  const Slots& slots_;
  const std::vector<std::string>& operands_;
  std::array<uint64_t, kMaxOperands> storage_{};
  std::array<uint8_t, kMaxOperands> width_{};
  std::array<std::string, kMaxOperands> texts_;
  std::string missing_;
};

struct Operation {
  const char* name;
  const char* signature;
  CUresult (*run)(Call&);
  std::vector<OperandSpec> operands;
};

// nullptr: no such operation.
const Operation* FindOperation(const std::string& name);
const std::vector<Operation>& Operations();

// Each family's file adds its own.
void AddContextOperations(std::vector<Operation>* out);
void AddStreamOperations(std::vector<Operation>* out);
void AddMemoryOperations(std::vector<Operation>* out);
void AddModuleOperations(std::vector<Operation>* out);
void AddGraphOperations(std::vector<Operation>* out);
void AddPoolOperations(std::vector<Operation>* out);
void AddIpcOperations(std::vector<Operation>* out);
void AddLegacyOperations(std::vector<Operation>* out);

// The driver under question does not export the entry; no driver answers this value.
inline constexpr CUresult kEntryMissing = static_cast<CUresult>(-2);

namespace internal {

template <typename Function>
struct Binder;

template <typename... Parameters>
struct Binder<CUresult (*)(Parameters...)> {
  template <size_t... I>
  static CUresult Run(CUresult (*entry)(Parameters...), Call& call,
                      const std::vector<OperandSpec>& specs, std::index_sequence<I...>) {
    return entry(Argument<Parameters>(call, specs, I)...);
  }
  static CUresult Run(CUresult (*entry)(Parameters...), Call& call,
                      const std::vector<OperandSpec>& specs) {
    if (entry == nullptr) return kEntryMissing;
    return Run(entry, call, specs, std::index_sequence_for<Parameters...>{});
  }

 private:
  template <typename T>
  static T Argument(Call& call, const std::vector<OperandSpec>& specs, size_t i) {
    if constexpr (std::is_pointer_v<T>) {
      using Pointee = std::remove_pointer_t<T>;
      if constexpr (!std::is_const_v<Pointee> && !std::is_void_v<Pointee> &&
                    !std::is_function_v<Pointee>) {
        if constexpr (requires { sizeof(Pointee); }) {
          if constexpr (sizeof(Pointee) <= sizeof(uint64_t)) {
            if (specs[i].out) return call.Out<Pointee>(i);
          }
        }
      }
    }
    return call.In<T>(i);
  }
};

}  // namespace internal

std::vector<OperandSpec> ParseSignature(const char* signature);

// ATLAS_BIND(cuStreamCreate, "S* i"): an operation named like the entry whose operands are the
// parameters.
#define ATLAS_BIND(entry, signature)                                                       \
  out->push_back({#entry, signature,                                                       \
                  [](::culprit::atlas::Call& call) -> CUresult {                           \
                    static const auto specs = ::culprit::atlas::ParseSignature(signature); \
                    auto function = ATLAS_DRIVER(entry);                                   \
                    return ::culprit::atlas::internal::Binder<decltype(function)>::Run(    \
                        function, call, specs);                                            \
                  },                                                                       \
                  ::culprit::atlas::ParseSignature(signature)})

// ATLAS_OPERATION("fill", "P n") { ... }: an operation written by hand, with `call` at hand.
#define ATLAS_OPERATION(name, signature, ...)                                                 \
  out->push_back({name, signature, [](::culprit::atlas::Call & call) -> CUresult __VA_ARGS__, \
                  ::culprit::atlas::ParseSignature(signature)})

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_OPERATIONS_H_
