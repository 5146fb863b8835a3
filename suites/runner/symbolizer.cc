// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/symbolizer.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <gelf.h>

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

  // `frames` holds the outermost function with the innermost line.
  void AddInlined(uint64_t address, std::vector<SourceFrame>* frames) const {
    if (elf_ == nullptr) return;
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module_, address + bias_, &bias);
    Dwarf_Die* scopes = nullptr;
    const int count = unit == nullptr ? 0 : dwarf_getscopes(unit, address + bias_ - bias, &scopes);
    const SourceFrame outer = frames->front();
    SourceFrame frame = outer;
    std::vector<SourceFrame> found;
    for (int i = 0; i < count; ++i) {
      if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
      frame.function = NameOf(&scopes[i]);
      found.push_back(frame);
      AddCallSite(&scopes[i], unit, &frame);
    }
    std::free(scopes);
    if (found.empty()) return;
    frame.function = outer.function;
    found.push_back(frame);
    *frames = std::move(found);
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

SourceFrame Symbolizer::Find(uintptr_t address) const {
  for (const Mapping& mapping : mappings_) {
    if (address < mapping.start || address >= mapping.end) continue;
    const uint64_t offset = address - mapping.start + mapping.offset;
    return FindInModule(mapping.path, ModuleOf(mapping.path)->AddressOf(offset));
  }
  SourceFrame unknown;
  unknown.offset = address;
  return unknown;
}

std::vector<SourceFrame> Symbolizer::FindInlined(const std::string& path, uint64_t address) const {
  std::vector<SourceFrame> frames{FindInModule(path, address)};
  ModuleOf(path)->AddInlined(address, &frames);
  return frames;
}

SourceFrame Symbolizer::FindInModule(const std::string& path, uint64_t address) const {
  SourceFrame frame;
  frame.module = path;
  frame.offset = address;
  ModuleOf(path)->Describe(address, &frame);
  return frame;
}

std::string SourceFrame::Text() const {
  const std::string where = module.empty() ? "" : std::filesystem::path(module).filename().string();
  std::string text = function.empty() ? fmt::format("{:#x}", offset) : function;
  if (!file.empty()) text += fmt::format(" at {}:{}", file, line);
  if (!where.empty()) text += fmt::format(" ({})", where);
  return text;
}

}  // namespace culprit::suites
