#include "io/backend/uring_backend.h"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "io/backend/interrupted.h"

namespace rondo {

using std::chrono::nanoseconds;

namespace {

constexpr unsigned kEntries = 1024;
// Small: as many as sockets may receive in one iteration. Large: no more than the cache has room
// for.
constexpr unsigned kSmallBuffers = 1024;
constexpr unsigned kSmallBytes = 4U << 10;
constexpr unsigned kLargeBuffers = 4;
constexpr unsigned kLargeBytes = 256U << 10;

// user_data is the address of the operation, with a mark on that of a watch; these two are no
// addresses.
constexpr std::uint64_t kIgnored = 0;
constexpr std::uint64_t kWake = 1;
constexpr std::uint64_t kWatchMark = 2;

std::uint64_t address_of(Watch& watch) noexcept {
  return reinterpret_cast<std::uintptr_t>(&watch) | kWatchMark;
}
std::uint64_t address_of(UringOperation& operation) noexcept {
  return reinterpret_cast<std::uintptr_t>(&operation);
}
// Cancels everything in progress.
constexpr std::uint64_t kEverything = ~std::uint64_t{0};

template <class T>
T* at_address(std::uint64_t user_data) noexcept {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(user_data & ~kWatchMark));
}

}  // namespace

UringBackend::UringBackend(bool may_have_host)
    : Backend(BackendKind::uring), ring_(kEntries, !may_have_host) {}

BufferRing* UringBackend::receive_buffers(Buffers size) noexcept {
  const bool small = size == Buffers::small;
  auto& buffers = small ? small_buffers_ : large_buffers_;
  if (buffers == nullptr && !buffers_refused_) {
    try {
      buffers = small ? std::make_unique<BufferRing>(ring_.fd(), 0, kSmallBuffers, kSmallBytes)
                      : std::make_unique<BufferRing>(ring_.fd(), 1, kLargeBuffers, kLargeBytes);
    } catch (const std::exception&) {
      buffers_refused_ = true;
    }
  }
  return buffers.get();
}

void UringBackend::shut_down() noexcept {
  // A forked process shares the rings with its parent, whose operations these are.
  if (process_.inherited()) return;
  in_flight_ -= waiting_.size();  // never submitted to the kernel
  waiting_.clear();
  if (in_flight_ == 0) return;
  to_cancel_by_address_.push_back(kEverything);
  Completion late[64];
  try {
    while (in_flight_ != 0) {
      const std::size_t count = wait(std::nullopt, late);
      for (const Completion& completion : std::span(late, count)) {
        completion.operation->abandoned(completion.result);
      }
    }
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
    // Not the loop's thread, because that one has ended: the kernel has cancelled it all then.
  }
}

void UringBackend::start(UringOperation& operation) {
  ++in_flight_;
  operation.under_way = true;
  if (!waiting_.empty() || !submit(operation)) waiting_.push_back(&operation);
}

void UringBackend::start_now(UringOperation& operation) {
  start(operation);
  // Without gather(): watches that the last batch mentions are not armed before their callbacks
  // have run.
  if (!process_.inherited() && ring_.has_unsubmitted()) ring_.enter(false, nanoseconds::zero());
}

bool UringBackend::submit(UringOperation& operation) {
  io_uring_sqe* entry = this->entry();
  if (entry == nullptr) return false;
  operation.prepare(*entry);
  entry->user_data = address_of(operation);
  return true;
}

void UringBackend::cancel(UringOperation& operation) {
  // Answered, but not delivered yet: the address may name another operation by the time the
  // kernel looks.
  if (!operation.under_way) return;
  to_cancel_by_address_.push_back(address_of(operation));
}

void UringBackend::cancel_now(UringOperation& operation) {
  if (!operation.under_way) return;
  // Not with the kernel yet: it would find nothing to cancel.
  const bool submitted = std::ranges::find(waiting_, &operation) == waiting_.end();
  if (!submitted || !cancel(address_of(operation))) {
    cancel(operation);
    return;
  }
  if (!process_.inherited()) ring_.enter(false, nanoseconds::zero());
}

bool UringBackend::cancel(std::uint64_t address) {
  io_uring_sqe* entry = this->entry();
  if (entry == nullptr) return false;
  entry->opcode = IORING_OP_ASYNC_CANCEL;
  if (address == kEverything) {
    entry->cancel_flags = IORING_ASYNC_CANCEL_ANY | IORING_ASYNC_CANCEL_ALL;
  } else {
    entry->addr = address;
  }
  entry->user_data = kIgnored;
  return true;
}

bool UringBackend::quiet() const noexcept {
  return to_arm_.empty() && to_cancel_.empty() && waiting_.empty() &&
         to_cancel_by_address_.empty() && !ring_.has_unsubmitted() && !ring_.has_completions() &&
         !ring_.kernel_has_work();
}

