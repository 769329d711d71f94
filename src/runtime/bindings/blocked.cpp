// For lib/internal/blocked.js.
#include "runtime/binding.h"
#include "runtime/blocked_script.h"

namespace rondo {
namespace {

/// start(limit in milliseconds, describe)
void start(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const std::chrono::milliseconds limit(args[0].As<v8::Int32>()->Value());
  environment.accompany(
      std::make_unique<BlockedScript>(environment, limit, args[1].As<v8::Function>()));
}

constexpr Method kMethods[] = {{"start", start}};

}  // namespace

extern const Binding binding_blocked;
const Binding binding_blocked{"blocked", kMethods};

}  // namespace rondo
