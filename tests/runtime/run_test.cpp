// Running: the order of what JavaScript and C++ schedule, files, and the ends a program can come
// to.
#include <v8.h>

#include <stdexcept>

#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

class Run : public RuntimeTest {};

/// Here time stands still until a test moves it.
class RunInStillTime : public ::testing::Test {
 protected:
  RunInStillTime() {
    runtime.define("log", [this](std::string line) { trace.push_back(std::move(line)); });
  }
  auto log(std::string name) {
    return [this, name = std::move(name)] { trace.push_back(name); };
  }

  std::vector<std::string> trace;
  VirtualClock clock;
  Loop loop{{.timer_start = TimerStart::present, .clock = &clock}};
  Runtime runtime{loop};
};

TEST_F(RunInStillTime, RunsTimersAndImmediates) {
  value_of(runtime, "setTimeout(() => log('timer'), 100); setImmediate(() => log('immediate'))");
  EXPECT_THAT(trace, IsEmpty());
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("immediate", "timer"));
}

TEST_F(Run, LoopRunDoesTooButEndsNothing) {
  evaluate(
      "process.on('beforeExit', () => log('beforeExit')).on('exit', () => log('exit'));"
      "setTimeout(() => log('timer'), 1)");
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timer"));
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("timer", "beforeExit", "exit"));
  trace.clear();
  loop.set_immediate(log("native"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("native"));
}

/// Looks at JavaScript's stack whenever a timer is set or cleared.
class StackWatcher final : public Observer {
 public:
  void on_scheduled(Task task, std::chrono::milliseconds) noexcept override {
    if (task.kind == TaskKind::timeout) scheduled += has_stack();
  }
  void on_cancelled(Task task) noexcept override {
    if (task.kind == TaskKind::timeout) cancelled += has_stack();
  }

  int scheduled = 0;
  int cancelled = 0;

 private:
  static int has_stack() {
    v8::Isolate* isolate = v8::Isolate::GetCurrent();
    const v8::HandleScope scope(isolate);
    return v8::StackTrace::CurrentStackTrace(isolate, 10)->GetFrameCount() > 0 ? 1 : 0;
  }
};

// V8 compiles a loop this long, and compiled code calls C++ in another way.
constexpr std::string_view kSetsAndClearsManyTimers =
    "for (let i = 0; i < 50000; i++) clearTimeout(setTimeout(log, 1000, 'never').refresh());"
    "for (let i = 0; i < 3; i++) setTimeout(log, 3 - i, `${3 - i}`)";

TEST_F(RunInStillTime, CompiledCodeSetsAndClearsTimers) {
  value_of(runtime, kSetsAndClearsManyTimers);
  clock.advance(100ms);
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("1", "2", "3"));
}

TEST_F(RunInStillTime, AnObserverMayLookAtTheStackOfCompiledCode) {
  StackWatcher watcher;
  loop.set_observer(&watcher);
  value_of(runtime, kSetsAndClearsManyTimers);
  loop.set_observer(nullptr);
  EXPECT_EQ(watcher.scheduled, 2 * 50000 + 3);
  EXPECT_EQ(watcher.cancelled, 50000);
  clock.advance(100ms);
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("1", "2", "3"));
}

TEST_F(RunInStillTime, NativeTimersInterleaveWithThoseOfJavaScript) {
  value_of(runtime, "setTimeout(() => { log('js 1'); process.nextTick(log, 'js tick'); }, 5)");
  loop.set_timeout(5ms, [&] {
    trace.emplace_back("native 2");
    loop.next_tick(log("native tick"));
  });
  value_of(runtime, "setTimeout(log, 5, 'js 3'); setTimeout(log, 5, 'js 4')");
  loop.set_timeout(4ms, log("native 0"));
  value_of(runtime, "setTimeout(log, 6, 'js 6')");
  loop.set_timeout(5ms, log("native 5"));
  clock.advance(100ms);
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("native 0", "js 1", "js tick", "native 2", "native tick", "js 3",
                                 "js 4", "native 5", "js 6"));
}

