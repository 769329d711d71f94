// Reading and writing by lines, delimiters and lengths, over anything that has the interface of a
// TcpSocket: read_some(span of bytes), write_all(span of bytes).
//
//     rondo::BufferedReader reader(socket);
//     auto head = co_await reader.read_until("\r\n\r\n", 16 << 10);
//     auto body = co_await reader.read_exactly(length);
//
//     auto lines = file->lines();
//     while (auto line = co_await lines.next()) use(*line);     // a std::string_view
//
//     auto bytes = co_await rondo::copy(from, to);
//
// The end of the stream where something is still wanted is the error EOF (end_of_stream()). What is
// in the buffer is given without suspending the coroutine and without an allocation.
#pragma once

#include <algorithm>
#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "rondo/async.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"
#include "rondo/fs.h"

namespace rondo {

/// What can be read from: `co_await stream.read_some(buffer)` gives an Expected<std::size_t>, zero
/// at the end.
template <class Stream>
concept ReadableStream = requires(Stream& stream, std::span<std::byte> buffer) {
  { stream.read_some(buffer) } -> detail::IsTask;
};

/// What can be written to: `co_await stream.write_all(bytes)` gives an Expected.
template <class Stream>
concept WritableStream = requires(Stream& stream, std::span<const std::byte> bytes) {
  { stream.write_all(bytes) } -> detail::IsTask;
};

namespace detail {

/// A value that is there, or a coroutine that gives it: awaiting the former suspends nothing.
template <class T>
class [[nodiscard]] MaybeReady {
 public:
  using Value = T;

  MaybeReady(T value) : ready_(std::move(value)) {}
  MaybeReady(Async<T> task) noexcept : task_(std::move(task)) {}

  auto operator co_await() && { return Awaiter(std::move(*this)); }

  static Async<T> to_async(MaybeReady self) {
    if (self.ready_) co_return *std::move(self.ready_);
    co_return co_await *std::move(self.task_);
  }

 private:
  class Awaiter {
    using Inner = decltype(std::declval<Async<T>>().operator co_await());

   public:
    explicit Awaiter(MaybeReady&& source) : source_(std::move(source)) {}
    Awaiter(const Awaiter&) = delete;
    Awaiter& operator=(const Awaiter&) = delete;
    ~Awaiter() {
      if (begun_) inner().~Inner();
    }
    bool await_ready() const noexcept { return source_.ready_.has_value(); }
    template <HasContext Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
      ::new (static_cast<void*>(inner_)) Inner((*std::move(source_.task_)).operator co_await());
      begun_ = true;
      inner().await_suspend(caller);
    }
    [[nodiscard]] T await_resume() {
      return begun_ ? inner().await_resume() : *std::move(source_.ready_);
    }

   private:
    Inner& inner() noexcept { return *std::launder(reinterpret_cast<Inner*>(inner_)); }
    MaybeReady source_;
    bool begun_ = false;
    alignas(Inner) std::byte inner_[sizeof(Inner)];
  };

  std::optional<T> ready_;
  std::optional<Async<T>> task_;
};

template <class T>
Async<T> as_async(MaybeReady<T> one) {
  return MaybeReady<T>::to_async(std::move(one));
}

inline std::span<const std::byte> bytes_of(std::string_view text) noexcept {
  return std::as_bytes(std::span(text));
}

}  // namespace detail

// ---- Reading ----------------------------------------------------------------------------------

/// Reads ahead into a buffer, which grows as far as a call allows. Made of an lvalue it refers to
/// the stream, which has to stay; made of an rvalue it owns it. One call at a time.
template <class Stream>
  requires ReadableStream<std::remove_reference_t<Stream>>
class BufferedReader {
 public:
  using Text = detail::MaybeReady<Expected<std::string_view>>;

  explicit BufferedReader(Stream&& stream, std::size_t buffer_size = std::size_t{16} << 10)
      : stream_(std::forward<Stream>(stream)),
        initial_size_(std::max<std::size_t>(buffer_size, 16)) {}

  /// What comes before `delimiter`, at least one character (EINVAL), which is taken out as well.
  /// Valid until the next call. EMSGSIZE if that would be more than `limit` bytes; EOF. What was
  /// read stays in the buffer in either case.
  Text read_until(std::string_view delimiter, std::size_t limit = std::size_t{1} << 20) {
    if (delimiter.empty()) return error(EINVAL);
    if (const auto found = find(delimiter, 0)) return take_until(*found, delimiter.size(), limit);
    return find_more(std::string(delimiter), limit);
  }

  /// A line without its "\n" or "\r\n"; the last one may have none. EOF after the last; EMSGSIZE.
  Text read_line(std::size_t limit = std::size_t{1} << 20) {
    if (const auto found = find("\n", 0)) return without_return(take_until(*found, 1, limit));
    return find_line(limit);
  }

