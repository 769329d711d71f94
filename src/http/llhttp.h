// llhttp: the engine's in the JavaScript runtime; in the target rondo::http a copy of its own, of
// Debian's package node-llhttp, compiled with names that cannot meet the engine's (llhttp_names.h).
#pragma once

#ifdef RONDO_OWN_LLHTTP

#include <cstddef>
#include <cstdint>

// clang-format off: the names come first
#include "http/llhttp_names.h"
#include <llhttp.h>
// clang-format on

enum : int {
  llhttp_ok = HPE_OK,
  llhttp_paused = HPE_PAUSED,
  llhttp_paused_upgrade = HPE_PAUSED_UPGRADE,
  llhttp_user = HPE_USER,
};
enum : std::uint16_t {
  llhttp_flag_chunked = F_CHUNKED,
  llhttp_flag_transfer_encoding = F_TRANSFER_ENCODING,
};
using LlhttpType = llhttp_type_t;
using LlhttpError = llhttp_errno_t;
using LlhttpMethod = llhttp_method_t;
/// The two copies are of different versions, so the classes around them must not meet either.
#define RONDO_LLHTTP_COPY own_llhttp

#else

#include "http/engine_llhttp.h"

using LlhttpType = int;
using LlhttpError = int;
using LlhttpMethod = int;
#define RONDO_LLHTTP_COPY engine_llhttp

#endif
