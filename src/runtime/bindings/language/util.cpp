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
#include "runtime/glue/binding.h"
#include "runtime/process/env_file.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

// [state] or [state, result]
void get_promise_details(const Arguments& args) {
  if (!args[0]->IsPromise()) return;
  v8::Isolate* isolate = args.GetIsolate();
  const auto promise = args[0].As<v8::Promise>();
  Local<Value> parts[2] = {v8::Integer::New(isolate, static_cast<int>(promise->State()))};
  std::size_t count = 1;
  if (promise->State() != v8::Promise::kPending) parts[count++] = promise->Result();
  args.GetReturnValue().Set(v8::Array::New(isolate, parts, count));
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

void get_own_non_index_properties(const Arguments& args) {
  if (!args[0]->IsObject()) return;
  const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
  const auto filter = static_cast<v8::PropertyFilter>(args[1]->Int32Value(context).FromMaybe(0));
  Local<v8::Array> names;
  if (args[0]
          .As<v8::Object>()
          ->GetPropertyNames(context, v8::KeyCollectionMode::kOwnOnly, filter,
                             v8::IndexFilter::kSkipIndices)
          .ToLocal(&names)) {
    args.GetReturnValue().Set(names);
  }
}

void get_constructor_name(const Arguments& args) {
  if (args[0]->IsObject()) {
    args.GetReturnValue().Set(args[0].As<v8::Object>()->GetConstructorName());
  }
}

void get_external_value(const Arguments& args) {
  if (!args[0]->IsExternal()) return;
  const auto address = reinterpret_cast<std::uintptr_t>(args[0].As<v8::External>()->Value());
  args.GetReturnValue().Set(v8::BigInt::NewFromUnsigned(args.GetIsolate(), address));
}

void array_buffer_view_has_buffer(const Arguments& args) {
  args.GetReturnValue().Set(args[0]->IsArrayBufferView() &&
                            args[0].As<v8::ArrayBufferView>()->HasBuffer());
}

void is_array_buffer_detached(const Arguments& args) {
  args.GetReturnValue().Set(args[0]->IsArrayBuffer() &&
                            args[0].As<v8::ArrayBuffer>()->WasDetached());
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

void guess_handle_type(const Arguments& args) {
  const int descriptor = args[0]->Int32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(-1);
  args.GetReturnValue().Set(Environment::of(args.GetIsolate()).name(handle_type(descriptor)));
}

// Holds the whole thread up, for as many milliseconds.
void sleep(const Arguments& args) {
  const auto milliseconds =
      args[0]->IntegerValue(args.GetIsolate()->GetCurrentContext()).FromMaybe(0);
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
void is_inside_node_modules(const Arguments& args) {
  constexpr int kFrames = 20;  // of lib/ there may be a dozen above it
  v8::Isolate* isolate = args.GetIsolate();
  const auto stack =
      v8::StackTrace::CurrentStackTrace(isolate, kFrames, v8::StackTrace::kScriptName);
  for (int i = 0; i < stack->GetFrameCount(); ++i) {
    const v8::String::Utf8Value name(
        isolate, stack->GetFrame(isolate, static_cast<unsigned>(i))->GetScriptName());
    const std::string_view path(*name != nullptr ? *name : "",
                                static_cast<std::size_t>(name.length()));
    if (path.empty() || path.starts_with("node:")) continue;
    args.GetReturnValue().Set(is_in_package(path));
    return;
  }
  args.GetReturnValue().Set(false);
}

// getCallSites(most) -> the frames above the function that called, as util.getCallSites() gives
// them
void get_call_sites(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const int most = args[0].As<v8::Int32>()->Value();
  const auto stack = v8::StackTrace::CurrentStackTrace(isolate, most + 1);
  static constexpr std::string_view kNames[] = {"functionName", "scriptId",     "scriptName",
                                                "lineNumber",   "columnNumber", "column"};
  const auto shape = v8::DictionaryTemplate::New(isolate, kNames);
  const auto or_empty = [&](Local<v8::String> text) {
    return text.IsEmpty() ? v8::String::Empty(isolate) : text;
  };
  std::vector<Local<Value>> sites;
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
    if (site->SetPrototypeV2(isolate->GetCurrentContext(), v8::Null(isolate)).IsNothing()) return;
    sites.push_back(site);
  }
  args.GetReturnValue().Set(v8::Array::New(isolate, sites.data(), sites.size()));
}

void mark_promise_as_handled(const Arguments& args) {
  args[0].As<v8::Promise>()->MarkAsHandled();
}

void parse_env(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  const v8::String::Utf8Value text(isolate, args[0]);
  Variables variables;
  rondo::parse_env({*text, static_cast<std::size_t>(text.length())}, variables);
  std::vector<Local<v8::Name>> names;
  std::vector<Local<Value>> values;
  for (const auto& [name, value] : variables) {
    names.push_back(environment.text(name));
    values.push_back(environment.text(value));
  }
  args.GetReturnValue().Set(
      v8::Object::New(isolate, v8::Null(isolate), names.data(), values.data(), names.size()));
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
    {"getPromiseDetails", get_promise_details},
    {"getProxyDetails", get_proxy_details},
    {"previewEntries", preview_entries},
    {"getOwnNonIndexProperties", get_own_non_index_properties},
    {"getConstructorName", get_constructor_name},
    {"getExternalValue", get_external_value},
    {"arrayBufferViewHasBuffer", array_buffer_view_has_buffer},
    {"isArrayBufferDetached", is_array_buffer_detached},
    {"guessHandleType", guess_handle_type},
    {"sleep", sleep},
    {"isInsideNodeModules", is_inside_node_modules},
    {"getCallSites", get_call_sites},
    {"markPromiseAsHandled", mark_promise_as_handled},
    {"parseEnv", parse_env},
    {"defineLazyProperties", define_lazy_properties},
    {"setLazyLoader", set_lazy_loader},
};

}  // namespace

extern const Binding binding_util;
const Binding binding_util{"util", kMethods, extend};

}  // namespace rondo
