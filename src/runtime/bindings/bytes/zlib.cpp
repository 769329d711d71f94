// For node:zlib: the handles of its streams (runtime/compression_handle.h), and functions that
// compress or decompress a whole Buffer in one call. Those give a Buffer, or
//
//     an OnceFailure                  a number
//     [message, number, code]         an error of the library
//     undefined                       it could not be set up, or the arguments are wrong: a handle
//     will say why
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/bytes/buffer.h"
#include "runtime/bytes/encodings.h"
#include "runtime/compression/compress_once.h"
#include "runtime/compression/compression_handle.h"
#include "runtime/compression/compressor.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"

namespace rondo {
namespace {

using v8::Local;

/// What a call gives instead of a Buffer.
enum OnceFailure : std::int32_t { kTooLarge = 1, kTrailingGarbage = 2 };

constexpr double kMaxSafe = 9007199254740991;

/// An argument, without what comes after the point, as Node takes numbers; 0 for NaN and what is
/// not a number.
class Integer {
 public:
  explicit Integer(Local<v8::Value> value) {
    if (!value->IsNumber()) return;
    const Local<v8::Context> context = v8::Isolate::GetCurrent()->GetCurrentContext();
    number_ = value->Int32Value(context).FromMaybe(0);
  }
  operator int() const noexcept { return number_; }

 private:
  int number_ = 0;
};

/// An argument from 0 to the largest safe integer; 0 for what is not a number.
class Amount {
 public:
  explicit Amount(Local<v8::Value> value) {
    if (!value->IsNumber()) return;
    const double number = value.As<v8::Number>()->Value();
    if (number > 0) number_ = static_cast<std::uint64_t>(std::min(number, kMaxSafe));
  }
  operator std::uint64_t() const noexcept { return number_; }

