// What the binding `crypto` keeps for its environment.
#pragma once

#include <v8.h>

#include "runtime/glue/wrapped.h"

namespace rondo::crypto {

class State final : public Wrapped {
 public:
  static State& of(Environment& environment);

  // Functions of lib/internal/crypto/binding.js: (job, provider), and (job, settle, error,
  // result).
  v8::Global<v8::Function> begin_job;
  v8::Global<v8::Function> end_job;
  v8::Global<v8::Function> dom_exception;
  /// (): throws if the permission model does not allow keys of OpenSSL's stores.
  v8::Global<v8::Function> check_store;
  // Classes of which C++ makes objects.
  v8::Global<v8::FunctionTemplate> key_handle;
  v8::Global<v8::FunctionTemplate> native_key_object;
  v8::Global<v8::FunctionTemplate> native_crypto_key;
  v8::Global<v8::FunctionTemplate> x509;
  v8::Global<v8::Function> key_object_classes[3];  // secret, public, private
  v8::Global<v8::Function> crypto_key_class;
  v8::Global<v8::Function> x509_class;

 private:
  State(Environment& environment, v8::Local<v8::Object> object);
};

}  // namespace rondo::crypto
