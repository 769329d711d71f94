// Files and folders.
//
//     auto text = co_await rondo::fs::read_file("notes.txt");        // in a coroutine
//     rondo::fs::read_file("notes.txt").then(loop, [](auto text) {});  // with a callback
//
// Each function makes an operation; it begins when it is awaited or given a callback, and gives a
// std::expected. What the page cache can answer is answered without a detour, still in the poll
// phase and after the immediates that waited; everything else is carried out by the kernel or by
// a thread. The loop's thread never waits for a disk.
//
// Errors are those of the system call (ENOENT, EACCES, ENOSPC ...), and:
//   EINVAL     a path with a NUL in it
//   ECANCELED  stopped before it was done; an operation of several steps stops between two
//   EAGAIN     more work waits for the threads of the loop than their queue holds
//   ENOMEM     no memory for a result
//
// A buffer or a descriptor handed to an operation stays valid until the operation is complete.
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/async.h"
#include "rondo/detail/chrono.h"
#include "rondo/detail/loop_owned.h"
#include "rondo/error.h"

namespace rondo {

namespace detail {
template <class T>
class FileOperation;
struct FileOpMaker;
}  // namespace detail

template <class Stream>
class Lines;

namespace fs {

class File;

// ---- What goes in and comes out -----------------------------------------------------------------

/// A path, from whatever text a program has at hand. It is copied.
class Path {
 public:
  Path(const char* text) : text_(text) {}
  Path(std::string text) noexcept : text_(std::move(text)) {}
  Path(std::string_view text) : text_(text) {}
  template <class P>  // std::filesystem::path
    requires requires(const P& path) {
      { path.native() } -> std::same_as<const std::string&>;
    }
  Path(const P& path) : text_(path.native()) {}

  const std::string& text() const noexcept { return text_; }
  const char* c_str() const noexcept { return text_.c_str(); }
  bool has_nul() const noexcept { return text_.find('\0') != std::string::npos; }

 private:
  std::string text_;
};

enum class FileType : std::uint8_t {
  unknown,
  regular,
  folder,
  symlink,
  fifo,
  socket,
  char_device,
  block_device,
};

using FileTime = std::chrono::sys_time<std::chrono::nanoseconds>;

struct Stat {
  FileType type = FileType::unknown;
  mode_t mode = 0;  // type and permissions, as in struct stat
  uid_t uid = 0;
  gid_t gid = 0;
  std::uint64_t dev = 0;
  std::uint64_t rdev = 0;
  std::uint64_t ino = 0;
  std::uint64_t nlink = 0;
  std::uint64_t size = 0;
  std::uint64_t blksize = 0;
  std::uint64_t blocks = 0;  // of 512 bytes
  FileTime atime;
  FileTime mtime;
  FileTime ctime;
  std::optional<FileTime> birthtime;  // where the file system knows it

  /// The same times as the kernel has them. A FileTime ends in the years 1677 and 2262, and stays
  /// there for files that claim to be of another.
  struct Exact {
    timespec atime{};
    timespec mtime{};
    timespec ctime{};
    timespec birthtime{};  // 0: unknown
  };
  Exact exact;

  bool is_regular() const noexcept { return type == FileType::regular; }
  bool is_folder() const noexcept { return type == FileType::folder; }
  bool is_symlink() const noexcept { return type == FileType::symlink; }
};

struct DirEntry {
  std::string name;
  FileType type = FileType::unknown;

  friend bool operator==(const DirEntry&, const DirEntry&) = default;
};

/// Bytes to read into or to write, in several buffers.
using Buffers = std::span<const std::span<std::byte>>;
using ConstBuffers = std::span<const std::span<const std::byte>>;  // rondo::ConstBuffers too

/// Nothing: from the descriptor's own position, which moves.
using Offset = std::optional<std::uint64_t>;

inline std::span<const std::byte> bytes_of(std::string_view text) noexcept {
  return std::as_bytes(std::span(text));
}

// ---- Operations ---------------------------------------------------------------------------------

/// What the functions below return: to be awaited, or given a callback with then(). It can be
/// moved until it begins.
template <class T>
class [[nodiscard]] Op : public Operable<Op<T>, T> {
 public:
  Op(Op&& other) noexcept;
  Op& operator=(Op&&) = delete;
  ~Op();

  /// Does it now, on this thread, which waits for as long as it takes: for a program that wants to
  /// wait, or has no loop. A File that comes of it belongs to no loop.
  [[nodiscard]] Expected<T> run_now();

  void begin(const detail::AsyncContext& context, detail::Waiter waiter);
  void cancel() noexcept;
  Expected<T> take_result();

 private:
  friend detail::FileOpMaker;
  static constexpr std::size_t kBytes = 640;

  Op() noexcept = default;

