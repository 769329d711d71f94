// The public face of the client, and its pool of connections.
#include "rondo/http/client.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include "rondo/dns.h"
#include "rondo/when.h"

#include "http/connection/client_connection.h"
#include "http/connection/client_state.h"

namespace rondo::http {

// ---- URLs ---------------------------------------------------------------------------------------

Expected<Url> Url::parse(std::string_view text) {
  const auto refused = std::unexpected(make_error_code(Error::unsupported));
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos || colon == 0) return refused;
  Url url;
  for (const char c : text.substr(0, colon)) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (!is_upper && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '+') return refused;
    url.scheme += is_upper ? static_cast<char>(c | 0x20) : c;
  }
  text.remove_prefix(colon + 3);
  text = text.substr(0, text.find('#'));
  const std::size_t slash = std::min(text.find_first_of("/?"), text.size());
  std::string_view authority = text.substr(0, slash);
  const std::string_view target = text.substr(slash);
  const auto is_bad = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f;
  };
  if (std::ranges::any_of(authority, is_bad) || std::ranges::any_of(target, is_bad)) return refused;
  if (authority.find('@') != std::string_view::npos) return refused;
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return refused;
    url.host = authority.substr(1, end - 1);
    authority.remove_prefix(end + 1);
    if (!authority.empty() && authority.front() != ':') return refused;
    port = authority.empty() ? authority : authority.substr(1);
  } else {
    const std::size_t at = std::min(authority.find(':'), authority.size());
    url.host = authority.substr(0, at);
    if (at < authority.size()) port = authority.substr(at + 1);
  }
  if (url.host.empty()) return refused;
  if (!port.empty()) {
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
    if (error != std::errc() || end != port.data() + port.size() || url.port == 0) return refused;
  }
  url.target = target.empty()          ? "/"
               : target.front() == '?' ? "/" + std::string(target)
                                       : std::string(target);
  return url;
}

ClientRequest::ClientRequest(std::string method, std::string_view url)
    : method_(std::move(method)), url_(Url::parse(url)) {
  if (!is_token(method_)) {
    throw Misuse("ERR_INVALID_HTTP_TOKEN", "Method must be a valid HTTP token");
  }
}

ClientRequest::ClientRequest(std::string method, std::string_view url, std::string body)
    : ClientRequest(std::move(method), url) {
  body_ = std::move(body);
}

ClientRequest& ClientRequest::header(std::string_view name, std::string_view value) {
  if (same_name(name, "transfer-encoding")) {
    throw Misuse("ERR_HTTP_INVALID_HEADER_VALUE", "the client chooses the transfer encoding");
  }
  if (same_name(name, "content-length")) {
    std::uint64_t length = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (error != std::errc() || end != value.data() + value.size()) {
      throw Misuse("ERR_HTTP_INVALID_HEADER_VALUE", "Content-Length must be a number");
    }
    length_ = length;
    return *this;
  }
  headers_.add(name, value);
  return *this;
}

// ---- ClientState --------------------------------------------------------------------------------

namespace {

Async<Expected<AnyStream>> connect_tcp(std::string host, std::uint16_t port) {
  std::vector<SocketAddress> addresses;
  if (const auto numbers = SocketAddress::ip(host, port)) {
    addresses.push_back(*numbers);
  } else {
    const auto found = co_await dns::lookup_all(host);
    if (!found) co_return std::unexpected(found.error());
    for (const dns::Address& one : *found) {
      if (const auto address = SocketAddress::ip(one.text, port)) addresses.push_back(*address);
    }
  }
  auto socket = co_await TcpSocket::connect(std::move(addresses));
  if (!socket) co_return std::unexpected(socket.error());
  static_cast<void>(socket->set_no_delay(true));
  co_return AnyStream(*std::move(socket));
}

/// Whether a request may be sent again when it is not known what became of it (RFC 9110, 9.2.2).
bool is_repeatable(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "PUT" ||
         method == "DELETE" || method == "TRACE";
}

}  // namespace

ClientState::ClientState(Loop& loop, ClientOptions options)
    : LoopOwned(loop), loop_(loop), options_(options) {
  set_connector("http", 80, connect_tcp);
  set_connector("ws", 80, connect_tcp);  // for WebSocket::connect()
}

void ClientState::set_connector(std::string scheme, std::uint16_t port,
                                Client::Connector connector) {
  if (!connector) throw Misuse("ERR_INVALID_CALLBACK", "the connector is empty");
  schemes_.insert_or_assign(
      std::move(scheme), Scheme{port, std::make_shared<Client::Connector>(std::move(connector))});
}

