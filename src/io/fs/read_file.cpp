// read_file: open, look at the size, read, close. All at once if the page cache has it; from the
// first step that would block it continues in the ring or on a thread.
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "io/fs/operation.h"
#include "io/fs/system.h"

namespace rondo {

namespace detail {

namespace {

class ReadFileCall final : public FileCall<ReadFileCall, std::string> {
 public:
  ReadFileCall(fs::Path path, const fs::ReadFileOptions& options) noexcept
      : path_(std::move(path)),
        at_most_(std::min<std::uint64_t>(options.at_most, kFarTooMuch)),
        failure_(options.failure) {
    check(path_);
  }

 private:
  static constexpr std::size_t kFarTooMuch = std::size_t{1} << 62;
  static constexpr std::size_t kFirstGuess = 8192;  // where the size of the file is unknown
  // In one go: to copy takes its time too, and here or in the ring it is the loop's time. A byte
  // more than a round number: the end of a file of that size is found in one go.
  static constexpr std::size_t kMostAtOnce = (1U << 20) + 1;
  static constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

  // ---- The three ways ---------------------------------------------------------------------------

  bool only_looks() const noexcept override { return true; }
  Outcome try_at_once() override {
    if (!fd_.is_open()) {
      const Outcome fd = open_cached(path_.c_str(), O_RDONLY);
      if (!fd.has_value()) return std::nullopt;
      if (const std::int32_t error = opened(*fd)) return error;
    }
    if (await_writer_) return std::nullopt;
    const std::size_t enough = filled_ + kMostAtOnce;
    while (filled_ < enough) {
      if (const std::int32_t error = make_room()) return error;
      const iovec room{content_.data() + filled_, asked_for()};
      const std::int32_t count = or_errno(::preadv2(fd_.get(), &room, 1, offset(), RWF_NOWAIT));
      if (count == -EAGAIN || count == -EOPNOTSUPP || count == -EINTR) break;
      if (const Outcome outcome = took(count)) return outcome;
      if (await_writer_) break;
    }
    // With O_NONBLOCK io_uring completes with EAGAIN instead of waiting.
    make_blocking(fd_.get());
    return std::nullopt;
  }

  bool on_ring() const noexcept override { return !ask_thread_; }
  void prepare(io_uring_sqe& entry) noexcept override {
    if (!fd_.is_open()) {
      entry.opcode = IORING_OP_OPENAT;
      entry.fd = AT_FDCWD;
      entry.addr = address_of(path_.c_str());
      entry.open_flags = kFlags;
    } else if (await_writer_) {
      entry.opcode = IORING_OP_POLL_ADD;
      entry.fd = fd_.get();
      entry.poll32_events = POLLIN;
    } else {
      entry.opcode = IORING_OP_READ;
      entry.fd = fd_.get();
      entry.addr = address_of(content_.data() + filled_);
      entry.len = static_cast<std::uint32_t>(asked_for());
      entry.off = static_cast<std::uint64_t>(offset());
    }
  }
  Outcome answered(std::int32_t result) override {
    if (!fd_.is_open()) {
      if (result == -EWOULDBLOCK) {  // a lease has to be given up first: that takes its time
        ask_thread_ = true;
        return std::nullopt;
      }
      if (const std::int32_t error = opened(result)) return error;
      return std::nullopt;
    }
    if (await_writer_) {
      if (result < 0) return result;
      await_writer_ = false;
      return std::nullopt;
    }
    return took(result);
  }

  std::int32_t perform() override {
    const auto stop = [this] { return stop_wanted(); };
    if (!fd_.is_open()) {
      if (const std::int32_t error = opened(open_patiently(path_.c_str(), O_RDONLY, 0, stop))) {
        return error;
      }
    }
    for (;;) {
      if (stop_wanted()) return -ECANCELED;
      if (const std::int32_t error = make_room()) return error;
      if (!regular_) {
        if (const std::int32_t error = wait_ready(fd_.get(), POLLIN, stop)) return error;
      }
      const std::int32_t count = retrying([this] {
        const iovec room{content_.data() + filled_, asked_for()};
        return ::preadv2(fd_.get(), &room, 1, offset(), 0);
      });
      if (count == -EAGAIN) continue;
      if (const Outcome outcome = took(count)) {
        ::close(fd_.release());  // here, where it may wait
        return *outcome;
      }
    }
  }

  void note_failure() override {
    if (failure_ != nullptr && reading_) *failure_ = {"read", path_.text()};
  }

  Expected<std::string> take() override { return std::move(content_); }

  // ---- The steps --------------------------------------------------------------------------------

  std::int32_t opened(std::int32_t fd) noexcept {
    if (fd < 0) return fd;
    fd_.hold(core(), fd);
    reading_ = true;
    struct stat status{};
    if (::fstat(fd, &status) != 0) return -errno;
    if (S_ISDIR(status.st_mode)) return -EISDIR;
    regular_ = S_ISREG(status.st_mode);
    closes_at_once_ = regular_ && status.st_nlink != 0;
    if (regular_) size_ = static_cast<std::uint64_t>(status.st_size);
    return size_ > at_most_ ? -EFBIG : 0;
  }

  /// There is always room for one byte more than the file is said to have: if that is filled,
  /// the file has grown.
  std::int32_t make_room() {
    if (filled_ < content_.size()) return 0;
    if (filled_ > at_most_) return -EFBIG;
    std::size_t wanted = size_ != 0 ? static_cast<std::size_t>(size_) + 1 : kFirstGuess;
    wanted = std::min(std::max(wanted, filled_ * 2), static_cast<std::size_t>(at_most_) + 1);
    content_.resize_and_overwrite(wanted, [](char*, std::size_t size) { return size; });
    return 0;
  }

  /// By the next read.
  std::size_t asked_for() const noexcept {
    return std::min(content_.size() - filled_, kMostAtOnce);
  }

  /// Has an outcome when that was all.
  Outcome took(std::int32_t count) {
    if (count < 0) return count;
    if (count == 0 && !regular_ && no_writer_yet(fd_.get())) {
      await_writer_ = true;
      return std::nullopt;
    }
    const bool gave_all = static_cast<std::size_t>(count) == asked_for();
    filled_ += static_cast<std::size_t>(count);
    // A short read does not mean the end: only part may have been in the cache, and what /proc
    // makes up as it is read comes in pieces. Zero is, and so is one that stops at the size that
    // was announced although it was asked for more.
    const bool complete = count == 0 || (size_ != 0 && filled_ == size_ && !gave_all);
    if (!complete) return std::nullopt;
    if (filled_ > at_most_) return -EFBIG;
    content_.resize(filled_);
    if (closes_at_once_) ::close(fd_.release());
    return 0;
  }

  /// Pipes and devices have no offset but their own position.
  off64_t offset() const noexcept { return regular_ ? static_cast<off64_t>(filled_) : -1; }

  fs::Path path_;
  std::uint64_t at_most_;
  HeldDescriptor fd_;
  std::uint64_t size_ = 0;
  std::size_t filled_ = 0;
  std::string content_;
  fs::Failure* failure_;
  bool reading_ = false;  // what fails from now on is a read
  bool regular_ = false;
  bool closes_at_once_ = false;
  bool await_writer_ = false;
  bool ask_thread_ = false;
};

}  // namespace

}  // namespace detail

fs::Op<std::string> fs::read_file(Path path, ReadFileOptions options) {
  return detail::make_file_op<detail::ReadFileCall>(std::move(path), options);
}

}  // namespace rondo
