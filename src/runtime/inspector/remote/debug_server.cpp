#include "runtime/inspector/remote/debug_server.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lens/quiet_thread.h"
#include "runtime/errors/error_texts.h"
#include "runtime/inspector/remote/protocol_text.h"
#include "runtime/inspector/remote/upgrade_request.h"

namespace rondo {

namespace {

using namespace std::chrono_literals;

constexpr int kListenQueue = 511;
constexpr std::size_t kMostClients = 256;  // others wait until one of these has gone
constexpr auto kAcceptAgain = 100ms;
constexpr auto kLastWords = 500ms;  // for the frames that close sessions

void write_error(const std::string& text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// What follows `segment` at the beginning of a path: "/list" of "/json/list". False if it is
/// another one.
bool take_segment(std::string_view& path, std::string_view segment) noexcept {
  if (path.size() < segment.size() ||
      !std::ranges::equal(path.substr(0, segment.size()), segment, {}, lower)) {
    return false;
  }
  std::string_view rest = path.substr(segment.size());
  if (!rest.empty() && rest.front() != '/') return false;
  if (!rest.empty()) rest.remove_prefix(1);
  path = rest;
  return true;
}

std::string response(int status, std::string_view body) {
  std::string text = "HTTP/1.0 " + std::to_string(status) +
                     " OK\r\n"
                     "Content-Type: application/json; charset=UTF-8\r\n"
                     "Cache-Control: no-cache\r\n"
                     "Content-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n";
  return text.append(body);
}

std::string text_of_errno(int number) {
  const ErrorText* known = find_error_text(-number);
  return std::string(known != nullptr ? known->text : std::strerror(number));
}

}  // namespace

DebugServer::DebugServer(Options options, std::shared_ptr<Outbox> outbox,
                         std::shared_ptr<Backlog> backlog,
                         std::unique_ptr<DebugServerEvents> events)
    : options_(std::move(options)),
      outbox_(std::move(outbox)),
      backlog_(std::move(backlog)),
      events_(std::move(events)) {
  listen();
  if (!is_listening()) return;
  write_state("listening");
  thread_ = lens::start_quiet_thread([this] { run(); });
  ::pthread_setname_np(thread_.native_handle(), "rondo-inspect");
}

DebugServer::~DebugServer() {
  if (!thread_.joinable()) return;
  ends_ = true;
  outbox_->wake();
  thread_.join();
}

std::string DebugServer::url() const {
  return to_websocket_url(to_host_and_port(options_.host, port_), options_.target.id);
}

void DebugServer::stop_accepting() noexcept {
  accepts_ = false;
  outbox_->wake();
}

// ---- Listening ----------------------------------------------------------------------------------

/// On all addresses of a name. It is an error only if none can be had.
void DebugServer::listen() {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(options_.port);
  const int error = ::getaddrinfo(options_.host.c_str(), port.c_str(), &hints, &found);
  if (error != 0) {
    const char* reason = error == EAI_NONAME ? "unknown node or service" : ::gai_strerror(error);
    write_error("Unable to resolve \"" + options_.host + "\": " + reason + '\n');
    return;
  }
  int failure = 0;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    const int result = listen_on(at->ai_addr, at->ai_addrlen, at->ai_family);
    if (result != 0) failure = result;
  }
  ::freeaddrinfo(found);
  if (is_listening()) {
    port_ = listeners_.front().port;
    return;
  }
  write_error("Starting inspector on " + options_.host + ':' + port +
              " failed: " + text_of_errno(failure) + '\n');
}

int DebugServer::listen_on(const void* address, unsigned size, int family) {
  Descriptor socket(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return errno;
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket.get(), static_cast<const sockaddr*>(address), size) != 0 ||
      ::listen(socket.get(), kListenQueue) != 0) {
    return errno;
  }
  sockaddr_storage bound{};
  socklen_t bound_size = sizeof bound;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &bound_size) != 0) {
    return errno;
  }
  const in_port_t port = family == AF_INET6
                             ? reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port
                             : reinterpret_cast<const sockaddr_in*>(&bound)->sin_port;
  listeners_.push_back({std::move(socket), ntohs(port)});
  return 0;
}

/// "Debugger listening on ws://127.0.0.1:9229/ID"
void DebugServer::write_state(const char* verb) const {
  if (!options_.writes_url) return;
  std::string text;
  for (const Listener& listener : listeners_) {
    text.append("Debugger ").append(verb).append(" on ");
    text += to_websocket_url(to_host_and_port(options_.host, listener.port), options_.target.id);
    text += '\n';
  }
  write_error(text + "For help, see: https://nodejs.org/learn/getting-started/debugging\n");
}

// ---- The thread ---------------------------------------------------------------------------------

