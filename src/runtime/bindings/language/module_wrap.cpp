// ES modules, for the loader in lib/ and node:vm, which know them by handles (module_table.h).
#include <string>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/engine/host/interrupts.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/errors/uncaught.h"
#include "runtime/glue/typed_method.h"
#include "runtime/modules/code_cache.h"
#include "runtime/modules/module_table.h"
#include "runtime/modules/sandbox.h"

namespace rondo {

namespace {

using Handle = v8::Local<v8::Value>;
using Values = std::vector<v8::Local<v8::Value>>;

std::int32_t number_of(v8::Local<v8::Value> value, std::int32_t otherwise) {
  return value->IsInt32() ? value.As<v8::Int32>()->Value() : otherwise;
}

/// (source, url; for node:vm also symbol, sandbox, line, column, bytes, each or undefined) -> the
/// handle, or undefined if the bytes are not those of the source.
v8::MaybeLocal<v8::Object> compile(Environment& environment, v8::Local<v8::String> text,
                                   v8::Local<v8::Value> url, v8::Local<v8::Value> symbol,
                                   v8::Local<v8::Value> sandbox, v8::Local<v8::Value> line,
                                   v8::Local<v8::Value> column, v8::Local<v8::Value> bytes) {
  v8::Isolate* isolate = environment.isolate();
  v8::Local<v8::PrimitiveArray> options;
  if (symbol->IsSymbol()) {
    options = v8::PrimitiveArray::New(isolate, 1);
    options->Set(isolate, 0, symbol.As<v8::Symbol>());
  }
  const v8::Local<v8::Context> context =
      sandbox_context(environment, sandbox).FromMaybe(environment.context());
  const v8::ScriptOrigin origin(url, number_of(line, 0), number_of(column, 0), false, -1, {}, false,
                                false, true, options);
  v8::ScriptCompiler::CachedData* data = to_cached_data(bytes);
  v8::ScriptCompiler::Source source(text, origin, data);
  const v8::Context::Scope scope(context);
  CompileCatch failure(isolate);
  v8::Local<v8::Module> module;
  if (!v8::ScriptCompiler::CompileModule(isolate, &source,
                                         data != nullptr ? v8::ScriptCompiler::kConsumeCodeCache
                                                         : v8::ScriptCompiler::kNoCompileOptions)
           .ToLocal(&module)) {
    throw_compile_error(environment, failure, false);
    return {};
  }
  if (data != nullptr && source.GetCachedData()->rejected) return {};
  return ModuleHandle::make(environment, module, context).object();
}

/// (handle) -> bytes. Before the module is evaluated.
v8::Local<v8::Value> create_cached_data(v8::Isolate* isolate, Handle handle) {
  return to_bytes(
      isolate, std::unique_ptr<v8::ScriptCompiler::CachedData>(v8::ScriptCompiler::CreateCodeCache(
                   ModuleHandle::at(handle).module()->GetUnboundModuleScript())));
}

/// (handle) -> what the module imports: a flat list of specifier, attributes (a list of names and
/// values, or undefined if there are none), phase
Values requests(v8::Isolate* isolate, Handle handle) {
  const v8::Local<v8::FixedArray> list = ModuleHandle::at(handle).module()->GetModuleRequests();
  Values result;
  result.reserve(static_cast<std::size_t>(list->Length()) * 3);
  for (int i = 0; i < list->Length(); ++i) {
    const v8::Local<v8::ModuleRequest> request = list->Get(i).As<v8::ModuleRequest>();
    const v8::Local<v8::FixedArray> assertions = request->GetImportAttributes();
    v8::Local<v8::Value> attributes = v8::Undefined(isolate);
    if (assertions->Length() > 0) {
      // Name, value and source location of each.
      std::vector<v8::Local<v8::Value>> pairs;
      for (int j = 0; j < assertions->Length(); j += 3) {
        pairs.push_back(assertions->Get(j).As<v8::Value>());
        pairs.push_back(assertions->Get(j + 1).As<v8::Value>());
      }
      attributes = v8::Array::New(isolate, pairs.data(), pairs.size());
    }
    result.push_back(request->GetSpecifier());
    result.push_back(attributes);
    result.push_back(v8::Integer::New(isolate, static_cast<int>(request->GetPhase())));
  }
  return result;
}

/// (handle, handles): the modules of the requests, in their order.
void link(Handle handle, v8::Local<v8::Array> handles) {
  ModuleHandle::at(handle).set_links(handles);
}

/// (handle) -> whether link() was called.
bool is_linked(Handle handle) {
  return !ModuleHandle::at(handle).links().IsEmpty();
}

/// What a request was linked to; null, with an exception, if nothing.
ModuleHandle* find_link(v8::Isolate* isolate, std::size_t index, v8::Local<v8::Module> referrer) {
  Environment& environment = Environment::of(isolate);
  const v8::HandleScope scope(isolate);
  const ModuleHandle* handle = ModuleHandle::of(environment, referrer);
  v8::Local<v8::Array> links;
  v8::Local<v8::Value> link;
  if (handle != nullptr && handle->links().ToLocal(&links) && index < links->Length() &&
      links->Get(environment.context(), static_cast<std::uint32_t>(index)).ToLocal(&link)) {
    return &ModuleHandle::at(link);
  }
  const v8::Local<v8::FixedArray> list = referrer->GetModuleRequests();
  const v8::String::Utf8Value specifier(
      isolate, list->Get(static_cast<int>(index)).As<v8::ModuleRequest>()->GetSpecifier());
  const auto text = [](const v8::String::Utf8Value& value) {
    return std::string(*value != nullptr ? *value : "");
  };
  const v8::String::Utf8Value url(isolate, referrer->GetResourceName());
  environment.throw_(
      environment.error("ERR_VM_MODULE_LINK_FAILURE", "request for '" + text(specifier) +
                                                          "' can not be resolved on module '" +
                                                          text(url) + "' that is not linked"));
  return nullptr;
}

v8::MaybeLocal<v8::Module> resolve(v8::Local<v8::Context> /*context*/, std::size_t index,
                                   v8::Local<v8::Module> referrer) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  const ModuleHandle* handle = find_link(isolate, index, referrer);
  if (handle == nullptr) return {};
  return handle->module();
}

/// import source: the object for the source of a module.
v8::MaybeLocal<v8::Object> resolve_source(v8::Local<v8::Context> /*context*/, std::size_t index,
                                          v8::Local<v8::Module> referrer) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  Environment& environment = Environment::of(isolate);
  const ModuleHandle* handle = find_link(isolate, index, referrer);
  if (handle == nullptr) return {};
  v8::Local<v8::Object> source;
  if (handle->source().ToLocal(&source)) return source;
  const v8::String::Utf8Value url(isolate, handle->module()->GetResourceName());
  const v8::Local<v8::Value> error = v8::Exception::SyntaxError(
      environment.text("Source phase import object is not defined for module '" +
                       std::string(*url != nullptr ? *url : "") + "'"));
  error.As<v8::Object>()
      ->Set(environment.context(), environment.name("code"),
            environment.text("ERR_SOURCE_PHASE_NOT_DEFINED"))
      .Check();
  isolate->ThrowException(error);
  return {};
}

