#include "runtime/engine/world.h"

#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

#include "runtime/engine/builtin_code.h"
#include "runtime/engine/builtins.h"
#include "runtime/engine/environment.h"
#include "runtime/engine/lazy_properties.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"
#include "runtime/inspector/inspector.h"
#include "runtime/messaging/worker_thread.h"

namespace rondo {

namespace {

/// The text of a builtin, used where it lies in the program.
class BuiltinText final : public v8::String::ExternalOneByteStringResource {
 public:
  explicit BuiltinText(const Builtin& builtin) : text_(builtin.source()) {}
  const char* data() const override { return text_.data(); }
  std::size_t length() const override { return text_.size(); }

 private:
  void Dispose() override {}  // it belongs to the program, not to V8

  std::string_view text_;
};

/// One for each builtin, in their order. A snapshot refers to them by their addresses.
std::deque<BuiltinText>& builtin_texts() {
  static std::deque<BuiltinText> texts(kBuiltins, kBuiltins + kBuiltinCount);
  return texts;
}

/// binding(name): creates the object at each call; lib/ keeps it.
void make_binding(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const v8::String::Utf8Value wanted(args.GetIsolate(), args[0]);
  const std::string_view name(*wanted, static_cast<std::size_t>(wanted.length()));
  for (const Binding* binding : kBindings) {
    if (binding->name != name) continue;
    const v8::Local<v8::Object> target = v8::Object::New(args.GetIsolate());
    for (const Method& method : binding->methods) set_method(environment, target, method);
    for (const ClassShape& shape : binding->classes) set_class(environment, target, shape);
    if (binding->extend != nullptr) binding->extend(environment, target);
    args.GetReturnValue().Set(target);
    return;
  }
  environment.throw_(
      environment.error("ERR_INVALID_MODULE", "No such binding: " + std::string(name)));
}

}  // namespace

std::span<const std::intptr_t> external_references() {
  static const std::vector<std::intptr_t> references = [] {
    std::vector<std::intptr_t> list;
    const auto add = [&](v8::FunctionCallback callback) {
      list.push_back(reinterpret_cast<std::intptr_t>(guarded(callback)));
    };
    add(make_binding);
    const auto add_methods = [&](std::span<const Method> methods) {
      for (const Method& method : methods) {
        add(method.callback);
        if (method.fast == nullptr) continue;
        list.push_back(reinterpret_cast<std::intptr_t>(method.fast->address()));
        list.push_back(reinterpret_cast<std::intptr_t>(method.fast->info()));
      }
    };
    for (const Binding* binding : kBindings) {
      add_methods(binding->methods);
      for (const ClassShape& shape : binding->classes) {
        add(shape.construct);
        for (const ClassShape* part = &shape; part != nullptr; part = part->base) {
          add_methods(part->methods);
          add_methods(part->getters);
        }
      }
      for (const v8::FunctionCallback callback : binding->references) add(callback);
    }
    for (const BuiltinText& text : builtin_texts()) {
      list.push_back(reinterpret_cast<std::intptr_t>(&text));
    }
    list.push_back(lazy_property_reference());
    list.push_back(0);
    return list;
  }();
  return references;
}

namespace {

/// Null, with an exception pending, if there is no such file.
v8::MaybeLocal<v8::String> builtin_source(Environment& environment, std::string_view id) {
  const Builtin* builtin = find_builtin(id);
  if (builtin == nullptr) {
    environment.throw_(environment.error("ERR_UNKNOWN_BUILTIN_MODULE",
                                         "No such built-in module: " + std::string(id)));
    return {};
  }
  return v8::String::NewExternalOneByte(environment.isolate(),
                                        &builtin_texts()[std::size_t(builtin - kBuiltins)]);
}

v8::MaybeLocal<v8::Function> compile_source(Environment& environment,
                                            v8::Local<v8::Context> context, std::string_view id,
                                            v8::Local<v8::String> source,
                                            v8::ScriptCompiler::CachedData* code,
                                            v8::ScriptCompiler::CompileOptions options) {
  v8::Local<v8::String> parameters[] = {
      environment.name("exports"),         environment.name("require"),
      environment.name("module"),          environment.name("process"),
      environment.name("binding"),         environment.name("primordials"),
      environment.name("internalBinding"), environment.name("capturedStatics")};
  const v8::ScriptOrigin origin(environment.text("node:" + std::string(id)));
  // A file of another's has its own ideas of what is called `process`.
  const std::size_t count = id.starts_with("deps/") ? 3 : std::size(parameters);
  v8::ScriptCompiler::Source unit(source, origin, code);
  return v8::ScriptCompiler::CompileFunction(context, &unit, count, parameters, 0, nullptr,
                                             options);
}

}  // namespace

v8::MaybeLocal<v8::Function> compile_builtin(Environment& environment, std::string_view id,
                                             bool whole) {
  v8::Isolate* isolate = environment.isolate();
  v8::Local<v8::String> source;
  if (!builtin_source(environment, id).ToLocal(&source)) return {};
  const auto compile = [&](v8::ScriptCompiler::CachedData* code,
                           v8::ScriptCompiler::CompileOptions options) {
    return compile_source(environment, environment.context(), id, source, code, options);
  };
  const auto options =
      whole ? v8::ScriptCompiler::kEagerCompile : v8::ScriptCompiler::kNoCompileOptions;
  WorkerThread* worker = environment.worker();
  if (worker == nullptr) return compile(nullptr, options);

  if (const auto left = BuiltinCode::find(id)) {
    // V8 deletes the object, not the bytes.
    auto* code = new v8::ScriptCompiler::CachedData(left->data, left->length);
    return compile(code, v8::ScriptCompiler::kConsumeCodeCache);
  }
  v8::Local<v8::Function> function;
  if (!compile(nullptr, options).ToLocal(&function)) return {};
  worker->builtin_code().remember(isolate, id, function);
  return function;
}

v8::MaybeLocal<v8::Function> compile_builtin_in(Environment& environment,
                                                v8::Local<v8::Context> context,
                                                std::string_view id) {
  v8::Local<v8::String> source;
  if (!builtin_source(environment, id).ToLocal(&source)) return {};
  return compile_source(environment, context, id, source, nullptr,
                        v8::ScriptCompiler::kNoCompileOptions);
}

v8::Local<v8::Context> new_context(v8::Isolate* isolate) {
  const v8::Local<v8::Context> context = v8::Context::New(isolate);
  v8::Local<v8::Value> intl;
  const auto name = [&](const char* text) {
    return v8::String::NewFromUtf8(isolate, text).ToLocalChecked();
  };
  if (context->Global()->Get(context, name("Intl")).ToLocal(&intl) && intl->IsObject()) {
    intl.As<v8::Object>()->Delete(context, name("v8BreakIterator")).Check();
  }
  return context;
}

namespace {

/// V8 notes in each script the number of its context, which the inspector gives. It stays in the
/// snapshot, and an inspector that is made later gives its first context the same one: debuggers
/// see also what was compiled before they came.
void number_context(Environment& environment) {
  const v8::Local<v8::Context> context = environment.context();
  const v8::Local<v8::Object> global = context->Global();
  const v8::Local<v8::String> name = environment.name("console");
  // The inspector would add functions to it that a snapshot cannot have.
  const v8::Local<v8::Value> console = global->Get(context, name).ToLocalChecked();
  global->Delete(context, name).Check();
  {
    const Inspector numbers_it(environment);
  }
  global->DefineOwnProperty(context, name, console, v8::DontEnum).Check();
}

}  // namespace

v8::Local<v8::Function> make_world(Environment& environment, bool from_snapshot) {
  v8::Isolate* isolate = environment.isolate();
  v8::EscapableHandleScope scope(isolate);
  if (from_snapshot) {
    const v8::Local<v8::Context> context = v8::Context::FromSnapshot(isolate, 0).ToLocalChecked();
    environment.set_context(context);
    return scope.Escape(context->GetDataFromSnapshotOnce<v8::Function>(0).ToLocalChecked());
  }
  const v8::Local<v8::Context> context = new_context(isolate);
  environment.set_context(context);
  number_context(environment);
  const v8::Context::Scope context_scope(context);
  const v8::TryCatch caught(isolate);
  v8::Local<v8::Function> bootstrap;
  v8::Local<v8::Value> start;
  const v8::Local<v8::Value> undefined = v8::Undefined(isolate);
  const v8::Local<v8::Function> binding =
      v8::Function::New(context, guarded(make_binding), {}, 1, v8::ConstructorBehavior::kThrow)
          .ToLocalChecked();
  v8::Local<v8::Value> arguments[] = {undefined, undefined, undefined, undefined, binding};
  if (!compile_builtin(environment, "internal/startup/bootstrap").ToLocal(&bootstrap) ||
      !bootstrap->Call(context, undefined, std::size(arguments), arguments).ToLocal(&start)) {
    // Only a mistake in lib/ itself can lead here.
    environment.uncaught(caught.Exception(), caught.Message());
    std::abort();
  }
  return scope.Escape(start.As<v8::Function>());
}

}  // namespace rondo
