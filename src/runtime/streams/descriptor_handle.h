// A descriptor from outside that can be waited for: standard input, a pipe, a
// terminal, a socket of a parent's. As a stream for lib/; see stream_handle.h.
#pragma once

#include <memory>
#include <string>

#include "rondo/poll.h"

#include "core/containers/fifo.h"
#include "runtime/streams/stream_handle.h"

namespace rondo {

class DescriptorHandle : public StreamHandle {
 public:
  enum class Writes : bool {
    when_ready,  // without waiting; what the kernel does not take at once goes later
    blocking,    // as a program expects of its standard output
  };

  DescriptorHandle(Environment& environment, v8::Local<v8::Object> object, int fd, Writes writes);
  ~DescriptorHandle() override;

  std::int32_t set_blocking(bool on);
  /// Of a socket: see describe().
  std::int32_t get_sock_name(v8::Local<v8::Value> out);
  std::int32_t get_peer_name(v8::Local<v8::Value> out);

 protected:
  std::int32_t start_reading() override;
  void stop_reading() override;
  std::int64_t write_now(std::span<const iovec> pieces) override;
  void write_later(std::string bytes) override;
  std::size_t queued() const override { return waiting_bytes_; }
  std::int32_t shut_down() override;
  void tear_down() noexcept override;
  int descriptor() const override { return fd_; }
  void keep_alive(bool on) override;

 private:
  std::int32_t watch();
  void ready(PollEvents events);
  void read_some();
  void write_some();

  int fd_;
  bool blocking_;
  std::unique_ptr<Poll> poll_;
  bool wants_read_ = false;
  bool alive_ = true;
  Fifo<std::string> waiting_;     // to be written, the oldest first
  std::size_t oldest_begin_ = 0;  // what is before has been written
  std::size_t waiting_bytes_ = 0;
};

/// Writes all of it, waiting where the descriptor does not: 0 or a negative errno.
std::int32_t write_fully(int fd, std::span<const iovec> pieces) noexcept;

}  // namespace rondo
