// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_SYMBOLIZER_H_
#define SUITES_RUNNER_SYMBOLIZER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace culprit::suites {

struct SourceFrame {
  std::string function;  // demangled; empty when unknown
  std::string file;      // source file, empty without debug information
  int line = 0;
  std::string module;   // the library or program
  uint64_t offset = 0;  // address inside the module's file, as addr2line takes it

  // "Foo() at foo.cc:12 (libfoo.so)"
  std::string Text() const;
};

// An address as the source has it: the function that it lies in, after those that the compiler
// merged into that one, innermost first. Never empty.
using InlineChain = std::vector<SourceFrame>;

// The frame to name where there is room for one: the innermost in a source file. Headers hold the
// wrappers through which a whole program calls the driver, and a wrapper's line tells nothing.
const SourceFrame& FrameToName(const InlineChain& chain);

// Turns addresses of a process, which may be dead by now, into functions and lines.
class Symbolizer {
 public:
  // `maps` is the text of the process's /proc/PID/maps.
  explicit Symbolizer(const std::string& maps);
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  InlineChain Find(uintptr_t address) const;
  // By file and address inside it, for addresses that come with their module.
  InlineChain FindInModule(const std::string& path, uint64_t address) const;

 private:
  struct Mapping {
    uintptr_t start, end, offset;
    std::string path;
  };
  class Module;
  const Module* ModuleOf(const std::string& path) const;

  std::vector<Mapping> mappings_;
  mutable std::map<std::string, std::unique_ptr<Module>> modules_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SYMBOLIZER_H_
