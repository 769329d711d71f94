// What V8 asks its host when a program uses import() and import.meta.
#pragma once

#include <v8.h>

namespace rondo {

/// For every isolate that is to run programs, also one that starts from a snapshot.
void install_module_callbacks(v8::Isolate* isolate);

}  // namespace rondo
