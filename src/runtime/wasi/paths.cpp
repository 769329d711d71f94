// The calls on paths. None of them lets the kernel follow a link: resolve() has done that.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>

#include "runtime/wasi/wasi.h"

namespace rondo::wasi {
namespace {

Errno result_of(int result) {
  return result == 0 ? Errno::success : from_errno(errno);
}

LastLink last_link(u32 lookup) {
  return (lookup & kLookupFollow) != 0 ? LastLink::follow : LastLink::keep;
}

/// For a path with a slash at its end.
Errno check_directory(const Resolved& at) {
  if (!at.must_be_directory) return Errno::success;
  struct ::stat status{};
  if (::fstatat(at.directory(), at.name(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return from_errno(errno);
  }
  return S_ISDIR(status.st_mode) ? Errno::success : Errno::notdir;
}

struct OpenRequest {
  int flags = O_CLOEXEC | O_NOFOLLOW;
  Rights needed;
};

OpenRequest request_of(u32 open_flags, u64 base, u64 inheriting, u32 fd_flags) {
  OpenRequest request;
  request.needed = {right::path_open, base | inheriting};
  const bool reads = (base & (right::fd_readdir | right::fd_read)) != 0;
  const bool writes = (base & (right::fd_datasync | right::fd_write | right::fd_allocate |
                               right::fd_filestat_set_size)) != 0;
  if (writes) request.flags |= reads ? O_RDWR : O_WRONLY;
  const auto option = [&](u32 given, u32 flag, int kernel_flag, u64 needed, u64 inherited) {
    if ((given & flag) == 0) return;
    request.flags |= kernel_flag;
    request.needed.base |= needed;
    request.needed.inheriting |= inherited;
  };
  option(open_flags, open_flag::creat, O_CREAT, right::path_create_file, 0);
  option(open_flags, open_flag::directory, O_DIRECTORY, 0, 0);
  option(open_flags, open_flag::excl, O_EXCL, 0, 0);
  option(open_flags, open_flag::trunc, O_TRUNC, right::path_filestat_set_size, 0);
  option(fd_flags, fd_flag::append, O_APPEND, 0, 0);
  option(fd_flags, fd_flag::dsync, O_DSYNC, 0, right::fd_datasync);
  option(fd_flags, fd_flag::nonblock, O_NONBLOCK, 0, 0);
  option(fd_flags, fd_flag::rsync, O_RSYNC, 0, right::fd_sync);
  option(fd_flags, fd_flag::sync, O_SYNC, 0, right::fd_sync);
  if (writes && (request.flags & (O_APPEND | O_TRUNC)) == 0) {
    request.needed.inheriting |= right::fd_seek;
  }
  return request;
}

}  // namespace

Errno Wasi::resolve_at(const GuestMemory& memory, PathAt at, Rights wanted, LastLink last,
                       Resolved& result) {
  if (!memory.has(at.path, at.size)) return Errno::overflow;
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(at.fd, wanted, found); error != Errno::success) {
    return error;
  }
  if (found->type != FileType::directory) return Errno::notdir;
  // Below a directory that the program has opened no absolute path begins.
  const std::string_view name =
      found->preopened_as ? std::string_view(*found->preopened_as) : std::string_view(".");
  // A copy: with shared memory another thread could change the text while we look at it.
  const std::string path(memory.text(at.path, at.size));
  return resolve(found->fd, name, path, last, result);
}

Errno Wasi::path_create_directory(const GuestMemory& memory, u32 fd, u32 path, u32 size) {
  Resolved at;
  const Errno error =
      resolve_at(memory, {fd, path, size}, {right::path_create_directory, 0}, LastLink::keep, at);
  return error != Errno::success ? error : result_of(::mkdirat(at.directory(), at.name(), 0777));
}

Errno Wasi::path_filestat_get(const GuestMemory& memory, u32 fd, u32 lookup, u32 path, u32 size,
                              u32 result) {
  if (!memory.has(result, kFilestatSize)) return Errno::overflow;
  Resolved at;
  if (const Errno error = resolve_at(memory, {fd, path, size}, {right::path_filestat_get, 0},
                                     last_link(lookup), at);
      error != Errno::success) {
    return error;
  }
  struct ::stat status{};
  if (::fstatat(at.directory(), at.name(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return from_errno(errno);
  }
  if (at.must_be_directory && !S_ISDIR(status.st_mode)) return Errno::notdir;
  put_stat(memory, result, status);
  return Errno::success;
}

Errno Wasi::path_filestat_set_times(const GuestMemory& memory, u32 fd, u32 lookup, u32 path,
                                    u32 size, u64 atime, u64 mtime, u32 flags) {
  struct ::timespec times[2];
  if (!make_times(atime, mtime, flags, times)) return Errno::inval;
  Resolved at;
  Errno error = resolve_at(memory, {fd, path, size}, {right::path_filestat_set_times, 0},
                           last_link(lookup), at);
  if (error == Errno::success) error = check_directory(at);
  if (error != Errno::success) return error;
  return result_of(::utimensat(at.directory(), at.name(), times, AT_SYMLINK_NOFOLLOW));
}

Errno Wasi::path_link(const GuestMemory& memory, u32 old_fd, u32 lookup, u32 old_path, u32 old_size,
                      u32 new_fd, u32 new_path, u32 new_size) {
  Resolved from;
  Resolved to;
  Errno error = resolve_at(memory, {old_fd, old_path, old_size}, {right::path_link_source, 0},
                           last_link(lookup), from);
  if (error == Errno::success) error = check_directory(from);
  if (error == Errno::success) {
    error = resolve_at(memory, {new_fd, new_path, new_size}, {right::path_link_target, 0},
                       LastLink::keep, to);
  }
  if (error != Errno::success) return error;
  return result_of(::linkat(from.directory(), from.name(), to.directory(), to.name(), 0));
}

Errno Wasi::path_open(const GuestMemory& memory, u32 fd, u32 lookup, u32 path, u32 size,
                      u32 open_flags, u64 base, u64 inheriting, u32 fd_flags, u32 result) {
  if (!memory.has(result, sizeof(u32))) return Errno::overflow;
  const OpenRequest request = request_of(open_flags, base, inheriting, fd_flags);
  Resolved at;
  if (const Errno error =
          resolve_at(memory, {fd, path, size}, request.needed, last_link(lookup), at);
      error != Errno::success) {
    return error;
  }
  constexpr int kMakesDirectory = O_CREAT | O_DIRECTORY;
  int flags = request.flags;
  if (at.must_be_directory) {
    if ((flags & O_CREAT) != 0) return Errno::isdir;
    flags |= O_DIRECTORY;
  }
  // Kernels before 6.4 make a file of it.
  if ((flags & kMakesDirectory) == kMakesDirectory) return Errno::inval;
  OwnedFd opened(::openat(at.directory(), at.name(), flags, 0666));
  if (!opened.valid()) return from_errno(errno);
  struct ::stat status{};
  if (::fstat(opened.get(), &status) != 0) return from_errno(errno);
  const FileType type = type_of(status.st_mode);
  const Rights most = most_rights(opened.get(), type);
  Descriptor made{
      .fd = opened.get(), .type = type, .rights = {base & most.base, inheriting & most.inheriting}};
  made.owned = std::move(opened);
  memory.put<u32>(result, descriptors_.add(std::move(made)));
  return Errno::success;
}

Errno Wasi::path_readlink(const GuestMemory& memory, u32 fd, u32 path, u32 size, u32 buffer,
                          u32 buffer_size, u32 used) {
  if (!memory.has(buffer, buffer_size) || !memory.has(used, sizeof(u32))) return Errno::overflow;
  Resolved at;
  if (const Errno error =
          resolve_at(memory, {fd, path, size}, {right::path_readlink, 0}, LastLink::keep, at);
      error != Errno::success) {
    return error;
  }
  std::array<char, PATH_MAX> text;
  const ssize_t length = ::readlinkat(at.directory(), at.name(), text.data(), text.size());
  if (length < 0) return from_errno(errno);
  // Node wants room for a zero after it.
  if (static_cast<u32>(length) >= buffer_size) return Errno::nobufs;
  std::copy_n(text.data(), length, memory.part(buffer, buffer_size).begin());
  memory.put<u32>(used, static_cast<u32>(length));
  return Errno::success;
}

Errno Wasi::path_remove_directory(const GuestMemory& memory, u32 fd, u32 path, u32 size) {
  Resolved at;
  if (const Errno error = resolve_at(memory, {fd, path, size}, {right::path_remove_directory, 0},
                                     LastLink::keep, at);
      error != Errno::success) {
    return error;
  }
  if (at.entry == ".") return Errno::notempty;  // the directory that the path starts from
  return result_of(::unlinkat(at.directory(), at.name(), AT_REMOVEDIR));
}

Errno Wasi::path_unlink_file(const GuestMemory& memory, u32 fd, u32 path, u32 size) {
  Resolved at;
  Errno error =
      resolve_at(memory, {fd, path, size}, {right::path_unlink_file, 0}, LastLink::keep, at);
  if (error == Errno::success) error = check_directory(at);
  if (error != Errno::success) return error;
  if (at.entry == ".") return Errno::isdir;
  return result_of(::unlinkat(at.directory(), at.name(), 0));
}

Errno Wasi::path_rename(const GuestMemory& memory, u32 old_fd, u32 old_path, u32 old_size,
                        u32 new_fd, u32 new_path, u32 new_size) {
  Resolved from;
  Resolved to;
  Errno error = resolve_at(memory, {old_fd, old_path, old_size}, {right::path_rename_source, 0},
                           LastLink::keep, from);
  if (error == Errno::success) error = check_directory(from);
  if (error == Errno::success) {
    error = resolve_at(memory, {new_fd, new_path, new_size}, {right::path_rename_target, 0},
                       LastLink::keep, to);
  }
  if (error != Errno::success) return error;
  return result_of(::renameat(from.directory(), from.name(), to.directory(), to.name()));
}

/// A link that leads out could not be followed by the program, but by others: it is not made.
Errno Wasi::path_symlink(const GuestMemory& memory, u32 target, u32 target_size, u32 fd, u32 path,
                         u32 size) {
  if (!memory.has(target, target_size) || !memory.has(path, size)) return Errno::overflow;
  const std::string content(memory.text(target, target_size));
  if (const Errno error = check_link(content, memory.text(path, size)); error != Errno::success) {
    return error;
  }
  Resolved at;
  if (const Errno error =
          resolve_at(memory, {fd, path, size}, {right::path_symlink, 0}, LastLink::keep, at);
      error != Errno::success) {
    return error;
  }
  return result_of(::symlinkat(content.c_str(), at.directory(), at.name()));
}

}  // namespace rondo::wasi
