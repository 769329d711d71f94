// Work for the thread pool of the loop.
#include <atomic>
#include <memory>
#include <utility>

#include "core/loop_core.h"
#include "io/threads/pool_operation.h"
#include "runtime/napi/async/async_task.h"

using namespace rondo::napi;

struct napi_async_work__ final : rondo::PoolOperation {
  napi_async_work__(napi_env its_env, napi_async_execute_callback to_execute,
                    napi_async_complete_callback at_end, void* its_data)
      : env(its_env), execute(to_execute), complete_callback(at_end), data(its_data) {}

  std::error_code queue() {
    rondo::LoopCore& core = env->addons.environment().loop().core();
    if (const std::error_code error = start(core)) return error;
    under_way = true;
    env->addons.begin_wait();
    ++env->holds;
    return {};
  }

  std::int32_t perform_blocking() noexcept override {
    execute(env, data);
    return 0;
  }

  void performed(std::int32_t result) override {
    napi_env its_env = env;
    const rondo::Task task{rondo::TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
    its_env->addons.environment().loop().core().door().run(task, [&] {
      under_way = false;
      its_env->addons.end_wait();
      const std::unique_ptr<napi_async_work__> owned(deleted ? this : nullptr);
      if (complete_callback == nullptr || deleted) return;
      // It usually deletes the work.
      call_in_task(
          its_env, async,
          [&] { complete_callback(its_env, result == 0 ? napi_ok : napi_cancelled, data); }, true);
    });
    its_env->addons.release(its_env);
  }

  napi_env env;
  napi_async_execute_callback execute;
  napi_async_complete_callback complete_callback;
  void* data;
  AsyncTask async;
  bool under_way = false;
  bool deleted = false;
};

napi_status napi_create_async_work(napi_env env, napi_value async_resource,
                                   napi_value async_resource_name,
                                   napi_async_execute_callback execute,
                                   napi_async_complete_callback complete, void* data,
                                   napi_async_work* result) {
  return plain(env, [&] {
    if (execute == nullptr || result == nullptr || async_resource_name == nullptr)
      return napi_invalid_arg;
    auto work = std::make_unique<napi_async_work__>(env, execute, complete, data);
    const napi_status status = work->async.init(env, async_resource, async_resource_name, true);
    if (status != napi_ok) return status;
    *result = work.release();
    env->leftovers.emplace(*result, [](void* left) { delete static_cast<napi_async_work>(left); });
    return napi_ok;
  });
}

napi_status napi_delete_async_work(napi_env env, napi_async_work work) {
  return plain(env, [&] {
    if (work == nullptr) return napi_invalid_arg;
    work->async.destroy();
    work->env->leftovers.erase(work);
    if (work->under_way) {
      work->deleted = true;  // a thread uses it
    } else {
      delete work;
    }
    return napi_ok;
  });
}

napi_status napi_queue_async_work(node_api_basic_env env, napi_async_work work) {
  return basic(env, [&] {
    if (work == nullptr) return napi_invalid_arg;
    if (work->under_way || work->queue()) return napi_generic_failure;
    return napi_ok;
  });
}

napi_status napi_cancel_async_work(node_api_basic_env env, napi_async_work work) {
  return basic(env, [&] {
    if (work == nullptr) return napi_invalid_arg;
    return work->under_way && work->cancel() ? napi_ok : napi_generic_failure;
  });
}
