// Microtasks, and the end of the program.
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo {

namespace {

/// runMicrotasks(): when the ticks have run.
void run_microtasks(const Arguments& args) {
  Environment::of(args.GetIsolate()).ticks_are_done();
  v8::MicrotasksScope::PerformCheckpoint(args.GetIsolate());
}

/// endOperation(): the same, between two callbacks of one crossing. They are counted.
void end_operation(const Arguments& args) {
  Environment::of(args.GetIsolate()).count_operation();
  v8::MicrotasksScope::PerformCheckpoint(args.GetIsolate());
}

/// exit(code): at once.
void exit(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  environment.exit(args[0]->Int32Value(environment.context()).FromMaybe(0));
}

constexpr Method kMethods[] = {
    {"runMicrotasks", run_microtasks}, {"endOperation", end_operation}, {"exit", exit}};

}  // namespace

extern const Binding binding_task_queue;
const Binding binding_task_queue{"task_queue", kMethods};

}  // namespace rondo
