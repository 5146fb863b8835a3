// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "fakedriver/exec/reader/parser.h"

namespace culprit::exec {
namespace {

constexpr std::array kTargets{10u, 11u, 12u, 13u,  20u,  21u,  30u,  32u,  35u, 37u, 50u,
                              52u, 53u, 60u, 61u,  62u,  70u,  72u,  75u,  80u, 86u, 87u,
                              88u, 89u, 90u, 100u, 101u, 103u, 110u, 120u, 121u};

}  // namespace

void Parser::ParseModule() {
  ParseVersion();
  ParseTarget();
  module_.source_lines.push_back({});
  while (lexer_.Peek().kind != TokenKind::kEnd) ParseDirective();
}

void Parser::ParseVersion() {
  if (!lexer_.Accept(".version")) {
    throw ParseError{lexer_.Peek().line, "Missing .version directive at start of file",
                     static_cast<uint8_t>(LoadErrorKind::kNotPtx)};
  }
  Token token = lexer_.Take();
  std::string_view text = token.text;
  size_t dot = text.find('.');
  uint32_t major = 0;
  uint32_t minor = 0;
  bool good = token.kind == TokenKind::kDouble && dot != std::string_view::npos;
  good = good && std::from_chars(text.data(), text.data() + dot, major).ec == std::errc{};
  good = good &&
         std::from_chars(text.data() + dot + 1, text.data() + text.size(), minor).ec == std::errc{};
  if (!good || minor > 9) FailAt(token.line, "Malformed .version directive");
  module_.version = std::max(module_.version, major * 10 + minor);
  if (major > 99 || major * 10 + minor > options_.newest_ptx_version) {
    throw ParseError{token.line,
                     "Unsupported .version " + std::string(text) + "; current version is '" +
                         std::to_string(options_.newest_ptx_version / 10) + "." +
                         std::to_string(options_.newest_ptx_version % 10) + "'",
                     static_cast<uint8_t>(LoadErrorKind::kUnsupportedVersion)};
  }
}

// .target sm_80, texmode_independent, debug
void Parser::ParseTarget() {
  if (!lexer_.Accept(".target")) lexer_.FailNear();
  do {
    Token token = lexer_.Take();
    if (token.text.starts_with("sm_")) {
      std::string_view number = token.text.substr(3);
      uint32_t sm = 0;
      auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), sm);
      std::string_view variant(rest, static_cast<size_t>(number.data() + number.size() - rest));
      bool known = error == std::errc{} &&
                   std::find(kTargets.begin(), kTargets.end(), sm) != kTargets.end() &&
                   (variant.empty() || variant == "a" || variant == "f");
      if (!known || (sm > options_.device_sm && !options_.accept_newer_targets)) {
        throw ParseError{
            token.line,
            (known ? "SM version specified by .target is higher than default SM version assumed: "
                   : "Unsupported .target '") +
                std::string(token.text) + (known ? "" : "'"),
            static_cast<uint8_t>(LoadErrorKind::kUnsupportedTarget)};
      }
      module_.target_sm = std::max(module_.target_sm, sm);
    } else if (token.text == "debug") {
      module_.debug = true;
    } else if (token.text != "texmode_unified" && token.text != "texmode_independent" &&
               token.text != "map_f64_to_f32") {
      FailAt(token.line, "Unsupported .target '" + std::string(token.text) + "'");
    }
  } while (lexer_.Accept(','));
}

// .file 1 "name" [, timestamp, size]
void Parser::ParseFile() {
  uint64_t number = lexer_.ExpectInteger();
  if (lexer_.Peek().kind != TokenKind::kString || number > 100000) lexer_.FailNear();
  if (module_.files.size() <= number) module_.files.resize(number + 1);
  module_.files[number] = lexer_.Take().text;
  while (lexer_.Accept(',')) lexer_.ExpectInteger();
}

void Parser::ParseDirective() {
  const Token& next = lexer_.Peek();
  if (lexer_.Accept(".file")) {
    ParseFile();
  } else if (lexer_.Accept(".address_size")) {
    uint64_t bits = lexer_.ExpectInteger();
    if (bits != 32 && bits != 64) lexer_.Fail("Invalid .address_size");
  } else if (lexer_.Accept(".section")) {
    lexer_.Take();
    lexer_.SkipBraces();
  } else if (lexer_.Accept(".pragma")) {
    while (!lexer_.Accept(';')) {
      if (lexer_.Peek().kind == TokenKind::kEnd) lexer_.FailNear();
      lexer_.Take();
    }
  } else if (lexer_.Accept(".loc")) {
    lexer_.SkipRestOfLine();
  } else if (lexer_.Accept(".alias")) {
    std::string_view name = lexer_.ExpectName();
    lexer_.Expect(',');
    auto meant = functions_.find(lexer_.ExpectName());
    if (meant == functions_.end()) lexer_.Fail("Unknown function in .alias");
    auto it = functions_.find(name);
    if (it != functions_.end()) module_.functions[it->second].definition = meant->second;
    functions_[name] = meant->second;
    lexer_.Expect(';');
  } else if (next.kind == TokenKind::kDot) {
    ParseDeclaration();
  } else if (next.Is(';')) {
    lexer_.Take();
  } else {
    lexer_.FailNear();
  }
}

void Parser::ParseDeclaration() {
  Linkage linkage = Linkage::kInternal;
  for (;;) {
    Token token = lexer_.Take();
    if (token.Is(".visible")) {
      linkage = Linkage::kVisible;
    } else if (token.Is(".extern")) {
      linkage = Linkage::kExtern;
    } else if (token.Is(".weak")) {
      linkage = Linkage::kWeak;
    } else if (token.Is(".common")) {
      linkage = Linkage::kCommon;
    } else if (token.Is(".entry") || token.Is(".func")) {
      return ParseFunction(token.Is(".entry"), linkage);
    } else if (token.Is(".global") || token.Is(".tex")) {
      return ParseModuleVariables(StateSpace::kGlobal, linkage);
    } else if (token.Is(".const")) {
      return ParseModuleVariables(StateSpace::kConst, linkage);
    } else if (token.Is(".shared")) {
      return ParseModuleVariables(StateSpace::kShared, linkage);
    } else {
      FailAt(token.line,
             "Parsing error near '" + std::string(token.text.substr(0, 80)) + "': syntax error");
    }
  }
}

}  // namespace culprit::exec
