// The system calls of the file operations, in the forms that several of them need.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <span>
#include <string>

#include "rondo/fs.h"

#include "io/backend/interrupted.h"
#include "io/descriptor.h"

namespace rondo::detail {

/// What the C library returns, as io_uring has it: -1 becomes a negative errno.
inline std::int32_t or_errno(long result) noexcept {
  return result < 0 ? -errno : static_cast<std::int32_t>(result);
}

/// The same for a call that a signal may interrupt.
template <class Call>
std::int32_t retrying(Call&& call) noexcept {
  for (;;) {
    const std::int32_t result = or_errno(call());
    if (result != -EINTR) return result;
    interrupted();
  }
}

/// close(2), with its error: whether what was written has arrived.
inline std::int32_t close_checked(int fd) noexcept {
  const std::int32_t result = or_errno(::close(fd));
  return result == -EINTR ? 0 : result;  // the descriptor is gone all the same
}

inline std::uint64_t address_of(const void* pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// Opens what the cache of names can find without asking a disk, never waiting for anything
/// else either (O_NONBLOCK is set). Nullopt: unknown; ask in another way.
std::optional<std::int32_t> open_cached(const char* path, int flags) noexcept;

/// open(2) with EINTR seen to.
std::int32_t open_blocking(const char* path, int flags, mode_t mode) noexcept;

bool is_fifo(const char* path) noexcept;

/// Takes O_NONBLOCK away again.
void make_blocking(int fd) noexcept;

fs::Stat to_stat(const struct ::statx& status) noexcept;
fs::FileType type_of_mode(std::uint32_t mode) noexcept;

inline constexpr unsigned kStatxMask = STATX_BASIC_STATS | STATX_BTIME;

/// For utimensat and similar calls.
std::array<timespec, 2> to_timespecs(fs::FileTime atime, fs::FileTime mtime) noexcept;

/// Whether it can be written to at all: to wait for a pipe's reading end to become writable is to
/// wait for ever.
bool open_for_writing(int fd) noexcept;

/// Whether it has no position, as pipes, sockets and terminals have none.
bool is_stream(int fd) noexcept;

/// Whether reading and writing never wait: O_NONBLOCK, on something where that means anything.
bool never_waits(int fd) noexcept;

/// A read reported the end of a FIFO that no process has opened for writing yet.
bool no_writer_yet(int fd) noexcept;

/// Waits for `events`, looking up now and then whether to stop. -ECANCELED if so.
template <class StopWanted>
std::int32_t wait_ready(int fd, short events, StopWanted&& stop_wanted) noexcept {
  constexpr int kLookUpMs = 20;
  if (fd < 0) return -EBADF;  // which poll() would take as nothing to wait for
  for (;;) {
    pollfd polled{fd, events, 0};
    const int count = ::poll(&polled, 1, kLookUpMs);
    if (count > 0) return (polled.revents & POLLNVAL) != 0 ? -EBADF : 0;
    if (count < 0 && errno != EINTR) return -errno;
    if (count < 0) interrupted();
    if (stop_wanted()) return -ECANCELED;
  }
}

/// Notices that a FIFO is opened, even if only for a moment.
class FifoOpenings {
 public:
  explicit FifoOpenings(const char* path) noexcept;

  /// Waits for a limited time. False if it was not opened meanwhile.
  bool wait(int timeout_ms) noexcept;

 private:
  Descriptor inotify_;  // empty if the kernel gives none: then it only waits
};

/// The writing end of a FIFO whether it has a reader or not.
std::int32_t open_fifo_without_reader(const char* path, int flags) noexcept;

/// Opens without the endless wait of a FIFO's writer for a reader: looks up now and then whether
/// to stop. The descriptor has O_NONBLOCK, which means nothing to a regular file.
template <class StopWanted>
std::int32_t open_patiently(const char* path, int flags, mode_t mode,
                            StopWanted&& stop_wanted) noexcept {
  constexpr int kLookUpMs = 5;
  std::optional<FifoOpenings> openings;
  for (bool was_opened = false;;) {
    const std::int32_t result = open_blocking(path, flags | O_NONBLOCK, mode);
    if (result == -EWOULDBLOCK) {
      // Somebody has to give up a lease first, and is given a time to do so.
      return open_blocking(path, flags, mode);
    }
    if (result != -ENXIO || !is_fifo(path)) return result;
    // The reader has gone already. For open(2) it is enough that there was one.
    if (was_opened) return open_fifo_without_reader(path, flags);
    if (stop_wanted()) return -ECANCELED;
    if (openings.has_value()) {
      was_opened = openings->wait(kLookUpMs);
    } else {
      openings.emplace(path);  // and try again: one may have come before
    }
  }
}

/// Writes all of it at the descriptor's position. Looks up now and then whether to stop. Adds to
/// `*total`, if there is one, how much was written, also when it fails.
template <class StopWanted>
std::int32_t write_all(int fd, std::span<const std::byte> data, StopWanted&& stop_wanted,
                       std::size_t* total = nullptr) noexcept {
  constexpr std::size_t kPiece = 1U << 20;
  while (!data.empty()) {
    if (stop_wanted()) return -ECANCELED;
    const std::size_t piece = std::min(data.size(), kPiece);
    std::int32_t written = retrying([&] { return ::write(fd, data.data(), piece); });
    if (written == -EAGAIN) {
      written = wait_ready(fd, POLLOUT, stop_wanted);  // 0: nothing written, try again
    }
    if (written < 0) return written;
    data = data.subspan(static_cast<std::size_t>(written));
    if (total != nullptr) *total += static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace rondo::detail
