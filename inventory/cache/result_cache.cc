// SPDX-License-Identifier: Apache-2.0
#include "inventory/cache/result_cache.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "input/input_error.h"
#include "inventory/report/finding_json.h"
#include "inventory/scan/hash.h"

namespace culprit::inventory {
namespace {

uint64_t Mix(uint64_t hash, std::string_view text) {
  return HashOf(std::string_view("\0", 1), HashOf(text, hash));
}

// What a use of the macro may mean, and so what the macros of its body mean.
uint64_t MixMacro(uint64_t hash, const Macro& macro, const MacroScope& macros,
                  std::set<const Macro*>* mixed) {
  if (!mixed->insert(&macro).second) return hash;
  hash =
      Mix(hash, fmt::format("{} {} {} {} {} {} {}", macro.function_like, macro.returns, macro.jumps,
                            macro.label_parameter, macro.label, macro.glues, macro.has_string));
  for (const std::string& name : macro.names) hash = Mix(hash, name);
  if (!macro.glues && !macro.has_string) return hash;
  for (const Macro::Word& word : macro.body) hash = Mix(hash, word.text);
  for (const std::string& name : macro.names) {
    if (const Macro* inner = macros.Find(name)) hash = MixMacro(hash, *inner, macros, mixed);
  }
  return hash;
}

// What the tree says about the names in the file.
uint64_t MixVocabulary(uint64_t hash, const SourceFile& file, const Vocabulary& vocabulary,
                       const Lexed& lexed) {
  for (const std::string& name : vocabulary.lookup_functions) hash = Mix(hash, name);
  std::set<const Macro*> mixed;
  const MacroScope macros = vocabulary.macros.In(file.path());
  for (const Token& token : lexed.tokens) {
    if (!token.IsName()) continue;
    if (const auto alias = vocabulary.shared_aliases.find(token.text);
        alias != vocabulary.shared_aliases.end())
      hash = Mix(hash, alias->second.entry->symbol);
    if (const Macro* macro = macros.Find(token.text)) hash = MixMacro(hash, *macro, macros, &mixed);
    const bool reaches = vocabulary.calls.ReachesDriver(file.path(), token.text);
    if (reaches)
      hash = Mix(hash, vocabulary.calls.ReturnsVoid(file.path(), token.text) ? "void" : "result");
  }
  return hash;
}

}  // namespace

ResultCache::ResultCache(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (!std::filesystem::is_directory(folder_, error))
    throw InputError(fmt::format("{}: the cache's folder cannot be made", folder_.string()));
  const auto built =
      std::filesystem::last_write_time("/proc/self/exe", error).time_since_epoch().count();
  program_ = Mix(HashOf(CULPRIT_VERSION), std::to_string(built));
}

uint64_t ResultCache::KeyOf(const SourceFile& file, const Contract& contract,
                            const Vocabulary& vocabulary, const Lexed& lexed) const {
  uint64_t key = Mix(program_, std::to_string(contract.digest));
  key = Mix(key, file.path());
  key = Mix(key, file.text());
  return MixVocabulary(key, file, vocabulary, lexed);
}

std::filesystem::path ResultCache::PathOf(uint64_t key) const {
  return folder_ / fmt::format("{:016x}.cbor", key);
}

std::optional<FileResult> ResultCache::Find(uint64_t key) const {
  if (!enabled()) return std::nullopt;
  std::ifstream in(PathOf(key), std::ios::binary);
  if (!in) return std::nullopt;
  const std::vector<uint8_t> bytes(std::istreambuf_iterator<char>(in), {});
  try {
    const auto json = nlohmann::json::from_cbor(bytes);
    return FileResult{json.at("findings").get<std::vector<Finding>>(),
                      json.at("facts").get<FileFacts>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void ResultCache::Store(uint64_t key, const FileResult& result) const {
  if (!enabled()) return;
  const auto bytes =
      nlohmann::json::to_cbor({{"findings", result.findings}, {"facts", result.facts}});
  const std::filesystem::path path = PathOf(key);
  std::filesystem::path scratch = path;
  scratch += fmt::format(".{}", std::hash<const void*>{}(&result));
  std::ofstream(scratch, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  std::error_code error;
  std::filesystem::rename(scratch, path,
                          error);  // a cache that cannot be written is slow, not wrong
}

}  // namespace culprit::inventory
