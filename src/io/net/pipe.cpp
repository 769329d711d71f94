#include "rondo/pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "core/loop_core.h"
#include "io/begin_on.h"
#include "io/descriptor.h"
#include "io/quiet_write.h"

namespace rondo {
namespace detail {

namespace {

/// One read or write in progress, inside the operation that was begun.
class Transfer final : public Operation {
 public:
  Transfer(std::shared_ptr<PipeState> state, std::byte* data, std::size_t size, bool writes,
           Waiter waiter) noexcept
      : data_(data), size_(size), writes_(writes), waiter_(waiter), state_(std::move(state)) {}
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Tries; nothing if it has to wait, else a count or a negative errno.
  std::optional<std::int64_t> attempt(int fd, bool is_socket) noexcept;

  void cancel() noexcept;
  void finish(std::int64_t result);
  void finish_soon(std::int64_t result);

  bool writes() const noexcept { return writes_; }
  std::int64_t result() const noexcept { return result_; }

  bool queued = false;
  Transfer* next = nullptr;  // in the queue

 private:
  void complete(std::int32_t result, std::uint32_t flags) override;

  std::byte* data_;
  std::size_t size_;
  std::size_t done_ = 0;
  bool writes_;
  std::int64_t result_ = 0;
  Waiter waiter_;
  std::shared_ptr<PipeState> state_;
};

}  // namespace

class PipeState final : public Watch, public LoopOwned {
 public:
  PipeState(LoopCore& core, int descriptor) : LoopOwned(core), descriptor_(descriptor) {
    fd = descriptor;
    struct stat status{};
    is_socket_ = ::fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
    const int flags = ::fcntl(fd, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) == 0) ::fcntl(fd, F_SETFL, flags | O_NONBLOCK);
  }

  void start(Transfer& transfer) {
    core()->begin_request();
    if (!descriptor_) return transfer.finish_soon(-EBADF);
    auto& side = side_of(transfer);
    if (side.idle()) {
      if (const auto result = transfer.attempt(fd, is_socket_)) {
        return transfer.finish_soon(*result);
      }
    }
    side.push_back(transfer);
    watch_what_waits();
  }

  /// Takes a transfer out of the queue it waits in.
  void take_out(Transfer& transfer) noexcept {
    side_of(transfer).erase(transfer);
    watch_what_waits();
  }

  void soon(Transfer& transfer, bool one_more) noexcept {
    auto& count = side_of(transfer).soon;
    one_more ? ++count : --count;
  }

  void close_write() noexcept {
    if (!descriptor_) return;
    if (!is_socket_) return close();
    ::shutdown(fd, SHUT_WR);
  }

  void close() noexcept {
    if (!descriptor_) return;
    // First out of the kernel, then closed: epoll cannot forget what is closed already.
    if (core() != nullptr) core()->backend().unwatch(*this);
    descriptor_ = Descriptor();
    fail_all(ECANCELED);
  }

  int release() {
    if (!reads_.idle() || !writes_.idle()) {
      throw Misuse("ERR_INVALID_STATE", "the pipe is being read or written");
    }
    return descriptor_.release();
  }

  bool is_open() const noexcept { return static_cast<bool>(descriptor_); }

 private:
  /// What waits to be read or to be written. Results are reported in order: while one that was
  /// known immediately has not been reported, the next does not begin.
  struct Side {
    Transfer* first = nullptr;
    Transfer* last = nullptr;
    std::size_t soon = 0;

    bool idle() const noexcept { return first == nullptr && soon == 0; }
    void push_back(Transfer& transfer) noexcept {
      transfer.queued = true;
      transfer.next = nullptr;
      (first == nullptr ? first : last->next) = &transfer;
      last = &transfer;
    }
    void erase(Transfer& transfer) noexcept {
      transfer.queued = false;
      Transfer* before = nullptr;
      if (first != &transfer) {
        for (before = first; before->next != &transfer; before = before->next) {
        }
      }
      (before == nullptr ? first : before->next) = transfer.next;
      if (last == &transfer) last = before;
    }
  };

