// SPDX-License-Identifier: Apache-2.0
//
// What a failed close must not lose, and what the owners refuse, seen from inside.
#include "reference_impl/framework/extractor_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "reference_impl/framework/context_pool.h"
#include "reference_impl/framework/worker_extractors.h"

namespace culprit::reference {
namespace {

// What the extractors of a test were asked for, and how often their Close fails.
struct Script {
  int inits = 0;
  int closes = 0;
  bool init_fails = false;
  int close_failures = 0;
};

class ScriptedExtractor final : public Extractor {
 public:
  explicit ScriptedExtractor(Script& script) : script_(script) {}

  Status Init(const ExtractorSetup&, const Options&) override {
    ++script_.inits;
    return script_.init_fails ? ExtractorFailure(-ENOMEM, "scripted") : Status();
  }
  Status Submit(const FramePair&) override { return Status(); }
  Status Collect(uint32_t, Reach, FeatureCollector&) override { return Status(); }
  Status Close() override {
    ++script_.closes;
    return script_.close_failures-- > 0 ? DriverFailure(CUDA_ERROR_UNKNOWN, "cuStreamDestroy_v2")
                                        : Status();
  }

 private:
  Script& script_;
};

// The pools make their own extractors, so what these do goes through here.
Script pool_script;
std::unique_ptr<Extractor> MakeScripted() {
  return std::make_unique<ScriptedExtractor>(pool_script);
}

constexpr ExtractorDescriptor kCuda = {"cuda",  Backend::kCuda, false, Placement::kRegistered,
                                       nullptr, &MakeScripted};
constexpr ExtractorDescriptor kCpu = {"cpu",   Backend::kCpu, false, Placement::kRegistered,
                                      nullptr, &MakeScripted};

std::unique_ptr<ExtractorContext> Scripted(const ExtractorDescriptor& descriptor, Script& script) {
  return std::make_unique<ExtractorContext>(descriptor, Options(),
                                            std::make_unique<ScriptedExtractor>(script));
}

TEST(ExtractorContextTest, ACudaExtractorWhoseInitFailedIsClosed) {
  Script script{.init_fails = true};
  const auto context = Scripted(kCuda, script);
  EXPECT_EQ(context->Init({}).code(), -ENOMEM);
  EXPECT_FALSE(context->prepared());
  EXPECT_TRUE(context->Close().ok());
  EXPECT_EQ(script.closes, 1);
  EXPECT_TRUE(context->prepared());
}

TEST(ExtractorContextTest, AHostExtractorWhoseInitFailedIsNotClosed) {
  Script script{.init_fails = true};
  const auto context = Scripted(kCpu, script);
  EXPECT_EQ(context->Init({}).code(), -ENOMEM);
  EXPECT_TRUE(context->prepared());
  EXPECT_TRUE(context->Close().ok());
  EXPECT_EQ(script.closes, 0);
}

TEST(ExtractorContextTest, AHostExtractorWhoseInitSucceededIsClosed) {
  Script script;
  const auto context = Scripted(kCpu, script);
  EXPECT_TRUE(context->Init({}).ok());
  EXPECT_TRUE(context->Close().ok());
  EXPECT_EQ(script.closes, 1);
}

TEST(ExtractorContextTest, InitRunsOnce) {
  Script script;
  const auto context = Scripted(kCpu, script);
  EXPECT_TRUE(context->Init({}).ok());
  EXPECT_TRUE(context->Init({}).ok());
  EXPECT_EQ(script.inits, 1);
  EXPECT_TRUE(context->Close().ok());
}

class ExtractorVectorTest : public ::testing::Test {
 protected:
  void Add(Script& script) { EXPECT_TRUE(vector.Add(Scripted(kCuda, script)).Init({}).ok()); }
  ExtractorVector vector;
};

TEST_F(ExtractorVectorTest, PrepareAttemptsEveryCloseAndReportsTheFirstFailure) {
  Script first{.close_failures = 1};
  Script second;
  Add(first);
  Add(second);
  const Status prepared = vector.Prepare();
  EXPECT_EQ(prepared.error().entry, "cuStreamDestroy_v2");
  EXPECT_EQ(first.closes, 1);
  EXPECT_EQ(second.closes, 1);
}

TEST_F(ExtractorVectorTest, ARetryClosesOnlyWhatIsLeft) {
  Script first{.close_failures = 1};
  Script second;
  Add(first);
  Add(second);
  EXPECT_FALSE(vector.Prepare().ok());
  EXPECT_TRUE(vector.Prepare().ok());
  EXPECT_EQ(first.closes, 2);
  EXPECT_EQ(second.closes, 1);
}

TEST_F(ExtractorVectorTest, DestroyRefusesAnUnpreparedExtractorAndKeepsIt) {
  Script script{.close_failures = 1};
  Add(script);
  EXPECT_EQ(vector.Destroy().code(), -EBUSY);
  EXPECT_FALSE(vector.Prepare().ok());
  EXPECT_EQ(vector.Destroy().code(), -EBUSY);
  EXPECT_EQ(vector.contexts().size(), 1u);
  EXPECT_TRUE(vector.Prepare().ok());
  EXPECT_TRUE(vector.Destroy().ok());
  EXPECT_THAT(vector.contexts(), ::testing::IsEmpty());
}

TEST(ContextPoolTest, GivesAReleasedContextOutAgain) {
  pool_script = {};
  ContextPool pool(kCuda, {}, 2);
  ExtractorContext& first = pool.Acquire();
  ExtractorContext& second = pool.Acquire();
  EXPECT_NE(&first, &second);
  pool.Release(first);
  EXPECT_EQ(&pool.Acquire(), &first);
}

TEST(ContextPoolTest, DestroyRefusesWhileAContextIsAcquired) {
  pool_script = {};
  ContextPool pool(kCuda, {}, 2);
  ExtractorContext& context = pool.Acquire();
  EXPECT_EQ(pool.Destroy().code(), -EBUSY);
  pool.Release(context);
  EXPECT_TRUE(pool.Destroy().ok());
}

TEST(ContextPoolTest, AFailedCloseKeepsTheContextForARetry) {
  pool_script = {.close_failures = 1};
  ContextPool pool(kCuda, {}, 2);
  EXPECT_TRUE(pool.Init({}).ok());
  EXPECT_FALSE(pool.Prepare().ok());
  EXPECT_EQ(pool.Destroy().code(), -EBUSY);
  EXPECT_TRUE(pool.Prepare().ok());
  EXPECT_TRUE(pool.Destroy().ok());
  EXPECT_EQ(pool_script.inits, 2);
  EXPECT_EQ(pool_script.closes, 3);
}

TEST(WorkerExtractorsTest, AFailedCloseOfOneWorkerKeepsAllStorage) {
  pool_script = {.close_failures = 1};
  WorkerExtractors workers(3);
  workers.Add(kCuda, {});
  for (uint32_t worker = 0; worker < 3; ++worker) {
    EXPECT_TRUE(workers.of(worker).contexts()[0]->Init({}).ok());
  }
  EXPECT_FALSE(workers.Prepare().ok());
  EXPECT_EQ(workers.Destroy().code(), -EBUSY);
  EXPECT_EQ(workers.of(2).contexts().size(), 1u);
  EXPECT_TRUE(workers.Prepare().ok());
  EXPECT_TRUE(workers.Destroy().ok());
  EXPECT_EQ(pool_script.closes, 4);
}

}  // namespace
}  // namespace culprit::reference
