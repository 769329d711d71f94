// Brotli, both ways.
#include <memory>
#include <utility>

#include "runtime/compression/compressor.h"
#include "runtime/compression/engine_brotli.h"

namespace rondo {
namespace {

struct Destroy {
  void operator()(BrotliEncoderState* state) const { BrotliEncoderDestroyInstance(state); }
  void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  void operator()(BrotliEncoderPreparedDictionary* dictionary) const {
    BrotliEncoderDestroyPreparedDictionary(dictionary);
  }
};

CompressionError no_instance() {
  return {"Could not initialize Brotli instance", "ERR_ZLIB_INITIALIZATION_FAILED"};
}
CompressionError dictionary_failed(const char* message) {
  return {message, "ERR_ZLIB_DICTIONARY_LOAD_FAILED"};
}
CompressionError parameter_failed() {
  return {"Setting parameter failed", "ERR_BROTLI_PARAM_SET_FAILED"};
}

class BrotliEncoder final : public TunableCompressor {
 public:
  MaybeCompressionError set_up(std::span<const std::uint8_t> dictionary) override {
    state_.reset();
    prepared_.reset();
    dictionary_.assign(dictionary.begin(), dictionary.end());
    state_.reset(BrotliEncoderCreateInstance(CompressionMemory::allocate,
                                             CompressionMemory::release, &memory_));
    if (state_ == nullptr) return no_instance();
    if (dictionary_.empty()) return std::nullopt;
    prepared_.reset(BrotliEncoderPrepareDictionary(
        kBrotliSharedDictionaryRaw, dictionary_.size(), dictionary_.data(), kBrotliMaxQuality,
        CompressionMemory::allocate, CompressionMemory::release, &memory_));
    if (prepared_ == nullptr) return dictionary_failed("Failed to prepare brotli dictionary");
    if (BrotliEncoderAttachPreparedDictionary(state_.get(), prepared_.get()) == 0) {
      return dictionary_failed("Failed to attach brotli dictionary");
    }
    return std::nullopt;
  }

  MaybeCompressionError set_parameter(int key, std::uint32_t value) override {
    if (BrotliEncoderSetParameter(state_.get(), key, value) == 0) return parameter_failed();
    return std::nullopt;
  }

  void run(CompressionStep& step) override {
    const auto operation = static_cast<BrotliEncoderOperation>(step.flush);
    succeeded_ = BrotliEncoderCompressStream(state_.get(), operation, &step.in_left, &step.in,
                                             &step.out_left, &step.out, nullptr) != 0;
  }

  MaybeCompressionError error(const CompressionStep& /*step*/) const override {
    if (succeeded_) return std::nullopt;
    return CompressionError{"Compression failed", "ERR_BROTLI_COMPRESSION_FAILED"};
  }

  MaybeCompressionError reset() override { return set_up({}); }

  // Its best quality takes milliseconds for a kilobyte.
  bool is_quick() const noexcept override { return false; }

 private:
  // These are used by the state, and go after it.
  std::vector<std::uint8_t> dictionary_;
  std::unique_ptr<BrotliEncoderPreparedDictionary, Destroy> prepared_;
  std::unique_ptr<BrotliEncoderState, Destroy> state_;
  bool succeeded_ = false;
};

class BrotliDecoder final : public TunableCompressor {
 public:
  MaybeCompressionError set_up(std::span<const std::uint8_t> dictionary) override {
    state_.reset();
    dictionary_.assign(dictionary.begin(), dictionary.end());
    state_.reset(BrotliDecoderCreateInstance(CompressionMemory::allocate,
                                             CompressionMemory::release, &memory_));
    if (state_ == nullptr) return no_instance();
    if (!dictionary_.empty() &&
        BrotliDecoderAttachDictionary(state_.get(), kBrotliSharedDictionaryRaw, dictionary_.size(),
                                      dictionary_.data()) == 0) {
      return dictionary_failed("Failed to attach brotli dictionary");
    }
    return std::nullopt;
  }

  MaybeCompressionError set_parameter(int key, std::uint32_t value) override {
    if (BrotliDecoderSetParameter(state_.get(), key, value) == 0) return parameter_failed();
    return std::nullopt;
  }

  void run(CompressionStep& step) override {
    result_ = BrotliDecoderDecompressStream(state_.get(), &step.in_left, &step.in, &step.out_left,
                                            &step.out, nullptr);
    if (result_ == kBrotliDecoderError) code_ = BrotliDecoderGetErrorCode(state_.get());
  }

  MaybeCompressionError error(const CompressionStep& step) const override {
    if (code_ != 0) {
      return CompressionError{"Decompression failed",
                              std::string("ERR_") + BrotliDecoderErrorString(code_), code_};
    }
    if (step.flush == kBrotliFinish && result_ == kBrotliDecoderNeedsMoreInput) {
      return CompressionError{"unexpected end of file", "Z_BUF_ERROR", -5};
    }
    return std::nullopt;
  }

  MaybeCompressionError reset() override { return set_up({}); }

 private:
  std::vector<std::uint8_t> dictionary_;  // used by the state
  std::unique_ptr<BrotliDecoderState, Destroy> state_;
  BrotliDecoderResult result_ = kBrotliDecoderSuccess;
  int code_ = 0;
};

}  // namespace

std::unique_ptr<TunableCompressor> make_brotli(CompressionMode mode) {
  if (mode == CompressionMode::brotli_encode) return std::make_unique<BrotliEncoder>();
  return std::make_unique<BrotliDecoder>();
}

}  // namespace rondo
