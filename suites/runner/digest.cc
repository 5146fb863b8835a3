// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/digest.h"

#include <openssl/evp.h>

#include <cstdint>
#include <stdexcept>

#include "input/text_file.h"

namespace culprit::suites {

namespace {

std::string Hexadecimal(const unsigned char* bytes, size_t length) {
  std::string text;
  for (size_t i = 0; i < length; ++i) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

}  // namespace

Sha256Sum::Sha256Sum() : context_(EVP_MD_CTX_new()) {
  if (context_ == nullptr || EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("no SHA-256");
  }
}

Sha256Sum::~Sha256Sum() { EVP_MD_CTX_free(context_); }

void Sha256Sum::Add(std::string_view bytes) {
  EVP_DigestUpdate(context_, bytes.data(), bytes.size());
}

std::string Sha256Sum::Finish() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (EVP_DigestFinal_ex(context_, digest, &length) != 1) throw std::runtime_error("no SHA-256");
  return Hexadecimal(digest, length);
}

std::string Sha256(std::string_view bytes) {
  Sha256Sum sum;
  sum.Add(bytes);
  return sum.Finish();
}

std::string Sha256OfFile(const std::string& path) { return Sha256(ReadTextFile(path)); }

}  // namespace culprit::suites
