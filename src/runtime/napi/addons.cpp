#include "runtime/napi/addons.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/loop_core.h"
#include "runtime/napi/env.h"

namespace rondo::napi {

// ---- LoopLink ----------------------------------------------------------------------------------

bool LoopLink::post(Callback<> callback, bool keeps_alive) {
  const std::lock_guard guard(mutex_);
  if (loop_ == nullptr) return false;
  if (keeps_alive) {
    loop_->post(std::move(callback));
  } else {
    loop_->core().post_unreferenced(std::move(callback));
  }
  return true;
}

void LoopLink::cut() noexcept {
  const std::lock_guard guard(mutex_);
  loop_ = nullptr;
}

// ---- Addons ------------------------------------------------------------------------------------

thread_local constinit Addons* Addons::current_ = nullptr;

Addons::Addons(Environment& environment)
    : environment_(environment), link_(std::make_shared<LoopLink>(environment.loop())) {
  v8::Isolate* isolate = environment.isolate();
  wrap_key_.Reset(isolate, v8::Private::New(isolate, environment.name("napi.wrap")));
  tag_key_.Reset(isolate, v8::Private::New(isolate, environment.name("napi.type_tag")));
  current_ = this;
}

Addons::~Addons() {
  link_->cut();
  current_ = nullptr;
}

Addons& Addons::of(Environment& environment) {
  if (current_ == nullptr) std::ignore = new Addons(environment);
  return *current_;
}

v8::MaybeLocal<v8::Value> Addons::call(AsyncFunction which,
                                       std::initializer_list<v8::Local<v8::Value>> arguments) {
  if (!can_call_js()) return {};
  const v8::Local<v8::Function> function =
      functions_[static_cast<std::size_t>(which)].Get(isolate());
  return function->Call(environment_.context(), v8::Undefined(isolate()),
                        static_cast<int>(arguments.size()),
                        const_cast<v8::Local<v8::Value>*>(arguments.begin()));
}

void Addons::add(napi_env env) {
  add_hook(
      [](void* ended) {
        auto* closing = static_cast<napi_env>(ended);
        closing->wants_close = true;
        if (closing->holds == 0) closing->close();
      },
      env);
}

void Addons::release(napi_env env) {
  if (--env->holds == 0 && env->wants_close) {
    at_close([env] { env->close(); });
  }
}

void Addons::add_hook(napi_cleanup_hook hook, void* argument) {
  hooks_.push_front({hook, argument});
}

void Addons::remove_hook(napi_cleanup_hook hook, void* argument) {
  const auto found = std::ranges::find_if(
      hooks_, [&](const Hook& each) { return each.function == hook && each.argument == argument; });
  if (found != hooks_.end()) hooks_.erase(found);
}

void Addons::wait() {
  // After stop() a loop does not wait the first time.
  while (waits_ > 0) environment_.loop().run_once();
}

void Addons::close() {
  if (std::exchange(closing_, true)) return;
  v8::Isolate* isolate = environment_.isolate();
  const v8::HandleScope scope(isolate);
  const v8::Context::Scope inside(environment_.context());
  // The loop may run once more, but none of JavaScript's callbacks.
  environment_.stop_from_any_thread();
  isolate->CancelTerminateExecution();
  wait();
  while (!hooks_.empty() || !late_.empty()) {
    while (!hooks_.empty()) {
      const Hook hook = hooks_.front();
      hooks_.pop_front();
      hook.function(hook.argument);
    }
    wait();
    for (const auto& function : std::exchange(late_, {})) function();
  }
}

void close_addons(Environment& environment) {
  Addons* addons = Addons::current();
  if (addons == nullptr || &addons->environment() != &environment) return;
  addons->close();
  delete addons;
}

}  // namespace rondo::napi
