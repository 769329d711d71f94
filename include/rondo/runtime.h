// JavaScript on a loop, for a C++ program.
//
//     rondo::Loop loop;
//     rondo::Runtime runtime(loop);
//     runtime.define("greet", [](std::string name) { return "Hello, " + name; });
//     runtime.evaluate("setTimeout(() => console.log(greet('world')), 10)");
//     int code = runtime.run();                     // until nothing is left to wait for
//
// What JavaScript schedules runs on the loop, among what C++ schedules there: run() and loop.run()
// both do, but only run() ends the program as Node does, with 'beforeExit' and 'exit'.
//
// A runtime belongs to the thread of its loop. A thread can have one at a time, which goes before
// the loop does.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rondo/loop.h"

namespace v8 {
class Isolate;
}

namespace rondo {

/// A JavaScript value that is plain data. What is not (functions, symbols) becomes undefined.
class Value {
 public:
  using Array = std::vector<Value>;
  using Object = std::map<std::string, Value>;

  Value() = default;  // undefined
  Value(std::nullptr_t) : held_(nullptr) {}
  Value(bool flag) : held_(flag) {}
  template <class Number>
    requires(std::is_arithmetic_v<Number> && !std::same_as<Number, bool>)
  Value(Number number) : held_(static_cast<double>(number)) {}
  Value(const char* text) : held_(std::string(text)) {}
  Value(std::string_view text) : held_(std::string(text)) {}
  Value(std::string text) : held_(std::move(text)) {}
  Value(Array array) : held_(std::move(array)) {}
  Value(Object object) : held_(std::move(object)) {}

  template <class T>
  bool is() const noexcept {
    return std::holds_alternative<T>(held_);
  }
  bool is_undefined() const noexcept { return is<std::monostate>(); }
  bool is_null() const noexcept { return is<std::nullptr_t>(); }

  /// One of bool, double, std::string, Array, Object; null if it is something else.
  template <class T>
  const T* get_if() const noexcept {
    return std::get_if<T>(&held_);
  }

  /// Throws std::bad_variant_access if it is something else.
  template <class T>
  const T& get() const {
    return std::get<T>(held_);
  }

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::variant<std::monostate, std::nullptr_t, bool, double, std::string, Array, Object> held_;
};

/// What JavaScript threw.
struct ScriptError {
  std::string message;  // "TypeError: x is not a function"
  std::string stack;    // the same with source locations; empty if it was not an Error
  std::string code;     // "ERR_INVALID_ARG_TYPE"; empty if it has none
};

/// A function for JavaScript. What it throws becomes an Error: the text of a std::exception, and
/// the code of a Misuse.
using NativeFunction = std::function<Value(std::span<const Value> arguments)>;

namespace detail {

/// Converts an argument; a wrong type throws Misuse (ERR_INVALID_ARG_TYPE), and so does a number
/// that an integer type has not (ERR_OUT_OF_RANGE).
template <class T>
T argument(std::span<const Value> arguments, std::size_t index);

[[noreturn]] void throw_argument_type(std::size_t index, std::string_view wanted);
[[noreturn]] void throw_argument_range(std::size_t index);

/// Whether T has exactly this value.
template <std::integral T>
bool fits(double number) noexcept {
  // The powers of two are exact as doubles, the largest integers are not. NaN compares false.
  const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
  const double begin = std::is_signed_v<T> ? -end : 0.0;
  return number >= begin && number < end && std::trunc(number) == number;
}

template <class Signature>
struct FunctionTraits;
template <class Result, class... Args>
struct FunctionTraits<Result(Args...)> {
  using Arguments = std::tuple<std::decay_t<Args>...>;
};

template <class F>
struct FunctionOf : FunctionOf<decltype(&F::operator())> {};
template <class Result, class... Args>
struct FunctionOf<Result (*)(Args...)> : FunctionTraits<Result(Args...)> {};
template <class C, class Result, class... Args>
struct FunctionOf<Result (C::*)(Args...)> : FunctionTraits<Result(Args...)> {};
template <class C, class Result, class... Args>
struct FunctionOf<Result (C::*)(Args...) const> : FunctionTraits<Result(Args...)> {};

}  // namespace detail

/// Makes a NativeFunction of any function of bool, numbers, std::string and Value.
template <class F>
NativeFunction native_function(F function) {
  if constexpr (std::is_invocable_r_v<Value, F&, std::span<const Value>>) {
    return function;
  } else {
    using Tuple = typename detail::FunctionOf<std::decay_t<F>>::Arguments;
    return [function = std::move(function)](std::span<const Value> arguments) mutable -> Value {
      // In braces: the first error is the one that is reported.
      Tuple converted = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return Tuple{detail::argument<std::tuple_element_t<I, Tuple>>(arguments, I)...};
      }(std::make_index_sequence<std::tuple_size_v<Tuple>>());
      using Result = decltype(std::apply(function, std::move(converted)));
      if constexpr (std::is_void_v<Result>) {
        std::apply(function, std::move(converted));
        return {};
      } else {
        return Value(std::apply(function, std::move(converted)));
      }
    };
  }
}

