// What C++ offers to lib/: bindings, each a file in bindings/ and an object of functions that
// lib/ gets by binding('name').
//
//     void get_hostname(const Arguments& args) { ... }
//     constexpr Method kMethods[] = {{"getHostname", get_hostname}};
//     const Binding binding_os{"os", kMethods};
//
// bindings/os.cpp defines binding_os: the build finds it by the name of the file.
//
// A binding's object is part of the start-up snapshot, so it may hold nothing that belongs to one
// run of the program: no pointers, no descriptors, no values of this process. And V8 must know
// the address of every C++ function that the snapshot may refer to: those of the methods are
// known, others (accessors, constructors) are listed in `references`.
//
// A method of numbers and booleans may come in a second version, which optimised JavaScript calls
// as C++ calls C++, at a fraction of the price:
//
//     std::int32_t half_fast(v8::Local<v8::Object> receiver, std::int32_t number) { ... }
//     const v8::CFunction kHalfFast = make_fast<half_fast>();
//     const Method kMethods[] = {{"half", half, &kHalfFast}};
//
// It has to do the same as the other version: V8 chooses between them.
//
// No C++ exception passes V8's frames: V8 would end the process. Every function that V8 is given
// goes through guarded(), every fast one through make_fast<>(), and what they throw becomes an
// error of JavaScript.
#pragma once

#include <v8.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/glue/fast_call.h"

namespace rondo {

class Environment;

using Arguments = v8::FunctionCallbackInfo<v8::Value>;

struct Method {
  const char* name;
  v8::FunctionCallback callback;
  const v8::CFunction* fast = nullptr;
};

struct Binding {
  std::string_view name;
  std::span<const Method> methods = {};
  /// Adds to the object what is not a method: constants, classes. May be null.
  void (*extend)(Environment& environment, v8::Local<v8::Object> target) = nullptr;
  /// Addresses of the C++ functions that `extend` hands to V8.
  std::span<const v8::FunctionCallback> references = {};
};

/// Every binding there is, in a file that the build writes.
extern const std::span<const Binding* const> kBindings;

/// What V8 gets in place of `callback`: calls it, and makes a JavaScript error of what it throws.
/// The same one each time for the same callback.
v8::FunctionCallback guarded(v8::FunctionCallback callback);

/// Makes a JavaScript error of the C++ exception that is being handled.
void throw_caught();

/// What V8 gets in place of a fast version: the same, and a JavaScript error for what it throws.
template <auto function>
struct GuardedFast;

template <class Result, class... Parameters, Result (*function)(Parameters...)>
struct GuardedFast<function> {
  static Result call(Parameters... parameters) {
    try {
      return function(parameters...);
    } catch (...) {
      throw_caught();
      return Result();
    }
  }
};

template <auto function>
v8::CFunction make_fast() {
  return fast_call_of(GuardedFast<function>::call);
}

/// Adds a function that keeps its name and cannot be called with `new`.
void set_method(Environment& environment, v8::Local<v8::Object> target, const Method& method);
void set_value(Environment& environment, v8::Local<v8::Object> target, std::string_view name,
               v8::Local<v8::Value> value);
void set_value(Environment& environment, v8::Local<v8::Object> target, std::string_view name,
               double value);

}  // namespace rondo
