// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/handle_table.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "fakedriver/core/event.h"

namespace culprit::fakedriver {
namespace {

class Thing final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kOther;
  Thing() : Object(kKind, nullptr) {}
};

const void* Pointer(uint64_t handle) { return reinterpret_cast<const void*>(handle); }

TEST(HandleTableTest, FindsWhatIsAlive) {
  HandleTable table;
  const Ref<Thing> thing = Make<Thing>();
  const uint64_t handle = table.Insert(thing);
  EXPECT_EQ(thing->handle(), handle);
  EXPECT_LT(handle, uint64_t{1} << 47);
  Found<Thing> found = table.Find<Thing>(Pointer(handle));
  ASSERT_TRUE(found);
  EXPECT_EQ(found.object.get(), thing.get());
}

TEST(HandleTableTest, LookupAfterRemoveSaysDestroyedAndKeepsTheRecord) {
  HandleTable table;
  const Ref<Thing> thing = Make<Thing>();
  const uint64_t handle = table.Insert(thing);
  EXPECT_TRUE(table.Remove(thing));
  EXPECT_FALSE(table.Remove(thing));
  Found<Thing> found = table.Find<Thing>(Pointer(handle));
  EXPECT_EQ(found.liveness, Liveness::kDestroyed);
  EXPECT_EQ(found.record.serial, thing->serial());
}

TEST(HandleTableTest, TellsWrongKindsAndForeignValues) {
  HandleTable table;
  const uint64_t handle = table.Insert(Make<Thing>());
  EXPECT_EQ(table.Find<Event>(Pointer(handle)).liveness, Liveness::kWrongKind);
  EXPECT_EQ(table.Find<Thing>(Pointer(handle + 1)).liveness, Liveness::kForeign);
  EXPECT_EQ(table.Find<Thing>(Pointer(handle + 32)).liveness, Liveness::kForeign);
  EXPECT_EQ(table.Find<Thing>(&table).liveness, Liveness::kForeign);
  EXPECT_EQ(table.Find<Thing>(nullptr).liveness, Liveness::kForeign);
}

TEST(HandleTableTest, NeverReusesUnlessTold) {
  HandleTable table;
  std::set<uint64_t> seen;
  for (int i = 0; i < 10000; ++i) {
    const Ref<Thing> thing = Make<Thing>();
    EXPECT_TRUE(seen.insert(table.Insert(thing)).second);
    table.Remove(thing);
  }
}

TEST(HandleTableTest, ReusesTheNewestFirstWhenTold) {
  HandleTable table;
  table.SetReuse(HandleReuse::kNewestFirst);
  const Ref<Thing> first = Make<Thing>();
  const Ref<Thing> second = Make<Thing>();
  table.Insert(first);
  const uint64_t handle = table.Insert(second);
  table.Remove(first);
  table.Remove(second);
  EXPECT_EQ(table.Insert(Make<Thing>()), handle);
}

TEST(HandleTableTest, OneMoreDestroyAfterAnAmbiguousOne) {
  HandleTable table;
  const Ref<Thing> thing = Make<Thing>();
  const uint64_t handle = table.Insert(thing);
  table.MarkAmbiguous(handle);
  EXPECT_FALSE(table.TakeAmbiguous(handle));
  table.Remove(thing);
  table.MarkAmbiguous(handle);
  EXPECT_TRUE(table.TakeAmbiguous(handle));
  EXPECT_FALSE(table.TakeAmbiguous(handle));
}

TEST(HandleTableTest, LookupsRaceWithRemovalsSafely) {
  HandleTable table;
  table.SetReuse(HandleReuse::kNewestFirst);
  std::atomic<uint64_t> shared{table.Insert(Make<Thing>())};
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    while (!stop) {
      Found<Thing> found = table.Find<Thing>(Pointer(shared));
      if (found) {
        EXPECT_EQ(found->kind(), ObjectKind::kOther);
      }
    }
  });
  for (int i = 0; i < 20000; ++i) {
    Found<Thing> found = table.Find<Thing>(Pointer(shared));
    ASSERT_TRUE(found);
    table.Remove(found.object);
    shared = table.Insert(Make<Thing>());
  }
  stop = true;
  reader.join();
}

}  // namespace
}  // namespace culprit::fakedriver
