// process.env: the variables of the environment as properties of an object. Created again at each
// start, it is not a part of the snapshot. They are those of the process, or of a store (Workers).
#include <execinfo.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/messaging/env_store.h"
#include "runtime/messaging/messaging_hooks.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Name;
using v8::Value;

using Getting = v8::PropertyCallbackInfo<Value>;
using Querying = v8::PropertyCallbackInfo<v8::Integer>;
using Setting = v8::PropertyCallbackInfo<void>;
using Deleting = v8::PropertyCallbackInfo<v8::Boolean>;
using Listing = v8::PropertyCallbackInfo<v8::Array>;

// The environment is the process's, and loops on several threads may use it.
std::mutex guard;

std::string text_of(v8::Isolate* isolate, Local<Value> value) {
  const v8::String::Utf8Value text(isolate, value);
  return *text != nullptr ? *text : "";  // names and values end at a zero byte
}

// ---- --trace-env --------------------------------------------------------------------------------

/// What is written for each access, of all threads.
enum class Tracing : std::int32_t { off, names, js_stack, native_stack };
std::atomic<Tracing> tracing = Tracing::off;

void print_js_stack(v8::Isolate* isolate) {
  constexpr int kFrames = 10;
  std::fputs("\n----- JavaScript stack trace -----\n\n", stderr);
  const auto stack = v8::StackTrace::CurrentStackTrace(isolate, kFrames);
  for (int i = 0; i < stack->GetFrameCount(); ++i) {
    const auto frame = stack->GetFrame(isolate, static_cast<unsigned>(i));
    const std::string function = text_of(isolate, frame->GetFunctionName());
    const std::string place = text_of(isolate, frame->GetScriptNameOrSourceURL()) + ":" +
                              std::to_string(frame->GetLineNumber()) + ":" +
                              std::to_string(frame->GetColumn());
    std::fprintf(stderr, function.empty() ? "%d: %s%s\n" : "%d: %s (%s)\n", i + 1, function.c_str(),
                 place.c_str());
  }
  std::fputs("\n\n", stderr);
}

void print_native_stack() {
  std::fputs("\n----- Native stack trace -----\n\n", stderr);
  std::fflush(stderr);
  void* addresses[64];
  const int count = ::backtrace(addresses, static_cast<int>(std::size(addresses)));
  ::backtrace_symbols_fd(addresses, count, STDERR_FILENO);
  std::fputs("\n\n", stderr);
}

void print_access(v8::Isolate* isolate, const std::string& access) {
  std::fprintf(stderr, "[--trace-env] %s\n", access.c_str());
  if (tracing == Tracing::js_stack) print_js_stack(isolate);
  if (tracing == Tracing::native_stack) print_native_stack();
  std::fflush(stderr);
}

void note_access(v8::Isolate* isolate, const char* kind, Local<Name> name) {
  if (tracing.load(std::memory_order_relaxed) == Tracing::off || name->IsSymbol()) return;
  print_access(isolate, std::string(kind) + " \"" + text_of(isolate, name) + '"');
}

void trace_env(Tracing what) {
  tracing = what;
}

// ---- The variables ------------------------------------------------------------------------------

EnvStore* store_of(v8::Isolate* isolate) {
  return Environment::of(isolate).env_store().get();
}

