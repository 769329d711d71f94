// One JavaScript world on a loop: an isolate, its main context, and what C++ keeps for it. It is
// found from the isolate, which every function that JavaScript calls is given:
//
//     void chdir(const Arguments& args) {
//       Environment& environment = Environment::of(args.GetIsolate());
#pragma once

#include <v8.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "rondo/loop.h"

#include "core/door.h"
#include "core/phases/visit_policy.h"
#include "runtime/engine/host/promise_hooks.h"
#include "runtime/observe/lens/promises.h"

namespace rondo {

class Descriptors;
class EnvStore;
class Inspector;
class Interjection;
class Mailbox;
class SourceLocations;
class WaitingLocations;
class WorkerThread;
class Wrapped;
namespace lens {
class Lens;
}

/// The functions of lib/ that C++ calls; lib/ hands them over when it starts.
enum class LibFunction : std::uint8_t {
  process_timers,     // (slot): a timer is due; binding('timers').next() returns the next one
  process_immediate,  // (again, because one has thrown): the check phase
  process_ticks_and_rejections,  // (): ticks, microtasks and rejections, until all are done
  promise_rejected,              // (type, promise, value)
  fatal_exception,     // (error, from promise, true) -> true if it was handled, else the exit code
  report_exception,    // (error, where, stack): prints it
  prepare_stack,       // (context's global, error, call sites) -> the stack
  emit_before_exit,    // ()
  emit_exit,           // () -> the exit code
  import_dynamically,  // (referrer's host options, specifier, assertions, name) -> promise
  import_meta,         // (host option, meta): fills in an import.meta
  emit_warning,        // (message, type, code)
  stack_of,            // (error) -> its stack, undefined if reading it throws
  mapped_source_line,  // (file, line, column) -> what source_line() shows, or undefined
  inspect,             // (whether to listen): a debugger of another process comes, or may
  keep_generated,      // (text of eval() or new Function()), while source maps are enabled
  kCount,
};

/// State that both sides read and write without crossing over: one Int32Array.
enum class Shared : std::uint8_t {
  has_tick,        // ticks wait for process_ticks_and_rejections
  has_rejection,   // rejected promises wait to be reported by it
  ticks,           // created so far, if they are counted; wraps around
  operations,      // callbacks that ended and that C++ does not count; wraps around
  locations_left,  // how many source locations may still be recorded, for --blocked
  ticks_waiting,   // as lib/ has last counted them, for the lens
  immediates_waiting,
  noted,    // numbers in the notes for the lens that were not reported yet
  running,  // the id of the task whose callback runs, for --blocked; 0 if none, or not known
  /// After it: the bytes of a small read, which lib/ copies into a Buffer on V8's heap.
  small_read,
};

/// V8 keeps typed arrays of this size on its heap, which costs a tenth of memory of their own.
constexpr std::size_t kSmallReadBytes = 64;

/// Something that goes along with an environment and ends with it, or with the program.
class Companion {
 public:
  virtual ~Companion() = default;
};

class Environment final : private TaskSource {
 public:
  struct Options {
    /// process.exit() ends the process. Otherwise it ends the run: see exit().
    bool owns_process = false;
    /// Gets reports of all that JavaScript makes and runs; may be null.
    lens::Lens* lens = nullptr;
    /// The thread that is all its own, if it is a Worker; null otherwise.
    WorkerThread* worker = nullptr;
  };

  /// JavaScript can run when lib/ has passed its functions: see started().
  Environment(Loop& loop, v8::Isolate* isolate, Options options);
  ~Environment() override;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  static Environment& of(v8::Isolate* isolate) noexcept {
    return *static_cast<Environment*>(isolate->GetData(0));
  }
  /// That of this thread, which has one at most.
  static Environment& current() noexcept { return *current_; }

  Loop& loop() noexcept { return loop_; }
  v8::Isolate* isolate() const noexcept { return isolate_; }
  v8::Local<v8::Context> context() const { return context_.Get(isolate_); }
  void set_context(v8::Local<v8::Context> context) {
    context_.Reset(isolate_, context);
    microtasks_ = context->GetMicrotaskQueue();
  }
  v8::MicrotaskQueue& microtasks() noexcept { return *microtasks_; }

  // ---- Into JavaScript ----------------------------------------------------------------------

  /// Calls a function from a callback of the loop, which is the operation that ticks and
  /// microtasks follow. What the function throws is an uncaught exception and reported here; the
  /// result is then empty. The caller has a HandleScope.
  v8::MaybeLocal<v8::Value> call(v8::Local<v8::Value> receiver, v8::Local<v8::Function> function,
                                 std::initializer_list<v8::Local<v8::Value>> arguments);
  v8::MaybeLocal<v8::Value> call(LibFunction function,
                                 std::initializer_list<v8::Local<v8::Value>> arguments);

