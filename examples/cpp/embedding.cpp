// JavaScript inside a C++ program: functions of C++ for scripts, functions of scripts for C++, and
// both on one loop.
#include <chrono>
#include <cstdio>
#include <numeric>
#include <span>
#include <string>

#include "rondo/loop.h"
#include "rondo/runtime.h"

using namespace std::chrono_literals;

namespace {

rondo::Value sum(std::span<const rondo::Value> numbers) {
  return std::accumulate(
      numbers.begin(), numbers.end(), 0.0,
      [](double all, const rondo::Value& one) { return all + one.get<double>(); });
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // console.log does not wait in the C library's buffer
  rondo::Loop loop;
  rondo::Runtime runtime(loop);

  // A global function: arguments and results are converted.
  runtime.define("greet", [](const std::string& name) { return "Hello, " + name + "!"; });

  // A module, for require() and for import.
  runtime.define_module("app:numbers", {{"sum", sum}});

  const auto defined = runtime.evaluate(R"(
    const { sum } = require('app:numbers');
    function report(title, figures) {
      console.log(`JavaScript: ${title}: ${sum(...figures)}`);
      return figures.length;
    }
    setTimeout(() => console.log('JavaScript: a timer after 10 ms'), 10);
    Promise.resolve().then(() => console.log('JavaScript: a microtask'));
    greet('world');
  )");
  if (!defined) {
    std::fprintf(stderr, "%s\n", defined.error().stack.c_str());
    return 1;
  }
  std::printf("the value of the script: %s\n", defined->get<std::string>().c_str());

  // A function of the script, called by C++.
  const rondo::Value arguments[] = {"the sum", rondo::Value::Array{1, 2, 3}};
  if (const auto count = runtime.call("report", arguments)) {
    std::printf("figures in the report: %g\n", count->get<double>());
  }

  // What a script throws is a value here.
  if (const auto failed = runtime.evaluate("greet(42)"); !failed) {
    std::printf("a wrong argument: %s (%s)\n", failed.error().message.c_str(),
                failed.error().code.c_str());
  }

  // Timers of both sides on one loop, in the order in which they are due.
  loop.set_timeout(5ms, [] { std::puts("C++: a timer after 5 ms"); });
  loop.set_timeout(15ms, [] { std::puts("C++: a timer after 15 ms"); });
  return runtime.run();
}
