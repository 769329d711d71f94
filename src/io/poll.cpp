#include "rondo/poll.h"

#include <poll.h>
#include <sys/stat.h>

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
    {PollEvents::readable, POLLIN},   {PollEvents::writable, POLLOUT},
    {PollEvents::priority, POLLPRI},  {PollEvents::hang_up, POLLRDHUP | POLLHUP},
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
    callback_ = std::make_shared<Callback<void(PollEvents)>>(std::move(callback));
    core()->door().scheduled(task());
    set_active(true);
    return {};
  }

  void stop() noexcept {
    if (!active()) return;
    core()->backend().unwatch(*this);
    core()->door().cancelled(task());
    set_active(false);
    callback_ = nullptr;
  }

  void close(Callback<> callback) {
    if (core() == nullptr) return;
    core()->check_thread();
    stop();
    closed_ = true;
    if (callback && !core()->ending()) core()->close().add(std::move(callback));
  }

  bool closed() const noexcept { return closed_ || core() == nullptr; }

 private:
  void complete(std::int32_t result, std::uint32_t /*flags*/) override {
    if (!active()) return;  // stopped by an earlier callback of the same batch
    // The kernel refuses to watch only what is no descriptor any more: tell it once.
    const auto bits = result < 0 ? std::uint32_t{POLLERR} : static_cast<std::uint32_t>(result);
    const PollEvents ready = from_bits(bits & (events | POLLERR | POLLHUP));
    if (!any(ready)) return;  // what is watched has changed meanwhile
    const auto keep = shared_from_this();
    const auto callback = callback_;
    if (result < 0) stop();
    core()->door().run(task(), [&] { (*callback)(ready); });
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
    return {};
  }

  Task task() const noexcept {
    return {TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  }

  bool closed_ = false;
  // Shared, so that the callback may replace itself while it runs.
  std::shared_ptr<Callback<void(PollEvents)>> callback_;
};

Poll::Poll(Loop& loop, int fd) {
  loop.core().check_thread();
  state_ = std::make_shared<State>(loop.core(), fd);
}

Poll::~Poll() {
  if (state_ != nullptr) state_->close(nullptr);
}

Poll::Poll(Poll&&) noexcept = default;

Poll& Poll::operator=(Poll&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Expected<> Poll::start(PollEvents events, Callback<void(PollEvents)> callback) {
  return state_->start(events, std::move(callback));
}

void Poll::stop() {
  if (state_->core() == nullptr) return;
  state_->core()->check_thread();
  state_->stop();
}

void Poll::close(Callback<> callback) { state_->close(std::move(callback)); }

Poll& Poll::ref() {
  state_->set_referenced(true);
  return *this;
}

Poll& Poll::unref() {
  state_->set_referenced(false);
  return *this;
}

bool Poll::has_ref() const { return state_->referenced(); }
bool Poll::active() const { return state_->active(); }
bool Poll::closed() const { return state_->closed(); }
int Poll::fd() const { return state_->fd; }

}  // namespace rondo
