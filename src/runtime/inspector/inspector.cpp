#include "runtime/inspector/inspector.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace rondo {

namespace {

using v8_inspector::StringBuffer;
using v8_inspector::StringView;

constexpr int kContextGroup = 1;

StringView view_of(std::string_view latin1) {
  return {reinterpret_cast<const std::uint8_t*>(latin1.data()), latin1.size()};
}

/// Text of V8's heap, as the inspector reads it.
class Text {
 public:
  Text(v8::Isolate* isolate, v8::Local<v8::String> text)
      : units_(static_cast<std::size_t>(text->Length())) {
    text->WriteV2(isolate, 0, static_cast<std::uint32_t>(units_.size()), units_.data());
  }
  StringView view() const { return {units_.data(), units_.size()}; }

 private:
  std::vector<std::uint16_t> units_;
};

v8::Local<v8::String> to_string(v8::Isolate* isolate, StringView text) {
  const auto length = static_cast<int>(text.length());
  const auto made = text.one_byte()
                        ? v8::String::NewFromOneByte(isolate, text.characters8(),
                                                     v8::NewStringType::kNormal, length)
                        : v8::String::NewFromTwoByte(isolate, text.characters16(),
                                                     v8::NewStringType::kNormal, length);
  return made.FromMaybe(v8::String::Empty(isolate));
}

bool stays_in_path_of_url(unsigned char c) {
  constexpr std::string_view kOthers = "/!$&'()*+,-.:;=@_~[]|";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kOthers.find(static_cast<char>(c)) != std::string_view::npos;
}

std::string file_url(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string url = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (stays_in_path_of_url(byte)) {
      url += c;
    } else {
      url += '%';
      url += kDigits[byte >> 4U];
      url += kDigits[byte & 0xfU];
    }
  }
  return url;
}

}  // namespace

// ---- Sessions ----------------------------------------------------------------------------------

InspectorSession::InspectorSession(Environment& environment, Receiver receiver)
    : environment_(environment),
      receiver_(std::move(receiver)),
      session_(environment.need_inspector().engine().connect(
          kContextGroup, this, {}, v8_inspector::V8Inspector::kFullyTrusted)) {}

// Requests that still wait for a promise are answered with an error while the session ends.
InspectorSession::~InspectorSession() = default;

void InspectorSession::dispatch(v8::Local<v8::String> message) {
  session_->dispatchProtocolMessage(Text(environment_.isolate(), message).view());
}

v8::MaybeLocal<v8::Value> InspectorSession::object(std::string_view id) {
  v8::Local<v8::Value> object;
  v8::Local<v8::Context> context;
  if (!session_->unwrapObject(nullptr, view_of(id), &object, &context, nullptr)) return {};
  return object;
}

void InspectorSession::release_group(std::string_view name) {
  session_->releaseObjectGroup(view_of(name));
}

void InspectorSession::sendResponse(int /*call*/, std::unique_ptr<StringBuffer> message) {
  send(message->string());
}

void InspectorSession::sendNotification(std::unique_ptr<StringBuffer> message) {
  send(message->string());
}

void InspectorSession::send(StringView message) {
  if (!receiver_) return;
  v8::Isolate* isolate = environment_.isolate();
  const v8::HandleScope scope(isolate);
  receiver_(to_string(isolate, message));
}

// ---- The inspector -----------------------------------------------------------------------------

Inspector::Inspector(Environment& environment)
    : environment_(environment),
      engine_(v8_inspector::V8Inspector::create(environment.isolate(), this)) {
  const v8::HandleScope scope(environment.isolate());
  add_context(environment.context(), environment.worker() == nullptr ? "main" : "worker",
              R"({"isDefault":true})");
}

Inspector::~Inspector() {
  const v8::HandleScope scope(environment_.isolate());
  engine_->contextDestroyed(environment_.context());
}

void Inspector::add_context(v8::Local<v8::Context> context, std::string_view name) {
  add_context(context, name, R"({"isDefault":false})");
}

int Inspector::id_of(v8::Local<v8::Context> context) {
  if (v8_inspector::V8ContextInfo::executionContextId(context) == 0)
    add_context(context, "VM Context");
  return v8_inspector::V8ContextInfo::executionContextId(context);
}

void Inspector::add_context(v8::Local<v8::Context> context, std::string_view name,
                            std::string_view data) {
  engine_->contextCreated({.context = context,
                           .context_group = kContextGroup,
                           .name = view_of(name),
                           .origin = {},
                           .auxiliary_data = view_of(data)});
}

void Inspector::report_uncaught(v8::Local<v8::Value> error, v8::Local<v8::Message> message) {
  if (message.IsEmpty()) return;
  v8::Isolate* isolate = environment_.isolate();
  const v8::Local<v8::Context> context = environment_.context();
  const auto text_of = [&](v8::Local<v8::Value> value) {
    return Text(isolate, value->IsString() ? value.As<v8::String>() : v8::String::Empty(isolate));
  };
  v8::Local<v8::String> description;
  if (!error->ToDetailString(context).ToLocal(&description)) return;
  const v8::Local<v8::StackTrace> stack = message->GetStackTrace();
  // The engine shows the script where the stack has none.
  const bool has_stack = !stack.IsEmpty() && stack->GetFrameCount() > 0;
  const int script = message->GetScriptOrigin().ScriptId();
  engine_->exceptionThrown(
      context, view_of("Uncaught"), error, Text(isolate, description).view(),
      text_of(message->GetScriptResourceName()).view(),
      static_cast<unsigned>(message->GetLineNumber(context).FromMaybe(0)),
      static_cast<unsigned>(message->GetStartColumn(context).FromMaybe(0)),
      engine_->createStackTrace(stack),
      has_stack && stack->GetFrame(isolate, 0)->GetScriptId() == script ? 0 : script);
}

v8::Local<v8::Context> Inspector::ensureDefaultContextInGroup(int /*context_group*/) {
  return environment_.context();
}

double Inspector::currentTimeMS() {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  return Milliseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::unique_ptr<StringBuffer> Inspector::resourceNameToUrl(const StringView& name) {
  v8::Isolate* isolate = environment_.isolate();
  const v8::HandleScope scope(isolate);
  const v8::String::Utf8Value path(isolate, to_string(isolate, name));
  if (path.length() == 0 || **path != '/') return nullptr;
  return StringBuffer::create(view_of(file_url({*path, static_cast<std::size_t>(path.length())})));
}

}  // namespace rondo
