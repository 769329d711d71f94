// For lib/internal/lens/blocked.js.
#include "runtime/glue/typed_method.h"
#include "runtime/observe/blocked_script.h"
#include "runtime/observe/stack_words.h"

namespace rondo {
namespace {

/// start(limit in milliseconds, describe)
void start(Environment& environment, std::int32_t limit, v8::Local<v8::Function> describe) {
  environment.accompany(
      std::make_unique<BlockedScript>(environment, std::chrono::milliseconds(limit), describe));
}

/// note(id, resource, label, callback, site): the callback may be anything, the site undefined
void note(v8::Isolate* isolate, double id, v8::Local<v8::Object> resource,
          v8::Local<v8::Value> label, v8::Local<v8::Value> callback, v8::Local<v8::Value> site) {
  BlockedScript* const script = BlockedScript::current();
  if (script == nullptr) return;  // the program is ending
  const auto text = [&](v8::Local<v8::Value> value) {
    return value->IsString() ? to_text(isolate, value) : std::string();
  };
  const std::string location =
      callback->IsFunction() ? place_of(isolate, callback.As<v8::Function>()) : std::string();
  script->note(static_cast<std::uint32_t>(static_cast<std::int64_t>(id)), resource, text(label),
               location, text(site));
}

constexpr Method kMethods[] = {method<start>("start"), method<note>("note")};

}  // namespace

extern const Binding binding_blocked;
const Binding binding_blocked{"blocked", kMethods};

}  // namespace rondo
