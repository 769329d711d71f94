// The thread of a Worker: a loop and an isolate of its own, from their making to their end.
//
// Two threads know the object, the one that made the Worker and the Worker's own. The mutex guards
// what both use. Everything for the parent is reported by a callback on its loop.
#pragma once

#include <pthread.h>
#include <v8.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/engine/builtin_code.h"
#include "runtime/engine/instance.h"

namespace rondo {

class EnvStore;
class Mailbox;
class PortEnd;

class WorkerThread : public std::enable_shared_from_this<WorkerThread> {
 public:
  /// The properties of resourceLimits; in MiB, negative where the default is wanted.
  enum Limit : unsigned char {
    kMaxYoungGenerationSizeMb,
    kMaxOldGenerationSizeMb,
    kCodeRangeSizeMb,
    kStackSizeMb,
    kLimitCount
  };
  using Limits = std::array<double, kLimitCount>;

  struct Settings {
    StartInfo info;
    std::shared_ptr<EnvStore> env;  // null: the variables of the process
    Limits limits;
    std::string name;
    bool closes_descriptors = true;                   // those that the program left open
    std::shared_ptr<Mailbox> main_mailbox = nullptr;  // of the main thread's inspector
  };

  /// What became of it. `error` is the code of an error that was not thrown in it, or empty.
  struct End {
    int exit_code = 0;
    std::string error;
    std::string reason;
  };

  /// The answer to a question: figures, or text.
  using Answer = std::variant<std::vector<double>, std::string>;
  using Question = std::function<Answer(Environment&)>;

  /// Who made it. Called on the thread of the loop that start() was given.
  class Parent {
   public:
    virtual ~Parent() = default;
    virtual void ended(const End& end) = 0;
    virtual void answered(std::uint32_t number, const Answer& answer) = 0;
  };

  WorkerThread(Settings settings, std::unique_ptr<PortEnd> port);
  ~WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  std::uint32_t id() const noexcept { return id_; }
  const std::string& name() const noexcept { return settings_.name; }
  bool closes_descriptors() const noexcept { return settings_.closes_descriptors; }

  // ---- On the parent's thread -----------------------------------------------------------------

  /// 0, or the errno of pthread_create().
  int start(Loop& loop, Parent& parent);
  /// The program ends as soon as possible.
  void stop();
  /// Waits for the thread, which was asked to stop or has ended.
  void join();
  /// The parent is destroyed: nothing is reported any more.
  void leave_parent();
  /// Has `question` answered in the middle of whatever the program does. False if it is not
  /// running.
  bool ask(std::uint32_t number, Question question);

  /// Whether its thread does nothing more. For callers that wait for it without running their own
  /// loop.
  bool has_ended() const noexcept { return ended_.load(std::memory_order_acquire); }

  Limits limits() const;
  /// When its loop began, in milliseconds on the monotonic clock; -1 if it has not.
  double loop_start_ms() const noexcept;
  /// How long its loop has been asleep.
  double loop_idle_ms() const;

  // ---- On its own thread ------------------------------------------------------------------------

  /// The end of the channel to the parent. Once.
  std::unique_ptr<PortEnd> take_port() noexcept;
  const std::shared_ptr<Mailbox>& main_mailbox() const noexcept { return settings_.main_mailbox; }
  BuiltinCode& builtin_code() noexcept { return builtin_code_; }

 private:
  struct Asked {
    std::uint32_t number;
    Question question;
  };

  void run();
  void run_program();
  void configure(v8::ResourceConstraints& constraints);
  void publish(Environment* environment);
  void answer_questions(Environment& environment);
  void report_end();
  static std::size_t near_heap_limit(void* self, std::size_t current, std::size_t initial);

  const std::uint32_t id_;
  Settings settings_;
  std::unique_ptr<PortEnd> port_;
  std::size_t stack_size_;
  pthread_t thread_{};
  bool joinable_ = false;
  BuiltinCode builtin_code_;
  std::atomic<std::int64_t> loop_start_ns_ = 0;
  std::atomic<bool> ended_ = false;

  mutable std::mutex mutex_;  // guards what follows
  Environment* environment_ = nullptr;
  bool stopped_ = false;
  std::deque<Asked> asked_;
  End end_;
  Loop* parent_loop_ = nullptr;
  Parent* parent_ = nullptr;  // used on its own thread only
};

}  // namespace rondo
