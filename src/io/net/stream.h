// A connected stream socket: what TCP and Unix sockets have in common, on both backends.
//
// Callbacks only record the desired state (reading, paused, bytes to write, end of stream).
// flush(), called just before poll, applies the difference to the kernel. All writes of an
// iteration become one system call; pause() followed by resume() costs nothing. The exception is
// try_write(), which sends at once what the kernel accepts without waiting.
//
// Two derived classes do the system calls: RingStream (ring_stream.cpp) with operations on
// io_uring, ReadyStream (ready_stream.cpp) by readiness, on either backend.
//
// Three states, each of which only moves forward:
//
//   reading   open -> at_end (the kernel has reported it) -> ended (so have we)
//   writing   open -> ending (end() was called) -> shut (the peer will see it)
//             any -> broken (a write was cancelled in the middle: nothing can follow)
//   life      open -> closing -> reporting (the callbacks of the close are queued)
//             -> error_reported -> closed (on_close() was called)
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <system_error>

#include "rondo/net.h"

#include "core/handle.h"
#include "core/loop_core.h"
#include "io/counted_ref.h"
#include "io/descriptor.h"
#include "io/net/context.h"
#include "io/net/output.h"
#include "io/repeated_callback.h"

namespace rondo {

namespace detail {

/// The marks that wait, in the order of their positions.
class MarkList {
 public:
  bool empty() const noexcept { return first_ == nullptr; }
  WriteMark* first() const noexcept { return first_; }
  static std::uint64_t position(const WriteMark& mark) noexcept { return mark.position_; }
  void push(WriteMark& mark, std::uint64_t position) noexcept;
  WriteMark& pop() noexcept;
  /// Removes one. If `shift` bytes went with it, the later ones move up.
  void remove(WriteMark& mark, std::uint64_t shift) noexcept;
  std::size_t count_up_to(std::uint64_t position) const noexcept;
  std::size_t size() const noexcept { return size_; }

 private:
  std::size_t size_ = 0;
  WriteMark* first_ = nullptr;
  WriteMark* last_ = nullptr;
};

}  // namespace detail

class StreamState : public Handle, public Flushable {
 public:
  using DataCallback = Callback<void(std::span<const std::byte>)>;

  /// Takes over a connected, non-blocking descriptor.
  static detail::HandleRef<StreamState> make(LoopCore& core, Descriptor fd,
                                             const StreamOptions& options,
                                             std::size_t max_descriptors = 0);

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }
  void retain_handle() noexcept {
    retain();
    ++handles_;
  }
  void release_handle() noexcept;

  // ---- What the public face calls ---------------------------------------------------------------

  void on_data(DataCallback callback);
  void on_end(Callback<> callback) { listen(end_, std::move(callback)); }
  void on_drain(Callback<> callback) { listen(drain_, std::move(callback)); }
  void on_error(Callback<void(std::error_code)> callback) { listen(failed_, std::move(callback)); }
  void on_close(Callback<> callback) { listen(close_, std::move(callback)); }
  void pause();
  void resume();

  Expected<Flow> write(std::span<const std::byte> bytes);
  Expected<Flow> write_owned(std::string text);
  void write(std::span<const std::byte> bytes, Callback<void(Expected<>)> callback);
  void write_owned(std::string text, Callback<void(Expected<>)> callback);
  void end();
  void destroy() { tear_down({}); }
  void reset();
  Expected<int> release_descriptor();

  void begin_read(LoopCore& core, detail::ReadBase& read);
  void cancel_read(detail::ReadBase& read) noexcept;
  void forget_read(detail::ReadBase& read) noexcept;
  void begin_write(LoopCore& core, WriteOp& write);
  void cancel_write(WriteOp& write) noexcept;
  void forget_write(WriteOp& write) noexcept;

  virtual Expected<Flow> write_descriptors(std::span<const std::byte> bytes,
                                           std::span<const int> fds);
  virtual void on_descriptors(Callback<void(std::span<const int>)> callback);

