// Compression and decompression by the engine's libraries, in steps: what node:zlib is made of. A
// compressor knows neither V8 nor the loop; it is used on one thread at a time, whichever that is.
//
//     CompressionStep step{in, in_size, out, out_size, flush};
//     compressor->run(step);                      // moves the pointers, counts down what is left
//     if (auto error = compressor->error(step)) ...
//
// The step is over when the input is used up or the output is full. With room left for output and
// input left, the compressed data has ended before the input.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rondo {

/// What a compressor does. The numbers are Node's.
enum class CompressionMode : std::uint8_t {
  none,
  deflate,
  inflate,
  gzip,
  gunzip,
  deflate_raw,
  inflate_raw,
  unzip,
  brotli_decode,
  brotli_encode,
  zstd_compress,
  zstd_decompress,
};

struct CompressionStep {
  const std::uint8_t* in = nullptr;
  std::size_t in_left = 0;
  std::uint8_t* out = nullptr;
  std::size_t out_left = 0;
  int flush = 0;
};

/// What JavaScript makes an error of.
struct CompressionError {
  std::string message;
  std::string code;
  int number = -1;
};
using MaybeCompressionError = std::optional<CompressionError>;

/// The memory that a library takes for one compressor. It may do so on any thread; the loop's
/// thread reports it to V8 now and then.
class CompressionMemory {
 public:
  CompressionMemory() = default;
  CompressionMemory(const CompressionMemory&) = delete;
  CompressionMemory& operator=(const CompressionMemory&) = delete;

  std::int64_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

  // As the libraries want them; `self` is a CompressionMemory.
  static void* allocate(void* self, std::size_t size) noexcept;
  static void* allocate_items(void* self, unsigned items, unsigned size) noexcept;
  static void release(void* self, void* address) noexcept;

 private:
  std::atomic<std::int64_t> bytes_ = 0;
};

class Compressor {
 public:
  virtual ~Compressor() = default;

  virtual void run(CompressionStep& step) = 0;
  /// What went wrong in the last step, which is `step`.
  virtual MaybeCompressionError error(const CompressionStep& step) const = 0;
  /// Begins a new stream, with the options of zlib and without those of the others, as Node does.
  virtual MaybeCompressionError reset() = 0;
  /// Whether a step over a few kilobytes is over sooner than a thread would begin with it.
  virtual bool is_quick() const noexcept { return true; }

  std::int64_t memory() const noexcept { return memory_.bytes(); }

 protected:
  CompressionMemory memory_;
};

// ---- zlib -----------------------------------------------------------------------------------

struct ZlibSettings {
  CompressionMode mode = CompressionMode::none;
  int window_bits = 0;
  int level = 0;
  int mem_level = 0;
  int strategy = 0;
  bool reject_garbage_after_end = false;
  bool operator==(const ZlibSettings&) const = default;
};

class ZlibCompressor : public Compressor {
 public:
  static std::unique_ptr<ZlibCompressor> make(const ZlibSettings& settings,
                                              std::vector<std::uint8_t> dictionary);

  virtual MaybeCompressionError set_params(int level, int strategy) = 0;
  /// As if it was new. False if that is not possible; it is of no use then.
  virtual bool renew() = 0;
  /// Room enough for what comes out of this many bytes, if it compresses.
  virtual std::size_t bound(std::size_t size) = 0;
};

// ---- Brotli and Zstandard -------------------------------------------------------------------

/// Compressors whose parameters are numbers with numeric keys. They are set up at once.
class TunableCompressor : public Compressor {
 public:
  virtual MaybeCompressionError set_up(std::span<const std::uint8_t> dictionary) = 0;
  virtual MaybeCompressionError set_parameter(int key, std::uint32_t value) = 0;
};

std::unique_ptr<TunableCompressor> make_brotli(CompressionMode mode);

/// `pledged_size`: how many bytes will be compressed; nothing if that is not known.
std::unique_ptr<TunableCompressor> make_zstd(CompressionMode mode,
                                             std::optional<std::uint64_t> pledged_size,
                                             bool reject_garbage_after_end);

}  // namespace rondo
