// Operations on paths that are one system call each.
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "io/descriptor.h"
#include "io/fs/operation.h"
#include "io/fs/system.h"
#include "io/io_context.h"

namespace rondo {

namespace detail {

namespace {

/// Asks about what a path names, by an O_PATH descriptor, if the cache of names knows it.
template <class Ask>
std::optional<std::int32_t> ask_cached(const char* path, int flags, Ask&& ask) noexcept {
  const std::optional<std::int32_t> fd = open_cached(path, O_PATH | flags);
  if (!fd.has_value() || *fd < 0) return fd;
  const Descriptor closed_at_the_end(*fd);
  return ask(*fd);
}

/// The same for what can also be asked by name, in one system call instead of three.
template <class AskByName, class Ask>
std::optional<std::int32_t> ask_cached(LoopCore* core, const char* path, int flags,
                                       AskByName&& ask_by_name, Ask&& ask) {
  CachedNames& names = IoContext::of(*core).cached_names();
  if (names.contains(path, flags)) {
    const std::int32_t result = ask_by_name();
    if (result != -EINTR) return result;
  }
  const std::optional<std::int32_t> result = ask_cached(path, flags, std::forward<Ask>(ask));
  if (result.has_value() && *result >= 0) names.add(path, flags);
  return result;
}

class StatCall final : public FileCall<StatCall, fs::Stat> {
 public:
  StatCall(fs::Path path, bool follow) noexcept : path_(std::move(path)), follow_(follow) {
    check(path_);
  }

 private:
  bool only_looks() const noexcept override { return true; }
  Outcome try_at_once() override {
    return ask_cached(
        core(), path_.c_str(), follow_ ? 0 : O_NOFOLLOW,
        [this] { return or_errno(ask(AT_FDCWD, path_.c_str(), flags())); },
        [this](int fd) { return or_errno(ask(fd, "", AT_EMPTY_PATH)); });
  }

  bool on_ring() const noexcept override { return true; }
  void prepare(io_uring_sqe& entry) noexcept override {
    entry.opcode = IORING_OP_STATX;
    entry.fd = AT_FDCWD;
    entry.addr = address_of(path_.c_str());
    entry.len = kStatxMask;
    entry.off = address_of(&status_.value);
    entry.statx_flags = static_cast<std::uint32_t>(flags());
  }
  std::int32_t perform() override {
    return retrying([this] { return ask(AT_FDCWD, path_.c_str(), flags()); });
  }
  Expected<fs::Stat> take() override { return to_stat(status_.value); }

  int ask(int fd, const char* path, int flags) noexcept {
    return ::statx(fd, path, flags, kStatxMask, &status_.value);
  }

  int flags() const noexcept { return follow_ ? 0 : AT_SYMLINK_NOFOLLOW; }

  fs::Path path_;
  bool follow_;
  Scratch<struct ::statx> status_;
};

class AccessCall final : public FileCall<AccessCall, void> {
 public:
  AccessCall(fs::Path path, int mode) noexcept : path_(std::move(path)), mode_(mode) {
    check(path_);
  }

 private:
  bool only_looks() const noexcept override { return true; }
  Outcome try_at_once() override {
    // The cache answers for the effective user, access(2) for the real one.
    if (::getuid() != ::geteuid() || ::getgid() != ::getegid()) return std::nullopt;
    const Outcome result = ask_cached(
        core(), path_.c_str(), 0, [this] { return or_errno(::access(path_.c_str(), mode_)); },
        [this](int fd) {
          // faccessat2: the C library's faccessat knows no empty path.
          return or_errno(::syscall(SYS_faccessat2, fd, "", mode_, AT_EMPTY_PATH));
        });
    return result == -ENOSYS || result == -EPERM ? std::nullopt : result;
  }
  std::int32_t perform() override {
    return retrying([this] { return ::access(path_.c_str(), mode_); });
  }

