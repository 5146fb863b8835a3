// SPDX-License-Identifier: Apache-2.0
//
// Runs every case on a driver and prints or compares what comes out.
//
//   exec_vectors record --driver LIB --corpus DIR [--part I/N] [--values FILE [--expect RECORD]]
//                                                                                a record, on
//                                                                                standard output
//   exec_vectors check  --driver LIB --corpus DIR [--values FILE] [--open FILE] RECORD...
//                                                       exit 1 on a difference, 77 without a device
//   exec_vectors print  --corpus DIR NAME                                        the PTX of a case
//   exec_vectors list   --corpus DIR                                             the names of all
//
// A values file holds whole results, with --expect only those of cases whose verdict is not the
// expected one; `check` then shows the first operands whose results differ. A file of open
// differences names the cases that are known to differ; one that agrees is a failure too, so the
// list can only shrink. --cases FILE takes only the cases that FILE names.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "fakedriver/exec/vectors/cases.h"

namespace culprit::exec::vectors {
namespace {

constexpr int kSkipped = 77;  // what CTest is told to take for a skip

struct Options {
  std::string command;
  std::string driver = "libcuda.so.1";
  std::string corpus;
  std::string values;
  std::string expect;
  std::string open;
  std::string cases;
  size_t part = 0;
  size_t parts = 1;
  std::vector<std::string> rest;
};

Options Parse(int argc, char** argv) {
  Options options;
  if (argc > 1) options.command = argv[1];
  for (int n = 2; n < argc; ++n) {
    const std::string word = argv[n];
    const bool more = n + 1 < argc;
    if (word == "--driver" && more) {
      options.driver = argv[++n];
    } else if (word == "--corpus" && more) {
      options.corpus = argv[++n];
    } else if (word == "--values" && more) {
      options.values = argv[++n];
    } else if (word == "--expect" && more) {
      options.expect = argv[++n];
    } else if (word == "--open" && more) {
      options.open = argv[++n];
    } else if (word == "--cases" && more) {
      options.cases = argv[++n];
    } else if (word == "--part" && more) {
      std::sscanf(argv[++n], "%zu/%zu", &options.part, &options.parts);
    } else {
      options.rest.push_back(word);
    }
  }
  return options;
}

std::string FirstLine(const std::string& log) {
  const size_t at = log.find("error");
  const std::string from = at == std::string::npos ? log : log.substr(at);
  return from.substr(0, from.find('\n'));
}

void WriteValues(std::ostream& out, const std::string& name, const std::vector<uint64_t>& values) {
  const uint32_t sizes[] = {static_cast<uint32_t>(name.size()),
                            static_cast<uint32_t>(values.size())};
  out.write(reinterpret_cast<const char*>(sizes), sizeof sizes);
  out.write(name.data(), static_cast<std::streamsize>(name.size()));
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * 8));
}

std::map<std::string, std::vector<uint64_t>> ReadValues(const std::string& file) {
  std::map<std::string, std::vector<uint64_t>> all;
  std::ifstream in(file, std::ios::binary);
  uint32_t sizes[2];
  while (in.read(reinterpret_cast<char*>(sizes), sizeof sizes)) {
    std::string name(sizes[0], '\0');
    std::vector<uint64_t> values(sizes[1]);
    in.read(name.data(), sizes[0]);
    in.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * 8));
    all.emplace(std::move(name), std::move(values));
  }
  return all;
}

// What the processes that run the cases tell the one that started them.
struct Progress {
  size_t next = 0;  // case to go on with
  size_t same = 0, refused = 0, accepted = 0, different = 0, missing = 0, open = 0;
};

// A fault is the end of CUDA in a process, so cases run in a child, and after a fault the next ones
// in another. `run_from` gets the driver and leaves in `progress` where to go on.
template <typename RunFrom>
int InChildren(const Options& options, Progress& progress, size_t end, RunFrom run_from) {
  while (progress.next < end) {
    const size_t before = progress.next;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      std::string error;
      const std::unique_ptr<Driver> driver = Driver::Open(options.driver, &error);
      if (driver == nullptr) {
        std::fprintf(stderr, "exec_vectors: SKIPPED, %s: %s\n", options.driver.c_str(),
                     error.c_str());
        _exit(kSkipped);
      }
      run_from(*driver);
      std::fflush(nullptr);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) return WEXITSTATUS(status);
    if (!WIFEXITED(status) || progress.next == before) {
      std::printf("case %zu ended the process, signal %d\n", progress.next, WTERMSIG(status));
      ++progress.different;
      ++progress.next;
    }
  }
  return 0;
}

std::set<std::string> ReadNames(const std::string& file) {
  std::set<std::string> names;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line);
  }
  return names;
}

std::vector<Case> ChosenCases(const Options& options) {
  std::vector<Case> cases = AllCases(options.corpus);
  if (options.cases.empty()) return cases;
  const std::set<std::string> wanted = ReadNames(options.cases);
  std::erase_if(cases, [&](const Case& which) { return wanted.count(which.name) == 0; });
  return cases;
}

