// structuredClone(), MessageChannel, MessagePort and what they need.
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/messaging/context_messaging.h"
#include "runtime/messaging/message.h"
#include "runtime/messaging/message_port.h"
#include "runtime/messaging/messaging_hooks.h"
#include "runtime/modules/sandbox.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Object;
using v8::Value;

Environment& environment_of(const Arguments& args) {
  return Environment::of(args.GetIsolate());
}

void throw_type_error(const Arguments& args, std::string_view code, std::string_view message) {
  args.GetIsolate()->ThrowException(environment_of(args).type_error(code, message));
}

// What it throws reaches our caller.
void call_hook(Environment& environment, std::string_view name, Local<Value> argument) {
  const v8::MaybeLocal<Value> result =
      messaging_hook(environment, name)
          ->Call(environment.context(), v8::Undefined(environment.isolate()), 1, &argument);
  static_cast<void>(result);
}

// ---- Lists of objects to transfer --------------------------------------------------------------

/// Appends the objects of an iterable; what is iterable at all, lib/ knows. False with an exception
/// pending; `iterable` returns whether it was one.
bool read_list(const Arguments& args, Local<Value> value, std::vector<Local<Object>>& list,
               bool& iterable, void (*throw_invalid)(const Arguments& args, std::uint32_t index)) {
  Environment& environment = environment_of(args);
  const Local<v8::Context> context = environment.context();
  Local<Value> array;
  if (!messaging_hook(environment, "readIterable")
           ->Call(context, v8::Undefined(args.GetIsolate()), 1, &value)
           .ToLocal(&array)) {
    return false;
  }
  iterable = array->IsArray();
  if (!iterable) return true;
  const std::uint32_t length = array.As<v8::Array>()->Length();
  for (std::uint32_t i = 0; i < length; ++i) {
    Local<Value> item;
    if (!array.As<v8::Array>()->Get(context, i).ToLocal(&item)) return false;
    if (!item->IsObject()) {
      throw_invalid(args, i);
      return false;
    }
    list.push_back(item.As<Object>());
  }
  return true;
}

/// The property `transfer` of options.
v8::MaybeLocal<Value> transfer_option(const Arguments& args, Local<Value> options) {
  Environment& environment = environment_of(args);
  return options.As<Object>()->Get(environment.context(), environment.name("transfer"));
}

constexpr std::string_view kCloneFailed = "Failed to execute 'structuredClone': ";

void throw_clone_error(const Arguments& args, const std::string& message) {
  throw_type_error(args, "ERR_INVALID_ARG_TYPE", std::string(kCloneFailed) + message);
}

void throw_invalid_clone_item(const Arguments& args, std::uint32_t index) {
  throw_clone_error(args, "transfer in Options[" + std::to_string(index) + "] is not an object.");
}

void throw_invalid_post_item(const Arguments& args, std::uint32_t) {
  throw_data_clone_error(environment_of(args), "Found invalid value in transferList.");
}

/// The list of structuredClone().
bool read_clone_options(const Arguments& args, std::vector<Local<Object>>& list) {
  if (args[1]->IsNullOrUndefined()) return true;
  if (!args[1]->IsObject()) {
    throw_clone_error(args, "Options cannot be converted to a dictionary");
    return false;
  }
  Local<Value> transfer;
  if (!transfer_option(args, args[1]).ToLocal(&transfer)) return false;
  if (transfer->IsUndefined()) return true;
  bool iterable = false;
  if (transfer->IsObject() &&
      !read_list(args, transfer, list, iterable, throw_invalid_clone_item)) {
    return false;
  }
  if (!iterable) throw_clone_error(args, "transfer in Options cannot be converted to sequence.");
  return iterable;
}

