#include "lens/page/server.h"

#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "lens/page/figures_json.h"
#include "lens/page/page_text.h"

namespace rondo::lens {

namespace {

using namespace std::chrono_literals;

constexpr auto kFrameTime = 100ms;
constexpr auto kAskAgain = 500ms;
constexpr auto kPlaceTime = 100ms;  // for a program to say where it is; others wait meanwhile
constexpr int kBacklog =
    256;  // a client that is not accepted immediately tries again only after a second
constexpr int kAcceptAtOnce = 16;

constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::string_view kText = "text/plain; charset=utf-8";
constexpr std::string_view kPrometheus = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kEvents = "text/event-stream";

constexpr Verdict kTooMany{503, "too many are looking already"};

constexpr std::string_view kNothingElse = "default-src 'none'; frame-ancestors 'none'";

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::system_category(), what);
}

std::string_view name_of(int status) noexcept {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "";
  }
}

/// Without the empty line at its end. No header allows anything to another origin.
std::string head(int status, std::string_view type, std::string_view policy) {
  std::string text = "HTTP/1.1 " + std::to_string(status) + ' ';
  text.append(name_of(status)).append("\r\nContent-Type: ").append(type);
  text.append("\r\nContent-Security-Policy: ").append(policy);
  text +=
      "\r\nCache-Control: no-store"
      "\r\nX-Content-Type-Options: nosniff"
      "\r\nX-Frame-Options: DENY"
      "\r\nReferrer-Policy: no-referrer"
      "\r\nCross-Origin-Resource-Policy: same-origin"
      "\r\nCross-Origin-Opener-Policy: same-origin\r\n";
  if (status == 405) text += "Allow: GET, HEAD\r\n";
  return text;
}

}  // namespace

Server::Server(Lens& lens, const Metrics& metrics, const std::string& token,
               const PageOptions& options)
    : lens_(lens), metrics_(metrics), program_(options.program), gate_({}, 0) {
  try {
    listen(options.port);
    gate_ = Gate(token, port_);
    stop_ = ::eventfd(0, EFD_CLOEXEC);
    end_ = ::eventfd(0, EFD_CLOEXEC);
    if (stop_ < 0 || end_ < 0) fail("eventfd");
    start();
  } catch (...) {
    if (listener_ >= 0) ::close(listener_);
    if (stop_ >= 0) ::close(stop_);
    if (end_ >= 0) ::close(end_);
    throw;
  }
}

Server::~Server() {
  const std::uint64_t one = 1;
  while (::write(stop_, &one, sizeof one) < 0 && errno == EINTR) {
  }
  thread_.join();
  ::close(listener_);
  ::close(stop_);
  ::close(end_);
}

void Server::report_end() noexcept {
  // The thread never waits for a client, so this only bounds how long a busy machine keeps it from
  // running.
  constexpr auto kPatience = 10s;
  const std::uint64_t one = 1;
  if (!is_watched_ || ::write(end_, &one, sizeof one) < 0) return;
  end_reported_.try_acquire_for(kPatience);
}

void Server::listen(std::uint16_t port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener_ < 0) fail("socket");
  // A port that was given can be used again immediately when the program is restarted.
  const int yes = 1;
  if (port != 0) ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(listener_, generic, size) != 0) fail("bind");
  if (::listen(listener_, kBacklog) != 0) fail("listen");
  if (::getsockname(listener_, generic, &size) != 0) fail("getsockname");
  port_ = ntohs(address.sin_port);
}

void Server::start() {
  // Signals are for the program's threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (...) {
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::pthread_setname_np(thread_.native_handle(), "rondo-lens");
}

// ---- The thread --------------------------------------------------------------------------------

