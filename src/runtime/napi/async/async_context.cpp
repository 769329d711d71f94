// Asynchronous operations that the addon itself runs: their context, and calls in it.
#include <tuple>

#include "runtime/napi/async/async_task.h"

namespace rondo::napi {

napi_status AsyncTask::init(napi_env env, napi_value resource, napi_value name, bool keeps_alive) {
  v8::Isolate* isolate = env->isolate();
  const v8::HandleScope scope(isolate);
  const v8::Local<v8::Context> context = env->context();
  v8::Local<v8::Value> object = v8::Undefined(isolate);
  if (resource != nullptr) {
    v8::Local<v8::Object> given;
    if (!to_object(context, resource).ToLocal(&given)) return napi_object_expected;
    object = given;
  }
  v8::Local<v8::String> text;
  if (!to_v8(name)->ToString(context).ToLocal(&text)) return napi_string_expected;
  v8::Local<v8::Value> task;
  if (!env->addons.call(AsyncFunction::init, {object, text, v8::Boolean::New(isolate, keeps_alive)})
           .ToLocal(&task)) {
    return napi_generic_failure;
  }
  env_ = env;
  task_.Reset(isolate, task);
  return napi_ok;
}

void AsyncTask::enter(napi_env env, v8::Local<v8::Value> task, bool in_frame) {
  std::ignore =
      env->addons.call(AsyncFunction::before, {task, v8::Boolean::New(env->isolate(), in_frame)});
}

void AsyncTask::abandon(napi_env env) {
  std::ignore = env->addons.call(AsyncFunction::abandon, {});
}

void AsyncTask::leave(napi_env env, v8::Local<v8::Value> task) {
  std::ignore = env->addons.call(AsyncFunction::after, {task});
}

void AsyncTask::destroy() {
  if (task_.IsEmpty()) return;
  const v8::HandleScope scope(env_->isolate());
  const v8::Context::Scope inside(env_->context());
  std::ignore = env_->addons.call(AsyncFunction::destroy, {task_.Get(env_->isolate())});
  task_.Reset();
}

}  // namespace rondo::napi

using namespace rondo::napi;

struct napi_async_context__ {
  AsyncTask task;
};

struct napi_callback_scope__ {
  v8::Global<v8::Value> task;
};

napi_status napi_async_init(napi_env env, napi_value async_resource, napi_value async_resource_name,
                            napi_async_context* result) {
  return plain(env, [&] {
    if (async_resource_name == nullptr || result == nullptr) return napi_invalid_arg;
    auto made = std::make_unique<napi_async_context__>();
    const napi_status status = made->task.init(env, async_resource, async_resource_name, false);
    if (status == napi_ok) *result = made.release();
    return status;
  });
}

napi_status napi_async_destroy(napi_env env, napi_async_context async_context) {
  return plain(env, [&] {
    if (async_context == nullptr) return napi_invalid_arg;
    async_context->task.destroy();
    delete async_context;
    return napi_ok;
  });
}

napi_status napi_make_callback(napi_env env, napi_async_context async_context, napi_value recv,
                               napi_value func, size_t argc, const napi_value* argv,
                               napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (recv == nullptr || (argc > 0 && argv == nullptr)) return napi_invalid_arg;
    v8::Local<v8::Object> receiver;
    if (!to_object(context, recv).ToLocal(&receiver)) return napi_object_expected;
    if (func == nullptr || !to_v8(func)->IsFunction()) return napi_invalid_arg;
    v8::Local<v8::Value> task;
    if (async_context != nullptr) {
      task = async_context->task.get();
      AsyncTask::enter(env, task, true);
    }
    const v8::MaybeLocal<v8::Value> returned = to_v8(func).As<v8::Function>()->Call(
        context, receiver, static_cast<int>(argc),
        reinterpret_cast<v8::Local<v8::Value>*>(const_cast<napi_value*>(argv)));
    if (!task.IsEmpty()) {
      // The exception of the function stays as it is.
      const v8::TryCatch quiet(env->isolate());
      if (returned.IsEmpty()) {
        AsyncTask::abandon(env);
      } else {
        AsyncTask::leave(env, task);
      }
    }
    v8::Local<v8::Value> value;
    if (!returned.ToLocal(&value)) return napi_pending_exception;
    if (result != nullptr) *result = to_napi(value);
    return napi_ok;
  });
}

napi_status napi_open_callback_scope(napi_env env, napi_value /*resource_object*/,
                                     napi_async_context context, napi_callback_scope* result) {
  return plain(env, [&] {
    if (result == nullptr || context == nullptr) return napi_invalid_arg;
    const v8::HandleScope scope(env->isolate());
    const v8::Local<v8::Value> task = context->task.get();
    AsyncTask::enter(env, task);
    ++env->open_callback_scopes;
    *result = new napi_callback_scope__{v8::Global<v8::Value>(env->isolate(), task)};
    return napi_ok;
  });
}

napi_status napi_close_callback_scope(napi_env env, napi_callback_scope scope) {
  return plain(env, [&] {
    if (scope == nullptr) return napi_invalid_arg;
    if (env->open_callback_scopes == 0) return napi_callback_scope_mismatch;
    --env->open_callback_scopes;
    const v8::HandleScope handles(env->isolate());
    AsyncTask::leave(env, scope->task.Get(env->isolate()));
    delete scope;
    return napi_ok;
  });
}
