// Buffers for JavaScript made in C++: what was read from a file or a socket. The bytes of those
// that come from JavaScript are had from views.h.
#pragma once

#include <v8.h>

#include <cstddef>
#include <memory>
#include <span>

#include "runtime/glue/views.h"

namespace rondo {

class Environment;

/// A Buffer with a copy of these bytes. Empty if there is no memory for it; an exception is under
/// way then.
v8::MaybeLocal<v8::Object> make_buffer(Environment& environment,
                                       std::span<const std::byte> copy_from);

/// A Buffer of the first `size` bytes of this memory, which is its own from now on.
v8::MaybeLocal<v8::Object> make_buffer(Environment& environment,
                                       std::unique_ptr<std::byte[]> memory, std::size_t size);

/// The same for memory that malloc() gave; `size` bytes of it, all that there are.
v8::MaybeLocal<v8::Object> make_buffer_of_malloc(Environment& environment, void* memory,
                                                 std::size_t size);

/// A Buffer over a part of an ArrayBuffer.
v8::MaybeLocal<v8::Object> make_buffer(Environment& environment, v8::Local<v8::ArrayBuffer> memory,
                                       std::size_t offset, std::size_t size);

/// Before memory that V8 did not allocate becomes that of an ArrayBuffer. V8 collects short-lived
/// ArrayBuffers early when they have much memory, but looks only when it allocates some itself.
void note_adopted_memory(v8::Isolate* isolate, std::size_t size);

/// What the objects above inherit from, kept by the context: Buffer.prototype.
void set_buffer_prototype(Environment& environment, v8::Local<v8::Object> prototype);

}  // namespace rondo
