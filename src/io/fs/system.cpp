#include "io/fs/system.h"

#include <linux/openat2.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <limits>

namespace rondo::detail {

std::optional<std::int32_t> open_cached(const char* path, int flags) noexcept {
  // To make or empty a file is to write to the disk: the kernel would say EAGAIN.
  if ((flags & (O_CREAT | O_TRUNC | __O_TMPFILE)) != 0) return std::nullopt;
  open_how how{};
  const int nonblock = (flags & O_PATH) != 0 ? 0 : O_NONBLOCK;
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC | nonblock);
  how.resolve = RESOLVE_CACHED;
  const long fd = ::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
  if (fd >= 0) return static_cast<std::int32_t>(fd);
  switch (errno) {
    case ENOENT:
    case ENOTDIR:
    case EACCES:
    case ELOOP:
    case ENAMETOOLONG:
    case EISDIR:
      return -errno;
    default:
      // Not cached (EAGAIN), not known to this kernel or forbidden by a filter (ENOSYS, EPERM,
      // EINVAL), not available now (EMFILE, ENXIO): the other way will report it.
      return std::nullopt;
  }
}

std::int32_t open_blocking(const char* path, int flags, mode_t mode) noexcept {
  return retrying([&] { return ::open(path, flags | O_CLOEXEC, mode); });
}

bool is_fifo(const char* path) noexcept {
  struct stat status{};
  return ::stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

FifoOpenings::FifoOpenings(const char* path) noexcept
    : inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (inotify_.get() >= 0 && ::inotify_add_watch(inotify_.get(), path, IN_OPEN) < 0) {
    inotify_ = Descriptor();
  }
}

bool FifoOpenings::wait(int timeout_ms) noexcept {
  pollfd polled{inotify_.get(), POLLIN, 0};  // poll() passes over a negative one
  return ::poll(&polled, 1, timeout_ms) > 0;
}

std::int32_t open_fifo_without_reader(const char* path, int flags) noexcept {
  // A descriptor that reads and writes needs no other end, and is the reader that the writing end
  // needs.
  const Descriptor both(open_blocking(path, O_RDWR | O_NONBLOCK, 0));
  return open_blocking(path, flags | O_NONBLOCK, 0);
}

void make_blocking(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0 && (flags & O_NONBLOCK) != 0) ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

bool open_for_writing(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_PATH) == 0 && (flags & O_ACCMODE) != O_RDONLY;
}

bool is_stream(int fd) noexcept {
  return ::lseek(fd, 0, SEEK_CUR) < 0 && errno == ESPIPE;
}

bool never_waits(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) == 0) return false;
  struct stat status{};
  return ::fstat(fd, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) &&
         !S_ISBLK(status.st_mode);
}

bool no_writer_yet(int fd) noexcept {
  struct stat status{};
  if (::fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode)) return false;
  // One whose writers have gone hangs up.
  pollfd polled{fd, POLLIN, 0};
  return ::poll(&polled, 1, 0) == 0;
}

fs::FileType type_of_mode(std::uint32_t mode) noexcept {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return fs::FileType::regular;
    case S_IFDIR:
      return fs::FileType::folder;
    case S_IFLNK:
      return fs::FileType::symlink;
    case S_IFIFO:
      return fs::FileType::fifo;
    case S_IFSOCK:
      return fs::FileType::socket;
    case S_IFCHR:
      return fs::FileType::char_device;
    case S_IFBLK:
      return fs::FileType::block_device;
    default:
      return fs::FileType::unknown;
  }
}

namespace {

fs::FileTime to_time(const statx_timestamp& time) noexcept {
  // Nanoseconds in 64 bits end in the years 1677 and 2262; a file may claim to be of any.
  constexpr std::int64_t kMostSeconds = std::numeric_limits<std::int64_t>::max() / 1'000'000'000;
  if (time.tv_sec >= kMostSeconds) return fs::FileTime::max();
  if (time.tv_sec <= -kMostSeconds) return fs::FileTime::min();
  return fs::FileTime(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

timespec to_timespec(const statx_timestamp& time) noexcept {
  return {time.tv_sec, static_cast<long>(time.tv_nsec)};
}

}  // namespace

std::array<timespec, 2> to_timespecs(fs::FileTime atime, fs::FileTime mtime) noexcept {
  const auto to_timespec = [](fs::FileTime time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return timespec{seconds.time_since_epoch().count(), (time - seconds).count()};
  };
  return {to_timespec(atime), to_timespec(mtime)};
}

fs::Stat to_stat(const struct ::statx& status) noexcept {
  fs::Stat stat;
  stat.type = type_of_mode(status.stx_mode);
  stat.mode = status.stx_mode;
  stat.uid = status.stx_uid;
  stat.gid = status.stx_gid;
  stat.dev = ::makedev(status.stx_dev_major, status.stx_dev_minor);
  stat.rdev = ::makedev(status.stx_rdev_major, status.stx_rdev_minor);
  stat.ino = status.stx_ino;
  stat.nlink = status.stx_nlink;
  stat.size = status.stx_size;
  stat.blksize = status.stx_blksize;
  stat.blocks = status.stx_blocks;
  stat.atime = to_time(status.stx_atime);
  stat.mtime = to_time(status.stx_mtime);
  stat.ctime = to_time(status.stx_ctime);
  stat.exact = {.atime = to_timespec(status.stx_atime),
                .mtime = to_timespec(status.stx_mtime),
                .ctime = to_timespec(status.stx_ctime)};
  if ((status.stx_mask & STATX_BTIME) != 0) {
    stat.birthtime = to_time(status.stx_btime);
    stat.exact.birthtime = to_timespec(status.stx_btime);
  }
  return stat;
}

}  // namespace rondo::detail
