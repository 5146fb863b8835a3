// SPDX-License-Identifier: Apache-2.0
//
// A loaded PTX module: what the driver asks of it, and what the machine runs.
//
// Loading reads the whole text once and reports what a JIT compiler would report: syntax, unknown
// opcodes and modifiers, undeclared names, versions and targets. Kernels are lowered to machine
// code on their first launch, so a module of hundreds of kernels loads in milliseconds. A Program
// is immutable and may be shared by contexts and threads; where its global variables live is not
// part of it (ModuleState in launch.h).
#ifndef FAKEDRIVER_EXEC_PROGRAM_H_
#define FAKEDRIVER_EXEC_PROGRAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::exec {

struct ModuleState;

// What went wrong with a text, in the order a caller would tell them apart.
enum class LoadErrorKind : uint8_t {
  kNotPtx,              // empty, or does not begin like PTX: CUDA_ERROR_INVALID_IMAGE
  kInvalidPtx,          // syntax, unknown opcode or modifier, wrong operand: CUDA_ERROR_INVALID_PTX
  kUnsupportedVersion,  // .version newer than LoadOptions allow: CUDA_ERROR_UNSUPPORTED_PTX_VERSION
  kUnsupportedTarget,  // .target unknown or newer than the device: CUDA_ERROR_INVALID_PTX on driver
                       // 580
  kNoKernelImage,      // nothing in the text is meant for this device
  kUnresolvedSymbol,   // .extern without a definition: CUDA_ERROR_INVALID_PTX on driver 580
};

struct LoadError {
  LoadErrorKind kind = LoadErrorKind::kInvalidPtx;
  uint32_t line = 0;    // of the text, from 1; 0 when the error belongs to no line
  std::string message;  // without file and line, for example "Unknown modifier '.op'"

  // One line as the JIT log has it.
  std::string ToLogLine() const;
};

struct LoadOptions {
  // Version and target above these are refused. 90 is sm_90; 9.0 is 90.
  uint32_t newest_ptx_version = 90;
  uint32_t device_sm = 90;
  // Accept any known target whatever the device (modules that carry PTX for newer devices only).
  bool accept_newer_targets = false;
};

enum class StateSpace : uint8_t { kRegister, kParam, kLocal, kShared, kGlobal, kConst, kGeneric };

// One parameter of a kernel, laid out as the driver's parameter buffer has it.
struct Parameter {
  std::string name;
  uint32_t offset = 0;
  uint32_t size = 0;
  uint32_t align = 1;
};

struct KernelInfo {
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameter_bytes = 0;      // end of the last parameter
  uint32_t static_shared_bytes = 0;  // of the kernel and what it may call
  uint32_t local_bytes = 0;          // per thread, declared by the kernel itself
  uint32_t registers = 0;            // an estimate of what a compiler would allocate, 8 to 255
  bool uses_dynamic_shared = false;
  std::array<uint32_t, 3> required_threads{};  // .reqntid, zeros when absent
  std::array<uint32_t, 3> maximum_threads{};   // .maxntid, zeros when absent
  uint32_t line = 0;                           // of the .entry directive
};

// A name whose address replaces bytes of an initialiser.
struct Relocation {
  enum class Target : uint8_t { kGlobal, kFunction };
  uint32_t offset = 0;  // in the variable
  uint32_t size = 8;    // bytes written
  Target target = Target::kGlobal;
  uint32_t index = 0;  // into globals(), or of the function inside the program
  int64_t addend = 0;
  bool generic = false;  // written as generic(name)
};

enum class GlobalKind : uint8_t { kVariable, kTexture, kSurface, kSampler };

// A module-scope variable in .global or .const space (shared variables belong to the kernels).
struct GlobalInfo {
  std::string name;
  GlobalKind kind = GlobalKind::kVariable;
  StateSpace space = StateSpace::kGlobal;
  uint64_t size = 0;
  uint32_t align = 1;
  bool visible = false;  // .visible, .weak or .common: cuModuleGetGlobal finds it (and, as drivers
                         // do, the others too)
  bool managed = false;
  std::vector<std::byte> initial;  // empty means zeros; never longer than size, the rest is zeros
  std::vector<Relocation> relocations;
  uint32_t line = 0;
};

struct LoadResult;
struct ModuleText;  // the parsed text, internal to exec/
class CodeCache;    // kernels lowered so far, internal to exec/

class Program {
 public:
  // `ptx` ends at its size or at its first NUL. The text is copied where needed; it may go away
  // afterwards.
  static LoadResult Load(std::string_view ptx, const LoadOptions& options = {});

  // Several texts as one program: .extern names of one are resolved by the .visible ones of
  // another.
  static LoadResult Link(std::span<const std::string_view> texts, const LoadOptions& options = {});

  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // In the order of the text. Positions in these vectors are the indices that launch.h and
  // ModuleState speak of.
  const std::vector<KernelInfo>& kernels() const { return kernels_; }
  const std::vector<GlobalInfo>& globals() const { return globals_; }

  std::optional<uint32_t> FindKernel(std::string_view name) const;
  std::optional<uint32_t> FindGlobal(std::string_view name) const;

  // The bytes variable `index` starts with, exactly globals()[index].size of them, addresses filled
  // in from `state`.
  std::vector<std::byte> InitialBytes(uint32_t index, const ModuleState& state) const;

  uint32_t ptx_version() const { return ptx_version_; }  // 7.0 is 70
  uint32_t target_sm() const { return target_sm_; }      // sm_90 is 90

  const ModuleText& text() const { return *text_; }
  CodeCache& code() const { return *code_; }

 private:
  friend class ProgramBuilder;
  Program();

  std::vector<KernelInfo> kernels_;
  std::vector<GlobalInfo> globals_;
  uint32_t ptx_version_ = 0;
  uint32_t target_sm_ = 0;
  std::unique_ptr<ModuleText> text_;
  std::unique_ptr<CodeCache> code_;
};

// Either a program or the first error.
struct LoadResult {
  std::shared_ptr<const Program> program;
  LoadError error;

  explicit operator bool() const { return program != nullptr; }
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_PROGRAM_H_
