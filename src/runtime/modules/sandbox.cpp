#include "runtime/modules/sandbox.h"

#include <optional>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/wrapped.h"
#include "runtime/inspector/inspector.h"

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
    if (!info.HolderV2()->GetCreationContext().ToLocal(&context)) return {};
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

constexpr auto kTaken = v8::Intercepted::kYes;
constexpr auto kLeft = v8::Intercepted::kNo;  // to the global object itself

v8::Intercepted query(v8::Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Integer>& info) {
  const auto world = world_of(info);
  if (!world) return kLeft;
  v8::PropertyAttribute attributes = v8::None;
  bool has = false;
  if (!world->sandbox->HasOwnProperty(world->context, name).To(&has)) return kLeft;
  // What the global inherits is found where it is.
  if (!has && !world->global->HasRealNamedProperty(world->context, name).FromMaybe(false)) {
    return kLeft;
  }
  if (has ? !world->sandbox->GetPropertyAttributes(world->context, name).To(&attributes)
          : !world->global->GetRealNamedPropertyAttributes(world->context, name).To(&attributes)) {
    return kLeft;
  }
  info.GetReturnValue().Set(static_cast<std::int32_t>(attributes));
  return kTaken;
}

v8::Intercepted get(v8::Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Value>& info) {
  const auto world = world_of(info);
  if (!world) return kLeft;
  v8::Local<v8::Value> value;
  if (!world->sandbox->GetRealNamedProperty(world->context, name).ToLocal(&value) &&
      !world->global->GetRealNamedProperty(world->context, name).ToLocal(&value)) {
    return kLeft;
  }
  // The sandbox itself never shows up in its context.
  if (value == world->sandbox) value = world->global;
  info.GetReturnValue().Set(value);
  return kTaken;
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

v8::Intercepted set(v8::Local<v8::Name> name, v8::Local<v8::Value> value,
                    const v8::PropertyCallbackInfo<void>& info) {
  const auto world = world_of(info);
  if (!world) return kLeft;
  v8::PropertyAttribute attributes = v8::None;
  const bool on_global =
      world->global->GetRealNamedPropertyAttributes(world->context, name).To(&attributes);
  bool read_only = on_global && is_read_only(attributes);
  const bool on_sandbox =
      world->sandbox->GetRealNamedPropertyAttributes(world->context, name).To(&attributes);
  read_only = read_only || (on_sandbox && is_read_only(attributes));
  if (read_only) return kLeft;
  if (!on_global && !on_sandbox && name->IsSymbol()) return kLeft;
  if (world->sandbox->Set(world->context, name, value).IsNothing()) return kLeft;
  // A setter has been called: the global must not get a property of its own.
  return on_sandbox && has_accessor(*world, name) ? kTaken : kLeft;
}

v8::Intercepted describe(v8::Local<v8::Name> name,
                         const v8::PropertyCallbackInfo<v8::Value>& info) {
  const auto world = world_of(info);
  v8::Local<v8::Value> descriptor;
  if (!world || !world->sandbox->HasOwnProperty(world->context, name).FromMaybe(false) ||
      !world->sandbox->GetOwnPropertyDescriptor(world->context, name).ToLocal(&descriptor)) {
    return kLeft;
  }
  info.GetReturnValue().Set(descriptor);
  return kTaken;
}

v8::Intercepted define(v8::Local<v8::Name> name, const v8::PropertyDescriptor& wanted,
                       const v8::PropertyCallbackInfo<void>& info) {
  const auto world = world_of(info);
  if (!world) return kLeft;
  v8::PropertyAttribute attributes = v8::None;
  const bool on_global =
      world->global->GetRealNamedPropertyAttributes(world->context, name).To(&attributes);
  // Neither to be changed on the global nor on the sandbox.
  if (on_global && is_read_only(attributes) && is_permanent(attributes)) return kLeft;

  const v8::Local<v8::Value> undefined = v8::Undefined(world->isolate);
  const auto apply = [&](v8::PropertyDescriptor&& descriptor) {
    if (wanted.has_enumerable()) descriptor.set_enumerable(wanted.enumerable());
    if (wanted.has_configurable()) descriptor.set_configurable(wanted.configurable());
    const auto defined = world->sandbox->DefineProperty(world->context, name, descriptor);
    return defined.FromMaybe(false) ? kTaken : kLeft;
  };
  if (wanted.has_get() || wanted.has_set()) {
    return apply(v8::PropertyDescriptor(wanted.has_get() ? wanted.get() : undefined,
                                        wanted.has_set() ? wanted.set() : undefined));
  }
  const v8::Local<v8::Value> value = wanted.has_value() ? wanted.value() : v8::Local<v8::Value>();
  if (wanted.has_writable()) return apply(v8::PropertyDescriptor(value, wanted.writable()));
  return wanted.has_value() ? apply(v8::PropertyDescriptor(value))
                            : apply(v8::PropertyDescriptor());
}

v8::Intercepted remove(v8::Local<v8::Name> name,
                       const v8::PropertyCallbackInfo<v8::Boolean>& info) {
  const auto world = world_of(info);
  if (!world || world->sandbox->Delete(world->context, name).FromMaybe(false)) return kLeft;
  // What the sandbox does not give up stays on the global as well.
  info.GetReturnValue().Set(false);
  return kTaken;
}

/// All names but indices; V8 asks query() which of them can be enumerated.
void enumerate(const v8::PropertyCallbackInfo<v8::Array>& info) {
  const auto world = world_of(info);
  v8::Local<v8::Array> names;
  if (world && world->sandbox
                   ->GetPropertyNames(world->context, v8::KeyCollectionMode::kOwnOnly,
                                      v8::ALL_PROPERTIES, v8::IndexFilter::kSkipIndices)
                   .ToLocal(&names)) {
    info.GetReturnValue().Set(names);
  }
}

void enumerate_indices(const v8::PropertyCallbackInfo<v8::Array>& info) {
  const auto world = world_of(info);
  v8::Local<v8::Array> names;
  if (!world || !world->sandbox
                     ->GetPropertyNames(world->context, v8::KeyCollectionMode::kOwnOnly,
                                        v8::SKIP_SYMBOLS, v8::IndexFilter::kIncludeIndices)
                     .ToLocal(&names)) {
    return;
  }
  std::vector<v8::Local<v8::Value>> indices;
  for (std::uint32_t i = 0; i < names->Length(); ++i) {
    v8::Local<v8::Value> name;
    if (!names->Get(world->context, i).ToLocal(&name)) return;
    if (name->IsNumber()) indices.push_back(name);
  }
  info.GetReturnValue().Set(v8::Array::New(world->isolate, indices.data(), indices.size()));
}

v8::Local<v8::Name> name_of(v8::Isolate* isolate, std::uint32_t index) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  return v8::Integer::NewFromUnsigned(isolate, index)->ToString(context).ToLocalChecked();
}

