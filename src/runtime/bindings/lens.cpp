// For lib/internal/lens.js: what JavaScript tells the lens.
#include "rondo/lens.h"

#include <string>
#include <string_view>

#include "runtime/binding.h"
#include "runtime/environment.h"

namespace rondo {
namespace {

lens::Lens* lens_of(const Arguments& args) { return Environment::of(args.GetIsolate()).lens(); }

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
  operator std::string() const { return text_; }

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

/// Where a function of the program is.
class Definition {
 public:
  Definition(v8::Isolate* isolate, v8::Local<v8::Function> function) {
    while (function->GetBoundFunction()->IsFunction()) {
      function = function->GetBoundFunction().As<v8::Function>();
    }
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

/// wants() -> bits: 1 subjects, 2 labels, 4 promises, 8 handles; -1 without a lens
void wants(const Arguments& args) {
  const lens::Lens* lens = lens_of(args);
  int bits = -1;
  if (lens != nullptr) {
    bits = (lens->wants_subjects() ? 1 : 0) | (lens->wants_labels() ? 2 : 0) |
           (lens->wants_promises() ? 4 : 0) | (lens->wants_handles() ? 8 : 0);
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

/// begin(id, event, label): the last two may be undefined
void begin(const Arguments& args) {
  lens::Lens& lens = *lens_of(args);
  if (args[1]->IsUndefined()) return lens.begin(to_id(args[0]));
  const Words event(args.GetIsolate(), args[1]);
  const Words label(args.GetIsolate(), args[2]);
  lens.begin(to_id(args[0]), event, label);
}

/// end(id) -> whether details are wanted
void end(const Arguments& args) {
  lens::Lens& lens = *lens_of(args);
  lens.end(to_id(args[0]));
  args.GetReturnValue().Set(lens.details_asked());
}

/// details(id, label, callback): of the run that has just ended; the callback may be anything
void details(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Words label(isolate, args[1]);
  if (!args[2]->IsFunction()) return lens_of(args)->details(to_id(args[0]), label, {});
  const Definition definition(isolate, args[2].As<v8::Function>());
  lens_of(args)->details(to_id(args[0]), label, definition.site());
}

/// opened(id, label)
void opened(const Arguments& args) {
  lens_of(args)->opened(to_id(args[0]), Words(args.GetIsolate(), args[1]));
}

void closed(const Arguments& args) { lens_of(args)->closed(to_id(args[0])); }

/// answerPlace(): from now on the lens can ask, from any thread, where the program is
void answer_place(const Arguments& args) {
  lens::Lens* lens = lens_of(args);
  v8::Isolate* isolate = args.GetIsolate();
  lens->on_ask_place([isolate, lens] { isolate->RequestInterrupt(tell_place, lens); });
}

void gone(const Arguments& args) { lens_of(args)->gone(to_id(args[0])); }

constexpr Method kMethods[] = {
    {"wants", wants},     {"made", made},     {"begin", begin},   {"end", end},
    {"gone", gone},       {"details", details}, {"opened", opened}, {"closed", closed},
    {"answerPlace", answer_place}};

}  // namespace

extern const Binding binding_lens;
const Binding binding_lens{"lens", kMethods};

}  // namespace rondo
