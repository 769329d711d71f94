// Evaluates what is being typed at the prompt, as long as that has no effect: V8 stops at the first
// one. Only its inspector can ask V8 for that; a session of it lives as long as the prompt, and
// nothing else of it is used.
#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"
#include "runtime/modules/sandbox.h"
#include "runtime/observe/engine_inspector.h"

namespace rondo {
namespace {

using v8_inspector::StringView;

constexpr int kGroup = 1;

StringView view_of(const std::string& latin1) {
  return {reinterpret_cast<const std::uint8_t*>(latin1.data()), latin1.size()};
}

v8::Local<v8::String> to_string(v8::Isolate* isolate, StringView text) {
  const int length = static_cast<int>(text.length());
  const v8::MaybeLocal<v8::String> made =
      text.is_one_byte()
          ? v8::String::NewFromOneByte(isolate, text.one_byte(), v8::NewStringType::kNormal, length)
          : v8::String::NewFromTwoByte(isolate, text.two_byte(), v8::NewStringType::kNormal,
                                       length);
  return made.FromMaybe(v8::String::Empty(isolate));
}

class Session final : public Wrapped, private v8_inspector::V8Inspector::Channel {
 public:
  Session(Environment& environment, v8::Local<v8::Object> object, v8::Local<v8::Context> context)
      : Wrapped(environment, object),
        isolate_(environment.isolate()),
        inspector_(v8_inspector::V8Inspector::create(isolate_, &client_)),
        context_(isolate_, context) {
    inspector_->contextCreated({.context = context,
                                .contextGroupId = kGroup,
                                .humanReadableName = {},
                                .origin = {},
                                .auxData = {},
                                .hasMemoryOnConsole = false});
    session_ = inspector_->connect(kGroup, this, {}, v8_inspector::V8Inspector::kFullyTrusted,
                                   v8_inspector::V8Inspector::kNotWaitingForDebugger);
    context_id_ = v8_inspector::V8ContextInfo::executionContextId(context);
    context_.SetWeak();  // it leads to the prompt, which has this session
  }
  ~Session() override {
    session_.reset();
    if (context_.IsEmpty()) return;
    const v8::HandleScope scope(isolate_);
    inspector_->contextDestroyed(context_.Get(isolate_));
  }

  int context_id() const noexcept { return context_id_; }

  v8::Local<v8::String> send(v8::Local<v8::String> message) {
    std::vector<std::uint16_t> text(static_cast<std::size_t>(message->Length()));
    message->WriteV2(isolate_, 0, static_cast<std::uint32_t>(text.size()), text.data());
    answer_.Clear();
    session_->dispatchProtocolMessage({text.data(), text.size()});
    return answer_.IsEmpty() ? v8::String::Empty(isolate_) : answer_;
  }

  v8::MaybeLocal<v8::Value> unwrap(const std::string& id) {
    std::unique_ptr<v8_inspector::StringBuffer> error;
    v8::Local<v8::Value> value;
    v8::Local<v8::Context> context;
    if (!session_->unwrapObject(&error, view_of(id), &value, &context, nullptr)) return {};
    return value;
  }

  void release(const std::string& group) { session_->releaseObjectGroup(view_of(group)); }

 private:
  void sendResponse(int /*call_id*/, std::unique_ptr<v8_inspector::StringBuffer> message) override {
    answer_ = to_string(isolate_, message->string());
  }
  void sendNotification(std::unique_ptr<v8_inspector::StringBuffer> /*message*/) override {}
  void flushProtocolNotifications() override {}

  v8::Isolate* isolate_;
  v8_inspector::V8InspectorClient client_;
  std::unique_ptr<v8_inspector::V8Inspector> inspector_;
  v8::Global<v8::Context> context_;
  int context_id_ = 0;
  std::unique_ptr<v8_inspector::V8InspectorSession> session_;
  v8::Local<v8::String> answer_;  // within send()
};

/// (context or undefined) -> [session, id of the context]
void open(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  v8::Local<v8::Context> context = environment.context();
  if (!args[0]->IsUndefined() && !sandbox_context(environment, args[0]).ToLocal(&context)) return;
  v8::Local<v8::Object> object;
  if (!environment.new_holder().ToLocal(&object)) return;
  const auto* session = new Session(environment, object, context);
  v8::Local<v8::Value> result[] = {object, v8::Integer::New(isolate, session->context_id())};
  args.GetReturnValue().Set(v8::Array::New(isolate, result, std::size(result)));
}

/// (session, message as JSON) -> the answer as JSON
void send(const Arguments& args) {
  args.GetReturnValue().Set(Wrapped::from<Session>(args[0])->send(args[1].As<v8::String>()));
}

/// (session, id of an object) -> the object
void unwrap(const Arguments& args) {
  const v8::String::Utf8Value id(args.GetIsolate(), args[1]);
  v8::Local<v8::Value> value;
  if (Wrapped::from<Session>(args[0])->unwrap(*id).ToLocal(&value)) {
    args.GetReturnValue().Set(value);
  }
}

/// (session, name of a group of objects)
void release(const Arguments& args) {
  const v8::String::Utf8Value group(args.GetIsolate(), args[1]);
  Wrapped::from<Session>(args[0])->release(*group);
}

constexpr Method kMethods[] = {
    {"open", open}, {"send", send}, {"unwrap", unwrap}, {"release", release}};

}  // namespace

extern const Binding binding_side_effect_free;
const Binding binding_side_effect_free{"side_effect_free", kMethods};

}  // namespace rondo
