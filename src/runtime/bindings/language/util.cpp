// What JavaScript cannot see of its own values: the inside of promises, proxies and iterators, for
// inspection, and a few small questions to the system.
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "io/backend/interrupted.h"
#include "runtime/engine/environment.h"
#include "runtime/engine/lazy_properties.h"
#include "runtime/glue/typed_method.h"
#include "runtime/process/env_file.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

using Values = std::vector<Local<Value>>;

// [state] or [state, result]
std::optional<Values> get_promise_details(v8::Isolate* isolate, Local<Value> value) {
  if (!value->IsPromise()) return {};
  const auto promise = value.As<v8::Promise>();
  Values parts{v8::Integer::New(isolate, static_cast<int>(promise->State()))};
  if (promise->State() != v8::Promise::kPending) parts.push_back(promise->Result());
  return parts;
}

// The target; with `true`, which is also the default, [target, handler].
void get_proxy_details(const Arguments& args) {
  if (!args[0]->IsProxy()) return;
  const auto proxy = args[0].As<v8::Proxy>();
  if (args.Length() > 1 && !args[1]->IsTrue()) {
    args.GetReturnValue().Set(proxy->GetTarget());
    return;
  }
  Local<Value> parts[] = {proxy->GetTarget(), proxy->GetHandler()};
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), parts, 2));
}

// The entries of a collection or what an iterator has left, without moving it: a flat list; with a
// second argument, [list, whether it is pairs].
void preview_entries(const Arguments& args) {
  if (!args[0]->IsObject()) return;
  v8::Isolate* isolate = args.GetIsolate();
  bool is_key_value = false;
  Local<v8::Array> entries;
  if (!args[0].As<v8::Object>()->PreviewEntries(&is_key_value).ToLocal(&entries)) return;
  if (args.Length() < 2) {
    args.GetReturnValue().Set(entries);
    return;
  }
  Local<Value> parts[] = {entries, v8::Boolean::New(isolate, is_key_value)};
  args.GetReturnValue().Set(v8::Array::New(isolate, parts, 2));
}

v8::MaybeLocal<v8::Array> get_own_non_index_properties(v8::Isolate* isolate, Local<Value> value,
                                                       std::int32_t filter) {
  if (!value->IsObject()) return {};
  return value.As<v8::Object>()->GetPropertyNames(
      isolate->GetCurrentContext(), v8::KeyCollectionMode::kOwnOnly,
      static_cast<v8::PropertyFilter>(filter), v8::IndexFilter::kSkipIndices);
}

v8::MaybeLocal<v8::String> get_constructor_name(Local<Value> value) {
  if (!value->IsObject()) return {};
  return value.As<v8::Object>()->GetConstructorName();
}

v8::MaybeLocal<v8::BigInt> get_external_value(v8::Isolate* isolate, Local<Value> value) {
  if (!value->IsExternal()) return {};
  const auto address = reinterpret_cast<std::uintptr_t>(value.As<v8::External>()->Value());
  return v8::BigInt::NewFromUnsigned(isolate, address);
}

bool array_buffer_view_has_buffer(Local<Value> value) {
  return value->IsArrayBufferView() && value.As<v8::ArrayBufferView>()->HasBuffer();
}

bool is_array_buffer_detached(Local<Value> value) {
  return value->IsArrayBuffer() && value.As<v8::ArrayBuffer>()->WasDetached();
}

// What a descriptor refers to, by libuv's names.
std::string_view socket_type(int descriptor) {
  int type = 0;
  socklen_t length = sizeof type;
  sockaddr_storage address{};
  socklen_t address_length = sizeof address;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) != 0 ||
      ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &address_length) != 0) {
    return "UNKNOWN";
  }
  const bool internet = address.ss_family == AF_INET || address.ss_family == AF_INET6;
  if (type == SOCK_STREAM && internet) return "TCP";
  if (type == SOCK_STREAM && address.ss_family == AF_UNIX) return "PIPE";
  if (type == SOCK_DGRAM && internet) return "UDP";
  return "UNKNOWN";
}

std::string_view handle_type(int descriptor) {
  struct stat status{};
  if (descriptor < 0) return "INVALID";
  if (::isatty(descriptor) == 1) return "TTY";
  if (::fstat(descriptor, &status) != 0) return "UNKNOWN";
  if (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode)) return "FILE";
  if (S_ISFIFO(status.st_mode)) return "PIPE";
  return S_ISSOCK(status.st_mode) ? socket_type(descriptor) : "UNKNOWN";
}

Local<v8::String> guess_handle_type(Environment& environment, std::int32_t descriptor) {
  return environment.name(handle_type(descriptor));
}

// Holds the whole thread up, for as many milliseconds.
void sleep(std::int64_t milliseconds) {
  if (milliseconds <= 0) return;
  timespec left{.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1'000'000};
  while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
    detail::interrupted();
  }
}

// A folder node_modules, with either separator: a script may have been compiled under any name.
bool is_in_package(std::string_view path) {
  constexpr std::string_view kFolder = "node_modules";
  constexpr auto is_separator = [](char c) { return c == '/' || c == '\\'; };
  for (std::size_t at = path.find(kFolder); at != path.npos; at = path.find(kFolder, at + 1)) {
    const std::size_t after = at + kFolder.size();
    if (at > 0 && is_separator(path[at - 1]) && after < path.size() && is_separator(path[after])) {
      return true;
    }
  }
  return false;
}