struct RuntimeOptions {
  /// process.argv after the name of the program.
  std::vector<std::string> arguments = {};
  /// Options of the command line, such as {"--no-warnings"}; those of V8 count only before the
  /// first runtime of the process is made.
  std::vector<std::string> options = {};
};

class Runtime {
 public:
  /// Throws Misuse: ERR_INVALID_ARG_VALUE for an option that is unknown, ERR_RUNTIME_EXISTS if the
  /// loop or the thread has a runtime already.
  explicit Runtime(Loop& loop, RuntimeOptions options = {});
  /// What has not run is dropped: 'exit' is not emitted, timers do not fire.
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Runs a text as a script and returns the value of its last expression. Ticks and microtasks
  /// have run when this returns, unless it is called by JavaScript.
  std::expected<Value, ScriptError> evaluate(std::string_view source,
                                             std::string_view name = "[eval]");

  /// Runs a file as the command `rondo FILE` does: CommonJS or ES module. An ES module has been
  /// started when this returns; with a top-level await it continues in run().
  std::expected<void, ScriptError> run_file(std::string_view path);

  /// Calls a global function. Not from JavaScript.
  std::expected<Value, ScriptError> call(std::string_view function,
                                         std::span<const Value> arguments = {});

  /// Makes a global function.
  template <class F>
  void define(std::string_view name, F function) {
    define_function(name, native_function(std::move(function)));
  }

  /// Makes a module that require(name) and import find, before any package of that name.
  void define_module(std::string_view name,
                     std::vector<std::pair<std::string, NativeFunction>> functions);

  /// Runs the loop until nothing keeps the program alive, emits 'beforeExit' and 'exit', and
  /// returns the exit code: 0, process.exitCode, or that of process.exit(), which ends the run and
  /// not the process. An uncaught exception is printed and ends the run with 1.
  int run();

  /// For what this interface does not offer.
  v8::Isolate* isolate() noexcept;

 private:
  class Impl;

  void define_function(std::string_view name, NativeFunction function);

  std::unique_ptr<Impl> impl_;
};

namespace detail {

template <class T>
T argument(std::span<const Value> arguments, std::size_t index) {
  static const Value undefined;
  const Value& value = index < arguments.size() ? arguments[index] : undefined;
  if constexpr (std::same_as<T, Value>) {
    return value;
  } else if constexpr (std::same_as<T, bool>) {
    if (const bool* flag = value.get_if<bool>()) return *flag;
    throw_argument_type(index, "boolean");
  } else if constexpr (std::is_arithmetic_v<T>) {
    const double* number = value.get_if<double>();
    if (number == nullptr) throw_argument_type(index, "number");
    if constexpr (std::integral<T>) {
      if (!fits<T>(*number)) throw_argument_range(index);
    }
    return static_cast<T>(*number);
  } else if constexpr (std::same_as<T, std::string>) {
    if (const std::string* text = value.get_if<std::string>()) return *text;
    throw_argument_type(index, "string");
  } else if constexpr (std::same_as<T, Value::Array>) {
    if (const Value::Array* array = value.get_if<Value::Array>()) return *array;
    throw_argument_type(index, "Array");
  } else {
    static_assert(std::same_as<T, Value::Object>, "no such type in JavaScript: take a Value");
    if (const Value::Object* object = value.get_if<Value::Object>()) return *object;
    throw_argument_type(index, "Object");
  }
}

}  // namespace detail

}  // namespace rondo
