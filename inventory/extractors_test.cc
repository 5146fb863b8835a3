// SPDX-License-Identifier: Apache-2.0
// testdata/extractors is a C tree with 19 files that own 23 modules. As it stands it keeps its
// contract; each test here breaks one thing in it, and that must be found, at that place, and
// nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "inventory/check.h"
#include "inventory/contract/contract_reader.h"
#include "inventory/rules/owners.h"
#include "inventory/scan/file_walk.h"
#include "inventory/testing/source_tree.h"

namespace culprit::inventory {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(CULPRIT_INVENTORY_TESTDATA) / "extractors";

std::string ContractText() { return ReadFile(kRoot / "inventory.toml"); }

struct Breakage {
  const char* name;
  const char* file;
  const char* passage;  // occurs once in the file
  const char* replacement;
  std::vector<std::string> found;  // rules, in any order; with a path when in another file
};

void PrintTo(const Breakage& breakage, std::ostream* out) { *out << breakage.name; }

std::string Replaced(std::string text, const Breakage& breakage) {
  const size_t at = text.find(breakage.passage);
  EXPECT_NE(at, std::string::npos) << breakage.passage;
  EXPECT_EQ(text.find(breakage.passage, at + 1), std::string::npos)
      << breakage.passage << " occurs twice";
  return at == std::string::npos
             ? text
             : text.replace(at, std::string(breakage.passage).size(), breakage.replacement);
}

Report CheckBroken(const Breakage& breakage) {
  const bool in_contract = std::string(breakage.file) == "inventory.toml";
  const Contract contract = ParseContract(
      in_contract ? Replaced(ContractText(), breakage) : ContractText(), "inventory.toml");
  Tree tree = ReadTree(kRoot, contract);
  for (auto* files : {&tree.sources, &tree.build_files}) {
    for (SourceFile& file : *files) {
      if (file.path() == breakage.file)
        file =
            SourceFile(file.path(), Replaced(std::string(file.text()), breakage), file.language());
    }
  }
  return CheckTree(tree, contract);
}

class ExtractorTreeTest : public testing::TestWithParam<Breakage> {};

TEST_P(ExtractorTreeTest, FindsWhatWasBroken) {
  std::vector<std::string> found;
  for (const Finding& finding : CheckBroken(GetParam()).findings) {
    const bool elsewhere = finding.where.path != GetParam().file;
    found.push_back((elsewhere ? finding.where.path + " " : "") +
                    std::string(InfoOf(finding.rule).name));
  }
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(GetParam().found));
}

