// write_file and append_file: several steps that all may wait for the disk, so a thread does them
// in one go.
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <string>

#include "io/descriptor.h"
#include "io/fs/operation.h"
#include "io/fs/system.h"

namespace rondo {

namespace detail {

namespace {

/// The operation's own text, or bytes of the caller's.
class Data {
 public:
  explicit Data(std::string text) noexcept : text_(std::move(text)), own_(true) {}
  explicit Data(std::span<const std::byte> bytes) noexcept : bytes_(bytes), own_(false) {}
  std::span<const std::byte> bytes() const noexcept { return own_ ? fs::bytes_of(text_) : bytes_; }

 private:
  std::string text_;
  std::span<const std::byte> bytes_;
  bool own_;
};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Where a symbolic link leads, whether anything is there or not.
std::int32_t follow_links(std::string& path) {
  constexpr int kMostLinks = 40;  // the kernel's own limit
  for (int i = 0; i < kMostLinks; ++i) {
    std::array<char, 4096> target;
    const std::int32_t length = or_errno(::readlink(path.c_str(), target.data(), target.size()));
    if (length == -EINVAL || length == -ENOENT) return 0;  // no link, or nothing at all
    if (length < 0) return length;
    const std::string_view text(target.data(), static_cast<std::size_t>(length));
    path = text.starts_with('/') ? std::string(text) : folder_of(path) + "/" + std::string(text);
  }
  return -ELOOP;
}

class WriteFileCall final : public FileCall<WriteFileCall, void> {
 public:
  WriteFileCall(fs::Path path, Data data, fs::WriteFileOptions options, int more_flags) noexcept
      : path_(std::move(path)), data_(std::move(data)), options_(options), more_flags_(more_flags) {
    check(path_);
  }

 private:
  std::int32_t perform() override {
    if (stop_wanted()) return -ECANCELED;
    return options_.atomic ? replace() : write_in_place();
  }

  // Without O_TRUNC: ext4 writes a file to the disk when it is closed after it was truncated to
  // nothing, which takes ten times as long as all the rest. The rest of a longer old content is cut
  // off after writing, also after writing a part of it only.
  std::int32_t write_in_place() noexcept {
    const int flags = O_WRONLY | O_CREAT | more_flags_ | (options_.exclusive ? O_EXCL : 0);
    const std::int32_t fd =
        open_patiently(path_.c_str(), flags, options_.mode, [this] { return stop_wanted(); });
    if (fd < 0) return fd;
    failed_call_ = "write";
    struct stat old{};
    if (!replaces_content() || ::fstat(fd, &old) != 0 || !S_ISREG(old.st_mode)) old.st_size = 0;
    return write_and_close(fd, options_.sync, old.st_size);
  }

  bool replaces_content() const noexcept { return (more_flags_ & O_APPEND) == 0; }

  std::int32_t write_and_close(int fd, bool sync, off_t old_size = 0) noexcept {
    std::size_t written = 0;
    std::int32_t error = write_all(fd, data_.bytes(), [this] { return stop_wanted(); }, &written);
    if (const auto size = static_cast<off_t>(written); size < old_size) {
      const std::int32_t cut_error = retrying([&] { return ::ftruncate(fd, size); });
      if (error == 0) error = cut_error;
    }
    if (error == 0 && sync) {
      failed_call_ = "fsync";
      error = retrying([&] { return ::fsync(fd); });
    }
    const std::int32_t close_error = close_checked(fd);
    if (error == 0) failed_call_ = "close";
    return error != 0 ? error : close_error;
  }

  void note_failure() override {
    if (options_.failure != nullptr && failed_call_ != nullptr)
      *options_.failure = {failed_call_, {}};
  }

  // ---- By way of a temporary file -----------------------------------------------------------

