// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_CONTRACT_CONTRACT_WRITER_H_
#define CULPRIT_INVENTORY_CONTRACT_CONTRACT_WRITER_H_

#include <string>
#include <vector>

namespace culprit::inventory {

// What a first look at a tree found, for `--init`.
struct ContractDraft {
  struct Teardown {
    std::string function, file;
    std::vector<std::string> entries;
    bool is_helper = false;  // named like a release, so probably meant as one
  };
  struct Owner {
    std::string file;
    std::vector<std::string> fields;
  };
  std::vector<Teardown> teardowns;
  // Functions that leave the context stack changed. Whether they mean to, only a person knows.
  struct Unbalanced {
    std::string function, file;
    bool pushes = false;  // or pops
  };
  std::vector<Unbalanced> unbalanced;
  std::vector<Owner> owners;
  std::vector<std::string> inits, closes;  // globs of functions that open and close owners
};

// A contract with comments, to be read and edited by a person.
std::string WriteContract(const ContractDraft& draft);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_CONTRACT_CONTRACT_WRITER_H_
