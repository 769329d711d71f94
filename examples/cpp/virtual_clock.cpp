// A test of code that waits, in no time: the VirtualClock jumps where the loop would sleep. What is
// tested is a cache whose entries live for 10 minutes.
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <rondo/clock.h>
#include <rondo/loop.h>

namespace {

using namespace std::chrono_literals;

class Cache {
 public:
  explicit Cache(rondo::Loop& loop) : loop_(loop) {}
  ~Cache() {
    for (auto& [key, entry] : entries_) entry.expiry.clear();
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  void set(const std::string& key, std::string value) {
    Entry& entry = entries_[key];
    entry.expiry.clear();  // of the value before
    entry.value = std::move(value);
    entry.expiry = loop_.set_timeout(10min, [this, key] { entries_.erase(key); });
    entry.expiry.unref();  // a cache does not keep the loop alive
  }
  std::optional<std::string> get(const std::string& key) const {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return std::nullopt;
    return found->second.value;
  }

 private:
  struct Entry {
    std::string value;
    rondo::Timer expiry;
  };
  rondo::Loop& loop_;
  std::map<std::string, Entry> entries_;
};

int failures = 0;

void expect(bool holds, const char* what) {
  std::printf("%s %s\n", holds ? "ok    " : "FAILED", what);
  failures += holds ? 0 : 1;
}

}  // namespace

int main() {
  rondo::VirtualClock clock;
  rondo::Loop loop({.clock = &clock});
  Cache cache(loop);

  cache.set("a", "first");
  cache.set("b", "only");
  loop.set_timeout(9min, [&] { cache.set("a", "second"); });
  loop.set_timeout(9min + 59s, [&] {
    expect(cache.get("b") == "only", "an entry is there before its time is up");
  });
  loop.set_timeout(11min, [&] {
    expect(!cache.get("b"), "an entry is gone after 10 minutes");
    expect(cache.get("a") == "second", "a new value has a time of its own");
  });
  loop.set_timeout(20min, [&] { expect(!cache.get("a"), "and is gone in its turn"); });

  const auto began = std::chrono::steady_clock::now();
  loop.run();
  expect(clock.now() >= 20min, "20 minutes have passed");
  expect(std::chrono::steady_clock::now() - began < 10s, "and nobody has waited for them");
  return failures;
}
