#include "runtime/message.h"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/environment.h"
#include "runtime/message_port.h"
#include "runtime/messaging_hooks.h"

namespace rondo {
namespace {

using v8::Just;
using v8::Local;
using v8::Maybe;
using v8::MaybeLocal;
using v8::Nothing;

// How an object made in C++ is written: this number, then what the kind needs.
enum class Tag : std::uint32_t {
  port,      // an index into the ports handed over
  described  // the name of a class, and a value to fill an object of it in with
};

}  // namespace

// ---- Writing ------------------------------------------------------------------------------------

class Message::Writer final : public v8::ValueSerializer::Delegate {
 public:
  Writer(Environment& environment, Message& message)
      : environment_(environment),
        message_(message),
        serializer_(environment.isolate(), this),
        host_kind_name_(host_kind_name(environment)) {
    serializer_.WriteHeader();
  }

  /// False, with an exception under way, for what cannot be handed over.
  bool list(const std::vector<Local<v8::Object>>& transfer, const MessagePort* source) {
    return std::ranges::all_of(transfer,
                               [&](Local<v8::Object> object) { return list_one(object, source); });
  }

  bool write(Local<v8::Value> value) {
    if (!serializer_.WriteValue(environment_.context(), value).FromMaybe(false)) return false;
    const auto [data, size] = serializer_.Release();
    message_.data_.reset(data);
    message_.size_ = size;
    hand_over();
    return true;
  }

  void ThrowDataCloneError(Local<v8::String> message) override {
    throw_data_clone_error(environment_, message);
  }

  bool HasCustomHostObject(v8::Isolate*) override { return true; }

  // Called for every object.
  Maybe<bool> IsHostObject(v8::Isolate* isolate, Local<v8::Object> object) override {
    return object->HasPrivate(isolate->GetCurrentContext(), host_kind_name_);
  }

  Maybe<bool> WriteHostObject(v8::Isolate*, Local<v8::Object> object) override {
    switch (host_kind(environment_, object)) {
      case HostKind::port:
        return write_port(object);
      case HostKind::described:
        return write_described(object);
      case HostKind::transferred:
        if (std::ranges::find(listed_, object) != listed_.end()) return write_described(object);
        throw_not_listed();
        return Nothing<bool>();
      case HostKind::none:
      case HostKind::uncloneable:
        break;
    }
    throw_data_clone_error(environment_, "Cannot clone object of unsupported type.");
    return Nothing<bool>();
  }

  Maybe<std::uint32_t> GetSharedArrayBufferId(v8::Isolate*,
                                              Local<v8::SharedArrayBuffer> buffer) override {
    auto& stores = message_.shared_array_buffers_;
    std::shared_ptr<v8::BackingStore> store = buffer->GetBackingStore();
    const auto found = std::ranges::find(stores, store);
    const auto index = static_cast<std::uint32_t>(found - stores.begin());
    if (found == stores.end()) stores.push_back(std::move(store));
    return Just(index);
  }

  Maybe<std::uint32_t> GetWasmModuleTransferId(v8::Isolate*,
                                               Local<v8::WasmModuleObject> module) override {
    message_.wasm_modules_.push_back(module->GetCompiledModule());
    return Just(static_cast<std::uint32_t>(message_.wasm_modules_.size() - 1));
  }

 private:
  bool list_one(Local<v8::Object> object, const MessagePort* source) {
    if (is_untransferable(environment_, object)) {
      throw_data_clone_error(environment_, "Cannot transfer object of unsupported type.");
      return false;
    }
    if (object->IsArrayBuffer()) return list_buffer(object.As<v8::ArrayBuffer>());
    const HostKind kind = host_kind(environment_, object);
    if (kind == HostKind::described) return true;  // copied all the same
    if (kind == HostKind::port) return list_port(object, source);
    if (kind == HostKind::transferred) return list_transferred(object);
    throw_data_clone_error(environment_, "Found invalid value in transferList.");
    return false;
  }

