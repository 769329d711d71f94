// Async work, thread-safe functions, and calls in an async context.
#include <pthread.h>

#include "addon.h"

namespace {

// ---- Async work --------------------------------------------------------------------------------

struct Work {
  napi_async_work work;
  napi_ref callback;
  int input;
  int output;
};

void execute(napi_env, void* data) {
  auto* work = static_cast<Work*>(data);
  work->output = work->input * 2;
}

void complete(napi_env env, napi_status status, void* data) {
  auto* work = static_cast<Work*>(data);
  napi_value callback, argument[2], global;
  MUST(napi_get_reference_value(env, work->callback, &callback));
  MUST(napi_create_int32(env, status, &argument[0]));
  MUST(napi_create_int32(env, work->output, &argument[1]));
  MUST(napi_get_global(env, &global));
  MUST(napi_delete_reference(env, work->callback));
  MUST(napi_delete_async_work(env, work->work));
  delete work;
  // What it throws is an uncaught exception.
  napi_call_function(env, global, callback, 2, argument, nullptr);
}

Work* make_work(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  auto* work = new Work();
  MUST(napi_get_value_int32(env, args.values[0], &work->input));
  MUST(napi_create_reference(env, args.values[1], 1, &work->callback));
  MUST(napi_create_async_work(env, nullptr, text(env, "TESTWORK"), execute, complete, work,
                              &work->work));
  return work;
}

napi_value work(napi_env env, napi_callback_info info) {
  MUST(napi_queue_async_work(env, make_work(env, info)->work));
  return nullptr;
}

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

void wait_at_gate(napi_env, void*) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
}

// cancel(...) with all threads of the pool busy: the work never begins.
napi_value cancel(napi_env env, napi_callback_info info) {
  pthread_mutex_lock(&gate);
  napi_async_work busy[16];
  for (napi_async_work& each : busy) {
    MUST(napi_create_async_work(env, nullptr, text(env, "BUSY"), wait_at_gate, nullptr, nullptr,
                                &each));
    MUST(napi_queue_async_work(env, each));
  }
  Work* work = make_work(env, info);
  MUST(napi_queue_async_work(env, work->work));
  napi_value result;
  MUST(napi_create_int32(env, napi_cancel_async_work(env, work->work), &result));
  pthread_mutex_unlock(&gate);
  return result;
}

// ---- Thread-safe functions ---------------------------------------------------------------------

struct Producer {
  napi_threadsafe_function function;
  int from;
  int count;
  bool aborts;
};

void* produce(void* data) {
  auto* producer = static_cast<Producer*>(data);
  for (int i = 0; i < producer->count; ++i) {
    auto* number = new int(producer->from + i);
    if (napi_call_threadsafe_function(producer->function, number, napi_tsfn_blocking) == napi_ok)
      continue;
    delete number;  // the function is closing, and has noted that this thread leaves it
    delete producer;
    return nullptr;
  }
  napi_release_threadsafe_function(producer->function,
                                   producer->aborts ? napi_tsfn_abort : napi_tsfn_release);
  delete producer;
  return nullptr;
}

void call_js(napi_env env, napi_value callback, void*, void* data) {
  auto* number = static_cast<int*>(data);
  if (env != nullptr) {
    napi_value argument, undefined;
    MUST(napi_create_int32(env, *number, &argument));
    MUST(napi_get_undefined(env, &undefined));
    napi_call_function(env, undefined, callback, 1, &argument, nullptr);
  }
  delete number;
}

void finished(napi_env env, void* data, void*) {
  auto* done = static_cast<napi_ref*>(data);
  napi_value callback, undefined;
  MUST(napi_get_undefined(env, &undefined));
  MUST(napi_get_reference_value(env, *done, &callback));
  MUST(napi_delete_reference(env, *done));
  delete done;
  napi_call_function(env, undefined, callback, 0, nullptr, nullptr);
}

// threads(threads, each, most queued, on number, at end)
napi_value threads(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  int32_t count, each, most;
  MUST(napi_get_value_int32(env, args.values[0], &count));
  MUST(napi_get_value_int32(env, args.values[1], &each));
  MUST(napi_get_value_int32(env, args.values[2], &most));
  auto* done = new napi_ref;
  MUST(napi_create_reference(env, args.values[4], 1, done));
  napi_threadsafe_function function;
  MUST(napi_create_threadsafe_function(env, args.values[3], nullptr, text(env, "TESTTSFN"),
                                       static_cast<size_t>(most), static_cast<size_t>(count), done,
                                       finished, nullptr, call_js, &function));
  for (int32_t i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, produce, new Producer{function, i * each, each, false}) !=
        0)
      abort();
    pthread_detach(thread);
  }
  return nullptr;
}

