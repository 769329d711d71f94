// Readiness of a descriptor that something else owns: for libraries which do their own reading
// and writing (c-ares, libcurl, libpq) and only need to know when.
//
//     rondo::Poll poll(loop, fd);
//     poll.start(rondo::PollEvents::readable, [](rondo::PollEvents ready) { ... });
#pragma once

#include <cstdint>

#include "rondo/callback.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"

namespace rondo {

class Loop;

enum class PollEvents : std::uint8_t {
  none = 0,
  readable = 1,
  writable = 2,
  priority = 4,  // out-of-band data
  hang_up = 8,   // the other side will send no more
  error = 16,    // reported always, asked for or not
};

constexpr PollEvents operator|(PollEvents a, PollEvents b) noexcept {
  return static_cast<PollEvents>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr PollEvents operator&(PollEvents a, PollEvents b) noexcept {
  return static_cast<PollEvents>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
constexpr bool any(PollEvents events) noexcept {
  return events != PollEvents::none;
}

/// Watches one descriptor. It does not own the descriptor: stop or close the handle first, then
/// close the descriptor. The handle may be destroyed at any time, in its own callback too, and
/// may outlive its loop (it is then closed).
class Poll {
 public:
  Poll(Loop& loop, int fd);
  ~Poll();
  Poll(Poll&&) noexcept;
  Poll& operator=(Poll&&) noexcept;

  /// Calls `callback` in the poll phase whenever one of `events` holds, in every iteration
  /// while it holds (level-triggered). Called again, it changes what is watched. Errors: EBADF,
  /// EPERM (a regular file or a folder is always ready: there is nothing to wait for), EEXIST
  /// (another Poll of this loop watches the descriptor), EINVAL (no events, or closed).
  [[nodiscard]] Expected<> start(PollEvents events, Callback<void(PollEvents)> callback);

  /// No callback comes after this, not even one for an event already collected. Start again
  /// at will.
  void stop();

  /// Stops for good; `callback` runs in the close phase. Closing again is harmless: each
  /// callback given runs once.
  void close(Callback<> callback = nullptr);

  /// Whether a started handle keeps the loop alive: it does, until it is unref'd.
  Poll& ref();
  Poll& unref();
  bool has_ref() const;

  bool active() const;  // started and not stopped
  bool closed() const;
  int fd() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace rondo
