// What the sockets of one loop share: which have something to submit at the end of this
// iteration, memory for reading and writing, the servers that wait for a descriptor, and the
// descriptor in reserve with which they reject connections.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "io/descriptor.h"
#include "io/net/output.h"

namespace rondo {

/// Gathers during an iteration of the loop, and submits what was gathered when the loop is about to
/// wait. Never runs user code.
class Flushable {
 public:
  virtual void flush() = 0;

 protected:
  ~Flushable() = default;
};

class NetContext {
 public:
  void flush_soon(Flushable& flushable) { dirty_.push_back(&flushable); }

  void flush_all() {
    while (!dirty_.empty()) {
      flushing_.swap(dirty_);
      for (Flushable* flushable : flushing_) flushable->flush();
      flushing_.clear();
    }
  }

  /// For one read at a time on the loop's thread.
  std::span<std::byte> read_buffer() {
    if (read_buffer_ == nullptr) read_buffer_ = std::make_unique<std::byte[]>(kReadBytes);
    return {read_buffer_.get(), kReadBytes};
  }

  ChunkPool& chunks() noexcept { return chunks_; }

  /// Tells `starved` as soon as one of our descriptors is closed.
  class Starved {
   public:
    virtual void descriptor_freed() = 0;

   protected:
    ~Starved() = default;
  };
  void add_starved(Starved& starved) { starved_.push_back(&starved); }
  void remove_starved(Starved& starved) noexcept { std::erase(starved_, &starved); }
  void descriptor_freed() {
    if (starved_.empty()) [[likely]]
      return;
    const auto starved = std::exchange(starved_, {});
    for (Starved* one : starved) one->descriptor_freed();
  }

  /// Opens the descriptor in reserve, unless it is open. Returns whether it is.
  bool keep_reserve() noexcept {
    if (!reserve_) reserve_ = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return static_cast<bool>(reserve_);
  }

  /// For a server without descriptors: accepts what waits in its backlog with the descriptor of the
  /// reserve, and closes it. So clients learn at once that they are not served, and the backlog
  /// does not keep the loop busy. False if that is not possible.
  bool shed(int listener) noexcept {
    if (!keep_reserve()) return false;
    reserve_ = Descriptor();
    int error = 0;
    for (int i = 0; i < kShedPerVisit && error == 0; ++i) {
      const Descriptor fd(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!fd && errno != EINTR && errno != ECONNABORTED) error = errno;
    }
    return keep_reserve() && (error == 0 || error == EAGAIN);
  }

 private:
  // A backlog of the usual size, then other handles are served.
  static constexpr int kShedPerVisit = 512;
  static constexpr std::size_t kReadBytes = std::size_t{64} << 10;

  std::vector<Flushable*> dirty_;
  std::vector<Flushable*> flushing_;
  std::unique_ptr<std::byte[]> read_buffer_;
  ChunkPool chunks_;
  std::vector<Starved*> starved_;
  Descriptor reserve_;
};

}  // namespace rondo