/// The list of postMessage(): the argument itself, or its property `transfer`.
bool read_post_options(const Arguments& args, std::vector<Local<Object>>& list) {
  if (args[1]->IsNullOrUndefined()) return true;
  if (!args[1]->IsObject()) {
    throw_type_error(args, "ERR_INVALID_ARG_TYPE",
                     "Optional transferList argument must be an iterable");
    return false;
  }
  bool iterable = false;
  if (!read_list(args, args[1], list, iterable, throw_invalid_post_item)) return false;
  if (iterable) return true;
  Local<Value> transfer;
  if (!transfer_option(args, args[1]).ToLocal(&transfer)) return false;
  if (transfer->IsUndefined()) return true;
  if (transfer->IsObject() && !read_list(args, transfer, list, iterable, throw_invalid_post_item)) {
    return false;
  }
  if (!iterable) {
    throw_type_error(args, "ERR_INVALID_ARG_TYPE",
                     "Optional options.transfer argument must be an iterable");
  }
  return iterable;
}

// ---- structuredClone ----------------------------------------------------------------------------

/// (value, options)
void structured_clone(const Arguments& args) {
  if (args.Length() == 0) {
    throw_type_error(args, "ERR_MISSING_ARGS",
                     "The \"The value argument must be specified\" argument must be specified");
    return;
  }
  std::vector<Local<Object>> transfer;
  if (!read_clone_options(args, transfer)) return;
  Environment& environment = environment_of(args);
  const std::shared_ptr<Message> message = Message::write(environment, args[0], transfer);
  if (message == nullptr) return;
  Local<Value> clone;
  if (message->read(environment, environment.context()).ToLocal(&clone))
    args.GetReturnValue().Set(clone);
}

// ---- Classes ------------------------------------------------------------------------------------

void construct_port(const Arguments& args) {
  if (!args.IsConstructCall() || !args[0]->IsExternal()) {
    throw_type_error(args, "ERR_CONSTRUCT_CALL_INVALID", "Constructor cannot be called");
    return;
  }
  Environment& environment = environment_of(args);
  auto& end = *static_cast<std::unique_ptr<PortEnd>*>(args[0].As<v8::External>()->Value());
  const auto* port = new MessagePort(PortHub::of(environment), args.This(), std::move(end));
  if (!port->is_moved()) return call_hook(environment, "initializePort", args.This());
  Local<Object> messaging;
  Local<Value> emit;
  const Local<v8::Context> context = port->context();
  if (!context_messaging(environment, context).ToLocal(&messaging) ||
      !messaging->Get(context, environment.name("emitMessage")).ToLocal(&emit)) {
    return;
  }
  Local<Value> arguments[] = {args.This(), emit};
  std::ignore = messaging_hook(environment, "initializeMovedPort")
                    ->Call(environment.context(), v8::Undefined(args.GetIsolate()),
                           static_cast<int>(std::size(arguments)), arguments);
}

void construct_channel(const Arguments& args) {
  if (!args.IsConstructCall()) {
    throw_type_error(args, "ERR_CONSTRUCT_CALL_REQUIRED", "Cannot call constructor without `new`");
    return;
  }
  Environment& environment = environment_of(args);
  const auto group = std::make_shared<PortGroup>(PortGroup::Kind::channel);
  std::unique_ptr<PortEnd> ends[] = {std::make_unique<PortEnd>(group),
                                     std::make_unique<PortEnd>(group)};
  constexpr std::string_view names[] = {"port1", "port2"};
  for (std::size_t i = 0; i < std::size(ends); ++i) {
    Local<Object> port;
    if (!MessagePort::make(environment, environment.context(), std::move(ends[i])).ToLocal(&port)) {
      return;
    }
    if (args.This()->Set(environment.context(), environment.name(names[i]), port).IsNothing()) {
      return;
    }
  }
}

