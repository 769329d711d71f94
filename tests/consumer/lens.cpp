#include <chrono>
#include <cstdio>
#include <string_view>

#include <rondo/lens.h>
#include <rondo/loop.h>

namespace {

struct CountsCallbacks : rondo::lens::Watcher {
  void on_begin(rondo::lens::Time, rondo::lens::SubjectId, std::string_view,
                std::string_view) noexcept override {
    ++count;
  }
  int count = 0;
};

}  // namespace

int main() {
  rondo::Loop loop;
  rondo::lens::Lens lens(loop);
  CountsCallbacks counts;
  lens.add(counts);
  loop.set_timeout(std::chrono::milliseconds(1), [] {});
  loop.run();
  lens.remove(counts);
  if (counts.count == 1) std::puts("the theme returns");
}
