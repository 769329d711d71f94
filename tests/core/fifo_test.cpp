// A queue of which there are many, nearly always empty.
#include "core/containers/fifo.h"

#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

template <class T>
std::vector<T> items(const Fifo<T>& queue) {
  return {queue.begin(), queue.end()};
}

TEST(Fifo, FirstInFirstOut) {
  Fifo<std::string> queue;
  EXPECT_TRUE(queue.empty());
  queue.push_back("one");
  queue.emplace_back(3, 'x');
  queue.push_back("three");
  EXPECT_EQ(queue.front(), "one");
  queue.pop_front();
  EXPECT_THAT(items(queue), ElementsAre("xxx", "three"));
  queue.pop_back();
  queue.pop_front();
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.size(), 0U);
}

TEST(Fifo, AnItemIsDestroyedWhenItIsPopped) {
  Fifo<std::shared_ptr<int>> queue;
  const auto item = std::make_shared<int>(1);
  for (int i = 0; i < 3; ++i) queue.push_back(item);
  queue.pop_front();
  EXPECT_EQ(item.use_count(), 3);
  queue.pop_back();
  EXPECT_EQ(item.use_count(), 2);
  queue.clear();
  EXPECT_EQ(item.use_count(), 1);
}

TEST(Fifo, TakesItemsThatCanOnlyBeMoved) {
  struct Item {
    explicit Item(int number) : value(std::make_unique<int>(number)) {}
    std::unique_ptr<int> value;
  };
  Fifo<Item> queue;
  for (int i = 0; i < 100; ++i) queue.emplace_back(i);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(*queue.front().value, i);
    queue.pop_front();
  }
}

TEST(Fifo, BehavesAsADeque) {
  std::mt19937 random(1);
  Fifo<int> queue;
  std::deque<int> model;
  for (int i = 0; i < 20'000; ++i) {
    const auto choice = random() % 16;
    const bool grows = (i / 2'000) % 2 == 0;
    if (choice == 0 && !model.empty()) {
      queue.pop_back();
      model.pop_back();
    } else if ((choice < 6) == grows && !model.empty()) {
      queue.pop_front();
      model.pop_front();
    } else {
      queue.push_back(i);
      model.push_back(i);
    }
    ASSERT_EQ(queue.size(), model.size());
    if (!model.empty()) {
      ASSERT_EQ(queue.front(), model.front());
    }
    if (i % 500 == 0) {
      ASSERT_THAT(items(queue), ElementsAreArray(model));
    }
  }
}

}  // namespace
}  // namespace rondo
