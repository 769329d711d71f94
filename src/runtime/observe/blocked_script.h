// --blocked: what holds the loop up, where that is JavaScript.
#pragma once

#include <v8.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "rondo/lens/blocked.h"

#include "runtime/engine/environment.h"
#include "runtime/observe/code_map.h"

namespace rondo {

class BlockedScript final : public Companion, private lens::BlockedEngine {
 public:
  /// `describe` is described in lib/internal/lens/blocked.js.
  BlockedScript(Environment& environment, std::chrono::milliseconds limit,
                v8::Local<v8::Function> describe);
  ~BlockedScript() override;

  /// That of this thread, which has one at most; null for none.
  static BlockedScript* current() noexcept { return current_; }

  /// What is known of a task when it is made, for the time when it runs and cannot be asked. It is
  /// kept as long as the task's object is.
  void note(std::uint32_t id, v8::Local<v8::Object> resource, std::string label,
            std::string callback, std::string site);

 private:
  struct Note {
    BlockedScript* owner;
    std::uint32_t id;
    v8::Global<v8::Object> resource;  // weak
    std::string label;
    std::string callback;
    std::string site;
  };

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
  /// On the watching thread, without an answer of the environment's.
  void look_from_outside(lens::BlockedMoment& moment);
  void add_next_microtask(lens::BlockedMoment& moment) const;
  std::uint32_t running() const noexcept;
  void ask_lib(lens::BlockedMoment& moment, bool again);
  void look_at_queues(lens::BlockedMoment& moment);

  Environment& environment_;
  Interjection& interjection_;
  v8::Global<v8::Function> describe_;
  CodeMap code_map_;
  std::mutex notes_mutex_;
  std::unordered_map<std::uint32_t, Note> notes_;  // by the id of the task
  std::atomic<std::uint32_t> microtask_steps_ = 0;
  bool is_probing_ = false;             // a microtask of ours waits among the program's
  std::chrono::milliseconds unused_{};  // in which no look was allowed
  static thread_local BlockedScript* current_;
  static thread_local BlockedScript* looking_in_promises;
  std::vector<std::string> promise_stack_;  // that on_promise() has found, for the next look
  std::string next_microtask_;              // of queueMicrotask(), at the last look
  lens::Blocked blocked_;                   // last: its thread uses the rest
};

}  // namespace rondo
