// Zstandard, both ways.
#include <array>
#include <memory>
#include <utility>

#include "runtime/compression/compressor.h"
#include "runtime/compression/engine_zstd.h"

namespace rondo {
namespace {

struct Free {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

const char* name_of(int code) {
  switch (code) {
    case 0:
      return "ZSTD_error_no_error";
    case 10:
      return "ZSTD_error_prefix_unknown";
    case 12:
      return "ZSTD_error_version_unsupported";
    case 14:
      return "ZSTD_error_frameParameter_unsupported";
    case 16:
      return "ZSTD_error_frameParameter_windowTooLarge";
    case 20:
      return "ZSTD_error_corruption_detected";
    case 22:
      return "ZSTD_error_checksum_wrong";
    case 24:
      return "ZSTD_error_literals_headerWrong";
    case 30:
      return "ZSTD_error_dictionary_corrupted";
    case 32:
      return "ZSTD_error_dictionary_wrong";
    case 34:
      return "ZSTD_error_dictionaryCreation_failed";
    case 40:
      return "ZSTD_error_parameter_unsupported";
    case 41:
      return "ZSTD_error_parameter_combination_unsupported";
    case 42:
      return "ZSTD_error_parameter_outOfBound";
    case 44:
      return "ZSTD_error_tableLog_tooLarge";
    case 46:
      return "ZSTD_error_maxSymbolValue_tooLarge";
    case 48:
      return "ZSTD_error_maxSymbolValue_tooSmall";
    case 50:
      return "ZSTD_error_stabilityCondition_notRespected";
    case 60:
      return "ZSTD_error_stage_wrong";
    case 62:
      return "ZSTD_error_init_missing";
    case 64:
      return "ZSTD_error_memory_allocation";
    case 66:
      return "ZSTD_error_workSpace_tooSmall";
    case 70:
      return "ZSTD_error_dstSize_tooSmall";
    case 72:
      return "ZSTD_error_srcSize_wrong";
    case 74:
      return "ZSTD_error_dstBuffer_null";
    case 80:
      return "ZSTD_error_noForwardProgress_destFull";
    case 82:
      return "ZSTD_error_noForwardProgress_inputEmpty";
    default:
      return "ZSTD_error_GENERIC";
  }
}

CompressionError error_of(int code) {
  return {ZSTD_getErrorString(code), name_of(code), code};
}
CompressionError set_up_failed(const char* message) {
  return {message, "ERR_ZLIB_INITIALIZATION_FAILED"};
}
CompressionError dictionary_failed() {
  return {"Failed to load zstd dictionary", "ERR_ZLIB_DICTIONARY_LOAD_FAILED"};
}
CompressionError parameter_failed() {
  return {"Setting parameter failed", "ERR_ZSTD_PARAM_SET_FAILED"};
}

CompressionError garbage_rejected() {
  return {"", "ERR_TRAILING_JUNK_AFTER_STREAM_END"};
}

class ZstdEncoder final : public TunableCompressor {
 public:
  explicit ZstdEncoder(std::optional<std::uint64_t> pledged) : pledged_(pledged) {}

  MaybeCompressionError set_up(std::span<const std::uint8_t> dictionary) override {
    consumed_ = 0;
    checks_size_ = pledged_.has_value();
    if (context_ == nullptr) {
      context_.reset(ZSTD_createCCtx_advanced(
          {CompressionMemory::allocate, CompressionMemory::release, &memory_}));
      if (context_ == nullptr) return set_up_failed("Could not initialize zstd instance");
    } else {
      ZSTD_CCtx_reset(context_.get(), kZstdResetSessionAndParameters);
    }
    if (!dictionary.empty() && ZSTD_isError(ZSTD_CCtx_loadDictionary(
                                   context_.get(), dictionary.data(), dictionary.size())) != 0) {
      return dictionary_failed();
    }
    if (ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(
            context_.get(), pledged_.value_or(kZstdContentSizeUnknown))) != 0) {
      return set_up_failed("Could not set pledged src size");
    }
    return std::nullopt;
  }

  MaybeCompressionError set_parameter(int key, std::uint32_t value) override {
    if (ZSTD_isError(ZSTD_CCtx_setParameter(context_.get(), key, static_cast<int>(value))) != 0) {
      return parameter_failed();
    }
    return std::nullopt;
  }

  void run(CompressionStep& step) override {
    ZSTD_inBuffer in{step.in, step.in_left, 0};
    ZSTD_outBuffer out{step.out, step.out_left, 0};
    const auto directive = static_cast<ZSTD_EndDirective>(step.flush);
    const std::size_t result = ZSTD_compressStream2(context_.get(), &out, &in, directive);
    step.in += in.pos;
    step.in_left -= in.pos;
    step.out += out.pos;
    step.out_left -= out.pos;
    consumed_ += in.pos;
    if (ZSTD_isError(result) != 0) {
      code_ = ZSTD_getErrorCode(result);
    } else if (result == 0 && directive == kZstdEnd && std::exchange(checks_size_, false) &&
               consumed_ != pledged_) {
      // Zstandard forgets what was pledged if all comes in one step.
      code_ = kZstdSrcSizeWrong;
    }
  }

  MaybeCompressionError error(const CompressionStep& /*step*/) const override {
    if (code_ == 0) return std::nullopt;
    return error_of(code_);
  }

