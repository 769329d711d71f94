// The calls on open descriptors.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <limits>

#include "runtime/wasi/wasi.h"

namespace rondo::wasi {
namespace {

constexpr u64 kNsPerSecond = 1'000'000'000;

u64 nanoseconds(const struct ::timespec& time) {
  return static_cast<u64>(time.tv_sec) * kNsPerSecond + static_cast<u64>(time.tv_nsec);
}

Errno result_of(int result) {
  return result == 0 ? Errno::success : from_errno(errno);
}

/// Repeats a call that a signal has interrupted.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

bool is_offset(u64 value) {
  return value <= static_cast<u64>(std::numeric_limits<off_t>::max());
}

struct ::timespec one_time(u64 time, bool given, bool now) {
  struct ::timespec result{};
  if (given) {
    result.tv_sec = static_cast<std::time_t>(time / kNsPerSecond);
    result.tv_nsec = static_cast<long>(time % kNsPerSecond);
  } else {
    result.tv_nsec = now ? UTIME_NOW : UTIME_OMIT;
  }
  return result;
}

FileType type_of_entry(unsigned char type) {
  switch (type) {
    case DT_REG:
      return FileType::regular_file;
    case DT_DIR:
      return FileType::directory;
    case DT_LNK:
      return FileType::symbolic_link;
    case DT_CHR:
      return FileType::character_device;
    case DT_BLK:
      return FileType::block_device;
    case DT_SOCK:
    case DT_FIFO:
      return FileType::socket_stream;
    default:
      return FileType::unknown;
  }
}

u32 flags_of(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  u32 result = 0;
  if ((flags & O_APPEND) != 0) result |= fd_flag::append;
  if ((flags & O_NONBLOCK) != 0) result |= fd_flag::nonblock;
  if ((flags & O_SYNC) == O_SYNC) {
    result |= fd_flag::sync | fd_flag::rsync;
  } else if ((flags & O_DSYNC) != 0) {
    result |= fd_flag::dsync;
  }
  return result;
}

}  // namespace

void put_stat(const GuestMemory& memory, u32 at, const struct ::stat& status) {
  std::ranges::fill(memory.part(at, kFilestatSize), 0);
  memory.put<u64>(at, status.st_dev);
  memory.put<u64>(at + 8, status.st_ino);
  memory.put(at + 16, type_of(status.st_mode));
  memory.put<u64>(at + 24, status.st_nlink);
  memory.put<u64>(at + 32, static_cast<u64>(status.st_size));
  memory.put<u64>(at + 40, nanoseconds(status.st_atim));
  memory.put<u64>(at + 48, nanoseconds(status.st_mtim));
  memory.put<u64>(at + 56, nanoseconds(status.st_ctim));
}

bool make_times(u64 atime, u64 mtime, u32 flags, struct ::timespec (&result)[2]) {
  const auto has = [&](u32 flag) { return (flags & flag) != 0; };
  if ((flags & ~time_flag::all) != 0 || (has(time_flag::atim) && has(time_flag::atim_now)) ||
      (has(time_flag::mtim) && has(time_flag::mtim_now))) {
    return false;
  }
  result[0] = one_time(atime, has(time_flag::atim), has(time_flag::atim_now));
  result[1] = one_time(mtime, has(time_flag::mtim), has(time_flag::mtim_now));
  return true;
}

Errno Wasi::fd_advise(const GuestMemory& /*memory*/, u32 fd, u64 offset, u64 size, u32 advice) {
  constexpr int kAdvice[] = {POSIX_FADV_NORMAL,   POSIX_FADV_SEQUENTIAL, POSIX_FADV_RANDOM,
                             POSIX_FADV_WILLNEED, POSIX_FADV_DONTNEED,   POSIX_FADV_NOREUSE};
  if (advice >= std::size(kAdvice)) return Errno::inval;
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::fd_advise, found); error != Errno::success) {
    return error;
  }
  if (found->type == FileType::directory) return Errno::badf;
  if (!is_offset(offset) || !is_offset(size)) return Errno::inval;
  const int result = ::posix_fadvise(found->fd, static_cast<off_t>(offset),
                                     static_cast<off_t>(size), kAdvice[advice]);
  return result == 0 ? Errno::success : from_errno(result);
}

Errno Wasi::fd_allocate(const GuestMemory& /*memory*/, u32 fd, u64 offset, u64 size) {
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::fd_allocate, found);
      error != Errno::success) {
    return error;
  }
  if (!is_offset(offset) || !is_offset(size)) return Errno::inval;
  if (size == 0) return Errno::success;
  const int result =
      ::posix_fallocate(found->fd, static_cast<off_t>(offset), static_cast<off_t>(size));
  return result == 0 ? Errno::success : from_errno(result);
}

Errno Wasi::fd_close(const GuestMemory& /*memory*/, u32 fd) {
  return descriptors_.close(fd);
}

Errno Wasi::fd_datasync(const GuestMemory& /*memory*/, u32 fd) {
  Descriptor* found = nullptr;
  const Errno error = descriptors_.get(fd, right::fd_datasync, found);
  return error != Errno::success ? error : result_of(::fdatasync(found->fd));
}