  Side& side_of(const Transfer& transfer) noexcept { return transfer.writes() ? writes_ : reads_; }

  void watch_what_waits() noexcept {
    if (core() == nullptr || !descriptor_) return;
    const std::uint32_t wanted_events = (reads_.first == nullptr ? 0U : std::uint32_t{POLLIN}) |
                                        (writes_.first == nullptr ? 0U : std::uint32_t{POLLOUT});
    if (wanted_events == 0) return core()->backend().unwatch(*this);
    if (wanted && wanted_events == events) return;
    events = wanted_events;
    if (const std::error_code error = core()->backend().watch(*this)) fail_all(error.value());
  }

  void fail_all(int error) noexcept {
    for (Side* side : {&reads_, &writes_}) {
      while (side->first != nullptr) {
        Transfer& transfer = *side->first;
        side->erase(transfer);
        // Without a loop nothing is reported any more: the waiting operations are about to be
        // destroyed.
        if (core() != nullptr) transfer.finish_soon(-error);
      }
    }
  }

  void complete(std::int32_t result, std::uint32_t /*flags*/) override {
    if (!wanted) return;  // by an earlier callback of the same batch
    const auto keep = shared_from_this();
    const auto ready = result < 0 ? std::uint32_t{POLLERR} : static_cast<std::uint32_t>(result);
    // One of each side: user code runs in between, and may do anything. What still holds is
    // reported again.
    if ((ready & ~std::uint32_t{POLLOUT}) != 0) advance(reads_);
    if ((ready & ~std::uint32_t{POLLIN | POLLHUP}) != 0) advance(writes_);
  }

  void advance(Side& side) {
    if (side.first == nullptr || side.soon != 0 || !descriptor_) return;
    Transfer& first = *side.first;
    const auto outcome = first.attempt(fd, is_socket_);
    if (!outcome) return;
    take_out(first);
    first.finish(*outcome);
  }

  void loop_ends() noexcept override {
    core()->backend().unwatch(*this);
    // Waiting operations are destroyed with the loop; each removes itself from the queue.
    leave();
  }

  Descriptor descriptor_;
  bool is_socket_ = false;
  Side reads_;
  Side writes_;
};

// ---- One read or write -------------------------------------------------------------------------

namespace {

Transfer::~Transfer() {
  if (queued) state_->take_out(*this);
}

std::optional<std::int64_t> Transfer::attempt(int fd, bool is_socket) noexcept {
  for (;;) {
    const std::span<std::byte> rest(data_ + done_, size_ - done_);
    const ssize_t count =
        writes_ ? quiet_write(fd, rest, is_socket) : ::read(fd, rest.data(), rest.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) return std::nullopt;
      // The other end of a terminal is closed: for a reader, that is the end.
      if (errno == EIO && !writes_ && ::isatty(fd) == 1) return 0;
      return -errno;
    }
    done_ += static_cast<std::size_t>(count);
    if (!writes_ || done_ == size_) return static_cast<std::int64_t>(done_);
  }
}

void Transfer::cancel() noexcept {
  if (!queued) return;  // it is done
  state_->take_out(*this);
  finish_soon(-ECANCELED);
}

void Transfer::finish_soon(std::int64_t result) {
  result_ = result;
  state_->soon(*this, true);
  state_->core()->complete_soon(*this, 0);
}

void Transfer::complete(std::int32_t /*result*/, std::uint32_t /*flags*/) {
  state_->soon(*this, false);
  finish(result_);
}

void Transfer::finish(std::int64_t result) {
  result_ = result;
  LoopCore& core = *state_->core();
  core.end_request();
  const Task task{TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  core.door().run(task, [waiter = waiter_] { waiter(); });
}

}  // namespace

PipeTransfer::PipeTransfer(std::shared_ptr<PipeState> state, std::byte* data, std::size_t size,
                           bool writes) noexcept
    : state_(std::move(state)), data_(data), size_(size), writes_(writes) {}
PipeTransfer::~PipeTransfer() = default;
PipeTransfer::PipeTransfer(PipeTransfer&&) noexcept = default;

void PipeTransfer::begin(const AsyncContext& context, Waiter waiter) {
  // One whose loop is gone is as closed as one that never was.
  const PipeState* alive = state_ != nullptr && state_->core() != nullptr ? state_.get() : nullptr;
  if (!begins_on(alive, context, waiter, error_)) return;
  state_->start(transfer_.make<Transfer>(state_, data_, size_, writes_, waiter));
}

void PipeTransfer::cancel() noexcept {
  if (error_) return;
  transfer_.get<Transfer>().cancel();
}

Expected<std::size_t> PipeTransfer::take_result() {
  if (error_) return std::unexpected(error_);
  const std::int64_t result = transfer_.get<Transfer>().result();
  if (result < 0) return std::unexpected(errno_code(static_cast<int>(-result)));
  return static_cast<std::size_t>(result);
}

}  // namespace detail

