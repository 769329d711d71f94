// For the program that makes the snapshot: it has none.
#include "runtime/engine/world.h"

namespace rondo {

const v8::StartupData kSnapshot{nullptr, 0};

}  // namespace rondo
