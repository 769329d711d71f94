#include "lens/page/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace rondo::lens {

namespace {

using namespace std::chrono_literals;

constexpr auto kRequestTime = 5s;  // for all of a request, once it has begun
constexpr auto kSilentTime = 30s;  // between two requests, for trusted clients
constexpr auto kSendTime = 10s;    // without a byte taken
constexpr auto kGoodbyeTime = 1s;  // for the client to close

}  // namespace

Connection::Connection(int descriptor, Moment now) noexcept
    : descriptor_(descriptor), request_began_(now), progressed_(now) {}

Connection::~Connection() {
  close();
}

void Connection::close() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void Connection::receive(Moment now) {
  std::array<char, 4096> chunk;
  constexpr int kMostAtOnce = 4;  // others wait as well
  for (int i = 0; i < kMostAtOnce && input_.size() <= kMostRequest; ++i) {
    const ssize_t count = ::recv(descriptor_, chunk.data(), chunk.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0) return close();
    if (count == 0) {
      is_ended_ = true;
      return;
    }
    if (finishes_ || streams_) continue;  // nothing more is expected, and nothing kept
    if (input_.empty()) request_began_ = now;
    input_.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

short Connection::events() const noexcept {
  // The next request is read when the one before is answered.
  const bool reads = !is_ended_ && (!has_output() || streams_);
  return static_cast<short>((has_output() ? POLLOUT : 0) | (reads ? POLLIN : 0));
}

void Connection::send(std::string_view text, Moment now) {
  if (finishes_) return;
  if (!has_output()) {
    output_.clear();
    sent_ = 0;
    progressed_ = now;
  }
  output_ += text;
  flush(now);
}

void Connection::flush(Moment now) {
  while (is_open() && has_output()) {
    const ssize_t count =
        ::send(descriptor_, output_.data() + sent_, output_.size() - sent_, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return close();
    sent_ += static_cast<std::size_t>(count);
    progressed_ = request_began_ = now;
  }
  if (finishes_ && is_open()) finish();
}

void Connection::finish() noexcept {
  finishes_ = true;
  input_.clear();
  if (has_output() || is_shut_) return;
  is_shut_ = true;
  ::shutdown(descriptor_, SHUT_WR);
}

void Connection::close_if_done() noexcept {
  if (is_ended_ && (streams_ || !has_output())) close();
}

Connection::Moment Connection::deadline() const noexcept {
  if (has_output()) return progressed_ + kSendTime;
  if (is_shut_) return progressed_ + kGoodbyeTime;
  if (streams_) return Moment::max();
  return request_began_ + (input_.empty() && is_trusted ? kSilentTime : kRequestTime);
}

}  // namespace rondo::lens
