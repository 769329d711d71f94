// Classes that are made in C++ (struct ClassShape in binding.h).
#pragma once

#include <v8.h>

#include <span>
#include <string_view>

#include "runtime/glue/binding.h"

namespace rondo {

/// Makes the class.
v8::Local<v8::FunctionTemplate> make_class(Environment& environment, const ClassShape& shape);

/// Adds to a class that was made. The addresses belong to the binding's references.
void add_methods(Environment& environment, v8::Local<v8::FunctionTemplate> to,
                 std::span<const Method> methods);
void add_getters(Environment& environment, v8::Local<v8::FunctionTemplate> to,
                 std::span<const Method> getters);

/// Makes the class and adds it to `target`. The addresses of all its functions belong to the
/// binding's references, unless it is one of the binding's classes.
void set_class(Environment& environment, v8::Local<v8::Object> target, const ClassShape& shape);

}  // namespace rondo
