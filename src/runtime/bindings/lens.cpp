// For lib/internal/lens.js: what JavaScript tells the lens.
#include "rondo/lens.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include "runtime/binding.h"
#include "runtime/environment.h"
#include "runtime/platform.h"

namespace rondo {
namespace {

lens::Lens* lens_of(const Arguments& args) {
  return Environment::of(args.GetIsolate()).lens();
}

lens::SubjectId to_id(v8::Local<v8::Value> value) {
  return static_cast<lens::SubjectId>(value.As<v8::Number>()->Value());
}

/// The text of a string; nothing for any other value, and for none.
class Words {
 public:
  Words(v8::Isolate* isolate, v8::Local<v8::Value> value) {
    if (value.IsEmpty() || !value->IsString()) return;
    const v8::String::Utf8Value utf8(isolate, value);
    text_.assign(*utf8, static_cast<std::size_t>(utf8.length()));
  }
  operator std::string_view() const noexcept { return text_; }
  operator std::string() const { return text_; }

 private:
  std::string text_;
};

std::string to_text(v8::Isolate* isolate, v8::Local<v8::String> text) {
  if (text.IsEmpty()) return {};
  const v8::String::Utf8Value utf8(isolate, text);
  return {*utf8, static_cast<std::size_t>(utf8.length())};
}

/// Parts of lib/ that only make what the program, or another part, has asked for.
constexpr std::string_view kPlumbing[] = {
    "node:internal/lens",          "node:internal/async_hooks",
    "node:internal/promise_hooks", "node:internal/process/task_queues",
    "node:internal/timers",        "node:timers",
};

/// The place in the program that has led here: the innermost frame that is not of lib/.
class Place {
 public:
  explicit Place(v8::Isolate* isolate) : isolate_(isolate) {
    // A frame is expensive, and mostly the program's is among the first.
    constexpr int kFewFrames = 6;
    constexpr int kMostFrames = 32;  // streams are deep
    if (!look(kFewFrames, 0) && !look(kMostFrames, kFewFrames)) is_inner_ = true;
  }
  const lens::Site& site() const noexcept { return site_; }

  /// Whether it was lib/ that has led here.
  bool is_inner() const noexcept { return is_inner_; }

  /// What the program has called there, if that is a function for files: fs.readFile() begins with
  /// an `open`, and is what it is to be called.
  std::string called_for_files() const {
    const std::string_view script(called_in_.data(), called_in_size_);
    const bool is_fs = script == "node:fs" || script.starts_with("node:internal/fs/");
    if (!is_fs || site_.file.empty()) return {};
    return to_text(isolate_, called_->GetFunctionName());
  }

 private:
  /// Whether there is one among the first frames, but for those that have been looked at.
  bool look(int most, int seen) {
    const v8::Local<v8::StackTrace> stack =
        v8::StackTrace::CurrentStackTrace(isolate_, most, v8::StackTrace::kDetailed);
    for (int i = seen; i < stack->GetFrameCount(); ++i) {
      const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate_, static_cast<unsigned>(i));
      const v8::Local<v8::String> name = frame->GetScriptName();
      if (name.IsEmpty() || name->Length() == 0) continue;
      if (is_of_lib(name)) {
        called_ = frame;
        continue;
      }
      const std::string text = to_text(isolate_, name);
      constexpr std::string_view kFile = "file://";
      file_ = text.starts_with(kFile) ? text.substr(kFile.size()) : text;
      function_ = to_text(isolate_, frame->GetFunctionName());
      site_ = {file_, function_, frame->GetLineNumber(), frame->GetColumn()};
      return true;
    }
    return false;
  }

  bool is_of_lib(v8::Local<v8::String> name) {
    std::array<char, 48> start;
    const int count = name->WriteOneByte(isolate_, reinterpret_cast<std::uint8_t*>(start.data()), 0,
                                         static_cast<int>(start.size()));
    const std::string_view text(start.data(), static_cast<std::size_t>(count));
    if (!text.starts_with("node:")) return false;
    called_in_ = start;
    called_in_size_ = text.size();
    is_inner_ = is_inner_ || std::ranges::find(kPlumbing, text) == std::end(kPlumbing);
    return true;
  }

