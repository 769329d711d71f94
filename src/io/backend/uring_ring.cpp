#include "io/backend/uring_ring.h"

#include <linux/time_types.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <tuple>

namespace rondo {

namespace {

[[noreturn]] void fail(const char* call) {
  throw std::system_error(errno, std::system_category(), call);
}

// The indices are plain memory shared with the kernel: what it writes is read with acquire, what
// we write for it is stored with release.
unsigned load_acquire(unsigned* shared) noexcept {
  return std::atomic_ref(*shared).load(std::memory_order_acquire);
}
void store_release(unsigned* shared, unsigned value) noexcept {
  std::atomic_ref(*shared).store(value, std::memory_order_release);
}

template <class T>
T* at(void* base, std::uint32_t offset) noexcept {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

}  // namespace

UringRing::UringRing(unsigned entries, bool may_defer) {
  io_uring_params params{};
  // One thread submits. Completions are worked off when it enters the kernel for whatever reason,
  // without interrupting it; a flag in the ring says that there is work to enter for. Linux 6.0.
  // With DEFER_TASKRUN, of Linux 6.1, that is put off until we ask for it: it costs the other
  // system calls nothing, and all that waits is worked off at once. But then nothing notifies a
  // host that sleeps on the ring's descriptor, or on an eventfd registered with it, that it must
  // ask.
  constexpr unsigned kFlags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_TASKRUN_FLAG |
                              IORING_SETUP_R_DISABLED | IORING_SETUP_CLAMP | IORING_SETUP_CQSIZE;
  const auto set_up = [&](unsigned how) {
    params = {};
    params.flags = kFlags | how;
    params.cq_entries = entries * 4;
    fd_ = Descriptor(static_cast<int>(::syscall(__NR_io_uring_setup, entries, &params)));
  };
  if (may_defer) set_up(IORING_SETUP_DEFER_TASKRUN);
  defers_ = may_defer && fd_;
  if (!may_defer || (!fd_ && errno == EINVAL)) set_up(IORING_SETUP_COOP_TASKRUN);
  if (!fd_) fail("io_uring_setup");

  constexpr std::uint32_t kNeeded =
      IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG;
  if ((params.features & kNeeded) != kNeeded) {
    errno = EOPNOTSUPP;
    fail("io_uring_setup (features)");
  }

  // A filter may let the ring be made and forbid to use it. Disabled, it answers EBADFD.
  if (::syscall(__NR_io_uring_enter, fd_.get(), 0, 0, 0, nullptr, 0) < 0 && errno != EBADFD) {
    fail("io_uring_enter");
  }
  io_uring_probe probe{};
  if (::syscall(__NR_io_uring_register, fd_.get(), IORING_REGISTER_PROBE, &probe, 0) < 0 &&
      (errno == EPERM || errno == ENOSYS || errno == EACCES)) {
    fail("io_uring_register");
  }

  const std::size_t sq_bytes = params.sq_off.array + params.sq_entries * sizeof(unsigned);
  const std::size_t cq_bytes = params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe);
  rings_ = map(sq_bytes > cq_bytes ? sq_bytes : cq_bytes, IORING_OFF_SQ_RING);
  try {
    entries_ = map(params.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES);
  } catch (...) {
    unmap();
    throw;
  }

  sq_head_ = at<unsigned>(rings_.address, params.sq_off.head);
  sq_shared_tail_ = at<unsigned>(rings_.address, params.sq_off.tail);
  sq_flags_ = at<unsigned>(rings_.address, params.sq_off.flags);
  sq_size_ = params.sq_entries;
  sq_mask_ = params.sq_entries - 1;
  // The kernel reads entries through an array of indices; ours always name themselves.
  auto* array = at<unsigned>(rings_.address, params.sq_off.array);
  for (unsigned i = 0; i < params.sq_entries; ++i) array[i] = i;

  cq_shared_head_ = at<unsigned>(rings_.address, params.cq_off.head);
  cq_tail_ = at<unsigned>(rings_.address, params.cq_off.tail);
  cqes_ = at<io_uring_cqe>(rings_.address, params.cq_off.cqes);
  cq_mask_ = params.cq_entries - 1;
}

UringRing::~UringRing() {
  unmap();
}

UringRing::Mapping UringRing::map(std::size_t size, std::uint64_t offset) {
  void* address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                         fd_.get(), static_cast<off_t>(offset));
  if (address == MAP_FAILED) fail("mmap of an io_uring");
  return {address, size};
}

void UringRing::unmap() noexcept {
  if (entries_.address != nullptr) ::munmap(entries_.address, entries_.size);
  if (rings_.address != nullptr) ::munmap(rings_.address, rings_.size);
}

void UringRing::enable() {
  if (::syscall(__NR_io_uring_register, fd_.get(), IORING_REGISTER_ENABLE_RINGS, nullptr, 0) < 0) {
    fail("io_uring_register");
  }
  enabled_ = true;
}

io_uring_sqe* UringRing::next_entry() noexcept {
  if (sq_tail_ - load_acquire(sq_head_) == sq_size_) return nullptr;
  auto* entry = static_cast<io_uring_sqe*>(entries_.address) + (sq_tail_ & sq_mask_);
  std::memset(entry, 0, sizeof(*entry));
  ++sq_tail_;
  return entry;
}

int UringRing::enter(bool wait, std::optional<std::chrono::nanoseconds> timeout) {
  if (!enabled_) enable();
  // What became ready before comes before what is ready as soon as it is submitted: the kernel
  // would reverse this order. A server hears of a connection before the client on the same
  // loop.
  if (defers_ && has_unsubmitted() && kernel_has_work()) {
    std::ignore =
        ::syscall(__NR_io_uring_enter, fd_.get(), 0U, 0U, IORING_ENTER_GETEVENTS, nullptr, 0);
  }
  store_release(sq_shared_tail_, sq_tail_);

  // GETEVENTS also without waiting: it is what makes the kernel work off deferred completions.
  __kernel_timespec time{};
  io_uring_getevents_arg argument{};
  argument.sigmask_sz = _NSIG / 8;
  if (timeout.has_value()) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*timeout);
    time.tv_sec = seconds.count();
    time.tv_nsec = (*timeout - seconds).count();
    argument.ts = reinterpret_cast<std::uintptr_t>(&time);
  }
  const long result =
      ::syscall(__NR_io_uring_enter, fd_.get(), sq_tail_ - submitted_, wait ? 1U : 0U,
                IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &argument, sizeof(argument));
  const int error = result < 0 ? -errno : 0;
  submitted_ = load_acquire(sq_head_);  // what the kernel has taken, whatever it answered
  return error;
}

bool UringRing::kernel_has_work() const noexcept {
  return (std::atomic_ref(*sq_flags_).load(std::memory_order_relaxed) &
          (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) != 0;
}

bool UringRing::has_completions() const noexcept {
  return cq_head_ != load_acquire(cq_tail_);
}

const io_uring_cqe* UringRing::peek() noexcept {
  return has_completions() ? &cqes_[cq_head_ & cq_mask_] : nullptr;
}

void UringRing::consume() noexcept {
  store_release(cq_shared_head_, ++cq_head_);
}

}  // namespace rondo