Expected<std::string> ClientState::origin_of(const Url& url) const {
  const auto scheme = schemes_.find(url.scheme);
  if (scheme == schemes_.end()) return std::unexpected(make_error_code(Error::unsupported));
  const std::uint16_t port = url.port != 0 ? url.port : scheme->second.port;
  return url.scheme + "://" + url.host + ':' + std::to_string(port);
}

Async<Expected<Ref<ClientConnection>>> ClientState::connect(Ref<ClientState> self, Url url,
                                                            std::string origin) {
  // A copy: it may be replaced while a coroutine of its own has its captures.
  const Scheme scheme = self->schemes_.find(url.scheme)->second;
  const std::uint16_t port = url.port != 0 ? url.port : scheme.port;
  auto stream = co_await with_timeout(self->options_.connect_timeout,
                                      (*scheme.connect)(std::move(url.host), port));
  if (!stream) co_return std::unexpected(stream.error());
  Ref<ClientConnection> made(
      new ClientConnection(self, self->loop_, *std::move(stream), std::move(origin)));
  self->all_.push_back(made.get());
  if (!self->timer_.active()) {
    const auto shortest = std::min(self->options_.idle_timeout, self->options_.keep_alive_timeout);
    self->timer_ = self->loop_.set_interval(
        std::clamp(shortest / 8, std::chrono::milliseconds(10), std::chrono::milliseconds(1000)),
        [state = self.get()] { state->check_times(); });
    self->timer_.unref();
  }
  co_return made;
}

Async<Expected<ClientResponse>> ClientState::send(Ref<ClientState> self, ClientRequest request) {
  if (!request.url_) co_return std::unexpected(request.url_.error());
  const auto origin = self->origin_of(*request.url_);
  if (!origin) co_return std::unexpected(origin.error());
  for (;;) {
    Ref<ClientConnection> connection = self->take_idle(*origin);
    const bool is_used = static_cast<bool>(connection);
    if (!is_used) {
      auto made = co_await connect(self, *request.url_, *origin);
      if (!made) co_return std::unexpected(made.error());
      connection = *std::move(made);
    }
    Expected<> head = connection->begin(request);
    if (head) {
      head =
          co_await with_timeout(self->options_.response_timeout, HeadOp(connection->reference()));
    }
    if (head) co_return connection->response();
    const bool was_closed =
        is_used && !connection->heard() && head.error() != errno_code(ECANCELED) &&
        head.error() != errno_code(ETIMEDOUT) && head.error() != Error::timed_out;
    connection->destroy(head.error());
    if (was_closed && is_repeatable(request.method_)) continue;
    if (head.error() == errno_code(ETIMEDOUT))
      head = std::unexpected(make_error_code(Error::timed_out));
    co_return std::unexpected(head.error());
  }
}

Async<Expected<ClientUpload>> ClientState::upload(Ref<ClientState> self, ClientRequest request) {
  if (!request.url_) co_return std::unexpected(request.url_.error());
  const auto origin = self->origin_of(*request.url_);
  if (!origin) co_return std::unexpected(origin.error());
  // On a new connection: what is streamed cannot be sent again.
  auto made = co_await connect(self, *request.url_, *origin);
  if (!made) co_return std::unexpected(made.error());
  request.streams_ = true;
  if (const Expected<> begun = (*made)->begin(request); !begun)
    co_return std::unexpected(begun.error());
  co_return ClientUpload((*made)->response());
}

Ref<ClientConnection> ClientState::take_idle(const std::string& origin) {
  // The youngest: the most likely to be open still.
  for (std::size_t i = idle_.size(); i-- > 0;) {
    if (idle_[i]->origin() != origin) continue;
    Ref<ClientConnection> found = std::move(idle_[i]);
    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
    return found;
  }
  return {};
}

void ClientState::now_idle(ClientConnection& connection) {
  const auto same = std::ranges::count_if(
      idle_, [&](const auto& one) { return one->origin() == connection.origin(); });
  if (abandoned_ || static_cast<std::size_t>(same) >= options_.max_idle) {
    connection.destroy(errno_code(ECANCELED));
    return;
  }
  idle_.emplace_back(&connection);
}

void ClientState::remove(ClientConnection& connection) noexcept {
  const Ref<ClientConnection> last(&connection);
  forget(connection);
  std::erase_if(idle_, [&](const auto& one) { return one.get() == &connection; });
  if (all_.empty() && core() != nullptr) timer_.clear();
}

