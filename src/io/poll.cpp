#include "rondo/poll.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <utility>

#include "core/loop_core.h"

namespace rondo {

namespace {

struct EventBit {
  PollEvents event;
  std::uint32_t bits;
};

constexpr EventBit kEventBits[] = {
    {PollEvents::readable, POLLIN},  {PollEvents::writable, POLLOUT},
    {PollEvents::priority, POLLPRI}, {PollEvents::hang_up, POLLRDHUP | POLLHUP},
    {PollEvents::error, POLLERR},
};

std::uint32_t to_bits(PollEvents events) noexcept {
  std::uint32_t bits = 0;
  for (const auto& [event, event_bits] : kEventBits) {
    if (any(events & event)) bits |= event_bits;
  }
  return bits;
}

PollEvents from_bits(std::uint32_t bits) noexcept {
  PollEvents events = PollEvents::none;
  for (const auto& [event, event_bits] : kEventBits) {
    if ((bits & event_bits) != 0) events = events | event;
  }
  return events;
}

}  // namespace

class Poll::State final : public Watch, public Handle {
 public:
  State(LoopCore& core, int descriptor) noexcept : Handle(core) { fd = descriptor; }

  Expected<> start(PollEvents wanted_events, Callback<void(PollEvents)> callback) {
    if (core() == nullptr || closed_ || !any(wanted_events)) {
      return std::unexpected(errno_code(EINVAL));
    }
    core()->check_thread();
    if (!callback) throw Misuse("ERR_INVALID_CALLBACK", "the callback is empty");
    if (const std::error_code error = pollable()) return std::unexpected(error);
    events = to_bits(wanted_events);
    if (const std::error_code error = core()->backend().watch(*this)) {
      return std::unexpected(error);
    }
    core()->door().scheduled(task());
    set_active(true);
    // Last: the destructor of the old callable may stop this handle.
    const auto replaced =
        std::exchange(callback_, std::make_shared<Callback<void(PollEvents)>>(std::move(callback)));
    return {};
  }

  void stop() noexcept {
    if (!active()) return;
    core()->backend().unwatch(*this);
    stale_ = collected;
    core()->door().cancelled(task());
    set_active(false);
    callback_ = nullptr;
  }

  void close(Callback<> callback) {
    if (core() == nullptr) return;
    core()->check_thread();
    const auto keep = shared_from_this();
    LoopCore& core = *this->core();
    stop();
    closed_ = true;
    if (callback && !core.ending()) core.close().add(std::move(callback));
  }

  bool closed() const noexcept { return closed_ || core() == nullptr; }

  void check_thread() const {
    if (core() != nullptr) core()->check_thread();
  }

 private:
  void complete(std::int32_t result, std::uint32_t /*flags*/) override {
    // Stopped by an earlier callback of the same batch, and perhaps started again since.
    collected = false;
    if (std::exchange(stale_, false) || !active()) return;
    // The kernel refuses to watch only what is not a descriptor any more: report it once.
    const auto bits = result < 0 ? std::uint32_t{POLLERR} : static_cast<std::uint32_t>(result);
    const PollEvents ready = from_bits(bits & (events | POLLERR | POLLHUP));
    if (!any(ready)) return;  // what is watched has changed meanwhile
    const auto keep = shared_from_this();
    core()->door().run(task(), [&] {
      // Here, so that a callable that is released is destroyed before the ticks run.
      const auto callback = callback_;
      if (result < 0) stop();
      (*callback)(ready);
    });
  }

  void loop_ends() noexcept override {
    stop();
    detach();
  }

  /// Regular files and folders are always ready; epoll refuses them and so do we everywhere.
  std::error_code pollable() const noexcept {
    struct stat status{};
    if (::fstat(fd, &status) != 0) return errno_code(errno);
    if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return errno_code(EPERM);
    // /dev/null, /dev/zero, /dev/full
    if (S_ISCHR(status.st_mode) && major(status.st_rdev) == 1) {
      const unsigned device = minor(status.st_rdev);
      if (device == 3 || device == 5 || device == 7) return errno_code(EPERM);
    }
    return {};
  }

  Task task() const noexcept {
    return {TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  }

  bool closed_ = false;
  bool stale_ = false;  // stopped with an event collected and not delivered
  // Shared, so that the callback may replace itself while it runs.
  std::shared_ptr<Callback<void(PollEvents)>> callback_;
};

Poll::Poll(Loop& loop, int fd) {
  loop.core().check_thread();
  state_ = std::make_shared<State>(loop.core(), fd);
}

Poll::~Poll() {
  if (state_ == nullptr) return;
  state_->check_drop();
  state_->close(nullptr);
}

Poll::Poll(Poll&&) noexcept = default;

Poll& Poll::operator=(Poll&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Expected<> Poll::start(PollEvents events, Callback<void(PollEvents)> callback) {
  if (state_ == nullptr) return std::unexpected(errno_code(EBADF));
  return state_->start(events, std::move(callback));
}

void Poll::stop() {
  if (state_ == nullptr) return;
  if (state_->core() == nullptr) return;
  state_->core()->check_thread();
  state_->stop();
}

void Poll::close(Callback<> callback) {
  if (state_ == nullptr) return;
  state_->close(std::move(callback));
}

Poll& Poll::ref() {
  if (state_ == nullptr) return *this;
  state_->check_thread();
  state_->set_referenced(true);
  return *this;
}

Poll& Poll::unref() {
  if (state_ == nullptr) return *this;
  state_->check_thread();
  state_->set_referenced(false);
  return *this;
}

bool Poll::has_ref() const {
  if (state_ == nullptr) return false;
  state_->check_thread();
  return state_->referenced();
}
bool Poll::active() const {
  if (state_ == nullptr) return false;
  state_->check_thread();
  return state_->active();
}
bool Poll::closed() const {
  if (state_ == nullptr) return true;
  state_->check_thread();
  return state_->closed();
}
int Poll::fd() const {
  if (state_ == nullptr) return -1;
  return state_->fd;
}

}  // namespace rondo
