// Iterating: an immediate that sets the next one, and what Node does with libuv for
// the same (a check handle that runs the immediates, an idle handle that keeps poll from waiting).
#pragma once

#include <cstddef>

#include <uv.h>

#include "rondo/loop.h"

#include "harness.h"
#include "uv_loop.h"

namespace rondo::bench {

/// The work in each iteration.
struct Nothing {
  void operator()() const noexcept {}
};

/// Makes `iterations` iterations, with `each` in each of them; returns ns per iteration.
template <class Each>
class RondoChain {
 public:
  RondoChain(Loop& loop, std::size_t iterations, Each each)
      : loop_(loop), iterations_(iterations), left_(iterations), each_(each) {}

  double run() {
    set_next();
    Stopwatch watch;
    watch.start();
    loop_.run();
    watch.stop();
    expect(left_ == 0, "rondo did not go round often enough");
    return watch.ns_per(iterations_);
  }

 private:
  void set_next() {
    loop_.set_immediate([this] {
      each_();
      if (--left_ == 0) {
        loop_.stop();
      } else {
        set_next();
      }
    });
  }

  Loop& loop_;
  std::size_t iterations_;
  std::size_t left_;
  Each each_;
};

template <class Each>
class UvChain {
 public:
  UvChain(UvLoop& loop, std::size_t iterations, Each each)
      : loop_(loop), iterations_(iterations), left_(iterations), each_(each) {
    uv_idle_init(loop_.get(), &idle_);
    uv_check_init(loop_.get(), &check_);
    check_.data = this;
  }

  double run() {
    uv_idle_start(&idle_, [](uv_idle_t*) {});
    uv_check_start(&check_, [](uv_check_t* check) {
      auto* self = static_cast<UvChain*>(check->data);
      self->each_();
      if (--self->left_ == 0) uv_stop(check->loop);
    });
    Stopwatch watch;
    watch.start();
    uv_run(loop_.get(), UV_RUN_DEFAULT);
    watch.stop();
    expect(left_ == 0, "libuv did not go round often enough");
    loop_.close_all();
    return watch.ns_per(iterations_);
  }

 private:
  UvLoop& loop_;
  std::size_t iterations_;
  std::size_t left_;
  Each each_;
  uv_idle_t idle_;
  uv_check_t check_;
};

}  // namespace rondo::bench
