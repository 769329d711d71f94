// The functions of ICU 78 that we call. ICU is in the engine, the engine's package has no headers
// of it; these declarations follow its stable C interface. make_engine checks that the engine
// exports them.
#pragma once

#include <cstdint>

struct UConverter;
using UErrorCode = int;  // an enum; above zero it is an error

inline constexpr UErrorCode kIcuNoError = 0;
inline constexpr UErrorCode kIcuBufferOverflow = 15;  // U_BUFFER_OVERFLOW_ERROR

inline bool icu_failed(UErrorCode status) {
  return status > kIcuNoError;
}

/// UConverterToUnicodeArgs: we only hand it on.
struct IcuToUnicodeArgs;
/// UConverterCallbackReason: what is above is not an error of the input.
inline constexpr int kIcuIrregular = 2;  // UCNV_IRREGULAR
using IcuToUnicodeCallback = void (*)(const void* context, IcuToUnicodeArgs* args,
                                      const char* units, std::int32_t length, int reason,
                                      UErrorCode* status);

extern "C" {
UConverter* ucnv_open_78(const char* name, UErrorCode* status);
void ucnv_close_78(UConverter* converter);
void ucnv_reset_78(UConverter* converter);
void ucnv_toUnicode_78(UConverter* converter, char16_t** target, const char16_t* target_end,
                       const char** source, const char* source_end, std::int32_t* offsets,
                       std::int8_t flush, UErrorCode* status);
void ucnv_setToUCallBack_78(UConverter* converter, IcuToUnicodeCallback callback,
                            const void* context, IcuToUnicodeCallback* old_callback,
                            const void** old_context, UErrorCode* status);
void ucnv_cbToUWriteUChars_78(IcuToUnicodeArgs* args, const char16_t* source, std::int32_t length,
                              std::int32_t offset_index, UErrorCode* status);
void UCNV_TO_U_CALLBACK_STOP_78(const void* context, IcuToUnicodeArgs* args, const char* units,
                                std::int32_t length, int reason, UErrorCode* status);

using IcuVersion = std::uint8_t[4];
void u_getVersion_78(IcuVersion version);
void u_getUnicodeVersion_78(IcuVersion version);
void ulocdata_getCLDRVersion_78(IcuVersion version, UErrorCode* status);
const char* ucal_getTZDataVersion_78(UErrorCode* status);
}
