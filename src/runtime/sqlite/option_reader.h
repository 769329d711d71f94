// Reads the options object of a call, and throws when one is of the wrong type. After that every
// further call does nothing, so that a caller asks ok() once.
//
//     OptionReader options(environment, args[1]);
//     options.boolean("returnArrays", settings.return_arrays);
//     if (!options.ok()) return;
#pragma once

#include <v8.h>

#include <string>
#include <string_view>

namespace rondo {
class Environment;
}

namespace rondo::sqlite {

class OptionReader {
 public:
  /// `value` must be an object; undefined is allowed where `optional` says so.
  enum class Undefined { allowed, refused };
  OptionReader(const Environment& environment, v8::Local<v8::Value> value, Undefined undefined,
               std::string_view path = "options");

  bool ok() const noexcept { return ok_; }
  /// What another reader has found wrong.
  void stop() noexcept { ok_ = false; }

  /// These change `out` if the option is there.
  void boolean(std::string_view name, bool& out);
  void integer(std::string_view name, int& out);
  void string(std::string_view name, std::string& out);
  void function(std::string_view name, v8::Local<v8::Function>& out);
  /// undefined if it is not there.
  v8::Local<v8::Value> value(std::string_view name);
  /// The same, but an own property that is undefined is wrong as well.
  void own_string(std::string_view name, std::string& out);
  void own_function(std::string_view name, v8::Local<v8::Function>& out);

  void fail_type(std::string_view name, std::string_view what);
  void fail_range(std::string_view name, std::string_view what);

 private:
  bool has_own(std::string_view name);
  std::string full_name(std::string_view name) const;

  const Environment& environment_;
  std::string path_;
  v8::Local<v8::Object> object_;  // empty: undefined was given
  bool ok_ = true;
};

}  // namespace rondo::sqlite
