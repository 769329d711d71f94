// What the sockets of one loop share: who has something to hand to the kernel at the end of this
// turn, memory for reading and writing, and the servers that wait for a descriptor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "io/net_output.h"

namespace rondo {

/// Gathers during a turn of the loop, and hands on what was gathered when the loop is about to
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

 private:
  static constexpr std::size_t kReadBytes = std::size_t{64} << 10;

  std::vector<Flushable*> dirty_;
  std::vector<Flushable*> flushing_;
  std::unique_ptr<std::byte[]> read_buffer_;
  ChunkPool chunks_;
  std::vector<Starved*> starved_;
};

}  // namespace rondo
