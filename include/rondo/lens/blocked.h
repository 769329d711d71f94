// Who holds the loop up. A thread looks at the loop now and then; a callback that runs longer than
// a limit is reported while it runs, which is when nothing else can.
//
//     rondo::Loop loop;
//     rondo::lens::Blocked blocked(loop, {.limit = 100ms});
//     loop.run();   // [blocked] a callback has been running for 104 ms, in the timers phase
//
// The loop does nothing for it: no clock is read and nothing is reported while nothing blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rondo/detail/chrono.h"
#include "rondo/detail/functional.h"
#include "rondo/detail/memory.h"
#include "rondo/phase.h"

namespace rondo {

class Loop;

namespace lens {

/// What an engine knows about what runs in it. All may be empty.
struct BlockedMoment {
  std::string label = {};                 // "setTimeout 100 ms"
  std::string callback = {};              // the function, and its source location
  std::string site = {};                  // where it was scheduled
  std::string tick_site = {};             // where a tick was made lately
  std::vector<std::string> stack = {};    // "work (file.js:3:5)", the innermost first
  std::vector<std::string> waiting = {};  // "3 immediates"
  std::string native = {};                // the system call that it waits in
  std::uint32_t ticks_waiting = 0;        // of the ticks that were made
  bool in_microtasks = false;
  /// It is where it cannot be asked: the stack, if there is one, was seen from outside.
  bool unreachable = false;
  bool in_collection = false;  // unreachable, because garbage is being collected
};

/// An engine on the loop, as the watching thread sees it.
class BlockedEngine {
 public:
  virtual ~BlockedEngine() = default;

  // What has happened so far inside of callbacks of the loop; may wrap around.
  virtual std::uint32_t operations() const noexcept = 0;  // callbacks in their own right
  virtual std::uint32_t ticks() const noexcept = 0;       // made by what runs
  /// Changes if microtasks continue after a sample has found them running.
  virtual std::uint32_t microtask_steps() const noexcept = 0;
  /// Called at every look, before anything else.
  virtual void on_look(std::chrono::milliseconds /*since_last*/) noexcept {}
  /// Looks at what runs, as soon as it answers. Where it cannot, it says so.
  virtual BlockedMoment look() = 0;
};

struct BlockedReport {
  enum class What : std::uint8_t {
    callback,    // one callback, for all that time
    ticks,       // ticks that make ticks
    microtasks,  // microtasks that make microtasks
  };
  What what = What::callback;
  bool over = false;  // the last report of this time. If it is the only one: with what was seen
  /// So long at least. When it is over, and its ends could not be seen from here: so long at most.
  std::chrono::milliseconds lasted{};
  std::chrono::milliseconds at_most{};
  Phase phase = Phase::none;
  std::uint32_t ticks = 0;  // made in that time
  bool is_engine = false;
  BlockedMoment moment = {};
};

/// As it goes to standard error.
std::string to_string(const BlockedReport& report);

class Blocked {
 public:
  struct Options {
    /// Reported after this time, twice this time, four times ...
    std::chrono::milliseconds limit{100};
    /// Called on the watching thread; standard error if empty.
    std::function<void(const BlockedReport&)> report = {};
    /// May be null. With an engine, what runs while the loop does not is the engine's main program.
    BlockedEngine* engine = nullptr;
  };

  Blocked(Loop& loop, Options options);
  /// Reports what is blocked at this moment as over.
  ~Blocked();
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

 private:
  class Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace lens
}  // namespace rondo
