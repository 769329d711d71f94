// Mozilla's list of trusted certificates, as PEM. Whoever links tls/ defines it: the runtime has
// the engine's, a C++ program uses those of the system and has none.
#pragma once

#include <string_view>

namespace rondo::tls {

extern const std::string_view kBundledRoots;

}  // namespace rondo::tls
