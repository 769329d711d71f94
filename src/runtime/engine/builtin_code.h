// Compiled code of builtins that are not in the snapshot: Workers leave it to those that start
// after them. Without it a quarter of a Worker's start is spent in the compiler.
#pragma once

#include <v8.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo {

/// What one Worker has compiled. Used on its own thread.
class BuiltinCode {
 public:
  using Data = v8::ScriptCompiler::CachedData;

  /// What an earlier Worker has left, or null. The caller keeps it while V8 reads it.
  static std::shared_ptr<const Data> find(std::string_view id);

  /// `function` is the compiled builtin.
  void remember(v8::Isolate* isolate, std::string_view id, v8::Local<v8::Function> function);
  /// Leaves the code, with the functions that were compiled when they were called. The isolate has
  /// to be there still.
  void leave(v8::Isolate* isolate);

 private:
  std::vector<std::pair<std::string, v8::Global<v8::Function>>> compiled_;
};

}  // namespace rondo
