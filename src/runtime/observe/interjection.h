// A word with a thread that is busy. Another thread has a function run on the thread of an
// environment in the middle of whatever that does: in JavaScript where V8 looks up (loops, calls,
// regular expressions, Atomics.wait), in a system call by a signal that interrupts it.
//
// The function must not run code of the program's.
#pragma once

#include <pthread.h>
#include <sys/types.h>
#include <v8.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rondo {

class Environment;

class Interjection {
 public:
  using Body = std::function<void(Environment&)>;

  /// On the environment's thread, of which there is one such object at most.
  explicit Interjection(Environment& environment);
  ~Interjection();
  Interjection(const Interjection&) = delete;
  Interjection& operator=(const Interjection&) = delete;

  /// From another thread. Returns whether `body` has run; if not, it will not: the thread is busy
  /// where nothing can be said to it.
  bool run(const Body& body);

  /// Where the thread is, in whatever it does: code of V8's that does not look up can be seen too,
  /// though nothing can be run there.
  struct Sample {
    std::vector<void*> frames;   // addresses of JavaScript's code, the innermost first
    bool in_collection = false;  // of garbage: its frames cannot be looked at
  };
  /// From another thread, a signal stops this one for a moment.
  Sample sample();

  /// The system call that the thread is in; empty if it is in none.
  std::string system_call() const;

 private:
  struct State;

  void request_interrupt();
  std::chrono::nanoseconds own_time() const noexcept;
  bool is_waiting() const;

  Environment& environment_;
  pthread_t thread_;
  pid_t thread_id_;
  clockid_t clock_{};  // of the thread's own time
  std::shared_ptr<State> state_;
};

}  // namespace rondo
