#include "runtime/engine/environment.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>

#include "rondo/lens.h"
#include "rondo/terminal.h"

#include "core/loop_core.h"
#include "lens/json_writer.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/errors/error_texts.h"
#include "runtime/errors/uncaught.h"
#include "runtime/glue/wrapped.h"
#include "runtime/inspector/inspector.h"
#include "runtime/inspector/mailbox.h"
#include "runtime/messaging/worker_thread.h"
#include "runtime/observe/interjection.h"
#include "runtime/observe/lens/source_locations.h"
#include "runtime/observe/lens/waiting_locations.h"
#include "runtime/observe/trace_log.h"
#include "runtime/process/descriptors.h"
#include "runtime/process/process_title.h"
#include "runtime/process/start_time.h"

namespace rondo {

namespace {

constexpr int kAbort = -1;  // instead of an exit code

}  // namespace

thread_local constinit Environment* Environment::current_ = nullptr;

Environment::Environment(Loop& loop, v8::Isolate* isolate, Options options)
    : loop_(loop),
      isolate_(isolate),
      policy_(loop.core().timers().policy()),
      options_(options),
      start_ms_(loop.core().present_ms()),
      trace_flag_(TraceLog::instance().flag("node,node.environment")) {
  const bool leaves_descriptors = options_.owns_process || (options_.worker != nullptr &&
                                                            !options_.worker->closes_descriptors());
  if (!leaves_descriptors) descriptors_ = std::make_shared<Descriptors>();
  isolate_->SetData(0, this);
  current_ = this;
  isolate_->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  policy_.set_kind(VisitPolicy::Kind::multiplexed);
  loop_.core().door().set_task_source(this);
  loop_.core().timers().set_batch([this] {
    const v8::HandleScope scope(isolate_);
    const std::uint32_t slot = loop_.core().timers().firing().index;
    call(LibFunction::process_timers, {v8::Integer::NewFromUnsigned(isolate_, slot)});
  });
}

Environment::~Environment() {
  companions_.clear();
  if (options_.lens != nullptr) {
    options_.lens->on_ask_place({});
    options_.lens->on_count_queues({});
    options_.lens->on_unreported(nullptr, {});
  }
  LoopCore& core = loop_.core();
  immediates_.clear();
  for (std::uint32_t i = 0; i < timer_generations_.size(); ++i) {
    core.timers().clear({i, timer_generations_[i]});  // one that is gone is not found
  }
  core.timers().set_batch(nullptr);
  loop_.on_before_exit(nullptr);
  core.door().set_task_source(nullptr);
  while (wrapped_ != nullptr) delete wrapped_;
  if (mailbox_ != nullptr) mailbox_->close();
  inspector_.reset();
  isolate_->SetData(0, nullptr);
  current_ = nullptr;
}

// ---- Into JavaScript ------------------------------------------------------------------------

namespace {

/// What was thrown and not caught by anything on the stack.
struct Escaped {
  v8::Global<v8::Value> error;
  v8::Global<v8::Message> message;
};
thread_local Escaped* escaped = nullptr;

void on_escaped(v8::Local<v8::Message> message, v8::Local<v8::Value> error) {
  if (escaped == nullptr) return;
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  escaped->error.Reset(isolate, error);
  escaped->message.Reset(isolate, message);
}

bool has_javascript_below(v8::Isolate* isolate) {
  const v8::HandleScope scope(isolate);
  return v8::StackTrace::CurrentStackTrace(isolate, 1)->GetFrameCount() > 0;
}

/// Calls without a v8::TryCatch: with one, a debugger that pauses where an exception is thrown that
/// nothing catches takes each for caught. Only where no JavaScript is on the stack.
v8::MaybeLocal<v8::Value> call_without_catch(v8::Isolate* isolate, Escaped& thrown,
                                             auto&& function) {
  Escaped* const before = std::exchange(escaped, &thrown);
  isolate->AddMessageListener(on_escaped);
  const v8::MaybeLocal<v8::Value> result = function();
  isolate->RemoveMessageListeners(on_escaped);
  escaped = before;
  return result;
}

}  // namespace

v8::MaybeLocal<v8::Value> Environment::call(v8::Local<v8::Value> receiver,
                                            v8::Local<v8::Function> function,
                                            std::initializer_list<v8::Local<v8::Value>> arguments) {
  if (ended()) return {};
  const bool is_debugged =
      inspector_ != nullptr && inspector_->has_debuggers() && !has_javascript_below(isolate_);
  const v8::Local<v8::Context> context = this->context();
  const v8::Context::Scope scope(context);
  // The frame of AsyncLocalStorage that the callback has set, or throws in, ends with it.
  const v8::Local<v8::Data> frame = isolate_->GetContinuationPreservedEmbedderDataV2();
  const auto call_it = [&] {
    return function->Call(context, receiver, static_cast<int>(arguments.size()),
                          const_cast<v8::Local<v8::Value>*>(arguments.begin()));
  };
  if (is_debugged) [[unlikely]] {
    Escaped thrown;
    const v8::MaybeLocal<v8::Value> result = call_without_catch(isolate_, thrown, call_it);
    policy_.callback_ended(result.IsEmpty());
    if (!thrown.error.IsEmpty()) {
      uncaught(thrown.error.Get(isolate_), thrown.message.Get(isolate_));
    }
    isolate_->SetContinuationPreservedEmbedderDataV2(frame);
    return result;
  }
  v8::TryCatch caught(isolate_);
  const v8::MaybeLocal<v8::Value> result = call_it();
  // What was thrown in an operation puts its ticks off until after the next one, as in Node.
  policy_.callback_ended(result.IsEmpty());
  if (result.IsEmpty()) [[unlikely]] {
    if (!caught.HasTerminated()) uncaught(caught.Exception(), caught.Message());
  }
  isolate_->SetContinuationPreservedEmbedderDataV2(frame);
  return result;
}

namespace {

/// Node's name for it in the log of trace events; null for what does not appear there.
const char* traced_name(LibFunction function) noexcept {
  switch (function) {
    case LibFunction::process_timers:
      return "RunTimers";
    case LibFunction::process_immediate:
      return "CheckImmediate";
    case LibFunction::emit_before_exit:
      return "BeforeExit";
    default:
      return nullptr;
  }
}

/// The last events of the log: the program has ended.
void trace_end() {
  TraceLog& log = TraceLog::instance();
  if (!log.started()) return;
  constexpr std::string_view kEnvironment = "node,node.environment";
  if (*log.flag(kEnvironment) != 0) {
    for (const char* name : {"RunAndClearNativeImmediates", "RunCleanup", "AtExit"}) {
      log.add_span(kEnvironment, name, monotonic_ns(), thread_ns());
    }
    log.add(R"("ph":"e","cat":"node,node.environment","name":"Environment","dur":0,"tdur":0,)"
            R"("id":"0x1","args":{})");
  }
  constexpr std::string_view kBootstrap = "node,node.bootstrap";
  if (*log.flag(kBootstrap) != 0) {
    constexpr std::pair<Milestone, const char*> kStages[] = {{Milestone::loop_start, "loopStart"},
                                                             {Milestone::loop_exit, "loopExit"}};
    for (const auto& [stage, name] : kStages) {
      if (reached_ns(stage) == 0) continue;  // process.exit() came before
      log.add(std::string(R"("ph":"I","cat":"node,node.bootstrap","dur":0,"tdur":0,"name":")") +
                  name + R"(","args":{})",
              reached_ns(stage));
    }
  }
  std::string title = "{\"name\":";
  lens::append_json_string(title, process_title());
  log.add_metadata("process_name", title + '}');  // the program may have changed it
  log.finish();
}

}  // namespace

