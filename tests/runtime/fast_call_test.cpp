// That optimised JavaScript calls the fast version of a method: runtime/fast_call.h declares V8's
// types itself, and V8 says nothing of types that it cannot read.
#include "runtime/glue/fast_call.h"

#include <stdexcept>
#include <string>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/observe/stack_words.h"
#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

int fast_calls = 0;
int slow_calls = 0;
std::string stack_of_fast_call;

std::int32_t half_fast(v8::Local<v8::Object> /*receiver*/, std::int32_t number, bool negate,
                       double more) {
  ++fast_calls;
  if (number < 0) throw std::runtime_error("number must not be negative");
  if (more == 7) {
    v8::Isolate* isolate = v8::Isolate::GetCurrent();
    const v8::HandleScope scope(isolate);
    for (const std::string& frame : current_stack(isolate, 10)) stack_of_fast_call += frame + "\n";
  }
  const std::int32_t sum = number / 2 + static_cast<std::int32_t>(more);
  return negate ? -sum : sum;
}

void half(const Arguments& args) {
  ++slow_calls;
  args.GetReturnValue().Set(half_fast({}, args[0].As<v8::Int32>()->Value(), args[1]->IsTrue(),
                                      args[2].As<v8::Number>()->Value()));
  --fast_calls;
}

// So that a test can say when V8 optimises. Before V8 starts, which freezes its flags.
[[maybe_unused]] const bool kAllowsNatives = [] {
  v8::V8::SetFlagsFromString("--allow-natives-syntax");
  return true;
}();

const v8::CFunction kHalfFast = make_fast<half_fast>();

class FastCallTest : public RuntimeTest {
 protected:
  FastCallTest() {
    fast_calls = 0;
    slow_calls = 0;
    Environment& environment = Environment::current();
    const v8::HandleScope scope(environment.isolate());
    const v8::Context::Scope context(environment.context());
    set_method(environment, environment.context()->Global(), {"half", half, &kHalfFast});
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
  EXPECT_EQ(fast_calls, 0);
  evaluate("calls(100, 6, 1.5)");
  EXPECT_EQ(slow_calls, 100);
  EXPECT_EQ(fast_calls, 100);
}

TEST_F(FastCallTest, GetsTheSameArguments) {
  const int before = fast_calls;
  EXPECT_EQ(evaluate("calls(1000, 10, 2.25) + calls(1, 10, 2.25)"), Value(7));
  EXPECT_GT(fast_calls, before);
}

TEST_F(FastCallTest, ItsExceptionIsJavaScripts) {
  const int before = fast_calls;
  EXPECT_EQ(error_of("calls(1, -1, 0)").message, "Error: number must not be negative");
  EXPECT_GT(fast_calls, before);
  // And the code is as good as before.
  EXPECT_EQ(evaluate("calls(1, 10, 2.25)"), Value(7));
}

TEST_F(FastCallTest, ItSeesTheStackOfJavaScript) {
  evaluate("calls(1, 6, 7)");
  EXPECT_NE(stack_of_fast_call.find("calls"), std::string::npos) << stack_of_fast_call;
}

}  // namespace
}  // namespace rondo::test
