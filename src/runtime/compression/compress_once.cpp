#include "runtime/compression/compress_once.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace rondo {
namespace {

constexpr std::size_t kKeptSize = 128 * 1024;
constexpr std::size_t kCopiedSize =
    16 * 1024;  // up to here a copy costs less than memory of its own

struct FreeMemory {
  void operator()(std::uint8_t* memory) const noexcept { std::free(memory); }
};
using Memory = std::unique_ptr<std::uint8_t, FreeMemory>;

struct KeptCompressor {
  ZlibSettings settings;
  std::unique_ptr<ZlibCompressor> compressor;
};

/// What a thread keeps from one call to the next.
struct Kept {
  Memory output;  // null while it is in use
  KeptCompressor deflating;
  KeptCompressor inflating;
};
thread_local Kept kept;

KeptCompressor& kept_for(CompressionMode mode) {
  using enum CompressionMode;
  return mode == deflate || mode == gzip || mode == deflate_raw ? kept.deflating : kept.inflating;
}

std::uint8_t* allocate(std::size_t size) {
  auto* const memory = static_cast<std::uint8_t*>(std::malloc(size));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

GrowingOutput::GrowingOutput(std::size_t expected, bool is_bound)
    : kept_(expected <= (is_bound ? kKeptSize : kCopiedSize)) {
  capacity_ = kept_ ? kKeptSize : expected;
  data_ = kept_ && kept.output != nullptr ? kept.output.release() : allocate(capacity_);
}

GrowingOutput::~GrowingOutput() {
  if (kept_) {
    kept.output.reset(data_);
  } else {
    std::free(data_);
  }
}

void GrowingOutput::make_room(std::size_t least) {
  if (room() >= least) return;
  const std::size_t wanted = std::max(capacity_ * 2, size_ + least);
  auto* const larger =
      static_cast<std::uint8_t*>(kept_ ? std::malloc(wanted) : std::realloc(data_, wanted));
  if (larger == nullptr) throw std::bad_alloc();
  if (kept_) {
    std::copy_n(data_, size_, larger);
    kept.output.reset(std::exchange(data_, nullptr));
    kept_ = false;
  }
  data_ = larger;
  capacity_ = wanted;
}

void* GrowingOutput::take() noexcept {
  if (kept_ || size_ == 0) return nullptr;
  void* const memory = std::exchange(data_, nullptr);
  void* const fitted = std::realloc(memory, size_);
  return fitted == nullptr ? memory : fitted;
}

OnceResult run_once(Compressor& compressor, const OnceRequest& request, GrowingOutput& output) {
  CompressionStep step{
      .in = request.input.data(), .in_left = request.input.size(), .flush = request.flush};
  do {
    // Below a few hundred bytes inflate() is slow.
    constexpr std::size_t kLeast = 4096;
    output.make_room(request.exact_chunks ? request.chunk_size : kLeast);
    const std::size_t room = request.exact_chunks ? request.chunk_size : output.room();
    step.out = output.end();
    step.out_left = room;
    compressor.run(step);
    output.grow(room - step.out_left);
    if (compressor.error(step)) return OnceResult::failed;
    if (output.get().size() > request.max_output) return OnceResult::too_large;
  } while (step.out_left == 0);
  if (step.in_left > 0 && request.reject_garbage_after_end) return OnceResult::trailing_garbage;
  return OnceResult::done;
}

KeptZlib::KeptZlib(const ZlibSettings& settings, std::vector<std::uint8_t> dictionary)
    : settings_(settings), keeps_(dictionary.empty()) {
  KeptCompressor& last = kept_for(settings.mode);
  if (keeps_ && last.compressor != nullptr && last.settings == settings) {
    compressor_ = std::move(last.compressor);
    if (compressor_->renew()) return;
  }
  compressor_ = ZlibCompressor::make(settings, std::move(dictionary));
}

KeptZlib::~KeptZlib() {
  if (!keeps_) return;
  KeptCompressor& last = kept_for(settings_.mode);
  last.settings = settings_;
  last.compressor = std::move(compressor_);
}

}  // namespace rondo
