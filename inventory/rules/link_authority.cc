// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/link_authority.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "inventory/scan/glob.h"

namespace culprit::inventory {
namespace {

// Libraries of the C and C++ systems: nobody builds those next door.
constexpr std::string_view kSystemLibraries[] = {
    "c", "m", "dl", "pthread", "rt", "stdc++", "c++", "gcc", "gcc_s", "util", "resolv", "atomic"};

struct Word {
  std::string_view text;
  uint32_t begin;
};

// Words of a build file; # and // start comments except where cgo or a shebang needs them.
std::vector<Word> WordsOf(std::string_view text) {
  std::vector<Word> words;
  bool line_is_cgo = false;
  for (size_t at = 0; at < text.size();) {
    const bool line_start = at == 0 || text[at - 1] == '\n';
    if (line_start) {
      const size_t first = std::min(text.find_first_not_of(" \t", at), text.size());
      line_is_cgo = text.substr(first, 5) == "#cgo " || text.substr(first, 7) == "// #cgo";
    }
    const char c = text[at];
    const bool comment =
        !line_is_cgo &&
        (c == '#' || (c == '/' && text.substr(at, 2) == "//" && (at == 0 || text[at - 1] != ':')));
    if (comment) {
      at = std::min(text.find('\n', at), text.size());
    } else if (std::isspace(static_cast<unsigned char>(c)) ||
               std::string_view("\"',;()[]=").find(c) != std::string_view::npos) {
      ++at;
    } else {
      const size_t end = std::min(text.find_first_of(" \t\r\n\"',;()[]=", at), text.size());
      words.push_back({text.substr(at, end - at), static_cast<uint32_t>(at)});
      at = end;
    }
  }
  return words;
}

// The library that a flag names without saying where it is: vmaf of -lvmaf; empty otherwise.
std::string_view BareLibrary(std::string_view word) {
  for (const std::string_view prefix : {"-Wl,-l", "-l"}) {
    if (word.starts_with(prefix)) return word.substr(prefix.size());
  }
  return {};
}

// Whether the word at `index` adds a folder to search for libraries. `curl -L https://...` does
// not.
bool IsSearchPath(const std::vector<Word>& words, size_t index) {
  const std::string_view word = words[index].text;
  for (const std::string_view other :
       {"link_directories", "target_link_directories", "--library-path", "LIBRARY_PATH",
        "cargo:rustc-link-search", "cargo::rustc-link-search"}) {
    if (word == other) return true;
  }
  if (word.starts_with("-Wl,-L") || word.starts_with("-Wl,--library-path")) return true;
  if (word != "-L") return word.starts_with("-L");
  if (index + 1 == words.size()) return false;
  const std::string_view next = words[index + 1].text;
  return !next.starts_with('-') && next.find("://") == std::string_view::npos;
}

// Where the library is named that the word at `index` asks for: in the word itself, or behind
// Cargo's directive, perhaps after its kind.
size_t LibraryNamedAt(const std::vector<Word>& words, size_t index) {
  const std::string_view word = words[index].text;
  if (word != "cargo:rustc-link-lib" && word != "cargo::rustc-link-lib") return index;
  size_t named = index + 1;
  if (named < words.size() && (words[named].text == "dylib" || words[named].text == "static"))
    ++named;
  return named < words.size() ? named : index;
}

bool IsOurs(const Contract& contract, std::string_view library) {
  if (library.starts_with(':') || library.find('$') != std::string_view::npos) return false;
  if (!contract.link_libraries.empty()) {
    return std::find(contract.link_libraries.begin(), contract.link_libraries.end(), library) !=
           contract.link_libraries.end();
  }
  return std::find(std::begin(kSystemLibraries), std::end(kSystemLibraries), library) ==
         std::end(kSystemLibraries);
}

// link_directories(dir) makes every plain name in target_link_libraries a bare library.
std::vector<Word> PlainCMakeLibraries(const std::vector<Word>& words, const Contract& contract) {
  std::vector<Word> libraries;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].text != "target_link_libraries") continue;
    for (size_t j = i + 1; j < words.size(); ++j) {
      const bool named = std::find(contract.link_libraries.begin(), contract.link_libraries.end(),
                                   words[j].text) != contract.link_libraries.end();
      if (named && j > i + 1) libraries.push_back(words[j]);
      if (words[j].text.starts_with("target_") || words[j].text.starts_with("add_")) break;
    }
  }
  return libraries;
}

}  // namespace

bool IsBuildFile(std::string_view path) {
  for (const char* pattern :
       {"Makefile",   "makefile",     "GNUmakefile",  "*.mk",     "*.mak",       "CMakeLists.txt",
        "*.cmake",    "meson.build",  "*.go",         "setup.py", "build.rs",    "*.pro",
        "Dockerfile", "Dockerfile.*", "*.dockerfile", "BUILD",    "BUILD.bazel", "SConstruct",
        "wscript",    "configure.ac", "Makefile.am",  "*.gyp",    "*.pc.in"}) {
    if (GlobMatches(pattern, path)) return true;
  }
  return false;
}

void CheckLinkAuthority(const SourceFile& file, const Contract& contract, FindingSink* sink) {
  const bool verified =
      std::any_of(contract.verified_links.begin(), contract.verified_links.end(),
                  [&](const VerifiedLink& link) { return GlobMatches(link.file, file.path()); });
  if (verified) return;
  const std::vector<Word> words = WordsOf(file.text());
  size_t search = 0;
  while (search < words.size() && !IsSearchPath(words, search)) ++search;
  if (search == words.size()) return;
  std::vector<Word> bare = PlainCMakeLibraries(words, contract);
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t named = LibraryNamedAt(words, i);
    const std::string_view library = named == i ? BareLibrary(words[i].text) : words[named].text;
    if (!library.empty() && IsOurs(contract, library)) bare.push_back(words[named]);
  }
  for (const Word& word : bare) {
    Finding* finding = sink->Add(
        RuleId::kLinkAuthority, word.begin, word.begin + static_cast<uint32_t>(word.text.size()),
        "",
        fmt::format(
            "'{}' with a search path links whatever library of that name is found first; give the "
            "library's path, or let the caller supply it",
            word.text));
    if (finding) {
      finding->notes.push_back(
          {LocationOf(file, words[search].begin,
                      words[search].begin + static_cast<uint32_t>(words[search].text.size())),
           "the search path"});
    }
  }
}

}  // namespace culprit::inventory
