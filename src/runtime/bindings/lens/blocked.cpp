// For lib/internal/lens/blocked.js.
#include "runtime/glue/binding.h"
#include "runtime/observe/blocked_script.h"
#include "runtime/observe/stack_words.h"

namespace rondo {
namespace {

/// start(limit in milliseconds, describe)
void start(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const std::chrono::milliseconds limit(args[0].As<v8::Int32>()->Value());
  environment.accompany(
      std::make_unique<BlockedScript>(environment, limit, args[1].As<v8::Function>()));
}

/// note(id, resource, label, callback, site): the callback may be anything, the site undefined
void note(const Arguments& args) {
  BlockedScript* const script = BlockedScript::current();
  if (script == nullptr) return;  // the program is ending
  v8::Isolate* isolate = args.GetIsolate();
  const auto text = [&](v8::Local<v8::Value> value) {
    return value->IsString() ? std::string(*v8::String::Utf8Value(isolate, value)) : std::string();
  };
  const std::string callback =
      args[3]->IsFunction() ? place_of(isolate, args[3].As<v8::Function>()) : std::string();
  const auto id =
      static_cast<std::uint32_t>(static_cast<std::int64_t>(args[0].As<v8::Number>()->Value()));
  script->note(id, args[1].As<v8::Object>(), text(args[2]), callback, text(args[4]));
}

constexpr Method kMethods[] = {{"start", start}, {"note", note}};

}  // namespace

extern const Binding binding_blocked;
const Binding binding_blocked{"blocked", kMethods};

}  // namespace rondo