  detail::FileOperation<T>* operation_ = nullptr;  // in storage_
  alignas(std::max_align_t) std::byte storage_[kBytes];
};

// ---- Open files ---------------------------------------------------------------------------------

/// `flags` as for open(2): O_RDONLY, O_RDWR | O_CREAT ...; O_CLOEXEC is always set. The reading
/// end of a FIFO is open at once, its first read waits for a writer; the writing end waits for
/// a reader, unless O_NONBLOCK is given.
Op<File> open(Path path, int flags = O_RDONLY, mode_t mode = 0666);

/// Closes a descriptor. It is gone also when there is an error (EIO: what was written before
/// may be lost).
Op<void> close(int fd);
Op<void> close(File file);

/// One system call: may read or write fewer bytes than asked for. Zero bytes read: the end.
/// More than IOV_MAX buffers: EINVAL.
Op<std::size_t> read(int fd, std::span<std::byte> buffer, Offset offset = {});
Op<std::size_t> read(int fd, Buffers buffers, Offset offset = {});
Op<std::size_t> write(int fd, std::span<const std::byte> data, Offset offset = {});
Op<std::size_t> write(int fd, ConstBuffers data, Offset offset = {});

Op<Stat> fstat(int fd);
Op<void> ftruncate(int fd, std::uint64_t size);
Op<void> fsync(int fd);
Op<void> fdatasync(int fd);
Op<void> fchmod(int fd, mode_t mode);
Op<void> fchown(int fd, uid_t uid, gid_t gid);
Op<void> futimes(int fd, FileTime atime, FileTime mtime);

/// Copies from a file to a file, pipe or socket without passing through the program, until
/// `count` bytes have gone or the file ends. Gives the number of bytes; an error after the
/// first byte results in a smaller number. A blocking socket blocks a thread of the pool.
Op<std::size_t> sendfile(int out_fd, int in_fd, std::uint64_t offset, std::size_t count);

/// Owns a descriptor. A File that is destroyed open is closed without blocking the loop: where
/// closing might wait, elsewhere. It belongs to the thread of its loop and may outlive the loop.
class File final : private detail::LoopOwned {
 public:
  /// Takes over an open descriptor.
  File(Loop& loop, int fd) noexcept;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File() override;

  int fd() const noexcept { return fd_; }
  bool is_open() const noexcept { return fd_ >= 0; }
  /// The descriptor is the caller's from now on.
  int release() noexcept { return std::exchange(fd_, -1); }

  Op<std::size_t> read(std::span<std::byte> buffer, Offset offset = {}) {
    return fs::read(fd_, buffer, offset);
  }
  Op<std::size_t> read(Buffers buffers, Offset offset = {}) {
    return fs::read(fd_, buffers, offset);
  }
  Op<std::size_t> write(std::span<const std::byte> data, Offset offset = {}) {
    return fs::write(fd_, data, offset);
  }
  Op<std::size_t> write(ConstBuffers data, Offset offset = {}) {
    return fs::write(fd_, data, offset);
  }
  /// The same under the name that every stream has; see rondo/streams.h.
  Op<std::size_t> read_some(std::span<std::byte> buffer) { return read(buffer); }

  /// Writes all of it, in as many calls as that takes. The bytes stay the caller's, who keeps them
  /// until it is done.
  Async<Expected<>> write_all(std::span<const std::byte> data, Offset offset = {}) {
    return write_all_to(fd_, data, offset);
  }
  Async<Expected<>> write_all(std::string_view text, Offset offset = {}) {
    return write_all_to(fd_, bytes_of(text), offset);
  }
  /// From the file's position to its end. EFBIG if that is more than `at_most` bytes.
  Async<Expected<std::string>> read_all(std::size_t at_most = (std::size_t{1} << 31) - 1) {
    return read_all_of(fd_, at_most);
  }
  /// From the file's position, line by line; the File has to stay. Needs rondo/streams.h.
  Lines<File&> lines(std::size_t limit = std::size_t{1} << 20);

  Op<Stat> stat() { return fs::fstat(fd_); }
  Op<void> truncate(std::uint64_t size) { return fs::ftruncate(fd_, size); }
  Op<void> sync() { return fs::fsync(fd_); }
  Op<void> datasync() { return fs::fdatasync(fd_); }
  Op<void> chmod(mode_t mode) { return fs::fchmod(fd_, mode); }
  Op<void> chown(uid_t uid, gid_t gid) { return fs::fchown(fd_, uid, gid); }
  Op<void> utimes(FileTime atime, FileTime mtime) { return fs::futimes(fd_, atime, mtime); }
  /// Leaves this File without a descriptor, at once. EBADF if it has none.
  Op<void> close() { return fs::close(release()); }

