// Folders: making, listing, removing. What is not one system call a thread does in one go.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "io/descriptor.h"
#include "io/fs/operation.h"
#include "io/fs/system.h"

namespace rondo {

namespace detail {

namespace {

// ---- mkdir --------------------------------------------------------------------------------------

class MkdirCall final : public FileCall<MkdirCall, std::string> {
 public:
  MkdirCall(fs::Path path, fs::MkdirOptions options) noexcept
      : path_(std::move(path)), options_(options) {
    check(path_);
  }

 private:
  bool on_ring() const noexcept override { return !options_.recursive; }
  void prepare(io_uring_sqe& entry) noexcept override {
    entry.opcode = IORING_OP_MKDIRAT;
    entry.fd = AT_FDCWD;
    entry.addr = address_of(path_.c_str());
    entry.len = options_.mode;
  }

  std::int32_t perform() override {
    if (!options_.recursive) return make(path_.text());
    return make_with_parents(path_.text());
  }

  Expected<std::string> take() override {
    if (options_.recursive) return std::move(first_made_);
    return path_.text();
  }

  std::int32_t make(const std::string& path) const noexcept {
    return retrying([&] { return ::mkdir(path.c_str(), options_.mode); });
  }

  /// Upwards until a folder can be made, then down again.
  std::int32_t make_with_parents(std::string path) {
    std::vector<std::string> missing;
    bool has_parent = false;
    for (;;) {
      if (stop_wanted()) return -ECANCELED;
      std::int32_t error = make(path);
      if (error == 0) {
        if (first_made_.empty()) first_made_ = path;
        if (missing.empty()) return 0;
        has_parent = true;
        path = std::move(missing.back());
        missing.pop_back();
        continue;
      }
      if (error == -ENOENT) {
        std::string parent = parent_of(path);
        if (parent.empty() || parent == path) return error;
        // The parent was made or found there a moment ago: another process has removed it, or
        // nothing can be made in it (/proc). Give up.
        if (has_parent) return error;
        missing.push_back(std::move(path));
        path = std::move(parent);
        continue;
      }
      if (error == -EEXIST || error == -EROFS || error == -EACCES || error == -EPERM) {
        struct stat status{};
        const bool there = ::stat(path.c_str(), &status) == 0;
        if (!there && error == -EEXIST) {  // a link that leads nowhere
          error = -errno;
          if (!missing.empty() && options_.failure != nullptr) {
            *options_.failure = {"mkdir", path};
            error = -ENOTDIR;  // for the parent
          }
        }
        if (there && !S_ISDIR(status.st_mode)) error = missing.empty() ? -EEXIST : -ENOTDIR;
        if (there && S_ISDIR(status.st_mode)) {
          if (missing.empty()) return 0;
          has_parent = true;
          path = std::move(missing.back());
          missing.pop_back();
          continue;
        }
      }
      return error;
    }
  }

  static std::string parent_of(const std::string& path) {
    const std::size_t end = path.find_last_not_of('/');
    if (end == std::string::npos) return {};
    const std::size_t slash = path.rfind('/', end);
    if (slash == std::string::npos) return {};
    const std::size_t parent_end = path.find_last_not_of('/', slash);
    return parent_end == std::string::npos ? "/" : path.substr(0, parent_end + 1);
  }

  fs::Path path_;
  fs::MkdirOptions options_;
  std::string first_made_;
};

// ---- Listing ------------------------------------------------------------------------------------

fs::FileType type_of_entry(unsigned char type) noexcept {
  return type_of_mode(static_cast<std::uint32_t>(DTTOIF(type)));
}

/// Calls `each(name, d_type)` for all but the two dots. Owns and closes the descriptor.
template <class Each>
std::int32_t for_each_entry(int fd, Each&& each) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(fd), ::closedir);
  if (folder == nullptr) {
    const int error = errno;
    ::close(fd);
    return -error;
  }
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr) return -errno;
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (const std::int32_t error = each(entry->d_name, entry->d_type)) return error;
  }
}

class ReaddirCall final : public FileCall<ReaddirCall, std::vector<fs::DirEntry>> {
 public:
  explicit ReaddirCall(fs::Path path) noexcept : path_(std::move(path)) { check(path_); }

 private:
  std::int32_t perform() override {
    const std::int32_t fd = open_blocking(path_.c_str(), O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) return fd;
    return for_each_entry(fd, [&](const char* name, unsigned char type) {
      fs::FileType known = type_of_entry(type);
      struct stat status{};
      // Some file systems do not report it.
      if (known == fs::FileType::unknown &&
          ::fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        known = type_of_mode(status.st_mode);
      }
      entries_.push_back({name, known});
      return stop_wanted() ? -ECANCELED : 0;
    });
  }
  Expected<std::vector<fs::DirEntry>> take() override { return std::move(entries_); }

  fs::Path path_;
  std::vector<fs::DirEntry> entries_;
};

// ---- rm -----------------------------------------------------------------------------------------

// Folders are entered by descriptor and never through a symbolic link, so that no other process can
// lead us out of the tree by swapping one for the other. Each level holds a descriptor; a tree that
// is too deep for that is made flat: its deep folders move up to the top and are removed there.
class RmCall final : public FileCall<RmCall, void> {
 public:
  RmCall(fs::Path path, fs::RmOptions options) noexcept
      : path_(std::move(path)), options_(options) {
    check(path_);
  }

 private:
  static constexpr int kMostLevels = 64;

  std::int32_t perform() override {
    const std::int32_t error = remove_path();
    return error == -ENOENT && options_.force ? 0 : error;
  }

