// What is to be sent: a list of chunks. Small writes are copied into a chunk that has room, so
// that what a callback wrote in pieces goes out in one; large ones are taken over or borrowed.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/descriptor.h"

namespace rondo {

namespace detail {
class WriteMark;
}

struct OutputChunk {
  enum class Kind : std::uint8_t { small, large, exact, owned, borrowed };

  OutputChunk* next = nullptr;
  const std::byte* data = nullptr;
  std::size_t begin = 0;  // what is before has been sent
  std::size_t end = 0;
  std::size_t capacity = 0;  // zero: nothing can be appended
  const detail::WriteMark* borrower = nullptr;
  std::vector<Descriptor>* descriptors = nullptr;  // go with the first byte
  Kind kind = Kind::small;
  bool continues = false;  // what went before it was of the same borrower, and has been sent

  std::byte* storage() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  std::size_t size() const noexcept { return end - begin; }
};

/// Keeps chunks of two sizes for reuse. A bounded number: what a burst needed is given back.
class ChunkPool {
 public:
  static constexpr std::size_t kSmallBytes = 2048;
  static constexpr std::size_t kLargeBytes = std::size_t{32} << 10;

  ChunkPool() = default;
  ~ChunkPool();
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;

  OutputChunk* take(OutputChunk::Kind kind);
  static OutputChunk* make(OutputChunk::Kind kind, std::size_t bytes);
  /// Without a pool the chunk is freed.
  static void give_back(ChunkPool* pool, OutputChunk* chunk) noexcept;

 private:
  struct Shelf {
    OutputChunk* first = nullptr;
    std::size_t count = 0;
    std::size_t most;
  };
  Shelf& shelf(OutputChunk::Kind kind) noexcept {
    return kind == OutputChunk::Kind::small ? small_ : large_;
  }
  Shelf small_{.most = 1024};
  Shelf large_{.most = 32};
};

class OutputQueue {
 public:
  OutputQueue() = default;
  ~OutputQueue() { clear(nullptr); }
  OutputQueue(const OutputQueue&) = delete;
  OutputQueue& operator=(const OutputQueue&) = delete;

  bool empty() const noexcept { return first_ == nullptr; }
  std::size_t size() const noexcept { return size_; }
  /// Of these, the bytes that we hold ourselves.
  std::size_t held() const noexcept { return size_ - borrowed_; }

  void append_copy(ChunkPool& pool, std::span<const std::byte> bytes);
  void append_owned(std::string text);
  void append_borrowed(ChunkPool& pool, std::span<const std::byte> bytes,
                       const detail::WriteMark& borrower);
  void append_with_descriptors(std::span<const std::byte> bytes,
                               std::vector<Descriptor> descriptors);

  /// Names what is first in line, up to a chunk that has descriptors to go with it (unless it is
  /// the first). Returns how many entries were filled in.
  std::size_t fill(std::span<iovec> out) const noexcept;
  OutputChunk* first() const noexcept { return first_; }

  void consume(ChunkPool* pool, std::size_t count) noexcept;

  /// The position of a borrower's chunks, which are adjacent, in bytes from the front, and
  /// how large they are.
  struct Place {
    std::size_t offset;
    std::size_t size;
    bool begun;  // a part of it has been sent
  };
  bool find(const detail::WriteMark& borrower, Place& place) const noexcept;
  void remove(ChunkPool& pool, const detail::WriteMark& borrower) noexcept;
  /// Whether one of the first `count` bytes is borrowed.
  bool borrows(std::size_t count) const noexcept;

  void clear(ChunkPool* pool) noexcept;

 private:
  void append(OutputChunk* chunk) noexcept;
  void release(ChunkPool* pool, OutputChunk* chunk) noexcept;

  OutputChunk* first_ = nullptr;
  OutputChunk* last_ = nullptr;
  std::size_t size_ = 0;
  std::size_t borrowed_ = 0;
};

}  // namespace rondo