/// What ports of another context inherit from.
void refuse_construction(const Arguments& args) {
  throw_type_error(args, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
}

/// The base of objects that describe what to write: see lib/internal/messaging/transferable.js.
void construct_transferable(const Arguments& args) {
  args.This()->SetAlignedPointerInInternalField(0, nullptr, v8::kEmbedderDataTypeTagDefault);
  set_host_kind(environment_of(args), args.This(), HostKind::described);
}

// ---- Methods of MessagePort ---------------------------------------------------------------------

double origin_of_message(Environment& environment) {
  Local<Value> origin;
  return messaging_hook(environment, "originOfMessage")
                 ->Call(environment.context(), v8::Undefined(environment.isolate()), 0, nullptr)
                 .ToLocal(&origin)
             ? origin.As<v8::Number>()->Value()
             : 0;
}

/// (value, list or options): true if there was a receiver
void post_message(const Arguments& args) {
  if (args.Length() == 0) {
    throw_type_error(args, "ERR_MISSING_ARGS", "Not enough arguments to MessagePort.postMessage");
    return;
  }
  std::vector<Local<Object>> transfer;
  if (!read_post_options(args, transfer)) return;
  Environment& environment = environment_of(args);
  auto* const port = Wrapped::from<MessagePort>(args.This());
  const std::shared_ptr<Message> message = Message::write(environment, args[0], transfer, port);
  if (message == nullptr || port == nullptr || port->is_detached()) return;
  if (Message::traces_origins()) message->set_origin(origin_of_message(environment));
  if (!port->send(message)) {
    call_hook(environment, "emitWarning",
              environment.text("The target port was posted to itself, and the communication "
                               "channel was lost"));
  }
  args.GetReturnValue().Set(true);
}

// A program can call them on an object that only inherits from a port.

void start_port(This<MessagePort> port) {
  if (port.get() != nullptr) port->start();
}

void close_port(This<MessagePort> port) {
  if (port.get() != nullptr) port->close();
}

void ref_port(This<MessagePort> port) {
  if (port.get() != nullptr) port->ref();
}

void unref_port(This<MessagePort> port) {
  if (port.get() != nullptr) port->unref();
}

/// Undefined once it is closed
std::optional<bool> has_ref(This<MessagePort> port) {
  if (port.get() == nullptr || port->is_closed()) return std::nullopt;
  return port->has_ref();
}

// ---- Functions ----------------------------------------------------------------------------------

/// Null for what is not a port.
MessagePort* to_port(Environment& environment, Local<Value> value) {
  if (!value->IsObject() || host_kind(environment, value.As<Object>()) != HostKind::port) {
    return nullptr;
  }
  return Wrapped::from<MessagePort>(value);
}

bool check_message_port(Environment& environment, Local<Value> value) {
  return to_port(environment, value) != nullptr;
}

void stop_message_port(Environment& environment, Local<Value> value) {
  if (MessagePort* port = to_port(environment, value)) port->stop();
}

/// (port): [message], or undefined if there is none
v8::MaybeLocal<Value> receive_message_on_port(Environment& environment, Local<Value> value) {
  MessagePort* const port = to_port(environment, value);
  if (port == nullptr) return {};
  const std::shared_ptr<Message> message = port->take();
  if (message == nullptr) return {};
  Local<Value> received;
  if (!message->read(environment, port->context()).ToLocal(&received)) return {};
  return v8::Array::New(environment.isolate(), &received, 1);
}

/// (port): has all that waits delivered, now
void drain_message_port(Environment& environment, Local<Value> value) {
  if (MessagePort* port = to_port(environment, value)) port->drain();
}

/// (name): a port among all those with this name
v8::MaybeLocal<Object> broadcast_channel(Environment& environment, const std::string& name) {
  auto end = std::make_unique<PortEnd>(PortGroup::broadcast(name));
  return MessagePort::make(environment, environment.context(), std::move(end));
}

/// (port, sandbox): a port of that context at the same end; undefined if the port is closed, null
/// if that is not a context
v8::MaybeLocal<Value> move_message_port(Environment& environment, Local<Value> value,
                                        Local<Value> sandbox) {
  MessagePort* const port = to_port(environment, value);
  if (port == nullptr || port->is_detached()) return {};
  Local<v8::Context> context;
  if (!sandbox_context(environment, sandbox).ToLocal(&context)) {
    return v8::Null(environment.isolate());
  }
  const v8::Context::Scope scope(context);
  // What it needs is there before the port gives up its end.
  if (context_messaging(environment, context).IsEmpty()) return {};
  Local<Object> moved;
  if (!MessagePort::make(environment, context, port->detach()).ToLocal(&moved)) return {};
  return moved;
}

/// (): those that are open, in the order in which they were made
std::vector<Local<Value>> open_ports(Environment& environment) {
  std::vector<Local<Value>> open;
  for (const MessagePort* port : PortHub::of(environment).ports()) {
    if (port != nullptr) open.push_back(port->object());
  }
  return open;
}

void mark_as_untransferable(Environment& environment, Local<Object> object) {
  mark_untransferable(environment, object);
}

bool is_marked_as_untransferable(Environment& environment, Local<Object> object) {
  return is_untransferable(environment, object);
}

/// (the prototype of a class, kind)
void set_kind_of_class(Environment& environment, Local<Object> prototype, HostKind kind) {
  set_class_kind(environment, prototype, kind);
}

void set_kind(Environment& environment, Local<Object> object, HostKind kind) {
  set_host_kind(environment, object, kind);
}

void set_hooks(Environment& environment, Local<Object> hooks) {
  set_messaging_hooks(environment, hooks);
}

// ---- The binding --------------------------------------------------------------------------------

constexpr Method kPortMethods[] = {
    {"postMessage", post_message}, method<start_port>("start"), method<close_port>("close"),
    method<ref_port>("ref"),       method<unref_port>("unref"), method<has_ref>("hasRef"),
};

void extend(Environment& environment, Local<Object> target) {
  set_value(environment, target, "kDescribed", static_cast<int>(HostKind::described));
  set_value(environment, target, "kTransferred", static_cast<int>(HostKind::transferred));
  set_value(environment, target, "kUncloneable", static_cast<int>(HostKind::uncloneable));
}

constexpr Method kMethods[] = {
    {"structuredClone", structured_clone},
    method<check_message_port>("checkMessagePort"),
    method<stop_message_port>("stopMessagePort"),
    method<receive_message_on_port>("receiveMessageOnPort"),
    method<drain_message_port>("drainMessagePort"),
    method<broadcast_channel>("broadcastChannel"),
    method<move_message_port>("moveMessagePort"),
    method<open_ports>("openPorts"),
    method<mark_as_untransferable>("markAsUntransferable"),
    method<is_marked_as_untransferable>("isMarkedAsUntransferable"),
    method<set_kind_of_class>("setClassKind"),
    method<set_kind>("setHostKind"),
    method<set_hooks>("setHooks"),
    method<Message::trace_origins>("traceOrigins"),
};

constexpr ClassShape kClasses[] = {
    {"MessagePort", construct_port, kPortMethods},
    {.name = "MessageChannel", .construct = construct_channel, .fields = 0},
    {"JSTransferable", construct_transferable},
};

constexpr Method kMovedPortMethods[] = {{"postMessage", post_message}, method<start_port>("start")};
constexpr Method kMovedHandleMethods[] = {method<close_port>("close"), method<has_ref>("hasRef"),
                                          method<ref_port>("ref"), method<unref_port>("unref")};

}  // namespace

Local<v8::FunctionTemplate> make_moved_port_class(Environment& environment) {
  const Local<v8::FunctionTemplate> handle =
      make_class(environment, {"HandleWrap", refuse_construction, kMovedHandleMethods});
  const Local<v8::FunctionTemplate> port =
      make_class(environment, {"MessagePort", construct_port, kMovedPortMethods});
  port->Inherit(handle);
  return port;
}

extern const Binding binding_messaging;
const Binding binding_messaging{
    .name = "messaging", .methods = kMethods, .extend = extend, .classes = kClasses};

}  // namespace rondo
