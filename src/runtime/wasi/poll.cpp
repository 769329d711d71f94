// poll_oneoff: waits until one of several descriptors is ready or one of several clocks is due.
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "runtime/wasi/wasi.h"

namespace rondo::wasi {
namespace {

enum class EventType : std::uint8_t { clock = 0, fd_read = 1, fd_write = 2 };

constexpr std::uint16_t kAbsolute = 1;  // of a clock
constexpr std::uint16_t kHangup = 1;    // of an event
constexpr u64 kNsPerMs = 1'000'000;
// A Worker that is terminated meanwhile ends after this time at the latest.
constexpr u64 kLongestWaitNs = 100 * kNsPerMs;

u64 now(clockid_t clock) {
  struct ::timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<u64>(time.tv_sec) * 1'000'000'000U + static_cast<u64>(time.tv_nsec);
}

u64 added(u64 a, u64 b) {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

struct Subscription {
  u64 userdata = 0;
  EventType type = EventType::clock;
  Errno error = Errno::success;
  u64 due_ns = 0;  // of a clock: on the monotonic one
  int fd = -1;     // of the others
  std::size_t polled = 0;
};

/// The time of the monotonic clock when the clock is due.
u64 due_time(u32 clock, u64 timeout, bool absolute, Errno& error) {
  const u64 monotonic = now(CLOCK_MONOTONIC);
  if (clock > 3) error = Errno::inval;
  if (!absolute) return added(monotonic, timeout);
  if (clock == 1) return timeout;
  const u64 current = now(clock == 0   ? CLOCK_REALTIME
                          : clock == 2 ? CLOCK_PROCESS_CPUTIME_ID
                                       : CLOCK_THREAD_CPUTIME_ID);
  return timeout <= current ? monotonic : added(monotonic, timeout - current);
}

u64 readable_bytes(int fd) {
  struct ::stat status{};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    const off_t position = ::lseek(fd, 0, SEEK_CUR);
    return status.st_size > position ? static_cast<u64>(status.st_size - position) : 0;
  }
  int bytes = 0;
  return ::ioctl(fd, FIONREAD, &bytes) == 0 ? static_cast<u64>(bytes) : 0;
}

}  // namespace

Errno Wasi::poll_oneoff(const GuestMemory& memory, u32 in, u32 out, u32 count, u32 result) {
  if (!memory.has(in, u64{count} * kSubscriptionSize) ||
      !memory.has(out, u64{count} * kEventSize) || !memory.has(result, sizeof(u32))) {
    return Errno::overflow;
  }
  if (count == 0) return Errno::inval;
  std::vector<Subscription> subscriptions(count);
  std::vector<struct ::pollfd> polled;
  bool has_error = false;
  u64 due_ns = UINT64_MAX;
  for (u32 i = 0; i < count; ++i) {
    const u32 at = in + i * kSubscriptionSize;
    Subscription& subscription = subscriptions[i];
    subscription.userdata = memory.get<u64>(at);
    const auto type = memory.get<std::uint8_t>(at + 8);
    if (type > static_cast<std::uint8_t>(EventType::fd_write)) return Errno::inval;
    subscription.type = static_cast<EventType>(type);
    if (subscription.type == EventType::clock) {
      subscription.due_ns =
          due_time(memory.get<u32>(at + 16), memory.get<u64>(at + 24),
                   (memory.get<std::uint16_t>(at + 40) & kAbsolute) != 0, subscription.error);
      due_ns = std::min(due_ns, subscription.due_ns);
    } else {
      Descriptor* found = nullptr;
      subscription.error =
          descriptors_.get(memory.get<u32>(at + 16), right::poll_fd_readwrite, found);
      if (subscription.error == Errno::success) {
        subscription.fd = found->fd;
        subscription.polled = polled.size();
        // A peer that sends nothing more counts as hung up.
        const short events = subscription.type == EventType::fd_read ? POLLIN | POLLRDHUP : POLLOUT;
        polled.push_back({found->fd, events, 0});
      }
    }
    has_error = has_error || subscription.error != Errno::success;
  }

  int ready = 0;
  for (;;) {
    const u64 current = now(CLOCK_MONOTONIC);
    const u64 left = has_error || due_ns <= current ? 0 : due_ns - current;
    const u64 wait_ns = std::min(left, kLongestWaitNs);
    const struct ::timespec wait{.tv_sec = 0, .tv_nsec = static_cast<long>(wait_ns)};
    ready = ::ppoll(polled.data(), polled.size(), &wait, nullptr);
    if (ready < 0 && errno != EINTR) return from_errno(errno);
    if (ready > 0 || left == 0 || (ended_ && ended_())) break;
  }

  u32 events = 0;
  const u64 current = now(CLOCK_MONOTONIC);
  for (const Subscription& subscription : subscriptions) {
    u64 bytes = 0;
    std::uint16_t flags = 0;
    if (subscription.error == Errno::success) {
      if (subscription.type == EventType::clock) {
        if (subscription.due_ns > current) continue;
      } else {
        const short found = polled[subscription.polled].revents;
        if (ready <= 0 || found == 0) continue;
        if (subscription.type == EventType::fd_read) bytes = readable_bytes(subscription.fd);
        if ((found & (POLLHUP | POLLRDHUP)) != 0) flags = kHangup;
      }
    }
    const u32 at = out + events++ * kEventSize;
    std::ranges::fill(memory.part(at, kEventSize), 0);
    memory.put<u64>(at, subscription.userdata);
    memory.put(at + 8, subscription.error);
    memory.put(at + 10, subscription.type);
    memory.put<u64>(at + 16, bytes);
    memory.put<std::uint16_t>(at + 24, flags);
  }
  memory.put<u32>(result, events);
  return Errno::success;
}

}  // namespace rondo::wasi
