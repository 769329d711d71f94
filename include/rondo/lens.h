// A Lens observes a loop and reports everything that happens there to watchers, in one vocabulary:
// what was made and what made it, when it ran and for how long, where the loop slept. Watchers turn
// the reports into a trace, an explanation, a page or figures. They change nothing.
//
//     rondo::Loop loop;
//     rondo::lens::Lens lens(loop);
//     rondo::lens::TraceFile trace(lens, {.path = "loop.json"});
//     loop.run();
//
// What is watched is a *subject*: anything whose callback runs later (a timer, a tick, a request, a
// handle). A loop without an engine has one for each of its tasks. A JavaScript engine on the loop
// has subjects of its own, with names and source locations, and reports them to the lens; the
// loop's own tasks, through which they run, are then not reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rondo/detail/chrono.h"
#include "rondo/detail/functional.h"
#include "rondo/lens/clock.h"
#include "rondo/metrics.h"
#include "rondo/observer.h"
#include "rondo/phase.h"

namespace rondo {

class Loop;

namespace lens {

/// Nanoseconds of the steady clock.
using Time = std::chrono::nanoseconds;

Time now() noexcept;

/// No two subjects that exist at the same time have the same. 0 means none.
using SubjectId = std::uint64_t;
/// The main program of an engine.
inline constexpr SubjectId kMain = 1;

enum class Kind : std::uint8_t {
  main,  // the program itself
  timeout,
  interval,
  immediate,
  tick,
  promise,    // a reaction to a promise
  microtask,  // queueMicrotask()
  request,    // an operation that calls back once
  handle,     // something that may call back often: a socket, a server, a signal
  deferred,
  hook,  // idle, prepare and check hooks
  posted,
  close,
  before_exit,
  resource,  // made and called by the program itself (AsyncResource); its end may go unreported
};
inline constexpr std::size_t kKindCount = 15;

std::string_view to_string(Kind kind) noexcept;

/// Where callbacks come from, as they are counted: finer than Kind, where the engine knows.
enum class Source : std::uint8_t {
  main,  // the program itself
  timeout,
  interval,
  immediate,
  tick,
  microtask,  // reactions to promises included
  file,
  socket,  // and pipes and terminals: data, writes, connections that are made
  server,  // a connection that came
  lookup,
  process,  // of a child
  signal,
  message,  // of a port
  close,
  deferred,
  hook,
  posted,
  other,
};
inline constexpr std::size_t kSourceCount = 18;

std::string_view to_string(Source source) noexcept;

/// A source location.
struct Site {
  std::string_view file;  // empty: unknown
  std::string_view function;
  int line = 0;
  int column = 0;
};

/// What the engine knows of a subject: where its work is done, and how its end is noticed.
struct Traits {
  bool on_threads : 1 = false;  // done on threads; poll notices the end
  bool in_order : 1 = false;  // a request that ends after those made before it: writes of a socket
  bool ends_by_itself : 1 = false;  // a handle that ends like a request: a child
  bool by_promises : 1 = false;     // promises continue with it, and not a callback
  bool in_one_go : 1 = false;       // one step: all of it is done when its callback runs
  bool in_many_steps : 1 = false;   // each of its steps takes an iteration of its own
};

/// All views are valid during the call only.
struct Subject {
  SubjectId id = 0;
  SubjectId cause = 0;  // what ran when it was made
  Kind kind = Kind::request;
  std::chrono::milliseconds delay{};  // of a timer
  /// In the user's words: "setTimeout 100 ms", "readFile notes.txt". Empty: see describe().
  std::string_view label = {};
  std::string_view type = {};  // the engine's name for it: "TCPWRAP". For people only
  Traits traits = {};
  /// Which step of a larger operation it may be: "open". The cause says which operation: a step
  /// without a site of its own belongs to the operation of the step that made it.
  std::string_view step = {};
  bool inner = false;  // made by a library, not by code of the program
  Site site = {};      // where it was made, if that is recorded: see Watcher::wants_sites()
};

/// What the program still waited for when it ended, as an engine knows it. All views are valid
/// during the call only.
struct Unfinished {
  std::string_view kind;    // "await", "promise", "stream", "timer", "request", "child", "handle"
  std::string_view what;    // "await in main", "setTimeout 100 ms"
  std::uint64_t count = 1;  // of those that are alike
  Site site = {};           // the line that waits, or that made it
  std::string_view source = {};  // that line, if it is known
};

/// A short description of a subject without a label.
std::string describe(const Subject& subject);

/// Whether a label is that of the step itself: "open a.txt" for an `open`, and not "readFile a.txt"
/// for a `read`.
bool is_of_step(std::string_view label, std::string_view step) noexcept;

/// Why a run of the loop is over.
enum class End : std::uint8_t { nothing_left, stopped, exit_called, uncaught };

std::string_view to_string(End end) noexcept;

/// Its functions are called on the loop's thread; they must not throw, and must not call the loop
/// except Loop::metrics(). It may add watchers and remove them, itself included.
class Watcher {
 public:
  virtual ~Watcher() = default;

