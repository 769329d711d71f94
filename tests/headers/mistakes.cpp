// Mistakes that a user makes, one for each section, and what the compiler has to say of it.
// run.cmake compiles each by itself, and wants an error with the text after "says:".
#include <chrono>

#include <rondo/rondo.h>

using namespace std::chrono_literals;

namespace {
rondo::Async<int> give();
}

// ---- says: an Async is awaited once, and used up: co_await std::move(task)
rondo::Async<> await_lvalue() {
  auto task = give();
  co_await task;
}

// ---- says: an operation is awaited once, and used up: co_await std::move(operation)
rondo::Async<> await_operation() {
  auto reading = rondo::fs::read_file("x");
  co_await reading;
}

// ---- says: use of deleted function
void spawn_lvalue(rondo::Loop& loop, rondo::Async<> task) {
  rondo::spawn(loop, task);
}

// ---- says: use of deleted function
void timeout_without_unit(rondo::Loop& loop) {
  loop.set_timeout(100, [] {});
}

// ---- says: use of deleted function
void interval_without_unit(rondo::Loop& loop) {
  loop.set_interval(100, [] {});
}

// ---- says: ignoring return
void ignored(rondo::TcpSocket socket) {
  socket.write("x");
}

// ---- says: ignoring return
void never_awaited() {
  give();
}
