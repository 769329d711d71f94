// V8's inspector on an environment: the debugger, the profilers and the console of V8, for
// node:inspector and for debuggers of other processes. It is made when one of them asks for it
// first; a program that nobody inspects pays nothing.
//
// It lives on the environment's thread and ends with the environment. Other threads reach it by its
// mailbox: the server for debuggers (remote/), and the inspectors of other threads.
#pragma once

#include <v8.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/inspector/engine_inspector.h"
#include "runtime/inspector/mailbox.h"
#include "runtime/inspector/node_domains.h"
#include "runtime/inspector/remote/debug_server.h"

namespace rondo {

class Inspector;

/// A session of the inspector protocol; destroying it ends the session.
class InspectorSession : private v8_inspector::V8Inspector::Channel {
 public:
  /// Gets each message to the other end: JSON.
  using Receiver = std::function<void(v8_inspector::StringView message)>;

  /// Who is at the other end: a program pauses, and waits at its end, for debuggers only.
  enum class Kind : unsigned char { program, debugger };

  InspectorSession(Inspector& inspector, Receiver receiver, Kind kind);
  ~InspectorSession() override;
  InspectorSession(const InspectorSession&) = delete;
  InspectorSession& operator=(const InspectorSession&) = delete;

  /// A message of the other end. Its answer comes before this returns, unless it waits for a
  /// promise.
  void dispatch(v8::Local<v8::String> message);
  /// The same; UTF-8.
  void dispatch(std::string_view message);

  /// The object that the protocol knows by this id; empty if there is none.
  v8::MaybeLocal<v8::Value> object(std::string_view id);
  /// Forgets the objects that requests with this `objectGroup` have led to.
  void release_group(std::string_view name);

  Kind kind() const noexcept { return kind_; }
  NodeDomains& node_domains() noexcept { return node_domains_; }
  void pause_on_next_statement(std::string_view reason);

 private:
  void sendResponse(int call, std::unique_ptr<v8_inspector::StringBuffer> message) override;
  void sendNotification(std::unique_ptr<v8_inspector::StringBuffer> message) override;
  void flushProtocolNotifications() override {}
  void send(v8_inspector::StringView message);

  Inspector& inspector_;
  Receiver receiver_;
  Kind kind_;
  NodeDomains node_domains_;
  std::unique_ptr<v8_inspector::V8InspectorSession> session_;
};

class Inspector final : private v8_inspector::V8InspectorClient {
 public:
  explicit Inspector(Environment& environment);
  ~Inspector() override;
  Inspector(const Inspector&) = delete;
  Inspector& operator=(const Inspector&) = delete;

  Environment& environment() noexcept { return environment_; }
  v8_inspector::V8Inspector& engine() noexcept { return *engine_; }

  /// A function of V8's console runs. What it reports may end in a listener that calls the console
  /// again: that call is not reported, or there would be no end.
  bool in_console_call = false;

  /// A context of node:vm. V8 notices its end when it is collected.
  void add_context(v8::Local<v8::Context> context, v8::Local<v8::String> name,
                   v8::Local<v8::String> origin);
  /// Its number in the protocol. Adds a context that was made before the inspector.
  int id_of(v8::Local<v8::Context> context);
  /// An exception that ends the program.
  void report_uncaught(v8::Local<v8::Value> error, v8::Local<v8::Message> message);

  // ---- Debuggers of other processes -----------------------------------------------------------

  /// Listens for them, unless it does. False if it cannot, which was written to standard error.
  bool open(DebugServer::Options options);
  /// Ends their sessions as well.
  void close();
  bool is_listening() const noexcept { return server_ != nullptr; }
  /// Whether there is anybody, or may be, that inspects.
  bool is_active() const noexcept { return is_listening() || !sessions_.empty(); }
  /// Whether one is attached.
  bool has_debuggers() const;
  std::string url() const { return server_ == nullptr ? std::string() : server_->url(); }
  std::uint16_t port() const noexcept { return server_ == nullptr ? 0 : server_->port(); }

  /// Sessions of other threads, by their numbers (next_session_number()).
  void begin_session(std::uint32_t number, InspectorSession::Receiver receiver);
  void dispatch_to(std::uint32_t number, std::string_view message);
  void end_session(std::uint32_t number);
  /// Null if its session has ended.
  NodeDomains* domains(std::uint32_t number) noexcept;

  /// Waits until a debugger says Runtime.runIfWaitingForDebugger.
  void wait_for_debugger();
  /// Whether that waits.
  bool waits_for_debugger() const noexcept { return waits_for_debugger_; }
  /// The program has ended: waits until the debuggers have left.
  void wait_for_disconnect();
  /// The next function that is called is paused in its first statement.
  void pause_on_next_statement(std::string_view reason);

  /// Functions of lib/. `extension`(object) adds to what the console of a debugger has;
  /// `set_async_hook`(enabled) has tasks reported, for stacks across them.
  void set_functions(v8::Local<v8::Function> extension, v8::Local<v8::Function> set_async_hook);

 private:
  friend class InspectorSession;

  v8::Local<v8::Context> ensureDefaultContextInGroup(int context_group) override;
  double currentTimeMS() override;
  std::unique_ptr<v8_inspector::StringBuffer> resourceNameToUrl(
      const v8_inspector::StringView& name) override;
  void runMessageLoopOnPause(int context_group) override;
  void quitMessageLoopOnPause() override;
  void runIfWaitingForDebugger(int context_group) override;
  void installAdditionalCommandLineAPI(v8::Local<v8::Context> context,
                                       v8::Local<v8::Object> target) override;
  void maxAsyncCallStackDepthChanged(int depth) override;

  void add_context(v8::Local<v8::Context> context, v8_inspector::StringView name,
                   v8_inspector::StringView origin, bool is_main);
  void run_message_loop();
  bool should_run_message_loop() const;
  void destroy_context();
  void sync_async_hook();

  Environment& environment_;
  std::unique_ptr<v8_inspector::V8Inspector> engine_;
  std::vector<InspectorSession*> sessions_;
  std::map<std::uint32_t, std::unique_ptr<InspectorSession>> remote_;
  std::unique_ptr<DebugServer> server_;

  bool waits_for_debugger_ = false;
  bool waits_for_resume_ = false;
  bool waits_for_disconnect_ = false;
  bool in_message_loop_ = false;
  bool has_ended_ = false;
  bool has_context_ = true;

  v8::Global<v8::Function> extension_;
  v8::Global<v8::Function> set_async_hook_;
  bool async_hook_wanted_ = false;
  bool async_hook_enabled_ = false;
  bool in_async_hook_sync_ = false;
};

}  // namespace rondo
