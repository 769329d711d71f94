// What lib/ gives to the C++ side of structuredClone() and MessagePort: classes to make objects of,
// functions to ask. It is an object that the context keeps, and so is part of the snapshot.
#pragma once

#include <v8.h>

#include <string_view>

namespace rondo {

class Environment;

void set_messaging_hooks(Environment& environment, v8::Local<v8::Object> hooks);

/// A function or class of that object, by name.
v8::Local<v8::Function> messaging_hook(Environment& environment, std::string_view name);

/// Throws a DOMException with the name DataCloneError.
void throw_data_clone_error(Environment& environment, v8::Local<v8::String> message);
void throw_data_clone_error(Environment& environment, std::string_view message);

/// What an object of ours is to the serializer; kept in a private property of it.
enum class HostKind : unsigned char {
  none,         // an object like any other
  port,         // a MessagePort: is transferred, if listed
  described,    // its class describes what to write, see lib/internal/messaging/transferable.js
  transferred,  // the same, but only if it is listed
  uncloneable,  // markAsUncloneable()
  native,       // a Cloneable: the copy shares its C++ data
  plain         // the copy is a plain object with the same properties
};

/// The name of that property. An object without it is HostKind::none.
v8::Local<v8::Private> host_kind_name(Environment& environment);
/// The name of a property of the prototype of a class, all objects of which are of one kind: their
/// constructor need not mark them.
v8::Local<v8::Private> class_kind_name(Environment& environment);
/// Of the object itself, or of a class that it is of.
HostKind host_kind(Environment& environment, v8::Local<v8::Object> object);
void set_host_kind(Environment& environment, v8::Local<v8::Object> object, HostKind kind);
void set_class_kind(Environment& environment, v8::Local<v8::Object> prototype, HostKind kind);

/// markAsUntransferable(): such an object is cloned where a transfer list has it.
void mark_untransferable(Environment& environment, v8::Local<v8::Object> object);
bool is_untransferable(Environment& environment, v8::Local<v8::Object> object);

}  // namespace rondo
