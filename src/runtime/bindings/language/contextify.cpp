// node:vm: scripts, functions and the contexts they run in.
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/engine/host/interrupts.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/glue/binding.h"
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

/// What scripts and functions have in common: where the source is said to be, and what it may
/// import. In the arguments: filename, line, column, symbol or undefined, from `first` on.
v8::ScriptOrigin origin_of(const Arguments& args, int first) {
  v8::Isolate* isolate = args.GetIsolate();
  v8::Local<v8::PrimitiveArray> options;
  if (args[first + 3]->IsSymbol()) {
    options = v8::PrimitiveArray::New(isolate, 1);
    options->Set(isolate, 0, args[first + 3].As<v8::Symbol>());
  }
  return {args[first],
          args[first + 1].As<v8::Int32>()->Value(),
          args[first + 2].As<v8::Int32>()->Value(),
          false,
          -1,
          {},
          false,
          false,
          false,
          options};
}

/// compileScript(code, filename, line, column, symbol, cachedData, sandbox or undefined) ->
/// [handle, sourceMapURL, rejected or undefined, sourceURL]
void compile_script(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  v8::ScriptCompiler::CachedData* data = to_cached_data(args[5]);
  v8::ScriptCompiler::Source source(args[0].As<v8::String>(), origin_of(args, 1), data);
  CompileCatch failure(isolate);
  v8::Local<v8::UnboundScript> script;
  // An error belongs to the context that the script is compiled for.
  const v8::Local<v8::Context> context =
      sandbox_context(environment, args[6]).FromMaybe(environment.context());
  bool compiled = false;
  {
    const v8::Context::Scope scope(context);
    compiled = v8::ScriptCompiler::CompileUnboundScript(isolate, &source,
                                                        data != nullptr
                                                            ? v8::ScriptCompiler::kConsumeCodeCache
                                                            : v8::ScriptCompiler::kNoCompileOptions)
                   .ToLocal(&script);
  }
  if (!compiled) return throw_compile_error(environment, failure, true);

  v8::Local<v8::Object> handle;
  if (!environment.new_holder().ToLocal(&handle)) return;
  new CompiledScript(environment, handle, script);
  v8::Local<v8::Value> rejected = v8::Undefined(isolate);
  if (data != nullptr) rejected = v8::Boolean::New(isolate, source.GetCachedData()->rejected);
  v8::Local<v8::Value> result[] = {handle, script->GetSourceMappingURL(), rejected,
                                   script->GetSourceURL()};
  args.GetReturnValue().Set(v8::Array::New(isolate, result, std::size(result)));
}

/// createCachedData(handle) -> bytes
void create_cached_data(const Arguments& args) {
  const auto* script = Wrapped::from<CompiledScript>(args[0]);
  args.GetReturnValue().Set(
      to_bytes(args.GetIsolate(), std::unique_ptr<v8::ScriptCompiler::CachedData>(
                                      v8::ScriptCompiler::CreateCodeCache(script->script()))));
}

