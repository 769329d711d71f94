#include "rondo/runtime.h"

#include <string>

#include "core/loop_core.h"
#include "runtime/engine/instance.h"
#include "runtime/engine/value.h"
#include "runtime/process/options.h"

namespace rondo {

namespace {

/// A function that JavaScript may call as long as the runtime is there.
struct Callable {
  Environment* environment;
  NativeFunction function;
};

v8::Local<v8::Value> to_error(Environment& environment, const Misuse& misuse) {
  if (misuse.code() == "ERR_INVALID_ARG_TYPE") {
    return environment.type_error(misuse.code(), misuse.what());
  }
  if (misuse.code() == "ERR_OUT_OF_RANGE") {
    return environment.range_error(misuse.code(), misuse.what());
  }
  return environment.error(misuse.code(), misuse.what());
}

void call_native(const v8::FunctionCallbackInfo<v8::Value>& info) {
  auto& callable = *static_cast<Callable*>(info.Data().As<v8::External>()->Value());
  Environment& environment = *callable.environment;
  try {
    std::vector<Value> arguments;
    for (int i = 0; i < info.Length(); ++i) arguments.push_back(from_js(environment, info[i]));
    info.GetReturnValue().Set(to_js(environment, callable.function(arguments)));
  } catch (const Misuse& misuse) {
    environment.throw_(to_error(environment, misuse));
  } catch (const std::exception& exception) {
    environment.throw_(environment.error({}, exception.what()));
  } catch (...) {
    environment.throw_(environment.error({}, "an exception of another kind than std::exception"));
  }
  // What it called has ended the program: so does what called it.
  if (environment.exit_code()) environment.unwind();
}

StartInfo embedded_start_info(const RuntimeOptions& options) {
  OptionParser parser;
  try {
    const auto rest = parser.read(options.options);
    if (!rest.empty()) throw BadOption{rest.front() + " is not an option"};
    parser.finish();
  } catch (const BadOption& bad) {
    throw Misuse("ERR_INVALID_ARG_VALUE", bad.message);
  }
  StartInfo info;
  info.exec_path = program_path();
  info.argv0 = info.exec_path;
  info.argv.push_back(info.exec_path);
  info.argv.insert(info.argv.end(), options.arguments.begin(), options.arguments.end());
  info.exec_argv = std::move(parser.given());
  info.options = std::move(parser.values());
  info.main = {{"kind", "embedded"}};
  return info;
}

}  // namespace

void detail::throw_argument_type(std::size_t index, std::string_view wanted) {
  throw Misuse("ERR_INVALID_ARG_TYPE",
               "Argument " + std::to_string(index + 1) + " must be of type " + std::string(wanted));
}

void detail::throw_argument_range(std::size_t index) {
  throw Misuse("ERR_OUT_OF_RANGE", "Argument " + std::to_string(index + 1) +
                                       " is not a whole number or is out of range");
}

class Runtime::Impl {
 public:
  Impl(Loop& loop, const RuntimeOptions& options)
      : info_(embedded_start_info(options)), instance_(loop, {.owns_process = false}) {
    const v8::HandleScope scope(isolate());
    api_.Reset(isolate(), instance_.start(info_).ToLocalChecked().As<v8::Object>());
  }
  ~Impl() { api_.Reset(); }

  v8::Isolate* isolate() noexcept { return instance_.isolate(); }
  Instance& instance() noexcept { return instance_; }
  Environment& environment() noexcept { return instance_.environment(); }

  /// Calls a function of lib/internal/startup/embedding.js, or a global one.
  std::expected<Value, ScriptError> call(v8::Local<v8::Object> holder, std::string_view name,
                                         std::span<const Value> arguments) {
    Environment& environment = this->environment();
    if (environment.exit_code()) {
      return std::unexpected(ScriptError{"the program has ended", {}, "ERR_RUNTIME_ENDED"});
    }
    const v8::Local<v8::Context> context = environment.context();
    const v8::Context::Scope context_scope(context);
    std::vector<v8::Local<v8::Value>> values;
    for (const Value& argument : arguments) values.push_back(to_js(environment, argument));
    v8::TryCatch caught(isolate());
    v8::Local<v8::Value> function;
    v8::Local<v8::Value> result;
    if (holder->Get(context, environment.text(name)).ToLocal(&function) &&
        !function->IsFunction()) {
      return std::unexpected(
          ScriptError{std::string(name) + " is not a function", {}, "ERR_INVALID_ARG_VALUE"});
    }
    if (function.IsEmpty() ||
        !function.As<v8::Function>()
             ->Call(context, holder, static_cast<int>(values.size()), values.data())
             .ToLocal(&result)) {
      if (environment.exit_code()) return Value();  // process.exit()
      return std::unexpected(to_script_error(environment, caught.Exception()));
    }
    return from_js(environment, result);
  }

