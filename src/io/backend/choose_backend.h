// Which backend a loop gets, and why.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <system_error>

#include "rondo/loop.h"

#include "core/backend.h"

namespace rondo {

struct ChosenBackend {
  std::unique_ptr<Backend> backend;
  std::string reason;
};

/// `forced` is the value of RONDO_BACKEND, or null. Throws std::system_error when the wish
/// cannot be met; its text says whose wish it was and what the kernel answered.
ChosenBackend choose_backend(BackendKind wish, const char* forced);

/// The loops that this thread makes in its scope are never asked for host_wait(): they run by
/// themselves, which lets the kernel do less.
class LoopsWithoutHost {
 public:
  LoopsWithoutHost() noexcept { now_ = true; }
  ~LoopsWithoutHost() { now_ = false; }
  LoopsWithoutHost(const LoopsWithoutHost&) = delete;
  LoopsWithoutHost& operator=(const LoopsWithoutHost&) = delete;
  static bool now() noexcept { return now_; }

 private:
  static thread_local constinit bool now_;
};

}  // namespace rondo