  /// Sends what the kernel accepts without waiting: how many bytes, zero if earlier writes wait or
  /// the socket buffer is full.
  Expected<std::size_t> try_write(std::span<const iovec> pieces);

  std::size_t buffered() const noexcept { return output_.size(); }
  std::error_code error() const noexcept { return error_; }
  bool readable() const noexcept { return reading_ == Reading::open && !closing(); }
  bool writable() const noexcept { return writing_ == Writing::open && !closing(); }
  bool closed() const noexcept { return life_ == Life::closed; }
  int fd() const noexcept { return closing() ? -1 : fd_.get(); }

  /// Throws Misuse on the wrong thread.
  void check_thread() const {
    if (core() != nullptr) core()->check_thread();
  }

 protected:
  StreamState(LoopCore& core, Descriptor fd, const StreamOptions& options) noexcept;
  ~StreamState() override;

  // ---- For the derived classes ------------------------------------------------------------------

  /// Brings reading in line with what is wanted.
  virtual void update_reading() = 0;
  /// Begins to send what is to be sent. Calls sent() or fail() if the answer is known at once.
  virtual void update_writing() = 0;
  /// Cancels what the kernel has. When it is done, let_go() is called, immediately or later.
  /// close_descriptor() may come before that.
  virtual void abort() noexcept = 0;
  /// The loop is gone, and with it everything the kernel had.
  virtual void forget() noexcept = 0;
  /// Whether the kernel has memory that the user lent us.
  virtual bool user_memory_in_kernel() const noexcept = 0;
  /// Whether the kernel may be taking bytes from the socket.
  virtual bool kernel_reads() const noexcept = 0;
  /// Whether a receive of the kernel may have taken the error of a broken connection, so that a
  /// send meets EPIPE instead.
  virtual bool receive_takes_errors() const noexcept = 0;
  /// The read that waits is not wanted any more. Calls finish_read() at once or later.
  virtual void abort_read() noexcept = 0;
  /// The first `in_kernel()` bytes of the output are being sent.
  virtual std::size_t in_kernel() const noexcept = 0;
  virtual void abort_write() noexcept = 0;

  int descriptor() const noexcept { return fd_.get(); }
  /// Torn down or finished; the kernel may still hold an operation.
  bool closing() const noexcept { return life_ != Life::open; }
  /// Data is passed to the callback as it arrives.
  bool flowing() const noexcept {
    return data_ && !paused_ && reading_ == Reading::open && !closing();
  }
  detail::ReadBase* read() const noexcept { return read_; }
  static std::span<std::byte> buffer_of(const detail::ReadBase& read) noexcept {
    return read.into_ == detail::ReadBase::Into::text ? std::span<std::byte>() : read.buffer_;
  }
  bool wants_bytes() const noexcept {
    return readable() && held_.empty() && (read_ != nullptr || flowing());
  }
  OutputQueue& output() noexcept { return output_; }
  const OutputQueue& output() const noexcept { return output_; }
  NetContext& net() const;
  ChunkPool* chunks() const noexcept;
  const StreamOptions& options() const noexcept { return options_; }
  void accepted(std::size_t bytes) noexcept { accepted_bytes_ += bytes; }
  Flow flow() noexcept;
  std::error_code refuse_write(std::size_t bytes) const noexcept;

  /// Has flush() called when the loop is about to wait.
  void touch();

  // What the kernel has answered. Called in the poll phase, outside of the door.
  void arrived(std::span<const std::byte> bytes);
  void arrived_in_place(std::size_t count);     // in the buffer of the read that waits
  void hold(std::span<const std::byte> bytes);  // for later: runs no user's code
  void arrived_end();
  void finish_read(std::error_code error);
  void cancel_read_later();
  /// Outside of the door, in the poll phase or in flush().
  void sent(std::size_t count) noexcept;
  void report_sent();        // in the poll phase
  void report_sent_later();  // in flush(): in the pending phase
  void cut_if_cancelled() noexcept;
  void fail(std::error_code error) { tear_down(error); }
  void let_go() noexcept;
  void close_descriptor() noexcept;
  /// Whether the peer knows that nothing more will come.
  bool end_sent() const noexcept { return writing_ == Writing::shut; }

