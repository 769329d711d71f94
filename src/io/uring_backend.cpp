#include "io/uring_backend.h"

#include <poll.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace rondo {

using std::chrono::nanoseconds;

namespace {

constexpr unsigned kEntries = 1024;

// user_data is the address of the operation; these two are no addresses.
constexpr std::uint64_t kIgnored = 0;
constexpr std::uint64_t kWake = 1;

std::uint64_t address_of(Watch& watch) noexcept {
  return reinterpret_cast<std::uintptr_t>(&watch);
}

}  // namespace

UringBackend::UringBackend() : ring_(kEntries) {}

bool UringBackend::quiet() const noexcept {
  return to_arm_.empty() && to_cancel_.empty() && !ring_.has_unsubmitted() &&
         !ring_.has_completions() && !ring_.kernel_has_work();
}

std::size_t UringBackend::wait(std::optional<nanoseconds> timeout, std::span<Completion> out) {
  gather();
  const bool everything_gathered = wake_armed_ && to_arm_.empty() && to_cancel_.empty();
  const bool may_sleep = timeout != nanoseconds::zero() && everything_gathered &&
                         !ring_.has_completions() && !ring_.kernel_has_work();
  const int error = ring_.enter(may_sleep, timeout);
  // ETIME: the time is up. EINTR: a signal. EAGAIN and EBUSY: the kernel is short of memory or
  // wants us to collect first; what was not taken goes with the next call.
  if (error != 0 && error != -ETIME && error != -EINTR && error != -EAGAIN && error != -EBUSY) {
    throw std::system_error(-error, std::system_category(), "io_uring_enter");
  }
  std::size_t filled = collect(out);
  if (filled == 0 && !to_arm_.empty()) {
    // Nothing but answers to cancellations: what they change is asked for at once.
    gather();
    ring_.enter(false, nanoseconds::zero());
    filled = collect(out);
  }
  // One call works off a few deferred completions only.
  while (filled < out.size() && ring_.kernel_has_work()) {
    ring_.enter(false, nanoseconds::zero());
    filled += collect(out.subspan(filled));
  }
  return filled;
}

void UringBackend::submit() {
  gather();
  if (ring_.has_unsubmitted()) ring_.enter(false, nanoseconds::zero());
}

/// Makes entries of what waits, first in first out. What finds no room stays for the next time.
void UringBackend::gather() {
  const auto work_off = [](std::vector<std::shared_ptr<Watch>>& queue, auto&& handle) {
    auto done = queue.begin();
    while (done != queue.end() && handle(**done)) ++done;
    queue.erase(queue.begin(), done);
  };
  if (!wake_armed_) wake_armed_ = arm_wake();
  work_off(to_cancel_, [this](Watch& watch) { return cancel(watch); });
  work_off(to_arm_, [this](Watch& watch) { return arm(watch); });
}

/// An entry to fill in, or null when the ring is full and the kernel takes nothing now.
io_uring_sqe* UringBackend::entry() {
  io_uring_sqe* entry = ring_.next_entry();
  if (entry == nullptr) {
    ring_.enter(false, nanoseconds::zero());
    entry = ring_.next_entry();
  }
  return entry;
}

bool UringBackend::arm_wake() {
  io_uring_sqe* entry = this->entry();
  if (entry == nullptr) return false;
  entry->opcode = IORING_OP_POLL_ADD;
  entry->fd = wake_.fd();
  entry->poll32_events = POLLIN;
  entry->len = IORING_POLL_ADD_MULTI;  // one completion for each ring of the bell
  entry->user_data = kWake;
  return true;
}

bool UringBackend::arm(Watch& watch) {
  if (!watch.wanted || watch.slot_ != Watch::kNotInKernel) return true;
  io_uring_sqe* entry = this->entry();
  if (entry == nullptr) return false;
  // One shot: armed anew after each callback, it reports again while the descriptor is ready,
  // which a multishot poll would not.
  entry->opcode = IORING_OP_POLL_ADD;
  entry->fd = watch.fd;
  entry->poll32_events = watch.events;
  entry->user_data = address_of(watch);
  watch.slot_ = in_kernel_.size();
  in_kernel_.push_back(watch.shared_from_this());
  return true;
}

bool UringBackend::cancel(Watch& watch) {
  if (watch.slot_ == Watch::kNotInKernel) return true;  // it has come by itself meanwhile
  io_uring_sqe* entry = this->entry();
  if (entry == nullptr) return false;
  entry->opcode = IORING_OP_POLL_REMOVE;
  entry->addr = address_of(watch);
  entry->user_data = kIgnored;
  entry->flags = IOSQE_CQE_SKIP_SUCCESS;
  return true;
}

std::size_t UringBackend::collect(std::span<Completion> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const io_uring_cqe* cqe = ring_.peek();
    if (cqe == nullptr) break;
    const std::uint64_t user_data = cqe->user_data;
    const std::int32_t result = cqe->res;
    const std::uint32_t flags = cqe->flags;
    ring_.consume();
    if (user_data == kIgnored) continue;
    if (user_data == kWake) {
      if ((flags & IORING_CQE_F_MORE) == 0) wake_armed_ = false;
      continue;
    }
    auto* watch = reinterpret_cast<Watch*>(static_cast<std::uintptr_t>(user_data));
    if (completed(*watch, result)) {
      watch->collected = true;
      out[filled++] = {watch, result, flags};
    }
  }
  return filled;
}

/// The kernel has answered for a watch. True if the user is to hear of it.
bool UringBackend::completed(Watch& watch, std::int32_t result) {
  // Back to the queue even if it is no longer wanted: that keeps it alive for this batch.
  in_kernel_.back()->slot_ = watch.slot_;
  std::swap(in_kernel_[watch.slot_], in_kernel_.back());
  to_arm_.push_back(std::move(in_kernel_.back()));
  in_kernel_.pop_back();
  watch.slot_ = Watch::kNotInKernel;
  return watch.wanted && result != -ECANCELED;
}

std::error_code UringBackend::watch(Watch& watch) {
  const auto fd = static_cast<std::size_t>(watch.fd);
  if (fd >= watcher_of_.size()) watcher_of_.resize(fd + 1);
  if (watcher_of_[fd] != nullptr && watcher_of_[fd] != &watch) return errno_code(EEXIST);
  watcher_of_[fd] = &watch;
  watch.wanted = true;
  // If the kernel still has it, with the old events, its answer brings it back to be armed.
  (watch.slot_ == Watch::kNotInKernel ? to_arm_ : to_cancel_).push_back(watch.shared_from_this());
  return {};
}

void UringBackend::unwatch(Watch& watch) noexcept {
  if (!watch.wanted) return;
  watch.wanted = false;
  watcher_of_[static_cast<std::size_t>(watch.fd)] = nullptr;
  if (watch.slot_ != Watch::kNotInKernel) to_cancel_.push_back(watch.shared_from_this());
}

}  // namespace rondo
