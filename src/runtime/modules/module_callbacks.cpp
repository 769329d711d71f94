#include "runtime/modules/module_callbacks.h"

#include "runtime/engine/environment.h"
#include "runtime/modules/module_table.h"
#include "runtime/modules/sandbox.h"

namespace rondo {

namespace {

v8::Local<v8::Array> to_array(v8::Local<v8::FixedArray> list) {
  std::vector<v8::Local<v8::Value>> values;
  for (int i = 0; i < list->Length(); ++i) {
    values.push_back(list->Get(i).As<v8::Value>());
  }
  return v8::Array::New(v8::Isolate::GetCurrent(), values.data(), values.size());
}

/// import() and import.source(): lib/ gets the symbol that a script of node:vm was compiled with,
/// or undefined, the specifier, the attributes as a flat list, the name of the script, imports_of()
/// the context, and the phase. The promise belongs to the context that imports.
v8::MaybeLocal<v8::Promise> import_with_phase(v8::Local<v8::Context> context,
                                              v8::Local<v8::Data> options,
                                              v8::Local<v8::Value> resource_name,
                                              v8::Local<v8::String> specifier,
                                              v8::ModuleImportPhase phase,
                                              v8::Local<v8::FixedArray> attributes) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  Environment& environment = Environment::of(isolate);
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Value> referrer = v8::Undefined(isolate);
  const v8::Local<v8::PrimitiveArray> list = options.As<v8::PrimitiveArray>();
  if (list->Length() > 0) referrer = list->Get(isolate, 0);
  // In the main context, also when a context of node:vm asks.
  const v8::Local<v8::Context> main = environment.context();
  v8::Local<v8::Value> arguments[] = {
      referrer,      specifier,           to_array(attributes),
      resource_name, imports_of(context), v8::Integer::New(isolate, static_cast<int>(phase))};
  v8::Local<v8::Value> result;
  if (!environment.function(LibFunction::import_dynamically)
           ->Call(main, v8::Undefined(isolate), std::size(arguments), arguments)
           .ToLocal(&result)) {
    return {};
  }
  if (context == main) return scope.Escape(result.As<v8::Promise>());
  v8::Local<v8::Promise::Resolver> resolver;
  if (!v8::Promise::Resolver::New(context).ToLocal(&resolver) ||
      resolver->Resolve(context, result).IsNothing()) {
    return {};
  }
  return scope.Escape(resolver->GetPromise());
}

v8::MaybeLocal<v8::Promise> import_dynamically(v8::Local<v8::Context> context,
                                               v8::Local<v8::Data> options,
                                               v8::Local<v8::Value> resource_name,
                                               v8::Local<v8::String> specifier,
                                               v8::Local<v8::FixedArray> attributes) {
  return import_with_phase(context, options, resource_name, specifier,
                           v8::ModuleImportPhase::kEvaluation, attributes);
}

void fill_import_meta(v8::Local<v8::Context> /*context*/, v8::Local<v8::Module> module,
                      v8::Local<v8::Object> meta) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  Environment& environment = Environment::of(isolate);
  const v8::HandleScope scope(isolate);
  const ModuleHandle* handle = ModuleHandle::of(environment, module);
  if (handle == nullptr) return;
  v8::Local<v8::Value> arguments[] = {handle->object(), meta};
  const v8::TryCatch quiet(isolate);
  const auto done =
      environment.function(LibFunction::import_meta)
          ->Call(environment.context(), v8::Undefined(isolate), std::size(arguments), arguments);
  static_cast<void>(done.IsEmpty());
}

}  // namespace

void install_module_callbacks(v8::Isolate* isolate) {
  isolate->SetHostImportModuleDynamicallyCallback(import_dynamically);
  isolate->SetHostImportModuleWithPhaseDynamicallyCallback(import_with_phase);
  isolate->SetHostInitializeImportMetaObjectCallback(fill_import_meta);
}

}  // namespace rondo
