#include "runtime/engine/builtin_code.h"

#include <functional>
#include <map>
#include <mutex>

namespace rondo {
namespace {

/// One for the process: V8 accepts the code in every isolate, because they share its flags.
struct Store {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const BuiltinCode::Data>, std::less<>> code;
};

// Never destroyed: a Worker may be starting while the process exits.
Store& store() {
  static Store& store = *new Store;
  return store;
}

}  // namespace

std::shared_ptr<const BuiltinCode::Data> BuiltinCode::find(std::string_view id) {
  const std::lock_guard guard(store().mutex);
  const auto found = store().code.find(id);
  return found == store().code.end() ? nullptr : found->second;
}

void BuiltinCode::remember(v8::Isolate* isolate, std::string_view id,
                           v8::Local<v8::Function> function) {
  compiled_.emplace_back(id, v8::Global<v8::Function>(isolate, function));
}

void BuiltinCode::leave(v8::Isolate* isolate) {
  const v8::HandleScope scope(isolate);
  for (const auto& [id, function] : std::exchange(compiled_, {})) {
    if (find(id) != nullptr) continue;
    std::shared_ptr<const Data> data(
        v8::ScriptCompiler::CreateCodeCacheForFunction(function.Get(isolate)));
    if (data == nullptr) continue;
    const std::lock_guard guard(store().mutex);
    store().code.try_emplace(id, std::move(data));
  }
}

}  // namespace rondo