void Server::run() {
  std::vector<pollfd> waits;
  for (;;) {
    Moment now = std::chrono::steady_clock::now();
    waits.clear();
    waits.push_back({stop_, POLLIN, 0});
    waits.push_back({end_, POLLIN, 0});
    // A negative descriptor is passed over.
    waits.push_back({now >= accept_again_ ? listener_ : -1, POLLIN, 0});
    for (const auto& connection : connections_) {
      waits.push_back({connection->descriptor(), connection->events(), 0});
    }
    if (::poll(waits.data(), waits.size(), time_to_wait(now)) < 0 && errno != EINTR) return;
    if (waits[0].revents != 0) break;
    now = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      Connection& connection = *connections_[i];
      const short events = waits[i + 3].revents;
      if ((events & (POLLHUP | POLLERR)) != 0) connection.close();
      if ((events & POLLOUT) != 0 && connection.is_open()) connection.flush(now);
      if ((events & POLLIN) != 0 && connection.is_open()) connection.receive(now);
      serve(connection, now);
      connection.close_if_done();
      if (now >= connection.deadline()) connection.close();
    }
    if (waits[2].revents != 0) accept_some(now);
    const bool is_end = waits[1].revents != 0;
    if (has_listeners() && (now >= next_frame_ || is_end)) send_frames(now);
    std::erase_if(connections_, [](const auto& connection) { return !connection->is_open(); });
    is_watched_ = has_listeners();
    if (is_end) {
      std::uint64_t count = 0;
      [[maybe_unused]] const ssize_t size = ::read(end_, &count, sizeof count);
      end_reported_.release();
    }
  }
  connections_.clear();
}

int Server::time_to_wait(Moment now) const {
  Moment until = Moment::max();
  for (const auto& connection : connections_) until = std::min(until, connection->deadline());
  if (has_listeners()) until = std::min(until, next_frame_);
  if (now < accept_again_) until = std::min(until, accept_again_);
  if (until == Moment::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now);
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

void Server::accept_some(Moment now) {
  for (int i = 0; i < kAcceptAtOnce; ++i) {
    const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // No descriptors left, perhaps: asking again at once would not help.
      if (errno != EAGAIN) accept_again_ = now + kFrameTime;
      return;
    }
    auto connection = std::make_unique<Connection>(descriptor, now);
    if (!make_room(now)) refuse(*connection, kTooMany, true, now);
    // Most have sent their request already.
    connection->receive(now);
    serve(*connection, now);
    connection->close_if_done();
    if (connection->is_open()) connections_.push_back(std::move(connection));
  }
}

/// Idle clients are closed first: the oldest of those that have not sent the token, then the
/// oldest that waits between two requests. False if all are in use.
bool Server::make_room(Moment now) {
  std::erase_if(connections_, [](const auto& connection) { return !connection->is_open(); });
  const auto is_leaving = [](const auto& connection) { return connection->is_leaving(); };
  auto leaving = static_cast<std::size_t>(std::ranges::count_if(connections_, is_leaving));
  if (leaving >= kMostLeaving) {
    connections_.erase(std::ranges::find_if(connections_, is_leaving));  // the oldest
    --leaving;
  }
  if (connections_.size() - leaving < kMostConnections) return true;
  enum Rank { unknown, waiting, in_use };
  const auto rank = [](const auto& connection) {
    if (connection->is_leaving() || connection->is_stream() || connection->has_output()) {
      return in_use;
    }
    return connection->is_trusted ? waiting : unknown;
  };
  // The oldest of those with the lowest rank: they are in the order in which they came.
  const auto first = std::ranges::min_element(connections_, {}, rank);
  switch (rank(*first)) {
    case unknown:
      refuse(**first, kTooMany, true, now);
      return true;
    case waiting:
      connections_.erase(first);
      return true;
    case in_use:
      return false;
  }
  return false;
}

// ---- Requests ----------------------------------------------------------------------------------

void Server::serve(Connection& connection, Moment now) {
  while (connection.is_open() && !connection.is_stream() && !connection.has_output() &&
         !connection.received().empty()) {
    const ReadRequest read = read_request(connection.received());
    const bool is_too_long =
        (read.reading == Reading::incomplete ? connection.received().size() : read.size) >
        Connection::kMostRequest;
    if (is_too_long) return refuse(connection, {431, "the request is too long"}, true, now);
    if (read.reading == Reading::incomplete) break;
    if (read.reading == Reading::malformed) {
      return refuse(connection, {400, "this is not a request"}, true, now);
    }
    const Verdict verdict = gate_.judge(read.request);
    if (verdict.status != 200) {
      return refuse(connection, verdict, read.request.method != "HEAD", now);
    }
    connection.is_trusted = true;
    answer(connection, read.request, now);
    connection.consume(read.size);
  }
}

