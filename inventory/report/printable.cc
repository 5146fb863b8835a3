// SPDX-License-Identifier: Apache-2.0
#include "inventory/report/printable.h"

#include <algorithm>
#include <cstdint>

namespace culprit::inventory {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  // 0: no valid character begins here
};

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
Character CharacterAt(std::string_view text) {
  const auto byte = [&](size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  uint32_t code = lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

// Controls, and the two codes at the end of a plane that XML does not allow.
bool MayBeShown(uint32_t code) {
  return code >= 0x20 && !(code >= 0x7F && code < 0xA0) && (code & 0xFFFE) != 0xFFFE;
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Character character = CharacterAt(text);
    if (character.bytes == 1 &&
        std::string_view("\t\n\r\v\f").find(text[0]) != std::string_view::npos) {
      shown += ' ';
    } else if (character.bytes != 0 && MayBeShown(character.code)) {
      shown += text.substr(0, character.bytes);
    } else {
      shown += kReplacement;
    }
    text.remove_prefix(std::max<size_t>(character.bytes, 1));
  }
  return shown;
}

}  // namespace culprit::inventory
