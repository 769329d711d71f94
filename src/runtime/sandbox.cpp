#include "runtime/sandbox.h"

#include <optional>
#include <tuple>

#include "runtime/builtins.h"
#include "runtime/environment.h"
#include "runtime/wrapped.h"

namespace rondo {

namespace {

/// What a context keeps: the first slot is V8's debugger's.
enum Slot : int { kSandbox = 1, kMicrotasks, kForbidsWasm, kImports };

v8::Local<v8::Private> context_key(Environment& environment) {
  return v8::Private::ForApi(environment.isolate(), environment.name("rondo:vm_context"));
}

template <class Info>
struct World {
  v8::Isolate* isolate;
  v8::Local<v8::Context> context;
  v8::Local<v8::Object> global;
  v8::Local<v8::Object> sandbox;

  /// Whose global object is being asked.
  static std::optional<World> of(const Info& info) {
    v8::Local<v8::Context> context;
    if (!info.Holder()->GetCreationContext().ToLocal(&context)) return {};
    // While the context is being made there is no sandbox yet.
    if (context->GetNumberOfEmbedderDataFields() <= kSandbox) return {};
    const v8::Local<v8::Value> sandbox = context->GetEmbedderData(kSandbox);
    if (!sandbox->IsObject()) return {};
    return World{info.GetIsolate(), context, context->Global(), sandbox.As<v8::Object>()};
  }
};

template <class Info>
std::optional<World<Info>> world_of(const Info& info) {
  return World<Info>::of(info);
}

bool is_read_only(v8::PropertyAttribute attributes) {
  return (static_cast<unsigned>(attributes) & static_cast<unsigned>(v8::ReadOnly)) != 0;
}

bool is_permanent(v8::PropertyAttribute attributes) {
  return (static_cast<unsigned>(attributes) & static_cast<unsigned>(v8::DontDelete)) != 0;
}

void get(v8::Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Value>& info) {
  const auto world = world_of(info);
  if (!world) return;
  v8::Local<v8::Value> value;
  if (!world->sandbox->GetRealNamedProperty(world->context, name).ToLocal(&value) &&
      !world->global->GetRealNamedProperty(world->context, name).ToLocal(&value)) {
    return;
  }
  // The sandbox itself never shows up in its context.
  if (value == world->sandbox) value = world->global;
  info.GetReturnValue().Set(value);
}

/// Whether the sandbox has the property with a getter or setter.
template <class World>
bool has_accessor(const World& world, v8::Local<v8::Name> name) {
  v8::Local<v8::Value> descriptor;
  if (!world.sandbox->GetOwnPropertyDescriptor(world.context, name).ToLocal(&descriptor) ||
      !descriptor->IsObject()) {
    return false;
  }
  Environment& environment = Environment::of(world.isolate);
  const auto has = [&](std::string_view key) {
    return descriptor.template As<v8::Object>()
        ->HasOwnProperty(world.context, environment.name(key))
        .FromMaybe(false);
  };
  return has("get") || has("set");
}

void set(v8::Local<v8::Name> name, v8::Local<v8::Value> value,
         const v8::PropertyCallbackInfo<v8::Value>& info) {
  const auto world = world_of(info);
  if (!world) return;
  v8::PropertyAttribute attributes = v8::None;
  const bool on_global =
      world->global->GetRealNamedPropertyAttributes(world->context, name).To(&attributes);
  bool read_only = on_global && is_read_only(attributes);
  const bool on_sandbox =
      world->sandbox->GetRealNamedPropertyAttributes(world->context, name).To(&attributes);
  read_only = read_only || (on_sandbox && is_read_only(attributes));
  if (read_only) return;

  // `x = 1` as opposed to `this.x = 1`: in strict mode, an error if there is no x. Functions are
  // let through: declaring one comes here as well.
  const bool is_contextual = world->global != info.This();
  const bool is_declared = on_global || on_sandbox;
  if (!is_declared && info.ShouldThrowOnError() && is_contextual && !value->IsFunction()) return;
  if (!is_declared && name->IsSymbol()) return;

  if (world->sandbox->Set(world->context, name, value).IsNothing()) return;
  // A setter has been called: the global must not get a property of its own.
  if (on_sandbox && has_accessor(*world, name)) info.GetReturnValue().Set(value);
}

void describe(v8::Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Value>& info) {
  const auto world = world_of(info);
  if (!world) return;
  if (!world->sandbox->HasOwnProperty(world->context, name).FromMaybe(false)) return;
  v8::Local<v8::Value> descriptor;
  if (world->sandbox->GetOwnPropertyDescriptor(world->context, name).ToLocal(&descriptor)) {
    info.GetReturnValue().Set(descriptor);
  }
}

void define(v8::Local<v8::Name> name, const v8::PropertyDescriptor& wanted,
            const v8::PropertyCallbackInfo<v8::Value>& info) {
  const auto world = world_of(info);
  if (!world) return;
  v8::PropertyAttribute attributes = v8::None;
  const bool on_global =
      world->global->GetRealNamedPropertyAttributes(world->context, name).To(&attributes);
  // Neither to be changed on the global nor on the sandbox.
  if (on_global && is_read_only(attributes) && is_permanent(attributes)) return;

  const v8::Local<v8::Value> undefined = v8::Undefined(world->isolate);
  const auto apply = [&](v8::PropertyDescriptor&& descriptor) {
    if (wanted.has_enumerable()) descriptor.set_enumerable(wanted.enumerable());
    if (wanted.has_configurable()) descriptor.set_configurable(wanted.configurable());
    std::ignore = world->sandbox->DefineProperty(world->context, name, descriptor);
  };
  if (wanted.has_get() || wanted.has_set()) {
    apply(v8::PropertyDescriptor(wanted.has_get() ? wanted.get() : undefined,
                                 wanted.has_set() ? wanted.set() : undefined));
    return;
  }
  const v8::Local<v8::Value> value = wanted.has_value() ? wanted.value() : undefined;
  if (wanted.has_writable()) {
    apply(v8::PropertyDescriptor(value, wanted.writable()));
  } else {
    apply(v8::PropertyDescriptor(value));
  }
}

void remove(v8::Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Boolean>& info) {
  const auto world = world_of(info);
  if (!world) return;
  // What the sandbox does not give up stays on the global as well.
  if (!world->sandbox->Delete(world->context, name).FromMaybe(false)) {
    info.GetReturnValue().Set(false);
  }
}

void enumerate(const v8::PropertyCallbackInfo<v8::Array>& info) {
  const auto world = world_of(info);
  if (!world) return;
  v8::Local<v8::Array> names;
  if (world->sandbox->GetPropertyNames(world->context).ToLocal(&names)) {
    info.GetReturnValue().Set(names);
  }
}

v8::Local<v8::Name> name_of(v8::Isolate* isolate, std::uint32_t index) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  return v8::Integer::NewFromUnsigned(isolate, index)->ToString(context).ToLocalChecked();
}

void get_index(std::uint32_t index, const v8::PropertyCallbackInfo<v8::Value>& info) {
  get(name_of(info.GetIsolate(), index), info);
}

void set_index(std::uint32_t index, v8::Local<v8::Value> value,
               const v8::PropertyCallbackInfo<v8::Value>& info) {
  set(name_of(info.GetIsolate(), index), value, info);
}

void describe_index(std::uint32_t index, const v8::PropertyCallbackInfo<v8::Value>& info) {
  describe(name_of(info.GetIsolate(), index), info);
}

void define_index(std::uint32_t index, const v8::PropertyDescriptor& wanted,
                  const v8::PropertyCallbackInfo<v8::Value>& info) {
  define(name_of(info.GetIsolate(), index), wanted, info);
}

void remove_index(std::uint32_t index, const v8::PropertyCallbackInfo<v8::Boolean>& info) {
  remove(name_of(info.GetIsolate(), index), info);
}

v8::Local<v8::ObjectTemplate> global_template(Environment& environment,
                                              v8::Local<v8::Object> sandbox) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::FunctionTemplate> constructor = v8::FunctionTemplate::New(isolate);
  if (sandbox.IsEmpty()) return constructor->InstanceTemplate();
  constructor->SetClassName(sandbox->GetConstructorName());
  const v8::Local<v8::ObjectTemplate> shape = constructor->InstanceTemplate();
  shape->SetHandler(
      v8::NamedPropertyHandlerConfiguration(get, set, describe, remove, enumerate, define, {},
                                            v8::PropertyHandlerFlags::kHasNoSideEffect));
  shape->SetHandler(v8::IndexedPropertyHandlerConfiguration(
      get_index, set_index, describe_index, remove_index, enumerate, define_index, {},
      v8::PropertyHandlerFlags::kHasNoSideEffect));
  return shape;
}

