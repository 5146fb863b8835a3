// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/digest.h"

#include <openssl/evp.h>

#include <cstdint>
#include <fstream>
#include <iterator>

namespace culprit::suites {

std::string Sha256(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr) != 1) {
    return {};
  }
  std::string text;
  for (unsigned int i = 0; i < length; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

std::string Sha256OfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return Sha256(content);
}

}  // namespace culprit::suites
