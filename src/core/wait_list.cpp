#include "rondo/detail/wait_list.h"

#include "rondo/detail/remote_waiting.h"

#include "core/loop_core.h"

namespace rondo::detail {

void resume_soon(Loop& loop, Waiter waiter) {
  LoopCore& core = loop.core();
  core.check_thread();
  if (!core.ending()) core.door().queue_microtask([waiter] { waiter(); });
}

void resume_soon_fairly(Loop& loop, Waiter waiter) {
  if (may_go_on_at_once()) return resume_soon(loop, waiter);
  loop.defer([waiter] { waiter(); });
}

void RemoteWaiting::hold(Loop& loop) noexcept {
  loop_ = &loop;
  loop.core().begin_request();
}

void RemoteWaiting::wake() {
  LoopCore& core = loop_->core();
  if (!core.runs_here()) return core.post([this] { resume(); });
  if (may_go_on_at_once()) {
    core.door().queue_microtask([this] { resume(); });
  } else {
    core.pending().add([this] { resume(); });
  }
}

void RemoteWaiting::wake_later() {
  loop_->defer([this] { resume(); });
}

void RemoteWaiting::resume() {
  loop_->core().end_request();
  waiter_();
}

}  // namespace rondo::detail
