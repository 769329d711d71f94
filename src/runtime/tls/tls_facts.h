// What JavaScript can ask about a TLS connection.
#pragma once

#include <span>

#include "runtime/glue/binding.h"

namespace rondo {

/// Methods for the class of TlsStream.
std::span<const Method> tls_fact_methods();

}  // namespace rondo
