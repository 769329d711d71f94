// What sockets, pipes and terminals have in common for lib/: an object that reads into onread() and
// writes at once what can be written at once. net.Socket has one as its _handle.
//
//   onread(count, buffer)          what has arrived; count is 0 at the end, negative an error. Of
//   few
//                                  bytes there is no buffer: they are in the shared state
//   readStart(), readStop()
//   writeBuffer(bytes, done), writeBuffers(list, done), writeString(text, latin1, done)
//                                  0: has gone to the kernel; 1: done(status, reason) follows,
//                                  where the reason of an error is a text or undefined; negative:
//                                  an error
//   shutdown(done), close(done)    called later, in the pending and in the close phase
//   tryWriteString(text, latin1, bytes)
//                                  both, as far as the kernel takes them at once: -1 for all, or
//                                  how many bytes
//   ref(), unref(), hasRef()
//   fd, bytesRead, bytesWritten, writeQueueSize
//   isStreamBase                   true: a parser can take what is read (StreamConsumer)
//
// close() settles what is in progress: each `done` that has not been called is called with
// ECANCELED, in the close phase, before that of close().
//
// Errors are negative numbers, as everywhere in lib/ below the Error objects.
#pragma once

#include <sys/uio.h>
#include <v8.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rondo/net.h"

#include "core/containers/fifo.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"

namespace rondo {

/// Fills in `out`, an object, with { address, family, port }. A status: ENOTCONN for what is not an
/// IP address.
std::int32_t describe(Environment& environment, v8::Local<v8::Value> out,
                      const SocketAddress& address);

/// Runs `callback` where libuv runs deferred callbacks: before immediates that wait. That is right
/// after the poll phase, and where that has gone by, before the next one.
void run_soon(Loop& loop, Callback<> callback);

/// Takes what a stream reads, instead of JavaScript's onread(), and writes to it from C++: a layer
/// above it, such as TLS. At most one for each stream.
class StreamConsumer {
 public:
  /// What has arrived. The bytes are gone after this call.
  virtual void consume(std::span<const std::byte> bytes) = 0;
  /// Nothing more will come: 0 for the end, negative for an error.
  virtual void consume_end(std::int32_t status) = 0;
  /// Whether that is left to onread().
  virtual bool leaves_end() const { return false; }
  /// The oldest write_from_consumer() that returned 1 is done, or has failed.
  virtual void consumer_written(std::int32_t status) = 0;
  /// The stream is gone.
  virtual void stream_gone() = 0;

 protected:
  ~StreamConsumer() = default;
};

class StreamHandle : public Wrapped {
 public:
  ~StreamHandle() override;

  /// What callbacks of the loop hold instead of `this`: they may come after its end.
  struct Link {
    StreamHandle* handle;
  };
  const std::shared_ptr<Link>& link() const noexcept { return link_; }

  // ---- For a layer above ------------------------------------------------------------------------

  /// Null for none: JavaScript reads.
  StreamConsumer* consumer() const noexcept { return consumer_; }
  void set_consumer(StreamConsumer* consumer) noexcept { consumer_ = consumer; }
  /// What readStart() and readStop() of JavaScript do.
  std::int32_t begin_reading();
  void end_reading();
  /// What was not written at once is copied. Returns what writeBuffer() does.
  virtual std::int32_t write_from_consumer(std::span<iovec> pieces);
  bool is_closing() const noexcept { return closing_; }
  int fd() const { return descriptor(); }
  /// Ends our side when what was written is gone. 0 or a negative errno.
  std::int32_t end_writing();
  /// Until end_gathering() what tryWriteString() gets is collected, up to a limit, and becomes one
  /// write: the answers to requests that have arrived together. The process does not end before
  /// they are written.
  void begin_gathering();
  void end_gathering();
  /// Whether it runs ticks and microtasks itself after each deliver().
  virtual bool drains() const { return false; }
  /// Bytes from JavaScript that count as read.
  void inject(std::span<const std::byte> bytes) { deliver(bytes); }

  /// The base of the classes of such objects: has the methods above.
  static const ClassShape kBase;

 protected:
  StreamHandle(Environment& environment, v8::Local<v8::Object> object);

  // ---- What a kind of stream does -------------------------------------------------------------

  virtual std::int32_t start_reading() = 0;  // 0 or a negative errno
  virtual void stop_reading() = 0;
  /// How many bytes went to the kernel without waiting, or a negative errno.
  virtual std::int64_t write_now(std::span<const iovec> pieces) = 0;
  /// Takes a copy; written() follows when it is done.
  virtual void write_later(std::string bytes) = 0;
  /// How many bytes wait to be written.
  virtual std::size_t queued() const = 0;
  virtual std::int32_t shut_down() = 0;
  /// Closes what is open. Nothing is reported after this.
  virtual void tear_down() noexcept = 0;
  /// The same, and calls `done` in the close phase.
  virtual void tear_down_then(Callback<> done);
  virtual int descriptor() const = 0;
  /// Another process gets the descriptor as well.
  virtual void share() {}
  /// Whether it keeps the loop alive from now on.
  virtual void keep_alive(bool on) = 0;

