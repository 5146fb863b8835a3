# SPDX-License-Identifier: Apache-2.0
# The tree-sitter runtime (a system package) and the grammars that tools/setup-grammars fetched, as inventory_grammars.
# Generated parsers are tables: they are built without the project's warnings and sanitizers, and always optimised.
set(CULPRIT_GRAMMARS ${PROJECT_SOURCE_DIR}/.deps/grammars CACHE PATH "Folder that tools/setup-grammars filled")
foreach(language c cpp cuda)
  if(NOT EXISTS ${CULPRIT_GRAMMARS}/${language}/parser.c)
    message(FATAL_ERROR "The source checker's grammar for '${language}' is not in ${CULPRIT_GRAMMARS}. Run "
                        "tools/setup-grammars (tools/setup calls it), which fetches the pinned grammars.")
  endif()
endforeach()
find_path(culprit_tree_sitter_include tree_sitter/api.h)
find_library(culprit_tree_sitter_library tree-sitter)
if(NOT culprit_tree_sitter_include OR NOT culprit_tree_sitter_library)
  message(FATAL_ERROR "tree-sitter was not found. Install libtree-sitter-dev (tools/setup does).")
endif()

add_library(inventory_grammars STATIC
  ${CULPRIT_GRAMMARS}/c/parser.c
  ${CULPRIT_GRAMMARS}/cpp/parser.c ${CULPRIT_GRAMMARS}/cpp/scanner.c
  ${CULPRIT_GRAMMARS}/cuda/parser.c ${CULPRIT_GRAMMARS}/cuda/scanner.c)
target_include_directories(inventory_grammars PRIVATE ${CULPRIT_GRAMMARS}/include)
target_include_directories(inventory_grammars SYSTEM INTERFACE ${culprit_tree_sitter_include})
target_compile_options(inventory_grammars PRIVATE -w -O2 -g0)
target_link_libraries(inventory_grammars PUBLIC ${culprit_tree_sitter_library})
