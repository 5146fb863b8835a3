// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/agreement.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/execute.h"

namespace culprit::atlas {
namespace {

// A child that opened one driver and answers through a pipe.
struct Asked {
  pid_t pid = -1;
  int fd = -1;
};

Asked Ask(const std::string& library, const std::vector<Sequence>& sequences) {
  int fds[2];
  if (pipe(fds) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(fds[0]);
    const std::string error = OpenDriver(library);
    if (!error.empty()) {
      const std::string text = "cannot open " + library + ": " + error + "\n";
      _exit(write(fds[1], text.data(), text.size()) < 0 ? 5 : 4);
    }
    for (const Sequence& sequence : sequences) {
      std::string text;
      for (const std::string& line : Execute(sequence)) text += line + "\n";
      for (size_t done = 0; done < text.size();) {
        const ssize_t n = write(fds[1], text.data() + done, text.size() - done);
        if (n < 0) _exit(3);
        done += static_cast<size_t>(n);
      }
    }
    _exit(0);
  }
  close(fds[1]);
  return {child, fds[0]};
}

std::vector<std::string> Collect(const Asked& asked) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n; (n = read(asked.fd, buffer, sizeof(buffer))) > 0;)
    text.append(buffer, static_cast<size_t>(n));
  close(asked.fd);
  int status = 0;
  waitpid(asked.pid, &status, 0);
  std::vector<std::string> lines;
  for (size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    lines.push_back(text.substr(start, end - start));
  }
  if (WIFSIGNALED(status)) lines.push_back("process|SIGNAL " + std::to_string(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    lines.push_back("process|EXIT " + std::to_string(WEXITSTATUS(status)));
  }
  return lines;
}

}  // namespace

AgreementResult CompareDrivers(const AgreementRequest& request) {
  AgreementResult result;
  auto both = [&](const std::vector<Sequence>& sequences, std::vector<std::string>* a,
                  std::vector<std::string>* b) {
    const Asked asked_a = Ask(request.library_a, sequences);
    const Asked asked_b = Ask(request.library_b, sequences);
    *a = Collect(asked_a);
    *b = Collect(asked_b);
    return *a == *b;
  };
  for (uint64_t done = 0; done < request.count;) {
    std::vector<Sequence> sequences;
    for (uint64_t i = 0; i < request.batch && done + i < request.count; ++i) {
      sequences.push_back(Generate(request.first_seed + done + i, request.generator));
    }
    std::vector<std::string> a, b;
    if (both(sequences, &a, &b)) {
      if (a.empty() || a[0].rfind("cannot open", 0) == 0) {
        result.error = a.empty() ? "no answers" : a[0];
        return result;
      }
      done += sequences.size();
      result.agreed = done;
      if (request.progress) request.progress(done);
      continue;
    }
    // Which sequence of the batch? Alone first; if each alone agrees, the batch as a whole is the
    // finding.
    result.disagreed = true;
    for (size_t i = 0; i < sequences.size(); ++i) {
      std::vector<std::string> one_a, one_b;
      if (both({sequences[i]}, &one_a, &one_b)) {
        ++result.agreed;
        continue;
      }
      auto differs = [&](const Sequence& candidate) {
        std::vector<std::string> x, y;
        return !both({candidate}, &x, &y);
      };
      result.first.seed = request.first_seed + done + i;
      result.first.sequence = Shrink(sequences[i], differs);
      both({result.first.sequence}, &result.first.answers_a, &result.first.answers_b);
      return result;
    }
    result.first.seed = request.first_seed + done;
    result.first.sequence = {"batch", {}};
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      if (i < a.size() && i < b.size() && a[i] == b[i]) continue;
      if (i < a.size()) result.first.answers_a.push_back(a[i]);
      if (i < b.size()) result.first.answers_b.push_back(b[i]);
      break;
    }
    return result;
  }
  return result;
}

}  // namespace culprit::atlas