void DebugServer::run() {
  std::vector<pollfd> waits;
  Moment until = Moment::max();  // of the last words
  for (;;) {
    Moment now = std::chrono::steady_clock::now();
    if (ends_ && until == Moment::max()) {
      until = now + kLastWords;
      outbox_->close();
      for (const auto& client : clients_) {
        client->is_session() ? client->finish(now) : client->close();
      }
      listeners_.clear();
      remove_closed();
    }
    if (ends_ && (clients_.empty() || now >= until)) break;
    if (!accepts_) listeners_.clear();
    waits.clear();
    waits.push_back({outbox_->descriptor(), POLLIN, 0});
    const bool may_accept = now >= accept_again_ && clients_.size() < kMostClients;
    for (const Listener& listener : listeners_) {
      waits.push_back({may_accept ? listener.socket.get() : -1, POLLIN, 0});
    }
    const bool may_read = !backlog_->is_full();
    for (const auto& client : clients_) {
      waits.push_back({client->descriptor(), client->events(may_read), 0});
    }
    if (::poll(waits.data(), waits.size(), time_to_wait(now)) < 0 && errno != EINTR) break;
    now = std::chrono::steady_clock::now();
    const std::size_t first = 1 + listeners_.size();
    const std::size_t count = clients_.size();
    const bool is_full = outbox_->is_full();
    for (std::size_t i = 0; i < count; ++i) {
      DebugClient& client = *clients_[i];
      const short events = waits[first + i].revents;
      if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) client.receive(now);
      if (client.is_open()) serve(client, now);
      deliver(client);
      if (now >= client.deadline(is_full)) client.close();
    }
    for (std::size_t i = 0; i < listeners_.size(); ++i) {
      if (waits[1 + i].revents != 0) accept_from(listeners_[i], now);
    }
    send_waiting(now);
    remove_closed();
  }
  outbox_->close();
  for (const auto& client : clients_) client->close();
  remove_closed();
}

int DebugServer::time_to_wait(Moment now) const {
  Moment until = Moment::max();
  const bool is_full = outbox_->is_full();
  for (const auto& client : clients_) until = std::min(until, client->deadline(is_full));
  if (now < accept_again_) until = std::min(until, accept_again_);
  if (ends_) until = std::min(until, now + kAcceptAgain);
  if (until == Moment::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now);
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

void DebugServer::accept_from(const Listener& listener, Moment now) {
  Descriptor socket(
      ::accept4(listener.socket.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket) {
    // No descriptors left, perhaps: asking again at once would not help.
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
      accept_again_ = now + kAcceptAgain;
    }
    return;
  }
  const int yes = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  clients_.push_back(std::make_unique<DebugClient>(std::move(socket), next_session_number(), now));
}

void DebugServer::serve(DebugClient& client, Moment now) {
  using State = ReadUpgradeRequest::State;
  while (client.is_open() && !client.is_session() && !client.is_leaving() &&
         !client.received().empty()) {
    const ReadUpgradeRequest read = read_upgrade_request(client.received());
    if (read.state == State::incomplete) {
      if (client.received().size() > DebugClient::kMostRequest) refuse(client, now);
      return;
    }
    const UpgradeRequest& request = read.request;
    if (read.state == State::malformed || request.method != "GET" ||
        !is_allowed_host(request.host)) {
      return refuse(client, now);
    }
    if (!request.wants_upgrade) {
      answer(client, request.path, request.host, now);
      client.consume(read.size);
      continue;
    }
    if (request.key.empty() || request.path != '/' + options_.target.id) {
      return refuse(client, now);
    }
    const std::string text =
        "HTTP/1.1 101 Switching Protocols\r\n"
        "Upgrade: websocket\r\n"
        "Connection: Upgrade\r\n"
        "Sec-WebSocket-Accept: " +
        accept_key(request.key) + "\r\n\r\n";
    client.consume(read.size);
    write_error("Debugger attached.\n");
    events_->session_began(client.number());
    client.begin_session(text, now);
  }
}

void DebugServer::answer(DebugClient& client, std::string_view path, std::string_view host,
                         Moment now) {
  if (!options_.serves_lists) return client.answer(response(404, {}), now);
  if (!take_segment(path, "/json")) return refuse(client, now);
  std::string_view rest = path;
  if (path.empty() || take_segment(rest, "list")) {
    const std::string own = to_host_and_port(client.local_host(), port_);
    return client.answer(response(200, target_list(options_.target, host.empty() ? own : host)),
                         now);
  }
  if (take_segment(rest, "protocol")) return client.answer(response(200, protocol_text()), now);
  if (take_segment(rest, "version")) return client.answer(response(200, version_answer()), now);
  refuse(client, now);
}

void DebugServer::refuse(DebugClient& client, Moment now) {
  client.consume(client.received().size());
  client.answer(
      "HTTP/1.0 400 Bad Request\r\n"
      "Content-Type: text/html; charset=UTF-8\r\n\r\n"
      "WebSockets request was expected\r\n",
      now);
  client.finish(now);
}

/// What it has sent goes to the program.
void DebugServer::deliver(DebugClient& client) {
  if (!client.is_session()) return;
  for (std::string& message : client.take_messages()) {
    backlog_->add(message.size());
    events_->message_arrived(client.number(), std::move(message));
  }
}

/// What the program has sent goes to the clients.
void DebugServer::send_waiting(Moment now) {
  for (const Outbox::Message& message : outbox_->take()) {
    const auto to = std::ranges::find_if(clients_, [&](const auto& client) {
      return client->number() == message.session && client->is_open() && !client->is_leaving();
    });
    if (to == clients_.end()) {
      outbox_->sent(message.text.size());
    } else {
      (*to)->send(message.text, now);
    }
  }
  for (const auto& client : clients_) {
    if (client->is_open()) outbox_->sent(client->flush(now));
  }
}

void DebugServer::remove_closed() {
  bool session_ended = false;
  std::erase_if(clients_, [&](const auto& client) {
    if (client->is_open()) return false;
    outbox_->sent(client->payload_left());
    if (client->is_session()) {
      session_ended = true;
      events_->session_ended(client->number());
    }
    return true;
  });
  if (session_ended && clients_.empty() && !listeners_.empty() && accepts_ && !ends_)
    write_state("ending");
}

}  // namespace rondo
