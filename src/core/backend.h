// What the loop needs from the kernel, and nothing more: waiting, waking from another thread,
// readiness of a descriptor, and operations that complete. Two implementations, in src/io/backend.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "rondo/error.h"
#include "rondo/loop.h"

namespace rondo {

/// An operation in progress in the kernel (or in what replaces it). It lives inside the handle
/// that issued it and must stay where it is until it has completed.
class Operation {
 public:
  /// Called by the poll phase with what the kernel answered: a count or a negative errno, and
  /// the backend's flags. Runs the user's callback, if it comes to that, through the door.
  virtual void complete(std::int32_t result, std::uint32_t flags) = 0;

  /// Called instead when the loop is being destroyed: for an operation whose result has to be
  /// given back (a descriptor). Runs no user's code.
  virtual void abandoned(std::int32_t result) noexcept { static_cast<void>(result); }

 protected:
  Operation() = default;
  Operation(const Operation&) = default;
  Operation& operator=(const Operation&) = default;
  ~Operation() = default;
};

struct Completion {
  Operation* operation;
  std::int32_t result;
  std::uint32_t flags;
};

/// Readiness of a descriptor, completed again and again while it holds; the result is a mask of
/// POLLIN and similar. Shared with the backend, which keeps it as long as the kernel might
/// still mention it.
class Watch : public Operation, public std::enable_shared_from_this<Watch> {
 public:
  virtual ~Watch() = default;

  int fd = -1;
  std::uint32_t events = 0;  // POLLIN | ...
  bool collected = false;    // in the batch that wait() returned, and not delivered yet
  bool wanted = false;       // between watch() and unwatch(); completions outside are stale

  /// The backend's: where it keeps an armed watch.
  static constexpr std::size_t kNotInKernel = static_cast<std::size_t>(-1);
  std::size_t backend_slot = kNotInKernel;
};

class Backend {
 public:
  explicit Backend(BackendKind kind) noexcept : kind_(kind) {}
  virtual ~Backend() = default;

  /// Which of them it is, for what is built on the one and not on the other.
  BackendKind kind() const noexcept { return kind_; }

  virtual std::string_view name() const noexcept = 0;

  /// True when a wait() without time to wait would do nothing at all. Makes no system call: a
  /// loop kept busy by immediates asks this in every iteration.
  virtual bool quiet() const noexcept = 0;

  /// Submits what was gathered, waits (nullopt: without limit) until something completes or
  /// wake() is called, and moves what completed into `out`. Returns how many; a return with
  /// none before the time is up is allowed.
  virtual std::size_t wait(std::optional<std::chrono::nanoseconds> timeout,
                           std::span<Completion> out) = 0;

  /// Ends a wait() in progress, or the next one. From any thread.
  virtual void wake() noexcept = 0;

  /// Submits what was gathered, without waiting.
  virtual void submit() = 0;

  /// Readable when a wait() would find something.
  virtual int descriptor() const noexcept = 0;

  /// Begins to watch, or changes what is watched to watch.events.
  virtual std::error_code watch(Watch& watch) = 0;
  virtual void unwatch(Watch& watch) noexcept = 0;
  /// The same, and the kernel has released the descriptor when it returns: closing that then
  /// ends it, and frees its address.
  virtual void unwatch_now(Watch& watch) noexcept { unwatch(watch); }

  /// Cancels everything in progress and waits until the kernel has released it; what completes
  /// is not reported any more.
  virtual void shut_down() noexcept = 0;

  /// The calling thread becomes the one that waits. False once wait() or submit() was called.
  virtual bool adopt() noexcept = 0;

 private:
  BackendKind kind_;
};

}  // namespace rondo
