// Operations on open files, and opening them.
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <climits>

#include "io/fs/operation.h"
#include "io/fs/system.h"

namespace rondo {

namespace detail {

namespace {

class OpenCall final : public FileCall<OpenCall, fs::File> {
 public:
  OpenCall(fs::Path path, int flags, mode_t mode) noexcept
      : path_(std::move(path)), flags_(flags), mode_(mode) {
    check(path_);
  }

 private:
  bool only_looks() const noexcept override {
    return (flags_ & (O_ACCMODE | O_CREAT | O_TRUNC)) == O_RDONLY;
  }
  Outcome try_at_once() override {
    if (ask_thread_) return std::nullopt;
    const Outcome fd = open_cached(path_.c_str(), flags_);
    if (!fd.has_value()) return std::nullopt;
    return opened(*fd);
  }

  // Everywhere with O_NONBLOCK: see fs.h about FIFOs, which would block a worker of the kernel's.
  bool on_ring() const noexcept override { return !ask_thread_; }
  void prepare(io_uring_sqe& entry) noexcept override {
    entry.opcode = IORING_OP_OPENAT;
    entry.fd = AT_FDCWD;
    entry.addr = address_of(path_.c_str());
    entry.len = mode_;
    entry.open_flags = static_cast<std::uint32_t>(flags_ | O_CLOEXEC | nonblock());
  }
  Outcome answered(std::int32_t result) override {
    if (wants_patience(result)) {
      ask_thread_ = true;
      return std::nullopt;
    }
    return opened(result);
  }

  std::int32_t perform() override {
    if ((flags_ & (O_NONBLOCK | O_PATH)) != 0) {
      return opened(open_blocking(path_.c_str(), flags_, mode_));
    }
    return opened(open_patiently(path_.c_str(), flags_, mode_, [this] { return stop_wanted(); }));
  }

  Expected<fs::File> take() override { return FileOpMaker::file(core(), fd_.release()); }

  int nonblock() const noexcept { return (flags_ & O_PATH) != 0 ? 0 : O_NONBLOCK; }

  /// Errors that only O_NONBLOCK causes.
  bool wants_patience(std::int32_t result) const noexcept {
    return (flags_ & (O_NONBLOCK | O_PATH)) == 0 && (result == -ENXIO || result == -EWOULDBLOCK);
  }

  std::int32_t opened(std::int32_t fd) noexcept {
    if (fd < 0) return fd;
    fd_.hold(core(), fd);
    if ((flags_ & (O_NONBLOCK | O_PATH)) == 0) make_blocking(fd);
    return 0;
  }

  fs::Path path_;
  int flags_;
  mode_t mode_;
  bool ask_thread_ = false;
  HeldDescriptor fd_;
};

// ---- Reading and writing ----------------------------------------------------------------------

/// Where to read or write: a few buffers inside, more of them allocated.
class Places {
 public:
  Places(void* data, std::size_t size) noexcept : count_(1) { few_[0] = {data, size}; }
  template <class Spans>
  explicit Places(Spans spans) : count_(spans.size()) {
    if (count_ > few_.size()) many_ = std::make_unique<iovec[]>(count_);
    std::ranges::transform(spans, data(), [](auto span) {
      return iovec{const_cast<std::byte*>(span.data()), span.size()};
    });
  }

  iovec* data() noexcept { return many_ != nullptr ? many_.get() : few_.data(); }
  int count() const noexcept { return static_cast<int>(count_); }
  bool too_many() const noexcept { return count_ > IOV_MAX; }

 private:
  std::array<iovec, 4> few_{};
  std::unique_ptr<iovec[]> many_;
  std::size_t count_;
};

constexpr std::size_t kMostAtOnce = 0x7ffff000;  // the kernel's own limit for one call

// The position of a file is not for the ring: io_uring takes it without the kernel's lock when it
// begins, and does not store it after a transfer that an error cut short. Two writes may get the
// same place.
template <class Self>
class TransferCall : public FileCall<Self, std::size_t> {
 public:
  TransferCall(int fd, Places places, fs::Offset offset) noexcept
      : fd_(fd),
        places_(std::move(places)),
        offset_(offset.has_value() ? static_cast<off64_t>(*offset) : -1) {
    if (places_.too_many() || (offset.has_value() && offset_ < 0)) this->refuse(EINVAL);
  }

