// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/port_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "input/input_error.h"
#include "suites/runner/digest.h"
#include "suites/runner/host_use.h"

namespace culprit::suites {
namespace {

constexpr uint32_t kMostExtractors = 1024;
constexpr struct {
  const char* name;
  uint32_t bit;
} kAbilities[] = {{"threads", CULPRIT_CAN_THREADS},
                  {"preallocate", CULPRIT_CAN_PREALLOCATE},
                  {"retry_close", CULPRIT_CAN_RETRY_CLOSE},
                  {"foreign_context", CULPRIT_CAN_FOREIGN_CONTEXT},
                  {"operate", CULPRIT_CAN_OPERATE}};

std::string Hexadecimal(const unsigned char* bytes, size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

// The note that the linker leaves in a loaded segment; empty when the library was linked without
// one.
std::string BuildIdOf(const void* address_in_library) {
  struct Search {
    uintptr_t address;
    std::string build_id;
  } search{reinterpret_cast<uintptr_t>(address_in_library), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& found = *static_cast<Search*>(data);
        bool inside = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          const uintptr_t start = info->dlpi_addr + segment.p_vaddr;
          inside |= segment.p_type == PT_LOAD && found.address >= start &&
                    found.address < start + segment.p_memsz;
        }
        if (!inside) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_NOTE) continue;
          const auto* at = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
          const char* end = at + segment.p_memsz;
          while (at + sizeof(ElfW(Nhdr)) <= end) {
            const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
            const char* name = at + sizeof(*note);
            const char* content = name + ((note->n_namesz + 3) & ~3U);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                std::memcmp(name, "GNU", 4) == 0) {
              found.build_id =
                  Hexadecimal(reinterpret_cast<const unsigned char*>(content), note->n_descsz);
            }
            at = content + ((note->n_descsz + 3) & ~3U);
          }
        }
        return 1;
      },
      &search);
  return search.build_id;
}

std::string MissingFunction(const culprit_port& port) {
  const bool extractor = port.extractor_count != 0;
  if (extractor) {
    const struct {
      const char* name;
      bool present;
    } needed[] = {
        {"state_init", CULPRIT_PORT_FUNCTION(port, state_init) != nullptr},
        {"open", CULPRIT_PORT_FUNCTION(port, open) != nullptr},
        {"use_extractor", CULPRIT_PORT_FUNCTION(port, use_extractor) != nullptr},
        {"import_state", CULPRIT_PORT_FUNCTION(port, import_state) != nullptr},
        {"submit", CULPRIT_PORT_FUNCTION(port, submit) != nullptr},
        {"flush", CULPRIT_PORT_FUNCTION(port, flush) != nullptr},
        {"score_key", CULPRIT_PORT_FUNCTION(port, score_key) != nullptr},
        {"score", CULPRIT_PORT_FUNCTION(port, score) != nullptr},
        {"close", CULPRIT_PORT_FUNCTION(port, close) != nullptr},
        {"state_free", CULPRIT_PORT_FUNCTION(port, state_free) != nullptr},
    };
    for (const auto& function : needed) {
      if (!function.present) return function.name;
    }
  }
  if ((port.abilities & CULPRIT_CAN_PREALLOCATE) != 0 &&
      (CULPRIT_PORT_FUNCTION(port, preallocate) == nullptr ||
       CULPRIT_PORT_FUNCTION(port, fetch) == nullptr ||
       CULPRIT_PORT_FUNCTION(port, submit_pictures) == nullptr)) {
    return "preallocate, fetch and submit_pictures";
  }
  if ((port.abilities & CULPRIT_CAN_OPERATE) != 0 &&
      (CULPRIT_PORT_FUNCTION(port, operations) == nullptr ||
       CULPRIT_PORT_FUNCTION(port, operate) == nullptr)) {
    return "operations and operate";
  }
  return {};
}

// What the table says of itself must be there before anything reads it.
bool HasItsTexts(const culprit_port& port) {
  if (port.name == nullptr || port.version == nullptr) return false;
  for (uint32_t i = 0; i < port.extractor_count; ++i) {
    const culprit_extractor_info& extractor = port.extractors[i];
    if (extractor.name == nullptr || extractor.backend == nullptr) return false;
  }
  for (uint32_t i = 0; i < port.lifetime_count; ++i) {
    const culprit_lifetime& lifetime = port.lifetimes[i];
    if (lifetime.kind == nullptr || lifetime.where == nullptr || lifetime.reason == nullptr) {
      return false;
    }
  }
  return true;
}

bool IsTable(const culprit_port* port) {
  return port != nullptr && port->abi == CULPRIT_PORT_ABI &&
         port->size >= offsetof(culprit_port, lifetime_count) + sizeof(port->lifetime_count) &&
         port->extractor_count <= kMostExtractors &&
         (port->extractor_count == 0 || port->extractors != nullptr) &&
         (port->lifetime_count == 0 || port->lifetimes != nullptr) && HasItsTexts(*port);
}

// The loader's own words, which begin with the path where it is about the file itself.
std::string WhyNotLoaded(const std::string& path) {
  std::string why = dlerror();
  if (why.starts_with(path + ": ")) why.erase(0, path.size() + 2);
  return fmt::format("{}: is no port: the loader says: {}", path, why);
}

}  // namespace

