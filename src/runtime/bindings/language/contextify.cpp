// node:vm: scripts, functions and the contexts they run in.
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/engine/host/interrupts.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"
#include "runtime/modules/code_cache.h"
#include "runtime/modules/sandbox.h"

namespace rondo {

namespace {

class CompiledScript final : public Wrapped {
 public:
  CompiledScript(Environment& environment, v8::Local<v8::Object> object,
                 v8::Local<v8::UnboundScript> script)
      : Wrapped(environment, object) {
    // Where the collector sees it: the script may lead back to `object`, by what it imports with.
    object->SetInternalField(kScript, script);
  }

  v8::Local<v8::UnboundScript> script() const {
    return object()->GetInternalField(kScript).As<v8::UnboundScript>();
  }

 private:
  static constexpr int kScript = 1;
};

using Values = std::vector<v8::Local<v8::Value>>;

/// What scripts and functions have in common: where the source is said to be, and what it may
/// import (a symbol, or undefined).
v8::ScriptOrigin make_origin(v8::Isolate* isolate, v8::Local<v8::Value> filename, std::int32_t line,
                             std::int32_t column, v8::Local<v8::Value> symbol) {
  v8::Local<v8::PrimitiveArray> options;
  if (symbol->IsSymbol()) {
    options = v8::PrimitiveArray::New(isolate, 1);
    options->Set(isolate, 0, symbol.As<v8::Symbol>());
  }
  return {filename, line, column, false, -1, {}, false, false, false, options};
}

/// compileScript(code, filename, line, column, symbol, cachedData, sandbox or undefined) ->
/// [handle, sourceMapURL, rejected or undefined, sourceURL]
std::optional<Values> compile_script(Environment& environment, v8::Local<v8::String> code,
                                     v8::Local<v8::Value> filename, std::int32_t line,
                                     std::int32_t column, v8::Local<v8::Value> symbol,
                                     v8::Local<v8::Value> cached_data,
                                     v8::Local<v8::Value> sandbox) {
  v8::Isolate* isolate = environment.isolate();
  v8::ScriptCompiler::CachedData* data = to_cached_data(cached_data);
  v8::ScriptCompiler::Source source(code, make_origin(isolate, filename, line, column, symbol),
                                    data);
  CompileCatch failure(isolate);
  v8::Local<v8::UnboundScript> script;
  // An error belongs to the context that the script is compiled for.
  const v8::Local<v8::Context> context =
      sandbox_context(environment, sandbox).FromMaybe(environment.context());
  bool compiled = false;
  {
    const v8::Context::Scope scope(context);
    compiled = v8::ScriptCompiler::CompileUnboundScript(isolate, &source,
                                                        data != nullptr
                                                            ? v8::ScriptCompiler::kConsumeCodeCache
                                                            : v8::ScriptCompiler::kNoCompileOptions)
                   .ToLocal(&script);
  }
  if (!compiled) {
    throw_compile_error(environment, failure, true);
    return {};
  }

  v8::Local<v8::Object> handle;
  if (!environment.new_holder().ToLocal(&handle)) return {};
  new CompiledScript(environment, handle, script);
  v8::Local<v8::Value> rejected = v8::Undefined(isolate);
  if (data != nullptr) rejected = v8::Boolean::New(isolate, source.GetCachedData()->rejected);
  return {{handle, script->GetSourceMappingURL(), rejected, script->GetSourceURL()}};
}

/// createCachedData(handle) -> bytes
v8::Local<v8::Value> create_cached_data(v8::Isolate* isolate, const CompiledScript& compiled) {
  return to_bytes(isolate, std::unique_ptr<v8::ScriptCompiler::CachedData>(
                               v8::ScriptCompiler::CreateCodeCache(compiled.script())));
}

/// runScript(handle, sandbox or null, timeout or -1, displayErrors, breakOnSigint) -> its value
v8::MaybeLocal<v8::Value> run_script(Environment& environment, const CompiledScript& compiled,
                                     v8::Local<v8::Value> sandbox, std::int64_t timeout_ms,
                                     bool displays_errors, bool breaks_on_sigint) {
  v8::Isolate* isolate = environment.isolate();
  v8::Local<v8::Context> context = environment.context();
  if (!sandbox->IsNull() && !sandbox_context(environment, sandbox).ToLocal(&context)) return {};

  const v8::Context::Scope scope(context);
  v8::TryCatch failure(isolate);
  Limits limits(environment, timeout_ms, breaks_on_sigint);
  const v8::MaybeLocal<v8::Value> result = compiled.script()->BindToCurrentContext()->Run(context);
  // Promises that the script left pending belong to its run, its time limit included.
  v8::MicrotaskQueue* queue = own_microtasks(context);
  if (queue != nullptr && !failure.HasTerminated()) {
    queue->PerformCheckpoint(isolate);
  }
  if (limits.interrupted(failure)) return {};
  if (result.IsEmpty() && failure.HasCaught()) {
    if (failure.HasTerminated()) {
      failure.ReThrow();
    } else {
      throw_compile_error(environment, failure, displays_errors);
    }
  }
  return result;
}

/// The elements of a list of strings or objects.
template <class T>
std::vector<v8::Local<T>> elements(v8::Local<v8::Context> context, v8::Local<v8::Value> list) {
  std::vector<v8::Local<T>> result;
  if (!list->IsArray()) return result;
  const v8::Local<v8::Array> array = list.As<v8::Array>();
  for (std::uint32_t i = 0; i < array->Length(); ++i) {
    result.push_back(array->Get(context, i).ToLocalChecked().As<T>());
  }
  return result;
}

/// compileFunction(code, filename, line, column, symbol, cachedData, sandbox or undefined,
/// parameters, extensions, produceCachedData) -> [function, rejected, produced bytes]
std::optional<Values> compile_function(Environment& environment, v8::Local<v8::String> code,
                                       v8::Local<v8::Value> filename, std::int32_t line,
                                       std::int32_t column, v8::Local<v8::Value> symbol,
                                       v8::Local<v8::Value> cached_data,
                                       v8::Local<v8::Value> sandbox,
                                       v8::Local<v8::Value> parameter_list,
                                       v8::Local<v8::Value> extension_list,
                                       bool produces_cached_data) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Context> context =
      sandbox_context(environment, sandbox).FromMaybe(environment.context());
  std::vector<v8::Local<v8::String>> parameters =
      elements<v8::String>(environment.context(), parameter_list);
  std::vector<v8::Local<v8::Object>> extensions =
      elements<v8::Object>(environment.context(), extension_list);
  v8::ScriptCompiler::CachedData* data = to_cached_data(cached_data);
  v8::ScriptCompiler::Source source(code, make_origin(isolate, filename, line, column, symbol),
                                    data);

