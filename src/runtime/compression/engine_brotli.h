// Brotli 1.2, which the engine carries and whose headers the engine's package lacks. make_engine
// checks that the engine exports it.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

using brotli_alloc_func = void* (*)(void* opaque, std::size_t size);
using brotli_free_func = void (*)(void* opaque, void* address);

struct BrotliEncoderState;
struct BrotliDecoderState;
struct BrotliEncoderPreparedDictionary;

// The names and numbers are Brotli's; these are enums there, of the size of an int.
using BrotliBool = int;
inline constexpr int kBrotliSharedDictionaryRaw = 0;
inline constexpr int kBrotliMaxQuality = 11;
enum BrotliEncoderOperation : int {
  kBrotliProcess = 0,
  kBrotliFlush = 1,
  kBrotliFinish = 2,
};
enum BrotliDecoderResult : int {
  kBrotliDecoderError = 0,
  kBrotliDecoderSuccess = 1,
  kBrotliDecoderNeedsMoreInput = 2,
  kBrotliDecoderNeedsMoreOutput = 3,
};

BrotliEncoderState* BrotliEncoderCreateInstance(brotli_alloc_func alloc, brotli_free_func free,
                                                void* opaque);
void BrotliEncoderDestroyInstance(BrotliEncoderState* state);
BrotliBool BrotliEncoderSetParameter(BrotliEncoderState* state, int parameter, std::uint32_t value);
BrotliEncoderPreparedDictionary* BrotliEncoderPrepareDictionary(
    int type, std::size_t size, const std::uint8_t* data, int quality, brotli_alloc_func alloc,
    brotli_free_func free, void* opaque);
void BrotliEncoderDestroyPreparedDictionary(BrotliEncoderPreparedDictionary* dictionary);
BrotliBool BrotliEncoderAttachPreparedDictionary(BrotliEncoderState* state,
                                                 const BrotliEncoderPreparedDictionary* dictionary);
BrotliBool BrotliEncoderCompressStream(BrotliEncoderState* state, BrotliEncoderOperation operation,
                                       std::size_t* available_in, const std::uint8_t** next_in,
                                       std::size_t* available_out, std::uint8_t** next_out,
                                       std::size_t* total_out);
std::uint32_t BrotliEncoderVersion(void);

BrotliDecoderState* BrotliDecoderCreateInstance(brotli_alloc_func alloc, brotli_free_func free,
                                                void* opaque);
void BrotliDecoderDestroyInstance(BrotliDecoderState* state);
BrotliBool BrotliDecoderSetParameter(BrotliDecoderState* state, int parameter, std::uint32_t value);
BrotliBool BrotliDecoderAttachDictionary(BrotliDecoderState* state, int type, std::size_t size,
                                         const std::uint8_t* data);
BrotliDecoderResult BrotliDecoderDecompressStream(BrotliDecoderState* state,
                                                  std::size_t* available_in,
                                                  const std::uint8_t** next_in,
                                                  std::size_t* available_out,
                                                  std::uint8_t** next_out, std::size_t* total_out);
int BrotliDecoderGetErrorCode(const BrotliDecoderState* state);
const char* BrotliDecoderErrorString(int code);

}  // extern "C"
