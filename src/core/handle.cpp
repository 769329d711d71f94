#include "core/handle.h"

#include "core/loop_core.h"

namespace rondo {

void Handle::detach() noexcept {
  set_active(false);
  leave();
}

void Handle::set_active(bool active) noexcept {
  if (active == active_ || core() == nullptr) return;
  active_ = active;
  if (referenced_) count(active);
}

void Handle::set_referenced(bool referenced) noexcept {
  if (referenced == referenced_) return;
  referenced_ = referenced;
  if (active_) count(referenced);
}

void Handle::count(bool counts) noexcept {
  core()->count_active(counts);
}

}  // namespace rondo
