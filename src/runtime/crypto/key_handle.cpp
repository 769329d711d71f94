#include "runtime/crypto/key_handle.h"

#include <openssl/crypto.h>

#include <utility>

#include "runtime/class_shape.h"
#include "runtime/crypto/errors.h"
#include "runtime/crypto/parts.h"
#include "runtime/crypto/state.h"

namespace rondo::crypto {
namespace {

using v8::Local;

void construct(const Arguments& args) {
  new KeyObjectHandle(Environment::of(args.GetIsolate()), args.This());
}

/// init(kKeyTypeSecret, bytes)
void init(const Arguments& args) {
  KeyObjectHandle::of(args).set_data(KeyData::of_secret(copy_of(bytes_of(args[1]))));
}

void get_key_type(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<std::uint32_t>(KeyObjectHandle::of(args).data().type()));
}

void get_symmetric_key_size(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<double>(KeyObjectHandle::of(args).data().secret().size()));
}

constexpr Method kMethods[] = {
    {"init", init},
    {"getKeyType", get_key_type},
    {"getSymmetricKeySize", get_symmetric_key_size},
};

}  // namespace

v8::MaybeLocal<v8::Object> KeyObjectHandle::make(Environment& environment, KeyData data) {
  Local<v8::Function> constructor;
  Local<v8::Object> object;
  if (!State::of(environment)
           .key_handle.Get(environment.isolate())
           ->GetFunction(environment.context())
           .ToLocal(&constructor) ||
      !constructor->NewInstance(environment.context()).ToLocal(&object)) {
    return {};
  }
  Wrapped::from<KeyObjectHandle>(object)->set_data(std::move(data));
  return object;
}

KeyObjectHandle* KeyObjectHandle::from_value(v8::Isolate* isolate, Local<v8::Value> value) {
  State& state = State::of(Environment::of(isolate));
  return state.key_handle.Get(isolate)->HasInstance(value) ? Wrapped::from<KeyObjectHandle>(value)
                                                           : nullptr;
}

void add_key_handle(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::FunctionTemplate> shape =
      make_class(environment, {"KeyObjectHandle", construct, kMethods});
  State::of(environment).key_handle.Reset(isolate, shape);
  set_value(environment, target, "KeyObjectHandle",
            shape->GetFunction(environment.context()).ToLocalChecked());
}

}  // namespace rondo::crypto
