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
    : environment_(environment), locations_(1) {
  static_assert(kMostLocations + 2 < kInside);
}

std::uint32_t WaitingLocations::mark_of(const SourceLocation& location) {
  const bool is_await = !location.is_then;
  std::string key = location.file + ':' + std::to_string(location.line) + ':' +
                    std::to_string(location.column) + (is_await ? "a" : "t");
  const auto found = numbers_.find(key);
  if (found != numbers_.end()) return found->second;
  if (locations_.size() == kMostLocations) locations_.push_back({.is_await = true});
  if (locations_.size() > kMostLocations) return kMostLocations;
  const auto number = static_cast<std::uint32_t>(locations_.size());
  locations_.push_back({.file = location.file,
                        .function = location.function,
                        .source = find_source_line(environment_.isolate(), kMostSource),
                        .line = location.line,
                        .column = location.column,
                        .is_await = is_await});
  numbers_.emplace(std::move(key), number);
  return number;
}

void WaitingLocations::made(v8::Local<v8::Promise> promise, v8::Local<v8::Promise> parent) {
  if (parent->State() != v8::Promise::kPending) begins(parent);
  const SourceLocation& location = environment_.source_locations().here();
  if (location.waiting_mark == 0) {
    const bool is_of_program = !location.is_inner && !location.file.empty();
    location.waiting_mark = is_of_program ? mark_of(location) : kInside;
  }
  if (location.waiting_mark == kInside) return;
  ++locations_[location.waiting_mark].waiting;
  environment_.lens_promises().numbers().set_mark(promise, location.waiting_mark);
}

void WaitingLocations::begins(v8::Local<v8::Promise> promise) noexcept {
  PromiseNumbers& numbers = environment_.lens_promises().numbers();
  const std::uint32_t mark = numbers.mark_of(promise);
  if (mark == 0) return;
  --locations_[mark].waiting;
  numbers.set_mark(promise, 0);
}

}  // namespace rondo
