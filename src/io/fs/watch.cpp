#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <utility>

#include "rondo/fs_watch.h"

#include "core/loop_core.h"
#include "io/fs/inotify.h"
#include "io/fs/operation.h"
#include "io/fs/system.h"

namespace rondo::fs {

namespace {

constexpr std::uint32_t kEvents = IN_CREATE | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM |
                                  IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;

constexpr std::chrono::milliseconds kPatience{10};

}  // namespace

class FsWatcher::State final : public Watch, public Handle {
 public:
  State(Loop& loop, Callback<void(const FsEvent&)> callback)
      : Handle(loop.core()),
        loop_(loop),
        callback_(std::make_shared<Callback<void(const FsEvent&)>>(std::move(callback))) {}

  /// `thing` is an O_PATH descriptor: watching it looks nothing up on a disk.
  Expected<> add(const std::string& path, int thing) {
    if (closed()) return std::unexpected(errno_code(EBADF));
    if (const std::int32_t error = open_inotify()) return std::unexpected(errno_code(-error));
    std::array<char, 32> link;
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", thing);
    int wd = ::inotify_add_watch(fd, link.data(), kEvents);
    // Without /proc there is only the path; it was looked up a moment ago.
    if (wd < 0 && errno == ENOENT) wd = ::inotify_add_watch(fd, path.c_str(), kEvents);
    if (wd < 0) return std::unexpected(errno_code(errno));
    paths_.insert_or_assign(wd, path);
    set_active(true);
    return {};
  }

  bool remove(const std::string& path) {
    const auto watched =
        std::ranges::find(paths_, path, [](const auto& each) { return each.second; });
    if (watched == paths_.end()) return false;
    ::inotify_rm_watch(fd, watched->first);
    pairing_.forget(path);
    forget(watched->first);
    return true;
  }

  void close(Callback<> callback) {
    if (core() == nullptr) return;
    core()->check_thread();
    const auto keep = shared_from_this();
    LoopCore& core = *this->core();
    stop();
    if (callback && !core.ending()) core.close().add(std::move(callback));
  }

  std::size_t size() const noexcept { return paths_.size(); }
  bool closed() const noexcept { return callback_ == nullptr || core() == nullptr; }

 private:
  std::int32_t open_inotify() {
    if (fd >= 0) return 0;
    const std::int32_t opened = detail::or_errno(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (opened < 0) return opened;
    fd = opened;
    events = POLLIN;
    if (const std::error_code error = core()->backend().watch(*this)) {
      ::close(std::exchange(fd, -1));
      return -error.value();
    }
    return 0;
  }

  void stop() noexcept {
    patience_.clear();
    paths_.clear();
    const auto callback = std::move(callback_);  // destroyed last: it may own this watcher
    set_active(false);
    if (fd < 0) return;
    core()->backend().unwatch(*this);
    // Releasing many watches takes the kernel some time.
    detail::dispose_descriptor(core(), std::exchange(fd, -1));
  }

  void loop_ends() noexcept override {
    const auto keep = shared_from_this();
    kept_ = nullptr;
    stop();
    detach();
  }

  void forget(int wd) {
    paths_.erase(wd);
    if (paths_.empty()) set_active(false);
  }

  // ---- Events -------------------------------------------------------------------------------

  void complete(std::int32_t /*result*/, std::uint32_t /*flags*/) override {
    if (closed()) return;
    const auto keep = shared_from_this();
    // Room for a few hundred events; what finds none comes with the next iteration.
    alignas(inotify_event) std::array<std::byte, 16384> buffer;
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count <= 0) return;
    std::span<const std::byte> bytes(buffer.data(), static_cast<std::size_t>(count));
    while (const auto record = detail::next_inotify_record(bytes)) take(*record);
    report();
  }

  void take(const detail::InotifyRecord& record) {
    if ((record.mask & IN_Q_OVERFLOW) != 0) {
      pairing_.add("", record);
      return;
    }
    const auto watched_path = paths_.find(record.wd);
    if (watched_path == paths_.end()) return;  // removed meanwhile
    pairing_.add(watched_path->second, record);
    if ((record.mask & IN_IGNORED) != 0) forget(record.wd);
  }

  void report() {
    struct SeeToTheRest {
      State& state;
      ~SeeToTheRest() {
        if (state.closed()) return;
        // Something is left only if an exception leaves: then it comes with the next poll.
        state.pairing_.has_next() ? state.report_soon() : state.wait_for_second_halves();
      }
    } const see_to_the_rest{*this};
    while (!closed()) {
      const std::optional<FsEvent> event = pairing_.next();
      if (!event.has_value()) break;
      const auto callback = callback_;
      core()->door().run({TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)},
                         [&] { (*callback)(*event); });
    }
  }