/// The same for an index.
template <auto callback, class... Arguments>
v8::Intercepted by_index(std::uint32_t index, Arguments... arguments) {
  return callback(name_of(v8::Isolate::GetCurrent(), index), arguments...);
}

v8::Local<v8::ObjectTemplate> global_template(Environment& environment,
                                              v8::Local<v8::Object> sandbox) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::FunctionTemplate> constructor = v8::FunctionTemplate::New(isolate);
  if (sandbox.IsEmpty()) return constructor->InstanceTemplate();
  constructor->SetClassName(sandbox->GetConstructorName());
  const v8::Local<v8::ObjectTemplate> shape = constructor->InstanceTemplate();
  using v8::Local;
  using v8::PropertyCallbackInfo;
  using v8::Value;
  // A property of the sandbox that cannot be deleted keeps a script from declaring its name.
  constexpr auto kFlags = static_cast<v8::PropertyHandlerFlags>(
      static_cast<int>(v8::PropertyHandlerFlags::kHasNoSideEffect) |
      static_cast<int>(v8::PropertyHandlerFlags::kHasDontDeleteProperty));
  shape->SetHandler(v8::NamedPropertyHandlerConfiguration(get, set, query, remove, enumerate,
                                                          define, describe, {}, kFlags));
  shape->SetHandler(v8::IndexedPropertyHandlerConfiguration(
      by_index<get, const PropertyCallbackInfo<Value>&>,
      by_index<set, Local<Value>, const PropertyCallbackInfo<void>&>,
      by_index<query, const PropertyCallbackInfo<v8::Integer>&>,
      by_index<remove, const PropertyCallbackInfo<v8::Boolean>&>, enumerate_indices,
      by_index<define, const v8::PropertyDescriptor&, const PropertyCallbackInfo<void>&>,
      by_index<describe, const PropertyCallbackInfo<Value>&>, {},
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
  if (context.IsEmpty()) return {};
  const v8::Local<v8::Object> global = context->Global();
  environment.promise_hooks().add(isolate, context);

  // Objects may be passed between the contexts freely.
  context->SetSecurityToken(environment.context()->GetSecurityToken());
  context->AllowCodeGenerationFromStrings(options.allow_strings);
  if (!options.allow_wasm) {
    isolate->SetAllowWasmCodeGenerationCallback(may_compile_wasm);
    context->SetEmbedderData(kForbidsWasm, v8::True(isolate));
  }
  if (Inspector* inspector = environment.inspector()) {
    inspector->add_context(context, options.name, options.origin);
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
    return v8::Undefined(v8::Isolate::GetCurrent());
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
