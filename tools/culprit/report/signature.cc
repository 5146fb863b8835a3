// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/signature.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

#include "input/input_error.h"
#include "input/text_file.h"
#include "tools/culprit/report/report_files.h"

namespace culprit::tools {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using File = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

Key ReadKey(const std::string& path, bool is_private) {
  const File file(std::fopen(path.c_str(), "r"), &std::fclose);
  if (file == nullptr) throw InputError(fmt::format("{}: cannot be read", path));
  // A key behind a password is refused: nobody may be there to be asked.
  const auto no_password = [](char*, int, int, void*) { return -1; };
  Key key(is_private ? PEM_read_PrivateKey(file.get(), nullptr, no_password, nullptr)
                     : PEM_read_PUBKEY(file.get(), nullptr, no_password, nullptr),
          &EVP_PKEY_free);
  if (key == nullptr || EVP_PKEY_base_id(key.get()) != EVP_PKEY_ED25519) {
    throw InputError(fmt::format("{}: holds no {} Ed25519 key in PEM form", path,
                                 is_private ? "private" : "public"));
  }
  return key;
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Empty when it is no base64.
std::vector<unsigned char> Decoded(const std::string& base64) {
  std::string text;
  for (const char c : base64) {
    if (c != '\n' && c != '\r' && c != ' ') text += c;
  }
  std::vector<unsigned char> bytes(text.size());
  const int size = text.empty() || text.size() % 4 != 0
                       ? -1
                       : EVP_DecodeBlock(bytes.data(), Bytes(text), static_cast<int>(text.size()));
  if (size < 0) return {};
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  bytes.resize(static_cast<size_t>(size) - padding);
  return bytes;
}

}  // namespace

void DemandPrivateKey(const std::string& path) { ReadKey(path, true); }
void DemandPublicKey(const std::string& path) { ReadKey(path, false); }

std::string Sign(std::string_view bytes, const std::string& private_key_file) {
  const Key key = ReadKey(private_key_file, true);
  const Context context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  unsigned char signature[64];
  size_t size = sizeof(signature);
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), signature, &size, Bytes(bytes), bytes.size()) != 1) {
    throw std::runtime_error("the certificate could not be signed");
  }
  unsigned char text[4 * ((sizeof(signature) + 2) / 3) + 1];
  EVP_EncodeBlock(text, signature, static_cast<int>(size));
  return reinterpret_cast<const char*>(text);
}

bool IsSignedBy(std::string_view bytes, const std::string& signature,
                const std::string& public_key_file) {
  const Key key = ReadKey(public_key_file, false);
  const std::vector<unsigned char> raw = Decoded(signature);
  const Context context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), raw.data(), raw.size(), Bytes(bytes), bytes.size()) == 1;
}

void SignCertificate(const std::string& folder, const std::string& private_key_file) {
  const std::string path = std::filesystem::path(folder) / "certificate.json";
  WriteTextFile(path + ".sig", Sign(ReadTextFile(path), private_key_file) + "\n");
}

}  // namespace culprit::tools