v8::MaybeLocal<v8::Value> Environment::call(LibFunction function,
                                            std::initializer_list<v8::Local<v8::Value>> arguments) {
  const TraceSpan span(trace_flag_, "node,node.environment", traced_name(function));
  return call(process_.Get(isolate_), this->function(function), arguments);
}

void Environment::drain() noexcept {
  if (ended() || !started()) return;
  if (!policy_.may_drain()) return;
  const v8::HandleScope scope(isolate_);
  const auto nothing_waits = [&] {
    return shared(Shared::has_tick) == 0 && shared(Shared::has_rejection) == 0;
  };
  if (nothing_waits()) v8::MicrotasksScope::PerformCheckpoint(isolate_);
  if (nothing_waits()) return;
  call(LibFunction::process_ticks_and_rejections, {});
  if (policy_.interrupted()) policy_.interrupt(loop_.core().timers().begin_anew());
}

void Environment::drain_put_off() noexcept {
  if (policy_.postponed()) drain();
}

lens::Lens* Environment::need_lens() {
  if (options_.lens != nullptr || loop_.core().door().observer() != nullptr) return options_.lens;
  own_lens_ = std::make_unique<lens::Lens>(loop_);
  own_lens_->engine_begins();
  ticks_reported_ = static_cast<std::uint32_t>(shared(Shared::ticks));
  return options_.lens = own_lens_.get();
}

