// The parts of the binding `crypto`, which bindings/crypto.cpp puts together. Each adds its
// functions, classes and constants to the object.
#pragma once

#include <v8.h>

namespace rondo {
class Environment;
}

namespace rondo::crypto {

using AddPart = void(Environment& environment, v8::Local<v8::Object> target);

AddPart add_constants;    // constants.cpp: crypto.constants
AddPart add_jobs;         // job.cpp
AddPart add_key_handle;   // key_handle.cpp: KeyObjectHandle
AddPart add_native_keys;  // native_keys.cpp: the classes below KeyObject and CryptoKey
AddPart add_pkey_types;   // pkey_types.cpp: the types of asymmetric keys
AddPart add_process;      // process.cpp: FIPS, secure heap, security level, engines

}  // namespace rondo::crypto
