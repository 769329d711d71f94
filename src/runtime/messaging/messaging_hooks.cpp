#include "runtime/messaging/messaging_hooks.h"

#include <iterator>

#include "runtime/engine/environment.h"

namespace rondo {
namespace {

using v8::Local;

// Where the context keeps the object. Others have their places elsewhere: see buffer.cpp.
constexpr int kHooksSlot = 3;

Local<v8::Private> private_name(Environment& environment, std::string_view name) {
  return v8::Private::ForApi(environment.isolate(), environment.name(name));
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
  if (messaging_hook(environment, "DOMException")
          ->NewInstance(environment.context(), static_cast<int>(std::size(arguments)), arguments)
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

Local<v8::Private> uncloneable_class_name(Environment& environment) {
  return private_name(environment, "rondo:uncloneable_class");
}

HostKind host_kind(Environment& environment, Local<v8::Object> object) {
  Local<v8::Value> kind;
  if (!object->GetPrivate(environment.context(), host_kind_name(environment)).ToLocal(&kind) ||
      !kind->IsInt32()) {
    return HostKind::none;
  }
  return static_cast<HostKind>(kind.As<v8::Int32>()->Value());
}

void set_host_kind(Environment& environment, Local<v8::Object> object, HostKind kind) {
  object
      ->SetPrivate(environment.context(), host_kind_name(environment),
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
