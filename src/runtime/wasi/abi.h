// Numbers and layouts of WASI preview 1, as the specification's wasi_snapshot_preview1.witx has
// them.
#pragma once

#include <cstdint>

namespace rondo::wasi {

/// The error numbers that C++ returns by itself; from_errno() knows the others.
enum class Errno : std::uint16_t {
  success = 0,
  badf = 8,
  inval = 28,
  io = 29,
  isdir = 31,
  loop = 32,
  nametoolong = 37,
  nobufs = 42,
  noent = 44,
  nomem = 48,
  nosys = 52,
  notdir = 54,
  notempty = 55,
  notsock = 57,
  overflow = 61,
  perm = 63,
  notcapable = 76,
};

/// What the number of a system call's error is called in WASI.
Errno from_errno(int number) noexcept;
/// Without a prefix: "ENOENT".
const char* name_of(Errno error) noexcept;

/// Rights are bits of a u64, of a descriptor and of those that path_open makes from it.
namespace right {
inline constexpr std::uint64_t fd_datasync = 1U << 0;
inline constexpr std::uint64_t fd_read = 1U << 1;
inline constexpr std::uint64_t fd_seek = 1U << 2;
inline constexpr std::uint64_t fd_fdstat_set_flags = 1U << 3;
inline constexpr std::uint64_t fd_sync = 1U << 4;
inline constexpr std::uint64_t fd_tell = 1U << 5;
inline constexpr std::uint64_t fd_write = 1U << 6;
inline constexpr std::uint64_t fd_advise = 1U << 7;
inline constexpr std::uint64_t fd_allocate = 1U << 8;
inline constexpr std::uint64_t path_create_directory = 1U << 9;
inline constexpr std::uint64_t path_create_file = 1U << 10;
inline constexpr std::uint64_t path_link_source = 1U << 11;
inline constexpr std::uint64_t path_link_target = 1U << 12;
inline constexpr std::uint64_t path_open = 1U << 13;
inline constexpr std::uint64_t fd_readdir = 1U << 14;
inline constexpr std::uint64_t path_readlink = 1U << 15;
inline constexpr std::uint64_t path_rename_source = 1U << 16;
inline constexpr std::uint64_t path_rename_target = 1U << 17;
inline constexpr std::uint64_t path_filestat_get = 1U << 18;
inline constexpr std::uint64_t path_filestat_set_size = 1U << 19;
inline constexpr std::uint64_t path_filestat_set_times = 1U << 20;
inline constexpr std::uint64_t fd_filestat_get = 1U << 21;
inline constexpr std::uint64_t fd_filestat_set_size = 1U << 22;
inline constexpr std::uint64_t fd_filestat_set_times = 1U << 23;
inline constexpr std::uint64_t path_symlink = 1U << 24;
inline constexpr std::uint64_t path_remove_directory = 1U << 25;
inline constexpr std::uint64_t path_unlink_file = 1U << 26;
inline constexpr std::uint64_t poll_fd_readwrite = 1U << 27;
inline constexpr std::uint64_t sock_shutdown = 1U << 28;
inline constexpr std::uint64_t sock_accept = 1U << 29;
inline constexpr std::uint64_t all = (1U << 30) - 1;
}  // namespace right

enum class FileType : std::uint8_t {
  unknown = 0,
  block_device = 1,
  character_device = 2,
  directory = 3,
  regular_file = 4,
  socket_datagram = 5,
  socket_stream = 6,
  symbolic_link = 7,
};

inline constexpr std::uint32_t kLookupFollow = 1;

namespace open_flag {
inline constexpr std::uint32_t creat = 1;
inline constexpr std::uint32_t directory = 2;
inline constexpr std::uint32_t excl = 4;
inline constexpr std::uint32_t trunc = 8;
}  // namespace open_flag

namespace fd_flag {
inline constexpr std::uint32_t append = 1;
inline constexpr std::uint32_t dsync = 2;
inline constexpr std::uint32_t nonblock = 4;
inline constexpr std::uint32_t rsync = 8;
inline constexpr std::uint32_t sync = 16;
}  // namespace fd_flag

namespace time_flag {
inline constexpr std::uint32_t atim = 1;
inline constexpr std::uint32_t atim_now = 2;
inline constexpr std::uint32_t mtim = 4;
inline constexpr std::uint32_t mtim_now = 8;
inline constexpr std::uint32_t all = 15;
}  // namespace time_flag

// Sizes in the guest's memory, in bytes.
inline constexpr std::uint32_t kIovecSize = 8;
inline constexpr std::uint32_t kFilestatSize = 64;
inline constexpr std::uint32_t kFdstatSize = 24;
inline constexpr std::uint32_t kPrestatSize = 8;
inline constexpr std::uint32_t kDirentSize = 24;
inline constexpr std::uint32_t kSubscriptionSize = 48;
inline constexpr std::uint32_t kEventSize = 32;

}  // namespace rondo::wasi
