// WebAssembly.compileStreaming() and its kin.
#pragma once

#include <v8.h>

namespace rondo {

/// Before there is a context: it has these functions only then.
void enable_wasm_streaming(v8::Isolate* isolate);

}  // namespace rondo