  fs::Path path_;
  int mode_;
};

class RealpathCall final : public FileCall<RealpathCall, std::string> {
 public:
  explicit RealpathCall(fs::Path path) noexcept : path_(std::move(path)) { check(path_); }

 private:
  bool only_looks() const noexcept override { return true; }
  Outcome try_at_once() override {
    std::array<char, PATH_MAX> buffer;
    const Outcome length =
        ask_cached(path_.c_str(), 0, [&](int fd) { return name_of(fd, buffer); });
    if (!length.has_value() || *length < 0) return length == -EAGAIN ? std::nullopt : length;
    real_.assign(buffer.data(), static_cast<std::size_t>(*length));
    return 0;
  }

  /// The kernel's own name for an open file. -EAGAIN where it cannot be trusted.
  static std::int32_t name_of(int fd, std::array<char, PATH_MAX>& buffer) noexcept {
    struct stat status{};
    // The kernel appends " (deleted)" to the name of a removed file, which may also be a real name.
    if (::fstat(fd, &status) != 0 || status.st_nlink == 0) return -EAGAIN;
    std::array<char, 32> link;
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", fd);
    const std::int32_t length = or_errno(::readlink(link.data(), buffer.data(), buffer.size()));
    // No /proc, a name that is cut off, or one outside of our root.
    if (length <= 0 || length == PATH_MAX || buffer[0] != '/') return -EAGAIN;
    return length;
  }

  std::int32_t perform() override {
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(path_.c_str(), nullptr), ::free);
    if (real == nullptr) return -errno;
    real_ = real.get();
    return 0;
  }
  Expected<std::string> take() override { return std::move(real_); }

  fs::Path path_;
  std::string real_;
};

/// A system call on one or two paths that io_uring knows.
class NameCall final : public FileCall<NameCall, void> {
 public:
  using Blocking = int (*)(const char* first, const char* second);

  NameCall(std::uint8_t opcode, std::uint32_t flags, fs::Path path, Blocking blocking) noexcept
      : NameCall(opcode, flags, std::move(path), std::string(), blocking) {
    two_ = false;
  }
  NameCall(std::uint8_t opcode, std::uint32_t flags, fs::Path first, fs::Path second,
           Blocking blocking) noexcept
      : opcode_(opcode),
        flags_(flags),
        first_(std::move(first)),
        second_(std::move(second)),
        blocking_(blocking) {
    check(first_);
    check(second_);
  }

 private:
  // io_uring looks at both names before it looks at what they name: an empty one is the first
  // error.
  bool on_ring() const noexcept override { return !two_ || !second_.text().empty(); }
  void prepare(io_uring_sqe& entry) noexcept override {
    entry.opcode = opcode_;
    entry.fd = AT_FDCWD;
    entry.addr = address_of(first_.c_str());
    entry.unlink_flags = flags_;
    if (!two_) return;
    entry.addr2 = address_of(second_.c_str());
    // What the second path is relative to; symlinkat has only one such descriptor, the entry's own.
    if (opcode_ != IORING_OP_SYMLINKAT) entry.len = static_cast<std::uint32_t>(AT_FDCWD);
  }
  std::int32_t perform() override {
    return retrying([this] { return blocking_(first_.c_str(), second_.c_str()); });
  }

  std::uint8_t opcode_;
  std::uint32_t flags_;
  bool two_ = true;
  fs::Path first_;
  fs::Path second_;
  Blocking blocking_;
};

std::int32_t read_link(const char* path, std::string& target) {
  // The length is not known before; one that fills the buffer may have been cut off.
  for (std::size_t size = 256;; size *= 2) {
    target.resize(size);
    const std::int32_t length = or_errno(::readlink(path, target.data(), size));
    if (length < 0) return length;
    if (static_cast<std::size_t>(length) < size) {
      target.resize(static_cast<std::size_t>(length));
      return 0;
    }
  }
}

fs::Op<void> change_times(fs::Path path, fs::FileTime atime, fs::FileTime mtime, int flags) {
  const int refused = refusal(path);
  return on_thread<void>(
      [path = std::move(path), times = to_timespecs(atime, mtime), flags] {
        return ::utimensat(AT_FDCWD, path.c_str(), times.data(), flags);
      },
      refused);
}

fs::Op<void> change_owner(fs::Path path, uid_t uid, gid_t gid, int flags) {
  const int refused = refusal(path);
  return on_thread<void>([path = std::move(path), uid, gid,
                          flags] { return ::fchownat(AT_FDCWD, path.c_str(), uid, gid, flags); },
                         refused);
}

}  // namespace

}  // namespace detail