void Environment::release_lens() noexcept {
  if (own_lens_ == nullptr || own_lens_->has_watchers()) return;
  options_.lens = nullptr;
  own_lens_.reset();
}

void Environment::report_ticks() noexcept {
  const auto made = static_cast<std::uint32_t>(shared(Shared::ticks));
  const std::uint32_t count = made - std::exchange(ticks_reported_, made);
  if (count != 0 && options_.lens->wants_counts()) options_.lens->ran(lens::Source::tick, count);
}

void Environment::uncaught(v8::Local<v8::Value> error, v8::Local<v8::Message> message,
                           bool from_promise) {
  ++uncaught_count_;
  if (ended()) return;
  const v8::HandleScope scope(isolate_);
  const v8::Local<v8::Context> context = this->context();
  const v8::Context::Scope context_scope(context);
  if (!started()) return end_with(error, message, 1);
  v8::TryCatch caught(isolate_);
  v8::Local<v8::Value> arguments[] = {error, v8::Boolean::New(isolate_, from_promise),
                                      v8::True(isolate_)};
  v8::Local<v8::Value> verdict;
  if (!function(LibFunction::fatal_exception)
           ->Call(context, v8::Undefined(isolate_), std::size(arguments), arguments)
           .ToLocal(&verdict)) {
    if (!caught.HasTerminated()) end_with(caught.Exception(), caught.Message(), 7);
  } else if (verdict->IsFalse()) {
    end_with(error, message, kAbort);
  } else if (!verdict->IsTrue()) {
    end_with(error, message, verdict->Int32Value(context).FromMaybe(1));
  }
}

void Environment::end_with(v8::Local<v8::Value> error, v8::Local<v8::Message> message, int code) {
  uncaught_end_ = true;
  if (inspector_ != nullptr) inspector_->report_uncaught(error, message);
  const std::string where = message.IsEmpty() ? std::string() : source_line(*this, message);
  if (!message.IsEmpty() && error->IsNativeError()) {
    keep_source_line(*this, error.As<v8::Object>(), message);
  }
  v8::TryCatch caught(isolate_);
  const std::string stack = message.IsEmpty() ? std::string() : thrown_at(*this, message);
  v8::Local<v8::Value> arguments[] = {error, text(where), text(stack)};
  // lib/ may be unable to (no stack left, no memory), or not be there yet.
  if (!started() || function(LibFunction::report_exception)
                        ->Call(context(), v8::Undefined(isolate_), std::size(arguments), arguments)
                        .IsEmpty()) {
    print_plainly(*this, error, where);
  }
  if (code == kAbort) std::abort();
  exit(code);
}

// ---- Values ---------------------------------------------------------------------------------

v8::Local<v8::String> Environment::text(std::string_view utf8) const {
  return v8::String::NewFromUtf8(isolate_, utf8.data(), v8::NewStringType::kNormal,
                                 static_cast<int>(utf8.size()))
      .ToLocalChecked();
}

v8::Local<v8::String> Environment::name(std::string_view ascii) const {
  return v8::String::NewFromUtf8(isolate_, ascii.data(), v8::NewStringType::kInternalized,
                                 static_cast<int>(ascii.size()))
      .ToLocalChecked();
}

v8::Local<v8::Value> Environment::with_code(v8::Local<v8::Value> error,
                                            std::string_view code) const {
  if (!code.empty()) {
    // Not Set(): a program may have a setter in Object.prototype.
    error.As<v8::Object>()->CreateDataProperty(context(), name("code"), text(code)).Check();
  }
  return error;
}

v8::Local<v8::Value> Environment::error(std::string_view code, std::string_view message) const {
  return with_code(v8::Exception::Error(text(message)), code);
}

v8::Local<v8::Value> Environment::type_error(std::string_view code,
                                             std::string_view message) const {
  return with_code(v8::Exception::TypeError(text(message)), code);
}

v8::Local<v8::Value> Environment::range_error(std::string_view code,
                                              std::string_view message) const {
  return with_code(v8::Exception::RangeError(text(message)), code);
}