std::size_t UringBackend::wait(std::optional<nanoseconds> timeout, std::span<Completion> out) {
  gather();
  const bool everything_gathered = wake_armed_ && to_arm_.empty() && to_cancel_.empty() &&
                                   waiting_.empty() && to_cancel_by_address_.empty();
  // Pending work of the kernel does not prevent sleeping: it does the work first. And the flag that
  // says so can remain set without any (the kernel raises it after others may have done the
  // work).
  const bool may_sleep =
      timeout != nanoseconds::zero() && everything_gathered && !ring_.has_completions();
  const int error = ring_.enter(may_sleep, timeout);
  if (error == -EINTR) detail::interrupted();
  // ETIME: the time is up. EINTR: a signal. EAGAIN and EBUSY: the kernel is short of memory or
  // wants us to collect first; what was not taken goes with the next call.
  if (error != 0 && error != -ETIME && error != -EINTR && error != -EAGAIN && error != -EBUSY) {
    throw std::system_error(-error, std::system_category(), "io_uring_enter");
  }
  std::size_t filled = collect(out);
  if (filled == 0 && !to_arm_.empty()) {
    // Only answers to cancellations: what they change is read at once.
    gather();
    ring_.enter(false, nanoseconds::zero());
    filled = collect(out);
  }
  return filled;
}

void UringBackend::submit() {
  gather();
  if (ring_.has_unsubmitted()) ring_.enter(false, nanoseconds::zero());
}

/// Makes entries of what waits, first in first out. What finds no room stays for the next time.
void UringBackend::gather() {
  const auto work_off = [](auto& queue, auto&& handle) {
    auto done = queue.begin();
    while (done != queue.end() && handle(*done)) ++done;
    queue.erase(queue.begin(), done);
  };
  if (!wake_armed_) wake_armed_ = arm_wake();
  work_off(waiting_, [this](UringOperation* operation) { return submit(*operation); });
  work_off(to_cancel_by_address_, [this](std::uint64_t address) { return cancel(address); });
  work_off(to_cancel_, [this](const auto& watch) { return cancel(*watch); });
  work_off(to_arm_, [this](const auto& watch) { return arm(*watch); });
}

/// An entry to fill in, or null when the ring is full and the kernel takes nothing now.
io_uring_sqe* UringBackend::entry() {
  if (process_.inherited()) return nullptr;  // its parent's ring, not to be written to
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
  if (!watch.wanted || watch.backend_slot != Watch::kNotInKernel) return true;
  io_uring_sqe* entry = this->entry();
  if (entry == nullptr) return false;
  // One shot: rearmed after each callback, it reports again while the descriptor is ready,
  // which a multishot poll would not.
  entry->opcode = IORING_OP_POLL_ADD;
  entry->fd = watch.fd;
  entry->poll32_events = watch.events;
  entry->user_data = address_of(watch);
  watch.backend_slot = in_kernel_.size();
  in_kernel_.push_back(watch.shared_from_this());
  return true;
}

bool UringBackend::cancel(Watch& watch) {
  if (watch.backend_slot == Watch::kNotInKernel) return true;  // it has come by itself meanwhile
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
    if ((user_data & kWatchMark) != 0) {
      auto* watch = at_address<Watch>(user_data);
      if (completed(*watch, result)) {
        watch->collected = true;
        out[filled++] = {watch, result, flags};
      }
      continue;
    }
    if ((flags & IORING_CQE_F_MORE) == 0) {
      --in_flight_;
      at_address<UringOperation>(user_data)->under_way = false;
      // The address may soon belong to another operation, which must not be cancelled.
      if (!to_cancel_by_address_.empty()) std::erase(to_cancel_by_address_, user_data);
    }
    out[filled++] = {at_address<UringOperation>(user_data), result, flags};
  }
  return filled;
}

/// The kernel has answered for a watch. True if the user is to be notified.
bool UringBackend::completed(Watch& watch, std::int32_t result) {
  // Back to the queue even if it is no longer wanted: that keeps it alive for this batch.
  in_kernel_.back()->backend_slot = watch.backend_slot;
  std::swap(in_kernel_[watch.backend_slot], in_kernel_.back());
  to_arm_.push_back(std::move(in_kernel_.back()));
  in_kernel_.pop_back();
  watch.backend_slot = Watch::kNotInKernel;
  // Changing the mode of a terminal wakes its watches without an event. The kernel
  // then restarts the watch, and can fail to (seen on Linux 6.18); we restart it in its
  // stead.
  if (result == -EINVAL && ::fcntl(watch.fd, F_GETFD) >= 0) return false;
  return watch.wanted && result != -ECANCELED;
}

std::error_code UringBackend::watch(Watch& watch) {
  const auto fd = static_cast<std::size_t>(watch.fd);
  if (fd >= watcher_of_.size()) watcher_of_.resize(fd + 1);
  if (watcher_of_[fd] != nullptr && watcher_of_[fd] != &watch) return errno_code(EEXIST);
  watcher_of_[fd] = &watch;
  watch.wanted = true;
  // If the kernel still has it, with the old events, its completion rearms it.
  (watch.backend_slot == Watch::kNotInKernel ? to_arm_ : to_cancel_)
      .push_back(watch.shared_from_this());
  return {};
}

void UringBackend::unwatch(Watch& watch) noexcept {
  if (!watch.wanted) return;
  watch.wanted = false;
  watcher_of_[static_cast<std::size_t>(watch.fd)] = nullptr;
  if (watch.backend_slot != Watch::kNotInKernel) to_cancel_.push_back(watch.shared_from_this());
}

void UringBackend::unwatch_now(Watch& watch) noexcept {
  unwatch(watch);
  if (watch.backend_slot == Watch::kNotInKernel) return;
  // Only this: what else waits to be gathered keeps alive what the last batch mentions.
  if (cancel(watch)) ring_.enter(false, nanoseconds::zero());
}

}  // namespace rondo
