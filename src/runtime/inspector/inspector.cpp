#include "runtime/inspector/inspector.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/loop_core.h"
#include "runtime/inspector/inspector_text.h"
#include "runtime/messaging/worker_thread.h"
#include "runtime/process/process_title.h"

namespace rondo {

namespace {

using v8_inspector::StringBuffer;
using v8_inspector::StringView;

constexpr int kContextGroup = 1;

// A method of one of Node's own domains begins like this.
constexpr std::string_view kOfNode = "\"Node";

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

InspectorSession::InspectorSession(Inspector& inspector, Receiver receiver, Kind kind)
    : inspector_(inspector),
      receiver_(std::move(receiver)),
      kind_(kind),
      node_domains_(inspector, [this](std::string_view json) { send(view_of(json)); }),
      session_(inspector.engine().connect(kContextGroup, this, {},
                                          v8_inspector::V8Inspector::kFullyTrusted)) {
  inspector.sessions_.push_back(this);
  if (inspector.waits_for_debugger()) node_domains_.set_waiting(true);
}

// Requests that still wait for a promise are answered with an error while the session ends.
InspectorSession::~InspectorSession() {
  session_.reset();
  std::erase(inspector_.sessions_, this);
}

void InspectorSession::dispatch(v8::Local<v8::String> message) {
  const InspectorText text(inspector_.environment().isolate(), message);
  if (text.contains(kOfNode) && node_domains_.dispatch(message)) return;
  session_->dispatchProtocolMessage(text.view());
}

void InspectorSession::dispatch(std::string_view message) {
  v8::Isolate* isolate = inspector_.environment().isolate();
  const bool is_ascii = std::ranges::all_of(message, [](char c) { return c >= 0; });
  if (is_ascii && !message.contains(kOfNode)) {
    session_->dispatchProtocolMessage(view_of(message));
    return;
  }
  v8::Local<v8::String> text;
  if (v8::String::NewFromUtf8(isolate, message.data(), v8::NewStringType::kNormal,
                              static_cast<int>(message.size()))
          .ToLocal(&text)) {
    dispatch(text);
  }
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

void InspectorSession::pause_on_next_statement(std::string_view reason) {
  session_->schedulePauseOnNextStatement(view_of(reason), view_of(reason));
}

void InspectorSession::sendResponse(int /*call*/, std::unique_ptr<StringBuffer> message) {
  send(message->string());
}

void InspectorSession::sendNotification(std::unique_ptr<StringBuffer> message) {
  send(message->string());
}

void InspectorSession::send(StringView message) {
  if (receiver_) receiver_(message);
}

// ---- The inspector -----------------------------------------------------------------------------

Inspector::Inspector(Environment& environment)
    : environment_(environment),
      engine_(v8_inspector::V8Inspector::create(environment.isolate(), this)) {
  const v8::HandleScope scope(environment.isolate());
  const WorkerThread* worker = environment.worker();
  const std::string name = worker == nullptr
                               ? process_title() + '[' + std::to_string(::getpid()) + ']'
                               : "Worker[" + std::to_string(worker->id()) + ']';
  add_context(environment.context(), view_of(name), {}, true);
}

Inspector::~Inspector() {
  server_.reset();
  remote_.clear();
  destroy_context();
}

void Inspector::destroy_context() {
  if (!std::exchange(has_context_, false)) return;
  const v8::HandleScope scope(environment_.isolate());
  engine_->contextDestroyed(environment_.context());
}

void Inspector::add_context(v8::Local<v8::Context> context, v8::Local<v8::String> name,
                            v8::Local<v8::String> origin) {
  v8::Isolate* isolate = environment_.isolate();
  add_context(context, InspectorText(isolate, name).view(), InspectorText(isolate, origin).view(),
              false);
}

int Inspector::id_of(v8::Local<v8::Context> context) {
  if (v8_inspector::V8ContextInfo::executionContextId(context) == 0)
    add_context(context, view_of("VM Context"), {}, false);
  return v8_inspector::V8ContextInfo::executionContextId(context);
}

void Inspector::add_context(v8::Local<v8::Context> context, StringView name, StringView origin,
                            bool is_main) {
  engine_->contextCreated(
      {.context = context,
       .context_group = kContextGroup,
       .name = name,
       .origin = origin,
       .auxiliary_data = view_of(is_main ? R"({"isDefault":true})" : R"({"isDefault":false})")});
}

void Inspector::report_uncaught(v8::Local<v8::Value> error, v8::Local<v8::Message> message) {
  if (message.IsEmpty()) return;
  v8::Isolate* isolate = environment_.isolate();
  const v8::Local<v8::Context> context = environment_.context();
  const auto text_of = [&](v8::Local<v8::Value> value) {
    return InspectorText(isolate,
                         value->IsString() ? value.As<v8::String>() : v8::String::Empty(isolate));
  };
  v8::Local<v8::String> description;
  if (!error->ToDetailString(context).ToLocal(&description)) return;
  const v8::Local<v8::StackTrace> stack = message->GetStackTrace();
  // The engine shows the script where the stack has none.
  const bool has_stack = !stack.IsEmpty() && stack->GetFrameCount() > 0;
  const int script = message->GetScriptOrigin().ScriptId();
  engine_->exceptionThrown(
      context, view_of("Uncaught"), error, InspectorText(isolate, description).view(),
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

// ---- Debuggers of other processes --------------------------------------------------------------

namespace {

/// What the server's thread hears, for the environment's thread.
class ToMailbox final : public DebugServerEvents {
 public:
  ToMailbox(std::shared_ptr<Mailbox> mailbox, std::shared_ptr<Outbox> outbox,
            std::shared_ptr<Backlog> backlog)
      : mailbox_(std::move(mailbox)), outbox_(std::move(outbox)), backlog_(std::move(backlog)) {}

  void session_began(std::uint32_t session) override {
    mailbox_->post([session, outbox = outbox_](Inspector& inspector) {
      inspector.begin_session(session, [session, outbox, &inspector](StringView message) {
        outbox->send(session, to_utf8(inspector.environment().isolate(), message));
      });
    });
  }

  void message_arrived(std::uint32_t session, std::string message) override {
    mailbox_->post([session, outbox = outbox_, backlog = backlog_,
                    message = std::move(message)](Inspector& inspector) {
      if (backlog->remove(message.size())) outbox->wake();
      inspector.dispatch_to(session, message);
    });
  }

  void session_ended(std::uint32_t session) override {
    mailbox_->post([session](Inspector& inspector) { inspector.end_session(session); });
  }

 private:
  std::shared_ptr<Mailbox> mailbox_;
  std::shared_ptr<Outbox> outbox_;
  std::shared_ptr<Backlog> backlog_;
};

}  // namespace

bool Inspector::open(DebugServer::Options options) {
  if (server_ != nullptr) return true;
  auto outbox = std::make_shared<Outbox>();
  auto backlog = std::make_shared<Backlog>();
  auto events = std::make_unique<ToMailbox>(environment_.mailbox(), outbox, backlog);
  options.target.id = make_target_id();
  auto server = std::make_unique<DebugServer>(std::move(options), std::move(outbox),
                                              std::move(backlog), std::move(events));
  if (!server->is_listening()) return false;
  server_ = std::move(server);
  return true;
}

void Inspector::close() {
  server_.reset();
}

void Inspector::begin_session(std::uint32_t number, InspectorSession::Receiver receiver) {
  remote_[number] = std::make_unique<InspectorSession>(*this, std::move(receiver),
                                                       InspectorSession::Kind::debugger);
  // Last: another session may have a pause wait for whatever JavaScript comes next, and this one
  // may have ended when that is over.
  if (set_async_hook_.IsEmpty() && environment_.started()) {
    const v8::TryCatch caught(environment_.isolate());
    v8::Local<v8::Value> listens = v8::False(environment_.isolate());
    std::ignore =
        environment_.function(LibFunction::inspect)
            ->Call(environment_.context(), v8::Undefined(environment_.isolate()), 1, &listens);
  }
}

void Inspector::dispatch_to(std::uint32_t number, std::string_view message) {
  const auto found = remote_.find(number);
  if (found != remote_.end()) found->second->dispatch(message);
}

void Inspector::end_session(std::uint32_t number) {
  const auto found = remote_.find(number);
  if (found == remote_.end()) return;
  const bool kept_context = found->second->node_domains().keeps_context();
  const std::unique_ptr<InspectorSession> ends = std::move(found->second);
  remote_.erase(found);
  if (kept_context) {
    const bool is_kept = std::ranges::any_of(sessions_, [&](InspectorSession* session) {
      return session != ends.get() && session->node_domains().keeps_context();
    });
    if (is_kept) return;
    destroy_context();
  }
  // A Worker does not wait for those that have not asked for it.
  if (environment_.worker() != nullptr) waits_for_disconnect_ = false;
}

NodeDomains* Inspector::domains(std::uint32_t number) noexcept {
  for (InspectorSession* session : sessions_) {
    if (session->node_domains().number() == number) return &session->node_domains();
  }
  return nullptr;
}

bool Inspector::has_debuggers() const {
  return std::ranges::any_of(sessions_, [](const InspectorSession* session) {
    return session->kind() == InspectorSession::Kind::debugger;
  });
}

// ---- Waiting for them ---------------------------------------------------------------------------

void Inspector::wait_for_debugger() {
  waits_for_debugger_ = true;
  for (InspectorSession* session : sessions_) session->node_domains().set_waiting(true);
  run_message_loop();
}

void Inspector::runIfWaitingForDebugger(int /*context_group*/) {
  waits_for_debugger_ = false;
  for (InspectorSession* session : sessions_) session->node_domains().set_waiting(false);
}

void Inspector::runMessageLoopOnPause(int /*context_group*/) {
  waits_for_resume_ = true;
  run_message_loop();
}

void Inspector::quitMessageLoopOnPause() {
  waits_for_resume_ = false;
}

void Inspector::wait_for_disconnect() {
  if (std::exchange(has_ended_, true) || !is_active()) return;
  const bool is_worker = environment_.worker() != nullptr;
  // First: who reads the line may leave at once, and the server then has nothing more to say.
  if (server_ != nullptr) server_->stop_accepting();
  if (has_debuggers() && !is_worker) {
    std::fputs("Waiting for the debugger to disconnect...\n", stderr);
    std::fflush(stderr);
  }
  bool keeps_context = false;
  for (InspectorSession* session : sessions_) keeps_context |= session->node_domains().tell_end();
  if (!keeps_context) destroy_context();
  if (server_ == nullptr && !(is_worker && keeps_context)) return;
  waits_for_disconnect_ = true;
  run_message_loop();
}

bool Inspector::should_run_message_loop() const {
  if (environment_.ended()) return false;
  if (waits_for_debugger_) return true;
  return (waits_for_disconnect_ || waits_for_resume_) && has_debuggers();
}

void Inspector::run_message_loop() {
  if (std::exchange(in_message_loop_, true)) return;
  // How long a Worker that is terminated may take to notice.
  constexpr std::chrono::milliseconds kBetweenLooks{100};
  Mailbox& mailbox = *environment_.mailbox();
  const bool was_running = mailbox.begin_nested();
  while (should_run_message_loop()) {
    mailbox.run_tasks();
    if (should_run_message_loop()) mailbox.wait(kBetweenLooks);
  }
  mailbox.end_nested(was_running);
  in_message_loop_ = false;
}

void Inspector::pause_on_next_statement(std::string_view reason) {
  for (InspectorSession* session : sessions_) session->pause_on_next_statement(reason);
}

// ---- Functions of lib/ --------------------------------------------------------------------------

void Inspector::set_functions(v8::Local<v8::Function> extension,
                              v8::Local<v8::Function> set_async_hook) {
  v8::Isolate* isolate = environment_.isolate();
  extension_.Reset(isolate, extension);
  set_async_hook_.Reset(isolate, set_async_hook);
  sync_async_hook();
}

void Inspector::installAdditionalCommandLineAPI(v8::Local<v8::Context> context,
                                                v8::Local<v8::Object> target) {
  if (extension_.IsEmpty() || environment_.ended() || has_ended_) return;
  v8::Isolate* isolate = environment_.isolate();
  const v8::TryCatch caught(isolate);
  v8::Local<v8::Value> argument = target;
  std::ignore = extension_.Get(isolate)->Call(context, v8::Undefined(isolate), 1, &argument);
}

void Inspector::maxAsyncCallStackDepthChanged(int depth) {
  if (has_ended_) return;
  async_hook_wanted_ = depth != 0;
  if (!environment_.mailbox()->in_interrupt()) return sync_async_hook();
  // What is interrupted may be in the middle of the functions that notify hooks.
  environment_.loop().core().post_unreferenced([mailbox = environment_.mailbox()] {
    mailbox->post([](Inspector& inspector) { inspector.sync_async_hook(); });
    mailbox->run_tasks();
  });
}

void Inspector::sync_async_hook() {
  if (set_async_hook_.IsEmpty() || std::exchange(in_async_hook_sync_, true)) return;
  v8::Isolate* isolate = environment_.isolate();
  const v8::HandleScope scope(isolate);
  while (async_hook_wanted_ != async_hook_enabled_ && !environment_.ended()) {
    const bool enables = async_hook_wanted_;
    const v8::Local<v8::Context> context = environment_.context();
    const v8::Context::Scope inside(context);
    const v8::TryCatch caught(isolate);
    v8::Local<v8::Value> argument = v8::Boolean::New(isolate, enables);
    if (set_async_hook_.Get(isolate)
            ->Call(context, v8::Undefined(isolate), 1, &argument)
            .IsEmpty()) {
      break;
    }
    async_hook_enabled_ = enables;
  }
  in_async_hook_sync_ = false;
}

}  // namespace rondo