  bool list_buffer(Local<v8::ArrayBuffer> buffer) {
    if (!buffer->IsDetachable()) return true;
    if (std::ranges::find(buffers_, buffer) != buffers_.end()) {
      throw_data_clone_error(environment_, "Transfer list contains duplicate ArrayBuffer");
      return false;
    }
    serializer_.TransferArrayBuffer(static_cast<std::uint32_t>(buffers_.size()), buffer);
    buffers_.push_back(buffer);
    return true;
  }

  /// The object itself may have more to hand over: a signal has a port.
  bool list_transferred(Local<v8::Object> object) {
    listed_.push_back(object);
    const Local<v8::Context> context = environment_.context();
    Local<v8::Value> argument = object;
    Local<v8::Value> more;
    if (!messaging_hook(environment_, "listTransfer")
             ->Call(context, v8::Undefined(environment_.isolate()), 1, &argument)
             .ToLocal(&more)) {
      return false;
    }
    const auto list = more.As<v8::Array>();
    for (std::uint32_t i = 0; i < list->Length(); ++i) {
      Local<v8::Value> item;
      if (!list->Get(context, i).ToLocal(&item) || !list_one(item.As<v8::Object>(), nullptr)) {
        return false;
      }
    }
    return true;
  }

  bool list_port(Local<v8::Object> object, const MessagePort* source) {
    MessagePort* port = Wrapped::from<MessagePort>(object);
    if (port != nullptr && port == source) {
      throw_data_clone_error(environment_, "Transfer list contains source port");
      return false;
    }
    if (port == nullptr || port->is_detached()) {
      throw_data_clone_error(environment_, "MessagePort in transfer list is already detached");
      return false;
    }
    if (std::ranges::find(ports_, port) != ports_.end()) {
      throw_data_clone_error(environment_, "Transfer list contains duplicate MessagePort");
      return false;
    }
    ports_.push_back(port);
    return true;
  }

  void throw_not_listed() {
    throw_data_clone_error(
        environment_,
        "Object that needs transfer was found in message but not listed in transferList");
  }

  Maybe<bool> write_port(Local<v8::Object> object) {
    const auto found = std::ranges::find(ports_, Wrapped::from<MessagePort>(object));
    if (found == ports_.end()) {
      throw_not_listed();
      return Nothing<bool>();
    }
    serializer_.WriteUint32(static_cast<std::uint32_t>(Tag::port));
    serializer_.WriteUint32(static_cast<std::uint32_t>(found - ports_.begin()));
    return Just(true);
  }

  Maybe<bool> write_described(Local<v8::Object> object) {
    const Local<v8::Context> context = environment_.context();
    Local<v8::Value> argument = object;
    Local<v8::Value> description;
    if (!messaging_hook(environment_, "describe")
             ->Call(context, v8::Undefined(environment_.isolate()), 1, &argument)
             .ToLocal(&description)) {
      return Nothing<bool>();
    }
    // [name of the class, value]
    const auto pair = description.As<v8::Array>();
    serializer_.WriteUint32(static_cast<std::uint32_t>(Tag::described));
    for (const std::uint32_t index : {0U, 1U}) {
      Local<v8::Value> value;
      if (!pair->Get(context, index).ToLocal(&value) ||
          serializer_.WriteValue(context, value).IsNothing()) {
        return Nothing<bool>();
      }
    }
    return Just(true);
  }

  void hand_over() {
    for (const Local<v8::ArrayBuffer> buffer : buffers_) {
      message_.array_buffers_.push_back(buffer->GetBackingStore());
      buffer->Detach();
    }
    for (MessagePort* port : ports_) message_.ports_.push_back(port->detach());
  }