  std::int32_t replace() {
    std::string target = path_.text();
    if (const std::int32_t error = follow_links(target)) return error;
    struct stat old{};
    const bool replaces = ::stat(target.c_str(), &old) == 0;
    if (!replaces && errno != ENOENT) return -errno;
    if (replaces) {
      if (options_.exclusive) return -EEXIST;
      if (S_ISDIR(old.st_mode)) return -EISDIR;
      if (!S_ISREG(old.st_mode)) return -EINVAL;  // a device would become a file
    }

    std::string temporary;
    const std::int32_t fd =
        make_temporary(folder_of(target), replaces ? 0600 : options_.mode, temporary);
    if (fd < 0) return fd;
    std::int32_t error = replaces ? keep_owner_and_mode(fd, old) : 0;
    if (error != 0) {
      ::close(fd);
    } else {
      error = write_and_close(fd, true);
    }
    if (error == 0) error = put_in_place(temporary, target);
    if (error != 0) {
      ::unlink(temporary.c_str());
      return error;
    }
    return sync_folder(folder_of(target));
  }

  static std::int32_t make_temporary(const std::string& folder, mode_t mode, std::string& path) {
    constexpr int kAttempts = 100;
    for (int i = 0; i < kAttempts; ++i) {
      std::uint64_t random = 0;
      if (::getrandom(&random, sizeof(random), 0) != sizeof(random)) return -EIO;
      std::array<char, 32> name;
      std::snprintf(name.data(), name.size(), "/.rondo-%016" PRIx64, random);
      path = folder + name.data();
      const std::int32_t fd =
          open_blocking(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
      if (fd != -EEXIST) return fd;
    }
    return -EEXIST;
  }

  /// The owner as far as we may; a file we may not give away becomes ours, as with any editor.
  static std::int32_t keep_owner_and_mode(int fd, const struct stat& old) noexcept {
    struct stat status{};
    if (::fstat(fd, &status) != 0) return -errno;
    if ((status.st_uid != old.st_uid || status.st_gid != old.st_gid) &&
        ::fchown(fd, old.st_uid, old.st_gid) != 0 && errno != EPERM) {
      return -errno;
    }
    return or_errno(::fchmod(fd, old.st_mode & 07777));
  }

  std::int32_t put_in_place(const std::string& temporary, const std::string& target) noexcept {
    if (stop_wanted()) return -ECANCELED;
    if (!options_.exclusive) return or_errno(::rename(temporary.c_str(), target.c_str()));
    const std::int32_t error = or_errno(
        ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE));
    if (error != -EINVAL) return error;
    // A file system that cannot rename so may know links.
    if (::link(temporary.c_str(), target.c_str()) != 0) return -errno;
    ::unlink(temporary.c_str());
    return 0;
  }

  static std::int32_t sync_folder(const std::string& folder) noexcept {
    const std::int32_t fd = open_blocking(folder.c_str(), O_RDONLY | O_DIRECTORY, 0);
    // One may write to a folder that one may not read: the rename is done, only less certain.
    if (fd == -EACCES) return 0;
    if (fd < 0) return fd;
    const Descriptor closed_at_the_end(fd);
    const std::int32_t error = retrying([&] { return ::fsync(fd); });
    return error == -EINVAL ? 0 : error;  // some file systems sync no folders
  }

  fs::Path path_;
  Data data_;
  fs::WriteFileOptions options_;
  int more_flags_;
  const char* failed_call_ = nullptr;  // if it is not the opening that fails
};

fs::Op<void> make_write(fs::Path path, Data data, fs::WriteFileOptions options, int more_flags) {
  return make_file_op<WriteFileCall>(std::move(path), std::move(data), options, more_flags);
}

}  // namespace

}  // namespace detail

namespace fs {

Op<void> write_file(Path path, std::string data, WriteFileOptions options) {
  return detail::make_write(std::move(path), detail::Data(std::move(data)), options, 0);
}
Op<void> write_file(Path path, std::span<const std::byte> data, WriteFileOptions options) {
  return detail::make_write(std::move(path), detail::Data(data), options, 0);
}
Op<void> append_file(Path path, std::string data, mode_t mode) {
  return detail::make_write(std::move(path), detail::Data(std::move(data)), {.mode = mode},
                            O_APPEND);
}
Op<void> append_file(Path path, std::span<const std::byte> data, mode_t mode) {
  return detail::make_write(std::move(path), detail::Data(data), {.mode = mode}, O_APPEND);
}

}  // namespace fs
}  // namespace rondo
