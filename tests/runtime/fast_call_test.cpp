// Optimised JavaScript calls the fast form of a method: glue/fast_call.h declares V8's types
// itself, and V8 ignores types that it cannot read without an error.
#include <stdexcept>
#include <string>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/typed_method.h"
#include "runtime/observe/stack_words.h"
#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

int calls = 0;       // in either form
int slow_calls = 0;  // in the form for all callers
std::string stack_of_fast_call;

int fast_calls() {
  return calls - slow_calls;
}

std::int32_t half(Environment& /*environment*/, std::int32_t number, bool negate, double more) {
  ++calls;
  if (number < 0) throw std::runtime_error("number must not be negative");
  if (more == 7) {
    v8::Isolate* isolate = v8::Isolate::GetCurrent();
    const v8::HandleScope scope(isolate);
    for (const std::string& frame : current_stack(isolate, 10)) stack_of_fast_call += frame + "\n";
  }
  const std::int32_t sum = number / 2 + static_cast<std::int32_t>(more);
  return negate ? -sum : sum;
}

const Method kHalf = fast_method<half>("half");

void count_slow(const Arguments& args) {
  ++slow_calls;
  kHalf.callback(args);
}

// So that a test can say when V8 optimises. Before V8 starts, which freezes its flags.
[[maybe_unused]] const bool kAllowsNatives = [] {
  v8::V8::SetFlagsFromString("--allow-natives-syntax");
  return true;
}();

std::uint32_t length_of(v8::Local<v8::Object> /*receiver*/, const v8::FastOneByteString& text) {
  ++calls;
  return text.length;
}

const v8::CFunction kLengthOf = fast_call_of(length_of);

void length_of_any(const Arguments& args) {
  ++calls;
  ++slow_calls;
  args.GetReturnValue().Set(args[0].As<v8::String>()->Length());
}

class FastCallTest : public RuntimeTest {
 protected:
  FastCallTest() {
    calls = 0;
    slow_calls = 0;
    Environment& environment = Environment::current();
    const v8::HandleScope scope(environment.isolate());
    const v8::Context::Scope context(environment.context());
    set_method(environment, environment.context()->Global(), {"half", count_slow, kHalf.fast});
    set_method(environment, environment.context()->Global(),
               {"lengthOf", length_of_any, &kLengthOf});
    evaluate(R"(
      function calls(count, number, more) {
        let sum = 0;
        for (let i = 0; i < count; ++i) sum += half(number, i % 2 === 1, more);
        return sum;
      }
      %PrepareFunctionForOptimization(calls);
      calls(100, 6, 1.5);
      %OptimizeFunctionOnNextCall(calls);
    )");
  }
};

TEST_F(FastCallTest, IsTakenByOptimisedCode) {
  EXPECT_EQ(slow_calls, 100);
  EXPECT_EQ(fast_calls(), 0);
  evaluate("calls(100, 6, 1.5)");
  EXPECT_EQ(slow_calls, 100);
  EXPECT_EQ(fast_calls(), 100);
}

TEST_F(FastCallTest, GetsTheSameArguments) {
  const int before = fast_calls();
  EXPECT_EQ(evaluate("calls(1000, 10, 2.25) + calls(1, 10, 2.25)"), Value(7));
  EXPECT_GT(fast_calls(), before);
}

TEST_F(FastCallTest, ItsExceptionIsJavaScripts) {
  const int before = fast_calls();
  EXPECT_EQ(error_of("calls(1, -1, 0)").message, "Error: number must not be negative");
  EXPECT_GT(fast_calls(), before);
  // And the code is as good as before.
  EXPECT_EQ(evaluate("calls(1, 10, 2.25)"), Value(7));
}

TEST_F(FastCallTest, ItSeesTheStackOfJavaScript) {
  evaluate("calls(1, 6, 7)");
  EXPECT_NE(stack_of_fast_call.find("calls"), std::string::npos) << stack_of_fast_call;
}

TEST_F(FastCallTest, TakesStringsInOnePieceOf8BitCharacters) {
  evaluate(R"(
    function lengths(count, text) {
      let sum = 0;
      for (let i = 0; i < count; ++i) sum += lengthOf(text);
      return sum;
    }
    %PrepareFunctionForOptimization(lengths);
    lengths(100, 'text');
    %OptimizeFunctionOnNextCall(lengths);
  )");
  const int slow_before = slow_calls;
  const int fast_before = fast_calls();
  EXPECT_EQ(evaluate("lengths(100, 'Zo\u00eb')"), Value(300));
  EXPECT_EQ(slow_calls, slow_before);
  EXPECT_EQ(fast_calls(), fast_before + 100);
  EXPECT_EQ(evaluate("lengths(100, '\u20ac')"), Value(100));
  EXPECT_EQ(evaluate("lengths(100, 'a piece and '.concat(String(0.5)))"), Value(1500));
  EXPECT_GE(slow_calls, slow_before + 100);
}

}  // namespace
}  // namespace rondo::test
