// Seeing the loop. A Lens sits on a loop and tells watchers, in one language, of everything that
// happens there: what was made and by whom, when it ran and for how long, where the loop slept. The
// watchers make something of it: a trace, an explanation, a page, figures. They change nothing.
//
//     rondo::Loop loop;
//     rondo::lens::Lens lens(loop);
//     rondo::lens::TraceFile trace(lens, {.path = "loop.json"});
//     loop.run();
//
// What is watched is a *subject*: anything whose callback runs later (a timer, a tick, a request, a
// handle). A loop without an engine has one for each of its tasks. A JavaScript engine on the loop
// has subjects of its own, with names and places in the source, and tells the lens of them; the
// loop's tasks, which only carry them, are then not told.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/observer.h"
#include "rondo/phase.h"

namespace rondo {

class Loop;

namespace lens {

/// Nanoseconds of the steady clock.
using Time = std::chrono::nanoseconds;

Time now() noexcept;

/// No two subjects that exist at the same time have the same. 0 is nobody.
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
  request,    // something under way that calls back once
  handle,     // something that may call back often: a socket, a server, a signal
  deferred,
  hook,  // idle, prepare and check hooks
  posted,
  close,
  before_exit,
};
inline constexpr std::size_t kKindCount = 14;

std::string_view to_string(Kind kind) noexcept;

/// A place in the source.
struct Site {
  std::string_view file;  // empty: unknown
  std::string_view function;
  int line = 0;
  int column = 0;
};

/// All views are valid during the call only.
struct Subject {
  SubjectId id = 0;
  SubjectId cause = 0;  // what ran when it was made
  Kind kind = Kind::request;
  std::chrono::milliseconds delay{};  // of a timer
  /// In the user's words: "setTimeout 100 ms", "readFile notes.txt". Empty: describe() has to do.
  std::string_view label = {};
  std::string_view type = {};  // the engine's name for it: "TCPWRAP"
  Site site = {};  // where it was made, if that is looked at: see Watcher::wants_sites()
};

/// A few words for a subject without a label.
std::string describe(const Subject& subject);

/// Why a run of the loop is over.
enum class End : std::uint8_t { nothing_left, stopped, exit_called, uncaught };

std::string_view to_string(End end) noexcept;

/// Told on the loop's thread; must not throw and must not call the loop.
class Watcher {
 public:
  virtual ~Watcher() = default;

  /// What it costs to be told of; asked once, when the watcher is added. Without `subjects` an
  /// engine tells only what runs in a phase of the loop (no ticks, no promises), and not what was
  /// made.
  virtual bool wants_subjects() const { return true; }
  virtual bool wants_labels() const { return true; }    // Subject::label, and events of begin
  virtual bool wants_sites() const { return true; }     // Subject::site
  virtual bool wants_promises() const { return true; }  // subjects of the kind `promise`
  /// Without, and with an engine, the loop may take its short cuts: a phase with nothing to run is
  /// not told, and immediates that set each other run in one phase, with only on_iteration between.
  virtual bool wants_empty_phases() const { return true; }

  virtual void on_iteration(Time /*at*/, std::uint64_t /*number*/) noexcept {}
  virtual void on_phase_enter(Time /*at*/, Phase /*phase*/) noexcept {}
  virtual void on_phase_leave(Time /*at*/, Phase /*phase*/) noexcept {}
  /// Asleep between the two.
  virtual void on_wait(Time /*at*/) noexcept {}
  virtual void on_woken(Time /*at*/, std::size_t /*completions*/) noexcept {}

  virtual void on_made(Time /*at*/, const Subject& /*subject*/) noexcept {}
  /// Its callback runs: between the two. Both nest. `event` says what a handle or a request calls
  /// back for ("data", "close"), or is empty; `label` is better than the one it was made with, now
  /// that more is known, or empty.
  virtual void on_begin(Time /*at*/, SubjectId /*id*/, std::string_view /*event*/,
                        std::string_view /*label*/) noexcept {}
  virtual void on_end(Time /*at*/, SubjectId /*id*/) noexcept {}
  /// It will not call back any more: it has run, was cleared, was closed. Not told of every
  /// subject: who keeps them has a limit.
  virtual void on_gone(Time /*at*/, SubjectId /*id*/) noexcept {}

