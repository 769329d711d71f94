// Waits for children whose loop has gone, so that none becomes a zombie. It is a thread, and there
// for as long as there is such a child.
#pragma once

#include "io/descriptor.h"

namespace rondo {

/// Takes a child over. Should no thread be had, the child is left to the end of this process.
void reap_orphan(Descriptor pidfd) noexcept;

}  // namespace rondo
