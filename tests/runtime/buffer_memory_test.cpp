// Where the memory of ArrayBuffers lies.
#include <v8.h>

#include <cstdint>
#include <string>

#include "runtime/engine/environment.h"
#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

class BufferMemory : public RuntimeTest {
 protected:
  /// Of the ArrayBuffer that an expression makes, modulo 64.
  std::uintptr_t misalignment(const std::string& expression) {
    Environment& environment = Environment::current();
    v8::Isolate* isolate = environment.isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope inside(environment.context());
    const auto source = v8::String::NewFromUtf8(isolate, expression.c_str()).ToLocalChecked();
    const auto memory = v8::Script::Compile(environment.context(), source)
                            .ToLocalChecked()
                            ->Run(environment.context())
                            .ToLocalChecked()
                            .As<v8::ArrayBuffer>();
    return reinterpret_cast<std::uintptr_t>(memory->Data()) % 64;
  }
};

// Else copying between two of them can take 15 times as long: see buffer_allocator.cpp.
TEST_F(BufferMemory, OfLargePiecesIsAligned) {
  for (const std::string size : {"4096", "65536", "1048576"}) {
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(misalignment("new ArrayBuffer(" + size + ")"), 0U) << size;
      EXPECT_EQ(misalignment("Buffer.allocUnsafeSlow(" + size + ").buffer"), 0U) << size;
    }
  }
}

}  // namespace
}  // namespace rondo::test