  /// What is costly to report; asked when a watcher is added or removed. Without `subjects` an
  /// engine reports only what runs in a phase of the loop (no ticks, no promises), and not what was
  /// made.
  virtual bool wants_subjects() const { return true; }
  virtual bool wants_labels() const { return true; }       // Subject::label, and events of begin
  virtual bool wants_sites() const { return true; }        // Subject::site
  virtual bool wants_promises() const { return true; }     // subjects of the kind `promise`
  virtual bool wants_handles() const { return false; }     // on_opened() and on_closed()
  virtual bool wants_details() const { return false; }     // it may call Lens::ask_details()
  virtual bool wants_counts() const { return false; }      // on_ran()
  virtual bool wants_unfinished() const { return false; }  // on_unfinished()
  /// If no watcher does, phases with nothing to do are skipped, and a chain of immediates is one
  /// visit to the check phase, with on_quiet_iteration() in between.
  virtual bool wants_every_phase() const { return true; }

  virtual void on_iteration(Time /*at*/, std::uint64_t /*number*/) noexcept {}
  virtual void on_quiet_iteration(Time /*at*/, std::uint64_t /*number*/) noexcept {}
  virtual void on_phase_enter(Time /*at*/, Phase /*phase*/) noexcept {}
  virtual void on_phase_leave(Time /*at*/, Phase /*phase*/) noexcept {}
  /// Asleep between the two.
  virtual void on_wait(Time /*at*/) noexcept {}
  virtual void on_woken(Time /*at*/, std::size_t /*completions*/) noexcept {}

  /// A timer of C++ that is set again before it has run (Timer::refresh()) is reported as made
  /// again.
  virtual void on_made(Time /*at*/, const Subject& /*subject*/) noexcept {}
  /// The same for a subject of which nothing else is known: there are so many of them that a
  /// Subject for each would cost too much.
  virtual void on_made_plain(Time at, SubjectId id, SubjectId cause, Kind kind,
                             std::chrono::milliseconds delay) noexcept;
  /// Its callback runs between the two. Both nest. `event` says why a handle or a request calls
  /// back
  /// ("data", "close"), or is empty; `label` replaces the one it was made with, now that more is
  /// known, or is empty.
  virtual void on_begin(Time /*at*/, SubjectId /*id*/, std::string_view /*event*/,
                        std::string_view /*label*/) noexcept {}
  virtual void on_end(Time /*at*/, SubjectId /*id*/) noexcept {}
  /// Between the two, if it is known: the function of the program that is called. Only where
  /// subjects are wanted.
  virtual void on_function(SubjectId /*id*/, const Site& /*function*/) noexcept {}
  /// Between the two: the operation that calls back has failed. `error` is its code: "ENOENT".
  virtual void on_failed(SubjectId /*id*/, std::string_view /*error*/) noexcept {}
  /// A timer that has been made starts again from now.
  virtual void on_again(Time /*at*/, SubjectId /*id*/) noexcept {}
  /// It will not call back any more: it has run, was cleared, was closed. Not reported between its
  /// begin and its end. Not reported for every subject: a watcher that keeps them needs a limit.
  virtual void on_gone(Time /*at*/, SubjectId /*id*/) noexcept {}

  /// How many ticks and microtasks have run since the last call: an engine need not report them one
  /// by one.
  virtual void on_ran(Source /*source*/, std::uint64_t /*count*/) noexcept {}

  /// More of the run that has just ended, if Lens::ask_details() was called when it did: what
  /// ran, and where the program has the function.
  virtual void on_details(SubjectId /*id*/, std::string_view /*label*/,
                          const Site& /*callback*/) noexcept {}
  /// Where the program is at this moment: the answer to Lens::ask_place().
  virtual void on_place(Time /*at*/, const Site& /*place*/) noexcept {}
  /// A handle of the engine is open, from the first report until it is closed. Reported again when
  /// more is known of it.
  virtual void on_opened(SubjectId /*id*/, std::string_view /*label*/) noexcept {}
  virtual void on_closed(SubjectId /*id*/) noexcept {}

