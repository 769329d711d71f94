// The classes below KeyObject and CryptoKey, which internal/crypto/keys.js derives from: they hold
// the key where no JavaScript of a program can reach it.
#include "runtime/crypto/keys/native_keys.h"

#include <utility>

#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_handle.h"
#include "runtime/crypto/parts.h"
#include "runtime/crypto/state.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/cloneable.h"
#include "runtime/messaging/messaging_hooks.h"

namespace rondo::crypto {
namespace {

using v8::Local;

// ---- KeyObject ----------------------------------------------------------------------------------

class SharedKey final : public CloneData {
 public:
  explicit SharedKey(KeyData data) : data_(std::move(data)) {}

  v8::MaybeLocal<v8::Object> make(Environment& environment,
                                  Local<v8::Value> /*extra*/) const override {
    Local<v8::Object> handle;
    if (!load_crypto_classes(environment) ||
        !KeyObjectHandle::make(environment, data_).ToLocal(&handle)) {
      return {};
    }
    Local<v8::Value> argument = handle;
    return State::of(environment)
        .key_object_classes[static_cast<std::size_t>(data_.type())]
        .Get(environment.isolate())
        ->NewInstance(environment.context(), 1, &argument);
  }

 private:
  KeyData data_;
};

class NativeKeyObject final : public Cloneable {
 public:
  NativeKeyObject(Environment& environment, Local<v8::Object> object, KeyData data)
      : Cloneable(environment, object), data_(std::move(data)) {}

  std::shared_ptr<const CloneData> share() const override {
    return std::make_shared<SharedKey>(data_);
  }

  /// new NativeKeyObject(handle)
  static void construct(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    const KeyObjectHandle* handle = KeyObjectHandle::from_value(args.GetIsolate(), args[0]);
    new NativeKeyObject(environment, args.This(), handle == nullptr ? KeyData() : handle->data());
  }

  const KeyData& data() const noexcept { return data_; }

 private:
  KeyData data_;
};

v8::MaybeLocal<v8::Function> class_at(Local<v8::Context> context, Local<v8::Array> classes,
                                      std::uint32_t index) {
  Local<v8::Value> found;
  if (!classes->Get(context, index).ToLocal(&found)) return {};
  return found.As<v8::Function>();
}

/// createNativeKeyObjectClass(define): define() returns [KeyObject, SecretKeyObject,
/// PublicKeyObject, PrivateKeyObject].
void create_native_key_object_class(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  State& state = State::of(environment);
  const auto shape = make_class(environment, {"NativeKeyObject", NativeKeyObject::construct});
  state.native_key_object.Reset(args.GetIsolate(), shape);
  Local<v8::Array> classes;
  if (!define_classes(args, shape).ToLocal(&classes)) return;
  for (std::uint32_t i = 0; i < std::size(state.key_object_classes); ++i) {
    Local<v8::Function> found;
    if (!class_at(environment.context(), classes, i + 1).ToLocal(&found)) return;
    state.key_object_classes[i].Reset(args.GetIsolate(), found);
  }
}

bool is_instance(const Arguments& args, const v8::Global<v8::FunctionTemplate>& shape) {
  return !shape.IsEmpty() && shape.Get(args.GetIsolate())->HasInstance(args[0]);
}

void is_key_object(const Arguments& args) {
  const State& state = State::of(Environment::of(args.GetIsolate()));
  args.GetReturnValue().Set(is_instance(args, state.native_key_object));
}

/// getKeyObjectSlots(key) -> [type, handle]
void get_key_object_slots(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  if (!is_instance(args, State::of(environment).native_key_object)) {
    return throw_type_error(environment, "ERR_INVALID_THIS",
                            "Value of \"this\" must be of type KeyObject");
  }
  const KeyData& data = Wrapped::from<NativeKeyObject>(args[0])->data();
  Local<v8::Object> handle;
  if (!KeyObjectHandle::make(environment, data).ToLocal(&handle)) return;
  Local<v8::Value> slots[] = {
      v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(data.type())), handle};
  args.GetReturnValue().Set(v8::Array::New(isolate, slots, std::size(slots)));
}

// ---- CryptoKey ----------------------------------------------------------------------------------

/// The rest of such a key is JavaScript: see NativeCryptoKey::extra().
class SharedCryptoKey final : public CloneData {
 public:
  SharedCryptoKey(KeyData data, KeyData secondary)
      : data_(std::move(data)), secondary_(std::move(secondary)) {}

