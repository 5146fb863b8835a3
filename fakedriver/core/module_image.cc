// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/module_image.h"

#include <elf.h>
#include <lz4.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

namespace culprit::fakedriver {
namespace {

using Bytes = std::span<const std::byte>;

constexpr uint32_t kWrapperMagic = 0x466243b1;
constexpr uint32_t kFatbinMagic = 0xba55ed50;
constexpr uint16_t kElfMachineCuda = 190;
constexpr uint64_t kLargestImage = uint64_t{1} << 31;
constexpr uint64_t kLargestText = uint64_t{1} << 28;
constexpr uint64_t kPage = 4096;
// In the flags of a linked image: the architecture, and above it the limit on registers.
constexpr uint32_t kLimitShift = 8;
constexpr std::string_view kTextSection = ".culprit.ptx";

// What nvcc's host code registers.
struct FatbinWrapper {
  uint32_t magic;
  uint32_t version;
  const void* data;
  const void* unused;
};

struct FatbinHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t bytes;  // of all entries
};

struct FatbinEntry {
  uint16_t kind;
  uint16_t version;
  uint32_t header_bytes;
  uint64_t padded_bytes;
  uint32_t compressed_bytes;
  uint32_t options_offset;
  uint16_t minor;
  uint16_t major;
  uint32_t architecture;
  uint32_t name_offset;
  uint32_t name_bytes;
  uint64_t flags;
  uint64_t zero;
  uint64_t plain_bytes;  // of a compressed payload
};
static_assert(sizeof(FatbinEntry) == 64);

constexpr uint16_t kPtxEntry = 1;
constexpr uint16_t kElfEntry = 2;
constexpr uint64_t kLz4Flag = 0x2000;
constexpr uint64_t kZstdFlag = 0x8000;

ModuleImage Refuse(CUresult result, std::string reason) {
  ModuleImage image;
  image.result = result;
  image.reason = std::move(reason);
  return image;
}

template <typename T>
std::optional<T> ReadAt(Bytes bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// Asks the system whether every page may be read.
bool Readable(const std::byte* first, uint64_t size) {
  constexpr size_t kBatch = 512;
  std::array<std::byte, kBatch> sink;
  std::array<iovec, kBatch> pages;
  for (uint64_t done = 0; done < size;) {
    size_t count = 0;
    for (; count < kBatch && done < size; ++count) {
      pages[count] = {const_cast<std::byte*>(first + done), 1};
      const auto address = reinterpret_cast<uint64_t>(first + done);
      done += kPage - address % kPage;
    }
    const iovec local{sink.data(), count};
    const ssize_t got = process_vm_readv(getpid(), &local, 1, pages.data(), count, 0);
    if (got != static_cast<ssize_t>(count)) return false;
  }
  return true;
}

std::optional<std::string> PlainText(Bytes payload, const FatbinEntry& entry) {
  const bool compressed = (entry.flags & (kLz4Flag | kZstdFlag)) != 0;
  if (!compressed) {  // up to the zeros that pad it
    const auto* text = reinterpret_cast<const char*>(payload.data());
    return std::string(text, strnlen(text, payload.size()));
  }
  if (entry.compressed_bytes > payload.size() || entry.plain_bytes > kLargestText) {
    return std::nullopt;
  }
  std::string text(entry.plain_bytes, '\0');
  if ((entry.flags & kZstdFlag) != 0) {
    const size_t got =
        ZSTD_decompress(text.data(), text.size(), payload.data(), entry.compressed_bytes);
    if (ZSTD_isError(got) || got != text.size()) return std::nullopt;
    return text;
  }
  const int got =
      LZ4_decompress_safe(reinterpret_cast<const char*>(payload.data()), text.data(),
                          static_cast<int>(entry.compressed_bytes), static_cast<int>(text.size()));
  if (got < 0 || static_cast<size_t>(got) != text.size()) return std::nullopt;
  return text;
}

// A cubin runs on devices of its own generation that are not older than it.
bool CubinFits(uint32_t architecture, uint32_t device_sm) {
  return architecture / 10 == device_sm / 10 && architecture <= device_sm;
}

struct Candidate {
  FatbinEntry entry;
  Bytes payload;
};

ModuleImage DecodeFatbin(Bytes bytes, const FatbinHeader& header, uint32_t device_sm) {
  std::optional<Candidate> older;  // the newest text that the device's compiler would take
  std::optional<Candidate> newer;  // the oldest of the others
  bool cubin_fits = false;
  for (uint64_t offset = header.header_bytes; offset < bytes.size();) {
    const auto entry = ReadAt<FatbinEntry>(bytes, offset);
    if (!entry || entry->header_bytes < sizeof(FatbinEntry) ||
        entry->header_bytes > bytes.size() - offset ||
        entry->padded_bytes > bytes.size() - offset - entry->header_bytes) {
      return Refuse(CUDA_ERROR_INVALID_IMAGE, "An entry of the fatbin ends outside it");
    }
    const Candidate candidate{*entry,
                              bytes.subspan(offset + entry->header_bytes, entry->padded_bytes)};
    if (entry->kind == kPtxEntry && entry->architecture <= device_sm) {
      if (!older || entry->architecture >= older->entry.architecture) older = candidate;
    } else if (entry->kind == kPtxEntry) {
      if (!newer || entry->architecture < newer->entry.architecture) newer = candidate;
    } else if (entry->kind == kElfEntry) {
      cubin_fits = cubin_fits || CubinFits(entry->architecture, device_sm);
    }
    offset += entry->header_bytes + entry->padded_bytes;
  }

  ModuleImage image;
  if (!older && newer && cubin_fits) {
    older = newer;
    image.newer_target = true;
  }
  if (!older) {
    return Refuse(CUDA_ERROR_NO_BINARY_FOR_GPU,
                  newer ? "The fatbin has PTX for newer devices only"
                        : "The fatbin has no PTX, and machine code cannot run here");
  }
  std::optional<std::string> text = PlainText(older->payload, older->entry);
  if (!text) return Refuse(CUDA_ERROR_INVALID_IMAGE, "A compressed entry does not decompress");
  image.ptx.push_back(std::move(*text));
  return image;
}

// The section that MakeLinkedImage writes; nothing in other files.
std::optional<Bytes> TextSection(Bytes elf, const Elf64_Ehdr& header) {
  const auto names_header =
      ReadAt<Elf64_Shdr>(elf, header.e_shoff + uint64_t{header.e_shstrndx} * sizeof(Elf64_Shdr));
  if (!names_header) return std::nullopt;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = ReadAt<Elf64_Shdr>(elf, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section || section->sh_offset > elf.size() ||
        section->sh_size > elf.size() - section->sh_offset) {
      return std::nullopt;
    }
    const uint64_t name = names_header->sh_offset + section->sh_name;
    if (name > elf.size() || elf.size() - name < kTextSection.size() + 1) continue;
    if (std::memcmp(elf.data() + name, kTextSection.data(), kTextSection.size()) != 0) continue;
    return elf.subspan(section->sh_offset, section->sh_size);
  }
  return std::nullopt;
}

ModuleImage DecodeElf(Bytes bytes) {
  const auto header = ReadAt<Elf64_Ehdr>(bytes, 0);
  if (!header || header->e_machine != kElfMachineCuda) {
    return Refuse(CUDA_ERROR_INVALID_IMAGE, "The file is no device code");
  }
  const std::optional<Bytes> section = TextSection(bytes, *header);
  if (!section) {
    return Refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, "The image is machine code, which cannot run here");
  }
  ModuleImage image;
  image.register_limit = header->e_flags >> kLimitShift & 0xff;
  std::string_view texts(reinterpret_cast<const char*>(section->data()), section->size());
  while (!texts.empty()) {
    const size_t end = std::min(texts.find('\0'), texts.size());
    image.ptx.emplace_back(texts.substr(0, end));
    texts.remove_prefix(std::min(end + 1, texts.size()));
  }
  return image;
}

