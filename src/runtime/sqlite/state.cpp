#include "runtime/sqlite/state.h"

namespace rondo::sqlite {

namespace {
// The embedder data index of the object. For the others see crypto/state.cpp.
constexpr int kStateSlot = 7;
}  // namespace

OpenConnections::~OpenConnections() {
  for (const auto& weak : connections_) {
    const std::shared_ptr<Connection> connection = weak.lock();
    if (connection != nullptr && connection->running == 0) connection->close();
  }
}

void OpenConnections::add(const std::shared_ptr<Connection>& connection) {
  std::erase_if(connections_, [&](const auto& weak) {
    const auto known = weak.lock();
    return known == nullptr || known == connection || !known->is_open();
  });
  connections_.push_back(connection);
}

OpenConnections& State::open_connections() {
  if (open_connections_ == nullptr) {
    auto made = std::make_unique<OpenConnections>();
    open_connections_ = made.get();
    environment().accompany(std::move(made));
  }
  return *open_connections_;
}

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

v8::MaybeLocal<v8::Object> new_instance(const Environment& environment,
                                        const v8::Global<v8::FunctionTemplate>& shape) {
  return shape.Get(environment.isolate())->InstanceTemplate()->NewInstance(environment.context());
}

}  // namespace rondo::sqlite
