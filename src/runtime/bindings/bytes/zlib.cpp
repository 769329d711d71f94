// For node:zlib: the handles of its streams (runtime/compression_handle.h), and functions that
// compress or decompress a whole Buffer in one call. Those give a Buffer, or
//
//     kTooLarge, kTrailingGarbage     numbers
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
#include "runtime/glue/views.h"

namespace rondo {
namespace {

using v8::Local;

constexpr int kTooLarge = 1;
constexpr int kTrailingGarbage = 2;

/// Without what comes after the point, as Node takes numbers; 0 for NaN and what is not a number.
int integer(Local<v8::Value> value) {
  if (!value->IsNumber()) return 0;
  const Local<v8::Context> context = v8::Isolate::GetCurrent()->GetCurrentContext();
  return value->Int32Value(context).FromMaybe(0);
}

std::vector<std::uint8_t> copy_of(Local<v8::Value> view) {
  const ReadBytes bytes(view);
  return {bytes.get().begin(), bytes.get().end()};
}

// ---- Setting up -------------------------------------------------------------------------------

/// zlib's settings from four arguments in the order of init().
ZlibSettings zlib_settings(const Arguments& args, int first, CompressionMode mode, bool reject) {
  return {.mode = mode,
          .window_bits = integer(args[first]),
          .level = integer(args[first + 1]),
          .mem_level = integer(args[first + 2]),
          .strategy = integer(args[first + 3]),
          .reject_garbage_after_end = reject};
}

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

/// Of zstd: how much will be written, if that is known. False if it makes no sense: an exception is
/// under way.
bool read_pledged_size(const Environment& environment, Local<v8::Value> value,
                       std::optional<std::uint64_t>& size) {
  if (value->IsUndefined()) return true;
  if (!value->IsNumber()) {
    environment.throw_(
        environment.type_error("ERR_INVALID_ARG_TYPE", "pledgedSrcSize must be a number"));
    return false;
  }
  constexpr double kMaxSafe = 9007199254740991;
  const double number = value.As<v8::Number>()->Value();
  const bool is_safe = number >= -kMaxSafe && number <= kMaxSafe &&
                       number == static_cast<double>(static_cast<std::int64_t>(number));
  if (!is_safe) {
    environment.throw_(
        environment.range_error("ERR_OUT_OF_RANGE", "pledgedSrcSize must be a safe integer"));
    return false;
  }
  if (number < 0) {
    environment.throw_(
        environment.range_error("ERR_OUT_OF_RANGE", "pledgedSrcSize must be non-negative"));
    return false;
  }
  size = static_cast<std::uint64_t>(number);
  return true;
}

// ---- Handles ----------------------------------------------------------------------------------

bool check_init(const Arguments& args, int result, int callback) {
  if (args[result]->IsUint32Array() && args[callback]->IsFunction()) return true;
  const Environment& environment = Environment::of(args.GetIsolate());
  environment.throw_(
      environment.type_error("ERR_INVALID_ARG_TYPE", "init() takes a Uint32Array and a function"));
  return false;
}

void construct(const Arguments& args, CompressionMode mode) {
  new CompressionHandle(Environment::of(args.GetIsolate()), args.This(), mode);
}

/// new Zlib(mode)
void construct_zlib(const Arguments& args) {
  const int mode = std::clamp(integer(args[0]), static_cast<int>(CompressionMode::deflate),
                              static_cast<int>(CompressionMode::unzip));
  construct(args, static_cast<CompressionMode>(mode));
}
void construct_brotli_encoder(const Arguments& args) {
  construct(args, CompressionMode::brotli_encode);
}
void construct_brotli_decoder(const Arguments& args) {
  construct(args, CompressionMode::brotli_decode);
}
void construct_zstd_compress(const Arguments& args) {
  construct(args, CompressionMode::zstd_compress);
}
void construct_zstd_decompress(const Arguments& args) {
  construct(args, CompressionMode::zstd_decompress);
}

/// init(windowBits, level, memLevel, strategy, result, callback, dictionary, rejectGarbageAfterEnd)
void init_zlib(const Arguments& args) {
  if (!check_init(args, 4, 5)) return;
  CompressionHandle& handle = CompressionHandle::of(args);
  const ZlibSettings settings = zlib_settings(args, 0, handle.mode(), args[7]->IsTrue());
  handle.set_up(ZlibCompressor::make(settings, copy_of(args[6])), args[4].As<v8::Uint32Array>(),
                args[5].As<v8::Function>());
}

void params_zlib(const Arguments& args) {
  CompressionHandle& handle = CompressionHandle::of(args);
  handle.between_steps([&handle, level = integer(args[0]), strategy = integer(args[1])] {
    auto* const compressor = static_cast<ZlibCompressor*>(handle.compressor());
    if (compressor == nullptr) return;
    const auto error = compressor->set_params(level, strategy);
    handle.report_memory();
    if (error) handle.report(*error);
  });
}

void nothing(const Arguments& /*args*/) {}

/// The end of the init() of Brotli and zstd: throws if the compressor refuses its parameters.
void init_tunable(const Arguments& args, std::unique_ptr<TunableCompressor> compressor,
                  Local<v8::Value> dictionary, int result, int callback, bool reports_reason) {
  CompressionHandle& handle = CompressionHandle::of(args);
  const auto error = set_up(*compressor, dictionary, args[0]);
  handle.set_up(std::move(compressor), args[result].As<v8::Uint32Array>(),
                args[callback].As<v8::Function>());
  if (!error) return;
  handle.report(*error);
  const Environment& environment = handle.environment();
  environment.throw_(environment.error("ERR_ZLIB_INITIALIZATION_FAILED",
                                       reports_reason ? error->message : "Initialization failed"));
}

/// init(parameters, result, callback, dictionary)
void init_brotli(const Arguments& args) {
  if (!check_init(args, 1, 2)) return;
  init_tunable(args, make_brotli(CompressionHandle::of(args).mode()), args[3], 1, 2, false);
}

/// init(parameters, pledgedSrcSize, result, callback, dictionary, rejectGarbageAfterEnd)
void init_zstd(const Arguments& args) {
  if (!check_init(args, 2, 3)) return;
  const CompressionHandle& handle = CompressionHandle::of(args);
  std::optional<std::uint64_t> pledged;
  if (!read_pledged_size(handle.environment(), args[1], pledged)) return;
  init_tunable(args, make_zstd(handle.mode(), pledged, args[5]->IsTrue()), args[4], 2, 3, true);
}

// ---- One call ---------------------------------------------------------------------------------

/// From six arguments: input, its length, flush, chunkSize, maxOutputLength, rejectGarbageAfterEnd.
/// Nothing if the length is not true.
std::optional<OnceRequest> once_request(const Arguments& args, int first) {
  const auto number = [&](int index) {
    constexpr double kMaxSafe = 9007199254740991;
    return args[index]->IsNumber()
               ? std::clamp(args[index].As<v8::Number>()->Value(), 0.0, kMaxSafe)
               : 0.0;
  };
  const std::span<const std::uint8_t> input = bytes_of(args[first]);
  if (number(first + 1) != static_cast<double>(input.size())) return std::nullopt;
  return OnceRequest{.input = input,
                     .flush = integer(args[first + 2]),
                     .chunk_size = static_cast<std::size_t>(number(first + 3)),
                     .max_output = static_cast<std::uint64_t>(number(first + 4)),
                     .reject_garbage_after_end = args[first + 5]->IsTrue()};
}

void give_buffer(const Arguments& args, GrowingOutput& output) {
  Environment& environment = Environment::of(args.GetIsolate());
  const std::size_t size = output.get().size();
  void* const memory = output.take();
  Local<v8::Object> buffer;
  if ((memory != nullptr ? make_buffer_of_malloc(environment, memory, size)
                         : make_buffer(environment, std::as_bytes(output.get())))
          .ToLocal(&buffer)) {
    args.GetReturnValue().Set(buffer);
  }
}

void run_and_give(const Arguments& args, Compressor& compressor, OnceRequest request,
                  std::size_t expected, bool is_bound) {
  // Too large values are detected where Node detects them.
  if (request.max_output < v8::Uint8Array::kMaxLength) request.exact_chunks = true;
  GrowingOutput output(request.exact_chunks ? request.chunk_size : expected,
                       is_bound || request.exact_chunks);
  switch (run_once(compressor, request, output)) {
    case OnceResult::done:
      give_buffer(args, output);
      return;
    case OnceResult::too_large:
      args.GetReturnValue().Set(kTooLarge);
      return;
    case OnceResult::trailing_garbage:
      args.GetReturnValue().Set(kTrailingGarbage);
      return;
    case OnceResult::failed:
      return;  // undefined
  }
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

/// zlibOnce(mode, windowBits, level, memLevel, strategy, dictionary, input, length, flush,
/// chunkSize, maxOutputLength,
///          rejectGarbageAfterEnd)
void zlib_once(const Arguments& args) {
  const auto mode = static_cast<CompressionMode>(integer(args[0]));
  const auto requested = once_request(args, 6);
  if (!requested) return;
  OnceRequest request = *requested;
  const ZlibSettings settings = zlib_settings(args, 1, mode, request.reject_garbage_after_end);
  KeptZlib kept(settings, copy_of(args[5]));
  const bool decompresses = mode == CompressionMode::gunzip || mode == CompressionMode::unzip;
  // Blocks are as large as the room; what lies outside a small window may still be in the output.
  request.exact_chunks = settings.level == Z_NO_COMPRESSION || settings.window_bits < MAX_WBITS;
  const std::size_t expected =
      decompresses ? gunzipped_size(request.input) : kept.get().bound(request.input.size());
  run_and_give(args, kept.get(), request, expected, !decompresses);
}

/// brotliOnce(mode, parameters, dictionary, input, length, flush, chunkSize, maxOutputLength,
/// rejectGarbageAfterEnd)
void brotli_once(const Arguments& args) {
  const auto compressor = make_brotli(static_cast<CompressionMode>(integer(args[0])));
  if (set_up(*compressor, args[2], args[1])) return;
  if (const auto request = once_request(args, 3))
    run_and_give(args, *compressor, *request, 0, false);
}

/// zstdOnce(mode, parameters, dictionary, pledgedSrcSize, input, length, flush, chunkSize,
/// maxOutputLength,
///          rejectGarbageAfterEnd)
void zstd_once(const Arguments& args) {
  const auto mode = static_cast<CompressionMode>(integer(args[0]));
  std::optional<std::uint64_t> pledged;
  if (!read_pledged_size(Environment::of(args.GetIsolate()), args[3], pledged)) return;
  const auto requested = once_request(args, 4);
  if (!requested) return;
  OnceRequest request = *requested;
  const auto compressor = make_zstd(mode, pledged, request.reject_garbage_after_end);
  if (set_up(*compressor, args[2], args[1])) return;
  // A step that has room for all output goes another way.
  request.exact_chunks = mode == CompressionMode::zstd_compress;
  run_and_give(args, *compressor, request, 0, false);
}

// ---- crc32 ------------------------------------------------------------------------------------

std::uint32_t crc32_of(std::span<const std::uint8_t> bytes, std::uint32_t start) {
  return static_cast<std::uint32_t>(::crc32_z(start, bytes.data(), bytes.size()));
}

/// crc32(data, start)
void crc32(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const std::uint32_t start = args[1]->Uint32Value(isolate->GetCurrentContext()).FromMaybe(0);
  if (args[0]->IsString()) {
    const std::vector<std::uint8_t> bytes =
        encode_string(isolate, args[0].As<v8::String>(), Encoding::utf8);
    // For no bytes at no address zlib gives the value to start with.
    args.GetReturnValue().Set(bytes.empty() ? start : crc32_of(bytes, start));
    return;
  }
  const ReadBytes bytes(args[0]);
  args.GetReturnValue().Set(bytes.get().empty() ? start : crc32_of(bytes.get(), start));
}

// ---- The binding ------------------------------------------------------------------------------

constexpr Method kMethods[] = {
    {"zlibOnce", zlib_once},
    {"brotliOnce", brotli_once},
    {"zstdOnce", zstd_once},
    {"crc32", crc32},
};

constexpr Method kZlibMethods[] = {
    {"write", CompressionHandle::write},
    {"writeSync", CompressionHandle::write_sync},
    {"close", CompressionHandle::close},
    {"init", init_zlib},
    {"params", params_zlib},
    {"reset", CompressionHandle::reset},
};
constexpr Method kBrotliMethods[] = {
    {"write", CompressionHandle::write},
    {"writeSync", CompressionHandle::write_sync},
    {"close", CompressionHandle::close},
    {"init", init_brotli},
    {"params", nothing},
    {"reset", CompressionHandle::reset},
};
constexpr Method kZstdMethods[] = {
    {"write", CompressionHandle::write},
    {"writeSync", CompressionHandle::write_sync},
    {"close", CompressionHandle::close},
    {"init", init_zstd},
    {"params", nothing},
    {"reset", CompressionHandle::reset},
};

constexpr ClassShape class_of(std::string_view name, v8::FunctionCallback construct,
                              std::span<const Method> methods) {
  return {name, construct, methods, CompressionHandle::kInternalFields};
}

constexpr ClassShape kClasses[] = {
    class_of("Zlib", construct_zlib, kZlibMethods),
    class_of("BrotliEncoder", construct_brotli_encoder, kBrotliMethods),
    class_of("BrotliDecoder", construct_brotli_decoder, kBrotliMethods),
    class_of("ZstdCompress", construct_zstd_compress, kZstdMethods),
    class_of("ZstdDecompress", construct_zstd_decompress, kZstdMethods),
};

void extend(Environment& environment, Local<v8::Object> target) {
  set_value(environment, target, "ZLIB_VERSION", environment.text(ZLIB_VERSION));
}

}  // namespace

extern const Binding binding_zlib;
const Binding binding_zlib{
    .name = "zlib", .methods = kMethods, .extend = extend, .classes = kClasses};

}  // namespace rondo
