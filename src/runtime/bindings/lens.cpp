// For lib/internal/lens.js: what JavaScript tells the lens.
#include "rondo/lens.h"

#include <string>
#include <string_view>

#include "runtime/binding.h"
#include "runtime/environment.h"

namespace rondo {
namespace {

lens::Lens* lens_of(const Arguments& args) {
  return Environment::of(args.GetIsolate()).lens();
}

lens::SubjectId to_id(v8::Local<v8::Value> value) {
  return static_cast<lens::SubjectId>(value.As<v8::Number>()->Value());
}

/// The text of a string; nothing for any other value.
class Words {
 public:
  Words(v8::Isolate* isolate, v8::Local<v8::Value> value) {
    if (!value->IsString()) return;
    const v8::String::Utf8Value utf8(isolate, value);
    text_.assign(*utf8, static_cast<std::size_t>(utf8.length()));
  }
  operator std::string_view() const noexcept { return text_; }

 private:
  std::string text_;
};

/// The place in the program that has led here: the innermost frame that is not of lib/.
class Place {
 public:
  explicit Place(v8::Isolate* isolate) {
    constexpr int kMostFrames = 32;  // streams are deep
    const v8::Local<v8::StackTrace> stack =
        v8::StackTrace::CurrentStackTrace(isolate, kMostFrames, v8::StackTrace::kDetailed);
    for (int i = 0; i < stack->GetFrameCount(); ++i) {
      const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate, static_cast<unsigned>(i));
      const v8::Local<v8::String> name = frame->GetScriptName();
      if (name.IsEmpty()) continue;
      const v8::String::Utf8Value file(isolate, name);
      const std::string_view text(*file, static_cast<std::size_t>(file.length()));
      if (text.empty() || text.starts_with("node:")) continue;
      constexpr std::string_view kFile = "file://";
      file_ = text.starts_with(kFile) ? text.substr(kFile.size()) : text;
      if (const v8::Local<v8::String> function = frame->GetFunctionName(); !function.IsEmpty()) {
        function_ = *v8::String::Utf8Value(isolate, function);
      }
      site_ = {file_, function_, frame->GetLineNumber(), frame->GetColumn()};
      return;
    }
  }
  const lens::Site& site() const noexcept { return site_; }

 private:
  std::string file_;
  std::string function_;
  lens::Site site_;
};

/// wants() -> bits: 1 subjects, 2 labels, 4 promises; -1 without a lens
void wants(const Arguments& args) {
  const lens::Lens* lens = lens_of(args);
  int bits = -1;
  if (lens != nullptr) {
    bits = (lens->wants_subjects() ? 1 : 0) | (lens->wants_labels() ? 2 : 0) |
           (lens->wants_promises() ? 4 : 0);
  }
  args.GetReturnValue().Set(bits);
}

/// made(id, kind, cause, delay, label, type): the last three may be undefined
void made(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  lens::Lens& lens = *lens_of(args);
  lens::Subject subject{.id = to_id(args[0]),
                        .cause = to_id(args[2]),
                        .kind = static_cast<lens::Kind>(args[1].As<v8::Int32>()->Value())};
  if (args[3]->IsNumber()) {
    const double delay = args[3].As<v8::Number>()->Value();
    subject.delay = std::chrono::milliseconds(static_cast<std::int64_t>(delay));
  }
  const Words label(isolate, args[4]);
  const Words type(isolate, args[5]);
  subject.label = label;
  subject.type = type;
  if (!lens.wants_sites()) return lens.made(subject);
  const v8::HandleScope scope(isolate);
  const Place place(isolate);
  subject.site = place.site();
  lens.made(subject);
}

/// setNotes(Float64Array): where lib/ leaves what it tells later: id, kind, cause, delay; see
/// tell()
void set_notes(const Arguments& args) {
  Environment::of(args.GetIsolate()).set_lens_notes(args[0].As<v8::Float64Array>());
}

/// What was made and what is gone since the last time, `count` numbers.
void tell_notes(const Environment& environment, lens::Lens& lens, v8::Local<v8::Value> count) {
  const double* note = environment.lens_notes();
  const double* const end = note + count.As<v8::Int32>()->Value();
  constexpr int kPerNote = 4;
  for (; note != end; note += kPerNote) {
    const auto id = static_cast<lens::SubjectId>(note[0]);
    if (note[1] < 0) {
      lens.gone_at(lens.last(), id);
      continue;
    }
    const auto delay = std::chrono::milliseconds(static_cast<std::int64_t>(note[3]));
    lens.made_at(lens.last(), {.id = id,
                               .cause = static_cast<lens::SubjectId>(note[2]),
                               .kind = static_cast<lens::Kind>(static_cast<int>(note[1])),
                               .delay = delay});
  }
}

/// tell(count of numbers)
void tell(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  if (environment.lens() != nullptr) tell_notes(environment, *environment.lens(), args[0]);
}

/// begin(id, count of numbers in the notes)
void begin(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  lens::Lens& lens = *environment.lens();
  tell_notes(environment, lens, args[1]);
  lens.begin(to_id(args[0]));
}

/// beginEvent(id, count, event, label): the last may be undefined
void begin_event(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  lens::Lens& lens = *environment.lens();
  tell_notes(environment, lens, args[1]);
  const Words event(args.GetIsolate(), args[2]);
  const Words label(args.GetIsolate(), args[3]);
  lens.begin(to_id(args[0]), event, label);
}

/// end(id, count)
void end(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  lens::Lens& lens = *environment.lens();
  tell_notes(environment, lens, args[1]);
  lens.end(to_id(args[0]));
}

void gone(const Arguments& args) {
  lens_of(args)->gone(to_id(args[0]));
}

constexpr Method kMethods[] = {{"wants", wants}, {"made", made},   {"setNotes", set_notes},
                               {"tell", tell},   {"begin", begin}, {"beginEvent", begin_event},
                               {"end", end},     {"gone", gone}};

}  // namespace

extern const Binding binding_lens;
const Binding binding_lens{"lens", kMethods};

}  // namespace rondo