TEST_F(RunInStillTime, NativeTicksOfAFunctionComeBeforeTheNextTimer) {
  Timer doomed;
  runtime.define("tick", [&] {
    loop.next_tick([&] {
      trace.emplace_back("native tick");
      doomed.clear();
    });
  });
  value_of(runtime, "setTimeout(() => { log('a'); tick(); }, 5)");
  doomed = loop.set_timeout(5ms, log("doomed"));
  value_of(runtime, "setTimeout(log, 5, 'b')");
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("a", "native tick", "b"));
}

TEST_F(Run, NativeImmediatesInterleaveWithThoseOfJavaScript) {
  loop.set_immediate(log("native 1"));
  evaluate("setImmediate(() => { log('js'); setImmediate(log, 'js later'); })");
  loop.set_immediate([&] {
    trace.emplace_back("native 2");
    loop.set_immediate(log("native later"));
  });
  runtime.run();
  EXPECT_THAT(trace, ElementsAre("native 1", "js", "native 2", "js later", "native later"));
}

TEST_F(Run, AJavaScriptChainOfImmediatesLetsNativeTicksThrough) {
  runtime.define("tick", [&] { loop.next_tick(log("native tick")); });
  evaluate(
      "let left = 3; (function again() { log('immediate'); if (left === 2) tick();"
      "if (--left) setImmediate(again); })()");
  runtime.run();
  EXPECT_THAT(trace, ElementsAre("immediate", "immediate", "native tick", "immediate"));
}

TEST_F(Run, NativeWorkKeepsTheProgramAlive) {
  loop.set_timeout(2ms, [&] { runtime.evaluate("log('from C++')"); });
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("from C++"));
}

TEST_F(Run, CanBeRunAgain) {
  evaluate("setTimeout(log, 1, 'first')");
  EXPECT_EQ(runtime.run(), 0);
  evaluate("setTimeout(log, 1, 'second')");
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("first", "second"));
}

TEST_F(Run, AnExceptionOfANativeCallbackLeavesIt) {
  loop.set_immediate([] { throw std::runtime_error("native"); });
  EXPECT_THROW(runtime.run(), std::runtime_error);
  evaluate("setImmediate(log, 'goes on')");
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("goes on"));
}

// ---- Files --------------------------------------------------------------------------------------

TEST_F(Run, ACommonJsFile) {
  const auto result = runtime.run_file(fixture("program.js"));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_EQ(evaluate("seen"), Value(Value::Object{{"main", true},
                                                  {"name", "program.js"},
                                                  {"folder", "fixtures"},
                                                  {"argv", Value::Array{"program.js"}},
                                                  {"timer", true}}));
}

TEST_F(Run, AnEsModule) {
  const auto result = runtime.run_file(fixture("program.mjs"));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_EQ(evaluate("seen"),
            Value(Value::Object{{"url", "program.mjs"}, {"strict", true}, {"awaited", true}}));
}

TEST_F(Run, AFileThatThrowsIsAnError) {
  const auto result = runtime.run_file(fixture("throws.js"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "TypeError: Cannot read properties of null (reading 'property')");
  EXPECT_THAT(result.error().stack, HasSubstr("throws.js:2:6"));
}

TEST_F(Run, AModuleThatThrowsEndsTheRun) {
  CaptureStderr();
  runtime.run_file(fixture("throws.mjs"));
  const int code = runtime.run();
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("RangeError: out of a module"));
  EXPECT_EQ(code, 1);
}