std::map<std::string, std::string> ReadRecords(const std::vector<std::string>& files) {
  std::map<std::string, std::string> recorded;
  for (const std::string& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const size_t tab = line.find('\t');
      if (line.starts_with('#') || tab == std::string::npos) continue;
      recorded[line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1)] = line.substr(0, tab);
    }
  }
  return recorded;
}

int Record(const Options& options, Progress& progress) {
  const std::vector<Case> cases = ChosenCases(options);
  std::ofstream values;
  if (!options.values.empty()) values.open(options.values, std::ios::binary);
  std::map<std::string, std::string> expected = ReadRecords({options.expect});
  progress.next = cases.size() * options.part / options.parts;
  const size_t end = cases.size() * (options.part + 1) / options.parts;
  return InChildren(options, progress, end, [&](Driver& driver) {
    if (progress.next == 0) {
      std::printf("# device %s, CUDA %d, seed %llu\n", driver.device_name().c_str(),
                  driver.version(), static_cast<unsigned long long>(kSeed));
    }
    while (progress.next < end) {
      const Case& which = cases[progress.next++];
      const Run run = driver.Execute(MakeKernel(which));
      const std::string verdict = Verdict(run);
      std::printf("%s\t%s", verdict.c_str(), which.name.c_str());
      if (verdict == "refused") std::printf("\t%d %s", run.result, FirstLine(run.log).c_str());
      std::printf("\n");
      if (values.is_open() && expected[which.name] != verdict)
        WriteValues(values, which.name, run.output);
      values.flush();
      if (verdict.starts_with("fault")) return;
    }
  });
}

void ShowDifferences(const Case& which, const std::vector<uint64_t>& wanted,
                     const std::vector<uint64_t>& got) {
  const Kernel kernel = MakeKernel(which);
  size_t different = 0;
  for (size_t n = 0; n < wanted.size() && n < got.size(); ++n) {
    if (wanted[n] == got[n] || ++different > 3) continue;
    std::printf("    [%zu]", n);
    for (const std::vector<uint64_t>& input : kernel.inputs) {
      if (n / 2 < input.size()) std::printf(" %llx", static_cast<unsigned long long>(input[n / 2]));
    }
    std::printf(" gives %llx, recorded %llx\n", static_cast<unsigned long long>(got[n]),
                static_cast<unsigned long long>(wanted[n]));
  }
  std::printf("    %zu of %zu words differ\n", different, wanted.size());
}

int Check(const Options& options, Progress& progress) {
  const std::map<std::string, std::string> recorded = ReadRecords(options.rest);
  std::map<std::string, std::vector<uint64_t>> values;
  if (!options.values.empty()) values = ReadValues(options.values);
  const std::set<std::string> open = ReadNames(options.open);
  const std::vector<Case> cases = ChosenCases(options);
  auto compare = [&](const Case& which, Driver& driver) {
    const auto record = recorded.find(which.name);
    if (record == recorded.end()) {
      std::printf("not recorded: %s\n", which.name.c_str());
      ++progress.missing;
      return true;
    }
    const Run run = driver.Execute(MakeKernel(which));
    const std::string verdict = Verdict(run);
    const bool agrees = verdict == record->second;
    if (open.count(which.name) != 0) {
      if (agrees) std::printf("agrees now, no longer an open difference: %s\n", which.name.c_str());
      ++(agrees ? progress.different : progress.open);
    } else if (agrees) {
      ++(verdict == "refused" ? progress.refused : progress.same);
    } else if (record->second == "refused") {
      ++progress.accepted;
      std::printf("accepted, but refused by the device's compiler: %s\n", which.name.c_str());
    } else {
      ++progress.different;
      std::printf("%s, recorded %s: %s %s\n", verdict.c_str(), record->second.c_str(),
                  which.name.c_str(), FirstLine(run.log).c_str());
      const auto wanted = values.find(which.name);
      if (wanted != values.end()) ShowDifferences(which, wanted->second, run.output);
    }
    return !verdict.starts_with("fault");
  };
  const int end = InChildren(options, progress, cases.size(), [&](Driver& driver) {
    while (progress.next < cases.size() && compare(cases[progress.next++], driver)) {
    }
  });
  if (end != 0) return end;
  std::printf(
      "%zu agree, %zu refused by both, %zu accepted here only, %zu differ, %zu open differences, "
      "%zu not "
      "recorded\n",
      progress.same, progress.refused, progress.accepted, progress.different, progress.open,
      progress.missing);
  return progress.different + progress.accepted + progress.missing == 0 ? 0 : 1;
}

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  if (options.command == "print" && !options.rest.empty()) {
    for (const Case& which : AllCases(options.corpus)) {
      if (which.name == options.rest[0]) std::cout << MakeKernel(which).text;
    }
    return 0;
  }
  if (options.command == "list") {
    for (const Case& which : ChosenCases(options)) std::cout << which.name << "\n";
    return 0;
  }
  if (options.command != "record" && options.command != "check") {
    std::cerr << "exec_vectors: record, check, print or list; see the head of main.cc\n";
    return 2;
  }
  void* shared =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  Progress& progress = *new (shared) Progress;
  return options.command == "record" ? Record(options, progress) : Check(options, progress);
}

}  // namespace
}  // namespace culprit::exec::vectors

int main(int argc, char** argv) { return culprit::exec::vectors::Main(argc, argv); }