  v8::MaybeLocal<v8::Object> make(Environment& environment, Local<v8::Value> extra) const override;

 private:
  KeyData data_;
  KeyData secondary_;
};

class NativeCryptoKey final : public Cloneable {
 public:
  // Internal fields that keep objects of JavaScript.
  enum Field : int { kWrapped, kAlgorithm, kSecondaryHandle, kSeedData, kFieldCount };

  NativeCryptoKey(Environment& environment, Local<v8::Object> object, KeyData data,
                  std::uint32_t usages, bool extractable)
      : Cloneable(environment, object),
        data_(std::move(data)),
        usages_(usages),
        extractable_(extractable) {}

  /// new NativeCryptoKey(handle, algorithm, usages mask, extractable, secondary handle, seed data)
  static void construct(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    const KeyObjectHandle* handle = KeyObjectHandle::from_value(args.GetIsolate(), args[0]);
    const std::uint32_t usages = args[2]->IsUint32() ? args[2].As<v8::Uint32>()->Value() : 0;
    new NativeCryptoKey(environment, args.This(), handle == nullptr ? KeyData() : handle->data(),
                        usages, args[3]->IsTrue());
    args.This()->SetInternalField(kAlgorithm, args[1]);
    args.This()->SetInternalField(kSecondaryHandle, args[4]);
    args.This()->SetInternalField(kSeedData, args[5]);
  }

  std::shared_ptr<const CloneData> share() const override {
    const KeyObjectHandle* secondary =
        KeyObjectHandle::from_value(environment().isolate(), field(kSecondaryHandle));
    return std::make_shared<SharedCryptoKey>(data_,
                                             secondary == nullptr ? KeyData() : secondary->data());
  }

  /// [algorithm, usages mask, extractable, seed data]
  Local<v8::Value> extra() const override {
    v8::Isolate* isolate = environment().isolate();
    Local<v8::Value> values[] = {field(kAlgorithm), v8::Integer::NewFromUnsigned(isolate, usages_),
                                 v8::Boolean::New(isolate, extractable_), field(kSeedData)};
    return v8::Array::New(isolate, values, std::size(values));
  }

  Local<v8::Value> field(int index) const {
    return object()->GetInternalField(index).As<v8::Value>();
  }

  const KeyData& data() const noexcept { return data_; }
  std::uint32_t usages() const noexcept { return usages_; }
  bool extractable() const noexcept { return extractable_; }

