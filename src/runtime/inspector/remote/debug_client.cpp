#include "runtime/inspector/remote/debug_client.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace rondo {

namespace {

using namespace std::chrono_literals;
using websocket::Opcode;

constexpr auto kRequestTime = 10s;    // for a request, and until the next one begins
constexpr auto kStalledTime = 30s;    // without a byte taken, while others wait for it
constexpr auto kGoodbyeTime = 500ms;  // for the client to close

}  // namespace

DebugClient::DebugClient(Descriptor socket, std::uint32_t number, Moment now) noexcept
    : socket_(std::move(socket)), number_(number), began_(now), progressed_(now) {}

std::string DebugClient::local_host() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::getsockname(descriptor(), generic, &size) != 0 ||
      ::getnameinfo(generic, size, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0) {
    return {};
  }
  return host.data();
}

short DebugClient::events(bool may_read) const noexcept {
  return static_cast<short>((has_output() ? POLLOUT : 0) | (may_read ? POLLIN : 0));
}

void DebugClient::receive(Moment now) {
  std::array<char, 64 * 1024> chunk;
  const ssize_t count = ::recv(descriptor(), chunk.data(), chunk.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return close();
  const std::string_view bytes(chunk.data(), static_cast<std::size_t>(count));
  if (finishes_) return;  // nothing more is expected
  if (is_session()) return read_frames(bytes, now);
  if (input_.empty()) began_ = now;
  input_ += bytes;
}

void DebugClient::read_frames(std::string_view bytes, Moment now) {
  reader_->feed(bytes);
  if (reader_->broken() != 0) finish(now);
}

std::size_t DebugClient::flush(Moment now) {
  const std::size_t before = payload_left_;
  while (is_open() && has_output()) {
    const ssize_t count = ::send(descriptor(), output_.data() + sent_, output_.size() - sent_,
                                 MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {
      close();
      break;
    }
    sent_ += static_cast<std::size_t>(count);
    progressed_ = now;
  }
  if (!is_open()) return 0;
  // Heads of frames count as little: what is left is never less than the payload.
  payload_left_ = std::min(payload_left_, output_.size() - sent_);
  if (!has_output()) {
    output_.clear();
    sent_ = 0;
    constexpr std::size_t kKept = 256 * 1024;
    if (output_.capacity() > kKept) output_.shrink_to_fit();
    if (finishes_ && !std::exchange(is_shut_, true)) ::shutdown(descriptor(), SHUT_WR);
  }
  return before - payload_left_;
}

void DebugClient::answer(std::string_view text, Moment now) {
  if (!has_output()) progressed_ = now;
  output_ += text;
  began_ = now;
}

void DebugClient::begin_session(std::string_view text, Moment now) {
  answer(text, now);
  const std::string rest = std::exchange(input_, {});
  websocket::FrameEvents& events = *this;  // a private base, which only this class sees
  reader_.emplace(events, true, kMostMessage);
  read_frames(rest, now);
}

std::vector<std::string> DebugClient::take_messages() noexcept {
  return std::exchange(messages_, {});
}

void DebugClient::send(std::string_view message, Moment now) {
  if (finishes_ || !is_open()) return;
  if (!has_output()) progressed_ = now;
  websocket::append_frame(output_, Opcode::text, message, false, nullptr);
  payload_left_ += message.size();
}

void DebugClient::finish(Moment now) {
  if (finishes_) return;
  if (is_session()) websocket::append_frame(output_, Opcode::close, {}, false, nullptr);
  finishes_ = true;
  began_ = progressed_ = now;
}

DebugClient::Moment DebugClient::deadline(bool is_full) const noexcept {
  if (finishes_) return began_ + kGoodbyeTime;
  if (!is_session()) return began_ + kRequestTime;
  return is_full && has_output() ? progressed_ + kStalledTime : Moment::max();
}

void DebugClient::message_arrived(bool /*is_text*/, std::string& data) {
  messages_.push_back(std::move(data));
}

void DebugClient::ping_arrived(std::string_view data) {
  // One that only pings and never reads is not answered without end.
  constexpr std::size_t kMostPongs = 64 * 1024;
  if (output_.size() - sent_ - payload_left_ < kMostPongs) {
    websocket::append_frame(output_, Opcode::pong, data, false, nullptr);
  }
}

void DebugClient::close_arrived(int /*code*/, std::string_view /*reason*/) {
  reader_->stop();
  finish(std::chrono::steady_clock::now());
}

}  // namespace rondo