Errno Wasi::fd_sync(const GuestMemory& /*memory*/, u32 fd) {
  Descriptor* found = nullptr;
  const Errno error = descriptors_.get(fd, right::fd_sync, found);
  return error != Errno::success ? error : result_of(::fsync(found->fd));
}

Errno Wasi::fd_fdstat_get(const GuestMemory& memory, u32 fd, u32 result) {
  if (!memory.has(result, kFdstatSize)) return Errno::overflow;
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, 0, found); error != Errno::success) return error;
  std::ranges::fill(memory.part(result, kFdstatSize), 0);
  memory.put(result, found->type);
  memory.put(result + 2, static_cast<std::uint16_t>(flags_of(found->fd)));
  memory.put<u64>(result + 8, found->rights.base);
  memory.put<u64>(result + 16, found->rights.inheriting);
  return Errno::success;
}

Errno Wasi::fd_fdstat_set_flags(const GuestMemory& /*memory*/, u32 fd, u32 flags) {
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::fd_fdstat_set_flags, found);
      error != Errno::success) {
    return error;
  }
  // Linux changes these two of an open file, and ignores the others.
  int wanted = 0;
  if ((flags & fd_flag::append) != 0) wanted |= O_APPEND;
  if ((flags & fd_flag::nonblock) != 0) wanted |= O_NONBLOCK;
  return result_of(::fcntl(found->fd, F_SETFL, wanted));
}

Errno Wasi::fd_fdstat_set_rights(const GuestMemory& /*memory*/, u32 fd, u64 base, u64 inheriting) {
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, Rights{base, inheriting}, found);
      error != Errno::success) {
    return error;
  }
  found->rights = {base, inheriting};
  return Errno::success;
}

Errno Wasi::fd_filestat_get(const GuestMemory& memory, u32 fd, u32 result) {
  if (!memory.has(result, kFilestatSize)) return Errno::overflow;
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::fd_filestat_get, found);
      error != Errno::success) {
    return error;
  }
  struct ::stat status{};
  if (::fstat(found->fd, &status) != 0) return from_errno(errno);
  put_stat(memory, result, status);
  return Errno::success;
}

Errno Wasi::fd_filestat_set_size(const GuestMemory& /*memory*/, u32 fd, u64 size) {
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::fd_filestat_set_size, found);
      error != Errno::success) {
    return error;
  }
  if (!is_offset(size)) return Errno::inval;
  return result_of(::ftruncate(found->fd, static_cast<off_t>(size)));
}

Errno Wasi::fd_filestat_set_times(const GuestMemory& /*memory*/, u32 fd, u64 atime, u64 mtime,
                                  u32 flags) {
  struct ::timespec times[2];
  if (!make_times(atime, mtime, flags, times)) return Errno::inval;
  Descriptor* found = nullptr;
  const Errno error = descriptors_.get(fd, right::fd_filestat_set_times, found);
  return error != Errno::success ? error : result_of(::futimens(found->fd, times));
}

// ---- Reading and writing ------------------------------------------------------------------------

Errno Wasi::transfer(const GuestMemory& memory, u32 fd, u64 wanted, u32 list, u32 count, u32 result,
                     const std::function<ssize_t(int, const std::vector<struct ::iovec>&)>& call) {
  if (!memory.has(result, sizeof(u32))) return Errno::overflow;
  std::vector<struct ::iovec> buffers;
  if (const Errno error = memory.buffers(list, count, buffers); error != Errno::success) {
    return error;
  }
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, wanted, found); error != Errno::success) {
    return error;
  }
  const ssize_t size =
      buffers.empty() ? 0 : uninterrupted([&] { return call(found->fd, buffers); });
  if (size < 0) return from_errno(errno);
  memory.put<u32>(result, static_cast<u32>(size));
  return Errno::success;
}

Errno Wasi::fd_read(const GuestMemory& memory, u32 fd, u32 list, u32 count, u32 result) {
  return transfer(memory, fd, right::fd_read, list, count, result,
                  [](int file, const auto& buffers) {
                    return ::readv(file, buffers.data(), static_cast<int>(buffers.size()));
                  });
}

Errno Wasi::fd_write(const GuestMemory& memory, u32 fd, u32 list, u32 count, u32 result) {
  return transfer(memory, fd, right::fd_write, list, count, result,
                  [](int file, const auto& buffers) {
                    return ::writev(file, buffers.data(), static_cast<int>(buffers.size()));
                  });
}

Errno Wasi::fd_pread(const GuestMemory& memory, u32 fd, u32 list, u32 count, u64 offset,
                     u32 result) {
  if (!is_offset(offset)) return Errno::inval;
  return transfer(memory, fd, right::fd_read | right::fd_seek, list, count, result,
                  [&](int file, const auto& buffers) {
                    return ::preadv(file, buffers.data(), static_cast<int>(buffers.size()),
                                    static_cast<off_t>(offset));
                  });
}

