// SPDX-License-Identifier: Apache-2.0
//
// Prints docs/profiles.md from profile.def. Run by the target `profiles_page`; a test compares the
// page with the table.
#include <cstdio>

namespace {

struct Row {
  const char* name;
  bool r580;
  bool strict;
  bool strict_submit;
  const char* what;
  const char* source;
};

constexpr Row kRows[] = {
#define PROFILE_DIFFERENCE(field, r580, strict, strict_submit, what, source) \
  {#field, r580, strict, strict_submit, what, source},
#include "fakedriver/profile/profile.def"
};

const char* Word(bool value) { return value ? "yes" : "no"; }

}  // namespace

int main() {
  std::printf(
      "# Profiles\n\n"
      "A profile decides which result a call returns where drivers and documentation differ. "
      "Findings never depend on it.\n"
      "This page is generated from `fakedriver/profile/profile.def`: one row for each "
      "difference.\n\n"
      "| difference | `r580` | `strict` | `strict-submit` | source |\n"
      "| --- | --- | --- | --- | --- |\n");
  for (const Row& row : kRows) {
    std::printf("| %s (`%s`) | %s | %s | %s | %s |\n", row.what, row.name, Word(row.r580),
                Word(row.strict), Word(row.strict_submit), row.source);
  }
}
