// V8's serializer for programs: the base classes of v8.Serializer and v8.Deserializer, which
// subclasses complete with methods for what V8 leaves open.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/bytes/buffer.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

using v8::Just;
using v8::Local;
using v8::Maybe;
using v8::MaybeLocal;
using v8::Nothing;
using v8::Object;
using v8::Value;

Environment& environment_of(const Arguments& args) {
  return Environment::of(args.GetIsolate());
}

[[noreturn]] void throw_type_error(const Environment& environment, std::string_view code,
                                   std::string_view message) {
  environment.throw_(environment.type_error(code, message));
  throw PendingException();
}

[[noreturn]] void throw_error(const Environment& environment, std::string_view message) {
  environment.throw_(v8::Exception::Error(environment.text(message)));
  throw PendingException();
}

void check_construct_call(const Arguments& args, std::string_view name) {
  if (args.IsConstructCall()) return;
  throw_type_error(environment_of(args), "ERR_CONSTRUCT_CALL_REQUIRED",
                   "Class constructor " + std::string(name) + " cannot be invoked without 'new'");
}

/// A method that a subclass may have; empty if it has none. Nothing if asking threw.
MaybeLocal<Value> find_method(const Wrapped& wrapped, std::string_view name) {
  return wrapped.object()->Get(wrapped.environment().context(), wrapped.environment().name(name));
}

// ---- Writing ------------------------------------------------------------------------------------

class Serializer final : public Wrapped, private v8::ValueSerializer::Delegate {
 public:
  Serializer(Environment& environment, Local<Object> object)
      : Wrapped(environment, object), writer_(environment.isolate(), this) {}

  void write_header() { writer_.WriteHeader(); }

  std::optional<bool> write_value(Local<Value> value) {
    const Maybe<bool> done =
        writer_.WriteValue(environment().isolate()->GetCurrentContext(), value);
    return done.IsJust() ? std::optional(done.FromJust()) : std::nullopt;
  }

  MaybeLocal<Object> release_buffer() {
    const auto [data, size] = writer_.Release();
    return make_buffer_of_malloc(environment(), data, size);
  }

  void transfer(std::uint32_t id, Local<Value> buffer) {
    if (!buffer->IsArrayBuffer()) {
      throw_type_error(environment(), "ERR_INVALID_ARG_TYPE", "arrayBuffer must be an ArrayBuffer");
    }
    writer_.TransferArrayBuffer(id, buffer.As<v8::ArrayBuffer>());
  }

  void write_uint32(std::uint32_t value) { writer_.WriteUint32(value); }

  void write_uint64(std::uint32_t high, std::uint32_t low) {
    writer_.WriteUint64(std::uint64_t{high} << 32 | low);
  }

  void write_double(double value) { writer_.WriteDouble(value); }

  void write_raw_bytes(Local<Value> source) {
    if (!source->IsArrayBufferView()) {
      throw_type_error(environment(), "ERR_INVALID_ARG_TYPE",
                       "source must be a TypedArray or a DataView");
    }
    const ReadBytes bytes(source);
    writer_.WriteRawBytes(bytes.get().data(), bytes.get().size());
  }

  void treat_views_as_host_objects(Local<Value> treat) {
    writer_.SetTreatArrayBufferViewsAsHostObjects(treat->BooleanValue(environment().isolate()));
  }

 private:
  void ThrowDataCloneError(Local<v8::String> message) override {
    Local<Value> make;
    if (!find_method(*this, "_getDataCloneError").ToLocal(&make) || !make->IsFunction()) return;
    Local<Value> argument = message;
    Local<Value> error;
    if (make.As<v8::Function>()
            ->Call(environment().context(), object(), 1, &argument)
            .ToLocal(&error)) {
      environment().isolate()->ThrowException(error);
    }
  }

  Maybe<bool> WriteHostObject(v8::Isolate* isolate, Local<Object> host) override {
    Local<Value> write;
    if (!find_method(*this, "_writeHostObject").ToLocal(&write)) return Nothing<bool>();
    if (!write->IsFunction()) return Delegate::WriteHostObject(isolate, host);
    Local<Value> argument = host;
    if (write.As<v8::Function>()->Call(environment().context(), object(), 1, &argument).IsEmpty()) {
      return Nothing<bool>();
    }
    return Just(true);
  }

  Maybe<std::uint32_t> GetSharedArrayBufferId(v8::Isolate* isolate,
                                              Local<v8::SharedArrayBuffer> buffer) override {
    Local<Value> get;
    if (!find_method(*this, "_getSharedArrayBufferId").ToLocal(&get)) {
      return Nothing<std::uint32_t>();
    }
    if (!get->IsFunction()) return Delegate::GetSharedArrayBufferId(isolate, buffer);
    const Local<v8::Context> context = environment().context();
    Local<Value> argument = buffer;
    Local<Value> id;
    if (!get.As<v8::Function>()->Call(context, object(), 1, &argument).ToLocal(&id)) {
      return Nothing<std::uint32_t>();
    }
    return id->Uint32Value(context);
  }

  v8::ValueSerializer writer_;
};

void construct_serializer(const Arguments& args) {
  check_construct_call(args, "Serializer");
  new Serializer(environment_of(args), args.This());
}

// ---- Reading ------------------------------------------------------------------------------------

class Deserializer final : public Wrapped, private v8::ValueDeserializer::Delegate {
 public:
  Deserializer(Environment& environment, Local<Object> object, Local<v8::ArrayBufferView> view)
      : Wrapped(environment, object),
        store_(view->Buffer()->GetBackingStore()),
        data_(bytes_of(view)),
        reader_(environment.isolate(), data_.data(), data_.size(), this) {}

