#include "runtime/observe/blocked_script.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/loop_core.h"
#include "runtime/observe/interjection.h"
#include "runtime/observe/stack_words.h"

namespace rondo {

namespace {

constexpr int kMostFrames = 30;

}  // namespace

thread_local BlockedScript* BlockedScript::current_ = nullptr;
thread_local BlockedScript* BlockedScript::looking_in_promises = nullptr;

BlockedScript::BlockedScript(Environment& environment, std::chrono::milliseconds limit,
                             v8::Local<v8::Function> describe)
    : environment_(environment),
      interjection_(environment.interjection()),
      describe_(environment.isolate(), describe),
      code_map_(environment.isolate()),
      blocked_(environment.loop(), {.limit = limit, .engine = this}) {
  current_ = this;
}

BlockedScript::~BlockedScript() {
  current_ = nullptr;
  if (looking_in_promises == this) environment_.isolate()->SetPromiseHook(nullptr);
}

// Counted by lib/ in plain memory; see Door::glance().
__attribute__((no_sanitize("thread"))) std::uint32_t BlockedScript::operations() const noexcept {
  return static_cast<std::uint32_t>(
      __atomic_load_n(&environment_.shared(Shared::operations), __ATOMIC_RELAXED));
}

__attribute__((no_sanitize("thread"))) std::uint32_t BlockedScript::ticks() const noexcept {
  return static_cast<std::uint32_t>(
      __atomic_load_n(&environment_.shared(Shared::ticks), __ATOMIC_RELAXED));
}

/// The id of the task that runs; 0 if it is not known.
__attribute__((no_sanitize("thread"))) std::uint32_t BlockedScript::running() const noexcept {
  return static_cast<std::uint32_t>(
      __atomic_load_n(&environment_.shared(Shared::running), __ATOMIC_RELAXED));
}

void BlockedScript::note(std::uint32_t id, v8::Local<v8::Object> resource, std::string label,
                         std::string callback, std::string site) {
  const std::lock_guard guard(notes_mutex_);
  Note& note = notes_[id];
  note.owner = this;
  note.id = id;
  note.label = std::move(label);
  note.callback = std::move(callback);
  note.site = std::move(site);
  note.resource.Reset(environment_.isolate(), resource);
  note.resource.SetWeak(
      &note,
      [](const v8::WeakCallbackInfo<Note>& info) {
        Note& gone = *info.GetParameter();
        BlockedScript& self = *gone.owner;
        const std::lock_guard alone(self.notes_mutex_);
        self.notes_.erase(gone.id);
      },
      v8::WeakCallbackType::kParameter);
}

// As many as take a thousandth of the time.
__attribute__((no_sanitize("thread"))) void BlockedScript::on_look(
    std::chrono::milliseconds since_last) noexcept {
  constexpr std::chrono::milliseconds kForEach{4};
  constexpr std::int64_t kMost = 1000;
  unused_ += since_last;
  const std::int64_t earned = unused_ / kForEach;
  unused_ -= earned * kForEach;
  std::int32_t& places = environment_.shared(Shared::locations_left);
  const std::int64_t now = std::min(kMost, __atomic_load_n(&places, __ATOMIC_RELAXED) + earned);
  __atomic_store_n(&places, static_cast<std::int32_t>(now), __ATOMIC_RELAXED);
}

lens::BlockedMoment BlockedScript::look() {
  // Between two ticks or two microtasks there is no stack: the next look will be luckier.
  constexpr int kMostLooks = 5;
  lens::BlockedMoment moment;
  for (int i = 0; i < kMostLooks && moment.stack.empty(); ++i) {
    lens::BlockedMoment now;
    now.native = interjection_.system_call();
    const auto body = [&](Environment& /*environment*/) { look_here(now, i > 0); };
    now.unreachable = !interjection_.run(body);
    const bool answers = !now.unreachable;
    if (answers || i == 0) moment = std::move(now);
    if (!answers) break;
  }
  const bool is_between = moment.in_microtasks && moment.stack.empty();
  if (moment.unreachable || is_between) look_from_outside(moment);
  if (is_between) add_next_microtask(moment);
  return moment;
}

/// Callbacks that are shorter than the way from one to the next are hardly ever seen running, and
/// V8 does not find the caller of every function that is seen. One that queues itself is known.
void BlockedScript::add_next_microtask(lens::BlockedMoment& moment) const {
  if (next_microtask_.empty()) return;
  const std::string function = next_microtask_.substr(0, next_microtask_.find(" (")) + " (";
  const auto is_it = [&](const std::string& frame) { return frame.starts_with(function); };
  if (moment.stack.empty()) {
    moment.stack.push_back(next_microtask_);
  } else if (moment.callback.empty() && std::ranges::none_of(moment.stack, is_it)) {
    moment.callback = next_microtask_;
  }
}

namespace {

std::string words(const CodeMap::Frame& frame, int line) {
  const std::string place = frame.file + ':' + std::to_string(line);
  return frame.function.empty() ? place : frame.function + " (" + place + ')';
}

/// What called the outermost function of the program's, by the function of lib/ that did.
std::string_view kind_of(const std::vector<CodeMap::Frame>& frames, std::size_t outermost) {
  for (std::size_t i = outermost + 1; i < frames.size(); ++i) {
    const std::string& name = frames[i].function;
    if (frames[i].file == "node:internal/timers") {
      if (name == "listOnTimeout") return "a timer";
      if (name == "runImmediate") return "an immediate";
    }
    if (frames[i].file == "node:internal/process/task_queues" && name == "runAll") return "a tick";
  }
  return {};
}

}  // namespace

void BlockedScript::look_from_outside(lens::BlockedMoment& moment) {
  // Between two microtasks there is no frame of the program's.
  constexpr int kMostLooks = 20;
  std::vector<CodeMap::Frame> frames;
  const auto is_program = [](const CodeMap::Frame& frame) { return frame.is_program; };
  for (int i = 0; i < kMostLooks && std::ranges::none_of(frames, is_program); ++i) {
    const Interjection::Sample sample = interjection_.sample();
    moment.in_collection = sample.in_collection;
    frames = code_map_.resolve(sample.frames);

    // A frame that is being made cannot be seen; a little later it can.
    if (moment.unreachable && (moment.in_collection || i == 2)) break;
  }
  std::size_t outermost = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const CodeMap::Frame& frame = frames[i];
    if (frame.file.starts_with("node:internal/")) continue;
    if (frame.is_program) outermost = i;
    if (moment.stack.size() == static_cast<std::size_t>(kMostFrames)) continue;
    moment.stack.push_back(words(frame, frame.line));
  }
  if (!moment.unreachable) return;
  {
    const std::lock_guard guard(notes_mutex_);
    if (const auto found = notes_.find(running()); found != notes_.end()) {
      moment.label = found->second.label;
      moment.callback = found->second.callback;
      moment.site = found->second.site;
    }
  }
  if (std::ranges::none_of(frames, is_program)) return;
  if (moment.label.empty()) moment.label = kind_of(frames, outermost);
  if (!moment.callback.empty()) return;
  const CodeMap::Frame& callback = frames[outermost];
  moment.callback = words(callback, callback.function_line);
}

