// Functions that any thread may call: what it hands over waits in a queue, and a callback of the
// loop takes it out.
//
// The members after the mutex are for all threads; the rest belongs to the thread of the loop. The
// function is deleted when it has been closed and no thread uses it any more.
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/loop_core.h"
#include "runtime/napi/async/async_task.h"

using namespace rondo::napi;

struct napi_threadsafe_function__ : std::enable_shared_from_this<napi_threadsafe_function__> {
  napi_threadsafe_function__(napi_env its_env, std::size_t most, std::size_t threads)
      : most_queued(most), users(threads), env(its_env), link(its_env->addons.link()) {}

  // ---- Any thread ------------------------------------------------------------------------------

  napi_status push(void* data, napi_threadsafe_function_call_mode mode) {
    std::unique_lock guard(mutex);
    while (most_queued > 0 && queue.size() >= most_queued && !closing) {
      if (mode == napi_tsfn_nonblocking) return napi_queue_full;
      room.wait(guard);
    }
    if (closing) {
      if (users == 0) return napi_invalid_arg;
      return leave(napi_closing);
    }
    queue.push_back(data);
    ask_for_visit();
    return napi_ok;
  }

  napi_status acquire() {
    const std::lock_guard guard(mutex);
    if (closing) return napi_closing;
    ++users;
    return napi_ok;
  }

  napi_status release(napi_threadsafe_function_release_mode mode) {
    const std::unique_lock guard(mutex);
    if (users == 0) return napi_invalid_arg;
    const napi_status status = leave(napi_ok);
    if ((users == 0 || mode == napi_tsfn_abort) && !closing) {
      closing = mode == napi_tsfn_abort;
      if (closing) room.notify_all();
      ask_for_visit();
    }
    return status;
  }

  // ---- The loop's ------------------------------------------------------------------------------

  void remember() {
    const std::lock_guard guard(all().mutex);
    all().functions.emplace(this, shared_from_this());
  }

  void visit() {
    void* data = nullptr;
    bool has_data = false;
    bool closes = false;
    {
      const std::lock_guard guard(mutex);
      if (finalized) return;
      if (!closing) {
        has_data = !queue.empty();
        if (has_data) {
          data = queue.front();
          queue.pop_front();
          room.notify_one();
        }
        closing = queue.empty() && users == 0;
        if (closing) room.notify_all();
      }
      closes = closing;
    }
    if (closes) begin_close();
    if (has_data) call(data);
  }

  void call(void* data) {
    if (!env->can_call_js()) return drop(data);
    call_in_task(
        env, async,
        [&] {
          napi_value callee = function.IsEmpty() ? nullptr : to_napi(function.Get(env->isolate()));
          if (call_js != nullptr) return call_js(env, callee, context, data);
          const v8::Local<v8::Value> undefined = v8::Undefined(env->isolate());
          std::ignore = napi_call_function(env, to_napi(undefined), callee, 0, nullptr, nullptr);
        },
        false);
  }

  /// Nobody will call the function for this, but the addon may want to free it.
  void drop(void* data) {
    const v8::HandleScope scope(env->isolate());
    if (call_js != nullptr) call_js(nullptr, nullptr, context, data);
  }

  /// As for a handle, its end is reported in the close phase.
  void begin_close() {
    if (std::exchange(close_begun, true)) return;
    env->addons.environment().loop().queue_close([self = shared_from_this()] { self->finalize(); });
    alive.release();
  }

  void finalize() {
    const auto kept = shared_from_this();
    std::deque<void*> left;
    {
      const std::lock_guard guard(mutex);
      if (finalized) return;
      finalized = true;
      left.swap(queue);
    }
    alive.release();
    env->addons.remove_hook(end, this);
    for (void* data : left) drop(data);
    if (finalizer != nullptr) {
      call_in_task(env, async, [&] { finalizer(env, finalize_data, context); }, false);
    }
    function.Reset();
    async.destroy();
    env->addons.release(env);
    const std::lock_guard guard(mutex);
    if (users == 0) forget();
  }

  /// A cleanup hook.
  static void end(void* self) {
    auto* function = static_cast<napi_threadsafe_function>(self);
    {
      const std::lock_guard guard(function->mutex);
      function->closing = true;
      function->room.notify_all();
    }
    function->alive.release();
    function->env->addons.at_close([kept = function->shared_from_this()] { kept->finalize(); });
  }

  void keep_loop_alive(bool wanted) {
    if (close_begun || finalized) return;
    if (wanted == is_referenced) return;
    is_referenced = wanted;
    if (wanted) {
      alive = env->addons.environment().loop().keep_alive();
    } else {
      alive.release();
    }
  }

