#include "runtime/engine/host/promise_hooks.h"

#include <cstddef>

namespace rondo {

void PromiseHooks::add(v8::Isolate* isolate, v8::Local<v8::Context> context) {
  std::erase_if(contexts_, [](const auto& each) { return each.IsEmpty(); });
  contexts_.emplace_back(isolate, context).SetWeak();
  context->SetPromiseHooks(functions_[0].Get(isolate), functions_[1].Get(isolate),
                           functions_[2].Get(isolate), functions_[3].Get(isolate));
}

void PromiseHooks::set(v8::Isolate* isolate, const Functions& functions) {
  for (std::size_t i = 0; i < functions.size(); ++i) functions_[i].Reset(isolate, functions[i]);
  for (const v8::Global<v8::Context>& each : contexts_) {
    if (each.IsEmpty()) continue;
    each.Get(isolate)->SetPromiseHooks(functions[0], functions[1], functions[2], functions[3]);
  }
}

}  // namespace rondo
