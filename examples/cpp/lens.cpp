// Seeing a loop: what ran, in which order and because of what; and figures of one's own. The lens
// sits on the loop, the watchers sit on the lens, and the program is not changed.
#include "rondo/lens.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

#include "rondo/fs.h"
#include "rondo/lens/blocked.h"
#include "rondo/lens/explain.h"
#include "rondo/loop.h"

using namespace std::chrono_literals;
namespace lens = rondo::lens;

namespace {

/// A watcher is notified of what it overrides. This one adds up how long callbacks of each kind
/// took.
class TimeByKind final : public lens::Watcher {
 public:
  // Nobody needs to look for what is not used here.
  bool wants_labels() const override { return false; }
  bool wants_sites() const override { return false; }

  void on_made(lens::Time, const lens::Subject& subject) noexcept override {
    kinds_[subject.id] = subject.kind;
  }
  void on_begin(lens::Time at, lens::SubjectId id, std::string_view,
                std::string_view) noexcept override {
    began_[id] = at;
  }
  void on_end(lens::Time at, lens::SubjectId id) noexcept override {
    ++counts_[kinds_[id]];
    times_[kinds_[id]] += at - began_[id];
  }
  void on_gone(lens::Time, lens::SubjectId id) noexcept override {
    kinds_.erase(id);
    began_.erase(id);
  }

  void print() const {
    for (const auto& [kind, count] : counts_) {
      std::printf("%-10s %llu, %lld us together\n", std::string(to_string(kind)).c_str(),
                  static_cast<unsigned long long>(count),
                  static_cast<long long>(times_.at(kind) / 1us));
    }
  }
  std::uint64_t count(lens::Kind kind) const {
    const auto found = counts_.find(kind);
    return found == counts_.end() ? 0 : found->second;
  }
  bool all_gone() const { return kinds_.empty(); }

 private:
  std::map<lens::SubjectId, lens::Kind> kinds_;
  std::map<lens::SubjectId, lens::Time> began_;
  std::map<lens::Kind, std::uint64_t> counts_;
  std::map<lens::Kind, lens::Time> times_;
};

/// The program that is looked at.
void work(rondo::Loop& loop) {
  rondo::fs::read_file("/proc/self/status").then(loop, [&](rondo::Expected<std::string>) {
    loop.set_timeout(5ms, [] {});
    loop.set_immediate([&] { loop.next_tick([] {}); });
  });
  loop.set_timeout(20ms, [] {
    const auto until = std::chrono::steady_clock::now() + 80ms;
    while (std::chrono::steady_clock::now() < until) {
    }
  });
}

}  // namespace

int main() {
  rondo::Loop loop;
  lens::Lens on_loop(loop);
  lens::Explanation story;
  TimeByKind times;
  on_loop.add(story);
  on_loop.add(times);
  // Needs no lens: a thread that samples the loop, and reports on standard error.
  const lens::Blocked blocked(loop, {.limit = 50ms});

  work(loop);
  loop.run();
  on_loop.finish(lens::End::nothing_left);

  std::fputs(to_text(story).c_str(), stdout);
  std::puts("");
  times.print();
  const bool is_right = times.count(lens::Kind::timeout) == 2 &&
                        times.count(lens::Kind::immediate) == 1 &&
                        times.count(lens::Kind::tick) == 1 &&
                        times.count(lens::Kind::request) == 1 && times.all_gone();
  return is_right ? 0 : 1;
}
