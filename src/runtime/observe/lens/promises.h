// What is reported to the lens of promises.
#pragma once

#include <v8.h>

#include <cstdint>
#include <utility>

#include "rondo/lens.h"

#include "runtime/observe/lens/promise_numbers.h"

namespace rondo {

class LensPromises {
 public:
  /// Far from those of async_hooks.
  lens::SubjectId id_of(v8::Local<v8::Promise> promise) noexcept {
    std::uint64_t number = numbers_.of(promise);
    if (number == 0) numbers_.set(promise, number = ++count_);
    return id_of(number);
  }

  /// It is reported when the next one is created, or with anything else: it may be settled by then
  /// and will never run, as the one that an await puts its value into. `parent` is a promise or
  /// undefined.
  void made(lens::Lens& lens, v8::Local<v8::Promise> promise,
            v8::Local<v8::Value> parent) noexcept {
    if (newest_ == 0 || !has_come_to_nothing(parent)) {
      report_newest(lens);
      newest_ = ++count_;
    } else {
      numbers_.set(parent.As<v8::Promise>(),
                   0);  // the id is used again, so that ids have no gaps
    }
    numbers_.set(promise, newest_);
  }
  void report_newest(lens::Lens& lens) noexcept {
    if (newest_ == 0) return;
    lens.made_plain(id_of(std::exchange(newest_, 0)), 0, lens::Kind::promise, {}, lens.last());
  }

  void begin(lens::Lens& lens, v8::Local<v8::Promise> promise) noexcept {
    std::uint64_t number = numbers_.of(promise);
    if (number == 0) [[unlikely]] {  // it was made before the lens came
      made(lens, promise, v8::Undefined(v8::Isolate::GetCurrent()));
      number = newest_;
      report_newest(lens);
    }
    lens.begin(id_of(number), {}, {}, lens::Source::microtask);
  }
  PromiseNumbers& numbers() noexcept { return numbers_; }
  void end(lens::Lens& lens, v8::Local<v8::Promise> promise) noexcept {
    lens.end(id_of(numbers_.of(promise)));
  }

 private:
  static constexpr lens::SubjectId id_of(std::uint64_t number) noexcept {
    return (lens::SubjectId{1} << 40) + number;
  }
  /// The newest one, in favour of one that waits for it.
  bool has_come_to_nothing(v8::Local<v8::Value> parent) noexcept {
    return !parent->IsUndefined() && numbers_.of(parent.As<v8::Promise>()) == newest_ &&
           parent.As<v8::Promise>()->State() != v8::Promise::kPending;
  }

  PromiseNumbers numbers_;
  std::uint64_t count_ = 0;
  std::uint64_t newest_ = 0;  // that was not reported; 0 for none
};

}  // namespace rondo
