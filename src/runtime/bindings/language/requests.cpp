// The table of requests in progress, created once by lib/internal/native/requests.js.
#include "runtime/glue/requests.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo {
namespace {

void make(const Arguments& args) {
  if (!args.IsConstructCall() || !args[0]->IsFunction()) return;
  new Requests(Environment::of(args.GetIsolate()), args.This(), args[0].As<v8::Function>());
}

constexpr ClassShape kClasses[] = {{"Requests", make}};

}  // namespace

extern const Binding binding_requests;
const Binding binding_requests{.name = "requests", .classes = kClasses};

}  // namespace rondo
