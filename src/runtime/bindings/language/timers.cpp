// Timers and immediates. lib/ keeps the callbacks, the loop keeps the order: a timer crosses the
// border as the number of its slot, immediates as one call for a whole visit of the check phase.
#include "core/loop_core.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"

namespace rondo {

namespace {

TimersPhase& timers_of(Environment& environment) {
  return environment.loop().core().timers();
}

/// start(duration, repeats) -> slot
std::int32_t start(Environment& environment, std::int32_t duration, bool repeats) {
  LoopCore& core = environment.loop().core();
  const detail::SlotId id = core.timers().add_to_batch(
      duration, core.now_ms_at_present(), repeats ? TaskKind::interval : TaskKind::timeout);
  environment.note_timer(id);
  return static_cast<std::int32_t>(id.index);
}

/// next() -> the slot of the next timer that is due, or -1. Between two timers, ticks and
/// microtasks run.
std::int32_t next(Environment& environment) {
  TimersPhase& timers = timers_of(environment);
  const bool found = timers.next_in_batch([&] { environment.drain_between(); });
  if (!found) environment.end_of_several();
  return found ? static_cast<std::int32_t>(timers.firing().index) : -1;
}

/// endThrown(): the timer that is firing has thrown.
void end_thrown(Environment& environment) {
  timers_of(environment).end_thrown();
}

/// clear(slot)
void clear(Environment& environment, std::uint32_t slot) {
  TimersPhase& timers = timers_of(environment);
  timers.clear(timers.id_at(slot));
}

/// refresh(slot): restarts its duration.
void refresh(Environment& environment, std::uint32_t slot) {
  LoopCore& core = environment.loop().core();
  core.timers().refresh(core.timers().id_at(slot), core.now_ms_at_present());
}

/// setRef(slot, whether it keeps the loop alive)
void set_ref(Environment& environment, std::uint32_t slot, bool keeps_alive) {
  TimersPhase& timers = timers_of(environment);
  timers.set_ref(timers.id_at(slot), keeps_alive);
}

/// startOf(slot): when it was set, in milliseconds since the start of the program.
double start_of(Environment& environment, std::uint32_t slot) {
  return static_cast<double>(timers_of(environment).start_of(slot) - environment.start_ms());
}

/// now(): the loop's time in milliseconds since the start of the program, updated first.
double now(Environment& environment) {
  return static_cast<double>(environment.loop().core().now_ms_at_present() -
                             environment.start_ms());
}

struct RunImmediates {
  Environment* environment;

  void operator()() const {
    const v8::HandleScope scope(environment->isolate());
    // What one of them throws does not stop the rest.
    for (;;) {
      if (!environment->call(LibFunction::process_immediate, {}).IsEmpty()) return;
      if (environment->ended() || environment->immediates().active()) return;
    }
  }
};

/// armImmediates(): runs the queue of lib/ in the next check phase.
void arm_immediates(Environment& environment) {
  environment.immediates() = environment.loop().set_immediate(RunImmediates{&environment});
}

/// nextVisit() -> whether it is the next check phase already, because no phase between had work.
bool next_visit(Environment& environment) {
  return environment.loop().core().try_quiet_iteration();
}

/// refImmediates(referenced): whether what waits in that queue keeps the loop alive.
void ref_immediates(Environment& environment, bool referenced) {
  Immediate& immediates = environment.immediates();
  referenced ? immediates.ref() : immediates.unref();
}

const Method kMethods[] = {fast_method<start>("start"),
                           method<next>("next"),
                           method<end_thrown>("endThrown"),
                           fast_method<clear>("clear"),
                           fast_method<refresh>("refresh"),
                           method<set_ref>("setRef"),
                           method<start_of>("startOf"),
                           method<now>("now"),
                           method<arm_immediates>("armImmediates"),
                           method<next_visit>("nextVisit"),
                           method<ref_immediates>("refImmediates")};

}  // namespace

extern const Binding binding_timers;
const Binding binding_timers{"timers", kMethods};

}  // namespace rondo
