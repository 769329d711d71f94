// The file operations that programs call most often synchronously, each as one call into C++ that
// makes only the system calls it needs. bindings/fs.cpp has all operations.
//
// lib/ has checked the arguments: paths are strings or bytes.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "io/fs/system.h"
#include "runtime/bytes/encodings.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/stat_numbers.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"

namespace rondo {
namespace {

using v8::Isolate;
using v8::Local;
using v8::Value;

/// A path with its terminating zero. Short ones, which almost all are, need no memory of their own.
class PathText {
 public:
  PathText(Isolate* isolate, Local<Value> value) {
    if (value->IsString()) {
      const auto text = value.As<v8::String>();
      // A UTF-16 unit takes at most three bytes.
      reserve(static_cast<std::size_t>(text->Length()) * 3 + 1);
      const std::size_t size = text->WriteUtf8V2(isolate, text_, capacity_ - 1,
                                                 v8::String::WriteFlags::kReplaceInvalidUtf8);
      text_[size] = '\0';
    } else {
      const ReadBytes bytes(value);
      reserve(bytes.get().size() + 1);
      std::ranges::copy(bytes.get(), text_);
      text_[bytes.get().size()] = '\0';
    }
  }
  PathText(const PathText&) = delete;
  PathText& operator=(const PathText&) = delete;

  const char* c_str() const noexcept { return text_; }

 private:
  void reserve(std::size_t size) {
    if (size <= sizeof small_) return;
    large_ = std::make_unique_for_overwrite<char[]>(size);
    text_ = large_.get();
    capacity_ = size;
  }

  char small_[1024];
  std::unique_ptr<char[]> large_;
  char* text_ = small_;
  std::size_t capacity_ = sizeof small_;
};

// ---- stat ---------------------------------------------------------------------------------------

/// (path, follow links, Float64Array): fills the numbers. Returns 0, or the number of the error.
std::optional<int> stat(const PathText& path, bool follows_links, Local<v8::Value> array) {
  const int flags = follows_links ? 0 : AT_SYMLINK_NOFOLLOW;
  struct ::statx status{};
  if (::statx(AT_FDCWD, path.c_str(), flags, detail::kStatxMask, &status) != 0) return errno;
  const std::span<double> numbers = elements_of<double>(array);
  if (numbers.size() < kStatNumbers) return std::nullopt;
  write_stat_numbers(detail::to_stat(status), numbers.data());
  return 0;
}

// ---- readFile -----------------------------------------------------------------------------------

/// A descriptor that is closed at the end of the scope.
class OpenFile {
 public:
  explicit OpenFile(int fd) noexcept : fd_(fd) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

/// Reads until `room` is full or the file ends. The number of bytes, or a negative errno.
std::int64_t read_fully(int fd, std::span<std::uint8_t> room) {
  // More than this is not read by one call in any case: the kernel's own limit is 2 GiB less a
  // page.
  constexpr std::size_t kMostAtOnce = 1U << 30;
  std::size_t filled = 0;
  while (filled < room.size()) {
    const std::size_t wanted = std::min(room.size() - filled, kMostAtOnce);
    const std::int32_t count =
        detail::retrying([&] { return ::read(fd, room.data() + filled, wanted); });
    if (count < 0) return count;
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return static_cast<std::int64_t>(filled);
}

/// Of a file without a known size: everything until a read returns nothing. 0, or a negative
/// errno.
std::int32_t read_to_end(int fd, std::vector<std::uint8_t>& content) {
  constexpr std::size_t kPiece = 64 * 1024;
  for (;;) {
    const std::size_t filled = content.size();
    content.resize(filled + kPiece);
    const std::int32_t count =
        detail::retrying([&] { return ::read(fd, content.data() + filled, kPiece); });
    content.resize(filled + static_cast<std::size_t>(std::max(count, 0)));
    if (count <= 0) return count;
  }
}

/// Memory for an ArrayBuffer. If there is none, null, and an exception is thrown.
std::unique_ptr<v8::BackingStore> new_memory(Isolate* isolate, std::size_t size) {
  auto store = v8::ArrayBuffer::NewBackingStore(isolate, size,
                                                v8::BackingStoreInitializationMode::kUninitialized,
                                                v8::BackingStoreOnFailureMode::kReturnNull);
  if (store == nullptr) {
    isolate->ThrowException(Environment::of(isolate).range_error("ERR_MEMORY_ALLOCATION_FAILED",
                                                                 "Failed to allocate memory"));
    throw PendingException();
  }
  return store;
}

using Content = v8::MaybeLocal<v8::Value>;

Content to_string(Environment& environment, Bytes content) {
  Local<v8::String> text;
  if (!decode_bytes(environment, content, Encoding::utf8).ToLocal(&text)) return {};
  return text;
}

Content to_memory(v8::Isolate* isolate, Bytes content) {
  auto store = new_memory(isolate, content.size());
  if (!content.empty()) std::memcpy(store->Data(), content.data(), content.size());
  return v8::ArrayBuffer::New(isolate, std::move(store));
}

[[noreturn]] void fail(const Environment& environment, std::int64_t negative_errno,
                       const char* call, std::string_view path = {}) {
  environment.throw_(environment.system_error(static_cast<int>(-negative_errno), call, path));
  throw PendingException();
}

Content read_regular(Environment& environment, int fd, std::size_t size, bool as_string) {
  if (as_string) {
    const auto content = std::make_unique_for_overwrite<std::uint8_t[]>(size);
    const std::int64_t count = read_fully(fd, {content.get(), size});
    if (count < 0) fail(environment, count, "read");
    return to_string(environment, {content.get(), static_cast<std::size_t>(count)});
  }
  auto store = new_memory(environment.isolate(), size);
  const std::span room(static_cast<std::uint8_t*>(store->Data()), size);
  const std::int64_t count = read_fully(fd, room);
  if (count < 0) fail(environment, count, "read");
  if (static_cast<std::size_t>(count) < size) {  // the file has been truncated since
    return to_memory(environment.isolate(), room.first(static_cast<std::size_t>(count)));
  }
  return v8::ArrayBuffer::New(environment.isolate(), std::move(store));
}

Content read_stream(Environment& environment, int fd, bool as_string) {
  std::vector<std::uint8_t> content;
  if (const std::int32_t error = read_to_end(fd, content)) fail(environment, error, "read");
  return as_string ? to_string(environment, content) : to_memory(environment.isolate(), content);
}

/// The content as an ArrayBuffer, or decoded from UTF-8. If the file has more than `most` bytes:
/// its size.
Content read_file(Environment& environment, const PathText& path, std::int32_t flags,
                  bool as_string, double most) {
  const OpenFile file(detail::open_blocking(path.c_str(), flags, 0666));
  if (file.get() < 0) fail(environment, file.get(), "open", path.c_str());
  struct ::stat status{};
  if (::fstat(file.get(), &status) != 0) fail(environment, -errno, "fstat");
  if (!S_ISREG(status.st_mode) || status.st_size == 0) {
    return read_stream(environment, file.get(), as_string);
  }
  const auto size = static_cast<double>(status.st_size);
  if (size > most) return v8::Number::New(environment.isolate(), size);
  return read_regular(environment, file.get(), static_cast<std::size_t>(status.st_size), as_string);
}

constexpr Method kMethods[] = {method<stat>("stat"), method<read_file>("readFile")};

}  // namespace

extern const Binding binding_fs_sync;
const Binding binding_fs_sync{"fs_sync", kMethods};

}  // namespace rondo
