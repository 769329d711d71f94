#include "runtime/glue/wrapped.h"

namespace rondo {

Wrapped::Wrapped(Environment& environment, v8::Local<v8::Object> object)
    : environment_(environment), object_(environment.isolate(), object) {
  object->SetAlignedPointerInInternalField(0, this, v8::kEmbedderDataTypeTagDefault);
  next_ = environment.wrapped_;
  link_ = &environment.wrapped_;
  if (next_ != nullptr) next_->link_ = &next_;
  environment.wrapped_ = this;
  let_be_collected();
}

Wrapped::~Wrapped() {
  *link_ = next_;
  if (next_ != nullptr) next_->link_ = link_;
  if (object_.IsEmpty()) return;
  // The object may outlive us: when the environment goes, or after an early end.
  const v8::HandleScope scope(environment_.isolate());
  object()->SetAlignedPointerInInternalField(0, nullptr, v8::kEmbedderDataTypeTagDefault);
}

void Wrapped::let_be_collected() noexcept {
  object_.SetWeak(
      this,
      [](const v8::WeakCallbackInfo<Wrapped>& info) {
        Wrapped* self = info.GetParameter();
        self->object_.Reset();
        // Destructors may do anything but use V8, which is in the middle of a collection.
        info.SetSecondPassCallback(
            [](const v8::WeakCallbackInfo<Wrapped>& second) { delete second.GetParameter(); });
      },
      v8::WeakCallbackType::kParameter);
}

void Wrapped::hold() noexcept {
  if (holds_++ == 0) object_.ClearWeak();
}

void Wrapped::let_go() noexcept {
  if (--holds_ == 0) let_be_collected();
}

Wrapped* Wrapped::find(v8::Local<v8::Value> value) {
  if (!value->IsObject()) return nullptr;
  const v8::Local<v8::Object> object = value.As<v8::Object>();
  if (object->InternalFieldCount() < 1) return nullptr;
  return static_cast<Wrapped*>(
      object->GetAlignedPointerFromInternalField(0, v8::kEmbedderDataTypeTagDefault));
}

}  // namespace rondo
