// napi_env: what one addon has in one Environment. It is made each time the addon is loaded.
//
// Every function of Node-API begins with one of these:
//
//     return basic(env, [&] { ... });       allowed at any time, on the environment's thread
//     return plain(env, [&] { ... });       runs no JavaScript; not inside a collection of garbage
//     return running(env, [&](context) { ... });   may run JavaScript: an exception becomes the
//     pending one
//
// The body returns a status, napi_ok above all, and says why not with env->fail(status).
#pragma once

#include <v8.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "runtime/napi/addons.h"
#include "runtime/napi/node_api_header.h"

namespace rondo::napi {

class NativeCallback;
class ExternalMemory;
class ExternalValue;
class Reference;

/// What an element of a list derives from; it takes itself out. New ones come first.
template <class T>
struct Linked {
  T* next = nullptr;
  T** link = nullptr;

  void move_to(T*& first) noexcept {
    take_out();
    next = first;
    if (next != nullptr) next->link = &next;
    link = &first;
    first = static_cast<T*>(this);
  }
  void take_out() noexcept {
    if (link == nullptr) return;
    *link = next;
    if (next != nullptr) next->link = link;
    link = nullptr;
    next = nullptr;
  }
};

}  // namespace rondo::napi

struct napi_env__ {
  napi_env__(rondo::napi::Addons& addons, std::int32_t api_version, std::string file_url);
  ~napi_env__();
  napi_env__(const napi_env__&) = delete;
  napi_env__& operator=(const napi_env__&) = delete;

  v8::Isolate* isolate() const noexcept { return isolate_; }
  v8::Local<v8::Context> context() const { return addons.environment().context(); }

  napi_status fail(napi_status status) noexcept {
    last_error = {nullptr, nullptr, 0, status};
    return status;
  }
  napi_status succeed() noexcept { return fail(napi_ok); }

  bool is_experimental() const noexcept { return api_version == NAPI_VERSION_EXPERIMENTAL; }
  bool can_call_js() const noexcept { return addons.can_call_js(); }
  /// Ends the process if a finalizer that runs in a collection of garbage calls what is not for
  /// such.
  void check_not_in_gc() const {
    if (in_gc_finalizer) [[unlikely]]
      die_of_gc();
  }

  /// Calls the addon: scopes are counted, and the exception that it leaves goes to
  /// `on_throw`.
  template <class Body, class OnThrow>
  void call_into(Body&& body, OnThrow&& on_throw) {
    const std::size_t scopes = open_scopes;
    const std::size_t callback_scopes = open_callback_scopes;
    succeed();
    body();
    if (scopes != open_scopes || callback_scopes != open_callback_scopes) die_of_scopes();
    if (last_exception.IsEmpty()) return;
    const v8::Local<v8::Value> exception = last_exception.Get(isolate_);
    last_exception.Reset();
    on_throw(exception);
  }
  /// The same from the loop: the exception is an uncaught one, unless the addon is too old for
  /// that.
  template <class Body>
  void call_from_loop(Body&& body, bool always_reports = false) {
    call_into(std::forward<Body>(body),
              [&](v8::Local<v8::Value> exception) { report(exception, always_reports); });
  }
  void report(v8::Local<v8::Value> exception, bool always);

  /// Calls a finalizer, on the loop's thread, outside of a collection of garbage.
  void finalize(napi_finalize callback, void* data, void* hint);
  /// The same soon.
  void finalize_soon(rondo::napi::Reference* reference);
  /// Finalizers that wait run now.
  void run_finalizers();
  void schedule_finalizers();

  /// Ends it: no JavaScript runs any more, finalizers are called.
  void close();

  rondo::napi::Addons& addons;
  v8::Isolate* const isolate_;
  const std::int32_t api_version;
  const std::string file_url;
  napi_extended_error_info last_error{};
  v8::Global<v8::Value> last_exception;
  std::size_t open_scopes = 0;
  std::size_t open_callback_scopes = 0;
  std::size_t holds = 0;  // by what has to end before close()
  bool wants_close = false;
  bool in_gc_finalizer = false;
  rondo::napi::Reference* instance_data = nullptr;

  // Lists: those with a finalizer are called first at the end.
  rondo::napi::Reference* finalizing = nullptr;
  rondo::napi::Reference* references = nullptr;
  rondo::napi::Reference* waiting =
      nullptr;  // their object is gone, the finalizer was not called yet
  rondo::napi::Reference* finalized = nullptr;  // the addon's to delete
  rondo::napi::NativeCallback* callbacks = nullptr;
  rondo::napi::ExternalMemory* memories = nullptr;
  rondo::napi::ExternalValue* externals = nullptr;
  bool finalizers_scheduled = false;
  /// What the addon has not deleted, and how to do so: asynchronous work.
  std::unordered_map<void*, void (*)(void*)> leftovers;
  /// Cleared when it goes: for what may come later.
  std::shared_ptr<napi_env__*> self;

 private:
  [[noreturn]] static void die_of_gc();
  [[noreturn]] static void die_of_scopes();
};

namespace rondo::napi {

/// The number in an enumeration that an addon has passed: it may be one that the enumeration does
/// not have.
template <class Enumeration>
std::underlying_type_t<Enumeration> number_of(const Enumeration& value) noexcept {
  std::underlying_type_t<Enumeration> number{};
  std::memcpy(&number, &value, sizeof(number));
  return number;
}

/// A napi_value is the address of V8's handle.
inline napi_value to_napi(v8::Local<v8::Value> local) noexcept {
  static_assert(sizeof(napi_value) == sizeof local);
  napi_value value;
  std::memcpy(&value, &local, sizeof value);
  return value;
}

inline v8::Local<v8::Value> to_v8(napi_value value) noexcept {
  v8::Local<v8::Value> local;
  std::memcpy(static_cast<void*>(&local), &value, sizeof value);
  return local;
}

template <class Body>
napi_status basic(napi_env env, Body&& body) {
  if (env == nullptr) return napi_invalid_arg;
  const napi_status status = body();
  return env->fail(status);
}

template <class Body>
napi_status plain(napi_env env, Body&& body) {
  if (env == nullptr) return napi_invalid_arg;
  env->check_not_in_gc();
  return env->fail(body());
}

template <class Body>
napi_status running(napi_env env, Body&& body) {
  if (env == nullptr) return napi_invalid_arg;
  env->check_not_in_gc();
  if (!env->last_exception.IsEmpty()) return env->fail(napi_pending_exception);
  if (!env->can_call_js()) {
    return env->fail(env->api_version >= 10 ? napi_cannot_run_js : napi_pending_exception);
  }
  env->succeed();
  v8::TryCatch caught(env->isolate());
  napi_status status = body(env->context());
  if (caught.HasCaught()) [[unlikely]] {
    if (!caught.HasTerminated()) env->last_exception.Reset(env->isolate(), caught.Exception());
    if (status == napi_ok) status = napi_pending_exception;
  }
  return env->fail(status);
}

/// A value that JavaScript's ToObject() gives; empty with an exception under way for null and
/// undefined.
inline v8::MaybeLocal<v8::Object> to_object(v8::Local<v8::Context> context, napi_value value) {
  return to_v8(value)->ToObject(context);
}

[[noreturn]] void die(const char* location, std::size_t location_length, const char* message,
                      std::size_t message_length);

/// The text of a C string of this length, or up to its end (NAPI_AUTO_LENGTH).
inline std::size_t length_of(const char* text, std::size_t length) noexcept {
  return length == NAPI_AUTO_LENGTH ? std::strlen(text) : length;
}

}  // namespace rondo::napi
