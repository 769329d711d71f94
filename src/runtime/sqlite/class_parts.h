// What the classes of node:sqlite have beyond methods.
#pragma once

#include <v8.h>

#include <span>
#include <string_view>

#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"

namespace rondo::sqlite {

/// A getter that is an own property of each object.
void add_getter(Environment& environment, v8::Local<v8::FunctionTemplate> shape,
                const Method& getter);

/// [Symbol.dispose]()
void add_dispose(Environment& environment, v8::Local<v8::FunctionTemplate> shape,
                 v8::FunctionCallback callback);

/// The constructor of a class whose objects only C++ makes.
void illegal_constructor(const Arguments& args);

/// An object of this shape that inherits from nothing.
v8::Local<v8::Object> new_bare(const Environment& environment,
                               v8::Local<v8::DictionaryTemplate> shape,
                               std::span<v8::MaybeLocal<v8::Value>> values);

}  // namespace rondo::sqlite
