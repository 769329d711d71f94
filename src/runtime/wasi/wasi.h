// The system calls of WASI preview 1 for one instance of a program. Without V8's objects: the
// binding (bindings/language/wasi.cpp) gives each call the memory, and numbers as the program
// passed them. Every call returns an error number, and writes what it found into the memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/wasi/abi.h"
#include "runtime/wasi/descriptors.h"
#include "runtime/wasi/guest_memory.h"
#include "runtime/wasi/resolve.h"

namespace rondo::wasi {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct Preopen {
  std::string name;  // the program's
  std::string path;  // ours
};

class Wasi {
 public:
  Wasi(std::vector<std::string> args, std::vector<std::string> env)
      : args_(std::move(args)), env_(std::move(env)) {}

  /// Takes three descriptors of the process as 0, 1 and 2, then directories.
  Errno open(const std::vector<int>& stdio, const std::vector<Preopen>& preopens);
  /// Asked again and again while a call waits: whether it should give up.
  void set_ended(std::function<bool()> ended) { ended_ = std::move(ended); }

  // process.cpp
  Errno args_get(const GuestMemory& memory, u32 pointers, u32 bytes) const;
  Errno args_sizes_get(const GuestMemory& memory, u32 count, u32 size) const;
  Errno environ_get(const GuestMemory& memory, u32 pointers, u32 bytes) const;
  Errno environ_sizes_get(const GuestMemory& memory, u32 count, u32 size) const;
  Errno clock_res_get(const GuestMemory& memory, u32 clock, u32 result) const;
  Errno clock_time_get(const GuestMemory& memory, u32 clock, u64 precision, u32 result) const;
  Errno proc_raise(const GuestMemory& memory, u32 signal) const;
  Errno random_get(const GuestMemory& memory, u32 buffer, u32 size) const;
  Errno sched_yield(const GuestMemory& memory) const;

  // files.cpp
  Errno fd_advise(const GuestMemory& memory, u32 fd, u64 offset, u64 size, u32 advice);
  Errno fd_allocate(const GuestMemory& memory, u32 fd, u64 offset, u64 size);
  Errno fd_close(const GuestMemory& memory, u32 fd);
  Errno fd_datasync(const GuestMemory& memory, u32 fd);
  Errno fd_fdstat_get(const GuestMemory& memory, u32 fd, u32 result);
  Errno fd_fdstat_set_flags(const GuestMemory& memory, u32 fd, u32 flags);
  Errno fd_fdstat_set_rights(const GuestMemory& memory, u32 fd, u64 base, u64 inheriting);
  Errno fd_filestat_get(const GuestMemory& memory, u32 fd, u32 result);
  Errno fd_filestat_set_size(const GuestMemory& memory, u32 fd, u64 size);
  Errno fd_filestat_set_times(const GuestMemory& memory, u32 fd, u64 atime, u64 mtime, u32 flags);
  Errno fd_pread(const GuestMemory& memory, u32 fd, u32 list, u32 count, u64 offset, u32 result);
  Errno fd_prestat_get(const GuestMemory& memory, u32 fd, u32 result);
  Errno fd_prestat_dir_name(const GuestMemory& memory, u32 fd, u32 buffer, u32 size);
  Errno fd_pwrite(const GuestMemory& memory, u32 fd, u32 list, u32 count, u64 offset, u32 result);
  Errno fd_read(const GuestMemory& memory, u32 fd, u32 list, u32 count, u32 result);
  Errno fd_readdir(const GuestMemory& memory, u32 fd, u32 buffer, u32 size, u64 cookie, u32 used);
  Errno fd_renumber(const GuestMemory& memory, u32 from, u32 to);
  Errno fd_seek(const GuestMemory& memory, u32 fd, u64 offset, u32 whence, u32 result);
  Errno fd_sync(const GuestMemory& memory, u32 fd);
  Errno fd_tell(const GuestMemory& memory, u32 fd, u32 result);
  Errno fd_write(const GuestMemory& memory, u32 fd, u32 list, u32 count, u32 result);

  // paths.cpp
  Errno path_create_directory(const GuestMemory& memory, u32 fd, u32 path, u32 size);
  Errno path_filestat_get(const GuestMemory& memory, u32 fd, u32 lookup, u32 path, u32 size,
                          u32 result);
  Errno path_filestat_set_times(const GuestMemory& memory, u32 fd, u32 lookup, u32 path, u32 size,
                                u64 atime, u64 mtime, u32 flags);
  Errno path_link(const GuestMemory& memory, u32 old_fd, u32 lookup, u32 old_path, u32 old_size,
                  u32 new_fd, u32 new_path, u32 new_size);
  Errno path_open(const GuestMemory& memory, u32 fd, u32 lookup, u32 path, u32 size, u32 open_flags,
                  u64 base, u64 inheriting, u32 fd_flags, u32 result);
  Errno path_readlink(const GuestMemory& memory, u32 fd, u32 path, u32 size, u32 buffer,
                      u32 buffer_size, u32 used);
  Errno path_remove_directory(const GuestMemory& memory, u32 fd, u32 path, u32 size);
  Errno path_rename(const GuestMemory& memory, u32 old_fd, u32 old_path, u32 old_size, u32 new_fd,
                    u32 new_path, u32 new_size);
  Errno path_symlink(const GuestMemory& memory, u32 target, u32 target_size, u32 fd, u32 path,
                     u32 size);
  Errno path_unlink_file(const GuestMemory& memory, u32 fd, u32 path, u32 size);

  // poll.cpp
  Errno poll_oneoff(const GuestMemory& memory, u32 in, u32 out, u32 count, u32 result);

  // sockets.cpp
  Errno sock_accept(const GuestMemory& memory, u32 fd, u32 flags, u32 result);
  Errno sock_recv(const GuestMemory& memory, u32 fd, u32 list, u32 count, u32 flags, u32 size,
                  u32 result_flags);
  Errno sock_send(const GuestMemory& memory, u32 fd, u32 list, u32 count, u32 flags, u32 size);
  Errno sock_shutdown(const GuestMemory& memory, u32 fd, u32 how);

 private:
  struct PathAt {
    u32 fd;
    u32 path;
    u32 size;
  };
  Errno resolve_at(const GuestMemory& memory, PathAt at, Rights wanted, LastLink last,
                   Resolved& result);
  Errno transfer(const GuestMemory& memory, u32 fd, u64 wanted, u32 list, u32 count, u32 result,
                 const std::function<ssize_t(int, const std::vector<struct ::iovec>&)>& call);

  std::vector<std::string> args_;
  std::vector<std::string> env_;
  Descriptors descriptors_;
  std::function<bool()> ended_;
};

/// Writes a filestat.
void put_stat(const GuestMemory& memory, u32 at, const struct ::stat& status);
/// The arguments of utimensat() for WASI's; false if flags contradict each other.
bool make_times(u64 atime, u64 mtime, u32 flags, struct ::timespec (&result)[2]);

}  // namespace rondo::wasi