  void wait_for_second_halves() {
    if (!pairing_.waits() || patience_.active()) return;
    const std::weak_ptr<Watch> weak = weak_from_this();
    patience_ = loop_.set_timeout(kPatience, [weak] {
      const auto strong = weak.lock();
      if (strong != nullptr) static_cast<State&>(*strong).lose_patience();
    });
    // With nothing watched any more, what is known has still to be reported.
    if (!referenced() || active()) patience_.unref();
  }

  /// Events belong to the poll phase, not to that of the timer.
  void lose_patience() {
    if (closed()) return;
    pairing_.give_up();
    report_soon();
  }

  void report_soon() {
    if (kept_ != nullptr) return;
    kept_ = shared_from_this();
    core()->begin_request();
    core()->complete_soon(late_, 0);
  }

  class Late final : public Operation {
   public:
    explicit Late(State& state) noexcept : state_(state) {}
    void complete(std::int32_t /*result*/, std::uint32_t /*flags*/) override {
      const auto keep = std::exchange(state_.kept_, nullptr);
      state_.core()->end_request();
      state_.report();
    }

   private:
    State& state_;
  };

  Loop& loop_;
  // Shared, so that the callback may close the watcher while it runs.
  std::shared_ptr<Callback<void(const FsEvent&)>> callback_;
  std::unordered_map<int, std::string> paths_;  // by watch descriptor
  detail::MovePairing pairing_;
  Timer patience_;
  Late late_{*this};
  std::shared_ptr<Watch> kept_;  // this, while late_ is in progress
};

namespace {

/// Finds what is to be watched without blocking; the rest needs no disk.
class AddCall final : public detail::FileCall<AddCall, void> {
 public:
  AddCall(std::shared_ptr<FsWatcher::State> watcher, Path path) noexcept
      : watcher_(std::move(watcher)), path_(std::move(path)) {
    check(path_);
    watcher_ == nullptr ? refuse(EBADF) : begins_only_on(watcher_->core());
  }

 private:
  Outcome try_at_once() override {
    const Outcome fd = detail::open_cached(path_.c_str(), O_PATH);
    return fd.has_value() ? opened(*fd) : fd;
  }
  bool on_ring() const noexcept override { return true; }
  void prepare(io_uring_sqe& entry) noexcept override {
    entry.opcode = IORING_OP_OPENAT;
    entry.fd = AT_FDCWD;
    entry.addr = detail::address_of(path_.c_str());
    entry.open_flags = O_PATH | O_CLOEXEC;
  }
  Outcome answered(std::int32_t result) override { return opened(result); }
  std::int32_t perform() override {
    return opened(detail::open_blocking(path_.c_str(), O_PATH, 0));
  }

  Expected<> take() override { return watcher_->add(path_.text(), thing_.get()); }

  std::int32_t opened(std::int32_t fd) noexcept {
    if (fd < 0) return fd;
    thing_.hold(core(), fd);
    return 0;
  }

  std::shared_ptr<FsWatcher::State> watcher_;
  Path path_;
  detail::HeldDescriptor thing_;
};

}  // namespace

FsWatcher::FsWatcher(Loop& loop, Callback<void(const FsEvent&)> callback) {
  loop.core().check_thread();
  if (!callback) throw Misuse("ERR_INVALID_CALLBACK", "the callback is empty");
  state_ = std::make_shared<State>(loop, std::move(callback));
}

FsWatcher::~FsWatcher() {
  if (state_ == nullptr) return;
  state_->check_drop();
  state_->close(nullptr);
}

FsWatcher::FsWatcher(FsWatcher&&) noexcept = default;

FsWatcher& FsWatcher::operator=(FsWatcher&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Op<void> FsWatcher::add(Path path) {
  return detail::make_file_op<AddCall>(state_, std::move(path));
}

bool FsWatcher::remove(const Path& path) {
  if (state_ == nullptr) return false;
  return state_->remove(path.text());
}
std::size_t FsWatcher::size() const noexcept {
  if (state_ == nullptr) return 0;
  return state_->size();
}
void FsWatcher::close(Callback<> callback) {
  if (state_ == nullptr) return;
  state_->close(std::move(callback));
}

FsWatcher& FsWatcher::ref() {
  if (state_ == nullptr) return *this;
  state_->set_referenced(true);
  return *this;
}

FsWatcher& FsWatcher::unref() {
  if (state_ == nullptr) return *this;
  state_->set_referenced(false);
  return *this;
}

bool FsWatcher::has_ref() const {
  if (state_ == nullptr) return false;
  return state_->referenced();
}
bool FsWatcher::active() const {
  if (state_ == nullptr) return false;
  return state_->active();
}
bool FsWatcher::closed() const {
  if (state_ == nullptr) return true;
  return state_->closed();
}

}  // namespace rondo::fs
