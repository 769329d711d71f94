#include "core/handle.h"

#include "core/loop_core.h"

namespace rondo {

Handle::Handle(LoopCore& core) noexcept
    : core_(core.ending() ? nullptr : &core), next_(core_ == nullptr ? nullptr : core.handles_) {
  if (core_ == nullptr) return;
  if (next_ != nullptr) next_->prev_ = this;
  core.handles_ = this;
}

Handle::~Handle() {
  detach();
}

void Handle::detach() noexcept {
  if (core_ == nullptr) return;
  set_active(false);
  (prev_ == nullptr ? core_->handles_ : prev_->next_) = next_;
  if (next_ != nullptr) next_->prev_ = prev_;
  core_ = nullptr;
}

void Handle::set_active(bool active) noexcept {
  if (active == active_ || core_ == nullptr) return;
  active_ = active;
  if (referenced_) count(active);
}

void Handle::set_referenced(bool referenced) noexcept {
  if (referenced == referenced_) return;
  referenced_ = referenced;
  if (active_) count(referenced);
}

void Handle::count(bool counts) noexcept {
  counts ? ++core_->active_handles_ : --core_->active_handles_;
}

}  // namespace rondo
