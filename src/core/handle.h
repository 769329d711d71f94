// The base of everything long-lived that is built on the loop: watched descriptors, sockets,
// processes. It knows whether it is active and referenced, and so keeps the loop alive.
#pragma once

#include "rondo/detail/loop_owned.h"

namespace rondo {

class Handle : public detail::LoopOwned {
 public:
  using LoopOwned::LoopOwned;
  ~Handle() override { detach(); }

  bool active() const noexcept { return active_; }
  void set_active(bool active) noexcept;
  bool referenced() const noexcept { return referenced_; }
  void set_referenced(bool referenced) noexcept;

 protected:
  /// Leaves the loop for good.
  void detach() noexcept;

 private:
  void count(bool counts) noexcept;

  bool active_ = false;
  bool referenced_ = true;
};

}  // namespace rondo
