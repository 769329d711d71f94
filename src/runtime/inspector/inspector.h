// V8's inspector on an environment: the debugger, the profilers and the console of V8, for
// node:inspector. It is made when the program asks for it first; a program that never does pays
// nothing.
//
// It lives on the environment's thread and ends with the environment.
#pragma once

#include <v8.h>

#include <functional>
#include <memory>
#include <string_view>

#include "runtime/engine/environment.h"
#include "runtime/inspector/engine_inspector.h"

namespace rondo {

/// A session of the inspector protocol; destroying it ends the session.
class InspectorSession : private v8_inspector::V8Inspector::Channel {
 public:
  /// Gets each message to the other end: JSON.
  using Receiver = std::function<void(v8::Local<v8::String> message)>;

  InspectorSession(Environment& environment, Receiver receiver);
  ~InspectorSession() override;
  InspectorSession(const InspectorSession&) = delete;
  InspectorSession& operator=(const InspectorSession&) = delete;

  /// A message of the other end. Its answer comes before this returns, unless it waits for a
  /// promise.
  void dispatch(v8::Local<v8::String> message);

  /// The object that the protocol knows by this id; empty if there is none.
  v8::MaybeLocal<v8::Value> object(std::string_view id);
  /// Forgets the objects that requests with this `objectGroup` have led to.
  void release_group(std::string_view name);

 private:
  void sendResponse(int call, std::unique_ptr<v8_inspector::StringBuffer> message) override;
  void sendNotification(std::unique_ptr<v8_inspector::StringBuffer> message) override;
  void flushProtocolNotifications() override {}
  void send(v8_inspector::StringView message);

  Environment& environment_;
  Receiver receiver_;
  std::unique_ptr<v8_inspector::V8InspectorSession> session_;
};

class Inspector final : private v8_inspector::V8InspectorClient {
 public:
  explicit Inspector(Environment& environment);
  ~Inspector() override;
  Inspector(const Inspector&) = delete;
  Inspector& operator=(const Inspector&) = delete;

  v8_inspector::V8Inspector& engine() noexcept { return *engine_; }

  /// A function of V8's console runs. What it reports may end in a listener that calls the console
  /// again: that call is not reported, or there would be no end.
  bool in_console_call = false;

  /// A context of node:vm. V8 notices its end when it is collected.
  void add_context(v8::Local<v8::Context> context, std::string_view name);
  /// Its number in the protocol. Adds a context that was made before the inspector.
  int id_of(v8::Local<v8::Context> context);
  /// An exception that ends the program.
  void report_uncaught(v8::Local<v8::Value> error, v8::Local<v8::Message> message);

 private:
  v8::Local<v8::Context> ensureDefaultContextInGroup(int context_group) override;
  double currentTimeMS() override;
  std::unique_ptr<v8_inspector::StringBuffer> resourceNameToUrl(
      const v8_inspector::StringView& name) override;

  void add_context(v8::Local<v8::Context> context, std::string_view name, std::string_view data);

  Environment& environment_;
  std::unique_ptr<v8_inspector::V8Inspector> engine_;
};

}  // namespace rondo