  // Guarded by the mutex.
  std::mutex mutex;
  std::condition_variable room;
  std::deque<void*> queue;
  const std::size_t most_queued;  // 0: any number
  std::size_t users;              // threads that have not released it
  bool closing = false;
  bool finalized = false;

  // The loop's thread's.
  napi_env env;
  std::shared_ptr<LoopLink> link;
  v8::Global<v8::Function> function;
  napi_threadsafe_function_call_js call_js = nullptr;
  napi_finalize finalizer = nullptr;
  void* finalize_data = nullptr;
  void* context = nullptr;
  AsyncTask async;
  rondo::KeepAlive alive;
  bool is_referenced = false;
  bool close_begun = false;

 private:
  /// With the mutex held.
  void ask_for_visit() {
    // It is the KeepAlive that keeps the loop alive, or does not.
    link->post([kept = shared_from_this()] { kept->visit(); }, false);
  }
  napi_status leave(napi_status status) {
    --users;
    if (finalized && users == 0) forget();
    return status;
  }
  /// Whoever calls this has the mutex, and a pointer that keeps us until it has been unlocked.
  void forget() {
    const std::lock_guard guard(all().mutex);
    all().functions.erase(this);
  }

  /// All there are: one stays until its environment has ended and every thread of the addon has
  /// released it.
  struct All {
    std::mutex mutex;
    std::unordered_map<napi_threadsafe_function__*, std::shared_ptr<napi_threadsafe_function__>>
        functions;
  };
  static All& all() {
    static All& made = *new All;  // threads may use it until the process has ended
    return made;
  }
};

namespace {

/// Calls `body` and keeps the function meanwhile.
template <class Body>
napi_status use(napi_threadsafe_function function, Body&& body) {
  if (function == nullptr) return napi_invalid_arg;
  const std::shared_ptr<napi_threadsafe_function__> kept = function->shared_from_this();
  return body(*kept);
}

}  // namespace

napi_status napi_create_threadsafe_function(napi_env env, napi_value func,
                                            napi_value async_resource,
                                            napi_value async_resource_name, size_t max_queue_size,
                                            size_t initial_thread_count, void* thread_finalize_data,
                                            napi_finalize thread_finalize_cb, void* context,
                                            napi_threadsafe_function_call_js call_js_cb,
                                            napi_threadsafe_function* result) {
  return plain(env, [&] {
    if (async_resource_name == nullptr || initial_thread_count == 0 || result == nullptr)
      return napi_invalid_arg;
    if (func == nullptr ? call_js_cb == nullptr : !to_v8(func)->IsFunction())
      return napi_invalid_arg;
    auto made =
        std::make_shared<napi_threadsafe_function__>(env, max_queue_size, initial_thread_count);
    const napi_status status = made->async.init(env, async_resource, async_resource_name, true);
    if (status != napi_ok) return status;
    if (func != nullptr) made->function.Reset(env->isolate(), to_v8(func).As<v8::Function>());
    made->call_js = call_js_cb;
    made->finalizer = thread_finalize_cb;
    made->finalize_data = thread_finalize_data;
    made->context = context;
    made->remember();
    ++env->holds;
    env->addons.add_hook(napi_threadsafe_function__::end, made.get());
    made->keep_loop_alive(true);
    *result = made.get();
    return napi_ok;
  });
}

napi_status napi_get_threadsafe_function_context(napi_threadsafe_function func, void** result) {
  if (func == nullptr || result == nullptr) return napi_invalid_arg;
  *result = func->context;
  return napi_ok;
}

napi_status napi_call_threadsafe_function(napi_threadsafe_function func, void* data,
                                          napi_threadsafe_function_call_mode is_blocking) {
  return use(
      func, [&](napi_threadsafe_function__& function) { return function.push(data, is_blocking); });
}

napi_status napi_acquire_threadsafe_function(napi_threadsafe_function func) {
  return use(func, [](napi_threadsafe_function__& function) { return function.acquire(); });
}

napi_status napi_release_threadsafe_function(napi_threadsafe_function func,
                                             napi_threadsafe_function_release_mode mode) {
  return use(func, [&](napi_threadsafe_function__& function) { return function.release(mode); });
}

napi_status napi_unref_threadsafe_function(node_api_basic_env /*env*/,
                                           napi_threadsafe_function func) {
  if (func == nullptr) return napi_invalid_arg;
  func->keep_loop_alive(false);
  return napi_ok;
}

napi_status napi_ref_threadsafe_function(node_api_basic_env /*env*/,
                                         napi_threadsafe_function func) {
  if (func == nullptr) return napi_invalid_arg;
  func->keep_loop_alive(true);
  return napi_ok;
}