  // ---- What it reports --------------------------------------------------------------------------

  void deliver(std::span<const std::byte> bytes);
  /// Told an iteration later than the last data, as a program is used to: first all that has
  /// arrived for others is theirs.
  void deliver_end();
  void deliver_error(int error_number) { report_read(-error_number); }
  /// The oldest of what was to be written later is done, or has failed; `reason` says more of that.
  void written(std::int32_t status, std::string_view reason = {});

  /// Writes at once what can be, keeps a copy of the rest. Returns what writeBuffer() does.
  virtual std::int32_t write(std::span<iovec> pieces, v8::Local<v8::Value> done);
  /// Keeps the callback of a write for written().
  void keep_write(v8::Local<v8::Value> done, std::size_t bytes);
  /// The same for one of the consumer's.
  void keep_consumer_write(std::size_t bytes);
  std::size_t kept_writes() const noexcept { return writes_.size(); }
  /// Reports to the reader that nothing more comes: 0 at the end, or a negative errno.
  void deliver_status(std::int32_t status) { report_read(status); }

  template <class T>
  static T* as(const std::shared_ptr<Link>& link) {
    return static_cast<T*>(link->handle);
  }

  bool reading() const noexcept { return reading_; }
  bool closing() const noexcept { return closing_; }
  /// What ref() and unref() have left it at.
  bool wants_ref() const noexcept { return ref_; }
  /// Something is open: JavaScript has to close it.
  void opened();
  void update_alive();

  /// Keeps the request whose `oncomplete` is called when a connection is made, or not.
  void begin_connecting(v8::Local<v8::Value> request);
  void report_connected(std::int32_t status);

  /// Calls a function that was kept for once.
  void call_kept(v8::Global<v8::Function>& function, std::int32_t status,
                 std::string_view reason = {});

  /// Before anything else is written.
  void flush_gathered();

  bool write_at_once(std::span<iovec> pieces, std::int32_t& status, std::string& rest);

 private:
  // What lib/ calls, beside begin_reading().
  std::int32_t read_stop();
  std::optional<std::int32_t> write_buffer(v8::Local<v8::Value> bytes, v8::Local<v8::Value> done);
  std::optional<std::int32_t> write_buffers(v8::Local<v8::Value> list, v8::Local<v8::Value> done);
  std::optional<std::int32_t> write_string(v8::Local<v8::Value> text, bool latin1,
                                           v8::Local<v8::Value> done);
  double try_write_string(v8::Local<v8::Value> text, bool latin1, const ReadBytes& bytes);
  std::int32_t shutdown(v8::Local<v8::Value> done);
  void close(v8::Local<v8::Value> done);
  void ref();
  void unref();
  bool has_ref() const { return ref_ && !closing_; }
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  std::uint64_t bytes_written() const noexcept { return bytes_written_; }
  std::size_t write_queue_size() const { return queued() + gathered_.size(); }

  static const Method kStreamMethods[];
  static const Method kStreamGetters[];

  class Gatherers;

  struct Write {
    v8::Global<v8::Function> done;
    bool of_consumer = false;
  };

  void report_read(std::int32_t count, v8::Local<v8::Value> buffer = {});
  void report_end_soon();
  void cancel_requests();
  void cancel_one_request();
  void closed();
  std::uint64_t iteration() const noexcept;

  std::shared_ptr<Link> link_;
  Fifo<Write> writes_;  // the oldest first
  std::string gathered_;
  StreamConsumer* consumer_ = nullptr;
  v8::Global<v8::Object> connect_request_;
  v8::Global<v8::Function> shutdown_done_;
  v8::Global<v8::Function> close_done_;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_written_ = 0;
  std::uint64_t last_data_ = 0;  // the iteration in which some came
  bool end_waits_ = false;       // to be reported when JavaScript reads
  bool opened_ = false;
  bool reading_ = false;
  bool ref_ = true;
  bool closing_ = false;
  bool gathers_ = false;
};

/// UTF-8 or Latin-1, in a buffer that is reused by the next call where it is small enough.
class EncodedString {
 public:
  enum class As : bool { utf8, latin1 };
  EncodedString(v8::Isolate* isolate, v8::Local<v8::String> text, As as, bool add_newline = false);

  std::string_view view() const noexcept { return {data_, size_}; }
  iovec piece() const noexcept { return {data_, size_}; }

 private:
  std::unique_ptr<char[]> large_;
  char* data_;
  std::size_t size_;
};

}  // namespace rondo