  /// So many bytes. Valid until the next call. EOF if the stream ends before.
  Text read_exactly(std::size_t count) {
    if (size() >= count) return take(count);
    return gather(count);
  }
  /// The same into memory of the caller's, which stays until the end of the call. After an error or
  /// a stop a part may have gone there, and how much is not reported: read_exactly(count) loses
  /// nothing.
  detail::MaybeReady<Expected<>> read_exactly(std::span<std::byte> into) {
    if (size() < into.size()) return fill(into);
    (void)take_into(into);
    return Expected<>();
  }

  /// What is there, at least one byte; zero at the end.
  detail::MaybeReady<Expected<std::size_t>> read_some(std::span<std::byte> into) {
    if (size() != 0 || into.empty()) return Expected<std::size_t>(take_into(into));
    return read_directly(into);
  }

  /// What has been read ahead.
  std::span<const std::byte> buffered() const noexcept {
    return {buffer_.get() + begin_, end_ - begin_};
  }
  std::remove_reference_t<Stream>& stream() noexcept { return stream_; }

 private:
  std::size_t size() const noexcept { return end_ - begin_; }
  std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(buffer_.get()) + begin_, size()};
  }
  static Expected<std::string_view> error(int number) {
    return std::unexpected(errno_code(number));
  }

  std::optional<std::size_t> find(std::string_view delimiter, std::size_t from) const noexcept {
    const std::size_t at = text().find(delimiter, from);
    return at == std::string_view::npos ? std::nullopt : std::optional(at);
  }
  Expected<std::string_view> take(std::size_t count) noexcept {
    const std::string_view taken = text().substr(0, count);
    begin_ += count;
    return taken;
  }
  Expected<std::string_view> take_until(std::size_t at, std::size_t delimiter, std::size_t limit) {
    if (at > limit) return error(EMSGSIZE);
    auto taken = take(at);
    begin_ += delimiter;
    return taken;
  }
  static Expected<std::string_view> without_return(Expected<std::string_view> line) noexcept {
    if (line && line->ends_with('\r')) line->remove_suffix(1);
    return line;
  }
  std::size_t take_into(std::span<std::byte> into) noexcept {
    const std::size_t count = std::min(size(), into.size());
    if (count != 0) std::memcpy(into.data(), buffer_.get() + begin_, count);
    begin_ += count;
    return count;
  }

  /// Makes room for at least one byte more, and for `wanted` in all.
  void make_room(std::size_t wanted) {
    if (begin_ == end_) begin_ = end_ = 0;
    const std::size_t needed = std::max(wanted, size() + 1);
    if (needed <= capacity_ - begin_) return;
    if (needed > capacity_) {
      const std::size_t bigger = std::max({needed, capacity_ * 2, initial_size_});
      auto buffer = std::make_unique_for_overwrite<std::byte[]>(bigger);
      if (size() != 0) std::memcpy(buffer.get(), buffer_.get() + begin_, size());
      buffer_ = std::move(buffer);
      capacity_ = bigger;
    } else {
      std::memmove(buffer_.get(), buffer_.get() + begin_, size());
    }
    end_ = size();
    begin_ = 0;
  }
  Async<Expected<std::size_t>> read_more(std::size_t wanted) {
    make_room(wanted);
    const Expected<std::size_t> count =
        co_await stream_.read_some(std::span(buffer_.get() + end_, capacity_ - end_));
    if (count) end_ += *count;
    co_return count;
  }

  Async<Expected<std::string_view>> find_more(std::string delimiter, std::size_t limit) {
    for (;;) {
      // Not a sum with the limit, which may be SIZE_MAX.
      if (size() > delimiter.size() && size() - delimiter.size() > limit) {
        co_return error(EMSGSIZE);
      }
      const std::size_t searched = size() - std::min(size(), delimiter.size() - 1);
      const auto count = co_await read_more(0);
      if (!count) co_return std::unexpected(count.error());
      if (*count == 0) co_return std::unexpected(end_of_stream());
      if (const auto found = find(delimiter, searched)) {
        co_return take_until(*found, delimiter.size(), limit);
      }
    }
  }
  Async<Expected<std::string_view>> find_line(std::size_t limit) {
    auto line = co_await find_more("\n", limit);
    if (!line && line.error() == end_of_stream() && size() != 0 && size() <= limit) {
      line = take(size());
    }
    co_return without_return(line);
  }
  Async<Expected<std::string_view>> gather(std::size_t count) {
    while (size() < count) {
      const auto more = co_await read_more(count);
      if (!more) co_return std::unexpected(more.error());
      if (*more == 0) co_return std::unexpected(end_of_stream());
    }
    co_return take(count);
  }
  Async<Expected<>> fill(std::span<std::byte> into) {
    into = into.subspan(take_into(into));
    while (!into.empty()) {
      // Straight into the caller's memory, unless little is missing.
      const auto count =
          into.size() >= initial_size_ ? co_await read_directly(into) : co_await read_through(into);
      if (!count) co_return std::unexpected(count.error());
      if (*count == 0) co_return std::unexpected(end_of_stream());
      into = into.subspan(*count);
    }
    co_return Expected<>();
  }
  Async<Expected<std::size_t>> read_directly(std::span<std::byte> into) {
    co_return co_await stream_.read_some(into);
  }
  Async<Expected<std::size_t>> read_through(std::span<std::byte> into) {
    const auto count = co_await read_more(0);
    if (!count || *count == 0) co_return count;
    co_return take_into(into);
  }

  Stream stream_;
  std::size_t initial_size_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  // [begin_, end_) has been read ahead
  std::size_t end_ = 0;
};
template <class Stream>
BufferedReader(Stream&&) -> BufferedReader<Stream>;
template <class Stream>
BufferedReader(Stream&&, std::size_t) -> BufferedReader<Stream>;

