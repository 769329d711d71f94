// The class SecureContext of the binding `crypto`, as Node's own files in internal/tls/ know it: a
// tls::Context that JavaScript fills in.
#pragma once

#include <v8.h>

#include <memory>

#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"
#include "tls/context.h"

namespace rondo {

class SecureContext final : public Wrapped {
 public:
  /// Null if `value` is none.
  static SecureContext* from_value(Environment& environment, v8::Local<v8::Value> value);

  /// Null after close(). Connections keep it.
  const std::shared_ptr<tls::Context>& context() const noexcept { return context_; }

 private:
  friend struct SecureContextMethods;

  SecureContext(Environment& environment, v8::Local<v8::Object> object)
      : Wrapped(environment, object) {}

  std::shared_ptr<tls::Context> context_;
};

}  // namespace rondo

namespace rondo::crypto {
/// A part of the binding `crypto`: SecureContext, and the certificates that are trusted.
void add_secure_context(Environment& environment, v8::Local<v8::Object> target);
}  // namespace rondo::crypto
