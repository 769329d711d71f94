#include "rondo/detail/loop_owned.h"

#include "core/loop_core.h"

namespace rondo::detail {

bool on_thread_of(const Loop& loop) noexcept {
  return loop.core().on_thread();
}

bool takes_work(const Loop& loop) {
  loop.core().check_thread();
  return !loop.core().ending();
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

void LoopOwned::leave() noexcept {
  if (core_ == nullptr) return;
  (prev_ == nullptr ? core_->owned_ : prev_->next_) = next_;
  if (next_ != nullptr) next_->prev_ = prev_;
  core_ = nullptr;
}

}  // namespace rondo::detail