std::optional<std::string> read_variable(v8::Isolate* isolate, Local<Name> name) {
  if (const EnvStore* store = store_of(isolate)) return store->get(text_of(isolate, name));
  const std::scoped_lock lock(guard);
  const char* value = std::getenv(text_of(isolate, name).c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

/// Calls `body(name, value)` for each variable of the process.
template <class Body>
void for_each_variable(Body body) {
  const std::scoped_lock lock(guard);
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::size_t end = variable.find('=');
    if (end != 0 && end != variable.npos) body(variable.substr(0, end), variable.substr(end + 1));
  }
}

// Dates are shown in the time zone that TZ says.
void note_change(v8::Isolate* isolate, const std::string& name) {
  if (name != "TZ") return;
  ::tzset();
  isolate->DateTimeConfigurationChangeNotification(v8::Isolate::TimeZoneDetection::kRedetect);
}

// A property of the environment has a name that is text; others are for V8 to look up.
v8::Intercepted get(Local<Name> name, const Getting& info) {
  if (name->IsSymbol()) return v8::Intercepted::kNo;
  note_access(info.GetIsolate(), "get", name);
  const auto value = read_variable(info.GetIsolate(), name);
  if (!value) return v8::Intercepted::kNo;
  info.GetReturnValue().Set(Environment::of(info.GetIsolate()).text(*value));
  return v8::Intercepted::kYes;
}

/// Throws what is wrong with the name or the value: there is no other way to set them.
v8::Intercepted set(Local<Name> name, Local<Value> value, const Setting& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Local<v8::Context> context = isolate->GetCurrentContext();
  if (!value->IsString() && !value->IsNumber() && !value->IsBoolean() &&
      info.Data()->IsFunction()) {
    // Reports the deprecation to lib/; only a warning follows.
    if (info.Data()
            .As<v8::Function>()
            ->Call(context, v8::Undefined(isolate), 0, nullptr)
            .IsEmpty()) {
      return v8::Intercepted::kYes;
    }
  }
  note_access(isolate, "set", name);
  Local<v8::String> key;
  Local<v8::String> text;
  // Both throw for a symbol.
  if (!name.As<Value>()->ToString(context).ToLocal(&key) ||
      !value->ToString(context).ToLocal(&text)) {
    return v8::Intercepted::kYes;
  }
  const std::string variable = text_of(isolate, key);
  if (EnvStore* store = store_of(isolate)) {
    store->set(variable, text_of(isolate, text));
    return v8::Intercepted::kYes;
  }
  {
    const std::scoped_lock lock(guard);
    ::setenv(variable.c_str(), text_of(isolate, text).c_str(), 1);
  }
  note_change(isolate, variable);
  return v8::Intercepted::kYes;
}

v8::Intercepted query(Local<Name> name, const Querying& info) {
  note_access(info.GetIsolate(), "query", name);
  if (name->IsSymbol() || !read_variable(info.GetIsolate(), name)) return v8::Intercepted::kNo;
  info.GetReturnValue().Set(v8::None);
  return v8::Intercepted::kYes;
}

v8::Intercepted remove(Local<Name> name, const Deleting& info) {
  note_access(info.GetIsolate(), "delete", name);
  EnvStore* store = store_of(info.GetIsolate());
  if (store != nullptr && !name->IsSymbol()) {
    store->remove(text_of(info.GetIsolate(), name));
  } else if (!name->IsSymbol()) {
    const std::string variable = text_of(info.GetIsolate(), name);
    {
      const std::scoped_lock lock(guard);
      ::unsetenv(variable.c_str());
    }
    note_change(info.GetIsolate(), variable);
  }
  info.GetReturnValue().Set(true);  // there is none now, whether there was or not
  return v8::Intercepted::kYes;
}

void list(const Listing& info) {
  if (tracing.load(std::memory_order_relaxed) != Tracing::off) {
    print_access(info.GetIsolate(), "enumerate environment variables");
  }
  const Environment& environment = Environment::of(info.GetIsolate());
  std::vector<std::string> names;
  if (const EnvStore* store = store_of(info.GetIsolate())) {
    for (const auto& [name, value] : store->copy()) names.push_back(name);
  } else {
    for_each_variable([&](std::string_view name, std::string_view) { names.emplace_back(name); });
  }
  std::vector<Local<Value>> keys;
  for (const std::string& name : names) keys.push_back(environment.text(name));
  info.GetReturnValue().Set(v8::Array::New(info.GetIsolate(), keys.data(), keys.size()));
}

v8::Intercepted define(Local<Name> name, const v8::PropertyDescriptor& wanted,
                       const Setting& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  const bool plain = wanted.has_value() && wanted.has_writable() && wanted.writable() &&
                     wanted.has_enumerable() && wanted.enumerable() && wanted.has_configurable() &&
                     wanted.configurable();
  if (plain) return set(name, wanted.value(), info);
  const bool accessor = wanted.has_get() || wanted.has_set();
  isolate->ThrowException(environment.type_error(
      "ERR_INVALID_OBJECT_DEFINE_PROPERTY",
      accessor
          ? "'process.env' does not accept an accessor(getter/setter) descriptor"
          : "'process.env' only accepts a configurable, writable, and enumerable data descriptor"));
  return v8::Intercepted::kYes;
}

// V8 asks for names such as 42 in another way, and lists them with the others.
Local<Name> name_of(v8::Isolate* isolate, std::uint32_t index) {
  return Environment::of(isolate).text(std::to_string(index));
}

v8::Intercepted get_at(std::uint32_t index, const Getting& info) {
  return get(name_of(info.GetIsolate(), index), info);
}

v8::Intercepted set_at(std::uint32_t index, Local<Value> value, const Setting& info) {
  return set(name_of(info.GetIsolate(), index), value, info);
}

v8::Intercepted query_at(std::uint32_t index, const Querying& info) {
  return query(name_of(info.GetIsolate(), index), info);
}

v8::Intercepted remove_at(std::uint32_t index, const Deleting& info) {
  return remove(name_of(info.GetIsolate(), index), info);
}

v8::Intercepted define_at(std::uint32_t index, const v8::PropertyDescriptor& wanted,
                          const Setting& info) {
  return define(name_of(info.GetIsolate(), index), wanted, info);
}

// (function or nothing): the function is called when something is assigned that is not a text,
// number or boolean.
v8::MaybeLocal<v8::Object> create_env(Environment& environment, Local<Value> on_other_type) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Context> context = isolate->GetCurrentContext();
  const auto shape = v8::FunctionTemplate::New(isolate);
  shape->InstanceTemplate()->SetHandler(v8::NamedPropertyHandlerConfiguration(
      get, set, query, remove, list, define, nullptr, on_other_type,
      v8::PropertyHandlerFlags::kHasNoSideEffect));
  shape->InstanceTemplate()->SetHandler(v8::IndexedPropertyHandlerConfiguration(
      get_at, set_at, query_at, remove_at, nullptr, define_at, nullptr, on_other_type,
      v8::PropertyHandlerFlags::kHasNoSideEffect));
  Local<v8::Object> env;
  if (!shape->InstanceTemplate()->NewInstance(context).ToLocal(&env)) return {};
  set_host_kind(environment, env, HostKind::plain);
  return env;
}

constexpr Method kMethods[] = {method<create_env>("createEnv"), method<trace_env>("trace")};

}  // namespace

EnvStore::Variables EnvStore::of_process() {
  Variables variables;
  for_each_variable(
      [&](std::string_view name, std::string_view value) { variables.emplace(name, value); });
  return variables;
}

extern const Binding binding_env;
const Binding binding_env{"env", kMethods};

}  // namespace rondo
