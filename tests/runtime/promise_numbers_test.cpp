// Numbers that promises carry unseen.
#include "runtime/observe/lens/promise_numbers.h"

#include <cstdint>
#include <vector>

#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

class PromiseNumbersTest : public RuntimeTest {
 protected:
  PromiseNumbersTest() {
    constexpr int kCount = 100;
    for (int i = 0; i < kCount; ++i) {
      auto resolver = v8::Promise::Resolver::New(context_).ToLocalChecked();
      promises_.push_back(resolver->GetPromise());
    }
    promises_.push_back(promise_of("(async () => {})()"));
    promises_.push_back(promise_of("Promise.resolve(1).then(() => {})"));
    promises_.push_back(promise_of("new (class extends Promise { a = 1; })(() => {})"));
  }
  ~PromiseNumbersTest() override { context_->Exit(); }

  /// More than V8's own numbers have room for, too.
  static std::uint64_t number_of(std::size_t i) { return i == 0 ? PromiseNumbers::kMostNumber : i; }

  void set_all(PromiseNumbers& numbers) {
    for (std::size_t i = 0; i < promises_.size(); ++i) numbers.set(promises_[i], number_of(i));
  }
  void expect_all(PromiseNumbers& numbers) {
    for (std::size_t i = 0; i < promises_.size(); ++i) {
      EXPECT_EQ(numbers.of(promises_[i]), number_of(i));
    }
  }

  v8::Isolate* isolate_ = v8::Isolate::GetCurrent();
  v8::HandleScope scope_{isolate_};
  v8::Local<v8::Context> context_ = enter(v8::Context::New(isolate_));
  std::vector<v8::Local<v8::Promise>> promises_;

 private:
  v8::Local<v8::Promise> promise_of(std::string_view source) {
    const auto text = v8::String::NewFromUtf8(isolate_, source.data(), v8::NewStringType::kNormal,
                                              static_cast<int>(source.size()))
                          .ToLocalChecked();
    const auto script = v8::Script::Compile(context_, text).ToLocalChecked();
    return script->Run(context_).ToLocalChecked().As<v8::Promise>();
  }
  static v8::Local<v8::Context> enter(v8::Local<v8::Context> context) {
    context->Enter();
    return context;
  }
};

TEST_F(PromiseNumbersTest, AreNoneAtFirst) {
  PromiseNumbers numbers;
  for (const v8::Local<v8::Promise>& promise : promises_) EXPECT_EQ(numbers.of(promise), 0U);
}

TEST_F(PromiseNumbersTest, AreWhereV8LooksForThem) {
  PromiseNumbers quick;
  PromiseNumbers by_v8(false);
  set_all(quick);
  expect_all(quick);
  expect_all(by_v8);
  EXPECT_TRUE(quick.has_found_field());
  EXPECT_FALSE(by_v8.has_found_field());
  for (const v8::Local<v8::Promise>& promise : promises_) quick.set(promise, 0);
  set_all(by_v8);
  expect_all(quick);
}

TEST_F(PromiseNumbersTest, MarksAreBesideThem) {
  PromiseNumbers quick;
  PromiseNumbers by_v8(false);
  set_all(quick);
  for (const v8::Local<v8::Promise>& promise : promises_) {
    EXPECT_EQ(quick.mark_of(promise), 0U);
    quick.set_mark(promise, PromiseNumbers::kMostMark);
    EXPECT_EQ(by_v8.mark_of(promise), PromiseNumbers::kMostMark);
  }
  expect_all(quick);
  expect_all(by_v8);
  for (const v8::Local<v8::Promise>& promise : promises_) {
    quick.set(promise, 0);
    EXPECT_EQ(quick.mark_of(promise), PromiseNumbers::kMostMark);
    by_v8.set_mark(promise, 0);
  }
  set_all(by_v8);
  expect_all(quick);
}

TEST_F(PromiseNumbersTest, StayWhenPromisesMove) {
  PromiseNumbers numbers;
  set_all(numbers);
  isolate_->LowMemoryNotification();
  expect_all(numbers);
}

}  // namespace
}  // namespace rondo::test
