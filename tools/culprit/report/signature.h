// SPDX-License-Identifier: Apache-2.0
//
// Ed25519 signatures over the bytes of certificate.json, in certificate.json.sig beside it
// (base64). A certificate names the digest of its raw results, so one signature covers both. Keys
// are PEM files as `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write them.
#ifndef TOOLS_CULPRIT_REPORT_SIGNATURE_H_
#define TOOLS_CULPRIT_REPORT_SIGNATURE_H_

#include <string>
#include <string_view>

namespace culprit::tools {

// All that read a key throw InputError when it cannot be read, is no Ed25519 key or needs a
// password.
void DemandPrivateKey(const std::string& path);
void DemandPublicKey(const std::string& path);

// Base64.
std::string Sign(std::string_view bytes, const std::string& private_key_file);
bool IsSignedBy(std::string_view bytes, const std::string& signature,
                const std::string& public_key_file);

// Of the report in `folder`.
void SignCertificate(const std::string& folder, const std::string& private_key_file);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_SIGNATURE_H_