 private:
  std::uint64_t number_ = 0;
};

std::vector<std::uint8_t> copy_of(Local<v8::Value> view) {
  const ReadBytes bytes(view);
  return {bytes.get().begin(), bytes.get().end()};
}

// ---- Setting up -------------------------------------------------------------------------------

/// The values of a Uint32Array become the parameters of these numbers; those of -1 are left out.
MaybeCompressionError set_parameters(TunableCompressor& compressor, Local<v8::Value> array) {
  const std::span<const std::uint32_t> values = elements_of<std::uint32_t>(array);
  for (std::size_t key = 0; key < values.size(); ++key) {
    if (values[key] == static_cast<std::uint32_t>(-1)) continue;
    if (auto error = compressor.set_parameter(static_cast<int>(key), values[key])) return error;
  }
  return std::nullopt;
}

MaybeCompressionError set_up(TunableCompressor& compressor, Local<v8::Value> dictionary,
                             Local<v8::Value> parameters) {
  const ReadBytes bytes(dictionary);
  if (auto error = compressor.set_up(bytes.get())) return error;
  return set_parameters(compressor, parameters);
}

[[noreturn]] void refuse(const Environment& environment, Local<v8::Value> error) {
  environment.throw_(error);
  throw PendingException();
}

/// Of zstd: how much will be written, if that is known. Throws if it makes no sense.
std::optional<std::uint64_t> read_pledged_size(const Environment& environment,
                                               Local<v8::Value> value) {
  if (value->IsUndefined()) return std::nullopt;
  if (!value->IsNumber()) {
    refuse(environment,
           environment.type_error("ERR_INVALID_ARG_TYPE", "pledgedSrcSize must be a number"));
  }
  const double number = value.As<v8::Number>()->Value();
  const bool is_safe = number >= -kMaxSafe && number <= kMaxSafe &&
                       number == static_cast<double>(static_cast<std::int64_t>(number));
  if (!is_safe) {
    refuse(environment,
           environment.range_error("ERR_OUT_OF_RANGE", "pledgedSrcSize must be a safe integer"));
  }
  if (number < 0) {
    refuse(environment,
           environment.range_error("ERR_OUT_OF_RANGE", "pledgedSrcSize must be non-negative"));
  }
  return static_cast<std::uint64_t>(number);
}

// ---- Handles ----------------------------------------------------------------------------------

void check_init(const Environment& environment, Local<v8::Value> result,
                Local<v8::Value> callback) {
  if (result->IsUint32Array() && callback->IsFunction()) return;
  refuse(environment, environment.type_error("ERR_INVALID_ARG_TYPE",
                                             "init() takes a Uint32Array and a function"));
}

void construct_zlib(Environment& environment, Local<v8::Object> object, Integer mode) {
  const int known = std::clamp<int>(mode, static_cast<int>(CompressionMode::deflate),
                                    static_cast<int>(CompressionMode::unzip));
  new CompressionHandle(environment, object, static_cast<CompressionMode>(known));
}
template <CompressionMode mode>
void construct(Environment& environment, Local<v8::Object> object) {
  new CompressionHandle(environment, object, mode);
}

void init_zlib(This<CompressionHandle> handle, Integer window_bits, Integer level,
               Integer mem_level, Integer strategy, Local<v8::Value> result,
               Local<v8::Value> callback, Local<v8::Value> dictionary, bool reject_garbage) {
  check_init(handle->environment(), result, callback);
  const ZlibSettings settings{.mode = handle->mode(),
                              .window_bits = window_bits,
                              .level = level,
                              .mem_level = mem_level,
                              .strategy = strategy,
                              .reject_garbage_after_end = reject_garbage};
  handle->set_up(ZlibCompressor::make(settings, copy_of(dictionary)), result.As<v8::Uint32Array>(),
                 callback.As<v8::Function>());
}

void params_zlib(This<CompressionHandle> handle, Integer level, Integer strategy) {
  handle->between_steps([handle, level, strategy] {
    auto* const compressor = static_cast<ZlibCompressor*>(handle->compressor());
    if (compressor == nullptr) return;
    const auto error = compressor->set_params(level, strategy);
    handle->report_memory();
    if (error) handle->report(*error);
  });
}

void params_tunable() {}

/// The end of the init() of Brotli and zstd: throws if the compressor refuses its parameters.
void init_tunable(CompressionHandle& handle, std::unique_ptr<TunableCompressor> compressor,
                  Local<v8::Value> parameters, Local<v8::Value> dictionary, Local<v8::Value> result,
                  Local<v8::Value> callback, bool reports_reason) {
  const auto error = set_up(*compressor, dictionary, parameters);
  handle.set_up(std::move(compressor), result.As<v8::Uint32Array>(), callback.As<v8::Function>());
  if (!error) return;
  handle.report(*error);
  const Environment& environment = handle.environment();
  environment.throw_(environment.error("ERR_ZLIB_INITIALIZATION_FAILED",
                                       reports_reason ? error->message : "Initialization failed"));
}

void init_brotli(This<CompressionHandle> handle, Local<v8::Value> parameters,
                 Local<v8::Value> result, Local<v8::Value> callback, Local<v8::Value> dictionary) {
  check_init(handle->environment(), result, callback);
  init_tunable(*handle, make_brotli(handle->mode()), parameters, dictionary, result, callback,
               false);
}

void init_zstd(This<CompressionHandle> handle, Local<v8::Value> parameters,
               Local<v8::Value> pledged_size, Local<v8::Value> result, Local<v8::Value> callback,
               Local<v8::Value> dictionary, bool reject_garbage) {
  check_init(handle->environment(), result, callback);
  const auto pledged = read_pledged_size(handle->environment(), pledged_size);
  init_tunable(*handle, make_zstd(handle->mode(), pledged, reject_garbage), parameters, dictionary,
               result, callback, true);
}

// ---- One call ---------------------------------------------------------------------------------

using Result = v8::MaybeLocal<v8::Value>;

Result to_buffer(Environment& environment, GrowingOutput& output) {
  const std::size_t size = output.get().size();
  void* const memory = output.take();
  Local<v8::Object> buffer;
  if (!(memory != nullptr ? make_buffer_of_malloc(environment, memory, size)
                          : make_buffer(environment, std::as_bytes(output.get())))
           .ToLocal(&buffer)) {
    return {};
  }
  return buffer;
}

Result run(Environment& environment, Compressor& compressor, OnceRequest request,
           std::size_t expected, bool is_bound) {
  v8::Isolate* isolate = environment.isolate();
  // Too large values are detected where Node detects them.
  if (request.max_output < v8::Uint8Array::kMaxLength) request.exact_chunks = true;
  GrowingOutput output(request.exact_chunks ? request.chunk_size : expected,
                       is_bound || request.exact_chunks);
  switch (run_once(compressor, request, output)) {
    case OnceResult::done:
      return to_buffer(environment, output);
    case OnceResult::too_large:
      return v8::Integer::New(isolate, kTooLarge);
    case OnceResult::trailing_garbage:
      return v8::Integer::New(isolate, kTrailingGarbage);
    case OnceResult::failed:
      break;
  }
  return {};  // undefined
}

/// How long a gzip file says that it becomes, if that can be true: deflate makes no more than 1032
/// bytes of one.
std::size_t gunzipped_size(std::span<const std::uint8_t> input) {
  if (input.size() < 18 || input[0] != 0x1f || input[1] != 0x8b) return 0;
  const std::uint8_t* end = input.data() + input.size();
  const std::size_t size =
      end[-4] | (end[-3] << 8) | (end[-2] << 16) | (static_cast<std::size_t>(end[-1]) << 24);
  constexpr std::size_t kMostTimes = 1032;
  constexpr std::size_t kSlack = 512;  // inflate() is fast where it has more room than it needs
  return size / kMostTimes > input.size() ? 0 : size + kSlack;
}

// Each takes the length of the input, too: if that is not true, the arguments are wrong.

Result zlib_once(Environment& environment, Integer mode, Integer window_bits, Integer level,
                 Integer mem_level, Integer strategy, Local<v8::Value> dictionary,
                 std::span<std::uint8_t> input, Amount length, Integer flush, Amount chunk_size,
                 Amount max_output, bool reject_garbage) {
  if (length != input.size()) return {};
  const ZlibSettings settings{.mode = static_cast<CompressionMode>(static_cast<int>(mode)),
                              .window_bits = window_bits,
                              .level = level,
                              .mem_level = mem_level,
                              .strategy = strategy,
                              .reject_garbage_after_end = reject_garbage};
  KeptZlib kept(settings, copy_of(dictionary));
  const bool decompresses =
      settings.mode == CompressionMode::gunzip || settings.mode == CompressionMode::unzip;
  const OnceRequest request{
      .input = input,
      .flush = flush,
      .chunk_size = chunk_size,
      .max_output = max_output,
      // Blocks are as large as the room; what lies outside a small window may still be in the
      // output.
      .exact_chunks = settings.level == Z_NO_COMPRESSION || settings.window_bits < MAX_WBITS,
      .reject_garbage_after_end = reject_garbage,
  };
  const std::size_t expected =
      decompresses ? gunzipped_size(input) : kept.get().bound(input.size());
  return run(environment, kept.get(), request, expected, !decompresses);
}

Result brotli_once(Environment& environment, Integer mode, Local<v8::Value> parameters,
                   Local<v8::Value> dictionary, std::span<std::uint8_t> input, Amount length,
                   Integer flush, Amount chunk_size, Amount max_output, bool reject_garbage) {
  const auto compressor = make_brotli(static_cast<CompressionMode>(static_cast<int>(mode)));
  if (set_up(*compressor, dictionary, parameters) || length != input.size()) return {};
  const OnceRequest request{.input = input,
                            .flush = flush,
                            .chunk_size = chunk_size,
                            .max_output = max_output,
                            .reject_garbage_after_end = reject_garbage};
  return run(environment, *compressor, request, 0, false);
}

Result zstd_once(Environment& environment, Integer mode, Local<v8::Value> parameters,
                 Local<v8::Value> dictionary, Local<v8::Value> pledged_size,
                 std::span<std::uint8_t> input, Amount length, Integer flush, Amount chunk_size,
                 Amount max_output, bool reject_garbage) {
  const auto its_mode = static_cast<CompressionMode>(static_cast<int>(mode));
  const auto pledged = read_pledged_size(environment, pledged_size);
  if (length != input.size()) return {};
  const auto compressor = make_zstd(its_mode, pledged, reject_garbage);
  if (set_up(*compressor, dictionary, parameters)) return {};
  const OnceRequest request{
      .input = input,
      .flush = flush,
      .chunk_size = chunk_size,
      .max_output = max_output,
      // A step that has room for all output goes another way.
      .exact_chunks = its_mode == CompressionMode::zstd_compress,
      .reject_garbage_after_end = reject_garbage,
  };
  return run(environment, *compressor, request, 0, false);
}

// ---- crc32 ------------------------------------------------------------------------------------

std::uint32_t crc32_of(std::span<const std::uint8_t> bytes, std::uint32_t start) {
  return static_cast<std::uint32_t>(::crc32_z(start, bytes.data(), bytes.size()));
}

/// The start is an argument that may be left out.
std::uint32_t crc32(v8::Isolate* isolate, Local<v8::Value> data, std::uint32_t start) {
  if (data->IsString()) {
    const std::vector<std::uint8_t> bytes =
        encode_string(isolate, data.As<v8::String>(), Encoding::utf8);
    // For no bytes at no address zlib gives the value to start with.
    return bytes.empty() ? start : crc32_of(bytes, start);
  }
  const ReadBytes bytes(data);
  return bytes.get().empty() ? start : crc32_of(bytes.get(), start);
}

// ---- The binding ------------------------------------------------------------------------------

constexpr Method kMethods[] = {
    method<zlib_once>("zlibOnce"),
    method<brotli_once>("brotliOnce"),
    method<zstd_once>("zstdOnce"),
    method<crc32>("crc32"),
};

constexpr Method kZlibMethods[] = {
    method<&CompressionHandle::write>("write"),
    method<&CompressionHandle::write_sync>("writeSync"),
    method<&CompressionHandle::close>("close"),
    method<init_zlib>("init"),
    method<params_zlib>("params"),
    method<&CompressionHandle::reset>("reset"),
};
constexpr Method kBrotliMethods[] = {
    method<&CompressionHandle::write>("write"), method<&CompressionHandle::write_sync>("writeSync"),
    method<&CompressionHandle::close>("close"), method<init_brotli>("init"),
    method<params_tunable>("params"),           method<&CompressionHandle::reset>("reset"),
};
constexpr Method kZstdMethods[] = {
    method<&CompressionHandle::write>("write"), method<&CompressionHandle::write_sync>("writeSync"),
    method<&CompressionHandle::close>("close"), method<init_zstd>("init"),
    method<params_tunable>("params"),           method<&CompressionHandle::reset>("reset"),
};

constexpr ClassShape class_of(std::string_view name, v8::FunctionCallback construct,
                              std::span<const Method> methods) {
  return {name, construct, methods, CompressionHandle::kInternalFields};
}

constexpr ClassShape kClasses[] = {
    class_of("Zlib", constructor<construct_zlib>(), kZlibMethods),
    class_of("BrotliEncoder", constructor<construct<CompressionMode::brotli_encode>>(),
             kBrotliMethods),
    class_of("BrotliDecoder", constructor<construct<CompressionMode::brotli_decode>>(),
             kBrotliMethods),
    class_of("ZstdCompress", constructor<construct<CompressionMode::zstd_compress>>(),
             kZstdMethods),
    class_of("ZstdDecompress", constructor<construct<CompressionMode::zstd_decompress>>(),
             kZstdMethods),
};

void extend(Environment& environment, Local<v8::Object> target) {
  set_value(environment, target, "ZLIB_VERSION", environment.text(ZLIB_VERSION));
}

}  // namespace

extern const Binding binding_zlib;
const Binding binding_zlib{
    .name = "zlib", .methods = kMethods, .extend = extend, .classes = kClasses};

}  // namespace rondo
