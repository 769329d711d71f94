#include "runtime/observe/lens/waiting_locations.h"

#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/observe/lens/promise_numbers.h"
#include "runtime/observe/lens/source_locations.h"

namespace rondo {

namespace {

constexpr std::uint32_t kInside =
    PromiseNumbers::kMostMark;  // a location that is not in the program

}  // namespace

WaitingLocations::WaitingLocations(Environment& environment)
    : environment_(environment), places_(1) {
  static_assert(kMostPlaces + 2 < kInside);
}

std::uint32_t WaitingLocations::mark_of(const SourceLocation& place) {
  const bool is_await = !place.is_then;
  std::string key = place.file + ':' + std::to_string(place.line) + ':' +
                    std::to_string(place.column) + (is_await ? "a" : "t");
  const auto found = numbers_.find(key);
  if (found != numbers_.end()) return found->second;
  if (places_.size() == kMostPlaces) places_.push_back({.is_await = true});
  if (places_.size() > kMostPlaces) return kMostPlaces;
  const auto number = static_cast<std::uint32_t>(places_.size());
  places_.push_back({.file = place.file,
                     .function = place.function,
                     .source = find_source_line(environment_.isolate(), kMostSource),
                     .line = place.line,
                     .column = place.column,
                     .is_await = is_await});
  numbers_.emplace(std::move(key), number);
  return number;
}

void WaitingLocations::made(v8::Local<v8::Promise> promise, v8::Local<v8::Promise> parent) {
  if (parent->State() != v8::Promise::kPending) begins(parent);
  const SourceLocation& place = environment_.source_locations().here();
  if (place.waiting_mark == 0) {
    const bool is_of_program = !place.is_inner && !place.file.empty();
    place.waiting_mark = is_of_program ? mark_of(place) : kInside;
  }
  if (place.waiting_mark == kInside) return;
  ++places_[place.waiting_mark].waiting;
  environment_.lens_promises().numbers().set_mark(promise, place.waiting_mark);
}

void WaitingLocations::begins(v8::Local<v8::Promise> promise) noexcept {
  PromiseNumbers& numbers = environment_.lens_promises().numbers();
  const std::uint32_t mark = numbers.mark_of(promise);
  if (mark == 0) return;
  --places_[mark].waiting;
  numbers.set_mark(promise, 0);
}

}  // namespace rondo