  MaybeCompressionError reset() override { return set_up({}); }

  // High levels begin with tables of many megabytes.
  bool is_quick() const noexcept override { return false; }

 private:
  std::unique_ptr<ZSTD_CCtx, Free> context_;
  const std::optional<std::uint64_t> pledged_;
  std::uint64_t consumed_ = 0;
  bool checks_size_ = false;
  int code_ = 0;
};

/// Frames may follow each other. What follows the last one and does not begin as a frame does is
/// garbage: it is left in the input.
class ZstdDecoder final : public TunableCompressor {
 public:
  explicit ZstdDecoder(bool reject_garbage) : rejects_garbage_(reject_garbage) {}

  MaybeCompressionError set_up(std::span<const std::uint8_t> dictionary) override {
    frame_complete_ = false;
    garbage_ = false;
    magic_size_ = 0;
    if (context_ == nullptr) {
      context_.reset(ZSTD_createDCtx_advanced(
          {CompressionMemory::allocate, CompressionMemory::release, &memory_}));
      if (context_ == nullptr) return set_up_failed("Could not initialize zstd instance");
    } else {
      ZSTD_DCtx_reset(context_.get(), kZstdResetSessionAndParameters);
    }
    if (!dictionary.empty() && ZSTD_isError(ZSTD_DCtx_loadDictionary(
                                   context_.get(), dictionary.data(), dictionary.size())) != 0) {
      return dictionary_failed();
    }
    return std::nullopt;
  }

  MaybeCompressionError set_parameter(int key, std::uint32_t value) override {
    if (ZSTD_isError(ZSTD_DCtx_setParameter(context_.get(), key, static_cast<int>(value))) != 0) {
      return parameter_failed();
    }
    return std::nullopt;
  }

  void run(CompressionStep& step) override {
    do {
      if (garbage_ || (frame_complete_ && !find_frame(step))) return;
      decode(step);
    } while (code_ == 0 && frame_complete_ && step.in_left > 0 && step.out_left > 0);
  }

  MaybeCompressionError error(const CompressionStep& step) const override {
    if (code_ != 0) return error_of(code_);
    if (garbage_ && rejects_garbage_) return garbage_rejected();
    if (step.flush != kZstdEnd || step.in_left > 0 || step.out_left == 0) return std::nullopt;
    if (!frame_complete_) return CompressionError{"unexpected end of file", "Z_BUF_ERROR", -5};
    if (magic_size_ > 0 && rejects_garbage_) return garbage_rejected();
    return std::nullopt;
  }

  MaybeCompressionError reset() override { return set_up({}); }

 private:
  static constexpr std::array<std::uint8_t, 4> kFrameMagic{0x28, 0xb5, 0x2f, 0xfd};
  static constexpr std::array<std::uint8_t, 4> kSkippableMagic{0x50, 0x2a, 0x4d, 0x18};

  /// Whether the bytes of magic_ can be the beginning of a frame. Of a skippable one the lower half
  /// of the first byte is any.
  bool may_be_frame() const {
    bool frame = true;
    bool skippable = true;
    for (std::size_t i = 0; i < magic_size_; ++i) {
      frame = frame && magic_[i] == kFrameMagic[i];
      skippable = skippable && (i == 0 ? (magic_[i] & 0xf0) : magic_[i]) == kSkippableMagic[i];
    }
    return frame || skippable;
  }

  /// Reads the first bytes of what may be the next frame, which may come in pieces. True if it is
  /// one; they have been handed to the decoder then.
  bool find_frame(CompressionStep& step) {
    const CompressionStep before = step;
    const std::size_t size_before = magic_size_;
    while (magic_size_ < magic_.size()) {
      if (step.in_left == 0) return false;
      magic_[magic_size_++] = *step.in++;
      --step.in_left;
      if (may_be_frame()) continue;
      step = before;
      magic_size_ = size_before;
      garbage_ = true;
      return false;
    }
    magic_size_ = 0;
    frame_complete_ = false;
    CompressionStep magic{magic_.data(), magic_.size(), step.out, step.out_left, step.flush};
    decode(magic);
    step.out = magic.out;
    step.out_left = magic.out_left;
    return code_ == 0;
  }

  void decode(CompressionStep& step) {
    ZSTD_inBuffer in{step.in, step.in_left, 0};
    ZSTD_outBuffer out{step.out, step.out_left, 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
    step.in += in.pos;
    step.in_left -= in.pos;
    step.out += out.pos;
    step.out_left -= out.pos;
    frame_complete_ = result == 0;
    if (ZSTD_isError(result) != 0) code_ = ZSTD_getErrorCode(result);
  }

  std::unique_ptr<ZSTD_DCtx, Free> context_;
  const bool rejects_garbage_;
  bool frame_complete_ = false;
  bool garbage_ = false;
  std::array<std::uint8_t, 4> magic_{};
  std::size_t magic_size_ = 0;
  int code_ = 0;
};

}  // namespace

std::unique_ptr<TunableCompressor> make_zstd(CompressionMode mode,
                                             std::optional<std::uint64_t> pledged_size,
                                             bool reject_garbage_after_end) {
  if (mode == CompressionMode::zstd_compress) return std::make_unique<ZstdEncoder>(pledged_size);
  return std::make_unique<ZstdDecoder>(reject_garbage_after_end);
}

}  // namespace rondo
