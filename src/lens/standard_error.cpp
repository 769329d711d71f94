#include "lens/standard_error.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace rondo::lens {

void print_error(std::string_view text) noexcept {
  constexpr int kPatienceMs = 1000;
  while (!text.empty()) {
    pollfd polled{STDERR_FILENO, POLLOUT, 0};
    const int ready = ::poll(&polled, 1, kPatienceMs);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return;
    // A pipe that is ready has room for so much.
    const std::size_t most = std::min<std::size_t>(text.size(), PIPE_BUF);
    const ssize_t count = ::write(STDERR_FILENO, text.data(), most);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace rondo::lens