  /// What the program printed, if somebody reads it on its way (capture in explain).
  virtual void on_output(Time /*at*/, int /*descriptor*/, std::string_view /*text*/) noexcept {}
  /// The loop's run is over.
  virtual void on_finish(Time /*at*/, End /*end*/) noexcept {}
};

class Lens final : public Observer {
 public:
  /// Becomes the loop's observer, and stops being it when it goes.
  explicit Lens(Loop& loop);
  ~Lens() override;
  Lens(const Lens&) = delete;
  Lens& operator=(const Lens&) = delete;

  Loop& loop() const noexcept { return loop_; }

  /// The watcher has to stay until it is removed or the lens goes.
  void add(Watcher& watcher);
  void remove(Watcher& watcher);

  /// What any of the watchers wants.
  bool wants_subjects() const noexcept { return wants_subjects_; }
  bool wants_labels() const noexcept { return wants_labels_; }
  bool wants_sites() const noexcept { return wants_sites_; }
  bool wants_promises() const noexcept { return wants_promises_; }
  bool wants_empty_phases() const noexcept { return wants_empty_phases_; }

  /// What runs now; 0 for nothing.
  SubjectId running() const noexcept { return stack_.empty() ? 0 : stack_.back(); }
  Phase phase() const noexcept { return phase_; }
  std::uint64_t iteration() const noexcept { return iteration_; }

  // ---- For an engine on the loop ---------------------------------------------------------------

  /// From now on the engine tells of subjects, and the loop's own tasks are not told.
  void engine_begins() noexcept { engine_ = true; }
  void made(const Subject& subject) noexcept { made_at(now(), subject); }
  void begin(SubjectId id, std::string_view event = {}, std::string_view label = {}) noexcept;
  void end(SubjectId id) noexcept;
  void gone(SubjectId id) noexcept { gone_at(now(), id); }
  /// For one that tells later: when anything was told last is a good guess of the time.
  void made_at(Time at, const Subject& subject) noexcept;
  void gone_at(Time at, SubjectId id) noexcept;
  Time last() const noexcept { return last_; }
  void output(int descriptor, std::string_view text) noexcept;
  /// Once, whoever knows first.
  void finish(End end) noexcept;

  // ---- From the loop ---------------------------------------------------------------------------

  void on_iteration(std::uint64_t number) noexcept override;
  void on_phase_enter(Phase phase) noexcept override;
  void on_phase_leave(Phase phase) noexcept override;
  void on_scheduled(Task task, std::chrono::milliseconds delay) noexcept override;
  void on_cancelled(Task task) noexcept override;
  void on_begin(Task task) noexcept override;
  void on_end(Task task) noexcept override;
  void on_wait(std::optional<std::chrono::nanoseconds> timeout) noexcept override;
  void on_woken(std::size_t completions) noexcept override;
  bool allows_short_cuts() const noexcept override { return engine_ && !wants_empty_phases_; }

 private:
  void ask_wants() noexcept;
  void next_iteration(Time at) noexcept;
  Time read_clock() noexcept { return last_ = now(); }

  Loop& loop_;
  std::vector<Watcher*> watchers_;
  std::vector<SubjectId> stack_;  // what runs, the innermost last
  Phase phase_ = Phase::none;
  std::uint64_t iteration_ = 0;
  Time last_{};                     // when anything was told
  bool fresh_ = false;              // nothing that takes time has come since last_
  bool began_with_timers_ = false;  // the iteration that the loop tells of next
  bool engine_ = false;
  bool finished_ = false;
  bool wants_subjects_ = false;
  bool wants_labels_ = false;
  bool wants_sites_ = false;
  bool wants_promises_ = false;
  bool wants_empty_phases_ = false;
};

}  // namespace lens
}  // namespace rondo
