// What C++ offers to lib/: bindings, each a file in bindings/ and an object of functions that
// lib/ gets by binding('name').
//
//     void get_hostname(const Arguments& args) { ... }
//     constexpr Method kMethods[] = {{"getHostname", get_hostname}};
//     const Binding binding_os{"os", kMethods};
//
// bindings/os.cpp defines binding_os: the build finds it by the name of the file.
//
// A binding's object is part of the start-up snapshot, so it must not hold anything that belongs to
// one run of the program: no pointers, no descriptors, no values of this process. V8 must know the
// address of every C++ function that the snapshot may refer to: those of methods and classes are
// known, others are listed in `references`.
//
// A class is a ClassShape in `classes`. A function of numbers and booleans is written with typed
// parameters, and typed_method.h makes of it what V8 wants, the form for optimised JavaScript
// included.
//
// No C++ exception passes V8's frames: V8 would end the process. Every function that V8 is given
// goes through guarded() or typed_method.h, and what it throws becomes an error of JavaScript.
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
  int length = 0;  // the `length` of the function
};

/// A class whose methods can be called on its own objects only.
struct ClassShape {
  std::string_view name;
  v8::FunctionCallback construct;
  std::span<const Method> methods = {};
  int fields = 1;                        // internal ones; the first is for Wrapped
  int length = 0;                        // the `length` of the constructor
  std::span<const Method> getters = {};  // accessors of the prototype
  const ClassShape* base = nullptr;      // the class has its methods, getters and mark as well
  std::string_view mark = {};            // a property of the prototype that is true
  std::string_view property = {};        // under which the binding has the class; empty: its name
};

struct Binding {
  std::string_view name;
  std::span<const Method> methods = {};
  /// Adds to the object what is neither a method nor a class: constants. May be null.
  void (*extend)(Environment& environment, v8::Local<v8::Object> target) = nullptr;
  /// Addresses of the C++ functions that `extend` hands to V8.
  std::span<const v8::FunctionCallback> references = {};
  std::span<const ClassShape> classes = {};
};

/// Every binding there is, in a file that the build writes.
extern const std::span<const Binding* const> kBindings;

/// What V8 gets instead of `callback`: calls it, and makes a JavaScript error of what it throws.
/// The same one each time for the same callback.
v8::FunctionCallback guarded(v8::FunctionCallback callback);

/// Makes a JavaScript error of the C++ exception that is being handled.
void throw_caught();

/// Thrown in C++ where an exception of JavaScript is pending: the function that V8 has called ends.
struct PendingException {};

/// Adds a function that keeps its name and cannot be called with `new`.
void set_method(Environment& environment, v8::Local<v8::Object> target, const Method& method);
void set_value(Environment& environment, v8::Local<v8::Object> target, std::string_view name,
               v8::Local<v8::Value> value);
void set_value(Environment& environment, v8::Local<v8::Object> target, std::string_view name,
               double value);

}  // namespace rondo