  std::int32_t remove_path() {
    struct stat status{};
    // With a slash appended, the name of a link would be that of the folder it leads to.
    const std::string& path = path_.text();
    const std::size_t end = path.find_last_not_of('/');
    if (path.ends_with('/') && end != std::string::npos) {
      if (::lstat(path.substr(0, end + 1).c_str(), &status) != 0) return failed("lstat", -errno);
      if (!S_ISDIR(status.st_mode)) return failed("rmdir", -ENOTDIR);
    }
    if (::lstat(path_.c_str(), &status) != 0) return failed("lstat", -errno);
    if (!S_ISDIR(status.st_mode)) return failed("unlink", remove_at(AT_FDCWD, path_.c_str(), 0));
    if (!options_.recursive) return -EISDIR;
    // First as if it were empty. That needs not be read; and what may not be removed stays whole.
    const std::int32_t removed = remove_at(AT_FDCWD, path_.c_str(), AT_REMOVEDIR);
    if (removed != -ENOTEMPTY && removed != -EEXIST) return failed("rmdir", removed);
    const std::int32_t fd = open_folder(AT_FDCWD, path_.c_str());
    if (fd < 0) return failed("scandir", fd);
    const Descriptor top(fd);
    do {
      moved_up_ = false;
      if (const std::int32_t error = empty_folder(fd, fd, 1)) return error;
    } while (moved_up_);
    return failed("rmdir", remove_at(AT_FDCWD, path_.c_str(), AT_REMOVEDIR));
  }

  static std::int32_t remove_at(int parent, const char* name, int flags) noexcept {
    return retrying([&] { return ::unlinkat(parent, name, flags); });
  }

  /// Passes the result on; of a failure it keeps what was tried, on what is at hand.
  std::int32_t failed(const char* call, std::int32_t result) {
    if (result >= 0 || options_.failure == nullptr) return result;
    std::string path = path_.text();
    for (const std::string& name : inside_) path.append(path.ends_with('/') ? "" : "/") += name;
    *options_.failure = {call, std::move(path)};
    return result;
  }

  static std::int32_t open_folder(int parent, const char* name) noexcept {
    return retrying(
        [&] { return ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); });
  }

  struct Name {
    std::string text;
    bool folder;
  };

  std::int32_t empty_folder(int top, int fd, int level) {
    // Listed first: a listing is unreliable while entries vanish.
    std::vector<Name> names;
    const int listed = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (listed < 0) return failed("scandir", -errno);
    ::lseek(listed, 0, SEEK_SET);
    const std::int32_t error = for_each_entry(listed, [&](const char* name, unsigned char type) {
      names.push_back({name, type == DT_DIR});
      return 0;
    });
    if (error != 0) return failed("scandir", error);
    for (const Name& name : names) {
      if (stop_wanted()) return -ECANCELED;
      inside_.push_back(name.text);
      const std::int32_t result = remove_entry(top, fd, level, name);
      inside_.pop_back();
      if (result != 0 && result != -ENOENT) return result;  // another process was faster
    }
    return 0;
  }

  /// What was a folder when it was checked may not be one when it is used, if another process is at
  /// work there: then it is looked at again, but not for ever.
  std::int32_t remove_entry(int top, int fd, int level, const Name& name) {
    constexpr int kAttempts = 10;
    std::int32_t error = 0;
    bool folder = name.folder;
    for (int i = 0; i < kAttempts; ++i) {
      error = folder ? remove_folder(top, fd, level, name.text.c_str())
                     : failed("unlink", remove_at(fd, name.text.c_str(), 0));
      if (error != (folder ? -ENOTDIR : -EISDIR)) break;
      folder = !folder;
    }
    return error;
  }

  std::int32_t remove_folder(int top, int fd, int level, const char* name) {
    const std::int32_t removed = remove_at(fd, name, AT_REMOVEDIR);
    if (removed != -ENOTEMPTY && removed != -EEXIST) return failed("rmdir", removed);
    if (level == kMostLevels) return move_up(top, fd, name);
    const std::int32_t child = open_folder(fd, name);
    if (child == -ELOOP) return -ENOTDIR;
    if (child < 0) return failed("scandir", child);
    const Descriptor closed_at_the_end(child);
    if (const std::int32_t error = empty_folder(top, child, level + 1)) return error;
    return failed("rmdir", remove_at(fd, name, AT_REMOVEDIR));
  }

  std::int32_t move_up(int top, int fd, const char* name) {
    for (;;) {
      const std::string up = ".rondo-rm-" + std::to_string(names_made_++);
      const std::int32_t error = or_errno(::renameat2(fd, name, top, up.c_str(), RENAME_NOREPLACE));
      if (error == -EEXIST) continue;
      if (error == 0) moved_up_ = true;
      return error;
    }
  }

  fs::Path path_;
  fs::RmOptions options_;
  std::vector<std::string> inside_;  // the names of the folders that it is in
  bool moved_up_ = false;
  std::uint64_t names_made_ = 0;
};

}  // namespace

}  // namespace detail

namespace fs {

Op<std::string> mkdir(Path path, MkdirOptions options) {
  return detail::make_file_op<detail::MkdirCall>(std::move(path), options);
}

Op<std::string> mkdtemp(Path prefix) {
  const int refused = detail::refusal(prefix);
  return detail::on_thread<std::string>(
      [prefix = std::move(prefix)](std::string& path) {
        path = prefix.text() + "XXXXXX";
        return ::mkdtemp(path.data()) != nullptr ? 0 : -errno;
      },
      refused);
}

Op<std::vector<DirEntry>> readdir(Path path) {
  return detail::make_file_op<detail::ReaddirCall>(std::move(path));
}

Op<void> rm(Path path, RmOptions options) {
  return detail::make_file_op<detail::RmCall>(std::move(path), options);
}

}  // namespace fs
}  // namespace rondo
