// How many awaits, and callbacks of promises, wait at each line of the program.
//
// An await makes a promise of its own, and V8 calls the hook `before` for it when the function goes
// on. If what is awaited is not a promise it makes two, one for the value, which is settled at once
// and never runs: when the other one is made, the first is no longer counted.
//
// So a line is counted up when such a promise is made and down when it begins; the promise carries
// the number of its line as its mark. Nothing is kept for each await: one that can never continue
// may be collected, and still counts. What is kept grows with the program's text alone: at most
// kMostLocations lines, of about 500 bytes.
#pragma once

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace rondo {

class Environment;
struct SourceLocation;

class WaitingLocations {
 public:
  struct Location {
    std::string file = {};  // empty: one of those that had no room
    std::string function = {};
    std::string source = {};  // the line, or the beginning of it
    int line = 0;
    int column = 0;
    bool is_await = false;  // rather than then(), catch(), Promise.all() ...
    std::uint64_t waiting = 0;
  };

  explicit WaitingLocations(Environment& environment);

  /// In the hook `init`, of a promise that waits for another one.
  void made(v8::Local<v8::Promise> promise, v8::Local<v8::Promise> parent);
  /// In the hook `before`.
  void begins(v8::Local<v8::Promise> promise) noexcept;

  const Location& location(std::uint32_t number) const { return locations_[number]; }
  /// Each with its number as the index. The first is not a location.
  const std::vector<Location>& locations() const noexcept { return locations_; }

 private:
  static constexpr std::size_t kMostLocations = 10'000;
  static constexpr int kMostSource = 120;  // characters

  std::uint32_t mark_of(const SourceLocation& location);

  Environment& environment_;
  std::vector<Location> locations_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // by file, line, column and kind
};

}  // namespace rondo