/// (handle): throws if an import does not match an export, with the source location kept.
void instantiate(Environment& environment, Handle handle) {
  const v8::Local<v8::Context> context = ModuleHandle::at(handle).context();
  const v8::Context::Scope scope(context);
  v8::TryCatch failure(environment.isolate());
  if (ModuleHandle::at(handle)
          .module()
          ->InstantiateModule(context, resolve, resolve_source)
          .IsNothing()) {
    throw_compile_error(environment, failure, false);
  }
}

/// (handle; for node:vm also milliseconds, whether SIGINT ends it) -> a promise
v8::MaybeLocal<v8::Value> evaluate(Environment& environment, Handle handle,
                                   v8::Local<v8::Value> timeout_ms, bool ends_by_sigint) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Module> module = ModuleHandle::at(handle).module();
  const v8::Local<v8::Context> context = ModuleHandle::at(handle).context();
  const v8::Context::Scope scope(context);
  v8::TryCatch failure(isolate);
  Limits limits(environment, number_of(timeout_ms, -1), ends_by_sigint);
  v8::MaybeLocal<v8::Value> result = module->Evaluate(context);
  v8::MicrotaskQueue* queue = own_microtasks(context);
  if (queue != nullptr && !failure.HasTerminated()) {
    // The caller gets a promise of its own context: to await one of this context would take a
    // microtask in this context's queue, which runs only now.
    v8::Local<v8::Value> inner;
    v8::Local<v8::Promise::Resolver> outer;
    if (result.ToLocal(&inner) &&
        v8::Promise::Resolver::New(environment.context()).ToLocal(&outer) &&
        outer->Resolve(environment.context(), inner).FromMaybe(false)) {
      result = outer->GetPromise();
    }
    queue->PerformCheckpoint(isolate);
  }
  if (limits.interrupted(failure)) return {};
  if (result.IsEmpty()) failure.ReThrow();
  return result;
}

v8::MaybeLocal<v8::Value> run_steps(v8::Local<v8::Context> context, v8::Local<v8::Module> module) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Function> steps = ModuleHandle::of(environment, module)->steps();
  // V8 wants an exception to be thrown here, not only to have been thrown further in.
  v8::TryCatch failure(isolate);
  v8::Local<v8::Promise::Resolver> resolver;
  if (steps->Call(context, v8::Undefined(isolate), 0, nullptr).IsEmpty() ||
      !v8::Promise::Resolver::New(context).ToLocal(&resolver) ||
      resolver->Resolve(context, v8::Undefined(isolate)).IsNothing()) {
    failure.ReThrow();
    return {};
  }
  return resolver->GetPromise();
}

