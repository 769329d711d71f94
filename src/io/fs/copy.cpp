// copy_file: shared blocks where the file system can, a copy inside the kernel where not, and
// through the program where even that is refused. A thread does it in one go.
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "io/descriptor.h"
#include "io/fs/operation.h"
#include "io/fs/system.h"

namespace rondo {

namespace detail {

namespace {

class CopyCall final : public FileCall<CopyCall, void> {
 public:
  CopyCall(fs::Path from, fs::Path to, fs::CopyOptions options) noexcept
      : from_(std::move(from)), to_(std::move(to)), options_(options) {
    check(from_);
    check(to_);
  }

 private:
  static constexpr std::size_t kPiece = 1U << 24;  // between two looks at stop_wanted()
  static constexpr std::size_t kBuffer = 1U << 17;

  std::int32_t perform() override {
    const auto stop = [this] { return stop_wanted(); };
    const std::int32_t in_fd = open_patiently(from_.c_str(), O_RDONLY, 0, stop);
    if (in_fd < 0) return in_fd;
    const Descriptor in(in_fd);
    struct stat source{};
    if (::fstat(in_fd, &source) != 0) return -errno;

    // O_EXCL first, to know whether a failure has to be cleaned up.
    const mode_t mode = source.st_mode & 0777;
    std::int32_t out_fd = open_blocking(to_.c_str(), O_WRONLY | O_CREAT | O_EXCL, mode);
    const bool made = out_fd >= 0;
    if (out_fd == -EEXIST && !options_.exclusive) {
      out_fd = open_patiently(to_.c_str(), O_WRONLY | O_CREAT, mode, stop);
    }
    if (out_fd < 0) return out_fd;
    Descriptor out(out_fd);

    // Only now: a target that cannot be written to is reported first.
    std::int32_t error = S_ISDIR(source.st_mode) ? -EISDIR : copy(in_fd, out_fd, source);
    struct stat target{};
    if (error == 0 && ::fstat(out_fd, &target) == 0 && S_ISREG(target.st_mode)) {
      error = or_errno(::fchmod(out_fd, source.st_mode & 07777));
      if (error == -EPERM && !made) error = 0;  // the file existed before: its mode stays
    }
    if (error == 0) error = close_checked(out.release());
    if (error != 0 && made) ::unlink(to_.c_str());
    return error;
  }

  std::int32_t copy(int in, int out, const struct stat& source) {
    struct stat target{};
    if (::fstat(out, &target) != 0) return -errno;
    if (target.st_dev == source.st_dev && target.st_ino == source.st_ino) return 0;  // onto itself
    const bool is_file = S_ISREG(target.st_mode);
    const bool has_content = is_file && target.st_size != 0;

    // First, with the old content still there: if it has to be this way or none, it stays.
    const std::int32_t shared = or_errno(::ioctl(out, FICLONE, in));
    if (shared != 0 && options_.reflink == fs::Reflink::required) return shared;
    const off_t kept = shared == 0 ? source.st_size : 0;
    if (has_content && target.st_size > kept && ::ftruncate(out, kept) != 0) return -errno;
    if (is_file) give_times_and_owner(out, source);
    return shared == 0 ? 0 : copy_in_kernel(in, out);
  }

  // As far as this user may. What is copied after it sets the time of modification: only an empty
  // file has that of the source.
  static void give_times_and_owner(int out, const struct stat& source) {
    const timespec modified = source.st_size == 0 ? source.st_mtim : timespec{0, UTIME_OMIT};
    const timespec times[] = {source.st_atim, modified};
    static_cast<void>(::futimens(out, times));
    const int owned = ::fchown(out, source.st_uid, source.st_gid);
    static_cast<void>(owned);
  }

  std::int32_t copy_in_kernel(int in, int out) {
    for (bool first = true;; first = false) {
      if (stop_wanted()) return -ECANCELED;
      const std::int32_t count =
          retrying([&] { return ::copy_file_range(in, nullptr, out, nullptr, kPiece, 0); });
      // Of /proc it copies nothing and calls that success.
      if (count == 0 && !first) return 0;
      if (count == 0 || count == -EXDEV || count == -EINVAL || count == -ENOSYS ||
          count == -EOPNOTSUPP || count == -EPERM || count == -EBADF) {
        return copy_here(in, out);
      }
      if (count < 0) return count;
    }
  }

  std::int32_t copy_here(int in, int out) {
    const auto stop = [this] { return stop_wanted(); };
    const auto buffer = std::make_unique_for_overwrite<std::byte[]>(kBuffer);
    for (;;) {
      if (stop_wanted()) return -ECANCELED;
      if (const std::int32_t error = wait_ready(in, POLLIN, stop)) return error;
      const std::int32_t count = retrying([&] { return ::read(in, buffer.get(), kBuffer); });
      if (count == -EAGAIN) continue;
      if (count <= 0) return count;
      const std::span<const std::byte> piece(buffer.get(), static_cast<std::size_t>(count));
      if (const std::int32_t error = write_all(out, piece, stop)) return error;
    }
  }

  fs::Path from_;
  fs::Path to_;
  fs::CopyOptions options_;
};

}  // namespace

}  // namespace detail

fs::Op<void> fs::copy_file(Path from, Path to, CopyOptions options) {
  return detail::make_file_op<detail::CopyCall>(std::move(from), std::move(to), options);
}

}  // namespace rondo
