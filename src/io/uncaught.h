// Callbacks of a user's in the middle of something that has to continue: the next record of what
// has arrived, the next of those who wait.
#pragma once

#include <exception>
#include <utility>

#include "rondo/loop.h"

namespace rondo {

/// Calls it. What it throws is reported as the next tick, to on_uncaught or out of run().
template <class Call>
void call_and_continue(Loop& loop, Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (...) {
    loop.next_tick([exception = std::current_exception()] { std::rethrow_exception(exception); });
  }
}

}  // namespace rondo
