// Zstandard 1.5.7, which the engine carries and whose headers the engine's package lacks.
// make_engine checks that the engine exports it.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct ZSTD_CCtx;
struct ZSTD_DCtx;

struct ZSTD_inBuffer {
  const void* src;
  std::size_t size;
  std::size_t pos;
};
struct ZSTD_outBuffer {
  void* dst;
  std::size_t size;
  std::size_t pos;
};
struct ZSTD_customMem {
  void* (*alloc)(void* opaque, std::size_t size);
  void (*free)(void* opaque, void* address);
  void* opaque;
};

// The names and numbers are Zstandard's; these are enums there, of the size of an int.
enum ZSTD_EndDirective : int {
  kZstdContinue = 0,
  kZstdFlush = 1,
  kZstdEnd = 2,
};
inline constexpr int kZstdResetSessionAndParameters = 3;
inline constexpr int kZstdSrcSizeWrong = 72;
inline constexpr unsigned long long kZstdContentSizeUnknown = 0ULL - 1;

ZSTD_CCtx* ZSTD_createCCtx_advanced(ZSTD_customMem memory);
std::size_t ZSTD_freeCCtx(ZSTD_CCtx* context);
std::size_t ZSTD_CCtx_reset(ZSTD_CCtx* context, int directive);
std::size_t ZSTD_CCtx_setParameter(ZSTD_CCtx* context, int parameter, int value);
std::size_t ZSTD_CCtx_setPledgedSrcSize(ZSTD_CCtx* context, unsigned long long size);
std::size_t ZSTD_CCtx_loadDictionary(ZSTD_CCtx* context, const void* data, std::size_t size);
std::size_t ZSTD_compressStream2(ZSTD_CCtx* context, ZSTD_outBuffer* output, ZSTD_inBuffer* input,
                                 ZSTD_EndDirective directive);

ZSTD_DCtx* ZSTD_createDCtx_advanced(ZSTD_customMem memory);
std::size_t ZSTD_freeDCtx(ZSTD_DCtx* context);
std::size_t ZSTD_DCtx_reset(ZSTD_DCtx* context, int directive);
std::size_t ZSTD_DCtx_setParameter(ZSTD_DCtx* context, int parameter, int value);
std::size_t ZSTD_DCtx_loadDictionary(ZSTD_DCtx* context, const void* data, std::size_t size);
std::size_t ZSTD_decompressStream(ZSTD_DCtx* context, ZSTD_outBuffer* output, ZSTD_inBuffer* input);

unsigned ZSTD_isError(std::size_t result);
int ZSTD_getErrorCode(std::size_t result);
const char* ZSTD_getErrorString(int code);
const char* ZSTD_versionString(void);

}  // extern "C"
