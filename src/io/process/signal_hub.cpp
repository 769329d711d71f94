#include "io/process/signal_hub.h"

#include <poll.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

#include "io/io_context.h"

namespace rondo {

void SignalListener::stop_listening() noexcept {
  if (hub_ == nullptr) return;
  const auto hub = std::move(hub_);
  hub->remove(*this);
}

SignalHub::SignalHub(LoopCore& core, std::unique_ptr<SignalInbox> inbox) noexcept
    : LoopOwned(core), inbox_(std::move(inbox)) {
  fd = inbox_->fd();
  events = POLLIN;
}

Expected<std::shared_ptr<SignalHub>> SignalHub::of(LoopCore& core) {
  if (core.ending()) return std::unexpected(errno_code(ECANCELED));
  auto& hub = IoContext::of(core).signals();
  if (hub == nullptr) {
    auto inbox = SignalInbox::open();
    if (!inbox) return std::unexpected(inbox.error());
    hub = std::make_shared<SignalHub>(core, *std::move(inbox));
  }
  return hub;
}

std::error_code SignalHub::listen(LoopCore& core, SignalListener& listener, std::uint64_t signals) {
  auto hub = of(core);
  if (!hub) return hub.error();
  if (const std::error_code error = (*hub)->add(listener, signals)) return error;
  listener.hub_ = *std::move(hub);
  return {};
}

std::error_code SignalHub::add(SignalListener& listener, std::uint64_t signals) {
  if (signals == 0) return errno_code(EINVAL);
  listeners_.reserve(listeners_.size() + 1);
  std::uint64_t added = 0;
  for (std::uint64_t left = signals; left != 0; left &= left - 1) {
    const int signum = std::countr_zero(left) + 1;
    if (const std::error_code error = inbox_->add(signum)) {
      remove_signals(added);
      return error;
    }
    ++listeners_of_[static_cast<std::size_t>(signum)];
    added |= signal_bit(signum);
  }
  if (listeners_.empty()) {
    if (const std::error_code error = core()->backend().watch(*this)) {
      remove_signals(added);
      return error;
    }
  }
  listener.signals_ = signals;
  listener.number_ = ++last_number_;
  listeners_.push_back(&listener);
  return {};
}

void SignalHub::remove(SignalListener& listener) noexcept {
  std::erase(listeners_, &listener);
  remove_signals(std::exchange(listener.signals_, 0));
  if (listeners_.empty() && core() != nullptr) core()->backend().unwatch(*this);
}

void SignalHub::remove_signals(std::uint64_t signals) noexcept {
  for (; signals != 0; signals &= signals - 1) {
    const int signum = std::countr_zero(signals) + 1;
    if (--listeners_of_[static_cast<std::size_t>(signum)] == 0) inbox_->remove(signum);
  }
}

void SignalHub::complete(std::int32_t /*result*/, std::uint32_t /*flags*/) {
  if (!wanted) return;
  const auto keep = shared_from_this();
  if (arrived_begin_ == arrived_end_) {
    arrived_begin_ = 0;
    arrived_end_ = inbox_->read(arrived_);
  }
  // Should an exception leave from here, the rest comes with the next poll.
  struct AskAgain {
    SignalHub& hub;
    ~AskAgain() {
      if (hub.arrived_begin_ != hub.arrived_end_) hub.inbox_->ring();
    }
  } const ask_again{*this};
  deliver();
}

void SignalHub::deliver() {
  while (arrived_begin_ != arrived_end_) {
    if (report_up_to_ == 0) report_up_to_ = last_number_;
    SignalListener* listener = next_listener();
    if (listener == nullptr) {
      ++arrived_begin_;
      reported_up_to_ = report_up_to_ = 0;
      continue;
    }
    reported_up_to_ = listener->number_;
    listener->on_signal(arrived_[arrived_begin_]);
  }
}

/// Listeners may come and go while they are notified: each time the next one is looked up again.
SignalListener* SignalHub::next_listener() noexcept {
  const std::uint64_t bit = signal_bit(arrived_[arrived_begin_]);
  auto next = std::ranges::upper_bound(listeners_, reported_up_to_, {}, &SignalListener::number_);
  for (; next != listeners_.end() && (*next)->number_ <= report_up_to_; ++next) {
    if (((*next)->signals_ & bit) != 0) return *next;
  }
  return nullptr;
}

void SignalHub::loop_ends() noexcept {
  core()->backend().unwatch(*this);
  leave();
}

}  // namespace rondo