v8::Local<v8::Value> Environment::system_error(int error_number, std::string_view syscall,
                                               std::string_view path, std::string_view dest,
                                               std::string_view reason) const {
  const ErrorText* known = find_error_text(-error_number);
  const std::string code(known != nullptr ? known->name : "UNKNOWN");
  if (reason.empty()) reason = known != nullptr ? known->text : "unknown error";
  std::string message = code + ": " + std::string(reason) + ", " + std::string(syscall);
  // An empty path is reported, too.
  const bool has_path = path.data() != nullptr;
  const bool has_dest = dest.data() != nullptr;
  if (has_path) message.append(" '").append(path).append("'");
  if (has_dest) message.append(" -> '").append(dest).append("'");
  const v8::Local<v8::Value> made = v8::Exception::Error(text(message));
  const v8::Local<v8::Object> object = made.As<v8::Object>();
  const auto set = [&](std::string_view key, v8::Local<v8::Value> value) {
    object->CreateDataProperty(context(), name(key), value).Check();
  };
  set("errno", v8::Integer::New(isolate_, -error_number));
  set("code", text(code));
  set("syscall", text(syscall));
  if (has_path) set("path", text(path));
  if (has_dest) set("dest", text(dest));
  return made;
}

v8::MaybeLocal<v8::Object> Environment::new_holder() {
  if (holder_shape_.IsEmpty()) {
    const v8::HandleScope scope(isolate_);
    const v8::Local<v8::ObjectTemplate> shape = v8::ObjectTemplate::New(isolate_);
    shape->SetInternalFieldCount(2);
    holder_shape_.Reset(isolate_, shape);
  }
  return holder_shape_.Get(isolate_)->NewInstance(context());
}

// ---- State ----------------------------------------------------------------------------------

void Environment::set_shared(v8::Local<v8::Int32Array> array) {
  shared_store_ = array->Buffer()->GetBackingStore();
  shared_ = static_cast<std::int32_t*>(shared_store_->Data());
}

void Environment::set_lens_notes(v8::Local<v8::Float64Array> array) {
  lens_notes_store_ = array->Buffer()->GetBackingStore();
  lens_notes_ = static_cast<const double*>(lens_notes_store_->Data());
}

WaitingLocations& Environment::waiting_locations() {
  if (waiting_locations_ == nullptr) waiting_locations_ = std::make_unique<WaitingLocations>(*this);
  return *waiting_locations_;
}

SourceLocations& Environment::source_locations() {
  if (source_locations_ == nullptr) source_locations_ = std::make_unique<SourceLocations>(isolate_);
  return *source_locations_;
}

Inspector& Environment::need_inspector() {
  if (inspector_ == nullptr) inspector_ = std::make_unique<Inspector>(*this);
  return *inspector_;
}

const std::shared_ptr<Mailbox>& Environment::mailbox() {
  if (mailbox_ == nullptr) mailbox_ = std::make_shared<Mailbox>(*this);
  return mailbox_;
}

void Environment::finish_inspection() {
  if (inspector_ != nullptr) inspector_->wait_for_disconnect();
}

void Environment::report_output_follows(int fd) const {
  options_.lens->output_follows(fd);
}

void Environment::set_source_maps(bool enabled) {
  if (enabled == has_source_maps_) return;
  has_source_maps_ = enabled;
  // A context that allows text to be evaluated never asks.
  if (enabled) allows_strings_ = context()->IsCodeGenerationFromStringsAllowed();
  if (allows_strings_) context()->AllowCodeGenerationFromStrings(!enabled);
}

void Environment::set_function(LibFunction which, v8::Local<v8::Function> function) {
  functions_[static_cast<std::size_t>(which)].Reset(isolate_, function);
}

v8::Local<v8::Function> Environment::function(LibFunction which) const {
  return functions_[static_cast<std::size_t>(which)].Get(isolate_);
}

Interjection& Environment::interjection() {
  if (interjection_ == nullptr) interjection_ = std::make_unique<Interjection>(*this);
  return *interjection_;
}

void Environment::exit(int code) {
  companions_.clear();
  if (options_.lens != nullptr) {
    options_.lens->finish(uncaught_end_ ? lens::End::uncaught : lens::End::exit_called, code);
  }
  if (options_.owns_process) {
    finish_inspection();
    restore_terminals();
    trace_end();
    std::fflush(nullptr);
    ::_exit(code);  // nothing that would have to be put away: the kernel does it faster
  }
  exit_code_ = code;
  // A loop that does not run would not run the next time it is asked to.
  if (loop_.core().running()) loop_.stop();
  unwind();
}

void Environment::stop_from_any_thread() noexcept {
  stopped_.store(true, std::memory_order_relaxed);
  isolate_->TerminateExecution();
  loop_.stop();
}

void Environment::unwind() {
  isolate_->TerminateExecution();
  // V8 looks for that when a function is entered: this one is not, but what called us ends here.
  if (!started() || !isolate_->InContext()) return;
  const v8::HandleScope scope(isolate_);
  std::ignore =
      function(LibFunction::emit_exit)->Call(context(), v8::Undefined(isolate_), 0, nullptr);
}

}  // namespace rondo
