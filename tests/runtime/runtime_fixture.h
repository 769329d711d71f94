// What the tests of the embedding interface need: a loop and a runtime on it.
#pragma once

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/rondo.h"
#include "rondo/runtime.h"

namespace rondo::test {

inline std::string fixture(std::string_view name) {
  return std::string(RUNTIME_FIXTURES) + "/" + std::string(name);
}

/// The value of a text in a runtime; a failure if it throws.
inline Value value_of(Runtime& runtime, std::string_view source) {
  auto result = runtime.evaluate(source);
  if (result) return *std::move(result);
  ADD_FAILURE() << source << "\n" << result.error().message << "\n" << result.error().stack;
  return {};
}

/// The strings that log() was called with from JavaScript.
inline std::vector<std::string> strings(const Value& value) {
  std::vector<std::string> list;
  for (const Value& entry : value.get<Value::Array>()) list.push_back(entry.get<std::string>());
  return list;
}

class RuntimeTest : public ::testing::Test {
 protected:
  RuntimeTest() {
    runtime.define("log", [this](std::string line) { trace.push_back(std::move(line)); });
  }

  Value evaluate(std::string_view source) { return value_of(runtime, source); }
  ScriptError error_of(std::string_view source) {
    auto result = runtime.evaluate(source);
    if (!result) return std::move(result).error();
    ADD_FAILURE() << "did not throw: " << source;
    return {};
  }
  auto log(std::string name) {
    return [this, name = std::move(name)] { trace.push_back(name); };
  }

  std::vector<std::string> trace;
  Loop loop;
  Runtime runtime{loop};
};

}  // namespace rondo::test
