// ES modules, for the loader in lib/: modules are numbers here (module_table.h).
#include <string>
#include <vector>

#include "runtime/binding.h"
#include "runtime/code_cache.h"
#include "runtime/compile_errors.h"
#include "runtime/environment.h"
#include "runtime/interrupts.h"
#include "runtime/module_table.h"
#include "runtime/sandbox.h"
#include "runtime/uncaught.h"

namespace rondo {

namespace {

int id_of(const Arguments& args) {
  return args[0].As<v8::Int32>()->Value();
}

std::int32_t number_of(v8::Local<v8::Value> value, std::int32_t otherwise) {
  return value->IsInt32() ? value.As<v8::Int32>()->Value() : otherwise;
}

/// (source, url; for node:vm also symbol, sandbox, line, column, bytes, each or undefined) -> id,
/// or -1 if the bytes are not those of the source.
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
  const v8::ScriptOrigin origin(args[1], number_of(args[4], 0), number_of(args[5], 0),
                                false, -1, {}, false, false, true, options);
  v8::ScriptCompiler::CachedData* data = to_cached_data(args[6]);
  v8::ScriptCompiler::Source source(args[0].As<v8::String>(), origin, data);
  const v8::Context::Scope scope(context);
  v8::TryCatch failure(isolate);
  v8::Local<v8::Module> module;
  if (!v8::ScriptCompiler::CompileModule(isolate, &source,
                                         data != nullptr ? v8::ScriptCompiler::kConsumeCodeCache
                                                         : v8::ScriptCompiler::kNoCompileOptions)
           .ToLocal(&module)) {
    throw_compile_error(environment, failure, false);
  } else if (data != nullptr && source.GetCachedData()->rejected) {
    args.GetReturnValue().Set(-1);
  } else {
    args.GetReturnValue().Set(ModuleTable::of(environment).add(module, context));
  }
}

/// (id) -> bytes. Before the module is evaluated.
void create_cached_data(const Arguments& args) {
  ModuleTable& table = ModuleTable::of(Environment::of(args.GetIsolate()));
  args.GetReturnValue().Set(
      to_bytes(args.GetIsolate(),
               std::unique_ptr<v8::ScriptCompiler::CachedData>(v8::ScriptCompiler::CreateCodeCache(
                   table.module(id_of(args))->GetUnboundModuleScript()))));
}

/// (id) -> what the module imports: a flat list of specifier, attributes (a list of names and
/// values, or undefined if there are none), phase
void requests(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::FixedArray> list =
      ModuleTable::of(environment).module(id_of(args))->GetModuleRequests();
  std::vector<v8::Local<v8::Value>> result;
  result.reserve(static_cast<std::size_t>(list->Length()) * 3);
  for (int i = 0; i < list->Length(); ++i) {
    const v8::Local<v8::ModuleRequest> request = list->Get(i).As<v8::ModuleRequest>();
    const v8::Local<v8::FixedArray> assertions = request->GetImportAttributes();
    v8::Local<v8::Value> attributes = v8::Undefined(isolate);
    if (assertions->Length() > 0) {
      // Name, value and place of each.
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

/// (id, ids): what the requests stand for, in their order.
void link(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const v8::Local<v8::Array> ids = args[1].As<v8::Array>();
  ModuleTable::Entry& entry = ModuleTable::of(environment)[id_of(args)];
  entry.links.clear();
  for (std::uint32_t i = 0; i < ids->Length(); ++i) {
    const v8::Local<v8::Value> id = ids->Get(environment.context(), i).ToLocalChecked();
    entry.links.push_back(id.As<v8::Int32>()->Value());
  }
}

/// What a request was linked to; negative, with an exception, if nothing.
int find_link(v8::Isolate* isolate, std::size_t index, v8::Local<v8::Module> referrer) {
  Environment& environment = Environment::of(isolate);
  ModuleTable& table = ModuleTable::of(environment);
  const int id = table.find(referrer);
  if (id >= 0 && index < table[id].links.size()) return table[id].links[index];
  const v8::HandleScope scope(isolate);
  const v8::Local<v8::FixedArray> list = referrer->GetModuleRequests();
  const v8::String::Utf8Value specifier(
      isolate, list->Get(static_cast<int>(index)).As<v8::ModuleRequest>()->GetSpecifier());
  environment.throw_(environment.error(
      "ERR_VM_MODULE_LINK_FAILURE",
      "request for '" + std::string(*specifier != nullptr ? *specifier : "") + "' is not yet fulfilled"));
  return -1;
}

v8::MaybeLocal<v8::Module> resolve(v8::Local<v8::Context> /*context*/, std::size_t index,
                                   v8::Local<v8::Module> referrer) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  const int id = find_link(isolate, index, referrer);
  if (id < 0) return {};
  return ModuleTable::of(Environment::of(isolate)).module(id);
}

/// import source: the object that stands for the source of a module.
v8::MaybeLocal<v8::Object> resolve_source(v8::Local<v8::Context> /*context*/, std::size_t index,
                                          v8::Local<v8::Module> referrer) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  Environment& environment = Environment::of(isolate);
  const int id = find_link(isolate, index, referrer);
  if (id < 0) return {};
  const v8::Global<v8::Object>& source = ModuleTable::of(environment)[id].source;
  if (!source.IsEmpty()) return source.Get(isolate);
  const v8::String::Utf8Value url(isolate,
                                  ModuleTable::of(environment).module(id)->GetResourceName());
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

/// (id): throws if an import does not fit an export, with the place kept.
void instantiate(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  ModuleTable& table = ModuleTable::of(environment);
  const v8::Local<v8::Context> context = table.context(id_of(args));
  const v8::Context::Scope scope(context);
  v8::TryCatch failure(isolate);
  if (table.module(id_of(args))->InstantiateModule(context, resolve, resolve_source).IsNothing()) {
    throw_compile_error(environment, failure, false);
  }
}

/// (id; for node:vm also milliseconds, whether SIGINT ends it) -> a promise
void evaluate(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  ModuleTable& table = ModuleTable::of(environment);
  const v8::Local<v8::Module> module = table.module(id_of(args));
  const v8::Local<v8::Context> context = table.context(id_of(args));
  const v8::Context::Scope scope(context);
  v8::TryCatch failure(isolate);
  Limits limits(environment, number_of(args[1], -1), args[2]->IsTrue());
  const v8::MaybeLocal<v8::Value> result = module->Evaluate(context);
  if (v8::MicrotaskQueue* queue = own_microtasks(context); queue != nullptr) {
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
  ModuleTable& table = ModuleTable::of(environment);
  const v8::Local<v8::Function> steps = table[table.find(module)].steps.Get(isolate);
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

/// (url, names, steps; for node:vm also sandbox) -> id: a module whose exports steps() sets.
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
  ModuleTable& table = ModuleTable::of(environment);
  const int id = table.add(
      v8::Module::CreateSyntheticModule(isolate, args[0].As<v8::String>(),
                                        {names.data(), names.size()}, run_steps),
      context);
  table[id].steps.Reset(isolate, args[2].As<v8::Function>());
  args.GetReturnValue().Set(id);
}

/// (id, name, value)
void set_export(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const v8::Local<v8::Module> module = ModuleTable::of(environment).module(id_of(args));
  const auto done =
      module->SetSyntheticModuleExport(args.GetIsolate(), args[1].As<v8::String>(), args[2]);
  static_cast<void>(done.IsNothing());
}

void get_namespace(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  args.GetReturnValue().Set(ModuleTable::of(environment).module(id_of(args))->GetModuleNamespace());
}

void get_status(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  args.GetReturnValue().Set(ModuleTable::of(environment).module(id_of(args))->GetStatus());
}

void get_error(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  args.GetReturnValue().Set(ModuleTable::of(environment).module(id_of(args))->GetException());
}

/// (id, object): what `import source` gives.
void set_source(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  ModuleTable::of(environment)[id_of(args)].source.Reset(args.GetIsolate(),
                                                         args[1].As<v8::Object>());
}

/// (id) -> the object, or undefined.
void get_source(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const v8::Global<v8::Object>& source = ModuleTable::of(environment)[id_of(args)].source;
  if (!source.IsEmpty()) args.GetReturnValue().Set(source.Get(args.GetIsolate()));
}

/// (id) -> whether its own text has a top-level await.
void has_top_level_await(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const v8::Local<v8::Module> module = ModuleTable::of(environment).module(id_of(args));
  args.GetReturnValue().Set(module->IsSourceTextModule() && module->HasTopLevelAwait());
}

/// (id) -> for each top-level await that is still pending: its place, the line, its carets.
void stalled_awaits(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Module> module = ModuleTable::of(environment).module(id_of(args));
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

/// (id) -> whether it, or what it imports, has a top-level await. After instantiate().
void is_graph_async(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  args.GetReturnValue().Set(ModuleTable::of(environment).module(id_of(args))->IsGraphAsync());
}

constexpr Method kMethods[] = {
    {"compile", compile},
    {"createCachedData", create_cached_data},
    {"requests", requests},
    {"link", link},
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
