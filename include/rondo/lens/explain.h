// The story of a run of the loop: every callback in order, who scheduled it and where, what it
// waited, how long it ran, what the program printed meanwhile. `rondo explain` prints it.
//
//     rondo::lens::Explanation story;
//     lens.add(story);
//     loop.run();
//     lens.finish(rondo::lens::End::nothing_left);
//     std::cout << rondo::lens::to_text(story);
//
// It needs bounded memory, however long the loop runs: the first callbacks are kept one by one, all
// of them are counted by what they are and where they come from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/detail/memory.h"
#include "rondo/lens.h"

namespace rondo::lens {

/// A Site that owns its text.
struct SourceLocation {
  std::string file;  // empty: unknown
  std::string function;
  int line = 0;
  int column = 0;

  bool known() const noexcept { return !file.empty(); }
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// Runs are numbered from 1 in the order in which they began; 0 is none.
using RunNumber = std::uint64_t;

/// A callback that ran.
struct Run {
  RunNumber number = 0;
  std::uint64_t iteration = 0;  // 0: before the loop's first
  Phase phase = Phase::none;    // none: the main program and what follows it; before_exit
  Kind kind = Kind::request;
  std::string label;        // "setTimeout 100 ms", "'data' of socket 127.0.0.1:51312"
  std::string event;        // "data", or empty
  std::string type;         // the engine's name: "TCPWRAP"
  SourceLocation site;      // what in the program scheduled it
  SourceLocation callback;  // the function of the program's that was called, if it is known
  std::string error;        // of an operation that failed: its code, "ENOENT"
  SubjectId subject = 0;
  RunNumber cause = 0;   // what ran when it was scheduled; always before this one
  RunNumber after = 0;   // of ticks, promises and microtasks: the operation that they follow
  RunNumber inside = 0;  // what it ran inside of, if it was called in the middle of another
  std::chrono::milliseconds delay{};  // of a timer
  Time made{};  // zero: unknown (a handle); of an interval when it began the last time
  Time begin{};
  Time end{};     // before `begin`: it was still running when everything ended
  int depth = 0;  // how many causes lead to it: the main program has 0
  /// A part of something bigger that the program did not ask for by itself: "readFile notes.txt:
  /// open". Its site is that of the whole.
  bool step = false;
  std::string why;   // why now: "due since 0.3 ms", "after #4, before anything else"
  std::string note;  // where the order is open: "either order: ...". Mostly empty.

  bool ended() const noexcept { return end >= begin; }
  Time ran() const noexcept { return ended() ? end - begin : Time{}; }
  Time waited() const noexcept { return made.count() == 0 ? Time{} : begin - made; }
};

/// What the program printed. What was printed during a run comes after it in the timeline. Behind
/// the limit of runs, outputs to the same descriptor are one.
struct Output {
  Time at{};
  int descriptor = 1;
  RunNumber run = 0;  // the last one that had begun
  std::string text;
};

/// The loop asleep in its poll phase. Those between two callbacks are one.
struct Sleep {
  std::uint64_t iteration = 0;
  Time begin{};
  Time end{};
  Time asleep{};
};

/// All equal callbacks of one source location. Where their labels differ, by a peer or by a path,
/// the label is what they have in common: "'data' of socket …".
struct Group {
  std::string label = {};
  SourceLocation site = {};
  Kind kind = Kind::request;
  std::uint64_t count = 0;
  Time total{};
  Time longest{};
  RunNumber longest_run = 0;
};

/// Something that was still waited for at the end: see lens::Unfinished.
struct Left {
  std::string kind;
  std::string what;
  std::uint64_t count = 1;
  SourceLocation site = {};
  std::string source = {};
};

/// One entry of the timeline: what happened, in order. `index` is one of runs(), outputs() or
/// sleeps(); of `unlisted` it is the number of callbacks left out here (by a filter), or, if it is
/// the last of them, everything after it (by the limit).
struct Moment {
  enum class What : std::uint8_t { run, output, sleep, unlisted };
  What what;
  std::size_t index;
};

struct ExplanationOptions {
  std::size_t limit = 2000;                     // how many runs are kept one by one
  std::size_t output_limit = 64 * 1024 * 1024;  // bytes of output that are kept
  /// Only these are kept one by one; all are counted. Empty: everything.
  std::vector<Phase> phases = {};
  std::string file = {};  // only what was scheduled in a file whose path contains this
};

class Explanation final : public Watcher {
 public:
  explicit Explanation(ExplanationOptions options = {});
  ~Explanation() override;

  const ExplanationOptions& options() const noexcept;

  // ---- What happened ---------------------------------------------------------------------------

  const std::deque<Run>& runs() const noexcept;
  const Run* find(RunNumber number) const noexcept;  // null if it is not among runs()
  const std::deque<Output>& outputs() const noexcept;
  const std::deque<Sleep>& sleeps() const noexcept;
  const std::deque<Moment>& timeline() const noexcept;

  /// Callbacks that ran, all of them; and how many of them are in runs().
  std::uint64_t run_count() const noexcept;
  std::uint64_t count_of(Kind kind) const noexcept;
  std::uint64_t count_in(Phase phase) const noexcept;
  /// Bytes that outputs() lacks: what came after the limit.
  std::uint64_t output_left_out() const noexcept;
  /// What ran longest, in total: the first `most`.
  std::vector<Group> groups(std::size_t most) const;
  /// The callbacks that ran longest; the longest first. At most 10. They need not be in runs().
  const std::vector<Run>& longest() const noexcept;

  /// What was left unfinished, by source location.
  const std::vector<Left>& left() const noexcept;

  Time began() const noexcept;     // zero: nothing yet
  Time finished() const noexcept;  // the last thing that happened
  bool is_finished() const noexcept;
  End end() const noexcept;
  std::uint64_t iterations() const noexcept;
  /// With the ticks and promises that follow its callbacks, without sleep. `none`: the main
  /// program.
  Time time_in(Phase phase) const noexcept;
  Time idle() const noexcept;

  // ---- Watcher ---------------------------------------------------------------------------------

  /// Behind the limit phases without callbacks do not matter any more.
  bool wants_unfinished() const override { return true; }
  bool wants_every_phase() const override;

  void on_iteration(Time at, std::uint64_t number) noexcept override;
  void on_quiet_iteration(Time at, std::uint64_t number) noexcept override;
  void on_phase_enter(Time at, Phase phase) noexcept override;
  void on_phase_leave(Time at, Phase phase) noexcept override;
  void on_wait(Time at) noexcept override;
  void on_woken(Time at, std::size_t completions) noexcept override;
  void on_made(Time at, const Subject& subject) noexcept override;
  void on_begin(Time at, SubjectId id, std::string_view event,
                std::string_view label) noexcept override;
  void on_end(Time at, SubjectId id) noexcept override;
  void on_function(SubjectId id, const Site& function) noexcept override;
  void on_failed(SubjectId id, std::string_view error) noexcept override;
  void on_again(Time at, SubjectId id) noexcept override;
  void on_gone(Time at, SubjectId id) noexcept override;
  void on_output(Time at, int descriptor, std::string_view text) noexcept override;
  void on_unfinished(Time at, std::span<const Unfinished> left) noexcept override;
  void on_finish(Time at, End end) noexcept override;

 private:
  class Record;
  std::unique_ptr<Record> record_;
};

struct TextStyle {
  std::size_t columns = 100;
  bool colours = false;
  std::string folder = {};  // files inside of it are named relative to it
};

/// The whole story as text.
std::string to_text(const Explanation& story, const TextStyle& style = {});

}  // namespace rondo::lens