  Environment& environment_;
  Message& message_;
  v8::ValueSerializer serializer_;
  Local<v8::Private> host_kind_name_;
  std::vector<Local<v8::ArrayBuffer>> buffers_;
  std::vector<MessagePort*> ports_;
  std::vector<Local<v8::Object>> listed_;  // of HostKind::transferred
};

std::shared_ptr<Message> Message::write(Environment& environment, Local<v8::Value> value,
                                        const std::vector<Local<v8::Object>>& transfer,
                                        MessagePort* source) {
  auto message = std::make_shared<Message>();
  Writer writer(environment, *message);
  if (!writer.list(transfer, source) || !writer.write(value)) return nullptr;
  return message;
}

// ---- Reading ------------------------------------------------------------------------------------

class Message::Reader final : public v8::ValueDeserializer::Delegate {
 public:
  Reader(Environment& environment, Message& message)
      : environment_(environment),
        message_(message),
        deserializer_(environment.isolate(), message.data_.get(), message.size_, this) {}

  MaybeLocal<v8::Value> read() {
    v8::Isolate* isolate = environment_.isolate();
    const Local<v8::Context> context = environment_.context();
    for (std::unique_ptr<PortEnd>& end : std::exchange(message_.ports_, {})) {
      Local<v8::Object> port;
      if (!MessagePort::make(environment_, std::move(end)).ToLocal(&port)) return {};
      ports_.push_back(port);
    }
    std::uint32_t id = 0;
    for (std::shared_ptr<v8::BackingStore>& store : std::exchange(message_.array_buffers_, {})) {
      deserializer_.TransferArrayBuffer(id++, v8::ArrayBuffer::New(isolate, std::move(store)));
    }
    if (deserializer_.ReadHeader(context).IsNothing()) return {};
    return deserializer_.ReadValue(context);
  }

  std::vector<Local<v8::Value>>& ports() noexcept { return ports_; }

  MaybeLocal<v8::Object> ReadHostObject(v8::Isolate* isolate) override {
    std::uint32_t tag = 0;
    if (!deserializer_.ReadUint32(&tag)) return {};
    if (static_cast<Tag>(tag) == Tag::port) {
      std::uint32_t index = 0;
      if (!deserializer_.ReadUint32(&index) || index >= ports_.size()) return {};
      return ports_[index].As<v8::Object>();
    }
    const Local<v8::Context> context = environment_.context();
    Local<v8::Value> description[2];
    for (Local<v8::Value>& value : description) {
      if (!deserializer_.ReadValue(context).ToLocal(&value)) return {};
    }
    // V8 forbids it where it reads, because it could not bear a change to what it reads from.
    const v8::Isolate::AllowJavascriptExecutionScope allow(isolate);
    Local<v8::Value> object;
    if (!messaging_hook(environment_, "create")
             ->Call(context, v8::Undefined(isolate), 2, description)
             .ToLocal(&object)) {
      return {};
    }
    return object.As<v8::Object>();
  }

  MaybeLocal<v8::WasmModuleObject> GetWasmModuleFromId(v8::Isolate* isolate,
                                                       std::uint32_t id) override {
    if (id >= message_.wasm_modules_.size()) return {};
    return v8::WasmModuleObject::FromCompiledModule(isolate, message_.wasm_modules_[id]);
  }

  MaybeLocal<v8::SharedArrayBuffer> GetSharedArrayBufferFromId(v8::Isolate* isolate,
                                                               std::uint32_t id) override {
    if (id >= message_.shared_array_buffers_.size()) return {};
    return v8::SharedArrayBuffer::New(isolate, message_.shared_array_buffers_[id]);
  }

 private:
  Environment& environment_;
  Message& message_;
  v8::ValueDeserializer deserializer_;
  std::vector<Local<v8::Value>> ports_;
};

MaybeLocal<v8::Value> Message::read(Environment& environment, Local<v8::Value>* ports) {
  const v8::Context::Scope scope(environment.context());
  Reader reader(environment, *this);
  Local<v8::Value> value;
  if (!reader.read().ToLocal(&value)) return {};
  if (ports != nullptr) {
    *ports = v8::Array::New(environment.isolate(), reader.ports().data(), reader.ports().size());
  }
  return value;
}

Message::Message() = default;
Message::~Message() = default;

bool Message::carries(const PortEnd& end) const noexcept {
  return std::ranges::any_of(ports_, [&](const auto& port) { return port.get() == &end; });
}

}  // namespace rondo
