// The one thing that belongs to the whole process and not to a loop: the handlers of signals. All
// of that is in this file; everything else asks a SignalInbox.
//
// A signal is caught by one handler, on whatever thread the kernel chooses, which writes its number
// into the pipe of every loop that wants it. The handler takes no lock and allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "rondo/error.h"

#include "io/descriptor.h"

namespace rondo {

/// The mask bit of a signal, or zero for a number that is not a signal.
constexpr std::uint64_t signal_bit(int signum) noexcept {
  return signum >= 1 && signum <= 64 ? std::uint64_t{1} << (signum - 1) : 0;
}

/// Where the signals arrive that one loop wants, in order.
class SignalInbox {
 public:
  static Expected<std::unique_ptr<SignalInbox>> open();
  ~SignalInbox();
  SignalInbox(const SignalInbox&) = delete;
  SignalInbox& operator=(const SignalInbox&) = delete;

  /// Begins to catch a signal. EINVAL for one that cannot be caught.
  std::error_code add(int signum);
  /// Catches it no more. When no loop wants it, it does again what it did before the first did.
  void remove(int signum) noexcept;

  /// Readable when read() would give something.
  int fd() const noexcept { return read_end_.get(); }
  /// Takes the numbers of signals that have come. Zeros may be among them; they mean nothing.
  std::size_t read(std::span<unsigned char> out) noexcept;
  /// Makes fd() readable without a signal.
  void ring() noexcept;

  struct Slot;  // what the handler sees

 private:
  SignalInbox(Descriptor read_end, Descriptor write_end) noexcept;

  Descriptor read_end_;
  Descriptor write_end_;
  Slot* slot_ = nullptr;
};

}  // namespace rondo
