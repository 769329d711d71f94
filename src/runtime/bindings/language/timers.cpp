// Timers and immediates. lib/ keeps the callbacks, the loop keeps the order: a timer crosses the
// border as the number of its slot, immediates as one call for a whole visit of the check phase.
#include "core/loop_core.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo {

namespace {

using Receiver = v8::Local<v8::Object>;

Environment& environment_of(const Arguments& args) {
  return Environment::of(args.GetIsolate());
}

TimersPhase& timers(const Arguments& args) {
  return environment_of(args).loop().core().timers();
}

std::uint32_t slot(const Arguments& args) {
  return args[0].As<v8::Uint32>()->Value();
}

/// start(duration, repeats) -> slot
std::int32_t start_timer(Environment& environment, std::int32_t duration, bool repeats) {
  LoopCore& core = environment.loop().core();
  const detail::SlotId id = core.timers().add_to_batch(
      duration, core.now_ms_at_present(), repeats ? TaskKind::interval : TaskKind::timeout);
  environment.note_timer(id);
  return static_cast<std::int32_t>(id.index);
}

void start(const Arguments& args) {
  args.GetReturnValue().Set(
      start_timer(environment_of(args), args[0].As<v8::Int32>()->Value(), args[1]->IsTrue()));
}

std::int32_t start_fast(Receiver /*receiver*/, std::int32_t duration, bool repeats) {
  return start_timer(Environment::current(), duration, repeats);
}

/// next() -> the slot of the next timer that is due, or -1. Between two timers, ticks and
/// microtasks run.
void next(const Arguments& args) {
  Environment& environment = environment_of(args);
  TimersPhase& timers = environment.loop().core().timers();
  const bool found = timers.next_in_batch([&] { environment.drain_between(); });
  if (!found) environment.end_of_several();
  args.GetReturnValue().Set(found ? static_cast<std::int32_t>(timers.firing().index) : -1);
}

/// endThrown(): the timer that is firing has thrown.
void end_thrown(const Arguments& args) {
  timers(args).end_thrown();
}

/// clear(slot)
void clear_timer(Environment& environment, std::uint32_t index) {
  TimersPhase& phase = environment.loop().core().timers();
  phase.clear(phase.id_at(index));
}

void clear(const Arguments& args) {
  clear_timer(environment_of(args), slot(args));
}

void clear_fast(Receiver /*receiver*/, std::uint32_t index) {
  clear_timer(Environment::current(), index);
}

/// refresh(slot): starts its duration anew.
void refresh_timer(Environment& environment, std::uint32_t index) {
  LoopCore& core = environment.loop().core();
  core.timers().refresh(core.timers().id_at(index), core.now_ms_at_present());
}

void refresh(const Arguments& args) {
  refresh_timer(environment_of(args), slot(args));
}

void refresh_fast(Receiver /*receiver*/, std::uint32_t index) {
  refresh_timer(Environment::current(), index);
}

/// setRef(slot, whether it keeps the loop alive)
void set_ref(const Arguments& args) {
  TimersPhase& phase = timers(args);
  phase.set_ref(phase.id_at(slot(args)), args[1]->IsTrue());
}

/// startOf(slot): when it was set, in milliseconds since the start of the program.
void start_of(const Arguments& args) {
  Environment& environment = environment_of(args);
  args.GetReturnValue().Set(
      static_cast<double>(timers(args).start_of(slot(args)) - environment.start_ms()));
}

/// now(): the loop's time in milliseconds since the start of the program, read anew.
void now(const Arguments& args) {
  Environment& environment = environment_of(args);
  args.GetReturnValue().Set(
      static_cast<double>(environment.loop().core().now_ms_at_present() - environment.start_ms()));
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
void arm_immediates(const Arguments& args) {
  Environment& environment = environment_of(args);
  environment.immediates() = environment.loop().set_immediate(RunImmediates{&environment});
}

/// nextVisit() -> whether it is the next check phase already, because nothing was to be done
/// between.
void next_visit(const Arguments& args) {
  args.GetReturnValue().Set(environment_of(args).loop().core().try_quiet_iteration());
}

/// refImmediates(referenced): whether what waits in that queue keeps the loop alive.
void ref_immediates(const Arguments& args) {
  Immediate& immediates = environment_of(args).immediates();
  args[0]->IsTrue() ? immediates.ref() : immediates.unref();
}

const v8::CFunction kStartFast = make_fast<start_fast>();
const v8::CFunction kClearFast = make_fast<clear_fast>();
const v8::CFunction kRefreshFast = make_fast<refresh_fast>();

const Method kMethods[] = {{"start", start, &kStartFast},
                           {"next", next},
                           {"endThrown", end_thrown},
                           {"clear", clear, &kClearFast},
                           {"refresh", refresh, &kRefreshFast},
                           {"setRef", set_ref},
                           {"startOf", start_of},
                           {"now", now},
                           {"armImmediates", arm_immediates},
                           {"nextVisit", next_visit},
                           {"refImmediates", ref_immediates}};

}  // namespace

extern const Binding binding_timers;
const Binding binding_timers{"timers", kMethods};

}  // namespace rondo
