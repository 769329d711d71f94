// What the native addons of one Environment have in common: their environments, cleanup hooks, work
// that is under way, and the functions of lib/internal/process/addons.js.
//
// It is made when the first addon is loaded and belongs to the thread. close() ends it in the order
// of Node: work under way is waited for, cleanup hooks run in reverse order, and finalizers follow.
#pragma once

#include <v8.h>

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/napi/node_api_header.h"

namespace rondo::napi {

/// How other threads reach an Environment that may end before they do.
class LoopLink {
 public:
  explicit LoopLink(Loop& loop) noexcept : loop_(&loop) {}

  /// Runs `callback` on the loop's thread; `keeps_alive` says whether it is a reason for the loop
  /// to go on. False if the loop is not there any more.
  bool post(Callback<> callback, bool keeps_alive);
  void cut() noexcept;

 private:
  std::mutex mutex_;
  Loop* loop_;
};

/// The functions of lib/internal/process/addons.js.
enum class AsyncFunction : std::uint8_t {
  init,     // (resource, name, whether it may keep the program alive) -> task
  before,   // (task, whether in its frame of AsyncLocalStorage)
  after,    // (task)
  abandon,  // (): instead of after() if there was an exception
  destroy,  // (task)
  warn,     // (): a callback threw and its addon is too old for that to be reported
  kCount,
};

class Addons {
 public:
  explicit Addons(Environment& environment);
  ~Addons();
  Addons(const Addons&) = delete;
  Addons& operator=(const Addons&) = delete;

  /// Those of this thread, made if there are none.
  static Addons& of(Environment& environment);
  static Addons* current() noexcept { return current_; }

  Environment& environment() const noexcept { return environment_; }
  v8::Isolate* isolate() const noexcept { return environment_.isolate(); }
  const std::shared_ptr<LoopLink>& link() const noexcept { return link_; }
  bool can_call_js() const noexcept { return !closing_ && !environment_.ended(); }
  bool closing() const noexcept { return closing_; }
  /// --force-node-api-uncaught-exceptions-policy: what callbacks of old addons throw is reported
  /// too.
  bool enforces_uncaught() const noexcept { return enforces_uncaught_; }
  void enforce_uncaught() noexcept { enforces_uncaught_ = true; }

  v8::Local<v8::Private> wrap_key() const { return wrap_key_.Get(isolate()); }
  v8::Local<v8::Private> tag_key() const { return tag_key_.Get(isolate()); }
  void set_function(AsyncFunction which, v8::Local<v8::Function> function) {
    functions_[static_cast<std::size_t>(which)].Reset(isolate(), function);
  }
  /// Calls one; nothing happens while no JavaScript can run.
  v8::MaybeLocal<v8::Value> call(AsyncFunction which,
                                 std::initializer_list<v8::Local<v8::Value>> arguments);

  /// Adds an environment; it ends with the cleanup hooks that were added after it.
  void add(napi_env env);
  /// What it was kept for is over.
  void release(napi_env env);

  // ---- Cleanup hooks ---------------------------------------------------------------------------

  /// Runs at the end, before those that were added earlier. `hook` and `argument` name it.
  void add_hook(napi_cleanup_hook hook, void* argument);
  void remove_hook(napi_cleanup_hook hook, void* argument);

  /// Something that close() has to wait for has begun, or ended.
  void begin_wait() noexcept { ++waits_; }
  void end_wait() noexcept { --waits_; }
  /// close() calls it when the hooks have run.
  void at_close(std::function<void()> function) { late_.push_back(std::move(function)); }

  void close();

 private:
  struct Hook {
    napi_cleanup_hook function;
    void* argument;
  };

  void wait();

  static thread_local constinit Addons* current_;

  Environment& environment_;
  std::shared_ptr<LoopLink> link_;
  v8::Global<v8::Private> wrap_key_;
  v8::Global<v8::Private> tag_key_;
  std::array<v8::Global<v8::Function>, static_cast<std::size_t>(AsyncFunction::kCount)> functions_;
  std::list<Hook> hooks_;  // the latest first
  std::vector<std::function<void()>> late_;
  std::size_t waits_ = 0;
  bool closing_ = false;
  bool enforces_uncaught_ = false;
};

/// Before the environment ends, if addons were loaded in it.
void close_addons(Environment& environment);

}  // namespace rondo::napi
