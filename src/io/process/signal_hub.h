// The signals of one loop: takes them out of the inbox in the poll phase and passes each to what
// listens.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "rondo/detail/loop_owned.h"

#include "core/backend.h"
#include "core/loop_core.h"
#include "io/process/signal_registry.h"

namespace rondo {

class SignalHub;

class SignalListener {
 public:
  SignalListener(const SignalListener&) = delete;
  SignalListener& operator=(const SignalListener&) = delete;
  virtual ~SignalListener() { stop_listening(); }

  bool listening() const noexcept { return hub_ != nullptr; }
  /// Hears nothing after this, not even of a signal that has come already.
  void stop_listening() noexcept;

 protected:
  SignalListener() = default;

 private:
  friend class SignalHub;
  /// Runs the user's code, if it comes to that, through the door. May end any listener.
  virtual void on_signal(int signum) = 0;

  std::shared_ptr<SignalHub> hub_;
  std::uint64_t signals_ = 0;  // mask
  std::uint64_t number_ = 0;   // in the order of coming
};

class SignalHub final : public Watch, public detail::LoopOwned {
 public:
  /// Listens to a set of signals until stop_listening(). EINVAL if one of them cannot be caught.
  static std::error_code listen(LoopCore& core, SignalListener& listener, std::uint64_t signals);

  SignalHub(LoopCore& core, std::unique_ptr<SignalInbox> inbox) noexcept;

 private:
  friend class SignalListener;
  static Expected<std::shared_ptr<SignalHub>> of(LoopCore& core);
  std::error_code add(SignalListener& listener, std::uint64_t signals);
  void remove(SignalListener& listener) noexcept;
  void remove_signals(std::uint64_t signals) noexcept;

  void complete(std::int32_t result, std::uint32_t flags) override;
  void loop_ends() noexcept override;
  void deliver();
  SignalListener* next_listener() noexcept;

  std::unique_ptr<SignalInbox> inbox_;
  std::array<std::uint32_t, 65> listeners_of_{};  // by signal
  std::vector<SignalListener*> listeners_;        // by number
  std::uint64_t last_number_ = 0;

  // What was read and not reported yet, and which listeners were notified of the first. It outlives
  // an exception that leaves run() in the middle.
  std::array<unsigned char, 256> arrived_;
  std::size_t arrived_begin_ = 0;
  std::size_t arrived_end_ = 0;
  std::uint64_t reported_up_to_ = 0;  // listeners up to this number have heard
  std::uint64_t report_up_to_ = 0;    // those that came later are not notified; 0: not begun
};

}  // namespace rondo
