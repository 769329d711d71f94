// V8's inspector, which the engine exports without a header. The order of the virtual functions is
// that of V8 14.6; slots that we never call have no types. A test (tests/node/inspector) calls
// through every slot we use.
#pragma once

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace v8_inspector {

/// A view of a text: Latin-1 or UTF-16.
class StringView {
 public:
  StringView() = default;
  StringView(const std::uint8_t* characters, std::size_t length)
      : length_(length), characters_(characters) {}
  StringView(const std::uint16_t* characters, std::size_t length)
      : one_byte_(false), length_(length), characters_(characters) {}

  bool one_byte() const { return one_byte_; }
  std::size_t length() const { return length_; }
  const std::uint8_t* characters8() const { return static_cast<const std::uint8_t*>(characters_); }
  const std::uint16_t* characters16() const {
    return static_cast<const std::uint16_t*>(characters_);
  }

 private:
  bool one_byte_ = true;
  std::size_t length_ = 0;
  const void* characters_ = nullptr;
};

class StringBuffer {
 public:
  virtual ~StringBuffer() = default;
  virtual StringView string() const = 0;
  static std::unique_ptr<StringBuffer> create(StringView text);
};

struct V8ContextInfo {
  v8::Local<v8::Context> context;
  int context_group = 0;
  StringView name;
  StringView origin;
  StringView auxiliary_data;  // JSON
  bool has_memory_on_console = false;

  /// Zero for a context that the inspector does not know.
  static int executionContextId(v8::Local<v8::Context> context);
};

class V8StackTrace;

/// What V8 asks of the program that has it. V8 keeps a pointer to it, and does not own it.
class V8InspectorClient {
 public:
  virtual ~V8InspectorClient() = default;

  /// JavaScript is paused: returns when it is to go on.
  virtual void runMessageLoopOnPause(int /*context_group*/) {}
  virtual void runMessageLoopOnInstrumentationPause(int context_group) {
    runMessageLoopOnPause(context_group);
  }
  virtual void quitMessageLoopOnPause() {}
  virtual void runIfWaitingForDebugger(int /*context_group*/) {}

  virtual void muteMetrics(int /*context_group*/) {}
  virtual void unmuteMetrics(int /*context_group*/) {}
  virtual void beginUserGesture() {}
  virtual void endUserGesture() {}

  virtual std::unique_ptr<StringBuffer> deepSerialize(v8::Local<v8::Value> /*value*/,
                                                      int /*max_depth*/,
                                                      v8::Local<v8::Object> /*parameters*/) {
    return nullptr;
  }
  virtual std::unique_ptr<StringBuffer> valueSubtype(v8::Local<v8::Value> /*value*/) {
    return nullptr;
  }
  virtual std::unique_ptr<StringBuffer> descriptionForValueSubtype(
      v8::Local<v8::Context> /*context*/, v8::Local<v8::Value> /*value*/) {
    return nullptr;
  }
  virtual bool isInspectableHeapObject(v8::Local<v8::Object> /*object*/) { return true; }

  virtual v8::Local<v8::Context> ensureDefaultContextInGroup(int /*context_group*/) { return {}; }
  virtual void beginEnsureAllContextsInGroup(int /*context_group*/) {}
  virtual void endEnsureAllContextsInGroup(int /*context_group*/) {}

  virtual void installAdditionalCommandLineAPI(v8::Local<v8::Context> /*context*/,
                                               v8::Local<v8::Object> /*target*/) {}
  virtual void consoleAPIMessage(int /*context_group*/, v8::Isolate::MessageErrorLevel /*level*/,
                                 const StringView& /*message*/, const StringView& /*url*/,
                                 unsigned /*line*/, unsigned /*column*/, V8StackTrace* /*stack*/) {}
  virtual void consoleAPIMessage(int /*context_group*/, int /*context*/,
                                 v8::Isolate::MessageErrorLevel /*level*/,
                                 const StringView& /*message*/, const StringView& /*url*/,
                                 unsigned /*line*/, unsigned /*column*/, V8StackTrace* /*stack*/) {}
  virtual v8::MaybeLocal<v8::Value> memoryInfo(v8::Isolate* /*isolate*/,
                                               v8::Local<v8::Context> /*context*/) {
    return {};
  }
  virtual void consoleTime(v8::Isolate* /*isolate*/, v8::Local<v8::String> /*label*/) {}
  virtual void consoleTimeEnd(v8::Isolate* /*isolate*/, v8::Local<v8::String> /*label*/) {}
  virtual void consoleTimeStamp(v8::Isolate* /*isolate*/, v8::Local<v8::String> /*label*/) {}
  virtual void consoleTimeStampWithArgs(v8::Isolate* /*isolate*/, v8::Local<v8::String> /*label*/,
                                        const v8::LocalVector<v8::Value>& /*arguments*/) {}
  virtual void consoleClear(int /*context_group*/) {}
  virtual double currentTimeMS() { return 0; }
  virtual void startRepeatingTimer(double /*seconds*/, void (* /*callback*/)(void*),
                                   void* /*data*/) {}
  virtual void cancelTimer(void* /*data*/) {}

  virtual bool canExecuteScripts(int /*context_group*/) { return true; }
  virtual void maxAsyncCallStackDepthChanged(int /*depth*/) {}
  /// The URL under which a script is shown; null for its name as it is.
  virtual std::unique_ptr<StringBuffer> resourceNameToUrl(const StringView& /*name*/) {
    return nullptr;
  }
  virtual std::int64_t generateUniqueId() { return 0; }
  virtual void dispatchError(v8::Local<v8::Context> /*context*/, v8::Local<v8::Message> /*message*/,
                             v8::Local<v8::Value> /*error*/) {}
};

class V8InspectorSession {
 public:
  virtual ~V8InspectorSession() = default;
  virtual void add_inspected_object_unused() = 0;
  /// Whether V8 knows the domain of this method: "Runtime.evaluate".
  static bool canDispatchMethod(StringView method);
  virtual void dispatchProtocolMessage(StringView message) = 0;
  virtual void state_unused() = 0;
  virtual void supported_domains_unused() = 0;
  virtual void schedulePauseOnNextStatement(StringView reason, StringView details) = 0;
  virtual void cancelPauseOnNextStatement() = 0;
  virtual void breakProgram(StringView reason, StringView details) = 0;
  virtual void setSkipAllPauses(bool skip) = 0;
  virtual void resume(bool terminate = false) = 0;
  virtual void step_over_unused() = 0;
  virtual void search_unused() = 0;
  virtual void wrap_object_unused() = 0;
  /// `error` and `group` may be null.
  virtual bool unwrapObject(std::unique_ptr<StringBuffer>* error, StringView id,
                            v8::Local<v8::Value>* object, v8::Local<v8::Context>* context,
                            std::unique_ptr<StringBuffer>* group) = 0;
  virtual void releaseObjectGroup(StringView name) = 0;
  // There are more; nothing of ours calls them.
};

class V8Inspector {
 public:
  static std::unique_ptr<V8Inspector> create(v8::Isolate* isolate, V8InspectorClient* client);
  virtual ~V8Inspector() = default;

  virtual void contextCreated(const V8ContextInfo& info) = 0;
  virtual void contextDestroyed(v8::Local<v8::Context> context) = 0;
  virtual void reset_context_group_unused() = 0;
  virtual void context_by_id_unused() = 0;
  virtual void unique_debugger_id_unused() = 0;
  virtual void isolate_id_unused() = 0;
  virtual void idleStarted() = 0;
  virtual void idleFinished() = 0;

  /// Operations whose callbacks come later, for stacks across them.
  virtual void asyncTaskScheduled(StringView name, void* task, bool recurring) = 0;
  virtual void asyncTaskCanceled(void* task) = 0;
  virtual void asyncTaskStarted(void* task) = 0;
  virtual void asyncTaskFinished(void* task) = 0;
  virtual void allAsyncTasksCanceled() = 0;

  virtual void store_current_stack_trace_unused() = 0;
  virtual void external_async_task_started_unused() = 0;
  virtual void external_async_task_finished_unused() = 0;

  virtual unsigned exceptionThrown(v8::Local<v8::Context> context, StringView message,
                                   v8::Local<v8::Value> exception, StringView details,
                                   StringView url, unsigned line, unsigned column,
                                   std::unique_ptr<V8StackTrace> stack, int script) = 0;
  virtual void exception_revoked_unused() = 0;
  virtual void associate_exception_data_unused() = 0;

  /// Where a session sends its messages: JSON.
  class Channel {
   public:
    virtual ~Channel() = default;
    virtual void sendResponse(int call, std::unique_ptr<StringBuffer> message) = 0;
    virtual void sendNotification(std::unique_ptr<StringBuffer> message) = 0;
    virtual void flushProtocolNotifications() = 0;
  };
  enum ClientTrustLevel { kUntrusted, kFullyTrusted };
  enum SessionPauseState { kWaitingForDebugger, kNotWaitingForDebugger };
  virtual std::unique_ptr<V8InspectorSession> connect(
      int context_group, Channel* channel, StringView state, ClientTrustLevel trust,
      SessionPauseState pause = kNotWaitingForDebugger) = 0;

  virtual void connect_shared_unused() = 0;
  virtual void connect_shared_managed_unused() = 0;

  virtual std::unique_ptr<V8StackTrace> createStackTrace(v8::Local<v8::StackTrace> stack) = 0;
  // There is one more.
};

/// Opaque: only its destructor is called.
class V8StackTrace {
 public:
  virtual void slots_unused_1() = 0;
  virtual void slots_unused_2() = 0;
  virtual void slots_unused_3() = 0;
  virtual void slots_unused_4() = 0;
  virtual void slots_unused_5() = 0;
  virtual void slots_unused_6() = 0;
  virtual void slots_unused_7() = 0;
  virtual ~V8StackTrace() = default;
};

}  // namespace v8_inspector
