// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/symbolizer.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace culprit::suites {
namespace {

std::string Demangle(const char* name) {
  int status = 0;
  char* readable = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  const std::string text = status == 0 ? readable : name;
  std::free(readable);
  return text;
}

char* debug_info_path = nullptr;
const Dwfl_Callbacks kCallbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                   dwfl_offline_section_address, &debug_info_path};

}  // namespace

class Symbolizer::Module {
 public:
  explicit Module(const std::string& path) : session_(dwfl_begin(&kCallbacks)) {
    if (session_ == nullptr) return;
    dwfl_report_begin(session_);
    module_ = dwfl_report_offline(session_, path.c_str(), path.c_str(), -1);
    dwfl_report_end(session_, nullptr, nullptr);
    if (module_ != nullptr) elf_ = dwfl_module_getelf(module_, &bias_);
  }
  ~Module() {
    if (session_ != nullptr) dwfl_end(session_);
  }

  // The address that the file's headers give to a byte at `offset`.
  uint64_t AddressOf(uint64_t offset) const {
    size_t count = 0;
    if (elf_ == nullptr || elf_getphdrnum(elf_, &count) != 0) return offset;
    for (size_t i = 0; i < count; ++i) {
      GElf_Phdr segment;
      if (gelf_getphdr(elf_, static_cast<int>(i), &segment) == nullptr) continue;
      if (segment.p_type == PT_LOAD && offset >= segment.p_offset &&
          offset < segment.p_offset + segment.p_filesz) {
        return offset - segment.p_offset + segment.p_vaddr;
      }
    }
    return offset;
  }

  void Describe(uint64_t address, SourceFrame* frame) const {
    if (elf_ == nullptr) return;
    if (const char* name = dwfl_module_addrname(module_, address + bias_)) {
      frame->function = Demangle(name);
    }
    if (Dwfl_Line* line = dwfl_module_getsrc(module_, address + bias_)) {
      const char* file = dwfl_lineinfo(line, nullptr, &frame->line, nullptr, nullptr, nullptr);
      if (file != nullptr) frame->file = file;
    }
  }

  // `chain` holds the outermost function with the innermost line.
  void AddInlined(uint64_t address, InlineChain* chain) const {
    if (elf_ == nullptr) return;
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module_, address + bias_, &bias);
    if (unit == nullptr) return;
    const SourceFrame outer = chain->front();
    SourceFrame frame = outer;
    InlineChain found;
    for (Dwarf_Die& scope : ScopesAt(unit, address + bias_ - bias)) {
      if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine) continue;
      frame.function = NameOf(&scope);
      found.push_back(frame);
      AddCallSite(&scope, unit, &frame);
    }
    frame.function = outer.function;
    found.push_back(frame);
    *chain = std::move(found);
  }

 private:
  static std::string NameOf(Dwarf_Die* function) {
    Dwarf_Attribute attribute;
    for (const unsigned kind : {DW_AT_linkage_name, DW_AT_name}) {
      const char* name = dwarf_formstring(dwarf_attr_integrate(function, kind, &attribute));
      if (name != nullptr) return Demangle(name);
    }
    return {};
  }

  // The scopes around an address, innermost first. Asked by address, the library leaves the code at
  // the first inlined function for the place where that is declared; asked by the innermost entry,
  // it tells what the code is nested in.
  static std::vector<Dwarf_Die> ScopesAt(Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Die* scopes = nullptr;
    if (dwarf_getscopes(unit, address, &scopes) <= 0) return {};
    Dwarf_Die innermost = scopes[0];
    std::free(scopes);
    scopes = nullptr;
    const int count = dwarf_getscopes_die(&innermost, &scopes);
    std::vector<Dwarf_Die> nested(scopes, scopes + std::max(count, 0));
    std::free(scopes);
    return nested;
  }

  // Where the function was called that `inlined` stands for.
  static void AddCallSite(Dwarf_Die* inlined, Dwarf_Die* unit, SourceFrame* frame) {
    Dwarf_Attribute attribute;
    Dwarf_Word line = 0;
    Dwarf_Word file = 0;
    Dwarf_Files* files = nullptr;
    size_t count = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0) {
      frame->line = static_cast<int>(line);
    }
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) == 0 &&
        dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count) {
      if (const char* name = dwarf_filesrc(files, file, nullptr, nullptr)) frame->file = name;
    }
  }

  Dwfl* session_;
  Dwfl_Module* module_ = nullptr;
  Elf* elf_ = nullptr;
  GElf_Addr bias_ = 0;
};

Symbolizer::Symbolizer(const std::string& maps) {
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    Mapping mapping{};
    char permissions[8];
    int path_at = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %7s %" SCNxPTR " %*s %*s %n",
                    &mapping.start, &mapping.end, permissions, &mapping.offset, &path_at) != 4) {
      continue;
    }
    if (path_at <= 0 || static_cast<size_t>(path_at) >= line.size()) continue;
    mapping.path = line.substr(static_cast<size_t>(path_at));
    if (mapping.path.front() == '/') mappings_.push_back(std::move(mapping));
  }
}

Symbolizer::~Symbolizer() = default;

const Symbolizer::Module* Symbolizer::ModuleOf(const std::string& path) const {
  std::unique_ptr<Module>& module = modules_[path];
  if (module == nullptr) module = std::make_unique<Module>(path);
  return module.get();
}

InlineChain Symbolizer::Find(uintptr_t address) const {
  for (const Mapping& mapping : mappings_) {
    if (address < mapping.start || address >= mapping.end) continue;
    const uint64_t offset = address - mapping.start + mapping.offset;
    return FindInModule(mapping.path, ModuleOf(mapping.path)->AddressOf(offset));
  }
  SourceFrame unknown;
  unknown.offset = address;
  return {unknown};
}

InlineChain Symbolizer::FindInModule(const std::string& path, uint64_t address) const {
  InlineChain chain(1);
  chain.front().module = path;
  chain.front().offset = address;
  ModuleOf(path)->Describe(address, &chain.front());
  ModuleOf(path)->AddInlined(address, &chain);
  return chain;
}

const SourceFrame& FrameToName(const InlineChain& chain) {
  for (const SourceFrame& frame : chain) {
    const std::string extension = std::filesystem::path(frame.file).extension().string();
    const bool in_source = !extension.empty() && extension[1] != 'h' && extension[1] != 'H';
    if (in_source && extension != ".inl" && extension != ".cuh") return frame;
  }
  return chain.back();
}

std::string SourceFrame::Text() const {
  const std::string where = module.empty() ? "" : std::filesystem::path(module).filename().string();
  std::string text = function.empty() ? fmt::format("{:#x}", offset) : function;
  if (!file.empty()) text += fmt::format(" at {}:{}", file, line);
  if (!where.empty()) text += fmt::format(" ({})", where);
  return text;
}

}  // namespace culprit::suites