void BlockedScript::look_here(lens::BlockedMoment& moment, bool again) {
  v8::Isolate* isolate = environment_.isolate();
  moment.stack = current_stack(isolate, kMostFrames);
  moment.in_microtasks = v8::MicrotasksScope::IsRunningMicrotasks(isolate);
  if (moment.in_microtasks && !is_probing_) {
    // If the others continue, this one is served.
    is_probing_ = true;
    isolate->EnqueueMicrotask(
        [](void* data) {
          auto* self = static_cast<BlockedScript*>(data);
          self->is_probing_ = false;
          ++self->microtask_steps_;
        },
        this);
  }
  if (!again) promise_stack_.clear();  // of another time
  if (moment.in_microtasks && moment.stack.empty()) look_in_promises(moment);
  ask_lib(moment, again);
  look_at_queues(moment);
}

// An async function that does little but await is left before V8 looks up: the stack is that of the
// next promise that is made.
void BlockedScript::look_in_promises(lens::BlockedMoment& moment) {
  moment.stack = std::exchange(promise_stack_, {});
  if (!moment.stack.empty()) return;
  looking_in_promises = this;
  environment_.isolate()->SetPromiseHook(on_promise);
}

void BlockedScript::on_promise(v8::PromiseHookType type, v8::Local<v8::Promise> /*promise*/,
                               v8::Local<v8::Value> /*parent*/) {
  if (type != v8::PromiseHookType::kInit) return;
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  const v8::HandleScope handles(isolate);
  std::vector<std::string> stack = current_stack(isolate, kMostFrames);
  if (stack.empty()) return;
  looking_in_promises->promise_stack_ = std::move(stack);
  isolate->SetPromiseHook(nullptr);
}

void BlockedScript::ask_lib(lens::BlockedMoment& moment, bool again) {
  v8::Isolate* isolate = environment_.isolate();
  const v8::Local<v8::Context> context = environment_.context();
  std::array<v8::Local<v8::Value>, 2> what{v8::Boolean::New(isolate, again),
                                           v8::Boolean::New(isolate, moment.in_microtasks)};
  v8::Local<v8::Value> answer;
  if (!describe_.Get(isolate)
           ->Call(context, v8::Undefined(isolate), static_cast<int>(what.size()), what.data())
           .ToLocal(&answer)) {
    return;
  }
  const auto part = [&](std::uint32_t i) {
    return answer.As<v8::Array>()->Get(context, i).ToLocalChecked();
  };
  const auto text = [&](std::uint32_t i) {
    const v8::Local<v8::Value> value = part(i);
    return value->IsString() ? std::string(*v8::String::Utf8Value(isolate, value)) : std::string();
  };
  moment.label = text(0);
  if (part(1)->IsFunction()) moment.callback = place_of(isolate, part(1).As<v8::Function>());
  next_microtask_ =
      part(6)->IsFunction() ? place_of(isolate, part(6).As<v8::Function>()) : std::string();
  moment.site = text(2);
  moment.tick_site = text(4);
  moment.ticks_waiting = part(5)->Uint32Value(context).FromMaybe(0);
  if (const std::string waiting = text(3); !waiting.empty()) moment.waiting.push_back(waiting);
  if (moment.label.empty() && moment.in_microtasks) moment.label = "a promise or microtask";
}

void BlockedScript::look_at_queues(lens::BlockedMoment& moment) {
  LoopCore& core = environment_.loop().core();
  const QueueDepths depth = core.metrics().depth;
  const auto add = [&](std::size_t count, std::string_view one, std::string_view many) {
    if (count == 0) return;
    moment.waiting.push_back(std::to_string(count) + ' ' + std::string(count == 1 ? one : many));
  };
  add(depth.completions + depth.posted, "event", "events");
  add(depth.pending, "pending callback", "pending callbacks");
  add(depth.close, "close callback", "close callbacks");
  const TimersPhase::Overdue overdue = core.timers().overdue(core.present_ms());
  if (overdue.count == 0) return;
  add(overdue.count, "timer", "timers");
  moment.waiting.back() += " overdue by up to " + std::to_string(overdue.most_ms) + " ms";
}

}  // namespace rondo
