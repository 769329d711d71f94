// Functions and modules written in C++.
#include <stdexcept>

#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Native : public RuntimeTest {
 protected:
  /// The code and the name of what a text throws, as JavaScript sees it.
  std::string thrown(std::string_view expression) {
    return evaluate("(() => { try { " + std::string(expression) +
                    "; return 'nothing'; } catch (e) { return e.name + ' ' + e.code + ' ' + "
                    "e.message; } })()")
        .get<std::string>();
  }
};

int twice(int number) {
  return 2 * number;
}

TEST_F(Native, TakesAndGivesTypes) {
  runtime.define("concat", [](std::string a, double b, bool c) {
    return a + std::to_string(b) + (c ? "yes" : "no");
  });
  EXPECT_EQ(evaluate("concat('x', 1.5, true)"), Value("x1.500000yes"));
  runtime.define("twice", twice);
  EXPECT_EQ(evaluate("twice(21)"), Value(42));
  runtime.define("nothing", [] {});
  EXPECT_TRUE(evaluate("nothing()").is_undefined());
  runtime.define("any", [](Value value) { return value; });
  EXPECT_EQ(evaluate("any([1, { a: null }])"),
            Value(Value::Array{1, Value::Object{{"a", nullptr}}}));
  EXPECT_TRUE(evaluate("any()").is_undefined());
  runtime.define("count", [](Value::Array array, Value::Object object) {
    return array.size() + object.size();
  });
  EXPECT_EQ(evaluate("count([1, 2], { a: 1 })"), Value(3));
  runtime.define("all", [](std::span<const Value> arguments) { return Value(arguments.size()); });
  EXPECT_EQ(evaluate("all(1, 2, 3)"), Value(3));
}

TEST_F(Native, KeepsStateOfItsOwn) {
  runtime.define("next", [n = 0]() mutable { return ++n; });
  EXPECT_EQ(evaluate("next(); next(); next()"), Value(3));
}

TEST_F(Native, IsAFunctionLikeOthers) {
  runtime.define("greet", [](std::string name) { return "Hello, " + name; });
  EXPECT_EQ(evaluate("['a', 'b'].map((name) => greet(name)).join() + greet.name"),
            Value("Hello, a,Hello, bgreet"));
  EXPECT_EQ(thrown("new greet('x')"), "TypeError undefined greet is not a constructor");
}

TEST_F(Native, CanBeReplaced) {
  runtime.define("version", [] { return 1; });
  evaluate("globalThis.first = version");
  runtime.define("version", [] { return 2; });
  EXPECT_EQ(evaluate("[first(), version()]"), Value(Value::Array{1, 2}));
}

TEST_F(Native, RefusesWrongTypes) {
  runtime.define("f", [](double, std::string, bool) {});
  EXPECT_EQ(thrown("f('1')"), "TypeError ERR_INVALID_ARG_TYPE Argument 1 must be of type number");
  EXPECT_EQ(thrown("f(1)"), "TypeError ERR_INVALID_ARG_TYPE Argument 2 must be of type string");
  EXPECT_EQ(thrown("f(1, '', 0)"),
            "TypeError ERR_INVALID_ARG_TYPE Argument 3 must be of type boolean");
  EXPECT_EQ(thrown("f(1, '', true, 'more is ignored')"), "nothing");
}

TEST_F(Native, RefusesNumbersThatAnIntegerHasNot) {
  runtime.define("i", [](std::int32_t number) { return number; });
  runtime.define("u", [](std::uint8_t number) { return number; });
  runtime.define("l", [](std::int64_t number) { return number == INT64_MIN; });
  const std::string refused =
      "RangeError ERR_OUT_OF_RANGE Argument 1 is not a whole number or is out of range";
  EXPECT_EQ(thrown("i(NaN)"), refused);
  EXPECT_EQ(thrown("i(Infinity)"), refused);
  EXPECT_EQ(thrown("i(1.5)"), refused);
  EXPECT_EQ(thrown("i(2 ** 31)"), refused);
  EXPECT_EQ(evaluate("i(2 ** 31 - 1)"), Value(2147483647));
  EXPECT_EQ(evaluate("i(-(2 ** 31))"), Value(-2147483648.0));
  EXPECT_EQ(evaluate("i(-0)"), Value(0));
  EXPECT_EQ(thrown("u(-1)"), refused);
  EXPECT_EQ(thrown("u(256)"), refused);
  EXPECT_EQ(evaluate("u(255)"), Value(255));
  EXPECT_EQ(thrown("l(2 ** 63)"), refused);
  EXPECT_EQ(evaluate("l(-(2 ** 63))"), Value(true));
}

TEST_F(Native, ExceptionsBecomeErrors) {
  runtime.define("standard", [] { throw std::runtime_error("no such file"); });
  runtime.define("misuse", [] { throw Misuse("ERR_MINE", "used wrongly"); });
  runtime.define("other", [] { throw 7; });
  EXPECT_EQ(thrown("standard()"), "Error undefined no such file");
  EXPECT_EQ(thrown("misuse()"), "Error ERR_MINE used wrongly");
  EXPECT_THAT(thrown("other()"), HasSubstr("another kind"));
  const ScriptError error = error_of("function outer() { misuse(); } outer()");
  EXPECT_EQ(error.code, "ERR_MINE");
  EXPECT_THAT(error.stack, HasSubstr("at outer"));
}

TEST_F(Native, AnArgumentThatThrowsWhenLookedAtDoesNoHarm) {
  runtime.define("look", [](Value value) { return value.is_undefined(); });
  EXPECT_EQ(evaluate("look(new Proxy({}, { ownKeys() { throw new Error('no'); } }))"), Value(true));
  EXPECT_EQ(evaluate("1"), Value(1));
}

TEST_F(Native, MayUseTheLoop) {
  runtime.define("later", [this](double ms) {
    loop.set_timeout(std::chrono::duration<double, std::milli>(ms), log("native timer"));
  });
  evaluate("later(1)");
  runtime.run();
  EXPECT_THAT(trace, ElementsAre("native timer"));
}

TEST_F(Native, ModulesAreFoundByRequireAndImport) {
  runtime.define_module("calculator",
                        {{"add", native_function([](double a, double b) { return a + b; })},
                         {"negate", native_function([](double a) { return -a; })}});
  ASSERT_TRUE(runtime.run_file(fixture("uses_native.js")));
  EXPECT_EQ(evaluate("sum"), Value(3));
  ASSERT_TRUE(runtime.run_file(fixture("uses_native.mjs")));
  runtime.run();
  EXPECT_EQ(evaluate("sum"), Value(33));
}

TEST_F(Native, AModuleIsOneObject) {
  runtime.define_module("calculator",
                        {{"add", native_function([](double a, double b) { return a + b; })}});
  evaluate(
      "import('calculator').then(({ default: it }) => log(String(it === require('calculator'))))");
  runtime.run();
  EXPECT_THAT(trace, ElementsAre("true"));
}

}  // namespace
}  // namespace rondo::test