  std::optional<bool> read_header() {
    const Maybe<bool> result = reader_.ReadHeader(environment().context());
    return result.IsJust() ? std::optional(result.FromJust()) : std::nullopt;
  }

  MaybeLocal<Value> read_value() {
    return reader_.ReadValue(environment().isolate()->GetCurrentContext());
  }

  std::uint32_t version() const { return reader_.GetWireFormatVersion(); }

  void transfer(std::uint32_t id, Local<Value> buffer) {
    if (buffer->IsArrayBuffer()) {
      reader_.TransferArrayBuffer(id, buffer.As<v8::ArrayBuffer>());
    } else if (buffer->IsSharedArrayBuffer()) {
      reader_.TransferSharedArrayBuffer(id, buffer.As<v8::SharedArrayBuffer>());
    } else {
      throw_type_error(environment(), "ERR_INVALID_ARG_TYPE",
                       "arrayBuffer must be an ArrayBuffer or SharedArrayBuffer");
    }
  }

  std::uint32_t read_uint32() {
    std::uint32_t value = 0;
    if (!reader_.ReadUint32(&value)) throw_error(environment(), "ReadUint32() failed");
    return value;
  }

  /// [high half, low half]
  std::vector<Local<Value>> read_uint64() {
    std::uint64_t value = 0;
    if (!reader_.ReadUint64(&value)) throw_error(environment(), "ReadUint64() failed");
    v8::Isolate* isolate = environment().isolate();
    return {v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(value >> 32)),
            v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(value))};
  }

  double read_double() {
    double value = 0;
    if (!reader_.ReadDouble(&value)) throw_error(environment(), "ReadDouble() failed");
    return value;
  }

  /// The offset of so many bytes in the buffer.
  std::size_t read_raw_bytes(std::int64_t length) {
    const void* position = nullptr;
    if (length < 0 || !reader_.ReadRawBytes(static_cast<std::size_t>(length), &position)) {
      throw_error(environment(), "ReadRawBytes() failed");
    }
    return static_cast<std::size_t>(static_cast<const std::uint8_t*>(position) - data_.data());
  }

 private:
  MaybeLocal<Object> ReadHostObject(v8::Isolate* isolate) override {
    Local<Value> read;
    if (!find_method(*this, "_readHostObject").ToLocal(&read)) return {};
    if (!read->IsFunction()) return Delegate::ReadHostObject(isolate);
    // V8 forbids it where it reads.
    const v8::Isolate::AllowJavascriptExecutionScope allow(isolate);
    Local<Value> result;
    if (!read.As<v8::Function>()
             ->Call(environment().context(), object(), 0, nullptr)
             .ToLocal(&result)) {
      return {};
    }
    if (result->IsObject()) return result.As<Object>();
    isolate->ThrowException(
        v8::Exception::TypeError(environment().text("readHostObject must return an object")));
    return {};
  }

  std::shared_ptr<v8::BackingStore> store_;  // keeps the data, whatever the program does
  std::span<std::uint8_t> data_;
  v8::ValueDeserializer reader_;
};

/// (buffer)
void construct_deserializer(const Arguments& args) {
  check_construct_call(args, "Deserializer");
  Environment& environment = environment_of(args);
  const Local<Value> buffer = args[0];
  if (!buffer->IsArrayBufferView()) {
    throw_type_error(environment, "ERR_INVALID_ARG_TYPE",
                     "buffer must be a TypedArray or a DataView");
  }
  if (args.This()->Set(environment.context(), environment.name("buffer"), buffer).IsNothing()) {
    return;
  }
  new Deserializer(environment, args.This(), buffer.As<v8::ArrayBufferView>());
}

// ---- The binding --------------------------------------------------------------------------------

constexpr Method kSerializerMethods[] = {
    method<&Serializer::write_header>("writeHeader"),
    method<&Serializer::write_value>("writeValue"),
    method<&Serializer::release_buffer>("releaseBuffer"),
    method<&Serializer::transfer>("transferArrayBuffer"),
    method<&Serializer::write_uint32>("writeUint32"),
    method<&Serializer::write_uint64>("writeUint64"),
    method<&Serializer::write_double>("writeDouble"),
    method<&Serializer::write_raw_bytes>("writeRawBytes"),
    method<&Serializer::treat_views_as_host_objects>("_setTreatArrayBufferViewsAsHostObjects"),
};

constexpr Method kDeserializerMethods[] = {
    method<&Deserializer::read_header>("readHeader"),
    method<&Deserializer::read_value>("readValue"),
    method<&Deserializer::version>("getWireFormatVersion"),
    method<&Deserializer::transfer>("transferArrayBuffer"),
    method<&Deserializer::read_uint32>("readUint32"),
    method<&Deserializer::read_uint64>("readUint64"),
    method<&Deserializer::read_double>("readDouble"),
    method<&Deserializer::read_raw_bytes>("_readRawBytes"),
};

constexpr ClassShape kClasses[] = {
    {.name = "Serializer", .construct = construct_serializer, .methods = kSerializerMethods},
    {.name = "Deserializer",
     .construct = construct_deserializer,
     .methods = kDeserializerMethods,
     .length = 1},
};

}  // namespace

extern const Binding binding_serdes;
const Binding binding_serdes{.name = "serdes", .classes = kClasses};

}  // namespace rondo
