// util.setTraceSigInt() and --trace-sigint: before SIGINT ends the process, the stack of JavaScript
// is printed.
#pragma once

#include <atomic>
#include <csignal>
#include <thread>

#include "io/descriptor.h"
#include "runtime/engine/environment.h"

namespace rondo {

/// While it lives, it has the signal. One at a time, on the thread of its environment.
class SigintTrace final {
 public:
  /// Throws std::system_error if it cannot open a descriptor or start a thread.
  explicit SigintTrace(Environment& environment);
  ~SigintTrace();
  SigintTrace(const SigintTrace&) = delete;
  SigintTrace& operator=(const SigintTrace&) = delete;

 private:
  void wait();

  Environment& environment_;
  Descriptor descriptor_;  // an eventfd
  std::atomic<bool> stopped_ = false;
  struct sigaction before_{};
  std::thread thread_;
};

}  // namespace rondo
