// Methods of bindings from C++ functions with typed parameters:
//
//     /// start(duration, repeats) -> slot
//     std::int32_t start(Environment& environment, std::int32_t duration, bool repeats);
//     /// next() -> the text of the next line, or undefined
//     std::optional<std::string> Reader::next();  // a method of a class derived from Wrapped
//
//     const Method kMethods[] = {fast_method<start>("start"), method<&Reader::next>("next")};
//
// method() reads each argument by the type of its parameter, and returns the result by its type;
// lib/ has checked the types of the arguments. An Environment& or an Isolate* may come first. A
// function that is not a member can take This<T> there: the object that it is called on.
//
//     bool                          whether it is `true`
//     int32, uint32, int64, double  a number
//     std::size_t                   a number, rounded down; 0 for one below 0
//     an enumeration                the number of one of its values
//     std::string, string_view      a string, as UTF-8
//     std::span<uint8>              the bytes of a buffer or view, to be written
//     v8::Local<T>                  the value as a T
//     T&, T derived from Wrapped    the C++ object of a JavaScript object
//     std::optional<T>              nothing for undefined
//     const T&, another class       T(isolate, value) or T(value): ReadBytes, the bytes of a buffer
//                                   or view, to be read only
//
// constructor() makes the `construct` of a ClassShape from a function that makes the C++ object:
//
//     void make(Environment& environment, Local<Object> object, Local<Function> notify) {
//       new Reader(environment, object, notify);
//     }
//
// A result can be void, any of these numbers and texts, a handle of V8, a vector of values (an
// array), an optional (nothing is undefined) or a MaybeLocal (empty: an exception is under way, or
// undefined).
//
// With fast_method() optimised JavaScript calls the function as C++ calls C++, at a fraction of the
// cost. Such a function must not call JavaScript, and must not make objects of it; its parameters
// are numbers, booleans and Local<Value>.
#pragma once

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/text.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"

namespace rondo {

/// A first parameter: the object of class T, derived from Wrapped, that the method is called on.
template <class T>
class This {
 public:
  explicit This(v8::Local<v8::Value> receiver) : object_(Wrapped::from<T>(receiver)) {}

  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  T* get() const noexcept { return object_; }

 private:
  T* object_;
};

namespace detail {

template <class T>
inline constexpr bool kIsHandle = false;
template <class T>
inline constexpr bool kIsHandle<v8::Local<T>> = true;
template <class T>
inline constexpr bool kIsMaybeHandle = false;
template <class T>
inline constexpr bool kIsMaybeHandle<v8::MaybeLocal<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
struct HandleOf;
template <class T>
struct HandleOf<v8::Local<T>> {
  using Value = T;
};

std::int32_t to_int32(v8::Isolate* isolate, v8::Local<v8::Value> value);
std::uint32_t to_uint32(v8::Isolate* isolate, v8::Local<v8::Value> value);
std::int64_t to_int64(v8::Isolate* isolate, v8::Local<v8::Value> value);
double to_double(v8::Isolate* isolate, v8::Local<v8::Value> value);
std::size_t to_size(v8::Isolate* isolate, v8::Local<v8::Value> value);
std::string to_string(v8::Isolate* isolate, v8::Local<v8::Value> value);

/// What a parameter of type T is read as: T itself, or what a reference or view of it can refer to
/// until the function returns.
template <class T>
decltype(auto) read(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  using Plain = std::remove_cvref_t<T>;
  if constexpr (std::is_same_v<Plain, bool>)
    return value->IsTrue();
  else if constexpr (std::is_same_v<Plain, std::int32_t>)
    return to_int32(isolate, value);
  else if constexpr (std::is_same_v<Plain, std::uint32_t>)
    return to_uint32(isolate, value);
  else if constexpr (std::is_same_v<Plain, std::int64_t>)
    return to_int64(isolate, value);
  else if constexpr (std::is_same_v<Plain, double>)
    return to_double(isolate, value);
  else if constexpr (std::is_same_v<Plain, std::size_t>)
    return to_size(isolate, value);
  else if constexpr (std::is_enum_v<Plain>)
    return static_cast<Plain>(to_int32(isolate, value));
  else if constexpr (std::is_same_v<Plain, std::string> || std::is_same_v<Plain, std::string_view>)
    return to_string(isolate, value);
  else if constexpr (std::is_same_v<Plain, std::span<std::uint8_t>>)
    return rondo::bytes_of(value);
  else if constexpr (kIsHandle<Plain>)
    return value.template As<typename HandleOf<Plain>::Value>();
  else if constexpr (kIsOptional<Plain>)
    return value->IsUndefined() ? Plain() : Plain(read<typename Plain::value_type>(isolate, value));
  else if constexpr (std::is_lvalue_reference_v<T> && std::is_base_of_v<Wrapped, Plain>)
    return static_cast<T>(*Wrapped::from<Plain>(value));
  else if constexpr (std::is_constructible_v<Plain, v8::Isolate*, v8::Local<v8::Value>>)
    return Plain(isolate, value);
  else if constexpr (std::is_constructible_v<Plain, v8::Local<v8::Value>>)
    return Plain(value);
  else
    static_assert(sizeof(T) == 0, "not a type that arguments are read as");
}

template <class T>
void give(const Arguments& args, T result) {
  if constexpr (kIsOptional<T>) {
    if (result) give(args, *std::move(result));
  } else if constexpr (kIsMaybeHandle<T>) {
    if (!result.IsEmpty()) args.GetReturnValue().Set(result.ToLocalChecked());
  } else if constexpr (std::is_same_v<T, std::vector<v8::Local<v8::Value>>>) {
    args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), result.data(), result.size()));
  } else if constexpr (std::is_convertible_v<T, std::string_view>) {
    args.GetReturnValue().Set(Environment::of(args.GetIsolate()).text(result));
  } else if constexpr (std::is_integral_v<T> && sizeof(T) > sizeof(std::int32_t)) {
    args.GetReturnValue().Set(static_cast<double>(result));
  } else {
    args.GetReturnValue().Set(result);
  }
}