namespace fs {

using detail::make_file_op;

Op<Stat> stat(Path path) {
  return make_file_op<detail::StatCall>(std::move(path), true);
}
Op<Stat> lstat(Path path) {
  return make_file_op<detail::StatCall>(std::move(path), false);
}
Op<void> access(Path path, int mode) {
  return make_file_op<detail::AccessCall>(std::move(path), mode);
}
Op<std::string> realpath(Path path) {
  return make_file_op<detail::RealpathCall>(std::move(path));
}
Op<std::string> readlink(Path path) {
  const int refused = detail::refusal(path);
  return detail::on_thread<std::string>(
      [path = std::move(path)](std::string& target) {
        return detail::read_link(path.c_str(), target);
      },
      refused);
}

Op<void> rename(Path from, Path to) {
  return make_file_op<detail::NameCall>(
      std::uint8_t{IORING_OP_RENAMEAT}, 0U, std::move(from), std::move(to),
      [](const char* first, const char* second) { return ::rename(first, second); });
}
Op<void> unlink(Path path) {
  return make_file_op<detail::NameCall>(
      std::uint8_t{IORING_OP_UNLINKAT}, 0U, std::move(path),
      [](const char* first, const char*) { return ::unlink(first); });
}
Op<void> rmdir(Path path) {
  return make_file_op<detail::NameCall>(
      std::uint8_t{IORING_OP_UNLINKAT}, std::uint32_t{AT_REMOVEDIR}, std::move(path),
      [](const char* first, const char*) { return ::rmdir(first); });
}
Op<void> link(Path existing, Path link) {
  return make_file_op<detail::NameCall>(
      std::uint8_t{IORING_OP_LINKAT}, 0U, std::move(existing), std::move(link),
      [](const char* first, const char* second) { return ::link(first, second); });
}
Op<void> symlink(Path target, Path link) {
  return make_file_op<detail::NameCall>(
      std::uint8_t{IORING_OP_SYMLINKAT}, 0U, std::move(target), std::move(link),
      [](const char* first, const char* second) { return ::symlink(first, second); });
}

Op<void> truncate(Path path, std::uint64_t size) {
  const auto length = static_cast<off64_t>(size);
  const int refused = length < 0 ? EINVAL : detail::refusal(path);
  return detail::on_thread<void>(
      [path = std::move(path), length] { return ::truncate64(path.c_str(), length); }, refused);
}
Op<void> chmod(Path path, mode_t mode) {
  const int refused = detail::refusal(path);
  return detail::on_thread<void>(
      [path = std::move(path), mode] { return ::chmod(path.c_str(), mode); }, refused);
}
Op<void> chown(Path path, uid_t uid, gid_t gid) {
  return detail::change_owner(std::move(path), uid, gid, 0);
}
Op<void> lchown(Path path, uid_t uid, gid_t gid) {
  return detail::change_owner(std::move(path), uid, gid, AT_SYMLINK_NOFOLLOW);
}
Op<void> utimes(Path path, FileTime atime, FileTime mtime) {
  return detail::change_times(std::move(path), atime, mtime, 0);
}
Op<void> lutimes(Path path, FileTime atime, FileTime mtime) {
  return detail::change_times(std::move(path), atime, mtime, AT_SYMLINK_NOFOLLOW);
}

}  // namespace fs
}  // namespace rondo
