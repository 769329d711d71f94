// The functions that V8 calls at each step of a promise's life, in every context there is.
#pragma once

#include <v8.h>

#include <array>
#include <vector>

namespace rondo {

class PromiseHooks {
 public:
  using Functions = std::array<v8::Local<v8::Function>, 4>;  // init, before, after, resolve

  /// A context for which they are set from now on, as long as it lives.
  void add(v8::Isolate* isolate, v8::Local<v8::Context> context);
  /// Empty ones are not called.
  void set(v8::Isolate* isolate, const Functions& functions);

 private:
  std::vector<v8::Global<v8::Context>> contexts_;  // weak
  std::array<v8::Global<v8::Function>, 4> functions_;
};

}  // namespace rondo