uint64_t ElfBytes(const std::byte* image) {
  if (!Readable(image, sizeof(Elf64_Ehdr))) return 0;
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  return std::max<uint64_t>(header.e_shoff + uint64_t{header.e_shnum} * sizeof(Elf64_Shdr),
                            sizeof header);
}

bool IsElf(uint32_t magic) { return std::memcmp(&magic, ELFMAG, SELFMAG) == 0; }

}  // namespace

std::span<const std::byte> ImageBytes(const void* image) {
  const auto* first = static_cast<const std::byte*>(image);
  if (!Readable(first, 1)) return {};
  const auto* text = static_cast<const char*>(image);
  uint32_t magic = 0;
  if (!Readable(first, sizeof magic)) return {first, strnlen(text, sizeof magic)};
  std::memcpy(&magic, first, sizeof magic);
  if (magic == kWrapperMagic && Readable(first, sizeof(FatbinWrapper))) {
    FatbinWrapper wrapper;
    std::memcpy(&wrapper, first, sizeof wrapper);
    first = static_cast<const std::byte*>(wrapper.data);
    if (!Readable(first, sizeof magic)) return {};
    std::memcpy(&magic, first, sizeof magic);
  }
  uint64_t size = 0;
  if (magic == kFatbinMagic) {
    FatbinHeader header;
    if (!Readable(first, sizeof header)) return {};
    std::memcpy(&header, first, sizeof header);
    if (header.bytes > kLargestImage) return {};
    size = header.header_bytes + header.bytes;
  } else if (IsElf(magic)) {
    size = ElfBytes(first);
    if (size > kLargestImage) size = sizeof(Elf64_Ehdr);
  } else {
    return {first, std::strlen(text)};
  }
  if (!Readable(first, size)) return {};
  return {first, size};
}

