// zlib: deflate, gzip and raw streams, and how they are distinguished.
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <utility>

#include "runtime/compression/compressor.h"

namespace rondo {

// ---- Memory -----------------------------------------------------------------------------------

namespace {

// In front of each piece: its size.
constexpr std::size_t kHeader = alignof(std::max_align_t);

}  // namespace

void* CompressionMemory::allocate(void* self, std::size_t size) noexcept {
  if (size > std::numeric_limits<std::size_t>::max() - kHeader) return nullptr;
  auto* const memory = static_cast<std::byte*>(std::malloc(size + kHeader));
  if (memory == nullptr) return nullptr;
  *reinterpret_cast<std::size_t*>(memory) = size;
  static_cast<CompressionMemory*>(self)->bytes_.fetch_add(static_cast<std::int64_t>(size),
                                                          std::memory_order_relaxed);
  return memory + kHeader;
}

void* CompressionMemory::allocate_items(void* self, unsigned items, unsigned size) noexcept {
  return allocate(self, static_cast<std::size_t>(items) * size);
}

void CompressionMemory::release(void* self, void* address) noexcept {
  if (address == nullptr) return;
  auto* const memory = static_cast<std::byte*>(address) - kHeader;
  const std::size_t size = *reinterpret_cast<std::size_t*>(memory);
  static_cast<CompressionMemory*>(self)->bytes_.fetch_sub(static_cast<std::int64_t>(size),
                                                          std::memory_order_relaxed);
  std::free(memory);
}

// ---- The compressor ---------------------------------------------------------------------------

namespace {

using enum CompressionMode;

constexpr std::uint8_t kGzipId1 = 0x1f;
constexpr std::uint8_t kGzipId2 = 0x8b;

const char* name_of(int status) {
  switch (status) {
    case Z_OK:
      return "Z_OK";
    case Z_STREAM_END:
      return "Z_STREAM_END";
    case Z_NEED_DICT:
      return "Z_NEED_DICT";
    case Z_ERRNO:
      return "Z_ERRNO";
    case Z_STREAM_ERROR:
      return "Z_STREAM_ERROR";
    case Z_DATA_ERROR:
      return "Z_DATA_ERROR";
    case Z_MEM_ERROR:
      return "Z_MEM_ERROR";
    case Z_BUF_ERROR:
      return "Z_BUF_ERROR";
    case Z_VERSION_ERROR:
      return "Z_VERSION_ERROR";
    default:
      return "Z_UNKNOWN_ERROR";
  }
}

bool compresses(CompressionMode mode) {
  return mode == deflate || mode == gzip || mode == deflate_raw;
}

/// zlib takes the format as an offset or as the sign.
int signed_window_bits(const ZlibSettings& settings) {
  switch (settings.mode) {
    case gzip:
    case gunzip:
      return settings.window_bits + 16;
    case unzip:
      return settings.window_bits + 32;
    case deflate_raw:
    case inflate_raw:
      return -settings.window_bits;
    default:
      return settings.window_bits;
  }
}

class Zlib final : public ZlibCompressor {
 public:
  Zlib(const ZlibSettings& settings, std::vector<std::uint8_t> dictionary)
      : settings_(settings), mode_(settings.mode), dictionary_(std::move(dictionary)) {
    stream_.zalloc = allocate;
    stream_.zfree = release;
    stream_.opaque = this;
  }
  ~Zlib() override {
    if (!begun_) return;
    compresses(settings_.mode) ? deflateEnd(&stream_) : inflateEnd(&stream_);
  }
  Zlib(const Zlib&) = delete;
  Zlib& operator=(const Zlib&) = delete;

  void run(CompressionStep& step) override;
  MaybeCompressionError error(const CompressionStep& step) const override;
  MaybeCompressionError reset() override;
  MaybeCompressionError set_params(int level, int strategy) override;
  bool renew() override;
  std::size_t bound(std::size_t size) override;

