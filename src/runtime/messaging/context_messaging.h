// Messaging in contexts of node:vm, into which a port can be moved (moveMessagePortToContext()).
// Such a context has its own class of ports, of events and of DOMException: a program in it meets
// nothing of the main context's.
#pragma once

#include <v8.h>

#include <string_view>

namespace rondo {

class Environment;

/// What lib/internal/messaging/context_messaging.js has made for the context, by name; made when it
/// is first asked for. Empty with an exception pending.
v8::MaybeLocal<v8::Object> context_messaging(Environment& environment,
                                             v8::Local<v8::Context> context);

/// The context in which a method of a port runs: one of node:vm's with messaging of its own, or the
/// main one.
v8::Local<v8::Context> messaging_context(Environment& environment);

/// The class of ports in such a context.
v8::MaybeLocal<v8::Function> moved_port_class(Environment& environment,
                                              v8::Local<v8::Context> context);

}  // namespace rondo
