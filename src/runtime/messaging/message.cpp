#include "runtime/messaging/message.h"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/glue/cloneable.h"
#include "runtime/messaging/context_messaging.h"
#include "runtime/messaging/message_port.h"
#include "runtime/messaging/messaging_hooks.h"
#include "runtime/process/descriptors.h"

namespace rondo {
namespace {

using v8::Just;
using v8::Local;
using v8::Maybe;
using v8::MaybeLocal;
using v8::Nothing;

// How an object made in C++ is written: this number, then what the kind needs.
enum class Tag : std::uint32_t {
  port,         // an index into the transferred ports
  described,    // the name of a class, and a value to fill an object of it in with
  transferred,  // an index into the transferred objects, whose values come after the message's own
  native,       // an index into the data that is shared, and a value
  plain         // a plain object with the same properties
};

}  // namespace

// ---- Writing ------------------------------------------------------------------------------------

class Message::Writer final : public v8::ValueSerializer::Delegate {
 public:
  Writer(Environment& environment, Message& message)
      : environment_(environment),
        message_(message),
        context_(messaging_context(environment)),
        serializer_(environment.isolate(), this),
        host_kind_name_(host_kind_name(environment)),
        class_kind_name_(class_kind_name(environment)),
        object_prototype_(v8::Object::New(environment.isolate())->GetPrototypeV2()) {
    serializer_.WriteHeader();
  }

  /// False, with an exception pending, for what cannot be transferred.
  bool list(const std::vector<Local<v8::Object>>& transfer, const MessagePort* source) {
    source_ = source;
    for (const Local<v8::Object> object : transfer) {
      if (!list_one(object)) return false;
    }
    // These may have more to transfer: a stream has a port. The list grows meanwhile.
    for (std::size_t i = 0; i < transferred_.size(); ++i) {
      if (!list_parts(transferred_[i])) return false;
    }
    return true;
  }

