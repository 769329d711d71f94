// ES modules, for the loader in lib/ and node:vm, which know them by handles (module_table.h).
#include <string>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/engine/host/interrupts.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/errors/uncaught.h"
#include "runtime/glue/binding.h"
#include "runtime/modules/code_cache.h"
#include "runtime/modules/module_table.h"
#include "runtime/modules/sandbox.h"

namespace rondo {

namespace {

ModuleHandle& handle_of(const Arguments& args) {
  return ModuleHandle::at(args[0]);
}

std::int32_t number_of(v8::Local<v8::Value> value, std::int32_t otherwise) {
  return value->IsInt32() ? value.As<v8::Int32>()->Value() : otherwise;
}

/// (source, url; for node:vm also symbol, sandbox, line, column, bytes, each or undefined) -> the
/// handle, or undefined if the bytes are not those of the source.
void compile(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  v8::Local<v8::PrimitiveArray> options;
  if (args[2]->IsSymbol()) {
    options = v8::PrimitiveArray::New(isolate, 1);
    options->Set(isolate, 0, args[2].As<v8::Symbol>());
  }
  const v8::Local<v8::Context> context =
      sandbox_context(environment, args[3]).FromMaybe(environment.context());
  const v8::ScriptOrigin origin(args[1], number_of(args[4], 0), number_of(args[5], 0), false, -1,
                                {}, false, false, true, options);
  v8::ScriptCompiler::CachedData* data = to_cached_data(args[6]);
  v8::ScriptCompiler::Source source(args[0].As<v8::String>(), origin, data);
  const v8::Context::Scope scope(context);
  CompileCatch failure(isolate);
  v8::Local<v8::Module> module;
  if (!v8::ScriptCompiler::CompileModule(isolate, &source,
                                         data != nullptr ? v8::ScriptCompiler::kConsumeCodeCache
                                                         : v8::ScriptCompiler::kNoCompileOptions)
           .ToLocal(&module)) {
    throw_compile_error(environment, failure, false);
  } else if (data == nullptr || !source.GetCachedData()->rejected) {
    args.GetReturnValue().Set(ModuleHandle::make(environment, module, context).object());
  }
}

/// (handle) -> bytes. Before the module is evaluated.
void create_cached_data(const Arguments& args) {
  args.GetReturnValue().Set(
      to_bytes(args.GetIsolate(),
               std::unique_ptr<v8::ScriptCompiler::CachedData>(v8::ScriptCompiler::CreateCodeCache(
                   handle_of(args).module()->GetUnboundModuleScript()))));
}

/// (handle) -> what the module imports: a flat list of specifier, attributes (a list of names and
/// values, or undefined if there are none), phase
void requests(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const v8::Local<v8::FixedArray> list = handle_of(args).module()->GetModuleRequests();
  std::vector<v8::Local<v8::Value>> result;
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
  args.GetReturnValue().Set(v8::Array::New(isolate, result.data(), result.size()));
}

/// (handle, handles): the modules of the requests, in their order.
void link(const Arguments& args) {
  handle_of(args).set_links(args[1].As<v8::Array>());
}

/// (handle) -> whether link() was called.
void is_linked(const Arguments& args) {
  args.GetReturnValue().Set(!handle_of(args).links().IsEmpty());
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
void instantiate(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Context> context = handle_of(args).context();
  const v8::Context::Scope scope(context);
  v8::TryCatch failure(isolate);
  if (handle_of(args).module()->InstantiateModule(context, resolve, resolve_source).IsNothing()) {
    throw_compile_error(environment, failure, false);
  }
}

/// (handle; for node:vm also milliseconds, whether SIGINT ends it) -> a promise
void evaluate(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Module> module = handle_of(args).module();
  const v8::Local<v8::Context> context = handle_of(args).context();
  const v8::Context::Scope scope(context);
  v8::TryCatch failure(isolate);
  Limits limits(environment, number_of(args[1], -1), args[2]->IsTrue());
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
  if (limits.interrupted(failure)) return;
  v8::Local<v8::Value> promise;
  if (result.ToLocal(&promise)) {
    args.GetReturnValue().Set(promise);
  } else {
    failure.ReThrow();
  }
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
void create_synthetic(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Array> list = args[1].As<v8::Array>();
  std::vector<v8::Local<v8::String>> names;
  for (std::uint32_t i = 0; i < list->Length(); ++i) {
    names.push_back(list->Get(environment.context(), i).ToLocalChecked().As<v8::String>());
  }
  const v8::Local<v8::Context> context =
      sandbox_context(environment, args[3]).FromMaybe(environment.context());
  const v8::Context::Scope scope(context);
  ModuleHandle& handle =
      ModuleHandle::make(environment,
                         v8::Module::CreateSyntheticModule(isolate, args[0].As<v8::String>(),
                                                           {names.data(), names.size()}, run_steps),
                         context);
  handle.set_steps(args[2].As<v8::Function>());
  args.GetReturnValue().Set(handle.object());
}

/// (handle, name, value)
void set_export(const Arguments& args) {
  const v8::Local<v8::Module> module = handle_of(args).module();
  const auto done =
      module->SetSyntheticModuleExport(args.GetIsolate(), args[1].As<v8::String>(), args[2]);
  static_cast<void>(done.IsNothing());
}

void get_namespace(const Arguments& args) {
  args.GetReturnValue().Set(handle_of(args).module()->GetModuleNamespace());
}

void get_status(const Arguments& args) {
  args.GetReturnValue().Set(handle_of(args).module()->GetStatus());
}

void get_error(const Arguments& args) {
  args.GetReturnValue().Set(handle_of(args).module()->GetException());
}

/// (handle, object): what `import source` gives.
void set_source(const Arguments& args) {
  handle_of(args).set_source(args[1].As<v8::Object>());
}

/// (handle) -> the object, or undefined.
void get_source(const Arguments& args) {
  v8::Local<v8::Object> source;
  if (handle_of(args).source().ToLocal(&source)) args.GetReturnValue().Set(source);
}

/// (handle) -> whether its own text has a top-level await.
void has_top_level_await(const Arguments& args) {
  const v8::Local<v8::Module> module = handle_of(args).module();
  args.GetReturnValue().Set(module->IsSourceTextModule() && module->HasTopLevelAwait());
}

/// (handle) -> [sourceMappingURL, sourceURL], each a string or undefined.
void source_map_of(const Arguments& args) {
  const auto script = handle_of(args).module()->GetUnboundModuleScript();
  v8::Local<v8::Value> names[] = {script->GetSourceMappingURL(), script->GetSourceURL()};
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), names, std::size(names)));
}

/// (handle) -> for each top-level await that is still pending: its source location, line and
/// carets.
void stalled_awaits(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Module> module = handle_of(args).module();
  std::vector<v8::Local<v8::Value>> places;
  if (module->IsSourceTextModule() && module->GetStatus() >= v8::Module::kInstantiated &&
      module->GetStatus() != v8::Module::kErrored && module->IsGraphAsync()) {
    const auto [modules, messages] = module->GetStalledTopLevelAwaitMessages(isolate);
    for (const v8::Local<v8::Message>& message : messages) {
      places.push_back(environment.text(source_line(environment, message)));
    }
  }
  args.GetReturnValue().Set(v8::Array::New(isolate, places.data(), places.size()));
}

/// (handle) -> whether it, or what it imports, has a top-level await. After instantiate().
void is_graph_async(const Arguments& args) {
  args.GetReturnValue().Set(handle_of(args).module()->IsGraphAsync());
}

constexpr Method kMethods[] = {
    {"compile", compile},
    {"createCachedData", create_cached_data},
    {"requests", requests},
    {"link", link},
    {"isLinked", is_linked},
    {"instantiate", instantiate},
    {"evaluate", evaluate},
    {"createSynthetic", create_synthetic},
    {"setExport", set_export},
    {"getNamespace", get_namespace},
    {"getStatus", get_status},
    {"getError", get_error},
    {"isGraphAsync", is_graph_async},
    {"hasTopLevelAwait", has_top_level_await},
    {"stalledAwaits", stalled_awaits},
    {"sourceMapOf", source_map_of},
    {"setSource", set_source},
    {"getSource", get_source},
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