 protected:
  void prepare_transfer(io_uring_sqe& entry, std::uint8_t to_one, std::uint8_t to_many) noexcept {
    entry.fd = fd_;
    entry.off = static_cast<std::uint64_t>(offset_);  // all ones: of a stream
    if (places_.count() == 1) {
      const iovec& place = *places_.data();
      entry.opcode = to_one;
      entry.addr = address_of(place.iov_base);
      entry.len = static_cast<std::uint32_t>(std::min(place.iov_len, kMostAtOnce));
    } else {
      entry.opcode = to_many;
      entry.addr = address_of(places_.data());
      entry.len = static_cast<std::uint32_t>(places_.count());
    }
  }

  bool at_position() const noexcept { return offset_ < 0; }

  int fd_;
  Places places_;
  off64_t offset_;
};

class ReadCall final : public TransferCall<ReadCall> {
 public:
  using TransferCall::TransferCall;

 private:
  Outcome try_at_once() override {
    if (ask_thread_) return std::nullopt;
    const std::int32_t result = read(RWF_NOWAIT);
    if (result == -EINTR) return std::nullopt;
    if (result == -EAGAIN || result == -EOPNOTSUPP) {
      if (never_waits(fd_)) return read(0);
      ask_thread_ = at_position() && !is_stream(fd_);
      return std::nullopt;
    }
    if (ends_too_early(result)) {
      await_ready_ = true;
      return std::nullopt;
    }
    return result;
  }

  bool on_ring() const noexcept override { return !ask_thread_; }
  void prepare(io_uring_sqe& entry) noexcept override {
    if (!await_ready_) {
      prepare_transfer(entry, IORING_OP_READ, IORING_OP_READV);
      return;
    }
    entry.opcode = IORING_OP_POLL_ADD;
    entry.fd = fd_;
    entry.poll32_events = POLLIN;
  }
  Outcome answered(std::int32_t result) override {
    if (await_ready_ && result >= 0) {
      await_ready_ = false;
      return std::nullopt;
    }
    // The kernel takes O_NONBLOCK of a regular file for the wish not to wait; read(2) does not.
    if (result == -EAGAIN) {
      ask_thread_ = true;
      return std::nullopt;
    }
    if (ends_too_early(result)) {
      await_ready_ = true;
      return std::nullopt;
    }
    return result;
  }

  std::int32_t perform() override {
    if (never_waits(fd_)) return retrying([this] { return read(0); });
    for (;;) {
      if (const std::int32_t error = wait_ready(fd_, POLLIN, [this] { return stop_wanted(); })) {
        return error;
      }
      const std::int32_t result = retrying([this] { return read(0); });
      if (result == -EAGAIN) continue;  // another reader was faster
      return result;
    }
  }

  /// The result as io_uring has it.
  std::int32_t read(int flags) noexcept {
    return or_errno(::preadv2(fd_, places_.data(), places_.count(), offset_, flags));
  }
  bool ends_too_early(std::int32_t result) noexcept {
    return result == 0 && !nothing_asked() && no_writer_yet(fd_) && !never_waits(fd_);
  }
  bool nothing_asked() noexcept {
    return std::ranges::all_of(std::span(places_.data(), static_cast<std::size_t>(places_.count())),
                               [](const iovec& place) { return place.iov_len == 0; });
  }

  bool await_ready_ = false;  // the next step is to wait
  bool ask_thread_ = false;
};

class WriteCall final : public TransferCall<WriteCall> {
 public:
  using TransferCall::TransferCall;

 private:
  Outcome try_at_once() override {
    if (ask_thread_) return std::nullopt;
    struct stat status{};
    if (::fstat(fd_, &status) != 0) return -errno;
    regular_ = S_ISREG(status.st_mode);
    if (!regular_) {
      if (!at_position() && is_stream(fd_)) return -ESPIPE;
      return open_for_writing(fd_) ? Outcome() : -EBADF;
    }
    const std::int32_t result = write(RWF_NOWAIT);
    if (result == -EAGAIN || result == -EOPNOTSUPP || result == -EINTR) return std::nullopt;
    return result;
  }