// Whether the program's code nearest to here is of an installed package: such code is spared
// warnings that its user can do nothing about.
bool is_inside_node_modules(v8::Isolate* isolate) {
  constexpr int kFrames = 20;  // of lib/ there may be a dozen above it
  const auto stack =
      v8::StackTrace::CurrentStackTrace(isolate, kFrames, v8::StackTrace::kScriptName);
  for (int i = 0; i < stack->GetFrameCount(); ++i) {
    const v8::String::Utf8Value name(
        isolate, stack->GetFrame(isolate, static_cast<unsigned>(i))->GetScriptName());
    const std::string_view path(*name != nullptr ? *name : "",
                                static_cast<std::size_t>(name.length()));
    if (path.empty() || path.starts_with("node:")) continue;
    return is_in_package(path);
  }
  return false;
}

// getCallSites(most) -> the frames above the function that called, as util.getCallSites() gives
// them
std::optional<Values> get_call_sites(v8::Isolate* isolate, std::int32_t most) {
  const auto stack = v8::StackTrace::CurrentStackTrace(isolate, most + 1);
  static constexpr std::string_view kNames[] = {"functionName", "scriptId",     "scriptName",
                                                "lineNumber",   "columnNumber", "column"};
  const auto shape = v8::DictionaryTemplate::New(isolate, kNames);
  const auto or_empty = [&](Local<v8::String> text) {
    return text.IsEmpty() ? v8::String::Empty(isolate) : text;
  };
  Values sites;
  for (int i = 1; i < stack->GetFrameCount(); ++i) {
    const Local<v8::StackFrame> frame = stack->GetFrame(isolate, static_cast<unsigned>(i));
    const std::string id = std::to_string(frame->GetScriptId());
    const Local<Value> column = v8::Integer::New(isolate, frame->GetColumn());
    v8::MaybeLocal<Value> values[] = {
        or_empty(frame->GetFunctionName()),
        v8::String::NewFromOneByte(isolate, reinterpret_cast<const std::uint8_t*>(id.data()),
                                   v8::NewStringType::kNormal, static_cast<int>(id.size())),
        or_empty(frame->GetScriptName()),
        v8::Integer::New(isolate, frame->GetLineNumber()),
        column,
        column,
    };
    const Local<v8::Object> site = shape->NewInstance(isolate->GetCurrentContext(), values);
    if (site->SetPrototypeV2(isolate->GetCurrentContext(), v8::Null(isolate)).IsNothing())
      return {};
    sites.push_back(site);
  }
  return sites;
}

void mark_promise_as_handled(Local<v8::Promise> promise) {
  promise->MarkAsHandled();
}

Local<v8::Object> parse_env(Environment& environment, const std::string& text) {
  v8::Isolate* isolate = environment.isolate();
  Variables variables;
  rondo::parse_env(text, variables);
  std::vector<Local<v8::Name>> names;
  std::vector<Local<Value>> values;
  for (const auto& [name, value] : variables) {
    names.push_back(environment.text(name));
    values.push_back(environment.text(value));
  }
  return v8::Object::New(isolate, v8::Null(isolate), names.data(), values.data(), names.size());
}

void extend(Environment& environment, Local<v8::Object> target) {
  const Local<v8::Object> constants = v8::Object::New(environment.isolate());
  const auto set = [&](std::string_view name, int value) {
    set_value(environment, constants, name, value);
  };
  set("kPending", v8::Promise::kPending);
  set("kFulfilled", v8::Promise::kFulfilled);
  set("kRejected", v8::Promise::kRejected);
  set("ALL_PROPERTIES", v8::ALL_PROPERTIES);
  set("ONLY_WRITABLE", v8::ONLY_WRITABLE);
  set("ONLY_ENUMERABLE", v8::ONLY_ENUMERABLE);
  set("ONLY_CONFIGURABLE", v8::ONLY_CONFIGURABLE);
  set("SKIP_STRINGS", v8::SKIP_STRINGS);
  set("SKIP_SYMBOLS", v8::SKIP_SYMBOLS);
  set_value(environment, target, "constants", constants);
}

constexpr Method kMethods[] = {
    method<get_promise_details>("getPromiseDetails"),
    {"getProxyDetails", get_proxy_details},
    {"previewEntries", preview_entries},
    method<get_own_non_index_properties>("getOwnNonIndexProperties"),
    method<get_constructor_name>("getConstructorName"),
    method<get_external_value>("getExternalValue"),
    method<array_buffer_view_has_buffer>("arrayBufferViewHasBuffer"),
    method<is_array_buffer_detached>("isArrayBufferDetached"),
    method<guess_handle_type>("guessHandleType"),
    method<sleep>("sleep"),
    method<is_inside_node_modules>("isInsideNodeModules"),
    method<get_call_sites>("getCallSites"),
    method<mark_promise_as_handled>("markPromiseAsHandled"),
    method<parse_env>("parseEnv"),
    {"defineLazyProperties", define_lazy_properties},
    {"setLazyLoader", set_lazy_loader},
};

}  // namespace

extern const Binding binding_util;
const Binding binding_util{"util", kMethods, extend};

}  // namespace rondo
