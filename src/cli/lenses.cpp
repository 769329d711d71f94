#include "cli/lenses.h"

namespace rondo {

std::unique_ptr<Lenses> Lenses::make(Loop& /*loop*/, const CommandLine& /*line*/) {
  return nullptr;
}

}  // namespace rondo