  Task task() const noexcept {
    return {TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  }

 private:
  /// Completes at once what was held back, in the poll phase like any data.
  class Delivery final : public Operation {
   public:
    explicit Delivery(StreamState& stream) noexcept : stream_(stream) {}
    void complete(std::int32_t /*result*/, std::uint32_t /*flags*/) override {
      stream_.deliver_held();
    }

   private:
    StreamState& stream_;
  };

  template <class Signature>
  void listen(Listener<Signature>& listener, Callback<Signature> callback) {
    check_thread();
    if (!closed()) listener.set(std::move(callback));  // afterwards nothing would release it
  }

  void flush() final;
  void loop_ends() noexcept final;
  void update_alive() noexcept;
  void shut_if_done() noexcept;
  bool finished() const noexcept {
    // After a write that was cut in the middle there is no end that we could send.
    const bool no_more_writes = writing_ == Writing::shut || writing_ == Writing::broken;
    return reading_ == Reading::ended && no_more_writes && read_ == nullptr && output_.empty() &&
           marks_.empty() && !closing();
  }
  bool held_is_wanted() const noexcept {
    if (read_ != nullptr) return !held_.empty() || reading_ != Reading::open;
    return data_ && !paused_ && (!held_.empty() || reading_ == Reading::at_end);
  }
  void finish();
  void end_reported();
  void report_end();
  void wake(detail::ReadBase& read);
  void deliver_held();
  bool something_sent_to_report() const noexcept;
  void report_one_sent();
  void drop_waiting() noexcept;
  void cut(detail::WriteMark& mark);
  void report_mark_later(detail::WriteMark& mark, std::error_code error);
  void tear_down(std::error_code error);
  void report_close();
  void close_step();
  void release_own_reference() noexcept;
  void emit_close();
  void abandon();
  template <class Write>
  void write_then_report(Callback<void(Expected<>)> callback, Write write);

  Descriptor fd_;
  std::uint32_t references_ = 0;
  std::uint32_t handles_ = 0;
  StreamOptions options_;

  enum class Reading : std::uint8_t { open, at_end, ended };
  enum class Writing : std::uint8_t { open, ending, shut, broken };
  enum class Life : std::uint8_t { open, closing, reporting, error_reported, closed };
  /// Who keeps the socket.
  enum class Owner : std::uint8_t {
    handles,   // of the program
    itself,    // no handle is left, and there is something to send
    none,      // no handle is left
    receiver,  // of the descriptor, which release_descriptor() gave away
  };

  Reading reading_ = Reading::open;
  Writing writing_ = Writing::open;
  Life life_ = Life::open;
  Owner owner_ = Owner::handles;

  bool paused_ = false;
  bool drain_owed_ = false;
  bool flush_queued_ = false;
  bool delivery_queued_ = false;
  bool keeps_alive_ = false;  // counted as a request of the loop
  bool kernel_done_ = false;  // closing: the kernel holds no operation any more
  std::uint32_t reports_deferred_ = 0;

  detail::ReadBase* read_ = nullptr;
  detail::WriteMark* cancelled_write_ = nullptr;
  std::error_code error_;
  std::string held_;  // arrived while no read was waiting
  OutputQueue output_;
  detail::MarkList marks_;
  std::uint64_t accepted_bytes_ = 0;  // ever
  std::uint64_t sent_bytes_ = 0;      // ever

  Delivery delivery_{*this};
  Listener<void(std::span<const std::byte>)> data_;
  Listener<> end_;
  Listener<> drain_;
  Listener<void(std::error_code)> failed_;
  Listener<> close_;
};

/// On io_uring. Null if its buffers cannot be had.
StreamState* make_ring_stream(LoopCore& core, Descriptor& fd, const StreamOptions& options);
StreamState* make_ready_stream(LoopCore& core, Descriptor& fd, const StreamOptions& options,
                               std::size_t max_descriptors);

}  // namespace rondo