  bool write(Local<v8::Value> value) {
    if (!serializer_.WriteValue(context_, value).FromMaybe(false)) return false;
    // Only now, when nothing of the value is in the way any more, are they asked to give themselves
    // up.
    for (const Local<v8::Object> object : transferred_) {
      if (!write_transferred(object)) return false;
    }
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

  // Called for every object. Some classes have the mark on their prototype.
  Maybe<bool> IsHostObject(v8::Isolate* isolate, Local<v8::Object> object) override {
    const Local<v8::Context> context = isolate->GetCurrentContext();
    const Maybe<bool> has_kind = object->HasPrivate(context, host_kind_name_);
    if (has_kind.IsNothing() || has_kind.FromJust()) return has_kind;
    Local<v8::Value> next = object->GetPrototypeV2();
    while (next->IsObject() && next != object_prototype_ && !next->IsProxy()) {
      const auto here = next.As<v8::Object>();
      const Maybe<bool> is_marked = here->HasPrivate(context, class_kind_name_);
      if (is_marked.IsNothing() || is_marked.FromJust()) return is_marked;
      next = here->GetPrototypeV2();
    }
    return Just(false);
  }

  Maybe<bool> WriteHostObject(v8::Isolate*, Local<v8::Object> object) override {
    switch (host_kind(environment_, object)) {
      case HostKind::port:
        return write_index(Tag::port, ports_, Wrapped::from<MessagePort>(object));
      case HostKind::described:
        return write_described(object);
      case HostKind::transferred:
        return write_index(Tag::transferred, transferred_, object);
      case HostKind::native:
        return write_native(object);
      case HostKind::plain:
        return write_plain(object);
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
  bool list_one(Local<v8::Object> object) {
    if (is_untransferable(environment_, object)) {
      return refuse("Cannot transfer object of unsupported type.");
    }
    if (object->IsArrayBuffer()) return list_buffer(object.As<v8::ArrayBuffer>());
    const HostKind kind = host_kind(environment_, object);
    if (kind == HostKind::port) return list_port(object);
    if (kind != HostKind::transferred) return refuse("Found invalid value in transferList.");
    if (std::ranges::find(transferred_, object) != transferred_.end()) {
      const v8::String::Utf8Value name(environment_.isolate(), object->GetConstructorName());
      return refuse("Transfer list contains duplicate " + std::string(*name));
    }
    transferred_.push_back(object);
    return true;
  }

  bool list_buffer(Local<v8::ArrayBuffer> buffer) {
    if (!buffer->IsDetachable() || buffer->WasDetached()) {
      return refuse("Cannot transfer object of unsupported type.");
    }
    if (std::ranges::find(buffers_, buffer) != buffers_.end()) {
      return refuse("Transfer list contains duplicate ArrayBuffer");
    }
    serializer_.TransferArrayBuffer(static_cast<std::uint32_t>(buffers_.size()), buffer);
    buffers_.push_back(buffer);
    return true;
  }

  bool list_port(Local<v8::Object> object) {
    MessagePort* port = Wrapped::from<MessagePort>(object);
    if (port != nullptr && port == source_) return refuse("Transfer list contains source port");
    if (port == nullptr || port->is_detached()) {
      return refuse("MessagePort in transfer list is already detached");
    }
    if (std::ranges::find(ports_, port) != ports_.end()) {
      return refuse("Transfer list contains duplicate MessagePort");
    }
    ports_.push_back(port);
    return true;
  }

  /// What has to be transferred with an object that is listed.
  bool list_parts(Local<v8::Object> object) {
    const Local<v8::Context> context = environment_.context();
    Local<v8::Value> parts;
    if (!call_hook("listTransfer", object).ToLocal(&parts)) return false;
    const auto list = parts.As<v8::Array>();
    for (std::uint32_t i = 0; i < list->Length(); ++i) {
      Local<v8::Value> item;
      if (!list->Get(context, i).ToLocal(&item)) return false;
      const auto part = item.As<v8::Object>();
      if (host_kind(environment_, part) == HostKind::port) {
        ports_.push_back(Wrapped::from<MessagePort>(part));
      } else if (std::ranges::find(transferred_, part) == transferred_.end()) {
        transferred_.push_back(part);
      } else {
        return refuse("The transfer list is invalid.");
      }
    }
    return true;
  }

  bool refuse(std::string_view message) {
    throw_data_clone_error(environment_, message);
    return false;
  }

  MaybeLocal<v8::Value> call_hook(std::string_view name, Local<v8::Value> argument) {
    return messaging_hook(environment_, name)
        ->Call(environment_.context(), v8::Undefined(environment_.isolate()), 1, &argument);
  }

  template <typename List, typename Item>
  Maybe<bool> write_index(Tag tag, const List& list, const Item& item) {
    const auto found = std::ranges::find(list, item);
    if (found == list.end()) {
      refuse("Object that needs transfer was found in message but not listed in transferList");
      return Nothing<bool>();
    }
    serializer_.WriteUint32(static_cast<std::uint32_t>(tag));
    serializer_.WriteUint32(static_cast<std::uint32_t>(found - list.begin()));
    return Just(true);
  }

  /// The name of the class that an object is of, a value to fill one in with, a descriptor that it
  /// owns or -1, and whether that is one of a file, which ends with the Worker that has it.
  bool describe(Local<v8::Object> object, Local<v8::Value> (&parts)[4]) {
    Local<v8::Value> description;
    if (!call_hook("describe", object).ToLocal(&description)) return false;
    for (const std::uint32_t index : {0U, 1U, 2U, 3U}) {
      if (!description.As<v8::Array>()->Get(environment_.context(), index).ToLocal(&parts[index])) {
        return false;
      }
    }
    return true;
  }

  Maybe<bool> write_described(Local<v8::Object> object) {
    Local<v8::Value> parts[4];
    if (!describe(object, parts)) return Nothing<bool>();
    serializer_.WriteUint32(static_cast<std::uint32_t>(Tag::described));
    for (const std::size_t index : {0U, 1U}) {
      if (serializer_.WriteValue(environment_.context(), parts[index]).IsNothing()) {
        return Nothing<bool>();
      }
    }
    return Just(true);
  }

  bool write_transferred(Local<v8::Object> object) {
    Local<v8::Value> parts[4];
    if (!describe(object, parts)) return false;
    const v8::String::Utf8Value name(environment_.isolate(), parts[0]);
    message_.transferred_.emplace_back(*name);
    const int fd = parts[2]->Int32Value(environment_.context()).FromMaybe(-1);
    if (fd >= 0) {
      const bool is_file = parts[3]->IsTrue();
      message_.descriptors_.push_back({Descriptor(fd), is_file});
      if (is_file && environment_.descriptors() != nullptr) {
        environment_.descriptors()->remove(fd);
      }
    }
    return serializer_.WriteValue(environment_.context(), parts[1]).IsJust();
  }

  Maybe<bool> write_native(Local<v8::Object> object) {
    const Cloneable* native = Wrapped::from<Cloneable>(object);
    if (native == nullptr) {
      throw_data_clone_error(environment_, "Cannot clone object of unsupported type.");
      return Nothing<bool>();
    }
    serializer_.WriteUint32(static_cast<std::uint32_t>(Tag::native));
    serializer_.WriteUint32(static_cast<std::uint32_t>(message_.clones_.size()));
    message_.clones_.push_back(native->share());
    return serializer_.WriteValue(environment_.context(), native->extra());
  }

  Maybe<bool> write_plain(Local<v8::Object> object) {
    const Local<v8::Context> context = environment_.context();
    const Local<v8::Object> copy = v8::Object::New(environment_.isolate());
    Local<v8::Array> keys;
    // As text: a number is not a v8::Name.
    const auto filter =
        static_cast<v8::PropertyFilter>(v8::ONLY_ENUMERABLE | v8::PropertyFilter::SKIP_SYMBOLS);
    if (!object->GetOwnPropertyNames(context, filter, v8::KeyConversionMode::kConvertToString)
             .ToLocal(&keys)) {
      return Nothing<bool>();
    }
    for (std::uint32_t i = 0; i < keys->Length(); ++i) {
      Local<v8::Value> key;
      Local<v8::Value> value;
      if (!keys->Get(context, i).ToLocal(&key) || !object->Get(context, key).ToLocal(&value) ||
          copy->CreateDataProperty(context, key.As<v8::Name>(), value).IsNothing()) {
        return Nothing<bool>();
      }
    }
    serializer_.WriteUint32(static_cast<std::uint32_t>(Tag::plain));
    return serializer_.WriteValue(context, copy);
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
  Local<v8::Context> context_;  // of the port that sends
  v8::ValueSerializer serializer_;
  Local<v8::Private> host_kind_name_;
  Local<v8::Private> class_kind_name_;
  Local<v8::Value> object_prototype_;
  std::vector<Local<v8::ArrayBuffer>> buffers_;
  std::vector<MessagePort*> ports_;
  std::vector<Local<v8::Object>> transferred_;  // of HostKind::transferred
  const MessagePort* source_ = nullptr;
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
  Reader(Environment& environment, Local<v8::Context> context, Message& message)
      : environment_(environment),
        context_(context),
        message_(message),
        deserializer_(environment.isolate(), message.data_.get(), message.size_, this) {}

  MaybeLocal<v8::Value> read() {
    v8::Isolate* isolate = environment_.isolate();
    const Local<v8::Context> context = context_;
    // A broadcast message carries none of these, and is read by several threads at once.
    std::vector<std::unique_ptr<PortEnd>> ends;
    if (!message_.ports_.empty()) ends.swap(message_.ports_);
    for (std::unique_ptr<PortEnd>& end : ends) {
      Local<v8::Object> port;
      if (!MessagePort::make(environment_, context, std::move(end)).ToLocal(&port)) return {};
      ports_.push_back(port);
    }
    std::uint32_t id = 0;
    std::vector<std::shared_ptr<v8::BackingStore>> stores;
    if (!message_.array_buffers_.empty()) stores.swap(message_.array_buffers_);
    for (std::shared_ptr<v8::BackingStore>& store : stores) {
      deserializer_.TransferArrayBuffer(id++, v8::ArrayBuffer::New(isolate, std::move(store)));
    }
    if (!message_.transferred_.empty() && !may_make_objects()) return {};
    for (const std::string& name : message_.transferred_) {
      Local<v8::Value> arguments[] = {environment_.text(name)};
      Local<v8::Value> object;
      if (!call_hook("instantiate", arguments).ToLocal(&object)) return {};
      transferred_.push_back(object.As<v8::Object>());
    }
    Local<v8::Value> value;
    if (deserializer_.ReadHeader(context).IsNothing() ||
        !deserializer_.ReadValue(context).ToLocal(&value)) {
      return {};
    }
    for (const Local<v8::Object> object : transferred_) {
      Local<v8::Value> arguments[2] = {object};
      if (!deserializer_.ReadValue(context).ToLocal(&arguments[1]) ||
          call_hook("fillIn", arguments).IsEmpty()) {
        return {};
      }
    }
    for (Carried& carried : message_.descriptors_) {
      const int fd = carried.descriptor.release();  // the object's now
      if (carried.is_file && environment_.descriptors() != nullptr) {
        environment_.descriptors()->add(fd);
      }
    }
    if (!message_.descriptors_.empty()) message_.descriptors_.clear();
    return value;
  }

  std::vector<Local<v8::Value>>& ports() noexcept { return ports_; }

  MaybeLocal<v8::Object> ReadHostObject(v8::Isolate* isolate) override {
    std::uint32_t tag = 0;
    if (!deserializer_.ReadUint32(&tag)) return {};
    if (static_cast<Tag>(tag) == Tag::port) return read_index(ports_);
    if (static_cast<Tag>(tag) == Tag::transferred) return read_index(transferred_);
    if (static_cast<Tag>(tag) != Tag::plain && !may_make_objects()) return {};
    if (static_cast<Tag>(tag) == Tag::native) return read_native(isolate);
    const Local<v8::Context> context = context_;
    if (static_cast<Tag>(tag) == Tag::plain) {
      Local<v8::Value> copy;
      if (!deserializer_.ReadValue(context).ToLocal(&copy)) return {};
      return copy.As<v8::Object>();
    }
    Local<v8::Value> description[2];
    for (Local<v8::Value>& value : description) {
      if (!deserializer_.ReadValue(context).ToLocal(&value)) return {};
    }
    // V8 forbids it where it reads, because it could not bear a change to what it reads from.
    const v8::Isolate::AllowJavascriptExecutionScope allow(isolate);
    Local<v8::Value> object;
    if (!call_hook("create", description).ToLocal(&object)) return {};
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
  /// Their classes are those of the main context. False with an exception pending.
  bool may_make_objects() {
    if (context_ == environment_.context()) return true;
    environment_.throw_(environment_.error(
        "ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE",
        "A message object could not be deserialized successfully in the target vm.Context"));
    return false;
  }

  MaybeLocal<v8::Object> read_native(v8::Isolate* isolate) {
    std::uint32_t index = 0;
    Local<v8::Value> extra;
    if (!deserializer_.ReadUint32(&index) || index >= message_.clones_.size() ||
        !deserializer_.ReadValue(context_).ToLocal(&extra)) {
      return {};
    }
    const v8::Isolate::AllowJavascriptExecutionScope allow(isolate);
    return message_.clones_[index]->make(environment_, extra);
  }

  template <typename List>
  MaybeLocal<v8::Object> read_index(const List& list) {
    std::uint32_t index = 0;
    if (!deserializer_.ReadUint32(&index) || index >= list.size()) return {};
    return list[index].template As<v8::Object>();
  }

  template <std::size_t count>
  MaybeLocal<v8::Value> call_hook(std::string_view name, Local<v8::Value> (&arguments)[count]) {
    return messaging_hook(environment_, name)
        ->Call(environment_.context(), v8::Undefined(environment_.isolate()), count, arguments);
  }

  Environment& environment_;
  Local<v8::Context> context_;
  Message& message_;
  v8::ValueDeserializer deserializer_;
  std::vector<Local<v8::Value>> ports_;
  std::vector<Local<v8::Object>> transferred_;
};

MaybeLocal<v8::Value> Message::read(Environment& environment, Local<v8::Context> context,
                                    Local<v8::Value>* ports) {
  const v8::Context::Scope scope(context);
  Reader reader(environment, context, *this);
  Local<v8::Value> value;
  if (!reader.read().ToLocal(&value)) return {};
  if (ports != nullptr) {
    *ports = v8::Array::New(environment.isolate(), reader.ports().data(), reader.ports().size());
  }
  return value;
}

constinit std::atomic<bool> Message::traces_origins_ = false;

Message::Message() = default;
Message::~Message() = default;

bool Message::carries(const PortEnd& end) const noexcept {
  return std::ranges::any_of(ports_, [&](const auto& port) { return port.get() == &end; });
}

}  // namespace rondo
