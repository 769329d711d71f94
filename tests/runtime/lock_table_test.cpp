// The locks of several threads, without threads: a client each.
#include "runtime/messaging/lock_table.h"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace rondo {
namespace {

using Kind = LockClient::Event::Kind;
using Mode = LockClient::Mode;
using IfHeld = LockClient::IfHeld;

class Client {
 public:
  LockClient* operator->() { return &*client_; }
  void end() { client_.reset(); }
  int wakes() const { return wakes_; }

  std::vector<std::pair<Kind, std::uint32_t>> events() {
    std::vector<std::pair<Kind, std::uint32_t>> taken;
    LockClient::Event event;
    while (client_->take_event(event)) taken.emplace_back(event.kind, event.number);
    return taken;
  }

 private:
  int wakes_ = 0;
  std::optional<LockClient> client_{std::in_place, [this] { ++wakes_; }};
};

using Events = std::vector<std::pair<Kind, std::uint32_t>>;

TEST(LockTable, ALockThatIsFreeIsGrantedWithoutWaking) {
  Client one;
  one->request(u"free", 1, Mode::exclusive, IfHeld::wait);
  EXPECT_EQ(one.events(), (Events{{Kind::granted, 1}}));
  EXPECT_EQ(one.wakes(), 0);
}

TEST(LockTable, TheOtherClientIsWokenWhenItsTurnComes) {
  Client one;
  Client two;
  one->request(u"turn", 1, Mode::exclusive, IfHeld::wait);
  two->request(u"turn", 1, Mode::shared, IfHeld::wait);
  two->request(u"turn", 2, Mode::shared, IfHeld::wait);
  EXPECT_EQ(two.events(), Events{});
  one->release(u"turn", 1);
  EXPECT_EQ(two.wakes(), 2);
  EXPECT_EQ(two.events(), (Events{{Kind::granted, 1}, {Kind::granted, 2}}));
}

TEST(LockTable, AStolenLockIsReportedToItsClientAndReleasesNothing) {
  Client one;
  Client two;
  one->request(u"stolen", 1, Mode::exclusive, IfHeld::wait);
  EXPECT_EQ(one.events(), (Events{{Kind::granted, 1}}));
  one->request(u"stolen", 2, Mode::exclusive, IfHeld::wait);
  two->request(u"stolen", 7, Mode::exclusive, IfHeld::steal);
  EXPECT_EQ(two.events(), (Events{{Kind::granted, 7}}));
  EXPECT_EQ(one.events(), (Events{{Kind::stolen, 1}}));
  one->release(u"stolen", 1);
  EXPECT_EQ(one.events(), Events{});
  two->release(u"stolen", 7);
  EXPECT_EQ(one.events(), (Events{{Kind::granted, 2}}));
}

TEST(LockTable, WhatAClientHeldAndWaitedForEndsWithIt) {
  Client one;
  Client two;
  one->request(u"left", 1, Mode::shared, IfHeld::wait);
  one->request(u"left", 2, Mode::exclusive, IfHeld::wait);
  two->request(u"left", 1, Mode::shared, IfHeld::wait);
  EXPECT_EQ(two.events(), Events{});
  one.end();
  EXPECT_EQ(two.events(), (Events{{Kind::granted, 1}}));
}

TEST(LockTable, WhoDoesNotWaitIsRefusedAlsoIfOnlyWaitersAreInTheWay) {
  Client one;
  Client two;
  one->request(u"busy", 1, Mode::shared, IfHeld::wait);
  one->request(u"busy", 2, Mode::exclusive, IfHeld::wait);
  two->request(u"busy", 1, Mode::shared, IfHeld::give_up);
  EXPECT_EQ(two.events(), (Events{{Kind::unavailable, 1}}));
  const auto listed = one->list();
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_TRUE(listed[0].is_held);
  EXPECT_FALSE(listed[1].is_held);
  EXPECT_EQ(two->list().size(), 0U);
}

}  // namespace
}  // namespace rondo
