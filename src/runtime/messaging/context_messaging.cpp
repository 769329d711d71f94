#include "runtime/messaging/context_messaging.h"

#include <iterator>

#include "runtime/engine/environment.h"
#include "runtime/engine/world.h"
#include "runtime/messaging/message_port.h"
#include "runtime/messaging/messaging_hooks.h"

namespace rondo {
namespace {

using v8::Local;
using v8::MaybeLocal;

// The slot of such a context for the object. sandbox.cpp lists the others.
constexpr int kMessagingSlot = 5;

bool has_messaging(Local<v8::Context> context) {
  return context->GetNumberOfEmbedderDataFields() > kMessagingSlot &&
         context->GetEmbedderData(kMessagingSlot)->IsObject();
}

}  // namespace

MaybeLocal<v8::Object> context_messaging(Environment& environment, Local<v8::Context> context) {
  if (has_messaging(context)) return context->GetEmbedderData(kMessagingSlot).As<v8::Object>();
  Local<v8::Function> messaging;
  Local<v8::Function> exception;
  Local<v8::Value> made;
  if (!compile_builtin_in(environment, context, "internal/messaging/context_messaging")
           .ToLocal(&messaging) ||
      !compile_builtin_in(environment, context, "internal/errors/dom_exception")
           .ToLocal(&exception)) {
    return {};
  }
  Local<v8::Value> arguments[] = {messaging, exception};
  if (!messaging_hook(environment, "setUpContext")
           ->Call(environment.context(), v8::Undefined(environment.isolate()),
                  static_cast<int>(std::size(arguments)), arguments)
           .ToLocal(&made)) {
    return {};
  }
  context->SetEmbedderData(kMessagingSlot, made);
  return made.As<v8::Object>();
}

Local<v8::Context> messaging_context(Environment& environment) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Context> main = environment.context();
  if (!isolate->InContext()) return main;
  const Local<v8::Context> current = isolate->GetCurrentContext();
  return current != main && has_messaging(current) ? current : main;
}

MaybeLocal<v8::Function> moved_port_class(Environment& environment, Local<v8::Context> context) {
  return PortHub::of(environment).moved_class()->GetFunction(context);
}

}  // namespace rondo