 private:
  KeyData data_;
  std::uint32_t usages_;
  bool extractable_;
};

v8::MaybeLocal<v8::Object> SharedCryptoKey::make(Environment& environment,
                                                 Local<v8::Value> extra) const {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Context> context = environment.context();
  Local<v8::Object> handle;
  if (!load_crypto_classes(environment) ||
      !KeyObjectHandle::make(environment, data_).ToLocal(&handle)) {
    return {};
  }
  Local<v8::Value> values[4];
  for (std::uint32_t i = 0; i < std::size(values); ++i) {
    if (!extra.As<v8::Array>()->Get(context, i).ToLocal(&values[i])) return {};
  }
  Local<v8::Value> secondary = v8::Undefined(isolate);
  if (secondary_) {
    Local<v8::Object> made;
    if (!KeyObjectHandle::make(environment, secondary_).ToLocal(&made)) return {};
    secondary = made;
  }
  Local<v8::Value> arguments[] = {handle, values[0], values[1], values[2], secondary, values[3]};
  return State::of(environment)
      .crypto_key_class.Get(isolate)
      ->NewInstance(context, std::size(arguments), arguments);
}

/// createCryptoKeyClass(define): define() returns [CryptoKey, InternalCryptoKey].
void create_crypto_key_class(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  State& state = State::of(environment);
  const auto shape =
      make_class(environment,
                 {"NativeCryptoKey", NativeCryptoKey::construct, {}, NativeCryptoKey::kFieldCount});
  state.native_crypto_key.Reset(args.GetIsolate(), shape);
  Local<v8::Array> classes;
  Local<v8::Function> found;
  if (!define_classes(args, shape).ToLocal(&classes) ||
      !class_at(environment.context(), classes, 1).ToLocal(&found)) {
    return;
  }
  state.crypto_key_class.Reset(args.GetIsolate(), found);
}

void is_crypto_key(const Arguments& args) {
  const State& state = State::of(Environment::of(args.GetIsolate()));
  args.GetReturnValue().Set(is_instance(args, state.native_crypto_key));
}

/// getCryptoKeySlots(key) -> [type, extractable, algorithm, usages mask, handle, secondary handle,
/// seed data]
void get_crypto_key_slots(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  if (!is_instance(args, State::of(environment).native_crypto_key)) {
    return throw_type_error(environment, "ERR_INVALID_THIS",
                            "Value of \"this\" must be of type CryptoKey");
  }
  const Local<v8::Object> object = args[0].As<v8::Object>();
  const auto& key = *Wrapped::from<NativeCryptoKey>(object);
  Local<v8::Object> handle;
  if (!KeyObjectHandle::make(environment, key.data()).ToLocal(&handle)) return;
  const auto field = [&](int index) { return object->GetInternalField(index).As<v8::Value>(); };
  Local<v8::Value> slots[] = {
      v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(key.data().type())),
      v8::Boolean::New(isolate, key.extractable()),
      field(NativeCryptoKey::kAlgorithm),
      v8::Integer::NewFromUnsigned(isolate, key.usages()),
      handle,
      field(NativeCryptoKey::kSecondaryHandle),
      field(NativeCryptoKey::kSeedData)};
  args.GetReturnValue().Set(v8::Array::New(isolate, slots, std::size(slots)));
}

constexpr Method kMethods[] = {
    {"createNativeKeyObjectClass", create_native_key_object_class},
    {"isKeyObject", is_key_object},
    {"getKeyObjectSlots", get_key_object_slots},
    {"createCryptoKeyClass", create_crypto_key_class},
    {"isCryptoKey", is_crypto_key},
    {"getCryptoKeySlots", get_crypto_key_slots},
};

}  // namespace

v8::MaybeLocal<v8::Array> define_classes(const Arguments& args, Local<v8::FunctionTemplate> shape) {
  const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
  Local<v8::Function> base;
  Local<v8::Value> classes;
  if (!shape->GetFunction(context).ToLocal(&base)) return {};
  Local<v8::Value> argument = base;
  if (!args[0]
           .As<v8::Function>()
           ->Call(context, v8::Undefined(args.GetIsolate()), 1, &argument)
           .ToLocal(&classes)) {
    return {};
  }
  args.GetReturnValue().Set(classes);
  return classes.As<v8::Array>();
}

bool load_crypto_classes(Environment& environment) {
  if (!State::of(environment).x509_class.IsEmpty()) return true;
  return !messaging_hook(environment, "loadCrypto")
              ->Call(environment.context(), v8::Undefined(environment.isolate()), 0, nullptr)
              .IsEmpty();
}

v8::MaybeLocal<v8::Value> make_crypto_key(Environment& environment, KeyData data,
                                          Local<v8::Value> algorithm, std::uint32_t usages,
                                          bool extractable) {
  v8::Isolate* isolate = environment.isolate();
  Local<v8::Object> handle;
  if (!KeyObjectHandle::make(environment, std::move(data)).ToLocal(&handle)) return {};
  Local<v8::Value> arguments[] = {handle, algorithm, v8::Integer::NewFromUnsigned(isolate, usages),
                                  v8::Boolean::New(isolate, extractable)};
  Local<v8::Object> key;
  if (!State::of(environment)
           .crypto_key_class.Get(isolate)
           ->NewInstance(environment.context(), std::size(arguments), arguments)
           .ToLocal(&key)) {
    return {};
  }
  return key;
}

void add_native_keys(Environment& environment, Local<v8::Object> target) {
  for (const Method& method : kMethods) set_method(environment, target, method);
}

}  // namespace rondo::crypto