  // Writing to a FIFO without a reader raises SIGPIPE, unless a thread of the pool does it.
  bool on_ring() const noexcept override { return regular_ && !at_position() && !ask_thread_; }
  void prepare(io_uring_sqe& entry) noexcept override {
    prepare_transfer(entry, IORING_OP_WRITE, IORING_OP_WRITEV);
  }
  Outcome answered(std::int32_t result) override {
    if (result != -EAGAIN) return result;
    // As with reading: O_NONBLOCK of a regular file.
    ask_thread_ = true;
    return std::nullopt;
  }

  std::int32_t perform() override {
    if (regular_ || never_waits(fd_)) return retrying([this] { return write(0); });
    for (;;) {
      if (const std::int32_t error = wait_ready(fd_, POLLOUT, [this] { return stop_wanted(); })) {
        return error;
      }
      // What finds room, not all: the rest might never do.
      std::int32_t result = retrying([this] { return write(RWF_NOWAIT); });
      if (result == -EOPNOTSUPP) result = write_what_fits();
      if (result != -EAGAIN) return result;
    }
  }

  std::int32_t write(int flags) noexcept {
    return or_errno(::pwritev2(fd_, places_.data(), places_.count(), offset_, flags));
  }

  /// To a FIFO: what POLLOUT promises to find room. To a device: everything.
  std::int32_t write_what_fits() noexcept {
    struct stat status{};
    if (::fstat(fd_, &status) != 0) return -errno;
    if (!S_ISFIFO(status.st_mode)) return retrying([this] { return write(0); });
    const iovec* first = places_.data();
    while (first->iov_len == 0 && first + 1 != places_.data() + places_.count()) ++first;
    const std::size_t piece = std::min<std::size_t>(first->iov_len, PIPE_BUF);
    return retrying([&] { return or_errno(::write(fd_, first->iov_base, piece)); });
  }

  bool regular_ = false;
  bool ask_thread_ = false;
};

class SendfileCall final : public FileCall<SendfileCall, std::size_t> {
 public:
  SendfileCall(int out, int in, std::uint64_t offset, std::size_t count) noexcept
      : out_(out), in_(in), offset_(static_cast<off64_t>(offset)), left_(count) {
    if (offset_ < 0) refuse(EINVAL);
  }

 private:
  Outcome try_at_once() override { return open_for_writing(out_) ? Outcome() : -EBADF; }
  std::int32_t perform() override {
    constexpr std::size_t kPiece = 1U << 18;
    while (left_ != 0) {
      std::int32_t sent = wait_ready(out_, POLLOUT, [this] { return stop_wanted(); });
      if (sent == 0) {
        const std::size_t piece = std::min(left_, kPiece);
        sent = retrying([&] { return ::sendfile64(out_, in_, &offset_, piece); });
      }
      if (sent == -EAGAIN) continue;
      if (sent < 0) return sent_ != 0 ? 0 : sent;
      if (sent == 0) break;
      sent_ += static_cast<std::size_t>(sent);
      left_ -= static_cast<std::size_t>(sent);
      if (stop_wanted()) return sent_ != 0 ? 0 : -ECANCELED;
    }
    return 0;
  }
  Expected<std::size_t> take() override { return sent_; }

  int out_;
  int in_;
  off64_t offset_;
  std::size_t left_;
  std::size_t sent_ = 0;
};

// ---- The rest -----------------------------------------------------------------------------------

class FstatCall final : public FileCall<FstatCall, fs::Stat> {
 public:
  explicit FstatCall(int fd) noexcept : fd_(fd) {}

 private:
  bool only_looks() const noexcept override { return true; }
  Outcome try_at_once() override { return perform(); }
  std::int32_t perform() override {
    struct ::statx status{};
    const std::int32_t result = or_errno(::statx(fd_, "", AT_EMPTY_PATH, kStatxMask, &status));
    if (result == 0) stat_ = to_stat(status);
    return result;
  }
  Expected<fs::Stat> take() override { return stat_; }

  int fd_;
  fs::Stat stat_;
};

class SyncCall final : public FileCall<SyncCall, void> {
 public:
  SyncCall(int fd, bool data_only) noexcept : fd_(fd), data_only_(data_only) {}

