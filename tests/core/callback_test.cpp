// rondo/callback.h: the move-only callable with inline storage.
#include "rondo/callback.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace rondo::test {
namespace {

struct Counts {
  int made = 0;
  int moved = 0;
  int destroyed = 0;
  int called = 0;

  int alive() const { return made + moved - destroyed; }
};

/// A callable of `Size` bytes that counts what happens to it.
template <std::size_t Size, bool NothrowMove = true>
class Counted {
 public:
  explicit Counted(Counts& counts) : counts_(&counts) { ++counts_->made; }
  Counted(Counted&& other) noexcept(NothrowMove) : counts_(other.counts_) { ++counts_->moved; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  Counted& operator=(Counted&&) = delete;
  ~Counted() { ++counts_->destroyed; }
  void operator()() const { ++counts_->called; }

 private:
  Counts* counts_;
  std::array<std::byte, Size - sizeof(Counts*)> padding_{};
};

using Small = Counted<16>;
using Large = Counted<64>;
using ThrowingMove = Counted<16, false>;

static_assert(std::is_nothrow_move_constructible_v<Callback<>>);
static_assert(std::is_nothrow_move_assignable_v<Callback<>>);
static_assert(!std::is_copy_constructible_v<Callback<>>);
static_assert(!std::is_copy_assignable_v<Callback<>>);
static_assert(!std::is_constructible_v<Callback<>, int>);
static_assert(!std::is_constructible_v<Callback<void(int)>, void (*)(std::string)>);
static_assert(Callback<>::kFitsInline<Counted<Callback<>::kInlineBytes>>);
static_assert(!Callback<>::kFitsInline<Counted<Callback<>::kInlineBytes + 8>>);
static_assert(!Callback<>::kFitsInline<ThrowingMove>);

template <class Callable>
class StoredCallback : public ::testing::Test {};

using Stored = ::testing::Types<Small, Large, ThrowingMove>;
TYPED_TEST_SUITE(StoredCallback, Stored);

TYPED_TEST(StoredCallback, CallsWhatItHoldsAndDestroysItOnce) {
  Counts counts;
  {
    Callback<> callback(TypeParam{counts});
    EXPECT_TRUE(callback);
    callback();
    callback();
    EXPECT_EQ(counts.called, 2);
    EXPECT_EQ(counts.alive(), 1);
  }
  EXPECT_EQ(counts.alive(), 0);
}

TYPED_TEST(StoredCallback, MovingLeavesTheSourceEmpty) {
  Counts counts;
  Callback<> first(TypeParam{counts});
  Callback<> second(std::move(first));
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): that is what is tested
  EXPECT_TRUE(second);
  second();
  EXPECT_EQ(counts.called, 1);
  EXPECT_EQ(counts.alive(), 1);
}

TYPED_TEST(StoredCallback, AssigningDestroysWhatWasThere) {
  Counts old_counts;
  Counts new_counts;
  Callback<> callback(TypeParam{old_counts});
  callback = Callback<>(TypeParam{new_counts});
  EXPECT_EQ(old_counts.alive(), 0);
  EXPECT_EQ(new_counts.alive(), 1);
  callback();
  EXPECT_EQ(new_counts.called, 1);
  callback = nullptr;
  EXPECT_FALSE(callback);
  EXPECT_EQ(new_counts.alive(), 0);
}

TYPED_TEST(StoredCallback, AssigningToItselfChangesNothing) {
  Counts counts;
  Callback<> callback(TypeParam{counts});
  Callback<>& same = callback;
  callback = std::move(same);
  callback();
  EXPECT_EQ(counts.called, 1);
  EXPECT_EQ(counts.alive(), 1);
}

TYPED_TEST(StoredCallback, SwapsWithAnother) {
  Counts a_counts;
  Counts b_counts;
  Callback<> a(TypeParam{a_counts});
  Callback<> b(TypeParam{b_counts});
  std::swap(a, b);
  a();
  EXPECT_EQ(a_counts.called, 0);
  EXPECT_EQ(b_counts.called, 1);
}

TEST(Callback, ALargeOneOrOneThatMayThrowIsNotMovedOnceItIsStored) {
  Counts large;
  Counts throwing;
  Callback<> a(Large{large});
  Callback<> b(ThrowingMove{throwing});
  const int moved[] = {large.moved, throwing.moved};
  Callback<> c(std::move(a));
  Callback<> d(std::move(b));
  EXPECT_EQ(large.moved, moved[0]);
  EXPECT_EQ(throwing.moved, moved[1]);
}

TEST(Callback, AMoveThatThrowsWhileStoringLeavesNothingBehind) {
  struct Thrower {
    explicit Thrower(int& destroyed_count) : destroyed(&destroyed_count) {}
    Thrower(Thrower&& /*other*/) noexcept(false) { throw 1; }
    Thrower(const Thrower&) = delete;
    Thrower& operator=(const Thrower&) = delete;
    Thrower& operator=(Thrower&&) = delete;
    ~Thrower() { ++*destroyed; }
    void operator()() const {}
    int* destroyed;
  };
  int destroyed = 0;
  EXPECT_THROW(Callback<>{Thrower{destroyed}}, int);
  EXPECT_EQ(destroyed, 1) << "only the temporary";
}

TEST(Callback, AnOverAlignedCallableIsAlignedWhereverTheCallbackIs) {
  struct alignas(64) Aligned {
    bool* aligned;
    void operator()() const { *aligned = reinterpret_cast<std::uintptr_t>(this) % 64 == 0; }
  };
  static_assert(!Callback<>::kFitsInline<Aligned>);
  for (int i = 0; i < 16; ++i) {
    bool aligned = false;
    Callback<> callback(Aligned{&aligned});
    const std::unique_ptr<Callback<>> moved = std::make_unique<Callback<>>(std::move(callback));
    (*moved)();
    EXPECT_TRUE(aligned);
  }
}

void free_function() {}
int add_one(int number) {
  return number + 1;
}

TEST(Callback, ANullFunctionMakesAnEmptyCallback) {
  EXPECT_FALSE(Callback<>());
  EXPECT_FALSE(Callback<>(nullptr));
  void (*null_function)() = nullptr;
  EXPECT_FALSE(Callback<>(null_function));
  EXPECT_FALSE(Callback<>(std::function<void()>()));
  EXPECT_FALSE(Callback<>(std::move_only_function<void()>()));
  struct Member {
    void method() {}
  };
  void (Member::*null_member)() = nullptr;
  EXPECT_FALSE(Callback<void(Member&)>(null_member));
  EXPECT_TRUE(Callback<>(std::function<void()>(free_function)));
  EXPECT_TRUE(Callback<>(std::move_only_function<void()>(free_function)));
  EXPECT_TRUE(Callback<void(Member&)>(&Member::method));
}

TEST(Callback, HoldsAFreeFunction) {
  EXPECT_TRUE(Callback<>(free_function));
  EXPECT_TRUE(Callback<>(&free_function));
  Callback<int(int)> callback(add_one);
  EXPECT_EQ(callback(41), 42);
}

TEST(Callback, PassesArgumentsAndResults) {
  Callback<std::string(std::string&, std::unique_ptr<int>)> callback(
      [](std::string& text, std::unique_ptr<int> number) {
        text += "!";
        return text + std::to_string(*number);
      });
  std::string text = "hello";
  EXPECT_EQ(callback(text, std::make_unique<int>(7)), "hello!7");
  EXPECT_EQ(text, "hello!");
}

TEST(Callback, DropsTheResultOfACallableWhenItHasNone) {
  int called = 0;
  Callback<> callback([&] { return ++called; });
  callback();
  EXPECT_EQ(called, 1);
}

TEST(Callback, KeepsTheStateOfAMutableCallable) {
  Callback<int()> callback([count = 0]() mutable { return ++count; });
  callback();
  Callback<int()> moved(std::move(callback));
  EXPECT_EQ(moved(), 2);
}

TEST(Callback, OwnsWhatAMoveOnlyCallableOwns) {
  auto owned = std::make_unique<int>(3);
  Callback<int()> callback([owned = std::move(owned)] { return *owned; });
  Callback<int()> moved(std::move(callback));
  EXPECT_EQ(moved(), 3);
}

TEST(Callback, IsEmptyAlreadyWhenTheDestructorOfItsCallableLooksAtIt) {
  Callback<> callback;
  bool empty = false;
  callback =
      Callback<>([guard = std::shared_ptr<void>(nullptr, [&](void*) { empty = !callback; })] {});
  callback = nullptr;
  EXPECT_TRUE(empty);
}

}  // namespace
}  // namespace rondo::test
