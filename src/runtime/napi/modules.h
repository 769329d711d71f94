// Loading addons: process.dlopen().
#pragma once

#include <v8.h>

#include <string>

#include "runtime/engine/environment.h"

namespace rondo::napi {

/// Loads the shared object `filename` and lets it fill in `module.exports`. False with an exception
/// under way.
bool load_addon(Environment& environment, v8::Local<v8::Object> module,
                v8::Local<v8::Object> exports, const std::string& filename,
                const std::string& file_url, int flags);

}  // namespace rondo::napi