 private:
  bool on_ring() const noexcept override { return true; }
  void prepare(io_uring_sqe& entry) noexcept override {
    entry.opcode = IORING_OP_FSYNC;
    entry.fd = fd_;
    entry.fsync_flags = data_only_ ? IORING_FSYNC_DATASYNC : 0;
  }
  std::int32_t perform() override {
    return retrying([this] { return data_only_ ? ::fdatasync(fd_) : ::fsync(fd_); });
  }

  int fd_;
  bool data_only_;
};

}  // namespace

}  // namespace detail

namespace fs {

using detail::make_file_op;

Op<File> open(Path path, int flags, mode_t mode) {
  return make_file_op<detail::OpenCall>(std::move(path), flags, mode);
}

Op<std::size_t> read(int fd, std::span<std::byte> buffer, Offset offset) {
  return make_file_op<detail::ReadCall>(fd, detail::Places(buffer.data(), buffer.size()), offset);
}
Op<std::size_t> read(int fd, Buffers buffers, Offset offset) {
  return make_file_op<detail::ReadCall>(fd, detail::Places(buffers), offset);
}
Op<std::size_t> write(int fd, std::span<const std::byte> data, Offset offset) {
  auto* start = const_cast<std::byte*>(data.data());
  return make_file_op<detail::WriteCall>(fd, detail::Places(start, data.size()), offset);
}
Op<std::size_t> write(int fd, ConstBuffers data, Offset offset) {
  return make_file_op<detail::WriteCall>(fd, detail::Places(data), offset);
}
Async<Expected<>> File::write_all_to(int fd, std::span<const std::byte> data, Offset offset) {
  while (!data.empty()) {
    const auto written = co_await fs::write(fd, data, offset);
    if (!written) co_return std::unexpected(written.error());
    data = data.subspan(*written);
    if (offset.has_value()) *offset += *written;
  }
  co_return Expected<>();
}

Async<Expected<std::string>> File::read_all_of(int fd, std::size_t at_most) {
  const auto stat = co_await fs::fstat(fd);
  if (!stat) co_return std::unexpected(stat.error());
  constexpr std::size_t kLeast = std::size_t{16} << 10;
  // A byte more than the file has shows its end without another call.
  std::string text(std::clamp<std::size_t>(stat->size + 1, kLeast, std::size_t{1} << 26), '\0');
  std::size_t size = 0;
  for (;;) {
    if (size == text.size()) text.resize(size * 2);
    const auto count = co_await fs::read(fd, std::as_writable_bytes(std::span(text).subspan(size)));
    if (!count) co_return std::unexpected(count.error());
    if (*count == 0) break;
    size += *count;
    if (size > at_most) co_return std::unexpected(errno_code(EFBIG));
  }
  text.resize(size);
  co_return text;
}

Op<std::size_t> sendfile(int out_fd, int in_fd, std::uint64_t offset, std::size_t count) {
  return make_file_op<detail::SendfileCall>(out_fd, in_fd, offset, count);
}

Op<Stat> fstat(int fd) {
  return make_file_op<detail::FstatCall>(fd);
}
Op<void> fsync(int fd) {
  return make_file_op<detail::SyncCall>(fd, false);
}
Op<void> fdatasync(int fd) {
  return make_file_op<detail::SyncCall>(fd, true);
}

Op<void> ftruncate(int fd, std::uint64_t size) {
  const auto length = static_cast<off64_t>(size);
  return detail::on_thread<void>([=] { return ::ftruncate64(fd, length); },
                                 length >= 0 ? 0 : EINVAL);
}
Op<void> fchmod(int fd, mode_t mode) {
  return detail::on_thread<void>([=] { return ::fchmod(fd, mode); });
}
Op<void> fchown(int fd, uid_t uid, gid_t gid) {
  return detail::on_thread<void>([=] { return ::fchown(fd, uid, gid); });
}
Op<void> futimes(int fd, FileTime atime, FileTime mtime) {
  return detail::on_thread<void>([=] {
    const auto times = detail::to_timespecs(atime, mtime);
    return ::futimens(fd, times.data());
  });
}

}  // namespace fs
}  // namespace rondo