  /// The process is about to write to this descriptor (1 or 2; -1: unknown). Not reported
  /// of what its children write.
  virtual void on_output_follows(int /*descriptor*/) noexcept {}
  /// What the program printed, if its output is captured (by explain).
  virtual void on_output(Time /*at*/, int /*descriptor*/, std::string_view /*text*/) noexcept {}
  /// Before on_finish(), if anything is left and an engine knows of it.
  virtual void on_unfinished(Time /*at*/, std::span<const Unfinished> /*left*/) noexcept {}
  /// The loop's run is over.
  virtual void on_finish(Time /*at*/, End /*end*/) noexcept {}
};

class Metrics;

class Lens final : public Observer {
 public:
  /// Becomes the observer of the loop until it is destroyed: one for each loop, which has to
  /// outlive it. It may be destroyed while the loop runs, but not while it calls a watcher.
  explicit Lens(Loop& loop);
  ~Lens() override;
  Lens(const Lens&) = delete;
  Lens& operator=(const Lens&) = delete;

  Loop& loop() const noexcept { return loop_; }

  /// The watcher has to exist until it is removed or the lens is destroyed. Adding or removing one
  /// in a notification takes effect with the next notification.
  void add(Watcher& watcher);
  void remove(Watcher& watcher);
  bool has_watchers() const noexcept { return !watchers_.empty(); }
  /// The first of those that count here; null for none.
  const Metrics* metrics() const noexcept { return metrics_; }
  void set_metrics(const Metrics* metrics) noexcept { metrics_ = metrics; }

  /// What any of the watchers wants.
  bool wants_subjects() const noexcept { return wants_subjects_; }
  bool wants_labels() const noexcept { return wants_labels_; }
  bool wants_sites() const noexcept { return wants_sites_; }
  bool wants_promises() const noexcept { return wants_promises_; }
  bool wants_handles() const noexcept { return wants_handles_; }
  bool wants_details() const noexcept { return wants_details_; }
  bool wants_counts() const noexcept { return wants_counts_; }
  bool wants_unfinished() const noexcept { return wants_unfinished_; }

  /// In a watcher's on_end(): the engine reports more about that run, by on_details().
  void ask_details() noexcept { details_asked_ = true; }
  /// From any thread: the engine reports the current source location, as soon as it can, by
  /// on_place(). Without an engine nothing happens.
  void ask_place();

  /// What runs now; 0 for nothing.
  SubjectId running() const noexcept { return stack_.empty() ? 0 : stack_.back().id; }
  Source running_source() const noexcept {
    return stack_.empty() ? Source::other : stack_.back().source;
  }
  Phase phase() const noexcept { return phase_; }
  /// What waits in the loop's queues and in those of the engine. Not in on_finish(): the engine may
  /// be at its end.
  QueueDepths depths() const;
  /// Counted as the loop does (Metrics::iterations), but from the timers on that an iteration
  /// begins with.
  std::uint64_t iteration() const noexcept { return iteration_; }

  // ---- For an engine on the loop ---------------------------------------------------------------

  /// From now on the engine reports subjects, and the loop's own tasks are not reported.
  void engine_begins() noexcept { engine_ = true; }
  bool has_engine() const noexcept { return engine_; }
  void made(const Subject& subject) noexcept { made(subject, clock_.now()); }
  void begin(SubjectId id, std::string_view event = {}, std::string_view label = {},
             Source source = Source::other) noexcept;
  /// What began inside of it and has not ended, because of an exception, ends as well.
  void end(SubjectId id) noexcept;
  /// Of what has begun last: its function; the error that it is called with.
  void runs(const Site& function) noexcept;
  void failed(std::string_view error) noexcept;
  void again(SubjectId id) noexcept;
  void gone(SubjectId id) noexcept { gone(id, clock_.now()); }
  /// For an engine that reports them later: the time of the last report is a good estimate.
  void made(const Subject& subject, Time at) noexcept;
  void gone(SubjectId id, Time at) noexcept;
  /// `trigger` is its cause if nothing runs.
  void made_plain(SubjectId id, SubjectId trigger, Kind kind, std::chrono::milliseconds delay,
                  Time at) noexcept;
  Time last() const noexcept { return last_; }
  /// Where counts are wanted: so many ticks or microtasks have run since the last end, reported or
  /// not.
  void ran(Source source, std::uint64_t count) noexcept;
  /// After end(): whether details() is wanted.
  bool details_asked() const noexcept { return details_asked_; }
  void details(SubjectId id, std::string_view label, const Site& callback) noexcept;
  /// `ask` may be called from any thread, and leads to a call of place() on the loop's.
  void on_ask_place(std::function<void()> ask);
  void place(const Site& place) noexcept;
  /// `count` adds what waits in the queues of the engine. It is called on the loop's thread,
  /// also between two callbacks.
  void on_count_queues(std::function<void(QueueDepths&)> count);
  /// For an engine that buffers its reports: `unreported` is not 0 while there are
  /// some, and `flush` then delivers them, before the loop reports anything.
  void on_unreported(const std::int32_t* unreported, std::function<void()> flush);
  void opened(SubjectId id, std::string_view label) noexcept;
  void closed(SubjectId id) noexcept;
  void output_follows(int descriptor) noexcept;
  void output(int descriptor, std::string_view text) noexcept;
  /// At most once, before finish().
  void unfinished(std::span<const Unfinished> left) noexcept;
  /// Once; the first call counts.
  void finish(End end, std::optional<int> exit_code = std::nullopt) noexcept;
  /// The arguments of finish().
  std::optional<int> exit_code() const noexcept { return exit_code_; }