 private:
  friend detail::FileOpMaker;
  static Async<Expected<>> write_all_to(int fd, std::span<const std::byte> data, Offset offset);
  static Async<Expected<std::string>> read_all_of(int fd, std::size_t at_most);
  File(LoopCore* core, int fd) noexcept : LoopOwned(core), fd_(fd) {}
  void loop_ends() noexcept override { leave(); }

  int fd_;
};

// ---- By path ------------------------------------------------------------------------------------

Op<Stat> stat(Path path);
Op<Stat> lstat(Path path);  // of a symbolic link itself
/// `mode` as for access(2): F_OK, or R_OK | W_OK | X_OK.
Op<void> access(Path path, int mode = F_OK);
Op<std::string> realpath(Path path);
Op<std::string> readlink(Path path);

Op<void> rename(Path from, Path to);
Op<void> unlink(Path path);
Op<void> link(Path existing, Path link);
Op<void> symlink(Path target, Path link);
Op<void> truncate(Path path, std::uint64_t size);
Op<void> chmod(Path path, mode_t mode);
Op<void> chown(Path path, uid_t uid, gid_t gid);
Op<void> lchown(Path path, uid_t uid, gid_t gid);
Op<void> utimes(Path path, FileTime atime, FileTime mtime);
Op<void> lutimes(Path path, FileTime atime, FileTime mtime);

// ---- Folders ------------------------------------------------------------------------------------

/// Which step of an operation with many steps has failed.
struct Failure {
  const char* call = nullptr;  // "unlink", "rmdir" ...
  std::string path;
};

struct MkdirOptions {
  bool recursive = false;  // parents too; an existing folder is not an error
  mode_t mode = 0777;
  /// Filled in when a parent is in the way. Must stay until the operation is complete.
  Failure* failure = nullptr;
};
/// Gives the first folder that was made; empty when all were there.
Op<std::string> mkdir(Path path, MkdirOptions options = {});
Op<void> rmdir(Path path);
/// Makes a folder with a fresh name: `prefix` and six characters. Gives its path.
Op<std::string> mkdtemp(Path prefix);
/// All but "." and "..", in no particular order.
Op<std::vector<DirEntry>> readdir(Path path);

struct RmOptions {
  bool recursive = false;  // without it a folder is EISDIR
  bool force = false;      // nothing there is no error
  /// Filled in with the step that failed. Must stay until the operation is complete.
  Failure* failure = nullptr;
};
/// Never follows a symbolic link, also not one that replaces a folder meanwhile.
Op<void> rm(Path path, RmOptions options = {});

// ---- Whole files --------------------------------------------------------------------------------

struct ReadFileOptions {
  /// A larger file (or a device that never ends) is EFBIG.
  std::uint64_t at_most = (std::uint64_t{1} << 31) - 1;
  /// Filled in when the file could be opened but not read. Must stay until the operation is
  /// complete.
  Failure* failure = nullptr;
};
/// The whole content, to the end, whatever size the file claims to have: it may grow or shrink
/// meanwhile; a FIFO is read until its writers have gone. A folder is EISDIR.
Op<std::string> read_file(Path path, ReadFileOptions options = {});

struct WriteFileOptions {
  /// Who reads the path sees the old content or the new, never a part, after a crash too: a
  /// temporary file in the same folder is written, synced and renamed, and the folder synced.
  /// The mode of a file that is replaced is kept. A symbolic link stays: the file it names is
  /// replaced.
  bool atomic = false;
  bool sync = false;       // fsync before it is done; atomic does it anyway
  bool exclusive = false;  // EEXIST if the file is there
  mode_t mode = 0666;      // of a new file
  /// Filled in when a step after opening the file has failed, without a path. Must stay until the
  /// operation is complete.
  Failure* failure = nullptr;
};
/// The text is the operation's own.
Op<void> write_file(Path path, std::string data, WriteFileOptions options = {});
/// The bytes stay the caller's, who keeps them until it is done.
Op<void> write_file(Path path, std::span<const std::byte> data, WriteFileOptions options = {});
Op<void> append_file(Path path, std::string data, mode_t mode = 0666);
Op<void> append_file(Path path, std::span<const std::byte> data, mode_t mode = 0666);

enum class Reflink : std::uint8_t {
  try_first,  // share the blocks where the file system can, copy them where not
  required,   // EOPNOTSUPP, EXDEV or EINVAL where it cannot
};
struct CopyOptions {
  bool exclusive = false;  // EEXIST if the target is there
  Reflink reflink = Reflink::try_first;
};
/// Content, permissions and the time of access; the owner where this user may set it, and of an
/// empty file the time of modification. A target that this call has made does not survive its
/// failure.
Op<void> copy_file(Path from, Path to, CopyOptions options = {});

extern template class Op<void>;
extern template class Op<std::size_t>;
extern template class Op<std::string>;
extern template class Op<Stat>;
extern template class Op<File>;
extern template class Op<std::vector<DirEntry>>;

}  // namespace fs
}  // namespace rondo
