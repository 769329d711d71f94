// V8's serializer for programs: the base classes of v8.Serializer and v8.Deserializer, which
// subclasses complete with methods for what V8 leaves open.
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "runtime/bytes/buffer.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"
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

void throw_type_error(const Arguments& args, std::string_view code, std::string_view message) {
  args.GetIsolate()->ThrowException(environment_of(args).type_error(code, message));
}

void throw_error(const Arguments& args, std::string_view message) {
  args.GetIsolate()->ThrowException(v8::Exception::Error(environment_of(args).text(message)));
}

bool check_construct_call(const Arguments& args, std::string_view name) {
  if (args.IsConstructCall()) return true;
  throw_type_error(args, "ERR_CONSTRUCT_CALL_REQUIRED",
                   "Class constructor " + std::string(name) + " cannot be invoked without 'new'");
  return false;
}

bool uint32_at(const Arguments& args, int position, std::uint32_t& value) {
  return args[position]->Uint32Value(args.GetIsolate()->GetCurrentContext()).To(&value);
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

  static Serializer* of(const Arguments& args) { return from<Serializer>(args.This()); }

  v8::ValueSerializer& writer() noexcept { return writer_; }
  void write_header() { writer_.WriteHeader(); }

  MaybeLocal<Object> release() {
    const auto [data, size] = writer_.Release();
    return make_buffer_of_malloc(environment(), data, size);
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
  if (check_construct_call(args, "Serializer")) new Serializer(environment_of(args), args.This());
}

void write_header(const Arguments& args) {
  Serializer::of(args)->write_header();
}

void write_value(const Arguments& args) {
  const Maybe<bool> done =
      Serializer::of(args)->writer().WriteValue(args.GetIsolate()->GetCurrentContext(), args[0]);
  if (done.IsJust()) args.GetReturnValue().Set(done.FromJust());
}

void release_buffer(const Arguments& args) {
  Local<Object> buffer;
  if (Serializer::of(args)->release().ToLocal(&buffer)) args.GetReturnValue().Set(buffer);
}

/// (id, ArrayBuffer)
void write_transfer(const Arguments& args) {
  std::uint32_t id = 0;
  if (!uint32_at(args, 0, id)) return;
  if (!args[1]->IsArrayBuffer()) {
    throw_type_error(args, "ERR_INVALID_ARG_TYPE", "arrayBuffer must be an ArrayBuffer");
    return;
  }
  Serializer::of(args)->writer().TransferArrayBuffer(id, args[1].As<v8::ArrayBuffer>());
}

void write_uint32(const Arguments& args) {
  std::uint32_t value = 0;
  if (uint32_at(args, 0, value)) Serializer::of(args)->writer().WriteUint32(value);
}

/// (high half, low half)
void write_uint64(const Arguments& args) {
  std::uint32_t high = 0;
  std::uint32_t low = 0;
  if (!uint32_at(args, 0, high) || !uint32_at(args, 1, low)) return;
  Serializer::of(args)->writer().WriteUint64(std::uint64_t{high} << 32 | low);
}

void write_double(const Arguments& args) {
  double value = 0;
  if (args[0]->NumberValue(args.GetIsolate()->GetCurrentContext()).To(&value)) {
    Serializer::of(args)->writer().WriteDouble(value);
  }
}

void write_raw_bytes(const Arguments& args) {
  if (!args[0]->IsArrayBufferView()) {
    throw_type_error(args, "ERR_INVALID_ARG_TYPE", "source must be a TypedArray or a DataView");
    return;
  }
  const ReadBytes bytes(args[0]);
  Serializer::of(args)->writer().WriteRawBytes(bytes.get().data(), bytes.get().size());
}

void treat_views_as_host_objects(const Arguments& args) {
  Serializer::of(args)->writer().SetTreatArrayBufferViewsAsHostObjects(
      args[0]->BooleanValue(args.GetIsolate()));
}

// ---- Reading ------------------------------------------------------------------------------------

class Deserializer final : public Wrapped, private v8::ValueDeserializer::Delegate {
 public:
  Deserializer(Environment& environment, Local<Object> object, Local<v8::ArrayBufferView> view)
      : Wrapped(environment, object),
        store_(view->Buffer()->GetBackingStore()),
        data_(bytes_of(view)),
        reader_(environment.isolate(), data_.data(), data_.size(), this) {}

  static Deserializer* of(const Arguments& args) { return from<Deserializer>(args.This()); }

  v8::ValueDeserializer& reader() noexcept { return reader_; }

  Maybe<bool> read_header() { return reader_.ReadHeader(environment().context()); }

  std::uint32_t version() const { return reader_.GetWireFormatVersion(); }

  std::size_t offset_of(const void* position) const noexcept {
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
  if (!check_construct_call(args, "Deserializer")) return;
  if (!args[0]->IsArrayBufferView()) {
    throw_type_error(args, "ERR_INVALID_ARG_TYPE", "buffer must be a TypedArray or a DataView");
    return;
  }
  Environment& environment = environment_of(args);
  if (args.This()->Set(environment.context(), environment.name("buffer"), args[0]).IsNothing()) {
    return;
  }
  new Deserializer(environment, args.This(), args[0].As<v8::ArrayBufferView>());
}

void read_header(const Arguments& args) {
  const Maybe<bool> result = Deserializer::of(args)->read_header();
  if (result.IsJust()) args.GetReturnValue().Set(result.FromJust());
}

void read_value(const Arguments& args) {
  Local<Value> value;
  if (Deserializer::of(args)
          ->reader()
          .ReadValue(args.GetIsolate()->GetCurrentContext())
          .ToLocal(&value)) {
    args.GetReturnValue().Set(value);
  }
}

void get_wire_format_version(const Arguments& args) {
  args.GetReturnValue().Set(Deserializer::of(args)->version());
}

/// (id, ArrayBuffer or SharedArrayBuffer)
void read_transfer(const Arguments& args) {
  std::uint32_t id = 0;
  if (!uint32_at(args, 0, id)) return;
  v8::ValueDeserializer& reader = Deserializer::of(args)->reader();
  if (args[1]->IsArrayBuffer()) {
    reader.TransferArrayBuffer(id, args[1].As<v8::ArrayBuffer>());
  } else if (args[1]->IsSharedArrayBuffer()) {
    reader.TransferSharedArrayBuffer(id, args[1].As<v8::SharedArrayBuffer>());
  } else {
    throw_type_error(args, "ERR_INVALID_ARG_TYPE",
                     "arrayBuffer must be an ArrayBuffer or SharedArrayBuffer");
  }
}

void read_uint32(const Arguments& args) {
  std::uint32_t value = 0;
  if (!Deserializer::of(args)->reader().ReadUint32(&value)) {
    return throw_error(args, "ReadUint32() failed");
  }
  args.GetReturnValue().Set(value);
}

/// [high half, low half]
void read_uint64(const Arguments& args) {
  std::uint64_t value = 0;
  if (!Deserializer::of(args)->reader().ReadUint64(&value)) {
    return throw_error(args, "ReadUint64() failed");
  }
  v8::Isolate* isolate = args.GetIsolate();
  Local<Value> halves[] = {
      v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(value >> 32)),
      v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(value)),
  };
  args.GetReturnValue().Set(v8::Array::New(isolate, halves, std::size(halves)));
}