/// (url, names, steps; for node:vm also sandbox) -> handle: a module whose exports steps() sets.
v8::Local<v8::Object> create_synthetic(Environment& environment, v8::Local<v8::String> url,
                                       v8::Local<v8::Array> list, v8::Local<v8::Function> steps,
                                       v8::Local<v8::Value> sandbox) {
  std::vector<v8::Local<v8::String>> names;
  for (std::uint32_t i = 0; i < list->Length(); ++i) {
    names.push_back(list->Get(environment.context(), i).ToLocalChecked().As<v8::String>());
  }
  const v8::Local<v8::Context> context =
      sandbox_context(environment, sandbox).FromMaybe(environment.context());
  const v8::Context::Scope scope(context);
  ModuleHandle& handle =
      ModuleHandle::make(environment,
                         v8::Module::CreateSyntheticModule(environment.isolate(), url,
                                                           {names.data(), names.size()}, run_steps),
                         context);
  handle.set_steps(steps);
  return handle.object();
}

/// (handle, name, value)
void set_export(v8::Isolate* isolate, Handle handle, v8::Local<v8::String> name,
                v8::Local<v8::Value> value) {
  const v8::Local<v8::Module> module = ModuleHandle::at(handle).module();
  static_cast<void>(module->SetSyntheticModuleExport(isolate, name, value).IsNothing());
}

v8::Local<v8::Value> get_namespace(Handle handle) {
  return ModuleHandle::at(handle).module()->GetModuleNamespace();
}

std::int32_t get_status(Handle handle) {
  return ModuleHandle::at(handle).module()->GetStatus();
}

v8::Local<v8::Value> get_error(Handle handle) {
  return ModuleHandle::at(handle).module()->GetException();
}

/// (handle, object): what `import source` gives.
void set_source(Handle handle, v8::Local<v8::Object> source) {
  ModuleHandle::at(handle).set_source(source);
}

/// (handle) -> the object, or undefined.
v8::MaybeLocal<v8::Object> get_source(Handle handle) {
  return ModuleHandle::at(handle).source();
}

/// (handle) -> whether its own text has a top-level await.
bool has_top_level_await(Handle handle) {
  const v8::Local<v8::Module> module = ModuleHandle::at(handle).module();
  return module->IsSourceTextModule() && module->HasTopLevelAwait();
}

/// (handle) -> [sourceMappingURL, sourceURL], each a string or undefined.
Values source_map_of(Handle handle) {
  const auto script = ModuleHandle::at(handle).module()->GetUnboundModuleScript();
  return {script->GetSourceMappingURL(), script->GetSourceURL()};
}

/// (handle) -> for each top-level await that is still pending: its source location, line and
/// carets.
Values stalled_awaits(Environment& environment, Handle handle) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Module> module = ModuleHandle::at(handle).module();
  Values lines;
  if (module->IsSourceTextModule() && module->GetStatus() >= v8::Module::kInstantiated &&
      module->GetStatus() != v8::Module::kErrored && module->IsGraphAsync()) {
    const auto [modules, messages] = module->GetStalledTopLevelAwaitMessages(isolate);
    for (const v8::Local<v8::Message>& message : messages) {
      lines.push_back(environment.text(source_line(environment, message)));
    }
  }
  return lines;
}

/// (handle) -> whether it, or what it imports, has a top-level await. After instantiate().
bool is_graph_async(Handle handle) {
  return ModuleHandle::at(handle).module()->IsGraphAsync();
}

constexpr Method kMethods[] = {
    method<compile>("compile"),
    method<create_cached_data>("createCachedData"),
    method<requests>("requests"),
    method<link>("link"),
    method<is_linked>("isLinked"),
    method<instantiate>("instantiate"),
    method<evaluate>("evaluate"),
    method<create_synthetic>("createSynthetic"),
    method<set_export>("setExport"),
    method<get_namespace>("getNamespace"),
    method<get_status>("getStatus"),
    method<get_error>("getError"),
    method<is_graph_async>("isGraphAsync"),
    method<has_top_level_await>("hasTopLevelAwait"),
    method<stalled_awaits>("stalledAwaits"),
    method<source_map_of>("sourceMapOf"),
    method<set_source>("setSource"),
    method<get_source>("getSource"),
};

void add_constants(Environment& environment, v8::Local<v8::Object> target) {
  set_value(environment, target, "kUninstantiated", v8::Module::kUninstantiated);
  set_value(environment, target, "kInstantiating", v8::Module::kInstantiating);
  set_value(environment, target, "kInstantiated", v8::Module::kInstantiated);
  set_value(environment, target, "kEvaluating", v8::Module::kEvaluating);
  set_value(environment, target, "kEvaluated", v8::Module::kEvaluated);
  set_value(environment, target, "kErrored", v8::Module::kErrored);
  set_value(environment, target, "kSourcePhase", static_cast<int>(v8::ModuleImportPhase::kSource));
  set_value(environment, target, "kEvaluationPhase",
            static_cast<int>(v8::ModuleImportPhase::kEvaluation));
}

}  // namespace

extern const Binding binding_module_wrap;
const Binding binding_module_wrap{"module_wrap", kMethods, add_constants};

}  // namespace rondo
