// Hooks for a thread that is blocked in a system call, so that it can be interrupted.
#pragma once

namespace rondo::detail {

/// Called on this thread where a signal has interrupted a call that is going to be made again. Null
/// for nothing.
inline thread_local void (*on_interrupted)() noexcept = nullptr;

/// The same, for the signal that lets debuggers attach.
inline thread_local void (*on_debug_signal)() noexcept = nullptr;

inline void interrupted() noexcept {
  if (on_interrupted != nullptr) on_interrupted();
  if (on_debug_signal != nullptr) on_debug_signal();
}

}  // namespace rondo::detail
