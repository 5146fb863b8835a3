// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_SYNTAX_PARSER_MEMORY_H_
#define CULPRIT_INVENTORY_SYNTAX_PARSER_MEMORY_H_

namespace culprit::inventory {

// Gives tree-sitter an allocator for the many small blocks of a syntax tree:
// freed blocks wait in lists by size, for the calling thread's next file. Large
// blocks, too, stay with the process and do not go back to the kernel between
// two files. Call before the first parser is made; further calls do nothing.
// Under a sanitizer the usual allocator stays, so that it sees every block.
void InstallParserMemory();

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SYNTAX_PARSER_MEMORY_H_
