// KeyObjectHandle: what JavaScript has of a key.
#pragma once

#include <v8.h>

#include "runtime/crypto/keys/key_data.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"

namespace rondo::crypto {

class KeyObjectHandle final : public Wrapped {
 public:
  KeyObjectHandle(Environment& environment, v8::Local<v8::Object> object)
      : Wrapped(environment, object) {}

  static v8::MaybeLocal<v8::Object> make(Environment& environment, KeyData data);
  /// Null for what is not a KeyObjectHandle.
  static KeyObjectHandle* from_value(v8::Isolate* isolate, v8::Local<v8::Value> value);
  static KeyObjectHandle& of(const Arguments& args) {
    return *Wrapped::from<KeyObjectHandle>(args.This());
  }

  const KeyData& data() const noexcept { return data_; }
  void set_data(KeyData data) { data_ = std::move(data); }

 private:
  KeyData data_;
};

}  // namespace rondo::crypto