/// Microtasks of one context; kept by the context, and lives as long.
class OwnMicrotasks final : public Wrapped {
 public:
  OwnMicrotasks(Environment& environment, v8::Local<v8::Object> object,
                std::unique_ptr<v8::MicrotaskQueue> queue)
      : Wrapped(environment, object), queue_(std::move(queue)) {}

  v8::MicrotaskQueue* queue() const noexcept { return queue_.get(); }

 private:
  std::unique_ptr<v8::MicrotaskQueue> queue_;
};

/// What V8 lacks of the standard library, in this context as in the main one.
bool add_polyfills(Environment& environment, v8::Local<v8::Context> context) {
  v8::Isolate* isolate = environment.isolate();
  const v8::ScriptOrigin origin(isolate, environment.text("node:internal/polyfills"));
  v8::ScriptCompiler::Source source(environment.text(find_builtin("internal/polyfills")->source()),
                                    origin);
  v8::Local<v8::String> parameters[] = {environment.name("module")};
  v8::Local<v8::Value> arguments[] = {v8::Object::New(isolate)};
  v8::Local<v8::Function> function;
  return v8::ScriptCompiler::CompileFunction(context, &source, std::size(parameters), parameters)
             .ToLocal(&function) &&
         !function->Call(context, v8::Undefined(isolate), std::size(arguments), arguments)
              .IsEmpty();
}