// ---- Pipe --------------------------------------------------------------------------------------

Pipe::Pipe() noexcept = default;

Pipe::Pipe(Loop& loop, int fd) {
  loop.core().check_thread();
  state_ = std::make_shared<detail::PipeState>(loop.core(), fd);
}

Pipe::~Pipe() {
  if (state_ == nullptr) return;
  state_->check_drop();
  close();
}
Pipe::Pipe(Pipe&&) noexcept = default;
Pipe& Pipe::operator=(Pipe&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

PipeReadOp Pipe::read(std::span<std::byte> buffer) {
  return {state_, buffer.data(), buffer.size(), false};
}

PipeWriteOp Pipe::write(std::span<const std::byte> data) {
  // Only ever read from when it writes.
  return {state_, const_cast<std::byte*>(data.data()), data.size(), true};
}

Async<Expected<>> Pipe::read_all(std::string& into, std::size_t most) {
  // The state, not the pipe: that may be moved meanwhile.
  const auto state = state_;
  constexpr std::size_t kFirst = 4096;
  constexpr std::size_t kLargest = 64 * 1024;
  std::size_t length = into.size();
  const std::size_t limit = most - std::min(most, length);
  std::size_t taken = 0;
  for (;;) {
    // One byte more than allowed, to see whether there is more.
    const std::size_t room = std::min(limit - taken + 1, std::clamp(length, kFirst, kLargest));
    into.resize(length + room);
    const std::span<char> free(into.data() + length, room);
    const auto bytes = std::as_writable_bytes(free);
    PipeReadOp read(state, bytes.data(), bytes.size(), false);
    const Expected<std::size_t> count = co_await std::move(read);
    const std::size_t got = count.value_or(0);
    const bool too_much = taken + got > limit;
    taken = std::min(limit, taken + got);
    length += too_much ? got - 1 : got;
    into.resize(length);
    if (!count) co_return std::unexpected(count.error());
    if (too_much) co_return std::unexpected(errno_code(ENOBUFS));
    if (got == 0) co_return Expected<>{};
  }
}

Async<Expected<std::string>> Pipe::read_all(std::size_t most) {
  std::string text;
  const Expected<> done = co_await read_all(text, most);
  if (!done) co_return std::unexpected(done.error());
  co_return std::move(text);
}

void Pipe::close_write() {
  if (state_ != nullptr) state_->close_write();
}

void Pipe::close() {
  if (state_ != nullptr) state_->close();
}

bool Pipe::is_open() const {
  return state_ != nullptr && state_->is_open();
}
int Pipe::fd() const {
  return is_open() ? state_->fd : -1;
}
int Pipe::release() {
  return state_ == nullptr ? -1 : state_->release();
}

}  // namespace rondo