  std::expected<Value, ScriptError> call_api(std::string_view name,
                                             std::span<const Value> arguments) {
    const v8::HandleScope scope(isolate());
    return outermost([&] { return call(api_.Get(isolate()), name, arguments); });
  }

  std::expected<Value, ScriptError> call_global(std::string_view name,
                                                std::span<const Value> arguments) {
    const v8::HandleScope scope(isolate());
    return outermost([&] { return call(environment().context()->Global(), name, arguments); });
  }

  v8::Local<v8::Function> make_function(std::string_view name, NativeFunction function) {
    auto& callable =
        *callables_.emplace_back(std::make_unique<Callable>(&environment(), std::move(function)));
    const v8::Local<v8::Function> made = v8::Function::New(environment().context(), call_native,
                                                           v8::External::New(isolate(), &callable),
                                                           0, v8::ConstructorBehavior::kThrow)
                                             .ToLocalChecked();
    made->SetName(environment().text(name));
    return made;
  }

  void define_module(std::string_view name, v8::Local<v8::Object> exports) {
    const v8::Local<v8::Object> api = api_.Get(isolate());
    const v8::Local<v8::Context> context = environment().context();
    v8::Local<v8::Value> arguments[] = {environment().text(name), exports};
    api->Get(context, environment().name("defineModule"))
        .ToLocalChecked()
        .As<v8::Function>()
        ->Call(context, api, std::size(arguments), arguments)
        .ToLocalChecked();
  }

 private:
  /// What C++ calls from outside of JavaScript is an operation: ticks and microtasks follow it. In
  /// a callback of the loop those of the loop itself wait for the end of that.
  template <class Body>
  std::expected<Value, ScriptError> outermost(Body body) {
    LoopCore& core = environment().loop().core();
    core.check_thread();
    const bool nested = isolate()->InContext();
    auto result = body();
    if (nested) return result;
    if (core.running()) {
      environment().drain_between();
    } else {
      core.door().drain();
    }
    return result;
  }

  StartInfo info_;
  Instance instance_;
  v8::Global<v8::Object> api_;
  std::vector<std::unique_ptr<Callable>> callables_;
};

Runtime::Runtime(Loop& loop, RuntimeOptions options)
    : impl_(std::make_unique<Impl>(loop, options)) {}

Runtime::~Runtime() = default;

std::expected<Value, ScriptError> Runtime::evaluate(std::string_view source,
                                                    std::string_view name) {
  return impl_->call_api("evaluate", std::vector<Value>{source, name});
}

std::expected<void, ScriptError> Runtime::run_file(std::string_view path) {
  const auto result = impl_->call_api("runFile", std::vector<Value>{path});
  if (!result) return std::unexpected(result.error());
  return {};
}

std::expected<Value, ScriptError> Runtime::call(std::string_view function,
                                                std::span<const Value> arguments) {
  return impl_->call_global(function, arguments);
}

void Runtime::define_function(std::string_view name, NativeFunction function) {
  const v8::HandleScope scope(impl_->isolate());
  Environment& environment = impl_->environment();
  const v8::Context::Scope inside(environment.context());
  environment.context()
      ->Global()
      ->Set(environment.context(), environment.text(name),
            impl_->make_function(name, std::move(function)))
      .Check();
}

void Runtime::define_module(std::string_view name,
                            std::vector<std::pair<std::string, NativeFunction>> functions) {
  const v8::HandleScope scope(impl_->isolate());
  Environment& environment = impl_->environment();
  const v8::Context::Scope inside(environment.context());
  const v8::Local<v8::Object> exports = v8::Object::New(impl_->isolate());
  for (auto& [key, function] : functions) {
    exports
        ->Set(environment.context(), environment.text(key),
              impl_->make_function(key, std::move(function)))
        .Check();
  }
  impl_->define_module(name, exports);
}

int Runtime::run() {
  return impl_->instance().run();
}

v8::Isolate* Runtime::isolate() noexcept {
  return impl_->isolate();
}

}  // namespace rondo