  const v8::Context::Scope scope(context);
  CompileCatch failure(isolate);
  v8::Local<v8::Function> function;
  if (!v8::ScriptCompiler::CompileFunction(context, &source, parameters.size(), parameters.data(),
                                           extensions.size(), extensions.data(),
                                           data != nullptr ? v8::ScriptCompiler::kConsumeCodeCache
                                                           : v8::ScriptCompiler::kNoCompileOptions)
           .ToLocal(&function)) {
    throw_compile_error(environment, failure, true);
    return {};
  }
  v8::Local<v8::Value> rejected = v8::Undefined(isolate);
  if (data != nullptr) rejected = v8::Boolean::New(isolate, source.GetCachedData()->rejected);
  v8::Local<v8::Value> produced = v8::Undefined(isolate);
  if (produces_cached_data) {
    const v8::Context::Scope main(environment.context());
    produced = to_bytes(isolate, std::unique_ptr<v8::ScriptCompiler::CachedData>(
                                     v8::ScriptCompiler::CreateCodeCacheForFunction(function)));
  }
  return {{function, rejected, produced}};
}

/// makeContext(sandbox or undefined, strings, wasm, own microtasks, symbol, name, origin) -> the
/// global object
v8::MaybeLocal<v8::Object> make_context(Environment& environment, v8::Local<v8::Value> object,
                                        bool allows_strings, bool allows_wasm,
                                        bool has_own_microtasks, v8::Local<v8::Value> imports,
                                        v8::Local<v8::String> name, v8::Local<v8::String> origin) {
  const v8::Local<v8::Object> sandbox =
      object->IsObject() ? object.As<v8::Object>() : v8::Local<v8::Object>();
  return make_sandbox(environment, sandbox,
                      {.allow_strings = allows_strings,
                       .allow_wasm = allows_wasm,
                       .imports = imports,
                       .name = name,
                       .origin = origin,
                       .own_microtasks = has_own_microtasks});
}

bool is_context(Environment& environment, v8::Local<v8::Value> object) {
  return !sandbox_context(environment, object).IsEmpty();
}

/// measureMemory(detailed, eager) -> a promise
v8::MaybeLocal<v8::Promise> measure_memory(Environment& environment, bool in_detail, bool eagerly) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Context> context = environment.context();
  v8::Local<v8::Promise::Resolver> resolver;
  if (!v8::Promise::Resolver::New(context).ToLocal(&resolver)) return {};
  isolate->MeasureMemory(
      v8::MeasureMemoryDelegate::Default(
          isolate, context, resolver,
          in_detail ? v8::MeasureMemoryMode::kDetailed : v8::MeasureMemoryMode::kSummary),
      eagerly ? v8::MeasureMemoryExecution::kEager : v8::MeasureMemoryExecution::kDefault);
  return resolver->GetPromise();
}

constexpr Method kMethods[] = {
    method<compile_script>("compileScript"), method<create_cached_data>("createCachedData"),
    method<run_script>("runScript"),         method<compile_function>("compileFunction"),
    method<make_context>("makeContext"),     method<is_context>("isContext"),
    method<measure_memory>("measureMemory"),
};

}  // namespace

extern const Binding binding_contextify;
const Binding binding_contextify{"contextify", kMethods};

}  // namespace rondo
