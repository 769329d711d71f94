#include "runtime/messaging/messaging_hooks.h"

#include <iterator>

#include "runtime/engine/environment.h"
#include "runtime/messaging/context_messaging.h"

namespace rondo {
namespace {

using v8::Local;

// The embedder data index of the object. For the others see buffer.cpp.
constexpr int kHooksSlot = 3;

Local<v8::Private> private_name(Environment& environment, std::string_view name) {
  return v8::Private::ForApi(environment.isolate(), environment.name(name));
}

HostKind read_kind(Environment& environment, Local<v8::Object> object, Local<v8::Private> name) {
  Local<v8::Value> kind;
  if (!object->GetPrivate(environment.context(), name).ToLocal(&kind) || !kind->IsInt32()) {
    return HostKind::none;
  }
  return static_cast<HostKind>(kind.As<v8::Int32>()->Value());
}

}  // namespace

void set_messaging_hooks(Environment& environment, Local<v8::Object> hooks) {
  environment.context()->SetEmbedderData(kHooksSlot, hooks);
}

Local<v8::Function> messaging_hook(Environment& environment, std::string_view name) {
  const Local<v8::Context> context = environment.context();
  return context->GetEmbedderData(kHooksSlot)
      .As<v8::Object>()
      ->Get(context, environment.name(name))
      .ToLocalChecked()
      .As<v8::Function>();
}

void throw_data_clone_error(Environment& environment, Local<v8::String> message) {
  Local<v8::Value> arguments[] = {message, environment.text("DataCloneError")};
  Local<v8::Object> exception;
  const Local<v8::Context> context = messaging_context(environment);
  Local<v8::Value> constructor = messaging_hook(environment, "DOMException");
  Local<v8::Object> messaging;
  if (context != environment.context() &&
      (!context_messaging(environment, context).ToLocal(&messaging) ||
       !messaging->Get(context, environment.name("DOMException")).ToLocal(&constructor))) {
    return;
  }
  if (constructor.As<v8::Function>()
          ->NewInstance(context, static_cast<int>(std::size(arguments)), arguments)
          .ToLocal(&exception)) {
    environment.isolate()->ThrowException(exception);
  }
}

void throw_data_clone_error(Environment& environment, std::string_view message) {
  throw_data_clone_error(environment, environment.text(message));
}

Local<v8::Private> host_kind_name(Environment& environment) {
  return private_name(environment, "rondo:host_kind");
}

Local<v8::Private> class_kind_name(Environment& environment) {
  return private_name(environment, "rondo:class_kind");
}

HostKind host_kind(Environment& environment, Local<v8::Object> object) {
  const HostKind own = read_kind(environment, object, host_kind_name(environment));
  if (own != HostKind::none) return own;
  const Local<v8::Private> name = class_kind_name(environment);
  Local<v8::Value> next = object->IsProxy() ? v8::Null(environment.isolate()).As<v8::Value>()
                                            : object->GetPrototypeV2();
  while (next->IsObject() && !next->IsProxy()) {
    const auto prototype = next.As<v8::Object>();
    const HostKind kind = read_kind(environment, prototype, name);
    if (kind != HostKind::none) return kind;
    next = prototype->GetPrototypeV2();
  }
  return HostKind::none;
}

void set_host_kind(Environment& environment, Local<v8::Object> object, HostKind kind) {
  object
      ->SetPrivate(environment.context(), host_kind_name(environment),
                   v8::Integer::New(environment.isolate(), static_cast<int>(kind)))
      .Check();
}

void set_class_kind(Environment& environment, Local<v8::Object> prototype, HostKind kind) {
  prototype
      ->SetPrivate(environment.context(), class_kind_name(environment),
                   v8::Integer::New(environment.isolate(), static_cast<int>(kind)))
      .Check();
}

void mark_untransferable(Environment& environment, Local<v8::Object> object) {
  object
      ->SetPrivate(environment.context(), private_name(environment, "rondo:untransferable"),
                   v8::True(environment.isolate()))
      .Check();
}

bool is_untransferable(Environment& environment, Local<v8::Object> object) {
  return object
      ->HasPrivate(environment.context(), private_name(environment, "rondo:untransferable"))
      .FromMaybe(false);
}

}  // namespace rondo