void read_double(const Arguments& args) {
  double value = 0;
  if (!Deserializer::of(args)->reader().ReadDouble(&value)) {
    return throw_error(args, "ReadDouble() failed");
  }
  args.GetReturnValue().Set(value);
}

/// (length): the offset of so many bytes in the buffer
void read_raw_bytes(const Arguments& args) {
  std::int64_t length = 0;
  if (!args[0]->IntegerValue(args.GetIsolate()->GetCurrentContext()).To(&length)) return;
  Deserializer& deserializer = *Deserializer::of(args);
  const void* position = nullptr;
  if (length < 0 ||
      !deserializer.reader().ReadRawBytes(static_cast<std::size_t>(length), &position)) {
    return throw_error(args, "ReadRawBytes() failed");
  }
  args.GetReturnValue().Set(static_cast<double>(deserializer.offset_of(position)));
}

// ---- The binding --------------------------------------------------------------------------------

constexpr Method kSerializerMethods[] = {
    {"writeHeader", write_header},
    {"writeValue", write_value},
    {"releaseBuffer", release_buffer},
    {"transferArrayBuffer", write_transfer},
    {"writeUint32", write_uint32},
    {"writeUint64", write_uint64},
    {"writeDouble", write_double},
    {"writeRawBytes", write_raw_bytes},
    {"_setTreatArrayBufferViewsAsHostObjects", treat_views_as_host_objects},
};

constexpr Method kDeserializerMethods[] = {
    {"readHeader", read_header},
    {"readValue", read_value},
    {"getWireFormatVersion", get_wire_format_version},
    {"transferArrayBuffer", read_transfer},
    {"readUint32", read_uint32},
    {"readUint64", read_uint64},
    {"readDouble", read_double},
    {"_readRawBytes", read_raw_bytes},
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
