// A C++ object with a JavaScript object. The C++ object lives as long as the JavaScript
// object can be reached, or, between hold() and let_go(), whatever happens to that; and never
// longer than its environment.
//
//     class Script : public Wrapped { ... };
//     void Script::make(const Arguments& args) { new Script(environment, args.This()); }
//     Script* script = Wrapped::from<Script>(args.This());
#pragma once

#include <v8.h>

#include "runtime/engine/environment.h"

namespace rondo {

class Wrapped {
 public:
  /// `object` has one internal field at least (InstanceTemplate()->SetInternalFieldCount(1)), the
  /// first of which becomes ours. `this` is owned by it from now on.
  Wrapped(Environment& environment, v8::Local<v8::Object> object);
  virtual ~Wrapped();
  Wrapped(const Wrapped&) = delete;
  Wrapped& operator=(const Wrapped&) = delete;

  /// Null if `value` is not such an object. What kind it is must be known otherwise: methods made
  /// with a signature are called on their own kind only.
  template <class T>
  static T* from(v8::Local<v8::Value> value) {
    return static_cast<T*>(find(value));
  }

  Environment& environment() const noexcept { return environment_; }
  v8::Local<v8::Object> object() const { return object_.Get(environment_.isolate()); }

  /// Keeps both alive while a callback is still to come. Counted.
  void hold() noexcept;
  void let_go() noexcept;

 private:
  static Wrapped* find(v8::Local<v8::Value> value);
  void let_be_collected() noexcept;

  Environment& environment_;
  v8::Global<v8::Object> object_;
  unsigned holds_ = 0;
  Wrapped* next_ = nullptr;
  Wrapped** link_ = nullptr;
};

}  // namespace rondo
