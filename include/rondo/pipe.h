// One end of a pipe, or any other descriptor that can be waited for: a terminal, a FIFO, a socket
// of a child process.
//
//     rondo::Pipe pipe(loop, fd);
//     auto text = co_await pipe.read_all(1 << 20);
//     auto sent = co_await pipe.write("hello\n");
//
// A pipe whose reader has gone is an error (EPIPE), not a signal: SIGPIPE is kept from the program
// without changing what the program does with it otherwise.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "rondo/async.h"
#include "rondo/detail/in_place.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"

namespace rondo {

class Loop;

namespace detail {

class PipeState;

/// What reading and writing have in common.
class PipeTransfer {
 public:
  PipeTransfer(std::shared_ptr<PipeState> state, std::byte* data, std::size_t size,
               bool writes) noexcept;
  ~PipeTransfer();
  PipeTransfer(PipeTransfer&&) noexcept;
  PipeTransfer& operator=(PipeTransfer&&) = delete;

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;
  Expected<std::size_t> take_result();

 private:
  std::shared_ptr<PipeState> state_;
  std::byte* data_;
  std::size_t size_;
  bool writes_;
  std::error_code error_;  // it could not begin
  InPlace<128> transfer_;
};

}  // namespace detail

/// Gives the number of bytes read, at least one; zero at the end.
class [[nodiscard]] PipeReadOp : public Operable<PipeReadOp, std::size_t>,
                                 public detail::PipeTransfer {
 public:
  using Value = std::size_t;
  using PipeTransfer::PipeTransfer;
};

/// Gives the number of bytes written: all of them.
class [[nodiscard]] PipeWriteOp : public Operable<PipeWriteOp, std::size_t>,
                                  public detail::PipeTransfer {
 public:
  using Value = std::size_t;
  using PipeTransfer::PipeTransfer;
};

/// Owns its descriptor. It keeps the loop alive only while something is read or written. It may be
/// destroyed at any time, and may outlive its loop (it is then closed).
///
/// Several reads or writes may be pending: they are carried out one after the other, in order.
/// Errors: those of read(2) and write(2), such as EPIPE; EBADF when the pipe is closed or empty;
/// ECANCELED when it is closed meanwhile, or the operation is stopped (what a write has written
/// until then stays written). A buffer stays valid until the operation is complete.
class Pipe {
 public:
  /// No pipe.
  Pipe() noexcept;
  /// Takes the descriptor over and makes it non-blocking. (That holds for all who share the same
  /// open file: beware of a terminal that was inherited.)
  Pipe(Loop& loop, int fd);
  ~Pipe();
  Pipe(Pipe&&) noexcept;
  Pipe& operator=(Pipe&&) noexcept;

  PipeReadOp read(std::span<std::byte> buffer);
  PipeWriteOp write(std::span<const std::byte> data);
  PipeWriteOp write(std::string_view text) { return write(std::as_bytes(std::span(text))); }

  /// The same under the names that every stream has; see rondo/streams.h.
  PipeReadOp read_some(std::span<std::byte> buffer) { return read(buffer); }
  PipeWriteOp write_all(std::span<const std::byte> data) { return write(data); }
  PipeWriteOp write_all(std::string_view text) { return write(text); }

  /// Reads to the end. ENOBUFS, with `into` holding what was read, if there is more than `most`.
  Async<Expected<>> read_all(std::string& into, std::size_t most);
  Async<Expected<std::string>> read_all(std::size_t most);

  /// Says that no more will be written: the other side reads the end. The reading side of a
  /// two-way pipe stays open; a one-way pipe is closed.
  void close_write();
  /// Closes the descriptor now. What is in progress ends with ECANCELED.
  void close();

  bool empty() const noexcept { return state_ == nullptr; }  // there never was a descriptor
  bool is_open() const;
  int fd() const;  // -1 when closed

  /// Gives the descriptor away, as it is; this becomes a closed pipe. Throws Misuse
  /// (ERR_INVALID_STATE) while something is in progress.
  int release();

 private:
  std::shared_ptr<detail::PipeState> state_;
};

}  // namespace rondo
