// OpenSSL's errors as Node shows them: message, `library`, `reason`, `code` (ERR_OSSL_...), and
// what else was in the queue as `opensslErrorStack`.
#pragma once

#include <v8.h>

#include <string>
#include <string_view>
#include <vector>

namespace rondo {
class Environment;
}

namespace rondo::crypto {

/// Empties the thread's queue of errors at its end: what one operation leaves there must not be
/// taken for the failure of the next.
class ErrorScope {
 public:
  ErrorScope();
  ~ErrorScope();
  ErrorScope(const ErrorScope&) = delete;
  ErrorScope& operator=(const ErrorScope&) = delete;
};

/// What failed, noted on any thread, to become an error of JavaScript on the loop's.
class Failure {
 public:
  /// Takes what is in the queue. The error that was raised last is the first line.
  void capture();
  /// An error that is not OpenSSL's; `code` may be empty.
  void set(std::string_view message, std::string_view code = {});
  bool empty() const noexcept { return lines_.empty(); }
  unsigned long first_error() const noexcept { return first_; }

  v8::Local<v8::Value> to_error(const Environment& environment) const;

 private:
  std::vector<std::string> lines_;  // in the order in which they were raised, reversed
  unsigned long first_ = 0;         // the oldest error of the queue: has library and reason
  std::string code_;
};

/// Throws what OpenSSL's error number stands for, with the rest of the queue as its stack; or an
/// error with `fallback` as its message if the number is 0.
void throw_openssl_error(const Environment& environment, unsigned long error,
                         const char* fallback = nullptr);
/// The same with the oldest error of the queue, which is left empty.
void throw_openssl_error(const Environment& environment, const char* fallback = nullptr);

/// The properties `library`, `reason` and `code` for an error number.
void decorate(const Environment& environment, v8::Local<v8::Object> error, unsigned long number);

/// Errors with a code of Node's.
void throw_error(const Environment& environment, std::string_view code, std::string_view message);
void throw_type_error(const Environment& environment, std::string_view code,
                      std::string_view message);
void throw_range_error(const Environment& environment, std::string_view code,
                       std::string_view message);

}  // namespace rondo::crypto
