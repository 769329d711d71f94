#include "io/backend/epoll_backend.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>
#include <system_error>

#include "io/backend/interrupted.h"

namespace rondo {

using std::chrono::nanoseconds;

namespace {

epoll_event event_for(Watch& watch) noexcept {
  epoll_event event{};
  event.events = watch.events;  // POLLIN and EPOLLIN are the same bits, and so are the others
  event.data.ptr = &watch;
  return event;
}

}  // namespace

EpollBackend::EpollBackend() : Backend(BackendKind::epoll), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_) throw std::system_error(errno, std::system_category(), "epoll_create1");
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  event.data.ptr = nullptr;  // the wake-up, and nothing else
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.fd(), &event) != 0) {
    throw std::system_error(errno, std::system_category(), "epoll_ctl");
  }
}

std::size_t EpollBackend::wait(std::optional<nanoseconds> timeout, std::span<Completion> out) {
  waited_ = true;
  retired_.clear();
  events_.resize(out.size());
  const int count = wait_for_events(timeout, static_cast<int>(out.size()));
  if (count < 0 && errno == EINTR) detail::interrupted();
  std::size_t filled = 0;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events_[static_cast<std::size_t>(i)];
    if (event.data.ptr == nullptr) continue;
    auto* watch = static_cast<Watch*>(event.data.ptr);
    watch->collected = true;
    out[filled++] = {watch, static_cast<std::int32_t>(event.events), 0};
  }
  return filled;
}

int EpollBackend::wait_for_events(std::optional<nanoseconds> timeout, int at_most) noexcept {
  if (nanosecond_wait_) {
    timespec time{};
    if (timeout.has_value()) {
      const auto seconds = std::chrono::floor<std::chrono::seconds>(*timeout);
      time.tv_sec = seconds.count();
      time.tv_nsec = (*timeout - seconds).count();
    }
    const int count = ::epoll_pwait2(epoll_.get(), events_.data(), at_most,
                                     timeout.has_value() ? &time : nullptr, nullptr);
    if (count >= 0 || errno != ENOSYS) return count;
    nanosecond_wait_ = false;
  }
  int milliseconds = -1;
  if (timeout.has_value()) {
    // Rounded up: waking early would only mean to come back for the rest.
    const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(*timeout).count();
    milliseconds = static_cast<int>(std::min<std::int64_t>(rounded, INT_MAX));
  }
  return ::epoll_wait(epoll_.get(), events_.data(), at_most, milliseconds);
}

std::error_code EpollBackend::watch(Watch& watch) {
  epoll_event event = event_for(watch);
  const int action = watch.wanted ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (::epoll_ctl(epoll_.get(), action, watch.fd, &event) != 0) return errno_code(errno);
  if (!watch.wanted) ++watched_;
  watch.wanted = true;
  return {};
}

void EpollBackend::unwatch(Watch& watch) noexcept {
  if (!watch.wanted) return;
  watch.wanted = false;
  --watched_;
  // In a forked process the epoll instance is that of the parent, which still watches.
  if (!process_.inherited()) {
    // Fails only when the descriptor was closed already, and then there is nothing to remove.
    epoll_event ignored{};
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, watch.fd, &ignored);
  }
  retired_.push_back(watch.shared_from_this());
}

}  // namespace rondo