/// runScript(handle, sandbox or null, timeout or -1, displayErrors, breakOnSigint) -> its value
void run_script(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const auto* compiled = Wrapped::from<CompiledScript>(args[0]);
  v8::Local<v8::Context> context = environment.context();
  if (!args[1]->IsNull() && !sandbox_context(environment, args[1]).ToLocal(&context)) return;
  const auto timeout_ms = static_cast<std::int64_t>(args[2].As<v8::Number>()->Value());

  const v8::Context::Scope scope(context);
  v8::TryCatch failure(isolate);
  Limits limits(environment, timeout_ms, args[4]->IsTrue());
  const v8::MaybeLocal<v8::Value> result = compiled->script()->BindToCurrentContext()->Run(context);
  // Promises that the script left pending belong to its run, its time limit included.
  v8::MicrotaskQueue* queue = own_microtasks(context);
  if (queue != nullptr && !failure.HasTerminated()) {
    queue->PerformCheckpoint(isolate);
  }
  if (limits.interrupted(failure)) return;
  v8::Local<v8::Value> value;
  if (result.ToLocal(&value)) {
    args.GetReturnValue().Set(value);
  } else if (failure.HasCaught()) {
    if (failure.HasTerminated()) {
      failure.ReThrow();
    } else {
      throw_compile_error(environment, failure, args[3]->IsTrue());
    }
  }
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
void compile_function(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Context> context =
      sandbox_context(environment, args[6]).FromMaybe(environment.context());
  std::vector<v8::Local<v8::String>> parameters =
      elements<v8::String>(environment.context(), args[7]);
  std::vector<v8::Local<v8::Object>> extensions =
      elements<v8::Object>(environment.context(), args[8]);
  v8::ScriptCompiler::CachedData* data = to_cached_data(args[5]);
  v8::ScriptCompiler::Source source(args[0].As<v8::String>(), origin_of(args, 1), data);

  const v8::Context::Scope scope(context);
  CompileCatch failure(isolate);
  v8::Local<v8::Function> function;
  if (!v8::ScriptCompiler::CompileFunction(context, &source, parameters.size(), parameters.data(),
                                           extensions.size(), extensions.data(),
                                           data != nullptr ? v8::ScriptCompiler::kConsumeCodeCache
                                                           : v8::ScriptCompiler::kNoCompileOptions)
           .ToLocal(&function)) {
    return throw_compile_error(environment, failure, true);
  }
  v8::Local<v8::Value> rejected = v8::Undefined(isolate);
  if (data != nullptr) rejected = v8::Boolean::New(isolate, source.GetCachedData()->rejected);
  v8::Local<v8::Value> produced = v8::Undefined(isolate);
  if (args[9]->IsTrue()) {
    const v8::Context::Scope main(environment.context());
    produced = to_bytes(isolate, std::unique_ptr<v8::ScriptCompiler::CachedData>(
                                     v8::ScriptCompiler::CreateCodeCacheForFunction(function)));
  }
  v8::Local<v8::Value> result[] = {function, rejected, produced};
  const v8::Context::Scope main(environment.context());
  args.GetReturnValue().Set(v8::Array::New(isolate, result, std::size(result)));
}

/// makeContext(sandbox or undefined, strings, wasm, own microtasks, symbol) -> the global object
void make_context(const Arguments& args) {
  const v8::Local<v8::Object> sandbox =
      args[0]->IsObject() ? args[0].As<v8::Object>() : v8::Local<v8::Object>();
  v8::Local<v8::Object> global;
  if (make_sandbox(Environment::of(args.GetIsolate()), sandbox,
                   {.allow_strings = args[1]->IsTrue(),
                    .allow_wasm = args[2]->IsTrue(),
                    .imports = args[4],
                    .own_microtasks = args[3]->IsTrue()})
          .ToLocal(&global)) {
    args.GetReturnValue().Set(global);
  }
}

void is_context(const Arguments& args) {
  args.GetReturnValue().Set(
      !sandbox_context(Environment::of(args.GetIsolate()), args[0]).IsEmpty());
}

/// measureMemory(detailed, eager) -> a promise
void measure_memory(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Context> context = environment.context();
  v8::Local<v8::Promise::Resolver> resolver;
  if (!v8::Promise::Resolver::New(context).ToLocal(&resolver)) return;
  isolate->MeasureMemory(
      v8::MeasureMemoryDelegate::Default(
          isolate, context, resolver,
          args[0]->IsTrue() ? v8::MeasureMemoryMode::kDetailed : v8::MeasureMemoryMode::kSummary),
      args[1]->IsTrue() ? v8::MeasureMemoryExecution::kEager
                        : v8::MeasureMemoryExecution::kDefault);
  args.GetReturnValue().Set(resolver->GetPromise());
}

constexpr Method kMethods[] = {
    {"compileScript", compile_script}, {"createCachedData", create_cached_data},
    {"runScript", run_script},         {"compileFunction", compile_function},
    {"makeContext", make_context},     {"isContext", is_context},
    {"measureMemory", measure_memory},
};

}  // namespace

extern const Binding binding_contextify;
const Binding binding_contextify{"contextify", kMethods};

}  // namespace rondo