 private:
  static void* allocate(void* self, unsigned items, unsigned size) noexcept;
  static void release(void* self, void* address) noexcept {
    CompressionMemory::release(&static_cast<Zlib*>(self)->memory_, address);
  }
  void clear_window() noexcept;
  bool begin();
  void run_piece(int flush);
  void find_format();
  void run_inflate(int flush);
  void set_dictionary();
  CompressionError error_with(const char* message) const {
    return {stream_.msg != nullptr ? stream_.msg : message, name_of(status_), status_};
  }

  const ZlibSettings settings_;
  CompressionMode mode_;  // `unzip` until the format is known
  std::vector<std::uint8_t> dictionary_;
  z_stream stream_{};
  bool begun_ = false;
  int status_ = Z_OK;
  bool seen_gzip_id1_ = false;
  int allocations_ = 0;
  std::span<std::uint8_t> window_;  // of a stream that compresses: zlib's copy of the input
};

void* Zlib::allocate(void* self, unsigned items, unsigned size) noexcept {
  constexpr int kWindow = 2;  // deflateInit2() takes its state first, then this
  Zlib& zlib = *static_cast<Zlib*>(self);
  void* const address = CompressionMemory::allocate_items(&zlib.memory_, items, size);
  if (++zlib.allocations_ == kWindow && address != nullptr) {
    zlib.window_ = {static_cast<std::uint8_t*>(address), std::size_t{items} * size};
  }
  return address;
}

/// zlib looks at some bytes after the end of the input, which are zeros in a new stream. With what
/// the last stream has left there, the last match of a new one is missed now and then: the output
/// would be another one than Node's.
void Zlib::clear_window() noexcept {
  constexpr std::size_t kLookAhead = 512;  // as much as zlib sets to zero itself, and more
  const std::size_t used = stream_.total_in + dictionary_.size() + kLookAhead;
  std::ranges::fill(window_.first(std::min(used, window_.size())), std::uint8_t{0});
}

/// Takes the memory, when it is first needed. False if that failed, and `status_` says why.
bool Zlib::begin() {
  if (begun_) return true;
  stream_.msg = nullptr;
  const int window_bits = signed_window_bits(settings_);
  status_ = compresses(settings_.mode)
                ? deflateInit2(&stream_, settings_.level, Z_DEFLATED, window_bits,
                               settings_.mem_level, settings_.strategy)
                : inflateInit2(&stream_, window_bits);
  if (status_ != Z_OK) return false;
  begun_ = true;
  set_dictionary();
  return status_ == Z_OK;
}

void Zlib::set_dictionary() {
  if (dictionary_.empty()) return;
  const auto size = static_cast<uInt>(dictionary_.size());
  // Other formats ask for it, in run_inflate().
  if (mode_ == deflate || mode_ == deflate_raw) {
    status_ = deflateSetDictionary(&stream_, dictionary_.data(), size);
  } else if (mode_ == inflate_raw) {
    status_ = inflateSetDictionary(&stream_, dictionary_.data(), size);
  }
}

void Zlib::run(CompressionStep& step) {
  if (!begin()) return;
  // zlib counts with 32 bits.
  constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
  for (;;) {
    const std::size_t in = std::min(step.in_left, kMost);
    const std::size_t out = std::min(step.out_left, kMost);
    stream_.next_in = const_cast<Bytef*>(step.in);
    stream_.avail_in = static_cast<uInt>(in);
    stream_.next_out = step.out;
    stream_.avail_out = static_cast<uInt>(out);
    run_piece(in < step.in_left && compresses(mode_) ? Z_NO_FLUSH : step.flush);
    const bool goes_on = (stream_.avail_in == 0 && in < step.in_left) ||
                         (stream_.avail_out == 0 && out < step.out_left);
    step.in = stream_.next_in;
    step.in_left -= in - stream_.avail_in;
    step.out = stream_.next_out;
    step.out_left -= out - stream_.avail_out;
    if (!goes_on || step.out_left == 0 || (status_ != Z_OK && status_ != Z_BUF_ERROR)) return;
  }
}

void Zlib::run_piece(int flush) {
  if (compresses(mode_)) {
    status_ = ::deflate(&stream_, flush);
    return;
  }
  if (mode_ == unzip) find_format();
  run_inflate(flush);
}

// Of an `unzip`: gzip if it begins with two certain bytes, which may come in two pieces.
void Zlib::find_format() {
  if (stream_.avail_in == 0) return;
  const Bytef* next = stream_.next_in;
  if (!seen_gzip_id1_) {
    if (*next != kGzipId1) {
      mode_ = inflate;
      return;
    }
    seen_gzip_id1_ = true;
    if (stream_.avail_in == 1) return;
    ++next;
  }
  mode_ = *next == kGzipId2 ? gunzip : inflate;
}

void Zlib::run_inflate(int flush) {
  status_ = ::inflate(&stream_, flush);
  if (status_ == Z_NEED_DICT && mode_ != inflate_raw && !dictionary_.empty()) {
    status_ =
        inflateSetDictionary(&stream_, dictionary_.data(), static_cast<uInt>(dictionary_.size()));
    if (status_ == Z_OK) {
      status_ = ::inflate(&stream_, flush);
    } else if (status_ == Z_DATA_ERROR) {
      status_ = Z_NEED_DICT;  // the dictionary is wrong, not the data
    }
  }
  // Another member of the file, or garbage, which is an error then. Zeros are padding.
  while (mode_ == gunzip && status_ == Z_STREAM_END && stream_.avail_in > 0 &&
         !settings_.reject_garbage_after_end && stream_.next_in[0] != 0) {
    reset();
    status_ = ::inflate(&stream_, flush);
  }
}

MaybeCompressionError Zlib::error(const CompressionStep& step) const {
  switch (status_) {
    case Z_OK:
    case Z_BUF_ERROR:
      if (step.out_left != 0 && step.flush == Z_FINISH) return error_with("unexpected end of file");
      return std::nullopt;
    case Z_STREAM_END:
      return std::nullopt;
    case Z_NEED_DICT:
      return error_with(dictionary_.empty() ? "Missing dictionary" : "Bad dictionary");
    default:
      return error_with("Zlib error");
  }
}

MaybeCompressionError Zlib::reset() {
  if (!begun_) {
    if (!begin()) return error_with("Failed to init stream before reset");
  }
  status_ = Z_OK;
  if (compresses(mode_)) {
    status_ = deflateReset(&stream_);
  } else if (mode_ != unzip) {
    status_ = inflateReset(&stream_);
  }
  if (status_ != Z_OK) return error_with("Failed to reset stream");
  set_dictionary();
  if (status_ != Z_OK) return error_with("Failed to set dictionary");
  return std::nullopt;
}

MaybeCompressionError Zlib::set_params(int level, int strategy) {
  if (!begun_) {
    if (!begin()) return error_with("Failed to init stream before set parameters");
  }
  status_ = Z_OK;
  if (mode_ == deflate || mode_ == deflate_raw) status_ = deflateParams(&stream_, level, strategy);
  if (status_ != Z_OK && status_ != Z_BUF_ERROR) return error_with("Failed to set parameters");
  return std::nullopt;
}

bool Zlib::renew() {
  if (!begun_) return true;
  mode_ = settings_.mode;
  seen_gzip_id1_ = false;
  if (compresses(mode_)) clear_window();
  // Also forgets the size of a window that a header gave.
  status_ = compresses(mode_) ? deflateReset(&stream_)
                              : inflateReset2(&stream_, signed_window_bits(settings_));
  if (status_ == Z_OK) set_dictionary();
  return status_ == Z_OK;
}

std::size_t Zlib::bound(std::size_t size) {
  if (!compresses(mode_) || !begin()) return 0;
  return deflateBound(&stream_, size);
}

}  // namespace

std::unique_ptr<ZlibCompressor> ZlibCompressor::make(const ZlibSettings& settings,
                                                     std::vector<std::uint8_t> dictionary) {
  return std::make_unique<Zlib>(settings, std::move(dictionary));
}

}  // namespace rondo
