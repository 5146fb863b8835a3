// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/call_fuzz/values.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "fakedriver/control/testing/add_one.h"

namespace culprit::fakedriver::call_fuzz {
namespace {

constexpr size_t kHostBytes = size_t{4} << 20;
constexpr size_t kMostRemembered = 64;

constexpr uint64_t kNeverGiven[] = {
    1, 2, 3, 7, 0xdead, 0x10000, 0x7fff00000000, 0x302000000007, 0x800000000000, ~uint64_t{0}};

// Each is followed by as many zeros as a driver may copy from a host address.
struct Padded {
  char text[1024];
  char zeros[Values::kBlockBytes];
};
constexpr Padded Join(std::initializer_list<std::string_view> parts) {
  Padded joined = {};
  char* end = joined.text;
  for (const std::string_view part : parts) end = std::copy(part.begin(), part.end(), end);
  return joined;
}
constexpr Padded kAddOne = Join({".version 7.0\n.target sm_75\n.address_size 64\n",
                                 testing::kAddOne, ".visible .entry nothing() { ret; }\n"});
const Padded kProse = {"these words are no program", {}};

}  // namespace

uint64_t Values::Small() {
  static constexpr uint64_t kSmall[] = {0, 1, 1, 2, 3, 4, 7, 8, 16, 31, 32, kMostElements};
  return choices_.Pick(kSmall);
}

uint64_t Values::Number() {
  static constexpr uint64_t kNumbers[] = {0,
                                          1,
                                          4,
                                          16,
                                          64,
                                          100,
                                          512,
                                          1000,
                                          4096,
                                          4097,
                                          1 << 16,
                                          2 << 20,
                                          16 << 20,
                                          uint64_t{1} << 38,
                                          uint64_t{1} << 40,
                                          ~uint64_t{0}};
  return numbers == Numbers::kSmall || choices_.Below(2) == 0 ? Small() : choices_.Pick(kNumbers);
}

uint64_t Values::Handle(std::type_index type) {
  const unsigned way = choices_.Byte();
  if (way < 12) return 0;
  if (way < 18) return choices_.Pick(kNeverGiven);
  if (way < 24 && !all_.empty()) return all_[choices_.Below(static_cast<unsigned>(all_.size()))];
  const std::vector<uint64_t>& given = given_[type];
  if (given.empty()) return 0;
  // The newest ones most of the time: the older ones are more likely gone.
  const size_t back = way < 200 ? way % 4 : way;
  return given[given.size() - 1 - back % given.size()];
}

uint64_t Values::Address() {
  const unsigned way = choices_.Byte();
  if (way < 16) return Small();
  if (way < 24) return NoAddress();
  const std::vector<uint64_t>& reachable = given_[typeid(HostAddress*)];
  const bool host = !reachable.empty() && way % 8 == 0;
  const std::vector<uint64_t>& given = host ? reachable : given_[typeid(unsigned long long)];
  if (given.empty()) return 0;
  static constexpr uint64_t kOffsets[] = {0, 0, 0, 0, 1, 4, 16, 256, 512, 4096};
  const size_t back = way < 200 ? way % 4 : way;
  return given[given.size() - 1 - back % given.size()] + choices_.Pick(kOffsets);
}

uint64_t Values::UnifiedAddress() {
  const std::vector<uint64_t>& given = given_[typeid(CUdeviceptr*)];
  if (given.empty() || choices_.OneIn(4)) return reinterpret_cast<uint64_t>(HostBytes());
  return given[choices_.Below(static_cast<unsigned>(given.size()))] + choices_.Below(600);
}

uint64_t Values::NoAddress() { return choices_.Pick(kNeverGiven); }

const char* Values::Name() {
  static constexpr const char* kNames[] = {
      "add_one", "add_one", "nothing", "counter", "missing", "", "cuInit", "0000:01:00.0", nullptr};
  return choices_.Pick(kNames);
}

const void* Values::Image() {
  const unsigned way = choices_.Byte();
  if (way < 8) return nullptr;
  if (way < 32) return &kProse;
  return way < 128 ? &kAddOne : static_cast<const void*>(HostBytes());
}

unsigned char* Values::HostBytes() {
  alignas(4096) static unsigned char bytes[kHostBytes];
  static constexpr size_t kOffsets[] = {0, 0, 4096, 65536, 8, 4104};  // aligned for any value
  return bytes + choices_.Pick(kOffsets);
}

unsigned char* Values::Block(size_t slot) {
  alignas(64) static unsigned char blocks[kBlocks][kBlockBytes];
  unsigned char* block = blocks[slot % kBlocks];
  std::memset(block, 0, kBlockBytes);
  return block;
}

void Values::Remember(std::type_index type, uint64_t value) {
  for (std::vector<uint64_t>* list : {&given_[type], &all_}) {
    if (list->size() < kMostRemembered) {
      list->push_back(value);
    } else {
      list->erase(list->begin());
      list->push_back(value);
    }
  }
}

}  // namespace culprit::fakedriver::call_fuzz
