#include "runtime/errors/compile_errors.h"

#include <string>
#include <string_view>
#include <tuple>

#include "runtime/engine/environment.h"
#include "runtime/errors/uncaught.h"

namespace rondo {

namespace {

v8::Local<v8::Private> line_key(Environment& environment) {
  return v8::Private::ForApi(environment.isolate(), environment.name("rondo:source_line"));
}

v8::Local<v8::Private> decorated_key(Environment& environment) {
  return v8::Private::ForApi(environment.isolate(), environment.name("rondo:decorated"));
}

/// "Unexpected identifier": later versions of V8, and so Node, say which one.
void name_identifier(Environment& environment, v8::Local<v8::Object> error,
                     v8::Local<v8::Message> message) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Context> context = environment.context();
  v8::Local<v8::Value> text;
  if (!error->Get(context, environment.name("message")).ToLocal(&text) || !text->IsString() ||
      !text.As<v8::String>()->StringEquals(environment.name("Unexpected identifier"))) {
    return;
  }
  v8::Local<v8::String> line;
  if (!message->GetSourceLine(context).ToLocal(&line)) return;
  const int start = message->GetStartColumn(context).FromMaybe(0);
  const int end = message->GetEndColumn(context).FromMaybe(0);
  const v8::String::Value characters(isolate, line);
  if (start < 0 || end <= start || static_cast<std::uint32_t>(end) > characters.length()) return;
  const v8::Local<v8::String> name =
      v8::String::NewFromTwoByte(isolate, *characters + start, v8::NewStringType::kNormal,
                                 end - start)
          .ToLocalChecked();
  const v8::Local<v8::String> parts[] = {environment.text("Unexpected identifier '"), name,
                                         environment.text("'")};
  const v8::Local<v8::String> whole =
      v8::String::Concat(isolate, v8::String::Concat(isolate, parts[0], parts[1]), parts[2]);
  error->Set(context, environment.name("message"), whole).Check();
}

}  // namespace

void keep_source_line(Environment& environment, v8::Local<v8::Object> error,
                      v8::Local<v8::Message> message) {
  if (!kept_source_line(environment, error).IsEmpty()) return;
  name_identifier(environment, error, message);
  const v8::Local<v8::String> line = environment.text(source_line(environment, message));
  if (line->Length() == 0) return;
  std::ignore = error->SetPrivate(environment.context(), line_key(environment), line);
}

v8::Local<v8::String> kept_source_line(Environment& environment, v8::Local<v8::Value> error) {
  if (!error->IsObject()) return {};
  v8::Local<v8::Value> line;
  if (!error.As<v8::Object>()
           ->GetPrivate(environment.context(), line_key(environment))
           .ToLocal(&line) ||
      !line->IsString()) {
    return {};
  }
  return line.As<v8::String>();
}

void decorate_stack(Environment& environment, v8::Local<v8::Value> error, bool spaced) {
  const v8::Local<v8::String> line = kept_source_line(environment, error);
  if (line.IsEmpty() || is_decorated(environment, error)) return;
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Context> context = environment.context();
  const v8::Local<v8::Object> object = error.As<v8::Object>();
  const v8::TryCatch quiet(isolate);
  v8::Local<v8::String> stack;
  if (!stack_of(environment, error).ToLocal(&stack)) return;
  v8::Local<v8::String> text = line;
  if (spaced) text = v8::String::Concat(isolate, text, environment.text("\n"));
  text = v8::String::Concat(isolate, text, stack);
  std::ignore = object->Set(context, environment.name("stack"), text);
  mark_decorated(environment, object);
}

void mark_decorated(Environment& environment, v8::Local<v8::Object> error) {
  std::ignore = error->SetPrivate(environment.context(), decorated_key(environment),
                                  v8::True(environment.isolate()));
}

bool is_decorated(Environment& environment, v8::Local<v8::Value> error) {
  return error->IsObject() && error.As<v8::Object>()
                                  ->HasPrivate(environment.context(), decorated_key(environment))
                                  .FromMaybe(false);
}

namespace {
thread_local int catching = 0;
}  // namespace

CompileCatch::CompileCatch(v8::Isolate* isolate) : v8::TryCatch(isolate) {
  ++catching;
}

CompileCatch::~CompileCatch() {
  --catching;
}

bool CompileCatch::any() noexcept {
  return catching > 0;
}

void throw_compile_error(Environment& environment, v8::TryCatch& failure, bool decorate) {
  if (failure.HasTerminated()) return;
  // V8 refuses a parameter that is not an identifier without an exception.
  if (!failure.HasCaught()) {
    environment.throw_(v8::Exception::SyntaxError(environment.text("Invalid parameter name")));
  }
  if (!failure.Message().IsEmpty() && failure.Exception()->IsNativeError()) {
    keep_source_line(environment, failure.Exception().As<v8::Object>(), failure.Message());
  }
  if (decorate) decorate_stack(environment, failure.Exception(), true);
  failure.ReThrow();
}

}  // namespace rondo
