// Properties that look like plain values from the beginning, and whose value is made when it is
// first asked for: globals that cost something to load.
#pragma once

#include <v8.h>

#include <cstdint>

#include "runtime/glue/binding.h"

namespace rondo {

/// (load): what is called for the value of a property.
void set_lazy_loader(const Arguments& args);

/// (target, names, id, enumerable, read_only): the value of each is load(id, name). The id is a string: the
/// snapshot takes nothing else that could have been called.
void define_lazy_properties(const Arguments& args);

/// For external_references(): the address that a snapshot with such properties refers to.
std::intptr_t lazy_property_reference() noexcept;

}  // namespace rondo