/// The lines of a stream, one after the other: `while (auto line = co_await lines.next())`.
template <class Stream>
class Lines {
 public:
  explicit Lines(Stream&& stream, std::size_t limit = std::size_t{1} << 20)
      : reader_(std::forward<Stream>(stream)), limit_(limit) {}

  /// As BufferedReader::read_line().
  auto next() { return reader_.read_line(limit_); }

 private:
  BufferedReader<Stream> reader_;
  std::size_t limit_;
};

template <class Stream>
  requires ReadableStream<std::remove_reference_t<Stream>>
Lines<Stream> lines(Stream&& stream, std::size_t limit = std::size_t{1} << 20) {
  return Lines<Stream>(std::forward<Stream>(stream), limit);
}

inline Lines<fs::File&> fs::File::lines(std::size_t limit) {
  return Lines<File&>(*this, limit);
}

// ---- Writing ----------------------------------------------------------------------------------

/// Gathers small writes into large ones: for files, pipes, TLS. (A TcpSocket's own write() does so
/// already.) What has not been flushed when it is destroyed is lost. Refers to the stream, or owns
/// it, as BufferedReader. One call at a time.
template <class Stream>
  requires WritableStream<std::remove_reference_t<Stream>>
class BufferedWriter {
 public:
  explicit BufferedWriter(Stream&& stream, std::size_t buffer_size = std::size_t{16} << 10)
      : stream_(std::forward<Stream>(stream)), capacity_(std::max<std::size_t>(buffer_size, 1)) {}

  /// Takes a copy of what fits; waits while the buffer is emptied, and then the bytes have to stay
  /// until the end of the call. The errors are those of the stream's write_all().
  detail::MaybeReady<Expected<>> write(std::span<const std::byte> bytes) {
    if (bytes.size() > capacity_ - size_) return make_room_and_write(bytes);
    append(bytes);
    return Expected<>();
  }
  detail::MaybeReady<Expected<>> write(std::string_view text) {
    return write(detail::bytes_of(text));
  }
  /// The same under the name that every stream has.
  detail::MaybeReady<Expected<>> write_all(std::span<const std::byte> bytes) {
    return write(bytes);
  }

  /// Hands everything on. After an error what was gathered is gone.
  detail::MaybeReady<Expected<>> flush() {
    if (size_ == 0) return Expected<>();
    return empty_buffer();
  }

  std::size_t buffered() const noexcept { return size_; }
  std::remove_reference_t<Stream>& stream() noexcept { return stream_; }

 private:
  void append(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    if (buffer_ == nullptr) buffer_ = std::make_unique_for_overwrite<std::byte[]>(capacity_);
    std::memcpy(buffer_.get() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  Async<Expected<>> empty_buffer() {
    const auto written = co_await stream_.write_all(
        std::span<const std::byte>(buffer_.get(), std::exchange(size_, 0)));
    if (!written) co_return std::unexpected(written.error());
    co_return Expected<>();
  }
  Async<Expected<>> make_room_and_write(std::span<const std::byte> bytes) {
    if (const auto flushed = co_await flush(); !flushed) co_return flushed;
    if (bytes.size() <= capacity_) {
      append(bytes);
      co_return Expected<>();
    }
    const auto written = co_await stream_.write_all(bytes);
    if (!written) co_return std::unexpected(written.error());
    co_return Expected<>();
  }

  Stream stream_;
  std::size_t capacity_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t size_ = 0;
};
template <class Stream>
BufferedWriter(Stream&&) -> BufferedWriter<Stream>;
template <class Stream>
BufferedWriter(Stream&&, std::size_t) -> BufferedWriter<Stream>;

// ---- Both -------------------------------------------------------------------------------------

/// Copies until the end of `from`; gives the number of bytes. `to` is not ended. Both have to stay
/// until it is done. An error or a stop leaves `to` with a part; how much is not reported.
template <ReadableStream From, WritableStream To>
Async<Expected<std::uint64_t>> copy(From& from, To& to) {
  constexpr std::size_t kAtATime = std::size_t{64} << 10;
  const auto buffer = std::make_unique_for_overwrite<std::byte[]>(kAtATime);
  std::uint64_t copied = 0;
  for (;;) {
    const Expected<std::size_t> count = co_await from.read_some(std::span(buffer.get(), kAtATime));
    if (!count) co_return std::unexpected(count.error());
    if (*count == 0) co_return copied;
    const auto written = co_await to.write_all(std::span<const std::byte>(buffer.get(), *count));
    if (!written) co_return std::unexpected(written.error());
    copied += *count;
  }
}

}  // namespace rondo
