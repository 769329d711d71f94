// Timers and immediates. lib/ keeps the callbacks, the loop keeps the order: a timer crosses the
// border as the number of its slot, immediates as one call for a whole visit of the check phase.
#include "core/loop_core.h"
#include "runtime/binding.h"
#include "runtime/environment.h"

namespace rondo {

namespace {

TimersPhase& timers(const Arguments& args) {
  return Environment::of(args.GetIsolate()).loop().core().timers();
}

std::uint32_t slot(const Arguments& args) {
  return args[0].As<v8::Uint32>()->Value();
}

/// start(duration, repeats) -> slot
void start(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  LoopCore& core = environment.loop().core();
  const detail::SlotId id =
      core.timers().add_to_row(args[0].As<v8::Int32>()->Value(), core.engine_now_ms(),
                               args[1]->IsTrue() ? TaskKind::interval : TaskKind::timeout);
  environment.note_timer(id);
  args.GetReturnValue().Set(id.index);
}

/// next() -> the slot of the next timer that is due, or -1. Between two timers, ticks and
/// microtasks run.
void next(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  TimersPhase& timers = environment.loop().core().timers();
  bool went_well = true;
  const bool found = timers.next_in_row([&] { went_well = environment.drain_between(); });
  if (!found && !went_well) environment.leave_ticks();
  args.GetReturnValue().Set(found ? static_cast<std::int32_t>(timers.firing().index) : -1);
}

/// clear(slot)
void clear(const Arguments& args) {
  timers(args).clear(timers(args).id_at(slot(args)));
}

/// refresh(slot): starts its duration anew.
void refresh(const Arguments& args) {
  LoopCore& core = Environment::of(args.GetIsolate()).loop().core();
  core.timers().refresh(core.timers().id_at(slot(args)), core.engine_now_ms());
}

/// setRef(slot, whether it keeps the loop alive)
void set_ref(const Arguments& args) {
  timers(args).set_ref(timers(args).id_at(slot(args)), args[1]->IsTrue());
}

/// startOf(slot): when it was set, in milliseconds since the start of the program.
void start_of(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  args.GetReturnValue().Set(
      static_cast<double>(timers(args).start_of(slot(args)) - environment.start_ms()));
}

/// now(): the loop's time in milliseconds since the start of the program, read anew.
void now(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  args.GetReturnValue().Set(
      static_cast<double>(environment.loop().core().engine_now_ms() - environment.start_ms()));
}

struct RunImmediates {
  Environment* environment;

  void operator()() const {
    const v8::HandleScope scope(environment->isolate());
    // What one of them throws does not stop the rest.
    for (bool again = false;; again = true) {
      const v8::Local<v8::Value> is_again = v8::Boolean::New(environment->isolate(), again);
      if (!environment->call(LibFunction::run_immediates, {is_again}).IsEmpty()) return;
      if (environment->exit_code() || environment->immediates().active()) return;
    }
  }
};

/// armImmediates(): runs the queue of lib/ in the next check phase.
void arm_immediates(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  environment.immediates() = environment.loop().set_immediate(RunImmediates{&environment});
}

/// nextVisit() -> whether it is the next check phase already, because nothing was to be done
/// between.
void next_visit(const Arguments& args) {
  args.GetReturnValue().Set(Environment::of(args.GetIsolate()).loop().core().go_round_quietly());
}

/// refImmediates(referenced): whether what waits in that queue keeps the loop alive.
void ref_immediates(const Arguments& args) {
  Immediate& immediates = Environment::of(args.GetIsolate()).immediates();
  args[0]->IsTrue() ? immediates.ref() : immediates.unref();
}

constexpr Method kMethods[] = {{"start", start},
                               {"next", next},
                               {"clear", clear},
                               {"refresh", refresh},
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