Errno Wasi::fd_pwrite(const GuestMemory& memory, u32 fd, u32 list, u32 count, u64 offset,
                      u32 result) {
  if (!is_offset(offset)) return Errno::inval;
  return transfer(memory, fd, right::fd_write | right::fd_seek, list, count, result,
                  [&](int file, const auto& buffers) {
                    return ::pwritev(file, buffers.data(), static_cast<int>(buffers.size()),
                                     static_cast<off_t>(offset));
                  });
}

Errno Wasi::fd_seek(const GuestMemory& memory, u32 fd, u64 offset, u32 whence, u32 result) {
  constexpr int kWhence[] = {SEEK_SET, SEEK_CUR, SEEK_END};
  if (!memory.has(result, sizeof(u64))) return Errno::overflow;
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::fd_seek, found); error != Errno::success) {
    return error;
  }
  if (whence >= std::size(kWhence)) return Errno::inval;
  const off_t position = ::lseek(found->fd, static_cast<off_t>(offset), kWhence[whence]);
  if (position < 0) return from_errno(errno);
  memory.put<u64>(result, static_cast<u64>(position));
  return Errno::success;
}

Errno Wasi::fd_tell(const GuestMemory& memory, u32 fd, u32 result) {
  if (!memory.has(result, sizeof(u64))) return Errno::overflow;
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::fd_tell, found); error != Errno::success) {
    return error;
  }
  const off_t position = ::lseek(found->fd, 0, SEEK_CUR);
  if (position < 0) return from_errno(errno);
  memory.put<u64>(result, static_cast<u64>(position));
  return Errno::success;
}

Errno Wasi::fd_renumber(const GuestMemory& /*memory*/, u32 from, u32 to) {
  return descriptors_.renumber(from, to);
}

// ---- Directories --------------------------------------------------------------------------------

Errno Wasi::fd_prestat_get(const GuestMemory& memory, u32 fd, u32 result) {
  if (!memory.has(result, kPrestatSize)) return Errno::overflow;
  Descriptor* const found = descriptors_.find(fd);
  if (found == nullptr) return Errno::badf;
  if (!found->preopened_as) return Errno::inval;
  memory.put<std::uint8_t>(result, 0);  // the only kind there is: a directory
  memory.put<u32>(result + 4, static_cast<u32>(found->preopened_as->size()));
  return Errno::success;
}

Errno Wasi::fd_prestat_dir_name(const GuestMemory& memory, u32 fd, u32 buffer, u32 size) {
  if (!memory.has(buffer, size)) return Errno::overflow;
  Descriptor* const found = descriptors_.find(fd);
  if (found == nullptr) return Errno::badf;
  if (!found->preopened_as) return Errno::badf;
  if (size < found->preopened_as->size()) return Errno::nobufs;
  std::ranges::copy(*found->preopened_as, memory.part(buffer, size).begin());
  return Errno::success;
}

/// Fills the buffer to its end, if need be with a part of an entry: a full buffer means to the
/// program that there is more. A cookie is the kernel's own position in the directory.
Errno Wasi::fd_readdir(const GuestMemory& memory, u32 fd, u32 buffer, u32 size, u64 cookie,
                       u32 used) {
  if (!memory.has(buffer, size) || !memory.has(used, sizeof(u32))) return Errno::overflow;
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::fd_readdir, found); error != Errno::success) {
    return error;
  }
  if (::lseek(found->fd, static_cast<off_t>(cookie), SEEK_SET) < 0) return from_errno(errno);
  const auto room = memory.part(buffer, size);
  std::size_t filled = 0;
  const auto append = [&](const void* data, std::size_t count) {
    const std::size_t fits = std::min(count, room.size() - filled);
    std::memcpy(room.data() + filled, data, fits);
    filled += fits;
  };
  alignas(8) std::array<char, 4096> listing;
  while (filled < size) {
    const long bytes = ::syscall(SYS_getdents64, found->fd, listing.data(), listing.size());
    if (bytes < 0) return from_errno(errno);
    if (bytes == 0) break;
    for (long at = 0; at < bytes;) {
      // The C library's structure for 64-bit offsets is the kernel's.
      const auto* entry = reinterpret_cast<const struct ::dirent64*>(listing.data() + at);
      at += entry->d_reclen;
      const std::string_view name(entry->d_name);
      if (name == "." || name == "..") continue;
      std::uint8_t head[kDirentSize] = {};
      const auto length = static_cast<u32>(name.size());
      const FileType type = type_of_entry(entry->d_type);
      std::memcpy(head, &entry->d_off, sizeof entry->d_off);
      std::memcpy(head + 8, &entry->d_ino, sizeof entry->d_ino);
      std::memcpy(head + 16, &length, sizeof length);
      std::memcpy(head + 20, &type, sizeof type);
      append(head, sizeof head);
      append(name.data(), name.size());
    }
  }
  memory.put<u32>(used, static_cast<u32>(filled));
  return Errno::success;
}

}  // namespace rondo::wasi
