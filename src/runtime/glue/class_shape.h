// Classes that are made in C++, with methods that can be called on their own objects only.
#pragma once

#include <v8.h>

#include <span>
#include <string_view>

#include "runtime/glue/binding.h"

namespace rondo {

struct ClassShape {
  std::string_view name;
  v8::FunctionCallback construct;
  std::span<const Method> methods = {};
  int fields = 1;  // internal ones; the first is for Wrapped
  int length = 0;  // the `length` of the constructor
};

/// Makes the class.
v8::Local<v8::FunctionTemplate> make_class(Environment& environment, const ClassShape& shape);

/// Makes the class and adds it to `target`. The addresses of all its functions belong into the
/// binding's references.
void set_class(Environment& environment, v8::Local<v8::Object> target, const ClassShape& shape);

}  // namespace rondo
