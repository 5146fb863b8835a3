// SPDX-License-Identifier: Apache-2.0
#include "inventory/command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string>

#include "inventory/check.h"
#include "inventory/contract/contract_reader.h"
#include "inventory/report/terminal.h"
#include "inventory/scan/file_walk.h"

namespace culprit::inventory {
namespace {

enum ExitCode { kClean = 0, kFindings = 1, kBadInput = 2 };

struct Options {
  std::string root = ".";
  std::string config;
};

int Check(const Options& options) {
  Contract contract;
  if (!options.config.empty()) contract = ParseContract(ReadFile(options.config), options.config);
  const Report report = CheckTree(ReadTree(options.root, contract), contract);
  WriteTerminal(report, {isatty(STDOUT_FILENO) != 0, false}, std::cout);
  const bool failed =
      std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
        return finding.standing == Standing::kNew && finding.severity == Severity::kError;
      });
  return failed ? kFindings : kClean;
}

}  // namespace

int RunInventory(int argc, char** argv) {
  CLI::App app(
      "Holds C, C++ and CUDA sources to a declared ownership contract, without building them.",
      "culprit inventory");
  Options options;
  app.add_option("root", options.root, "Folder to check");
  app.add_option("-c,--config", options.config, "The contract");
  try {
    app.parse(argc, argv);
    return Check(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kClean : kBadInput;
  } catch (const InputError& error) {
    std::cerr << "culprit inventory: " << error.what() << "\n";
    return kBadInput;
  }
}

}  // namespace culprit::inventory
