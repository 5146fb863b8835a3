// SPDX-License-Identifier: Apache-2.0
//
// The library as the dynamic linker sees it: what it exports is the table, nothing more and nothing
// less.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "fakedriver/abi/cuda_api.h"

namespace culprit::fakedriver::shim {
namespace {

using ::testing::UnorderedElementsAreArray;

enum class Kind { kFunction, kData };
using Symbols = std::map<std::string, Kind>;

class ElfFile {
 public:
  explicit ElfFile(const char* path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }

  bool valid() const {
    return bytes_.size() > sizeof(Elf64_Ehdr) && bytes_.compare(0, 4, ELFMAG) == 0;
  }

  // Defined symbols of .dynsym, without those of the linker itself.
  Symbols Exported() const {
    Symbols symbols;
    const Elf64_Shdr table = Section(SHT_DYNSYM);
    const Elf64_Shdr names = At<Elf64_Shdr>(Header().e_shoff + table.sh_link * sizeof(Elf64_Shdr));
    for (size_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = At<Elf64_Sym>(table.sh_offset + at);
      if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
      const bool function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
      symbols[&bytes_[names.sh_offset + symbol.st_name]] = function ? Kind::kFunction : Kind::kData;
    }
    return symbols;
  }

  std::string SoName() const {
    const Elf64_Shdr dynamic = Section(SHT_DYNAMIC);
    const Elf64_Shdr names =
        At<Elf64_Shdr>(Header().e_shoff + dynamic.sh_link * sizeof(Elf64_Shdr));
    for (size_t at = 0; at < dynamic.sh_size; at += sizeof(Elf64_Dyn)) {
      const auto entry = At<Elf64_Dyn>(dynamic.sh_offset + at);
      if (entry.d_tag == DT_SONAME) return &bytes_[names.sh_offset + entry.d_un.d_val];
    }
    return "";
  }

 private:
  template <typename T>
  T At(size_t offset) const {
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  Elf64_Ehdr Header() const { return At<Elf64_Ehdr>(0); }
  Elf64_Shdr Section(uint32_t type) const {
    for (int i = 0; i < Header().e_shnum; ++i) {
      const auto section = At<Elf64_Shdr>(Header().e_shoff + i * sizeof(Elf64_Shdr));
      if (section.sh_type == type) return section;
    }
    return {};
  }

  std::string bytes_;
};

Symbols InTheTable() {
  return {
#define FD_API(symbol, ...) {#symbol, Kind::kFunction},
#define FD_STUB FD_API
#define FD_ALIAS FD_API
#define FD_DATA(symbol, bytes) {#symbol, Kind::kData},
#include "fakedriver/abi/driver_api.def"
      {"culprit_control", Kind::kFunction},
  };
}

TEST(ExportsTest, AreTheTableAndTheControlEntry) {
  const ElfFile library(CULPRIT_FAKE_LIBRARY);
  ASSERT_TRUE(library.valid()) << CULPRIT_FAKE_LIBRARY;
  EXPECT_THAT(library.Exported(), UnorderedElementsAreArray(InTheTable()));
}

TEST(ExportsTest, CountAsMuchAsAShippedDriver) { EXPECT_EQ(InTheTable().size(), 707u + 1u); }

TEST(ExportsTest, TheLibraryIsCalledLikeTheDriver) {
  EXPECT_EQ(ElfFile(CULPRIT_FAKE_LIBRARY).SoName(), "libcuda.so.1");
}

}  // namespace
}  // namespace culprit::fakedriver::shim
