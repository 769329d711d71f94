#include "runtime/crypto/state.h"

namespace rondo::crypto {

namespace {
// The embedder data index of the object. For the others see buffer.cpp.
constexpr int kStateSlot = 5;
}  // namespace

State& State::of(Environment& environment) {
  const v8::Local<v8::Context> context = environment.context();
  if (context->GetNumberOfEmbedderDataFields() > kStateSlot) {
    if (auto* state = Wrapped::from<State>(context->GetEmbedderData(kStateSlot))) return *state;
  }
  const v8::Local<v8::Object> object = environment.new_holder().ToLocalChecked();
  context->SetEmbedderData(kStateSlot, object);
  return *new State(environment, object);
}

State::State(Environment& environment, v8::Local<v8::Object> object)
    : Wrapped(environment, object) {
  hold();
}

}  // namespace rondo::crypto
