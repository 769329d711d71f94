#include "runtime/wasi/descriptors.h"

#include <unistd.h>

#include <algorithm>

namespace rondo::wasi {
namespace {

constexpr std::uint64_t kRegularFile =
    right::fd_datasync | right::fd_read | right::fd_seek | right::fd_fdstat_set_flags |
    right::fd_sync | right::fd_tell | right::fd_write | right::fd_advise | right::fd_allocate |
    right::fd_filestat_get | right::fd_filestat_set_size | right::fd_filestat_set_times |
    right::poll_fd_readwrite;

constexpr std::uint64_t kDirectory =
    right::fd_fdstat_set_flags | right::fd_sync | right::fd_advise | right::path_create_directory |
    right::path_create_file | right::path_link_source | right::path_link_target | right::path_open |
    right::fd_readdir | right::path_readlink | right::path_rename_source |
    right::path_rename_target | right::path_filestat_get | right::path_filestat_set_size |
    right::path_filestat_set_times | right::fd_filestat_get | right::fd_filestat_set_times |
    right::path_symlink | right::path_remove_directory | right::path_unlink_file |
    right::poll_fd_readwrite;

constexpr std::uint64_t kSocket = right::fd_read | right::fd_fdstat_set_flags | right::fd_write |
                                  right::fd_filestat_get | right::poll_fd_readwrite |
                                  right::sock_shutdown;

constexpr std::uint64_t kTerminal = right::fd_read | right::fd_fdstat_set_flags | right::fd_write |
                                    right::fd_filestat_get | right::poll_fd_readwrite;

}  // namespace

OwnedFd::~OwnedFd() {
  if (fd_ >= 0) ::close(fd_);
}

FileType type_of(mode_t mode) noexcept {
  if (S_ISREG(mode)) return FileType::regular_file;
  if (S_ISDIR(mode)) return FileType::directory;
  if (S_ISCHR(mode)) return FileType::character_device;
  if (S_ISLNK(mode)) return FileType::symbolic_link;
  // WASI has no pipes.
  if (S_ISSOCK(mode) || S_ISFIFO(mode)) return FileType::socket_stream;
  return S_ISBLK(mode) ? FileType::block_device : FileType::unknown;
}

Rights most_rights(int fd, FileType type) noexcept {
  switch (type) {
    case FileType::regular_file:
      return {kRegularFile, 0};
    case FileType::directory:
      return {kDirectory, kDirectory | kRegularFile};
    case FileType::socket_stream:
      return {kSocket, right::all};
    case FileType::character_device:
      return ::isatty(fd) == 1 ? Rights{kTerminal, 0} : Rights{right::all, right::all};
    case FileType::block_device:
      return {right::all, right::all};
    default:
      return {};
  }
}

Descriptor* Descriptors::find(std::uint32_t number) noexcept {
  return number < entries_.size() && entries_[number] ? &*entries_[number] : nullptr;
}

Errno Descriptors::get(std::uint32_t number, Rights wanted, Descriptor*& found) noexcept {
  found = find(number);
  if (found == nullptr) return Errno::badf;
  const Rights& has = found->rights;
  const bool allowed = (wanted.base & ~has.base) == 0 && (wanted.inheriting & ~has.inheriting) == 0;
  return allowed ? Errno::success : Errno::notcapable;
}

std::uint32_t Descriptors::add(Descriptor descriptor) {
  const auto free =
      std::ranges::find_if(entries_, [](const auto& entry) { return !entry.has_value(); });
  const auto number = static_cast<std::uint32_t>(free - entries_.begin());
  if (free == entries_.end()) entries_.emplace_back();
  entries_[number] = std::move(descriptor);
  return number;
}

Errno Descriptors::close(std::uint32_t number) noexcept {
  if (find(number) == nullptr) return Errno::badf;
  entries_[number].reset();
  return Errno::success;
}

Errno Descriptors::renumber(std::uint32_t from, std::uint32_t to) noexcept {
  if (find(from) == nullptr || find(to) == nullptr) return Errno::badf;
  if (from == to) return Errno::success;
  entries_[to] = std::move(entries_[from]);
  entries_[from].reset();
  return Errno::success;
}

}  // namespace rondo::wasi