  /// A callback has ended that is one of several in an operation of the loop's.
  void count_operation() noexcept {
    std::int32_t& count = shared(Shared::operations);
    count = static_cast<std::int32_t>(static_cast<std::uint32_t>(count) + 1);
  }
  /// Runs ticks and microtasks in the middle of an operation that runs several callbacks.
  void drain_between() noexcept {
    count_operation();
    drain();
  }
  /// Several callbacks are done and so is the operation: if the last ticks ended with an exception,
  /// those that are left wait for the next operation.
  void end_of_several() noexcept { policy_.several_ended(); }

  /// The current operation counts as one that did not throw.
  void forget_failure() noexcept { policy_.forget_exception(); }

  /// An uncaught exception: passed to the program's handlers, or printed, and the program
  /// ends.
  void uncaught(v8::Local<v8::Value> error, v8::Local<v8::Message> message,
                bool from_promise = false);
  /// How many there have been.
  std::uint64_t uncaught_count() const noexcept { return uncaught_count_; }

  // ---- Values ---------------------------------------------------------------------------------

  v8::Local<v8::String> text(std::string_view utf8) const;
  /// A string that V8 keeps once: for names of properties.
  v8::Local<v8::String> name(std::string_view ascii) const;

  /// Error objects as Node makes them; throw_() throws one.
  v8::Local<v8::Value> error(std::string_view code, std::string_view message) const;
  v8::Local<v8::Value> type_error(std::string_view code, std::string_view message) const;
  v8::Local<v8::Value> range_error(std::string_view code, std::string_view message) const;
  /// "ENOENT: no such file or directory, open 'x'", with errno, code, syscall, path and dest.
  /// `reason` replaces the description that belongs to the number.
  v8::Local<v8::Value> system_error(int error_number, std::string_view syscall,
                                    std::string_view path = {}, std::string_view dest = {},
                                    std::string_view reason = {}) const;
  void throw_(v8::Local<v8::Value> error) const { isolate_->ThrowException(error); }

  /// An object with two internal fields and nothing else, for a Wrapped that JavaScript only passes
  /// around; the second is for what the Wrapped keeps alive. All are of one template: V8 keeps each
  /// template that was ever used.
  v8::MaybeLocal<v8::Object> new_holder();

  // ---- State ----------------------------------------------------------------------------------

  std::int32_t& shared(Shared which) noexcept { return shared_[static_cast<std::size_t>(which)]; }
  void set_shared(v8::Local<v8::Int32Array> array);
  /// kSmallReadBytes; good until JavaScript reads anything else.
  void* small_read() noexcept { return &shared(Shared::small_read); }
  /// Whether stacks are to show what source maps lead to. V8 then asks about each evaluated text.
  bool has_source_maps() const noexcept { return has_source_maps_; }
  bool evaluates_with_source_maps() const noexcept { return has_source_maps_ && allows_strings_; }
  void set_source_maps(bool enabled);
  void set_function(LibFunction which, v8::Local<v8::Function> function);
  /// What the functions of lib/ are called on: stacks name it before them, as in Node.
  void set_process(v8::Local<v8::Object> process) { process_.Reset(isolate_, process); }
  v8::Local<v8::Function> function(LibFunction which) const;
  /// Remembers a timer of lib/, to clear it when the environment goes.
  void note_timer(detail::SlotId id) {
    if (id.index >= timer_generations_.size()) timer_generations_.resize(id.index + 1);
    timer_generations_[id.index] = id.generation;
  }

  /// The visit to lib/'s queue of immediates that was last asked for.
  Immediate& immediates() noexcept { return immediates_; }
  PromiseHooks& promise_hooks() noexcept { return promise_hooks_; }
  /// When it was made, by the loop's clock.
  std::int64_t start_ms() const noexcept { return start_ms_; }
  bool started() const noexcept { return shared_ != nullptr; }

  /// It is a program of its own rather than a part of one in C++.
  bool owns_process() const noexcept { return options_.owns_process; }