bool may_compile_wasm(v8::Local<v8::Context> context, v8::Local<v8::String> /*source*/) {
  return context->GetNumberOfEmbedderDataFields() <= kForbidsWasm ||
         !context->GetEmbedderData(kForbidsWasm)->IsTrue();
}

}  // namespace

v8::MaybeLocal<v8::Object> make_sandbox(Environment& environment, v8::Local<v8::Object> sandbox,
                                        SandboxOptions options) {
  v8::Isolate* isolate = environment.isolate();
  v8::EscapableHandleScope scope(isolate);
  std::unique_ptr<v8::MicrotaskQueue> queue;
  if (options.own_microtasks) {
    queue = v8::MicrotaskQueue::New(isolate, v8::MicrotasksPolicy::kExplicit);
  }
  const v8::Local<v8::Context> context = v8::Context::New(
      isolate, nullptr, global_template(environment, sandbox), {}, {}, queue.get());
  if (context.IsEmpty() || !add_polyfills(environment, context)) return {};
  const v8::Local<v8::Object> global = context->Global();
  environment.promise_hooks().add(isolate, context);

  // Objects may be passed between the contexts freely.
  context->SetSecurityToken(environment.context()->GetSecurityToken());
  context->AllowCodeGenerationFromStrings(options.allow_strings);
  if (!options.allow_wasm) {
    isolate->SetAllowWasmCodeGenerationCallback(may_compile_wasm);
    context->SetEmbedderData(kForbidsWasm, v8::True(isolate));
  }
  if (queue != nullptr) {
    v8::Local<v8::Object> holder;
    if (!environment.new_holder().ToLocal(&holder)) return {};
    new OwnMicrotasks(environment, holder, std::move(queue));
    context->SetEmbedderData(kMicrotasks, holder);
  }
  if (!options.imports.IsEmpty()) context->SetEmbedderData(kImports, options.imports);
  if (!sandbox.IsEmpty()) context->SetEmbedderData(kSandbox, sandbox);

  const v8::Local<v8::Private> key = context_key(environment);
  const v8::Local<v8::Object> known = sandbox.IsEmpty() ? global : sandbox;
  if (known->SetPrivate(environment.context(), key, global).IsNothing()) return {};
  return scope.Escape(global);
}

v8::MaybeLocal<v8::Context> sandbox_context(Environment& environment,
                                            v8::Local<v8::Value> sandbox) {
  if (!sandbox->IsObject()) return {};
  v8::Local<v8::Value> global;
  if (!sandbox.As<v8::Object>()
           ->GetPrivate(environment.context(), context_key(environment))
           .ToLocal(&global) ||
      !global->IsObject()) {
    return {};
  }
  return global.As<v8::Object>()->GetCreationContext();
}

v8::Local<v8::Value> imports_of(v8::Local<v8::Context> context) {
  if (context->GetNumberOfEmbedderDataFields() <= kImports) {
    return v8::Undefined(context->GetIsolate());
  }
  return context->GetEmbedderData(kImports);
}

v8::MicrotaskQueue* own_microtasks(v8::Local<v8::Context> context) {
  if (context->GetNumberOfEmbedderDataFields() <= kMicrotasks) return nullptr;
  const v8::Local<v8::Value> holder = context->GetEmbedderData(kMicrotasks);
  const auto* own = Wrapped::from<OwnMicrotasks>(holder);
  return own == nullptr ? nullptr : own->queue();
}

}  // namespace rondo
