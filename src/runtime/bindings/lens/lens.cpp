// For lib/internal/lens/report.js: what JavaScript reports to the lens.
#include "rondo/lens.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/engine/host/platform.h"
#include "runtime/glue/typed_method.h"
#include "runtime/observe/lens/source_locations.h"
#include "runtime/observe/lens/traits.h"

namespace rondo {
namespace {

lens::SubjectId to_id(double number) {
  return static_cast<lens::SubjectId>(static_cast<std::int64_t>(number));
}

/// The text of a string, or of a number that it has been given; nothing for any other value, and
/// for none.
class Words {
 public:
  Words(v8::Isolate* isolate, v8::Local<v8::Value> value,
        const SourceLocations* numbered = nullptr) {
    if (value.IsEmpty()) return;
    if (numbered != nullptr && value->IsUint32()) {
      view_ = numbered->word(value.As<v8::Uint32>()->Value());
      return;
    }
    if (!value->IsString()) return;
    const v8::String::Utf8Value utf8(isolate, value);
    text_.assign(*utf8, static_cast<std::size_t>(utf8.length()));
    view_ = text_;
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  operator std::string_view() const noexcept { return view_; }
  operator std::string() const { return std::string(view_); }

 private:
  std::string text_;
  std::string_view view_;
};

/// Where a function of the program is.
class Definition {
 public:
  Definition(v8::Isolate* isolate, v8::Local<v8::Function> function) {
    while (function->GetBoundFunction()->IsFunction()) {
      function = function->GetBoundFunction().As<v8::Function>();
    }
    // A function of V8's own has none.
    const v8::Local<v8::Value> name = function->GetScriptOrigin().ResourceName();
    const std::string file = Words(isolate, name);
    if (file.empty() || file.starts_with("node:")) return;
    constexpr std::string_view kFile = "file://";
    file_ = file.starts_with(kFile) ? file.substr(kFile.size()) : file;
    function_ = Words(isolate, function->GetDebugName());
    site_ = {file_, function_, function->GetScriptLineNumber() + 1,
             function->GetScriptColumnNumber() + 1};
  }
  const lens::Site& site() const noexcept { return site_; }