void ClientState::forget(ClientConnection& connection) noexcept {
  std::erase(all_, &connection);
}

void ClientState::close_idle() noexcept {
  while (!idle_.empty()) {
    const Ref<ClientConnection> one = idle_.back();
    one->destroy(errno_code(ECANCELED));
  }
}

void ClientState::abandon() noexcept {
  abandoned_ = true;
  close_idle();
}

void ClientState::check_times() {
  const Ref<ClientState> keep(this);
  loop_.update_now();
  const std::int64_t now_ms = loop_.now().count();
  const std::vector<Ref<ClientConnection>> all(all_.begin(), all_.end());
  for (const auto& one : all) {
    if (one->open()) one->check_time(now_ms);
  }
}

void ClientState::loop_ends() noexcept {
  leave();
  const Ref<ClientState> keep(this);
  abandoned_ = true;
  const std::vector<Ref<ClientConnection>> all(all_.begin(), all_.end());
  idle_.clear();
  all_.clear();
  for (const auto& one : all) one->loop_gone();
}

// ---- Client -------------------------------------------------------------------------------------

void Client::Release::operator()(ClientState* state) const noexcept {
  state->abandon();
  state->release();
}

Client::Client(Loop& loop, ClientOptions options) : state_(new ClientState(loop, options)) {
  state_->retain();
}
Client::~Client() = default;

Async<Expected<ClientResponse>> Client::send(ClientRequest request) {
  return ClientState::send(Ref(state_.get()), std::move(request));
}
Async<Expected<ClientUpload>> Client::upload(ClientRequest request) {
  return ClientState::upload(Ref(state_.get()), std::move(request));
}
void Client::set_connector(std::string scheme, std::uint16_t default_port, Connector connector) {
  state_->set_connector(std::move(scheme), default_port, std::move(connector));
}
std::size_t Client::idle_connections() const {
  return state_->idle_connections();
}
void Client::close_idle() {
  state_->close_idle();
}

// ---- ClientResponse -----------------------------------------------------------------------------

ClientResponse::ClientResponse(detail::MessageRef message, std::shared_ptr<const Head> head)
    : message_(std::move(message)), head_(std::move(head)) {
  static_cast<ClientConnection*>(message_.any_connection())->retain_response();
}
ClientResponse::ClientResponse(const ClientResponse& other)
    : message_(other.message_), head_(other.head_) {
  if (auto* const all = static_cast<ClientConnection*>(message_.any_connection())) {
    all->retain_response();
  }
}
ClientResponse::~ClientResponse() {
  if (auto* const all = static_cast<ClientConnection*>(message_.any_connection())) {
    all->release_response(message_.number());
  }
}

namespace {

Async<Expected<std::string>> read_whole(ClientResponse response) {
  std::string whole;
  for (;;) {
    auto part = co_await response.read();
    if (!part) co_return std::unexpected(part.error());
    if (part->empty()) co_return whole;
    whole.empty() ? static_cast<void>(whole = *std::move(part)) : static_cast<void>(whole += *part);
  }
}

// `exchange` keeps the connection open until the response is made.
Async<Expected<ClientResponse>> finish_upload(ClientResponse /*exchange*/,
                                              Ref<ClientConnection> connection) {
  if (!connection) co_return std::unexpected(errno_code(EPIPE));
  Expected<> head = connection->end_body();
  if (head) {
    head = co_await with_timeout(connection->response_timeout(), HeadOp(connection->reference()));
  }
  if (head) co_return connection->response();
  connection->destroy(head.error());
  if (head.error() == errno_code(ETIMEDOUT))
    head = std::unexpected(make_error_code(Error::timed_out));
  co_return std::unexpected(head.error());
}

}  // namespace

Async<Expected<std::string>> ClientResponse::read_all() {
  return read_whole(*this);
}

Expected<Upgraded> ClientResponse::upgrade() {
  auto* const connection = static_cast<ClientConnection*>(message_.connection());
  if (connection == nullptr) return std::unexpected(errno_code(EPIPE));
  return connection->upgrade();
}

Async<Expected<ClientResponse>> ClientUpload::finish() {
  Ref<ClientConnection> connection(static_cast<ClientConnection*>(exchange_.message_.connection()));
  return finish_upload(std::move(exchange_), std::move(connection));
}

}  // namespace rondo::http
