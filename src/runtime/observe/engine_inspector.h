// V8's inspector, which the engine exports and for which its package has no header. Our own
// declarations: the virtual functions in the order of V8 14.6 (the first that is wrong would call
// another one; a test of the prompt calls all that we use).
#pragma once

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace v8_inspector {

class StringView {
 public:
  StringView() : one_byte_(true), length_(0), one_byte_characters_(nullptr) {}
  StringView(const std::uint8_t* characters, std::size_t length)
      : one_byte_(true), length_(length), one_byte_characters_(characters) {}
  StringView(const std::uint16_t* characters, std::size_t length)
      : one_byte_(false), length_(length), two_byte_characters_(characters) {}

  bool is_one_byte() const { return one_byte_; }
  std::size_t length() const { return length_; }
  const std::uint8_t* one_byte() const { return one_byte_characters_; }
  const std::uint16_t* two_byte() const { return two_byte_characters_; }

 private:
  bool one_byte_;
  std::size_t length_;
  union {
    const std::uint8_t* one_byte_characters_;
    const std::uint16_t* two_byte_characters_;
  };
};

class StringBuffer {
 public:
  virtual ~StringBuffer() = default;
  virtual StringView string() const = 0;
};

struct V8ContextInfo {
  v8::Local<v8::Context> context;
  int contextGroupId;
  StringView humanReadableName;
  StringView origin;
  StringView auxData;
  bool hasMemoryOnConsole = false;

  static int executionContextId(v8::Local<v8::Context> context);
};

class V8StackTrace;
class V8StackTraceId;

/// `Opaque` is what we never look at.
class Opaque;

class V8InspectorSession {
 public:
  virtual ~V8InspectorSession() = default;
  virtual void addInspectedObject(std::unique_ptr<StringBuffer>) = 0;
  virtual void dispatchProtocolMessage(StringView message) = 0;
  virtual std::vector<std::uint8_t> state() = 0;
  virtual std::vector<std::unique_ptr<StringBuffer>> supportedDomains() = 0;
  virtual void schedulePauseOnNextStatement(StringView, StringView) = 0;
  virtual void cancelPauseOnNextStatement() = 0;
  virtual void breakProgram(StringView, StringView) = 0;
  virtual void setSkipAllPauses(bool) = 0;
  virtual void resume(bool) = 0;
  virtual void stepOver() = 0;
  virtual std::vector<std::unique_ptr<StringBuffer>> searchInTextByLines(StringView, StringView,
                                                                         bool, bool) = 0;
  virtual std::unique_ptr<StringBuffer> wrapObject(v8::Local<v8::Context>, v8::Local<v8::Value>,
                                                   StringView, bool) = 0;
  virtual bool unwrapObject(std::unique_ptr<StringBuffer>* error, StringView object_id,
                            v8::Local<v8::Value>* value, v8::Local<v8::Context>* context,
                            std::unique_ptr<StringBuffer>* group) = 0;
  virtual void releaseObjectGroup(StringView) = 0;
};

class V8InspectorClient {
 public:
  virtual ~V8InspectorClient() = default;
  virtual void runMessageLoopOnPause(int) {}
  virtual void runMessageLoopOnInstrumentationPause(int) {}
  virtual void quitMessageLoopOnPause() {}
  virtual void runIfWaitingForDebugger(int) {}
  virtual void muteMetrics(int) {}
  virtual void unmuteMetrics(int) {}
  virtual void beginUserGesture() {}
  virtual void endUserGesture() {}
  virtual std::unique_ptr<StringBuffer> deepSerialize(v8::Local<v8::Value>, int,
                                                      v8::Local<v8::Object>) {
    return nullptr;
  }
  virtual std::unique_ptr<StringBuffer> valueSubtype(v8::Local<v8::Value>) { return nullptr; }
  virtual std::unique_ptr<StringBuffer> descriptionForValueSubtype(v8::Local<v8::Context>,
                                                                   v8::Local<v8::Value>) {
    return nullptr;
  }
  virtual bool isInspectableHeapObject(v8::Local<v8::Object>) { return true; }
  virtual v8::Local<v8::Context> ensureDefaultContextInGroup(int) { return {}; }
  virtual void beginEnsureAllContextsInGroup(int) {}
  virtual void endEnsureAllContextsInGroup(int) {}
  virtual void installAdditionalCommandLineAPI(v8::Local<v8::Context>, v8::Local<v8::Object>) {}
  virtual void consoleAPIMessage(int, v8::Isolate::MessageErrorLevel, const StringView&,
                                 const StringView&, unsigned, unsigned, V8StackTrace*) {}
  virtual void consoleAPIMessage(int, int, v8::Isolate::MessageErrorLevel, const StringView&,
                                 const StringView&, unsigned, unsigned, V8StackTrace*) {}
  virtual v8::MaybeLocal<v8::Value> memoryInfo(v8::Isolate*, v8::Local<v8::Context>) { return {}; }
  virtual void consoleTime(v8::Isolate*, v8::Local<v8::String>) {}
  virtual void consoleTimeEnd(v8::Isolate*, v8::Local<v8::String>) {}
  virtual void consoleTimeStamp(v8::Isolate*, v8::Local<v8::String>) {}
  virtual void consoleTimeStampWithArgs(v8::Isolate*, v8::Local<v8::String>,
                                        const v8::LocalVector<v8::Value>&) {}
  virtual void consoleClear(int) {}
  virtual double currentTimeMS() { return 0; }
  virtual void startRepeatingTimer(double, void (*)(void*), void*) {}
  virtual void cancelTimer(void*) {}
  virtual bool canExecuteScripts(int) { return true; }
  virtual void maxAsyncCallStackDepthChanged(int) {}
  virtual std::unique_ptr<StringBuffer> resourceNameToUrl(const StringView&) { return nullptr; }
  virtual std::int64_t generateUniqueId() { return 0; }
  virtual void dispatchError(v8::Local<v8::Context>, v8::Local<v8::Message>, v8::Local<v8::Value>) {
  }
};

class V8Inspector {
 public:
  static std::unique_ptr<V8Inspector> create(v8::Isolate*, V8InspectorClient*);
  virtual ~V8Inspector() = default;

  virtual void contextCreated(const V8ContextInfo&) = 0;
  virtual void contextDestroyed(v8::Local<v8::Context>) = 0;
  virtual void resetContextGroup(int) = 0;
  virtual v8::MaybeLocal<v8::Context> contextById(int) = 0;
  virtual std::pair<std::int64_t, std::int64_t> uniqueDebuggerId(int) = 0;
  virtual std::uint64_t isolateId() = 0;
  virtual void idleStarted() = 0;
  virtual void idleFinished() = 0;
  virtual void asyncTaskScheduled(StringView, void*, bool) = 0;
  virtual void asyncTaskCanceled(void*) = 0;
  virtual void asyncTaskStarted(void*) = 0;
  virtual void asyncTaskFinished(void*) = 0;
  virtual void allAsyncTasksCanceled() = 0;
  virtual void storeCurrentStackTrace(StringView) = 0;  // its result differs: not to be called
  virtual void externalAsyncTaskStarted(const V8StackTraceId&) = 0;
  virtual void externalAsyncTaskFinished(const V8StackTraceId&) = 0;
  virtual unsigned exceptionThrown(v8::Local<v8::Context>, StringView, v8::Local<v8::Value>,
                                   StringView, StringView, unsigned, unsigned,
                                   std::unique_ptr<StringBuffer>, int) = 0;
  virtual void exceptionRevoked(v8::Local<v8::Context>, unsigned, StringView) = 0;
  virtual bool associateExceptionData(v8::Local<v8::Context>, v8::Local<v8::Value>,
                                      v8::Local<v8::Name>, v8::Local<v8::Value>) = 0;

  class Channel {
   public:
    virtual ~Channel() = default;
    virtual void sendResponse(int call_id, std::unique_ptr<StringBuffer> message) = 0;
    virtual void sendNotification(std::unique_ptr<StringBuffer> message) = 0;
    virtual void flushProtocolNotifications() = 0;
  };
  enum ClientTrustLevel { kUntrusted, kFullyTrusted };
  enum SessionPauseState { kWaitingForDebugger, kNotWaitingForDebugger };
  virtual std::unique_ptr<V8InspectorSession> connect(int group, Channel*, StringView state,
                                                      ClientTrustLevel, SessionPauseState) = 0;
};

}  // namespace v8_inspector
