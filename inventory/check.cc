// SPDX-License-Identifier: Apache-2.0
#include "inventory/check.h"

#include <iterator>
#include <utility>

#include "inventory/rules/file_view.h"
#include "inventory/rules/raw_teardown.h"
#include "inventory/scan/file_walk.h"

namespace culprit::inventory {
namespace {

std::vector<SourceFile> ReadSources(const std::filesystem::path& root, const Contract& contract) {
  std::vector<SourceFile> files;
  for (const std::string& path : WalkFiles(root, contract.roots, contract.exclude)) {
    if (const auto language = LanguageOf(path))
      files.emplace_back(path, ReadFile(root / path), *language);
  }
  return files;
}

Vocabulary CollectVocabulary(const std::vector<SourceFile>& files, const Contract& contract) {
  Vocabulary vocabulary;
  for (const SourceFile& file : files) {
    const Lexed lexed = Lex(file, contract.conditions);
    vocabulary.macros.AddAll(lexed);
    vocabulary.lookup_functions.merge(LookupFunctions(lexed, OutlineOf(lexed)));
  }
  vocabulary.macros.Close();
  return vocabulary;
}

std::vector<Finding> CheckFile(const SourceFile& file, const Contract& contract,
                               const Vocabulary& vocabulary) {
  const Lexed lexed = Lex(file, contract.conditions);
  const Outline outline = OutlineOf(lexed);
  const std::vector<Mention> mentions =
      FindMentions(lexed, outline, {vocabulary.macros, vocabulary.lookup_functions});
  const FileView view{file, contract, vocabulary, lexed, outline, mentions};
  FindingSink sink(file, contract);
  CheckRawTeardown(view, &sink);
  CheckUnversionedNames(view, &sink);
  return sink.Take();
}

}  // namespace

Report CheckTree(const std::filesystem::path& root, const Contract& contract) {
  Report report;
  const std::vector<SourceFile> files = ReadSources(root, contract);
  const Vocabulary vocabulary = CollectVocabulary(files, contract);
  for (const SourceFile& file : files) {
    std::vector<Finding> findings = CheckFile(file, contract, vocabulary);
    std::move(findings.begin(), findings.end(), std::back_inserter(report.findings));
    ++report.statistics.files;
    report.statistics.lines += file.line_count();
  }
  SortAndFingerprint(&report.findings);
  return report;
}

}  // namespace culprit::inventory