TEST_F(Run, AFileThatIsNotThereIsAnError) {
  const auto result = runtime.run_file(fixture("missing.js"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "MODULE_NOT_FOUND");
}

// ---- Ends ---------------------------------------------------------------------------------------

TEST_F(Run, EmitsBeforeExitAndExit) {
  evaluate(R"(
    let more = 2;
    process.on('beforeExit', (code) => {
      log('beforeExit ' + code);
      if (more-- > 0) setTimeout(log, 1, 'more');
    });
    process.on('exit', (code) => log('exit ' + code));)");
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(
      trace, ElementsAre("beforeExit 0", "more", "beforeExit 0", "more", "beforeExit 0", "exit 0"));
}

TEST_F(Run, ReturnsExitCode) {
  evaluate("process.exitCode = 7");
  EXPECT_EQ(runtime.run(), 7);
}

TEST_F(Run, AnExitListenerMayChangeTheCode) {
  evaluate("process.on('exit', () => { process.exitCode = 8; })");
  EXPECT_EQ(runtime.run(), 8);
}

TEST_F(Run, ProcessExitEndsTheRunAndNotTheProcess) {
  evaluate(R"(
    process.on('exit', (code) => log('exit ' + code));
    setTimeout(() => { log('timer'); process.exit(3); log('not reached'); }, 1);
    setInterval(() => log('interval'), 1000);)");
  EXPECT_EQ(runtime.run(), 3);
  EXPECT_THAT(trace, ElementsAre("timer", "exit 3"));
  EXPECT_EQ(runtime.run(), 3);
}

TEST_F(Run, ProcessExitCannotBeCaught) {
  evaluate(
      "setImmediate(() => { try { process.exit(4); } catch { log('caught'); } finally "
      "{ log('finally'); } log('after'); })");
  EXPECT_EQ(runtime.run(), 4);
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(Run, AfterProcessExitCallsGiveAnError) {
  evaluate("process.exit(5)");
  for (const auto& result : {runtime.evaluate("1"), runtime.call("parseInt")}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "ERR_RUNTIME_ENDED");
  }
  EXPECT_EQ(runtime.run_file(fixture("program.js")).error().code, "ERR_RUNTIME_ENDED");
  EXPECT_EQ(runtime.run(), 5);
}

TEST_F(Run, AfterProcessExitTheLoopGoesOn) {
  evaluate("process.exit(5)");
  loop.set_timeout(1ms, log("native"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("native"));
}

TEST_F(Run, ProcessExitInATickEndsEvaluate) {
  evaluate("process.nextTick(() => { process.exit(6); }); process.nextTick(log, 'not reached')");
  EXPECT_THAT(trace, IsEmpty());
  EXPECT_EQ(runtime.run(), 6);
}

TEST_F(Run, ProcessExitInsideOfANativeFunctionUnwindsAll) {
  runtime.define("nested", [&] { runtime.evaluate("process.exit(9)"); });
  evaluate("try { nested(); } catch { log('caught'); } for (;;) {}");
  EXPECT_THAT(trace, IsEmpty());
  EXPECT_EQ(runtime.run(), 9);
}

TEST_F(Run, AnUncaughtExceptionEndsTheRunWithOne) {
  evaluate(
      "process.on('exit', (code) => log('exit ' + code));"
      "setTimeout(() => { throw new TypeError('nobody catches this'); }, 1);"
      "setTimeout(log, 5, 'not reached')");
  CaptureStderr();
  const int code = runtime.run();
  const std::string printed = GetCapturedStderr();
  EXPECT_EQ(code, 1);
  EXPECT_THAT(trace, ElementsAre("exit 1"));
  EXPECT_THAT(printed, HasSubstr("[eval]:1"));
  EXPECT_THAT(printed, HasSubstr("TypeError: nobody catches this"));
  EXPECT_EQ(runtime.evaluate("1").error().code, "ERR_RUNTIME_ENDED");
}

TEST_F(Run, AnUncaughtExceptionOfATickIsNotEvaluatesOwn) {
  CaptureStderr();
  const auto result =
      runtime.evaluate("process.nextTick(() => { throw new Error('of a tick'); }); 1");
  const std::string printed = GetCapturedStderr();
  EXPECT_EQ(result, Value(1));
  EXPECT_THAT(printed, HasSubstr("Error: of a tick"));
  EXPECT_EQ(runtime.run(), 1);
}

TEST_F(Run, AnUncaughtExceptionMayBeTaken) {
  evaluate(
      "process.on('uncaughtException', (error) => log(error.message));"
      "setTimeout(() => { throw new Error('taken'); }, 1); setTimeout(log, 2, 'goes on')");
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("taken", "goes on"));
}

TEST_F(Run, AnUnhandledRejectionEndsTheRunWithOne) {
  CaptureStderr();
  evaluate("setImmediate(() => { Promise.reject(new Error('nobody handles this')); })");
  const int code = runtime.run();
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("Error: nobody handles this"));
  EXPECT_EQ(code, 1);
}

TEST_F(Run, AnUnhandledRejectionMayBeTaken) {
  evaluate("process.on('unhandledRejection', (reason) => log(reason)); Promise.reject('taken')");
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("taken"));
}

}  // namespace
}  // namespace rondo::test
