#include "runtime/engine/instance.h"

#include <unistd.h>

#include "rondo/lens.h"

#include "core/loop_core.h"
#include "runtime/engine/host/platform.h"
#include "runtime/engine/world.h"
#include "runtime/napi/addons.h"
#include "runtime/process/start_time.h"

namespace rondo {

namespace {

v8::Local<v8::Value> to_value(Environment& environment, const std::vector<std::string>& list) {
  std::vector<v8::Local<v8::Value>> values;
  for (const std::string& entry : list) values.push_back(environment.text(entry));
  return v8::Array::New(environment.isolate(), values.data(), values.size());
}

v8::Local<v8::Value> to_value(Environment& environment, const std::string& text) {
  return environment.text(text);
}

v8::Local<v8::Value> to_value(Environment& environment, bool flag) {
  return v8::Boolean::New(environment.isolate(), flag);
}

v8::Local<v8::Value> to_value(Environment& environment, double number) {
  return v8::Number::New(environment.isolate(), number);
}

v8::Local<v8::Value> to_value(Environment& environment,
                              const std::vector<std::pair<std::string, OptionValue>>& entries) {
  return to_object(environment, entries);
}

}  // namespace

v8::Local<v8::Object> to_object(Environment& environment,
                                const std::vector<std::pair<std::string, OptionValue>>& entries) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Object> object =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  for (const auto& [name, value] : entries) {
    const v8::Local<v8::Value> converted =
        std::visit([&](const auto& held) { return to_value(environment, held); }, value);
    object->Set(environment.context(), environment.text(name), converted).Check();
  }
  return object;
}

void set_heap_sizes(v8::ResourceConstraints& constraints, unsigned initial_semi_space_mib) {
  const auto memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  constraints.ConfigureDefaults(memory, 0);
  // The young generation starts with a size that fits into the processor's cache of the last level:
  // garbage of short life (awaits, ticks) then costs neither page faults nor many collections, as
  // it would with V8's default of 1 MiB. It may grow further than V8's default, because the
  // collector would copy what lives as long as a request or a timer again and again.
  constexpr std::size_t kMiB = 1024 * 1024;
  constraints.set_initial_young_generation_size_in_bytes(3 * initial_semi_space_mib * kMiB);
  constraints.set_max_young_generation_size_in_bytes(3 * kMaxSemiSpaceMiB * kMiB);
}

Instance::Instance(Loop& loop, Environment::Options options,
                   const v8::ResourceConstraints* constraints)
    : loop_(loop), allocator_(BufferAllocator::make()) {
  if (loop.core().door().task_source() != nullptr) {
    throw Misuse("ERR_RUNTIME_EXISTS", "the loop has a runtime already");
  }
  reach(Milestone::node_start);
  Platform& platform = Platform::instance();
  // All that the loop calls expects its own isolate to be the thread's.
  if (v8::Isolate::TryGetCurrent() != nullptr) {
    throw Misuse("ERR_RUNTIME_EXISTS", "the thread has a runtime already");
  }
  reach(Milestone::v8_start);
  isolate_ = v8::Isolate::Allocate();
  platform.enter(isolate_, loop);
  v8::Isolate::CreateParams parameters;
  parameters.array_buffer_allocator = allocator_.get();
  parameters.external_references = external_references().data();
  if (constraints != nullptr)
    parameters.constraints = *constraints;
  else
    set_heap_sizes(parameters.constraints, kInitialSemiSpaceMiB);
  const bool has_snapshot = kSnapshot.raw_size != 0;
  if (has_snapshot) parameters.snapshot_blob = const_cast<v8::StartupData*>(&kSnapshot);
  v8::Isolate::Initialize(isolate_, parameters);
  isolate_->Enter();
  const v8::HandleScope scope(isolate_);
  environment_ = std::make_unique<Environment>(loop, isolate_, options);
  reach(Milestone::environment);
  install_callbacks(isolate_);
  idle_heap_.emplace(isolate_);
  start_.Reset(isolate_, make_world(*environment_, has_snapshot));
  reach(Milestone::bootstrap_complete);
}

Instance::~Instance() {
  napi::close_addons(*environment_);
  start_.Reset();
  environment_.reset();
  idle_heap_.reset();
  isolate_->Exit();
  Platform::instance().leave(isolate_);
  isolate_->Dispose();
}

v8::MaybeLocal<v8::Value> Instance::start(const StartInfo& info) {
  Environment& environment = *environment_;
  const v8::Local<v8::Context> context = environment.context();
  const v8::Context::Scope context_scope(context);
  const v8::Local<v8::Object> object = v8::Object::New(isolate_);
  const auto set = [&](std::string_view name, const auto& value) {
    object->Set(context, environment.name(name), to_value(environment, value)).Check();
  };
  set("argv", info.argv);
  set("execArgv", info.exec_argv);
  set("execPath", info.exec_path);
  set("argv0", info.argv0);
  set("options", info.options);
  set("main", info.main);
  set("hasLens", environment.lens() != nullptr);
  const v8::MaybeLocal<v8::Value> result =
      environment.call(v8::Undefined(isolate_), start_.Get(isolate_), {object});
  // Ticks follow the main program also when it threw and the program continues.
  environment.forget_failure();
  return result;
}

int Instance::run() {
  Environment& environment = *environment_;
  loop_.on_before_exit([&] {
    while (!Platform::instance().finish_tasks(isolate_) && !loop_.alive()) continue;
    if (loop_.alive()) return;
    const v8::HandleScope scope(isolate_);
    environment.call(LibFunction::emit_before_exit, {});
  });
  reach(Milestone::loop_start);
  if (!environment.ended()) loop_.run();
  loop_.on_before_exit(nullptr);
  reach(Milestone::loop_exit);
  if (environment.ended()) return environment.exit_code().value_or(1);
  const v8::HandleScope scope(isolate_);
  v8::Local<v8::Value> code;
  if (!environment.call(LibFunction::emit_exit, {}).ToLocal(&code)) {
    if (environment.ended()) return environment.exit_code().value_or(1);
    // A listener threw and the program took that: the code stays what it is. It is only asked for
    // the second time, the listeners are not called again.
    if (!environment.call(LibFunction::emit_exit, {}).ToLocal(&code)) return 1;
  }
  v8::MicrotasksScope::PerformCheckpoint(isolate_);  // no ticks any more, but these
  if (environment.ended()) return environment.exit_code().value_or(1);
  const int exit_code = code->Int32Value(environment.context()).FromMaybe(0);
  // Where the process is ours, process.exit() and errors leave this out, as in Node.
  if (environment.owns_process()) napi::close_addons(environment);
  if (environment.lens() != nullptr) {
    const bool stopped = loop_.alive();
    environment.lens()->finish(stopped ? lens::End::stopped : lens::End::nothing_left, exit_code);
  }
  return exit_code;
}

}  // namespace rondo
