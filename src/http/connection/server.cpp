// The public face of the server, and what its connections share.
#include "rondo/http/server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <memory>
#include <utility>

#include "http/connection/server_connection.h"
#include "http/connection/server_state.h"
#include "io/uncaught.h"

namespace rondo::http {

namespace {

std::string make_date_line() {
  // Not strftime(): its names are those of the locale.
  static constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 64> line;
  const int size =
      std::snprintf(line.data(), line.size(), "Date: %s, %02d %s %04d %02d:%02d:%02d GMT\r\n",
                    kDays.at(static_cast<std::size_t>(parts.tm_wday)), parts.tm_mday,
                    kMonths.at(static_cast<std::size_t>(parts.tm_mon)), parts.tm_year + 1900,
                    parts.tm_hour, parts.tm_min, parts.tm_sec);
  return {line.data(), static_cast<std::size_t>(size)};
}

}  // namespace

// ---- ServerState --------------------------------------------------------------------------------

ServerState::ServerState(Loop& loop, ServerOptions options)
    : LoopOwned(loop), loop_(loop), options_(options) {}

ServerState::~ServerState() {
  if (core() != nullptr) destroy();
}

/// The sockets are closed by now; connections that have no handles go with us.
void ServerState::loop_ends() noexcept {
  leave();
  while (first_ != nullptr) {
    const Ref<ServerConnection> connection(first_);
    connection->loop_gone();
    remove(*connection);
  }
  listeners_.clear();
  closed_ = nullptr;
}

void ServerState::set_handler(Callback<void(Request, Response)> handler) {
  // The one before may be running, or coroutines of it: it stays.
  handlers_.push_back(std::make_unique<Callback<void(Request, Response)>>(std::move(handler)));
}

/// Called by an event of the parser, through which no exception may pass.
void ServerState::handle(Request request, Response response) noexcept {
  ++requests_;
  if (handlers_.empty()) return;
  call_and_continue(loop_, [&] { (*handlers_.back())(std::move(request), std::move(response)); });
}

Expected<> ServerState::listen(const SocketAddress& address, ListenOptions options) {
  // A client may end its side after the request and still wait for the answer.
  options.accepted.stream.allow_half_open = true;
  TcpServer listener(loop_);
  auto bound = listener.listen(address, options);
  if (!bound) return bound;
  closing_ = false;
  listeners_.push_back(std::move(listener));
  accepting_ = false;
  accept_more(true);
  return {};
}

void ServerState::accept_more(bool on) {
  if (accepting_ == on) return;
  accepting_ = on;
  for (TcpServer& listener : listeners_) {
    if (on) {
      listener.on_connection([this](TcpSocket socket) { serve(std::move(socket)); });
    } else {
      listener.on_connection(nullptr);
    }
  }
}

void ServerState::serve(AnyStream stream) {
  if (closing_ || core() == nullptr) {
    stream.destroy();
    return;
  }
  auto* connection = new ServerConnection(*this, loop_, std::move(stream));
  connection->retain();
  connection->next = first_;
  if (first_ != nullptr) first_->prev = connection;
  first_ = connection;
  ++count_;
  if (!timer_.active()) {
    // A few times per timeout: exact enough, and no timer for each connection.
    const auto shortest = std::min({options_.header_timeout, options_.request_timeout,
                                    options_.keep_alive_timeout, options_.idle_timeout});
    timer_ = loop_.set_interval(
        std::clamp(shortest / 8, std::chrono::milliseconds(10), std::chrono::milliseconds(1000)),
        [this] { check_times(); });
    timer_.unref();
  }
  if (count_ >= options_.max_connections) accept_more(false);
}

void ServerState::remove(ServerConnection& connection) noexcept {
  const Ref<Connection> last(&connection);
  (connection.prev == nullptr ? first_ : connection.prev->next) = connection.next;
  if (connection.next != nullptr) connection.next->prev = connection.prev;
  connection.next = connection.prev = nullptr;
  connection.server_gone();
  connection.release();
  --count_;
  if (core() == nullptr) return;
  if (!closing_) accept_more(true);
  if (count_ == 0) timer_.clear();
  done_if_empty();
}

void ServerState::done_if_empty() {
  if (!closing_ || count_ != 0 || !closed_) return;
  loop_.queue_close(std::exchange(closed_, nullptr));
}

SocketAddress ServerState::address() const {
  return listeners_.empty() ? SocketAddress() : listeners_.front().address();
}

void ServerState::close(Callback<> done) {
  closing_ = true;
  closed_ = std::move(done);
  close_at_ms_ = loop_.now().count();
  for (TcpServer& listener : listeners_) listener.close();
  listeners_.clear();
  for (ServerConnection* each = first_; each != nullptr;) {
    ServerConnection& connection = *std::exchange(each, each->next);
    connection.close_when_idle();
  }
  done_if_empty();
}

void ServerState::destroy() {
  closing_ = true;
  for (TcpServer& listener : listeners_) listener.close();
  listeners_.clear();
  while (first_ != nullptr) {
    first_->destroy();  // which removes it
  }
  timer_.clear();
}

void ServerState::check_times() {
  loop_.update_now();
  const std::int64_t now_ms = loop_.now().count();
  if (closing_ && now_ms - close_at_ms_ > options_.close_timeout.count()) {
    destroy();
    return;
  }
  Ref<ServerConnection> each(first_);
  while (each && each->in_list()) {
    const Ref<ServerConnection> after(each->next);
    each->check_time(now_ms);
    each = after;
  }
}

std::string_view ServerState::date_line() {
  const std::int64_t now_ms = loop_.now().count();
  if (date_line_.empty() || now_ms - date_at_ms_ >= 1000) {
    date_at_ms_ = now_ms;
    date_line_ = make_date_line();
  }
  return date_line_;
}

// ---- Server -------------------------------------------------------------------------------------

void Server::Deleter::operator()(ServerState* state) const noexcept {
  delete state;
}

Server::Server(Loop& loop, ServerOptions options) : state_(new ServerState(loop, options)) {}
Server::~Server() = default;

Loop& Server::loop() const noexcept {
  return state_->loop();
}
void Server::set_handler(Callback<void(Request, Response)> handler) {
  state_->set_handler(std::move(handler));
}
Expected<> Server::listen(const SocketAddress& address, ListenOptions options) {
  return state_->listen(address, options);
}
void Server::serve(AnyStream stream) {
  state_->serve(std::move(stream));
}
SocketAddress Server::address() const {
  return state_->address();
}
std::size_t Server::connections() const {
  return state_->connections();
}
std::uint64_t Server::requests() const {
  return state_->requests();
}
void Server::close(Callback<> done) {
  state_->close(std::move(done));
}
void Server::destroy() {
  state_->destroy();
}

// ---- Request ------------------------------------------------------------------------------------

ServerConnection* Request::connection() const noexcept {
  return static_cast<ServerConnection*>(message_.connection());
}
std::string_view Request::method() const {
  const ServerConnection* const from = connection();
  return from != nullptr ? from->method() : std::string_view();
}
std::string_view Request::target() const {
  const ServerConnection* const from = connection();
  return from != nullptr ? from->target() : std::string_view();
}
std::string_view Request::path() const {
  const std::string_view all = target();
  return all.substr(0, all.find('?'));
}
std::string_view Request::query() const {
  const std::string_view all = target();
  const std::size_t mark = all.find('?');
  return mark == std::string_view::npos ? std::string_view() : all.substr(mark + 1);
}
int Request::minor_version() const {
  const ServerConnection* const from = connection();
  return from != nullptr ? from->minor_version() : 1;
}
Headers Request::headers() const {
  const ServerConnection* const from = connection();
  return from != nullptr ? Headers(from->lines()) : Headers();
}
SocketAddress Request::peer_address() const {
  const ServerConnection* const from = connection();
  return from != nullptr ? from->stream().peer_address() : SocketAddress();
}
Loop* Request::loop() const {
  const ServerConnection* const from = connection();
  return from != nullptr ? &from->loop() : nullptr;
}
void Request::set_max_body(std::uint64_t bytes) {
  if (ServerConnection* const to = connection()) to->set_max_body(bytes);
}
std::stop_token Request::stop_token() const {
  ServerConnection* const from = connection();
  return from != nullptr ? from->stop_token() : std::stop_token();
}

namespace {

Async<Expected<std::string>> read_whole(Request request) {
  std::string whole;
  for (;;) {
    auto part = co_await request.read();
    if (!part) co_return std::unexpected(part.error());
    if (part->empty()) co_return whole;
    whole.empty() ? static_cast<void>(whole = *std::move(part)) : static_cast<void>(whole += *part);
  }
}

}  // namespace

Async<Expected<std::string>> Request::read_all() {
  return read_whole(*this);
}

// ---- Response -----------------------------------------------------------------------------------

Response::Response(detail::MessageRef message) noexcept : message_(std::move(message)) {
  static_cast<ServerConnection*>(message_.any_connection())->retain_response();
}
Response::Response(const Response& other) noexcept : message_(other.message_) {
  if (auto* const all = static_cast<ServerConnection*>(message_.any_connection())) {
    all->retain_response();
  }
}
Response::~Response() {
  if (auto* const all = static_cast<ServerConnection*>(message_.any_connection())) {
    all->release_response(message_.number());
  }
}
ServerConnection* Response::connection() const noexcept {
  return static_cast<ServerConnection*>(message_.connection());
}

Response& Response::status(int status) {
  if (ServerConnection* const to = connection()) to->set_status(status);
  return *this;
}
Response& Response::header(std::string_view name, std::string_view value) {
  if (ServerConnection* const to = connection()) to->add_header(name, value);
  return *this;
}
Expected<> Response::send(std::string_view body) {
  ServerConnection* const to = connection();
  if (to == nullptr) return std::unexpected(errno_code(EPIPE));
  return to->send(body);
}
Expected<> Response::send_owned(std::string body) {
  ServerConnection* const to = connection();
  if (to == nullptr) return std::unexpected(errno_code(EPIPE));
  return to->send_owned(std::move(body));
}
Expected<Flow> Response::write(std::string_view piece) {
  ServerConnection* const to = connection();
  if (to == nullptr) return std::unexpected(errno_code(EPIPE));
  return to->write(piece);
}
Expected<> Response::end() {
  ServerConnection* const to = connection();
  if (to == nullptr) return std::unexpected(errno_code(EPIPE));
  return to->end();
}
bool Response::head_sent() const {
  const ServerConnection* const to = connection();
  return to == nullptr || to->head_sent();
}
bool Response::has_header(std::string_view name) const {
  const ServerConnection* const to = connection();
  return to != nullptr && to->has_header(name);
}
Expected<Upgraded> Response::upgrade() {
  ServerConnection* const to = connection();
  if (to == nullptr) return std::unexpected(errno_code(EPIPE));
  return to->upgrade();
}

}  // namespace rondo::http
