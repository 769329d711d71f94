#include "rondo/detail/loop_owned.h"

#include <cstdio>
#include <cstdlib>

#include "core/loop_core.h"

namespace rondo::detail {

bool on_thread_of(const Loop& loop) noexcept {
  return loop.core().on_thread();
}

bool takes_work(const Loop& loop) {
  loop.core().check_thread();
  return !loop.core().ending();
}

void check_same_loop(const LoopCore* owner, const Loop& loop) {
  loop.core().check_thread();
  if (owner == nullptr || owner == &loop.core()) return;
  throw Misuse("ERR_INVALID_ARG_VALUE", "what is awaited belongs to another loop");
}

LoopOwned::LoopOwned(Loop& loop) noexcept : LoopOwned(loop.core()) {}

LoopOwned::LoopOwned(LoopCore& core) noexcept : LoopOwned(&core) {}

LoopOwned::LoopOwned(LoopCore* core) noexcept : core_(core) {
  // A loop that is being destroyed owns nothing new: what is made now is born without one.
  if (core != nullptr && core->ending()) core_ = nullptr;
  if (core_ == nullptr) return;
  next_ = core->owned_;
  if (next_ != nullptr) next_->prev_ = this;
  core->owned_ = this;
}

LoopOwned::~LoopOwned() {
  leave();
}

void LoopOwned::check_drop() const noexcept {
  if (core_ == nullptr || core_->ending() || core_->on_thread()) return;
  std::fputs(
      "rondo: a handle (a socket, a server, a file, a process, a watcher ...) was copied or "
      "dropped "
      "on a thread that is not its loop's; give it back with Loop::post()\n",
      stderr);
  std::abort();
}

void LoopOwned::leave() noexcept {
  if (core_ == nullptr) return;
  check_drop();
  (prev_ == nullptr ? core_->owned_ : prev_->next_) = next_;
  if (next_ != nullptr) next_->prev_ = prev_;
  core_ = nullptr;
}

}  // namespace rondo::detail
