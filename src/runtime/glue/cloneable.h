// Objects with a C++ side that structuredClone() and postMessage() can copy: the copy shares the
// C++ data, which may be used by several threads.
#pragma once

#include <v8.h>

#include <memory>
#include <string_view>

#include "runtime/glue/wrapped.h"

namespace rondo {

/// What travels. It belongs to no thread.
class CloneData {
 public:
  virtual ~CloneData() = default;
  /// The object, in the environment that reads it. `extra` is what Cloneable::extra() gave there.
  virtual v8::MaybeLocal<v8::Object> make(Environment& environment,
                                          v8::Local<v8::Value> extra) const = 0;
};

/// The object is marked with HostKind::native.
class Cloneable : public Wrapped {
 public:
  Cloneable(Environment& environment, v8::Local<v8::Object> object);

  virtual std::shared_ptr<const CloneData> share() const = 0;
  /// A value of JavaScript that travels along.
  virtual v8::Local<v8::Value> extra() const { return v8::Undefined(environment().isolate()); }
};

/// new binding(module)[class](an External with `data`): what CloneData::make() returns for a class
/// of a binding, the constructor of which takes that pointer.
v8::MaybeLocal<v8::Object> make_native(Environment& environment, std::string_view module,
                                       std::string_view name, void* data);

/// The pointer of make_native(), in the constructor; null for other arguments.
template <class Data>
Data* native_data(v8::Local<v8::Value> argument) {
  return argument->IsExternal() ? static_cast<Data*>(argument.As<v8::External>()->Value())
                                : nullptr;
}

}  // namespace rondo