  /// Null for none.
  lens::Lens* lens() const noexcept { return options_.lens; }
  /// The same, made if there is none; null if a C++ program observes the loop.
  lens::Lens* need_lens();
  /// Destroys what need_lens() has made, if it has no watchers any more.
  void release_lens() noexcept;
  /// What lib/ will report to the lens with its next call.
  const double* lens_notes() const noexcept { return lens_notes_; }
  void set_lens_notes(v8::Local<v8::Float64Array> array);
  SourceLocations& source_locations();
  LensPromises& lens_promises() noexcept { return lens_promises_; }
  WaitingLocations& waiting_locations();
  /// V8's inspector; null until it is needed first.
  Inspector* inspector() const noexcept { return inspector_.get(); }
  Inspector& need_inspector();
  /// Where other threads ask for something of the inspector; made when it is asked for first.
  const std::shared_ptr<Mailbox>& mailbox();
  /// The program has ended: waits for the debuggers that want to see that.
  void finish_inspection();
  /// Before something is written to a descriptor: the lens may be about to read what others are
  /// written to. -1: the descriptor is not known.
  void output_follows(int fd) const {
    if (options_.lens != nullptr && fd <= 2) report_output_follows(fd);
  }
  /// All ticks there were have run.
  void ticks_are_done() noexcept {
    if (options_.lens != nullptr) [[unlikely]]
      report_ticks();
  }

  void accompany(std::unique_ptr<Companion> companion) {
    companions_.push_back(std::move(companion));
  }
  /// First asked for on the environment's own thread.
  Interjection& interjection();

  /// Null where the process is ours: its end closes all.
  const std::shared_ptr<Descriptors>& descriptors() const noexcept { return descriptors_; }

  /// Ends the program with this code, at once. Where the process is not ours, what is on the
  /// stack is unwound and the loop stops.
  void exit(int code);
  std::optional<int> exit_code() const noexcept { return exit_code_; }
  /// From any thread: ends the program with code 1, without 'exit' events. No JavaScript runs any
  /// more once what is on the stack has been unwound.
  void stop_from_any_thread() noexcept;
  /// Whether exit() or stop_from_any_thread() was called.
  bool ended() const noexcept {
    return exit_code_.has_value() || stopped_.load(std::memory_order_relaxed);
  }

  /// Null on the main thread, and where a C++ program embeds the runtime.
  WorkerThread* worker() const noexcept { return options_.worker; }
  /// The variables of process.env; null for those of the process.
  const std::shared_ptr<EnvStore>& env_store() const noexcept { return env_store_; }
  void set_env_store(std::shared_ptr<EnvStore> store) noexcept { env_store_ = std::move(store); }
  /// Ends the JavaScript that is on the stack.
  void unwind();

 private:
  friend class Wrapped;

  void drain() noexcept override;
  void drain_put_off() noexcept override;
  void report_output_follows(int fd) const;
  void report_ticks() noexcept;
  void end_with(v8::Local<v8::Value> error, v8::Local<v8::Message> message, int code);

  v8::Local<v8::Value> with_code(v8::Local<v8::Value> error, std::string_view code) const;

  static thread_local constinit Environment* current_;

  Loop& loop_;
  v8::Isolate* isolate_;
  VisitPolicy& policy_;  // of the loop's timers: when ticks run that an exception has postponed
  Options options_;
  v8::Global<v8::Context> context_;
  v8::MicrotaskQueue* microtasks_ = nullptr;  // of that context
  std::array<v8::Global<v8::Function>, static_cast<std::size_t>(LibFunction::kCount)> functions_;
  v8::Global<v8::Object> process_;
  std::shared_ptr<v8::BackingStore> shared_store_;
  std::int32_t* shared_ = nullptr;
  std::shared_ptr<v8::BackingStore> lens_notes_store_;
  const double* lens_notes_ = nullptr;
  std::unique_ptr<SourceLocations> source_locations_;
  LensPromises lens_promises_;
  std::unique_ptr<WaitingLocations> waiting_locations_;
  std::uint32_t ticks_reported_ = 0;
  Immediate immediates_;
  std::vector<std::uint32_t> timer_generations_;  // by slot, of lib/'s timers
  PromiseHooks promise_hooks_;
  v8::Global<v8::ObjectTemplate> holder_shape_;
  bool has_source_maps_ = false;
  bool allows_strings_ = true;  // what the context allowed before source maps were enabled
  std::int64_t start_ms_;
  std::uint64_t uncaught_count_ = 0;
  bool uncaught_end_ = false;  // an uncaught exception ends the program
  std::optional<int> exit_code_;
  std::atomic<bool> stopped_ = false;
  std::shared_ptr<EnvStore> env_store_;
  std::shared_ptr<Descriptors> descriptors_;
  std::unique_ptr<Interjection> interjection_;
  std::unique_ptr<lens::Lens> own_lens_;
  std::unique_ptr<Inspector> inspector_;
  std::shared_ptr<Mailbox> mailbox_;
  std::vector<std::unique_ptr<Companion>> companions_;
  Wrapped* wrapped_ = nullptr;      // a list of all
  const std::uint8_t* trace_flag_;  // of the log of node:trace_events
};

}  // namespace rondo
