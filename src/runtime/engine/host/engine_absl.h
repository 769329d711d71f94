// The mutexes inside the engine are Abseil's, whose headers the engine's package lacks. make_engine
// checks that the engine exports this.
#pragma once

#include <cstdint>

namespace absl {

enum class OnDeadlockCycle : std::uint8_t { kIgnore, kReport, kAbort };

/// What a mutex does about locks that are taken in an order that may deadlock. Under any mode but
/// kIgnore every lock updates a graph of 1 MiB that all threads share.
void SetMutexDeadlockDetectionMode(OnDeadlockCycle mode);

}  // namespace absl
