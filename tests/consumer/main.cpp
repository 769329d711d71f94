#include <chrono>
#include <cstdio>

#include <rondo/rondo.h>

namespace {

// Through the boundary of the library: a callback, an exception that it throws, a coroutine.
rondo::Async<> play(rondo::Loop& loop) {
  bool refused = false;
  try {
    loop.run();
  } catch (const rondo::Misuse&) {
    refused = true;
  }
  co_await rondo::sleep_for(std::chrono::milliseconds(1));
  if (refused) std::puts("the theme returns");
}

}  // namespace

int main() {
  rondo::Loop loop;
  loop.set_timeout(std::chrono::milliseconds(1), [&] { rondo::spawn(loop, play(loop)); });
  loop.run();
}