void DemandPortFile(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(path + ": no such file");
  if (!std::filesystem::is_regular_file(status)) {
    throw InputError(path + ": is no file; a port is a shared library");
  }
}

PortLibrary PortLibrary::Load(const std::string& path) {
  DemandPortFile(path);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw InputError(WhyNotLoaded(path));
  const auto entry = reinterpret_cast<culprit_port_entry_fn>(dlsym(library, CULPRIT_PORT_ENTRY));
  if (entry == nullptr) {
    throw InputError(fmt::format("{}: is no port: it exports no {}; see docs/write_a_port.md", path,
                                 CULPRIT_PORT_ENTRY));
  }
  SetSubjectOfHostUse(reinterpret_cast<void*>(entry));
  PortLibrary loaded;
  loaded.port_ = entry();
  if (!IsTable(loaded.port_)) {
    throw InputError(fmt::format("{}: {} returned no valid table of ABI {}", path,
                                 CULPRIT_PORT_ENTRY, CULPRIT_PORT_ABI));
  }
  if (const std::string missing = MissingFunction(*loaded.port_); !missing.empty()) {
    throw InputError(fmt::format("{}: the port's abilities need the missing {}", path, missing));
  }
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<void*>(entry), &info) != 0;
  loaded.path_ = found ? std::filesystem::canonical(info.dli_fname).string() : path;
  loaded.build_id_ = BuildIdOf(reinterpret_cast<void*>(entry));
  if (loaded.build_id_.empty()) loaded.build_id_ = "sha256:" + Sha256OfFile(loaded.path_);
  return loaded;
}

bool PortLibrary::Has(const std::string& ability) const {
  for (const auto& known : kAbilities) {
    if (ability == known.name) return Can(known.bit);
  }
  return false;
}

bool PortLibrary::HasOperation(const std::string& operation) const {
  const char* const* operations = CULPRIT_PORT_FUNCTION(*port_, operations);
  for (; operations != nullptr && *operations != nullptr; ++operations) {
    if (operation == *operations) return true;
  }
  return false;
}

const culprit_extractor_info* PortLibrary::FindExtractor(const std::string& name) const {
  for (uint32_t i = 0; i < port_->extractor_count; ++i) {
    if (name == port_->extractors[i].name) return &port_->extractors[i];
  }
  return nullptr;
}

std::vector<std::string> PortLibrary::GpuExtractors() const {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < port_->extractor_count; ++i) {
    if (std::strcmp(port_->extractors[i].backend, "cpu") != 0) {
      names.emplace_back(port_->extractors[i].name);
    }
  }
  return names;
}

FrameSize PortLibrary::SmallestFrame(const std::string& extractor) const {
  FrameSize size;
  if (const auto ask = CULPRIT_PORT_FUNCTION(*port_, smallest_frame); ask != nullptr) {
    ask(extractor.c_str(), &size.width, &size.height);
  }
  return size;
}

std::vector<std::string> PortLibrary::GpuExtractorsTogether(FrameSize frame, size_t most) const {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& name : GpuExtractors()) {
    if (names.size() == most) break;
    if (!frame.Holds(SmallestFrame(name))) continue;
    std::set<std::string> keys;
    const char* const* key = FindExtractor(name)->keys;
    for (; key != nullptr && *key != nullptr; ++key) keys.insert(*key);
    const bool free = std::none_of(keys.begin(), keys.end(),
                                   [&](const std::string& own) { return taken.contains(own); });
    if (!free) continue;
    taken.merge(keys);
    names.push_back(name);
  }
  return names;
}

bool PortLibrary::Declares(const std::string& kind, const std::string& where) const {
  for (uint32_t i = 0; i < port_->lifetime_count; ++i) {
    if (kind != port_->lifetimes[i].kind) continue;
    if (where.empty() || where == port_->lifetimes[i].where) return true;
  }
  return false;
}

nlohmann::json PortLibrary::Identity() const {
  nlohmann::json identity = {{"name", port_->name},
                             {"version", port_->version},
                             {"path", path_},
                             {"build_id", build_id_},
                             {"abi", port_->abi},
                             {"abilities", nlohmann::json::array()},
                             {"extractors", nlohmann::json::array()},
                             {"lifetimes", nlohmann::json::array()},
                             {"operations", nlohmann::json::array()}};
  for (const auto& known : kAbilities) {
    if (Can(known.bit)) identity["abilities"].push_back(known.name);
  }
  for (uint32_t i = 0; i < port_->extractor_count; ++i) {
    const culprit_extractor_info& extractor = port_->extractors[i];
    nlohmann::json keys = nlohmann::json::array();
    for (const char* const* key = extractor.keys; key != nullptr && *key != nullptr; ++key) {
      keys.push_back(*key);
    }
    identity["extractors"].push_back(
        {{"name", extractor.name}, {"backend", extractor.backend}, {"keys", std::move(keys)}});
  }
  for (uint32_t i = 0; i < port_->lifetime_count; ++i) {
    const culprit_lifetime& lifetime = port_->lifetimes[i];
    identity["lifetimes"].push_back(
        {{"kind", lifetime.kind}, {"where", lifetime.where}, {"reason", lifetime.reason}});
  }
  const char* const* operations = CULPRIT_PORT_FUNCTION(*port_, operations);
  for (; operations != nullptr && *operations != nullptr; ++operations) {
    identity["operations"].push_back(*operations);
  }
  return identity;
}

}  // namespace culprit::suites
