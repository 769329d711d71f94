// Methods of bindings from C++ functions with typed parameters:
//
//     /// start(duration, repeats) -> slot
//     std::int32_t start(Environment& environment, std::int32_t duration, bool repeats);
//
//     const Method kMethods[] = {fast_method<start>("start"), method<next>("next")};
//
// method() reads each argument by the type of its parameter; lib/ has checked the types. With
// fast_method() optimised JavaScript calls the function as C++ calls C++, at a fraction of the
// cost. Such a function must not call JavaScript, and must not make objects of it.
#pragma once

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo {

namespace detail {

template <class T>
T argument(const Arguments& args, std::size_t index) {
  const v8::Local<v8::Value> value = args[static_cast<int>(index)];
  if constexpr (std::is_same_v<T, bool>)
    return value->IsTrue();
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return value.As<v8::Int32>()->Value();
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return value.As<v8::Uint32>()->Value();
  else if constexpr (std::is_same_v<T, double>)
    return value.As<v8::Number>()->Value();
  else if constexpr (std::is_same_v<T, v8::Local<v8::Value>>)
    return value;
  else
    static_assert(sizeof(T) == 0, "not a type that arguments are read as");
}

template <auto function>
struct TypedMethod;

template <class Result, class... Parameters, Result (*function)(Environment&, Parameters...)>
struct TypedMethod<function> {
  static void call(const Arguments& args) {
    call_with(args, std::index_sequence_for<Parameters...>());
  }

  static Result call_fast(v8::Local<v8::Object> /*receiver*/, Parameters... parameters) {
    try {
      return function(Environment::current(), parameters...);
    } catch (...) {
      throw_caught();
      return Result();
    }
  }

  inline static const v8::CFunction kFast = fast_call_of(call_fast);

 private:
  template <std::size_t... indices>
  static void call_with(const Arguments& args, std::index_sequence<indices...> /*all*/) {
    Environment& environment = Environment::of(args.GetIsolate());
    if constexpr (std::is_void_v<Result>)
      function(environment, argument<Parameters>(args, indices)...);
    else
      args.GetReturnValue().Set(function(environment, argument<Parameters>(args, indices)...));
  }
};

}  // namespace detail

template <auto function>
constexpr Method method(const char* name) {
  return {name, detail::TypedMethod<function>::call};
}

template <auto function>
Method fast_method(const char* name) {
  return {name, detail::TypedMethod<function>::call, &detail::TypedMethod<function>::kFast};
}

}  // namespace rondo
