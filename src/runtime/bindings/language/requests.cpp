// The table of what is under way, to be made once by lib/internal/native/requests.js.
#include "runtime/glue/requests.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo {
namespace {

void make(const Arguments& args) {
  if (!args.IsConstructCall() || !args[0]->IsFunction()) return;
  new Requests(Environment::of(args.GetIsolate()), args.This(), args[0].As<v8::Function>());
}

void extend(Environment& environment, v8::Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const auto made = v8::FunctionTemplate::New(isolate, guarded(make));
  made->InstanceTemplate()->SetInternalFieldCount(1);
  made->SetClassName(environment.name("Requests"));
  set_value(environment, target, "Requests",
            made->GetFunction(isolate->GetCurrentContext()).ToLocalChecked());
}

constexpr v8::FunctionCallback kReferences[] = {make};

}  // namespace

extern const Binding binding_requests;
const Binding binding_requests{"requests", {}, extend, kReferences};

}  // namespace rondo