ModuleImage DecodeImage(Bytes image, uint32_t device_sm) {
  const auto magic = ReadAt<uint32_t>(image, 0);
  if (magic == kFatbinMagic) {
    const auto header = ReadAt<FatbinHeader>(image, 0);
    if (!header || header->header_bytes < sizeof(FatbinHeader)) {
      return Refuse(CUDA_ERROR_INVALID_IMAGE, "The fatbin has no complete header");
    }
    const uint64_t end = std::min<uint64_t>(image.size(), header->header_bytes + header->bytes);
    return DecodeFatbin(image.first(end), *header, device_sm);
  }
  if (magic && IsElf(*magic)) return DecodeElf(image);
  ModuleImage text;
  text.ptx.emplace_back(reinterpret_cast<const char*>(image.data()), image.size());
  return text;
}

std::vector<std::byte> MakeLinkedImage(std::span<const std::string> ptx, uint32_t device_sm,
                                       uint32_t register_limit) {
  std::string texts;
  for (const std::string& text : ptx) {
    texts += text;
    if (texts.empty() || texts.back() != '\0') texts += '\0';
  }
  std::string names(1, '\0');
  names += kTextSection;
  names += '\0';

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = kElfMachineCuda;
  header.e_version = EV_CURRENT;
  header.e_flags = device_sm | register_limit << kLimitShift;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  std::array<Elf64_Shdr, 3> sections{};  // null, texts, names
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = sizeof header;
  sections[1].sh_size = texts.size();
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = sizeof header + texts.size();
  sections[2].sh_size = names.size();
  header.e_shnum = sections.size();
  header.e_shstrndx = 2;
  header.e_shoff = sizeof header + texts.size() + names.size();

  std::vector<std::byte> image(header.e_shoff + sizeof sections);
  std::memcpy(image.data(), &header, sizeof header);
  std::memcpy(image.data() + sizeof header, texts.data(), texts.size());
  std::memcpy(image.data() + sizeof header + texts.size(), names.data(), names.size());
  std::memcpy(image.data() + header.e_shoff, sections.data(), sizeof sections);
  return image;
}

}  // namespace culprit::fakedriver