/// Calls `function` with the arguments, and returns its result to JavaScript.
template <class Result, class... Parameters, class Function>
void call_with(const Arguments& args, Function function) {
  const auto call = [&]<std::size_t... indices>(std::index_sequence<indices...> /*all*/) {
    [[maybe_unused]] v8::Isolate* isolate = args.GetIsolate();
    if constexpr (std::is_void_v<Result>)
      function(read<Parameters>(isolate, args[static_cast<int>(indices)])...);
    else
      give<Result>(args, function(read<Parameters>(isolate, args[static_cast<int>(indices)])...));
  };
  call(std::index_sequence_for<Parameters...>());
}

/// What a fast call runs: an exception becomes one of JavaScript.
template <class Result, class Function>
Result run_fast(Function function) {
  try {
    return function();
  } catch (...) {
    throw_caught();
    return Result();
  }
}

template <class Type, auto function>
struct TypedMethodOf;

template <class Result, class... Parameters, auto function>
struct TypedMethodOf<Result (*)(Environment&, Parameters...), function> {
  static void call(const Arguments& args) {
    call_with<Result, Parameters...>(args, [&](auto&&... values) -> Result {
      return function(Environment::of(args.GetIsolate()),
                      std::forward<decltype(values)>(values)...);
    });
  }

  static Result call_fast(v8::Local<v8::Object> /*receiver*/, Parameters... parameters) {
    return run_fast<Result>([&] { return function(Environment::current(), parameters...); });
  }
};

template <class Result, class... Parameters, auto function>
struct TypedMethodOf<Result (*)(v8::Isolate*, Parameters...), function> {
  static void call(const Arguments& args) {
    call_with<Result, Parameters...>(args, [&](auto&&... values) -> Result {
      return function(args.GetIsolate(), std::forward<decltype(values)>(values)...);
    });
  }
};

template <class Result, class... Parameters, auto function>
struct TypedMethodOf<Result (*)(Parameters...), function> {
  static void call(const Arguments& args) { call_with<Result, Parameters...>(args, function); }

  static Result call_fast(v8::Local<v8::Object> /*receiver*/, Parameters... parameters) {
    return run_fast<Result>([&] { return function(parameters...); });
  }
};

template <class T, class Result, class... Parameters, auto function>
struct TypedMethodOf<Result (*)(This<T>, Parameters...), function> {
  static void call(const Arguments& args) {
    call_with<Result, Parameters...>(args, [&](auto&&... values) -> Result {
      return function(This<T>(args.This()), std::forward<decltype(values)>(values)...);
    });
  }
};

template <class Class, class Result, class... Parameters, auto function>
struct TypedMethodOf<Result (Class::*)(Parameters...), function> {
  static void call(const Arguments& args) {
    call_with<Result, Parameters...>(args, [&](auto&&... values) -> Result {
      return (Wrapped::from<Class>(args.This())->*function)(
          std::forward<decltype(values)>(values)...);
    });
  }

  static Result call_fast(v8::Local<v8::Object> receiver, Parameters... parameters) {
    return run_fast<Result>(
        [&] { return (Wrapped::from<Class>(receiver)->*function)(parameters...); });
  }
};

template <class Class, class Result, class... Parameters, auto function>
struct TypedMethodOf<Result (Class::*)(Parameters...) const, function> {
  static void call(const Arguments& args) {
    call_with<Result, Parameters...>(args, [&](auto&&... values) -> Result {
      return (Wrapped::from<Class>(args.This())->*function)(
          std::forward<decltype(values)>(values)...);
    });
  }
};

template <class Type, auto function>
struct TypedConstructorOf;

template <class... Parameters, auto function>
struct TypedConstructorOf<void (*)(Environment&, v8::Local<v8::Object>, Parameters...), function> {
  static void call(const Arguments& args) {
    if (!args.IsConstructCall()) return;
    call_with<void, Parameters...>(args, [&](auto&&... values) {
      function(Environment::of(args.GetIsolate()), args.This(),
               std::forward<decltype(values)>(values)...);
    });
  }
};

template <class Function>
struct MayThrow {
  using Type = Function;
};
template <class Result, class... Parameters>
struct MayThrow<Result (*)(Parameters...) noexcept> {
  using Type = Result (*)(Parameters...);
};
template <class Class, class Result, class... Parameters>
struct MayThrow<Result (Class::*)(Parameters...) noexcept> {
  using Type = Result (Class::*)(Parameters...);
};
template <class Class, class Result, class... Parameters>
struct MayThrow<Result (Class::*)(Parameters...) const noexcept> {
  using Type = Result (Class::*)(Parameters...) const;
};

template <auto function>
using TypedMethod = TypedMethodOf<typename MayThrow<decltype(function)>::Type, function>;

template <auto function>
inline const v8::CFunction kFastCall = fast_call_of(TypedMethod<function>::call_fast);

}  // namespace detail

template <auto function>
constexpr Method method(const char* name) {
  return {name, detail::TypedMethod<function>::call};
}

template <auto function>
constexpr v8::FunctionCallback constructor() {
  return detail::TypedConstructorOf<decltype(function), function>::call;
}

template <auto function>
Method fast_method(const char* name) {
  return {name, detail::TypedMethod<function>::call, &detail::kFastCall<function>};
}

}  // namespace rondo