  // ---- From the loop ---------------------------------------------------------------------------

  void on_iteration(std::uint64_t number) noexcept override;
  bool allows_shortcuts() const noexcept override { return !wants_every_phase_; }
  void on_quiet_iteration(std::uint64_t number) noexcept override;
  void on_phase_enter(Phase phase) noexcept override;
  void on_phase_leave(Phase phase) noexcept override;
  void on_scheduled(Task task, std::chrono::milliseconds delay) noexcept override;
  void on_cancelled(Task task) noexcept override;
  void on_begin(Task task) noexcept override;
  void on_end(Task task) noexcept override;
  void on_wait(std::optional<std::chrono::nanoseconds> timeout) noexcept override;
  void on_woken(std::size_t completions) noexcept override;

 private:
  struct Running {
    SubjectId id;
    Source source = Source::other;
    bool again = false;  // it was set again while it runs
    bool gone = false;   // reported when it has ended
  };

  template <class Call>
  void notify(Time at, Call&& call) noexcept;
  template <class Call>
  void notify_all(Time at, Call& call) noexcept;
  template <class Call>
  void notify(Call&& call) noexcept;
  void ask_wants() noexcept;
  void catch_up() noexcept {
    if (unreported_ != nullptr && *unreported_ != 0) flush_unreported_();
  }
  void find_only() noexcept;
  void end_last() noexcept;
  Running* find_running(SubjectId id) noexcept;
  void begin_iteration(std::uint64_t number) noexcept;
  Time read_clock() noexcept { return last_ = clock_.now(); }
  Time next_time() noexcept;

  Loop& loop_;
  std::vector<Watcher*> watchers_;  // null: removed during a notification
  Watcher* only_ = nullptr;         // if there is just one: called directly
  std::vector<Running> stack_;      // the innermost last
  const Metrics* metrics_ = nullptr;
  std::size_t notifying_ = 0;                // how deep
  bool has_holes_ = false;                   // a null among them
  std::uint64_t loop_iterations_ = 0;        // that the loop itself has counted
  std::unordered_set<SubjectId> announced_;  // completions that were reported and have not run
  Phase phase_ = Phase::none;
  std::uint64_t iteration_ = 0;
  bool engine_ = false;
  bool finished_ = false;
  std::optional<int> exit_code_;
  bool wants_subjects_ = false;
  bool wants_labels_ = false;
  bool wants_sites_ = false;
  bool wants_promises_ = false;
  bool wants_handles_ = false;
  bool wants_details_ = false;
  bool wants_counts_ = false;
  bool wants_unfinished_ = false;
  bool wants_every_phase_ = false;
  bool details_asked_ = false;
  // The clock is read once where nothing can have run in between: passing through empty phases is
  // what an idle iteration of the loop consists of. Where every callback is reported, or their
  // number is, without labels, the next one begins where the last one ended: reading the clock
  // again would take longer than what is in between.
  QuickClock clock_;
  Time last_{};
  bool last_holds_ = false;
  bool knows_every_callback_ = false;
  std::mutex ask_place_mutex_;
  std::function<void()> ask_place_;
  std::function<void(QueueDepths&)> count_queues_;
  const std::int32_t* unreported_ = nullptr;
  std::function<void()> flush_unreported_;
};

}  // namespace lens
}  // namespace rondo
