#include "rondo/clock.h"

#include <ctime>

namespace rondo {

std::chrono::nanoseconds SystemClock::now() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace rondo