void Server::answer(Connection& connection, const HttpRequest& request, Moment now) {
  const bool is_head = request.method == "HEAD";
  std::string body;
  std::string_view type;
  std::string policy(kNothingElse);
  if (request.path == "/") {
    const std::string nonce = make_token();
    type = kHtml;
    body = page_text(nonce);
    policy = "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce +
             "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
             "frame-ancestors 'none'";
  } else if (request.path == "/metrics") {
    type = kPrometheus;
    body = to_prometheus(look(now));
  } else if (request.path == "/snapshot.json") {
    type = kJson;
    body = snapshot(now);
  } else if (request.path == "/events") {
    connection.send(head(200, kEvents, kNothingElse) + "Connection: close\r\n\r\n", now);
    if (is_head) return connection.finish();
    if (!has_listeners()) {
      looks_ = 0;
      next_frame_ = now;
    }
    return connection.start_stream();
  } else {
    return refuse(connection, {404, "there is nothing here"}, !is_head, now);
  }
  std::string text = head(200, type, policy);
  text.append("Content-Length: ").append(std::to_string(body.size()));
  text.append(request.keep_alive ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n");
  if (!is_head) text += body;
  connection.send(text, now);
  if (!request.keep_alive) connection.finish();
}

void Server::refuse(Connection& connection, Verdict verdict, bool has_text, Moment now) {
  const std::string body = std::string("rondo: ") + verdict.reason + '\n';
  connection.send(head(verdict.status, kText, kNothingElse) +
                      "Content-Length: " + std::to_string(body.size()) +
                      "\r\nConnection: close\r\n\r\n" + (has_text ? body : std::string()),
                  now);
  connection.finish();
}

// ---- Figures -----------------------------------------------------------------------------------

bool Server::has_listeners() const {
  return std::ranges::any_of(connections_,
                             [](const auto& connection) { return connection->is_stream(); });
}

std::string Server::snapshot(Moment now) {
  Figures figures = metrics_.read();
  const bool is_asked = ask_place(figures, now);
  Lists lists = metrics_.lists();
  if (is_asked) {
    // Who looks once shall see it as well.
    const Moment until = now + kPlaceTime;
    while (lists.running_place.empty() && figures.now.away_for >= Metrics::kBlocked &&
           std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(2ms);
      lists = metrics_.lists();
      figures = metrics_.read();
    }
  }
  return to_json(figures, {figures.delay, figures.durations}, &lists, lists.running_place,
                 program_);
}

/// If the program is stuck, it shall say where, and what waits there. False if it is not, or was
/// asked a moment ago.
bool Server::ask_place(const Figures& figures, Moment now) {
  if (figures.now.away_for < Metrics::kBlocked || now < asked_place_ + kAskAgain) return false;
  asked_place_ = now;
  lens_.ask_place();
  return true;
}

/// Who looks again will see where the program is stuck.
Figures Server::look(Moment now) {
  Figures figures = metrics_.read();
  ask_place(figures, now);
  return figures;
}

void Server::send_frames(Moment now) {
  next_frame_ = now + kFrameTime;
  const Figures figures = look(now);
  if (looks_ == 0) past_.fill({figures.delay, figures.durations});
  Lengths& second_ago = past_[looks_ % past_.size()];
  const Lengths recent{figures.delay.since(second_ago.delay),
                       figures.durations.since(second_ago.durations)};
  second_ago = {figures.delay, figures.durations};
  ++looks_;
  const Lists lists = metrics_.lists();
  const auto event = [&](const Lists* with) {
    return "data: " + to_json(figures, recent, with, lists.running_place, program_) + "\n\n";
  };
  std::string brief;
  std::string full;
  for (const auto& connection : connections_) {
    // Who does not keep up misses some.
    if (!connection->is_stream() || connection->backlog() > Connection::kMostBacklog) continue;
    const bool is_news = connection->lists_seen != lists.version;
    std::string& text = is_news ? full : brief;
    if (text.empty()) text = event(is_news ? &lists : nullptr);
    connection->lists_seen = lists.version;
    connection->send(text, now);
  }
}

}  // namespace rondo::lens
