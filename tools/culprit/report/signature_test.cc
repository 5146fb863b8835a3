// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <cstdio>

#include "input/scratch_folder.h"

namespace culprit::tools {
namespace {

using testing::HasSubstr;

// A key pair in two PEM files, that go when the object does.
struct KeyFiles {
  explicit KeyFiles(int kind = EVP_PKEY_ED25519);

  ScratchFolder folder;
  std::string secret = folder / "secret.pem";
  std::string open = folder / "open.pem";
};

KeyFiles::KeyFiles(int kind) {
  EVP_PKEY_CTX* context = EVP_PKEY_CTX_new_id(kind, nullptr);
  EVP_PKEY* key = nullptr;
  EVP_PKEY_keygen_init(context);
  EVP_PKEY_keygen(context, &key);
  std::FILE* file = std::fopen(secret.c_str(), "w");
  PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
  file = std::fopen(open.c_str(), "w");
  PEM_write_PUBKEY(file, key);
  std::fclose(file);
  EVP_PKEY_free(key);
  EVP_PKEY_CTX_free(context);
}

TEST(SignatureTest, IsOfOneTextAndOneKey) {
  const KeyFiles mine;
  const KeyFiles other;
  const std::string signature = Sign("certificate", mine.secret);
  EXPECT_TRUE(IsSignedBy("certificate", signature + "\n", mine.open));
  EXPECT_FALSE(IsSignedBy("certificatE", signature, mine.open));
  EXPECT_FALSE(IsSignedBy("certificate", signature, other.open));
}

TEST(SignatureTest, IsRefusedWhenItIsNone) {
  const KeyFiles keys;
  for (const char* nonsense : {"", "no base64!", "AAAA", "===="}) {
    EXPECT_FALSE(IsSignedBy("certificate", nonsense, keys.open)) << nonsense;
  }
}

TEST(SignatureTest, NamesAKeyThatCannotBeUsed) {
  EXPECT_THAT([] { Sign("x", "/no/such/key.pem"); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("/no/such/key.pem")));
  const KeyFiles keys(EVP_PKEY_X25519);
  EXPECT_THAT([&] { Sign("x", keys.secret); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("Ed25519")));
}

}  // namespace
}  // namespace culprit::tools