 private:
  std::string file_;
  std::string function_;
  lens::Site site_;
};

/// In the middle of JavaScript, on the loop's thread.
void report_location(v8::Isolate* isolate, void* /*data*/) {
  lens::Lens* lens = Environment::of(isolate).lens();
  if (lens == nullptr) return;  // gone since it asked
  const v8::HandleScope scope(isolate);
  const SourceLocation location = find_lens_location(isolate);
  lens->place(location.site());
}

/// The queues of lib/, of which the loop only knows that it has to visit them.
void count_queues(Environment& environment, const v8::Global<v8::Function>& count,
                  QueueDepths& depths) {
  v8::Isolate* isolate = environment.isolate();
  if (environment.exit_code() || isolate->IsExecutionTerminating()) return;
  const v8::HandleScope scope(isolate);
  const v8::Local<v8::Context> context = environment.context();
  const v8::Context::Scope context_scope(context);
  const v8::TryCatch caught(isolate);
  if (count.Get(isolate)->Call(context, v8::Undefined(isolate), 0, nullptr).IsEmpty()) return;
  const auto waiting = [&](Shared which) {
    return static_cast<std::size_t>(environment.shared(which));
  };
  depths.ticks += waiting(Shared::ticks_waiting);
  if (environment.immediates().active()) --depths.immediates;
  depths.immediates += waiting(Shared::immediates_waiting);
}

/// The bits of wants().
enum LensWants : std::uint32_t {
  kSubjects = 1U << 0,
  kWords = 1U << 1,  // labels or source locations
  kPromises = 1U << 2,
  kHandles = 1U << 3,
  kDetails = 1U << 4,
  kCounts = 1U << 5,
  kUnfinished = 1U << 6,
};

std::uint32_t wants(Environment& environment) {
  const lens::Lens& lens = *environment.lens();
  return (lens.wants_subjects() ? kSubjects : 0U) |
         (lens.wants_labels() || lens.wants_sites() ? kWords : 0U) |
         (lens.wants_promises() ? kPromises : 0U) | (lens.wants_handles() ? kHandles : 0U) |
         (lens.wants_details() ? kDetails : 0U) | (lens.wants_counts() ? kCounts : 0U) |
         (lens.wants_unfinished() ? kUnfinished : 0U);
}

/// What a note of lib/ consists of. `last` is the delay of a timer, and of a request the number of
/// its words.
enum class LensNote : std::uint8_t { id, kind, trigger, last, size };

/// What it has instead of a Kind.
enum NoteMark : std::int32_t { kGone = -1, kEnd = -2 };

[[gnu::noinline]] void report_notes(Environment& environment, lens::Lens& lens) {
  environment.lens_promises().report_newest(lens);  // it was made before
  const std::int32_t count = std::exchange(environment.shared(Shared::noted), 0);
  const double* note = environment.lens_notes();
  const auto part = [&note](LensNote which) { return note[static_cast<std::size_t>(which)]; };
  constexpr auto kPerNote = static_cast<std::size_t>(LensNote::size);
  for (const double* const end = note + count; note != end; note += kPerNote) {
    const auto id = static_cast<lens::SubjectId>(static_cast<std::int64_t>(part(LensNote::id)));
    const int kind = static_cast<int>(part(LensNote::kind));
    if (kind == kEnd) {
      lens.end(id);
      continue;
    }
    if (kind == kGone) {
      lens.gone(id, lens.last());
      continue;
    }
    const auto trigger =
        static_cast<lens::SubjectId>(static_cast<std::int64_t>(part(LensNote::trigger)));
    if (kind == static_cast<int>(lens::Kind::request)) {
      const auto number = static_cast<std::uint32_t>(part(LensNote::last));
      const RequestWords& words = environment.source_locations().request_words(number);
      lens.made({.id = id,
                 .cause = lens.running() != 0 ? lens.running() : trigger,
                 .kind = lens::Kind::request,
                 .label = words.label,
                 .type = words.type,
                 .traits = words.traits,
                 .step = words.step},
                lens.last());
      continue;
    }
    lens.made_plain(id, trigger, static_cast<lens::Kind>(kind),
                    std::chrono::milliseconds(static_cast<std::int64_t>(part(LensNote::last))),
                    lens.last());
  }
}

/// What lib/ has noted.
inline lens::Lens& report_notes(Environment& environment) {
  lens::Lens& lens = *environment.lens();
  if (environment.shared(Shared::noted) != 0) report_notes(environment, lens);
  return lens;
}

/// The same, and the newest promise.
inline lens::Lens& report_all(Environment& environment) {
  lens::Lens& lens = report_notes(environment);
  environment.lens_promises().report_newest(lens);
  return lens;
}

/// setNotes(Float64Array): where lib/ leaves what it reports later: id, kind, trigger, delay of
/// what was made, of a request the number of its words instead of the delay; id and -1 of what is
/// gone, -2 of what has ended. How many numbers there are is in Shared::noted.
void set_notes(Environment& environment, v8::Local<v8::Float64Array> notes) {
  environment.set_lens_notes(notes);
  environment.lens()->on_unreported(&environment.shared(Shared::noted),
                                    [&environment] { report_all(environment); });
}

/// report(): everything that was not reported yet
void report(Environment& environment) {
  report_all(environment);
}

/// made(id, kind, trigger, delay, label, type, step, isReaction): the last five may be undefined.
/// Its cause is what runs; what comes from outside (a connection) is made when nothing does, for
/// its trigger. A label that begins with the step is that of a step: the stack has the whole.
void made(Environment& environment, double id, std::int32_t kind, double trigger,
          v8::Local<v8::Value> delay, v8::Local<v8::Value> label_words,
          v8::Local<v8::Value> type_words, v8::Local<v8::Value> step_words, bool is_reaction) {
  v8::Isolate* isolate = environment.isolate();
  lens::Lens& lens = report_all(environment);
  SourceLocations& locations = environment.source_locations();
  lens::Subject subject{.id = to_id(id),
                        .cause = lens.running() != 0 ? lens.running() : to_id(trigger),
                        .kind = static_cast<lens::Kind>(kind)};
  if (delay->IsNumber()) {
    subject.delay =
        std::chrono::milliseconds(static_cast<std::int64_t>(delay.As<v8::Number>()->Value()));
  }
  const Words label(isolate, label_words, &locations);
  const Words type(isolate, type_words, &locations);
  const Words step(isolate, step_words, &locations);
  subject.label = label;
  subject.type = type;
  subject.step = step;
  if (!lens.wants_sites()) {
    subject.traits = traits_of(subject.type, subject.label);
    return lens.made(subject);
  }
  const SourceLocation& location = locations.here();
  subject.site = location.site();
  subject.inner = location.is_inner;
  std::string whole;
  if (!subject.step.empty() && !location.called_for_files.empty() &&
      lens::is_of_step(subject.label, subject.step)) {
    whole = location.called_for_files + std::string(subject.label.substr(subject.step.size()));
    subject.label = whole;
  }
  const bool is_await = is_reaction && !location.is_then && !location.is_inner;
  if (is_await && !location.file.empty()) subject.label = "await";
  subject.traits = traits_of(subject.type, subject.label);
  lens.made(subject);
}

/// learnThen(): called by the hook of promises when then() has made one
void learn_then(Environment& environment) {
  environment.source_locations().learn_then();
}

/// word(text) -> its number, which made() and beginEvent() take instead of the text
std::uint32_t word(Environment& environment, v8::Local<v8::Value> text) {
  return environment.source_locations().add_word(Words(environment.isolate(), text));
}

/// requestWords(label, type, step) -> their number, for notes; the last may be undefined
std::uint32_t request_words(Environment& environment, v8::Local<v8::Value> label_text,
                            v8::Local<v8::Value> type_text, v8::Local<v8::Value> step_text) {
  v8::Isolate* isolate = environment.isolate();
  const Words label(isolate, label_text);
  const Words type(isolate, type_text);
  return environment.source_locations().add_request_words(
      {label, type, Words(isolate, step_text), traits_of(type, label)});
}

/// functionNumber(callback) -> the number that begin() takes for it; 0: it is not one of the
/// program's; undefined: too many were looked up a moment ago
std::optional<std::uint32_t> function_number(Environment& environment,
                                             v8::Local<v8::Function> callback) {
  SourceLocations& locations = environment.source_locations();
  if (!locations.may_look(environment.lens()->last())) return {};
  const Definition definition(environment.isolate(), callback);
  const bool is_known = !definition.site().file.empty();
  return is_known ? locations.add_function(definition.site()) : 0U;
}

void begin_with(Environment& environment, double id, std::string_view event, std::int32_t source,
                std::uint32_t function) {
  lens::Lens& lens = report_all(environment);
  lens.begin(to_id(id), event, {}, static_cast<lens::Source>(source));
  if (function != 0) lens.runs(environment.source_locations().function(function).site());
}

/// begin(id, source, function): the last by its number, or 0
void begin(Environment& environment, double id, std::int32_t source, std::uint32_t function) {
  begin_with(environment, id, {}, source, function);
}

/// beginEvent(id, source, event, function): the last two by their numbers
void begin_event(Environment& environment, double id, std::int32_t source, std::uint32_t event,
                 std::uint32_t function) {
  begin_with(environment, id, environment.source_locations().word(event), source, function);
}

/// beginLabelled(id, source, event, label): the last may be undefined
void begin_labelled(Environment& environment, double id, std::int32_t source,
                    v8::Local<v8::Value> event_text, v8::Local<v8::Value> label_text) {
  const Words event(environment.isolate(), event_text);
  const Words label(environment.isolate(), label_text);
  report_all(environment).begin(to_id(id), event, label, static_cast<lens::Source>(source));
}

/// end(id) -> whether details are wanted
bool end(Environment& environment, double id) {
  lens::Lens& lens = report_all(environment);
  lens.end(to_id(id));
  return lens.details_asked();
}

/// promiseId(promise) -> its id
double promise_id(Environment& environment, v8::Local<v8::Value> promise) {
  return static_cast<double>(environment.lens_promises().id_of(promise.As<v8::Promise>()));
}

/// promiseMade(promise, parent): the parent may be undefined
void promise_made(Environment& environment, v8::Local<v8::Value> promise,
                  v8::Local<v8::Value> parent) {
  environment.lens_promises().made(report_notes(environment), promise.As<v8::Promise>(), parent);
}

/// promiseBegins(promise)
void promise_begins(Environment& environment, v8::Local<v8::Value> promise) {
  environment.lens_promises().begin(report_all(environment), promise.As<v8::Promise>());
}

/// promiseEnds(promise)
void promise_ends(Environment& environment, v8::Local<v8::Value> promise) {
  environment.lens_promises().end(report_all(environment), promise.As<v8::Promise>());
}

/// details(id, label, callback): of the run that has just ended; the callback may be anything
void details(Environment& environment, double id, v8::Local<v8::Value> label_text,
             v8::Local<v8::Value> callback) {
  v8::Isolate* isolate = environment.isolate();
  const Words label(isolate, label_text);
  if (!callback->IsFunction()) return environment.lens()->details(to_id(id), label, {});
  const Definition definition(isolate, callback.As<v8::Function>());
  environment.lens()->details(to_id(id), label, definition.site());
}

/// runs(callback): the function of the callback that has begun last
void runs(Environment& environment, v8::Local<v8::Function> callback) {
  const Definition definition(environment.isolate(), callback);
  if (!definition.site().file.empty()) environment.lens()->runs(definition.site());
}

/// failed(code): what has begun last is called back with this error
void failed(Environment& environment, v8::Local<v8::Value> code) {
  report_all(environment).failed(Words(environment.isolate(), code));
}

/// countMicrotasks(): from now on V8 reports how many it has run
void count_microtasks() {
  Platform::instance().GetTracingController()->count_microtasks();
}

/// opened(id, label)
void opened(Environment& environment, double id, v8::Local<v8::Value> label) {
  environment.lens()->opened(to_id(id), Words(environment.isolate(), label));
}

void closed(Environment& environment, double id) {
  environment.lens()->closed(to_id(id));
}

/// answerLocation(): from now on the lens can ask, from any thread, where the program is
void answer_location(Environment& environment) {
  v8::Isolate* isolate = environment.isolate();
  environment.lens()->on_ask_place(
      [isolate] { isolate->RequestInterrupt(report_location, nullptr); });
}

/// answerDepths(count): `count` writes down how much waits in the queues of lib/
void answer_depths(Environment& environment, v8::Local<v8::Function> function) {
  const auto count = std::make_shared<v8::Global<v8::Function>>(environment.isolate(), function);
  environment.lens()->on_count_queues(
      [&environment, count](QueueDepths& depths) { count_queues(environment, *count, depths); });
}

void again(Environment& environment, double id) {
  report_all(environment).again(to_id(id));
}

void gone(Environment& environment, double id) {
  report_all(environment).gone(to_id(id));
}

const Method kMethods[] = {method<wants>("wants"),
                           method<made>("made"),
                           method<learn_then>("learnThen"),
                           method<word>("word"),
                           method<request_words>("requestWords"),
                           method<set_notes>("setNotes"),
                           method<report>("report"),
                           method<function_number>("functionNumber"),
                           fast_method<begin>("begin"),
                           fast_method<begin_event>("beginEvent"),
                           method<begin_labelled>("beginLabelled"),
                           fast_method<end>("end"),
                           method<promise_id>("promiseId"),
                           fast_method<promise_made>("promiseMade"),
                           fast_method<promise_begins>("promiseBegins"),
                           fast_method<promise_ends>("promiseEnds"),
                           method<again>("again"),
                           method<gone>("gone"),
                           method<details>("details"),
                           method<runs>("runs"),
                           method<failed>("failed"),
                           method<count_microtasks>("countMicrotasks"),
                           method<opened>("opened"),
                           method<closed>("closed"),
                           method<answer_location>("answerLocation"),
                           method<answer_depths>("answerDepths")};

}  // namespace

extern const Binding binding_lens;
const Binding binding_lens{"lens", kMethods};

}  // namespace rondo
