// SPDX-License-Identifier: Apache-2.0
#include "tools/reference_page/module_results.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/culprit/report/results_store.h"

namespace culprit::tools {
namespace {

bool OfModule(const suites::Fault& fault) {
  const std::string entry = suites::LookupName(fault.entry);
  return entry == "cuModuleLoadData" || entry == "cuModuleUnload";
}

// Only alone in a serial session are an extractor's modules the only ones, so that the nth load is
// its nth module's, and the nth unload as well: they are unloaded in the order of their loads.
void CountModule(const suites::CaseResult& result, std::vector<uint64_t>* module_faults) {
  if (result.faults.empty() || !OfModule(result.faults.front())) return;
  const uint64_t nth = result.faults.front().nth;
  if (module_faults->size() < nth) module_faults->resize(nth);
  ++(*module_faults)[nth - 1];
}

SuiteRun RunOf(const ResultsStore& store, const std::string& path) {
  const nlohmann::json identity = store.Get("identity");
  try {
    const nlohmann::json& driver = identity.at("driver");
    return {0, 0,
            driver.at("name").get<std::string>() + " " + driver.at("version").get<std::string>(),
            identity.at("port").at("build_id").get<std::string>()};
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path + ": identity: " + error.what());
  }
}

void Take(const ResultsStore& store, const suites::GroupResult& group, ModuleResults* results) {
  const suites::Settings& settings = group.settings;
  SuiteRun& run = results->suites.at(group.suite);
  run.version = group.suite_version;
  const bool alone = settings.extractors.size() == 1 && settings.threads == 0;
  store.ForEachCase(group.number, [&](const suites::CaseResult& result, bool passed) {
    ++run.life_cycles;
    for (const std::string& extractor : settings.extractors) {
      SuiteResult& suite = results->of_extractor[extractor][group.suite];
      ++suite.life_cycles;
      if (!passed) ++suite.failed;
      if (alone) CountModule(result, &suite.module_faults);
    }
  });
}

void TakeStore(const std::string& path, ModuleResults* results) {
  const ResultsStore store = ResultsStore::Open(path);
  const SuiteRun run = RunOf(store, path);
  const std::vector<suites::GroupResult> groups = store.Groups();
  for (const suites::GroupResult& group : groups) {
    if (!group.abandoned.empty()) {
      throw std::runtime_error(path + ": " + group.suite + "/" + group.scenario +
                               " was not run to its end: " + group.abandoned);
    }
    results->suites[group.suite] = run;
    for (auto& [extractor, suites] : results->of_extractor) suites.erase(group.suite);
  }
  for (const suites::GroupResult& group : groups) Take(store, group, results);
}

nlohmann::json ToJson(const ModuleResults& results) {
  nlohmann::json suites = nlohmann::json::object();
  for (const auto& [suite, run] : results.suites) {
    suites[suite] = {{"version", run.version},
                     {"life_cycles", run.life_cycles},
                     {"driver", run.driver},
                     {"port_build_id", run.build_id}};
  }
  nlohmann::json extractors = nlohmann::json::object();
  for (const auto& [extractor, of_suites] : results.of_extractor) {
    for (const auto& [suite, result] : of_suites) {
      extractors[extractor][suite] = {{"life_cycles", result.life_cycles},
                                      {"failed", result.failed},
                                      {"module_faults", result.module_faults}};
    }
  }
  return {{"suites", std::move(suites)}, {"extractors", std::move(extractors)}};
}

ModuleResults FromJson(const nlohmann::json& json) {
  ModuleResults results;
  for (const auto& [suite, run] : json.at("suites").items()) {
    results.suites[suite] = {
        run.at("version").get<uint32_t>(), run.at("life_cycles").get<uint64_t>(),
        run.at("driver").get<std::string>(), run.at("port_build_id").get<std::string>()};
  }
  for (const auto& [extractor, suites] : json.at("extractors").items()) {
    for (const auto& [suite, result] : suites.items()) {
      results.of_extractor[extractor][suite] = {
          result.at("life_cycles").get<uint64_t>(), result.at("failed").get<uint64_t>(),
          result.at("module_faults").get<std::vector<uint64_t>>()};
    }
  }
  return results;
}

}  // namespace

ModuleResults TakeResults(const std::vector<std::string>& store_paths) {
  ModuleResults results;
  for (const std::string& path : store_paths) TakeStore(path, &results);
  return results;
}

ModuleResults ReadResults(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  try {
    return FromJson(nlohmann::json::parse(file));
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

void WriteResults(const std::string& path, const ModuleResults& results) {
  std::ofstream file(path);
  file << ToJson(results).dump(1) << "\n";
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace culprit::tools
