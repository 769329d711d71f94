// What async_hooks and AsyncLocalStorage know of an addon's asynchronous operation.
#pragma once

#include <v8.h>

#include "runtime/napi/env.h"

namespace rondo::napi {

class AsyncTask {
 public:
  AsyncTask() = default;

  /// Announces it. A resource that is null gets an object of its own. `keeps_alive`: it may keep
  /// the program alive.
  napi_status init(napi_env env, napi_value resource, napi_value name, bool keeps_alive);
  void destroy();

  /// What stands for it in lib/internal/process/addons.js.
  v8::Local<v8::Value> get() const { return task_.Get(env_->isolate()); }
  static void enter(napi_env env, v8::Local<v8::Value> task, bool in_frame = false);
  static void leave(napi_env env, v8::Local<v8::Value> task);
  /// In its stead, if there was an exception.
  static void abandon(napi_env env);

 private:
  napi_env env_ = nullptr;
  v8::Global<v8::Value> task_;
};

/// Calls `body` in the middle of the task's context, from the loop: what it throws is an uncaught
/// exception.
template <class Body>
void call_in_task(napi_env env, const AsyncTask& task, Body&& body, bool always_reports) {
  v8::Isolate* isolate = env->isolate();
  const v8::HandleScope scope(isolate);
  const v8::Context::Scope inside(env->context());
  const v8::Local<v8::Data> frame = isolate->GetContinuationPreservedEmbedderDataV2();
  const std::uint64_t uncaught = env->addons.environment().uncaught_count();
  // The body may end the task.
  const v8::Local<v8::Value> entered = task.get();
  AsyncTask::enter(env, entered);
  env->call_from_loop(std::forward<Body>(body), always_reports);
  // The handlers of uncaught exceptions have taken the context down.
  if (uncaught == env->addons.environment().uncaught_count()) AsyncTask::leave(env, entered);
  isolate->SetContinuationPreservedEmbedderDataV2(frame);
}

}  // namespace rondo::napi