  v8::Isolate* isolate_;
  std::string file_;
  std::string function_;
  std::array<char, 48> called_in_{};
  std::size_t called_in_size_ = 0;
  v8::Local<v8::StackFrame> called_;  // the last one of lib/
  bool is_inner_ = false;
  lens::Site site_;
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
void tell_place(v8::Isolate* isolate, void* lens) {
  const v8::HandleScope scope(isolate);
  static_cast<lens::Lens*>(lens)->place(Place(isolate).site());
}

lens::Source to_source(v8::Local<v8::Value> value) {
  return static_cast<lens::Source>(value.As<v8::Int32>()->Value());
}

/// wants() -> bits: 1 subjects, 2 labels or places, 4 promises, 8 handles, 16 details, 32 counts;
/// -1 without a lens
void wants(const Arguments& args) {
  const lens::Lens* lens = lens_of(args);
  int bits = -1;
  if (lens != nullptr) {
    bits = (lens->wants_subjects() ? 1 : 0) |
           (lens->wants_labels() || lens->wants_sites() ? 2 : 0) |
           (lens->wants_promises() ? 4 : 0) | (lens->wants_handles() ? 8 : 0) |
           (lens->wants_details() ? 16 : 0) | (lens->wants_counts() ? 32 : 0);
  }
  args.GetReturnValue().Set(bits);
}

/// hiddenKey() -> a key of properties that JavaScript can neither list nor see
void hidden_key(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  // A private symbol is no value to V8's types; a template takes it all the same.
  const v8::Local<v8::ObjectTemplate> holder = v8::ObjectTemplate::New(isolate);
  holder->Set(isolate, "key", v8::Private::New(isolate));
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Object> object;
  v8::Local<v8::Value> key;
  if (holder->NewInstance(context).ToLocal(&object) &&
      object->Get(context, v8::String::NewFromUtf8Literal(isolate, "key")).ToLocal(&key)) {
    args.GetReturnValue().Set(key);
  }
}

/// made(id, kind, trigger, delay, label, type, step): the last four may be undefined. Its cause is
/// what runs; what comes from outside (a connection) is made when nothing does, for its trigger. A
/// label of which there is a step begins with it.
void made(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  lens::Lens& lens = *lens_of(args);
  lens::Subject subject{.id = to_id(args[0]),
                        .cause = lens.running() != 0 ? lens.running() : to_id(args[2]),
                        .kind = static_cast<lens::Kind>(args[1].As<v8::Int32>()->Value())};
  if (args[3]->IsNumber()) {
    const double delay = args[3].As<v8::Number>()->Value();
    subject.delay = std::chrono::milliseconds(static_cast<std::int64_t>(delay));
  }
  const Words label(isolate, args[4]);
  const Words type(isolate, args[5]);
  const Words step(isolate, args[6]);
  subject.label = label;
  subject.type = type;
  subject.step = step;
  if (!lens.wants_sites()) return lens.made(subject);
  const v8::HandleScope scope(isolate);
  const Place place(isolate);
  subject.site = place.site();
  subject.inner = place.is_inner();
  std::string whole = subject.step.empty() ? std::string() : place.called_for_files();
  if (!whole.empty()) {
    whole += subject.label.substr(subject.step.size());
    subject.label = whole;
  }
  lens.made(subject);
}

/// setNotes(Float64Array): where lib/ leaves what it tells later: id, kind, trigger, delay of what
/// was made; id and -1 of what is gone
void set_notes(const Arguments& args) {
  Environment::of(args.GetIsolate()).set_lens_notes(args[0].As<v8::Float64Array>());
}

/// The first `count` numbers of the notes.
lens::Lens& tell_notes(const Environment& environment, std::int32_t count) {
  lens::Lens& lens = *environment.lens();
  const double* note = environment.lens_notes();
  constexpr int kPerNote = 4;
  for (const double* const end = note + count; note != end; note += kPerNote) {
    const auto id = static_cast<lens::SubjectId>(note[0]);
    if (note[1] < 0) {
      lens.gone(id, lens.last());
      continue;
    }
    const lens::SubjectId running = lens.running();
    lens.made({.id = id,
               .cause = running != 0 ? running : static_cast<lens::SubjectId>(note[2]),
               .kind = static_cast<lens::Kind>(static_cast<int>(note[1])),
               .delay = std::chrono::milliseconds(static_cast<std::int64_t>(note[3]))},
              lens.last());
  }
  return lens;
}

lens::Lens& tell_notes(const Arguments& args, int index) {
  return tell_notes(Environment::of(args.GetIsolate()), args[index].As<v8::Int32>()->Value());
}

/// The fast versions are for who wants no words: then nobody looks at JavaScript's stack.
lens::Lens* tell_notes_fast(v8::Local<v8::Object> receiver, std::int32_t count,
                            v8::FastApiCallbackOptions& options) {
  const Environment& environment = Environment::of(receiver->GetIsolate());
  options.fallback = environment.lens()->wants_labels() || environment.lens()->wants_sites();
  return options.fallback ? nullptr : &tell_notes(environment, count);
}

/// tell(count of numbers in the notes)
void tell(const Arguments& args) {
  tell_notes(args, 0);
}

/// begin(id, count, source)
void begin(const Arguments& args) {
  tell_notes(args, 1).begin(to_id(args[0]), {}, {}, to_source(args[2]));
}

void begin_fast(v8::Local<v8::Object> receiver, double id, std::int32_t count, std::int32_t source,
                v8::FastApiCallbackOptions& options) {
  lens::Lens* lens = tell_notes_fast(receiver, count, options);
  if (lens == nullptr) return;
  lens->begin(static_cast<lens::SubjectId>(id), {}, {}, static_cast<lens::Source>(source));
}

/// beginEvent(id, count, source, event, label): the last may be undefined
void begin_event(const Arguments& args) {
  const Words event(args.GetIsolate(), args[3]);
  const Words label(args.GetIsolate(), args[4]);
  tell_notes(args, 1).begin(to_id(args[0]), event, label, to_source(args[2]));
}

/// end(id, count) -> whether details are wanted
void end(const Arguments& args) {
  lens::Lens& lens = tell_notes(args, 1);
  lens.end(to_id(args[0]));
  args.GetReturnValue().Set(lens.details_asked());
}

bool end_fast(v8::Local<v8::Object> receiver, double id, std::int32_t count,
              v8::FastApiCallbackOptions& options) {
  lens::Lens* lens = tell_notes_fast(receiver, count, options);
  if (lens == nullptr) return false;
  lens->end(static_cast<lens::SubjectId>(id));
  return lens->details_asked();
}

/// details(id, label, callback): of the run that has just ended; the callback may be anything
void details(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Words label(isolate, args[1]);
  if (!args[2]->IsFunction()) return lens_of(args)->details(to_id(args[0]), label, {});
  const Definition definition(isolate, args[2].As<v8::Function>());
  lens_of(args)->details(to_id(args[0]), label, definition.site());
}

/// countMicrotasks(): from now on V8 tells how many it has run
void count_microtasks(const Arguments& /*args*/) {
  Platform::instance().GetTracingController()->start();
}

/// opened(id, label)
void opened(const Arguments& args) {
  lens_of(args)->opened(to_id(args[0]), Words(args.GetIsolate(), args[1]));
}

void closed(const Arguments& args) {
  lens_of(args)->closed(to_id(args[0]));
}

/// answerPlace(): from now on the lens can ask, from any thread, where the program is
void answer_place(const Arguments& args) {
  lens::Lens* lens = lens_of(args);
  v8::Isolate* isolate = args.GetIsolate();
  lens->on_ask_place([isolate, lens] { isolate->RequestInterrupt(tell_place, lens); });
}

void again(const Arguments& args) {
  lens_of(args)->again(to_id(args[0]));
}

void gone(const Arguments& args) {
  lens_of(args)->gone(to_id(args[0]));
}

const v8::CFunction kBeginFast = v8::CFunction::Make(begin_fast);
const v8::CFunction kEndFast = v8::CFunction::Make(end_fast);

const Method kMethods[] = {{"wants", wants},
                           {"hiddenKey", hidden_key},
                           {"made", made},
                           {"setNotes", set_notes},
                           {"tell", tell},
                           {"begin", begin, &kBeginFast},
                           {"beginEvent", begin_event},
                           {"end", end, &kEndFast},
                           {"again", again},
                           {"gone", gone},
                           {"details", details},
                           {"countMicrotasks", count_microtasks},
                           {"opened", opened},
                           {"closed", closed},
                           {"answerPlace", answer_place}};

}  // namespace

extern const Binding binding_lens;
const Binding binding_lens{"lens", kMethods};

}  // namespace rondo