// full(callback): a queue of two from the loop's own thread, and what each call returns; then it is
// aborted.
napi_value full(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  napi_threadsafe_function function;
  MUST(napi_create_threadsafe_function(env, args.values[0], nullptr, text(env, "FULL"), 2, 2,
                                       nullptr, nullptr, nullptr, call_js, &function));
  int statuses[7];
  for (int i = 0; i < 3; ++i) {
    auto* number = new int(i);
    statuses[i] = napi_call_threadsafe_function(function, number, napi_tsfn_nonblocking);
    if (statuses[i] != napi_ok) delete number;
  }
  statuses[3] = napi_acquire_threadsafe_function(function);
  statuses[4] = napi_release_threadsafe_function(function, napi_tsfn_abort);
  statuses[5] = napi_acquire_threadsafe_function(function);
  statuses[6] = napi_call_threadsafe_function(function, nullptr, napi_tsfn_nonblocking);
  napi_release_threadsafe_function(function, napi_tsfn_release);
  napi_value result;
  MUST(napi_create_array(env, &result));
  for (uint32_t i = 0; i < 7; ++i) {
    napi_value status;
    MUST(napi_create_int32(env, statuses[i], &status));
    MUST(napi_set_element(env, result, i, status));
  }
  return result;
}

// forgotten(): one that is never released, and that does not keep the program alive.
napi_value forgotten(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  napi_threadsafe_function function;
  MUST(napi_create_threadsafe_function(
      env, args.values[0], nullptr, text(env, "FORGOTTEN"), 0, 1, nullptr,
      [](napi_env, void*, void*) { print("forgotten ends"); }, nullptr, nullptr, &function));
  MUST(napi_unref_threadsafe_function(env, function));
  return nullptr;
}

// ---- Async contexts ----------------------------------------------------------------------------

thread_local napi_async_context context;

napi_value init(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  MUST(napi_async_init(env, args.values[0], args.values[1], &context));
  return nullptr;
}

napi_value in_context(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  napi_value result = nullptr;
  napi_make_callback(env, context, args.values[0], args.values[1], args.count - 2, args.values + 2,
                     &result);
  return result;
}

napi_value in_scope(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  napi_callback_scope scope;
  MUST(napi_open_callback_scope(env, nullptr, context, &scope));
  napi_value global, result;
  MUST(napi_get_global(env, &global));
  MUST(napi_call_function(env, global, args.values[0], 0, nullptr, &result));
  MUST(napi_close_callback_scope(env, scope));
  return result;
}

napi_value destroy(napi_env env, napi_callback_info) {
  MUST(napi_async_destroy(env, context));
  return nullptr;
}

napi_value fatal_exception(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  MUST(napi_fatal_exception(env, args.values[0]));
  return nullptr;
}

// ---- Promises ----------------------------------------------------------------------------------

thread_local napi_deferred deferred;

napi_value promise(napi_env env, napi_callback_info) {
  napi_value result;
  MUST(napi_create_promise(env, &deferred, &result));
  return result;
}

napi_value settle(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  bool resolves;
  MUST(napi_get_value_bool(env, args.values[0], &resolves));
  MUST(resolves ? napi_resolve_deferred(env, deferred, args.values[1])
                : napi_reject_deferred(env, deferred, args.values[1]));
  return nullptr;
}

}  // namespace

ADDON(10) {
  add(env, exports, "work", work);
  add(env, exports, "cancel", cancel);
  add(env, exports, "threads", threads);
  add(env, exports, "full", full);
  add(env, exports, "forgotten", forgotten);
  add(env, exports, "init", init);
  add(env, exports, "inContext", in_context);
  add(env, exports, "inScope", in_scope);
  add(env, exports, "destroy", destroy);
  add(env, exports, "fatalException", fatal_exception);
  add(env, exports, "promise", promise);
  add(env, exports, "settle", settle);
  return exports;
}
