// How an operation begins on a handle that may be empty, or of another loop.
#pragma once

#include <cerrno>

#include "rondo/detail/coroutine.h"
#include "rondo/error.h"

#include "core/loop_core.h"

namespace rondo::detail {

/// Whether the operation can begin. On an empty handle it fails with EBADF, reported
/// in the pending phase like every failure that is known at once; what belongs to another loop
/// throws Misuse.
template <class State>
bool begins_on(const State* state, const AsyncContext& context, Waiter waiter,
               std::error_code& error) {
  check_same_loop(state == nullptr ? nullptr : state->core(), *context.loop);
  if (state != nullptr) return true;
  error = errno_code(EBADF);
  context.loop->core().pending().add([waiter] { waiter(); });
  return false;
}

}  // namespace rondo::detail
