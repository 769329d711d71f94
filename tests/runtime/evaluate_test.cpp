// Values, errors, and what has run when evaluate() returns.
#include <cmath>
#include <limits>

#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Evaluate : public RuntimeTest {};

TEST_F(Evaluate, GivesTheValueOfTheLastExpression) {
  EXPECT_EQ(evaluate("1; 2; 3"), Value(3));
  EXPECT_TRUE(evaluate("var x = 1").is_undefined());
  EXPECT_EQ(evaluate("x"), Value(1));
}

TEST_F(Evaluate, GivesPrimitives) {
  EXPECT_TRUE(evaluate("undefined").is_undefined());
  EXPECT_TRUE(evaluate("null").is_null());
  EXPECT_EQ(evaluate("true"), Value(true));
  EXPECT_EQ(evaluate("false"), Value(false));
  EXPECT_EQ(evaluate("-0.5"), Value(-0.5));
  EXPECT_TRUE(std::isnan(evaluate("NaN").get<double>()));
  EXPECT_EQ(evaluate("Infinity"), Value(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(evaluate("Number.MAX_SAFE_INTEGER"), Value(9007199254740991.0));
  EXPECT_EQ(evaluate("''"), Value(""));
  EXPECT_EQ(evaluate("'a\\0b'"), Value(std::string_view("a\0b", 3)));
  EXPECT_EQ(evaluate("'\\u00e9\\u20ac\\ud83d\\ude00'"),
            Value("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
}

TEST_F(Evaluate, GivesArraysAndObjects) {
  EXPECT_EQ(evaluate("[]"), Value(Value::Array{}));
  EXPECT_EQ(evaluate("({})"), Value(Value::Object{}));
  EXPECT_EQ(evaluate("[1, 'two', null, , [3]]"),
            Value(Value::Array{1, "two", nullptr, {}, Value::Array{3}}));
  EXPECT_EQ(evaluate("({ a: 1, b: { c: [true] }, 7: 'seven' })"),
            Value(Value::Object{
                {"a", 1}, {"b", Value::Object{{"c", Value::Array{true}}}}, {"7", "seven"}}));
}

TEST_F(Evaluate, WhatIsNoDataBecomesUndefined) {
  EXPECT_TRUE(evaluate("() => 1").is_undefined());
  EXPECT_TRUE(evaluate("Symbol('s')").is_undefined());
  EXPECT_EQ(evaluate("[() => 1, Symbol.iterator]"), Value(Value::Array{{}, {}}));
  EXPECT_EQ(evaluate("({ [Symbol.iterator]: 1, a: 1 })"), Value(Value::Object{{"a", 1}}));
}

TEST_F(Evaluate, ACircleIsCut) {
  EXPECT_EQ(evaluate("const o = { a: 1 }; o.self = o; o"),
            Value(Value::Object{{"a", 1}, {"self", {}}}));
  // The same object twice is not a cycle.
  EXPECT_EQ(evaluate("const s = [1]; [s, s]"),
            Value(Value::Array{Value::Array{1}, Value::Array{1}}));
}

TEST_F(Evaluate, DepthIsLimited) {
  const Value deep = evaluate("let d = []; for (let i = 0; i < 100000; i++) d = [d]; d");
  EXPECT_TRUE(deep.is<Value::Array>());
}

TEST_F(Evaluate, AGetterThatThrowsIsUndefinedAndAProxyThatThrowsToo) {
  EXPECT_EQ(evaluate("({ get a() { throw new Error('no'); }, b: 1 })"),
            Value(Value::Object{{"a", {}}, {"b", 1}}));
  EXPECT_EQ(evaluate("[new Proxy({}, { ownKeys() { throw new Error('no'); } }), 1]"),
            Value(Value::Array{{}, 1}));
  EXPECT_EQ(evaluate("1"), Value(1));
}

TEST_F(Evaluate, AnErrorHasMessageStackAndCode) {
  const ScriptError error = error_of(
      "function f() { const e = new TypeError('broken'); e.code = 'ERR_BROKEN'; throw e; }\nf()");
  EXPECT_EQ(error.message, "TypeError: broken");
  EXPECT_EQ(error.code, "ERR_BROKEN");
  EXPECT_THAT(error.stack, HasSubstr("TypeError: broken\n    at f ([eval]:1:26)\n"));
  EXPECT_THAT(error.stack, HasSubstr("at [eval]:2:1"));
}

TEST_F(Evaluate, ErrorsOfNodeHaveTheirCode) {
  EXPECT_EQ(error_of("require('./nowhere')").code, "MODULE_NOT_FOUND");
  // V8 refuses it without an exception; Node aborts.
  EXPECT_THAT(error_of("require('vm').compileFunction('return 1', ['a', 'a b'])").message,
              HasSubstr("Invalid parameter name"));
  EXPECT_EQ(error_of("setTimeout('no function')").code, "ERR_INVALID_ARG_TYPE");
  EXPECT_THAT(error_of("null.x").message,
              "TypeError: Cannot read properties of null (reading 'x')");
}

TEST_F(Evaluate, AnythingCanBeThrown) {
  EXPECT_EQ(error_of("throw 'text'").message, "text");
  EXPECT_EQ(error_of("throw 'text'").stack, "");
  EXPECT_EQ(error_of("throw null").message, "null");
  EXPECT_EQ(error_of("throw undefined").message, "undefined");
  EXPECT_EQ(error_of("throw 7").message, "7");
  EXPECT_EQ(error_of("throw { code: 'C' }").code, "C");
  // What cannot even be made a string.
  EXPECT_EQ(error_of("throw Object.create(null)").message, "");
  EXPECT_EQ(error_of("throw { toString() { throw 1; } }").message, "");
  EXPECT_EQ(error_of("throw Symbol('s')").stack, "");
  EXPECT_EQ(evaluate("1"), Value(1));
}

TEST_F(Evaluate, ASyntaxErrorNamesTheFile) {
  auto result = runtime.evaluate("let = ;", "config.js");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("SyntaxError: "));
  EXPECT_THAT(result.error().stack, HasSubstr("config.js:1"));
}

TEST_F(Evaluate, TheNameIsInTheStack) {
  auto result = runtime.evaluate("\n\nthrow new Error('here')", "config.js");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().stack, HasSubstr("config.js:3:7"));
}

TEST_F(Evaluate, RunsOutOfStackLikeAnyError) {
  EXPECT_EQ(error_of("(function f() { f(); })()").message,
            "RangeError: Maximum call stack size exceeded");
  EXPECT_EQ(evaluate("1"), Value(1));
}

TEST_F(Evaluate, TicksAndMicrotasksHaveRun) {
  evaluate(R"(
    Promise.resolve().then(() => log('microtask'));
    process.nextTick(() => { log('tick'); Promise.resolve().then(() => log('of the tick')); });
    queueMicrotask(() => process.nextTick(() => log('late tick')));
    setImmediate(() => log('immediate'));
    setTimeout(() => log('timer'), 0);
    log('main'))");
  EXPECT_THAT(trace, ElementsAre("main", "tick", "microtask", "of the tick", "late tick"));
}

TEST_F(Evaluate, TicksAndMicrotasksHaveRunAlsoAfterAnError) {
  runtime.evaluate("process.nextTick(() => log('tick')); throw new Error('no')");
  EXPECT_THAT(trace, ElementsAre("tick"));
}

TEST_F(Evaluate, TicksAndMicrotasksHaveRunAlsoInACallbackOfTheLoop) {
  loop.set_timeout(1ms, [&] {
    runtime.evaluate("process.nextTick(() => log('tick')); Promise.resolve().then(() => log('m'))");
    trace.emplace_back("end of the callback");
  });
  runtime.run();
  EXPECT_THAT(trace, ElementsAre("tick", "m", "end of the callback"));
}

TEST_F(Evaluate, CalledByJavaScriptLeavesThemForItsEnd) {
  runtime.define("nested", [&](std::string text) {
    const auto result = runtime.evaluate(text);
    trace.emplace_back("nested has ended");
    return *result;
  });
  EXPECT_EQ(evaluate("nested(`process.nextTick(() => log('tick')); 5`)"), Value(5));
  EXPECT_THAT(trace, ElementsAre("nested has ended", "tick"));
}

TEST_F(Evaluate, TheLoopsOwnTicksRunToo) {
  loop.next_tick(log("native tick"));
  loop.queue_microtask(log("native microtask"));
  evaluate("process.nextTick(() => log('tick')); Promise.resolve().then(() => log('microtask'))");
  EXPECT_THAT(trace, ElementsAre("native tick", "tick", "microtask", "native microtask"));
}

TEST_F(Evaluate, AnAsynchronousResultIsFoundLater) {
  evaluate("globalThis.result = 0; (async () => { result = await 7; })()");
  EXPECT_EQ(evaluate("result"), Value(7));
}

TEST_F(Evaluate, DynamicImportWorks) {
  evaluate("import('node:path').then((path) => log(path.sep))");
  runtime.run();
  EXPECT_THAT(trace, ElementsAre("/"));
}

TEST_F(Evaluate, CallCallsAGlobalFunction) {
  evaluate("globalThis.add = (a, b) => { process.nextTick(log, 'tick'); return a + b; }");
  const Value arguments[] = {20, 22};
  const auto sum = runtime.call("add", arguments);
  ASSERT_TRUE(sum);
  EXPECT_EQ(*sum, Value(42));
  EXPECT_THAT(trace, ElementsAre("tick"));
  EXPECT_EQ(runtime.call("parseInt", std::vector<Value>{"0x10"}), Value(16));
}

TEST_F(Evaluate, CallReportsWhatIsNoFunctionAndWhatThrows) {
  const auto missing = runtime.call("missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "ERR_INVALID_ARG_VALUE");
  evaluate("globalThis.thrower = () => { throw new RangeError('far') }");
  const auto thrown = runtime.call("thrower");
  ASSERT_FALSE(thrown);
  EXPECT_EQ(thrown.error().message, "RangeError: far");
}

TEST_F(Evaluate, ValuesComeBackAsTheyWent) {
  evaluate("globalThis.identity = (x) => x");
  const Value value(Value::Object{{"a", Value::Array{1, "two", nullptr, true, {}}},
                                  {"__proto__", "own"},
                                  {"", Value::Object{}}});
  const auto back = runtime.call("identity", {&value, 1});
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, value);
}

TEST_F(Evaluate, TheGlobalsOfNodeAreThere) {
  EXPECT_EQ(evaluate("[typeof process, typeof Buffer, typeof URL, typeof fetch === 'undefined' || "
                     "typeof fetch === 'function', typeof structuredClone]"),
            Value(Value::Array{"object", "function", "function", true, "function"}));
}

TEST(RuntimeOptionsTest, ArgumentsAndOptionsArrive) {
  Loop loop;
  Runtime with(loop, {.arguments = {"one", "two"}, .options = {"--no-warnings"}});
  EXPECT_EQ(value_of(with, "process.argv.slice(1)"), Value(Value::Array{"one", "two"}));
  EXPECT_EQ(value_of(with, "process.execArgv"), Value(Value::Array{"--no-warnings"}));
}

TEST(RuntimeOptionsTest, AnUnknownOptionIsRefused) {
  Loop loop;
  try {
    const Runtime runtime(loop, {.options = {"--no-such-option"}});
    FAIL() << "accepted";
  } catch (const Misuse& misuse) {
    EXPECT_EQ(misuse.code(), "ERR_INVALID_ARG_VALUE");
  }
  Runtime runtime(loop);
  EXPECT_EQ(runtime.evaluate("1"), Value(1));
}

TEST_F(Evaluate, ASecondRuntimeOnTheSameLoopIsRefused) {
  try {
    const Runtime second(loop);
    FAIL() << "accepted";
  } catch (const Misuse& misuse) {
    EXPECT_EQ(misuse.code(), "ERR_RUNTIME_EXISTS");
  }
  EXPECT_EQ(evaluate("1"), Value(1));
}

// Node aborts.
TEST_F(Evaluate, ErrorsOfTheSystemDoNotCallSettersOfTheProgram) {
  evaluate(
      "for (const key of ['errno', 'code', 'syscall', 'path'])"
      "  Object.defineProperty(Object.prototype, key,"
      "    { configurable: true, set() { throw new Error('set ' + key); } });");
  const ScriptError error = error_of("require('fs').openSync('/nope/nope')");
  EXPECT_EQ(error.message, "Error: ENOENT: no such file or directory, open '/nope/nope'");
  EXPECT_EQ(error.code, "ENOENT");
}

}  // namespace
}  // namespace rondo::test
