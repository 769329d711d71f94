// Compresses or decompresses all data in one call, for gzipSync() and similar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/compression/compressor.h"

namespace rondo {

/// Output that grows as it is needed. Small output lies in memory that is kept for the next time.
class GrowingOutput {
 public:
  /// `expected`: a guess of the size, 0 for none. What is known to be large goes where it stays; a
  /// bound that most output does not reach does not.
  GrowingOutput(std::size_t expected, bool is_bound);
  ~GrowingOutput();
  GrowingOutput(const GrowingOutput&) = delete;
  GrowingOutput& operator=(const GrowingOutput&) = delete;

  /// Makes room for at least `least` more bytes; throws std::bad_alloc.
  void make_room(std::size_t least);
  std::uint8_t* end() noexcept { return data_ + size_; }
  std::size_t room() const noexcept { return capacity_ - size_; }
  void grow(std::size_t bytes) noexcept { size_ += bytes; }

  std::span<const std::uint8_t> get() const noexcept { return {data_, size_}; }
  /// The memory, from malloc() and no larger than the output; null if it is to be copied.
  void* take() noexcept;

 private:
  std::uint8_t* data_;
  std::size_t capacity_;
  std::size_t size_ = 0;
  bool kept_;  // the memory is that which is kept
};

struct OnceRequest {
  std::span<const std::uint8_t> input;
  int flush = 0;
  std::size_t chunk_size = 0;
  std::uint64_t max_output = 0;
  /// The result may depend on how large the pieces of output are: they have chunk_size then, as in
  /// Node.
  bool exact_chunks = false;
  bool reject_garbage_after_end = false;
};

enum class OnceResult : std::uint8_t { done, failed, too_large, trailing_garbage };

OnceResult run_once(Compressor& compressor, const OnceRequest& request, GrowingOutput& output);

/// A compressor that is kept for the next call with the same settings: to set one up takes longer
/// than to compress a kilobyte. One each for compression and decompression, of this thread.
class KeptZlib {
 public:
  /// Those with a dictionary are not kept.
  KeptZlib(const ZlibSettings& settings, std::vector<std::uint8_t> dictionary);
  ~KeptZlib();
  KeptZlib(const KeptZlib&) = delete;
  KeptZlib& operator=(const KeptZlib&) = delete;

  ZlibCompressor& get() noexcept { return *compressor_; }

 private:
  ZlibSettings settings_;
  bool keeps_;
  std::unique_ptr<ZlibCompressor> compressor_;
};

}  // namespace rondo
