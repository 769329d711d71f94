// --blocked: what holds the loop up, where that is JavaScript.
#pragma once

#include <v8.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "rondo/lens/blocked.h"

#include "runtime/environment.h"

namespace rondo {

class BlockedScript final : public Companion, private lens::BlockedEngine {
 public:
  /// `describe` is described in lib/internal/blocked.js.
  BlockedScript(Environment& environment, std::chrono::milliseconds limit,
                v8::Local<v8::Function> describe);
  ~BlockedScript() override;

 private:
  std::uint32_t operations() const noexcept override;
  std::uint32_t ticks() const noexcept override;
  std::uint32_t microtask_steps() const noexcept override { return microtask_steps_; }
  void on_look(std::chrono::milliseconds since_last) noexcept override;
  lens::BlockedMoment look() override;

  /// On the environment's thread.
  void look_here(lens::BlockedMoment& moment, bool again);
  void look_in_promises(lens::BlockedMoment& moment);
  static void on_promise(v8::PromiseHookType type, v8::Local<v8::Promise> promise,
                         v8::Local<v8::Value> parent);
  void ask_lib(lens::BlockedMoment& moment, bool again);
  void look_at_queues(lens::BlockedMoment& moment);

  Environment& environment_;
  Interjection& interjection_;
  v8::Global<v8::Function> describe_;
  std::atomic<std::uint32_t> microtask_steps_ = 0;
  bool is_probing_ = false;             // a microtask of ours waits among the program's
  std::chrono::milliseconds unused_{};  // in which no place has been earned
  static thread_local BlockedScript* looking_in_promises;
  std::vector<std::string> promise_stack_;  // that on_promise() has found, for the next look
  lens::Blocked blocked_;                   // last: its thread uses the rest
};

}  // namespace rondo