const Breakage kBreakages[] = {
    {"a_raw_unload_in_an_extractor",
     "feature/vif_cuda.c",
     "int err = stream_destroy(s->context, &s->stream);",
     "int err = s->context->driver->cuStreamDestroy(s->stream);",
     {"raw-teardown"}},
    {"a_raw_unload_stored_for_later",
     "feature/vif_cuda.c",
     "    s->context = context;\n",
     "    s->context = context;\n    drop = driver->cuModuleUnload;\n",
     {"raw-teardown"}},
    {"a_helper_that_does_more_than_declared",
     "cuda/teardown.c",
     "context->driver->cuMemFree(*memory)",
     "context->driver->cuMemFree(*memory) || context->driver->cuEventDestroy(0)",
     {"raw-teardown", "cleared-unchecked"}},
    {"a_loader_that_calls",
     "cuda/loader.c",
     "    return 0;\n}",
     "    return driver->cuMemFree(0);\n}",
     {"raw-teardown"}},
    {"a_second_module_in_a_known_file",
     "feature/psnr_cuda.c",
     "    GOTO_ON_ERROR(driver->cuStreamCreate",
     "    GOTO_ON_ERROR(driver->cuModuleLoadData(&s->extra_module, psnr_ptx), unwind);\n    "
     "GOTO_ON_ERROR(driver->cuStreamCreate",
     {"unknown-owner", "owner-not-closed", "owner-not-unwound", "unbalanced-create"}},
    {"an_owner_that_is_gone",
     "inventory.toml",
     "fields = [\"blur_module\", \"xyb_module\"]",
     "fields = [\"blur_module\", \"xyb_module\", \"ssim_module\"]",
     {"vanished-owner"}},
    {"an_owner_that_is_not_declared",
     "inventory.toml",
     "[[owner]]\nfile = \"feature/cambi_cuda.c\"\nfields = [\"module\"]\n",
     "",
     {"feature/cambi_cuda.c unknown-owner"}},
    {"a_field_that_close_forgets",
     "feature/ssimulacra2_cuda.c",
     "    err = module_unload(s->context, &s->xyb_module);\n    if (err && !first) first = err;\n",
     "",
     {"owner-not-closed", "owner-not-unwound", "unbalanced-create"}},
    {"an_unwind_that_forgets_everything",
     "feature/ciede_cuda.c",
     "    const int released = release_all(s);",
     "    const int released = 0;",
     {"owner-not-unwound"}},
    {"a_module_in_a_local",
     "feature/psnr_cuda.c",
     "GOTO_ON_ERROR(driver->cuModuleLoadData(&s->module, psnr_ptx), unwind);",
     "CUmodule module;\n    GOTO_ON_ERROR(driver->cuModuleLoadData(&module, psnr_ptx), unwind);",
     {"local-handle", "inventory.toml vanished-owner"}},
    {"a_return_past_the_pop",
     "feature/motion_cuda.c",
     "    GOTO_ON_ERROR(driver->cuStreamCreate(&s->stream, CU_STREAM_NON_BLOCKING), unwind);",
     "    if (driver->cuStreamCreate(&s->stream, CU_STREAM_NON_BLOCKING)) return -EIO;",
     {"context-imbalance", "owner-not-unwound"}},
    {"a_handle_cleared_at_once",
     "cuda/teardown.c",
     "if (result == CUDA_SUCCESS) *module = NULL;",
     "*module = NULL;",
     {"cleared-unchecked"}},
    {"a_result_dropped",
     "feature/cambi_cuda.c",
     "    RETURN_ON_ERROR(s->context->driver->cuStreamSynchronize(s->stream));",
     "    s->context->driver->cuStreamSynchronize(s->stream);",
     {"result-ignored"}},
    {"results_combined",
     "feature/float_adm_cuda.c",
     "if (!err) err = module_unload(s->context, &s->module);",
     "err |= module_unload(s->context, &s->module);",
     {"results-combined"}},
    {"the_last_error_wins",
     "feature/vif_cuda.c",
     "    if (!err) err = event_destroy(s->context, &s->finished);",
     "    err = event_destroy(s->context, &s->finished);",
     {"first-error-lost"}},
    {"a_legacy_helper",
     "feature/vif_cuda.c",
     "event_destroy(s->context, &s->finished)",
     "memory_free_now(s->context, &s->finished)",
     {"forbidden-name"}},
    {"force_zero_before_the_names",
     "feature/motion_v2_cuda.c",
     "    s->names = names_create(fex);\n    if (!s->names) return -ENOMEM;\n",
     "    if (s->force_zero) return 0;\n    s->names = names_create(fex);\n    if (!s->names) "
     "return -ENOMEM;\n",
     {"order-broken"}},
    {"a_device_before_force_zero",
     "feature/motion_cuda.c",
     "    s->context = context;\n",
     "    s->context = context;\n    RETURN_ON_ERROR(driver->cuStreamSynchronize(0));\n",
     {"order-broken"}},
    {"a_stream_destroyed_while_it_works",
     "cuda/teardown.c",
     "    CUresult result = context->driver->cuStreamSynchronize(*stream);",
     "    CUresult result = CUDA_SUCCESS;",
     {"order-broken"}},
    {"a_close_callback_dropped",
     "feature/motion_cuda.c",
     "        fex->extract = extract_zero;",
     "        fex->extract = extract_zero;\n        fex->close = NULL;",
     {"callback-lost"}},
    {"a_table_without_close",
     "feature/adm_cuda.c",
     "    .close = close_adm,\n",
     "",
     {"callback-lost"}},
    {"a_plain_name_looked_up",
     "cuda/loader.c",
     "LOAD(cuMemFree, \"cuMemFree_v2\")",
     "LOAD(cuMemFree, \"cuMemFree\")",
     {"unversioned-name"}},
    {"a_stream_that_nobody_destroys",
     "feature/motion_cuda.c",
     "    GOTO_ON_ERROR(driver->cuStreamCreate(&s->stream",
     "    GOTO_ON_ERROR(driver->cuStreamCreate(&s->second, 0), unwind);\n    "
     "GOTO_ON_ERROR(driver->cuStreamCreate(&s->stream",
     {"unbalanced-create"}},
    {"a_suppression_that_outlived_its_cause",
     "feature/vif_cuda.c",
     "    s->context = context;\n",
     "    s->context = context; /* culprit: allow(raw-teardown): until the helper takes it */\n",
     {"unused-suppression"}},
    {"a_teardown_where_nothing_parses",
     "feature/vif_cuda.c",
     "    s->context = context;\n",
     "    s->context = context;\n    if (driver->ready {\n        driver->cuMemFree(0));\n    }\n",
     {"raw-teardown", "result-ignored", "unparsed-region"}},
    {"a_library_by_bare_name",
     "Makefile",
     "build/libfeatures.a\n",
     "\n\tLDFLAGS += -Lbuild -lfeatures\n",
     {"link-authority"}},
};

INSTANTIATE_TEST_SUITE_P(Breakages, ExtractorTreeTest, testing::ValuesIn(kBreakages),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ExtractorTreeTest, AsItStandsItKeepsItsContract) {
  const Contract contract = ParseContract(ContractText(), "inventory.toml");
  EXPECT_THAT(NewFindings(CheckTree(ReadTree(kRoot, contract), contract)), testing::IsEmpty());
}

TEST(ExtractorTreeTest, EveryRuleIsBrokenOnce) {
  std::set<std::string> rules, broken;
  for (const RuleInfo& rule : AllRules()) rules.emplace(rule.name);
  for (const Breakage& breakage : kBreakages) {
    for (const std::string& found : breakage.found)
      broken.insert(found.substr(found.rfind(' ') + 1));
  }
  EXPECT_EQ(broken, rules);
}

TEST(ExtractorTreeTest, NineteenFilesOwnTwentyThreeModules) {
  const Contract contract = ParseContract(ContractText(), "inventory.toml");
  const std::vector<FoundOwner> owners =
      FindOwners(contract, CheckTree(ReadTree(kRoot, contract), contract).files);
  std::set<std::string> files;
  for (const FoundOwner& owner : owners) files.insert(owner.file);
  EXPECT_EQ(owners.size(), 23u);
  EXPECT_EQ(files.size(), 19u);
}

}  // namespace
}  // namespace culprit::inventory
