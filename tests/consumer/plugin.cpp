#include <chrono>
#include <cstdio>

#include <rondo/rondo.h>

namespace {

rondo::Async<> play() {
  const auto result = co_await rondo::work([] { return 1; });
  if (result) co_await rondo::sleep_for(std::chrono::milliseconds(*result));
  std::puts("the theme returns");
}

}  // namespace

extern "C" void run_plugin() {
  rondo::Loop loop;
  rondo::spawn(loop, play());
  loop.run();
}
