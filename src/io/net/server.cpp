#include "io/net/server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "io/backend/uring_backend.h"
#include "io/io_context.h"
#include "io/net/socket_calls.h"

namespace rondo {

namespace {

// How many connections are accepted before other handles are served.
constexpr int kAcceptsPerVisit = 64;
// The system may have no descriptor because of others, whose closing we do not see.
constexpr std::int32_t kRetryMs = 50;

/// The connection was lost before we took it, or the call was interrupted: the next may be fine.
bool is_passing(int error) noexcept {
  switch (error) {
    case EAGAIN:
    case EINTR:
    case ECANCELED:
    case ECONNABORTED:
    case EPROTO:
    case EPERM:
    case ENETDOWN:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case ENONET:
    case EHOSTUNREACH:
    case ENETUNREACH:
      return true;
    default:
      return false;
  }
}

}  // namespace

ServerState::~ServerState() = default;

// ---- Listening ----------------------------------------------------------------------------------

Expected<> ServerState::listen(const SocketAddress& address, const ListenOptions& options) {
  check_thread();
  const bool is_v6 = address.family() == SocketAddress::Family::ipv6;
  if (fd_ || closing_ || (!is_v6 && address.family() != SocketAddress::Family::ipv4)) {
    return std::unexpected(errno_code(EINVAL));
  }
  auto fd = open_socket(address, SOCK_STREAM);
  if (!fd) return std::unexpected(fd.error());
  std::error_code error = set_option(fd->get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (!error && options.reuse_port) error = set_option(fd->get(), SOL_SOCKET, SO_REUSEPORT, 1);
  if (!error && is_v6) {
    error = set_option(fd->get(), IPPROTO_IPV6, IPV6_V6ONLY, options.ipv6_only ? 1 : 0);
  }
  if (!error) error = bind_socket(fd->get(), address);
  if (error) return std::unexpected(error);
  tcp_ = options.accepted;
  return start_listening(*std::move(fd), options.backlog);
}

Expected<> ServerState::listen(const SocketAddress& address, const UnixListenOptions& options) {
  check_thread();
  if (fd_ || closing_ || address.family() != SocketAddress::Family::unix_domain) {
    return std::unexpected(errno_code(EINVAL));
  }
  auto fd = open_socket(address, SOCK_STREAM);
  if (!fd) return std::unexpected(fd.error());
  if (const std::error_code error = bind_socket(fd->get(), address)) {
    return std::unexpected(error);
  }
  const std::string_view path = address.path();
  if (!path.empty() && path.front() != '\0') {
    path_ = path;
    struct stat status{};
    if (::stat(path_.c_str(), &status) == 0) path_inode_ = status.st_ino;
  }
  tcp_.stream = options.accepted.stream;
  unix_ = options.accepted;
  auto result = start_listening(*std::move(fd), options.backlog);
  if (!result) remove_path();
  return result;
}

Expected<> ServerState::check_descriptor(int fd, bool is_unix) const {
  check_thread();
  if (fd_ || closing_) return std::unexpected(errno_code(EINVAL));
  int type = 0;
  int family = 0;
  socklen_t size = sizeof(type);
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
      ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0) {
    return std::unexpected(errno_code(errno));
  }
  const bool fits = is_unix ? family == AF_UNIX : family == AF_INET || family == AF_INET6;
  if (type != SOCK_STREAM || !fits) return std::unexpected(errno_code(EINVAL));
  return {};
}

Expected<> ServerState::listen(int fd, const ListenOptions& options) {
  if (auto fits = check_descriptor(fd, false); !fits) return fits;
  tcp_ = options.accepted;
  return start_listening_on(fd, options.backlog);
}

Expected<> ServerState::listen(int fd, const UnixListenOptions& options) {
  if (auto fits = check_descriptor(fd, true); !fits) return fits;
  tcp_.stream = options.accepted.stream;
  unix_ = options.accepted;
  return start_listening_on(fd, options.backlog);
}

Expected<> ServerState::start_listening_on(int fd, int backlog) {
  Descriptor taken(fd);
  shared_ = true;
  auto result = start_listening(std::move(taken), backlog);
  if (!result) {
    taken.release();  // it stays the caller's
    return result;
  }
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return result;
}

/// Takes the descriptor if it succeeds.
Expected<> ServerState::start_listening(Descriptor&& fd, int backlog) {
  if (::listen(fd.get(), backlog) != 0) return std::unexpected(errno_code(errno));
  IoContext::of(*core()).net().keep_reserve();
  fd_ = std::move(fd);
  core()->door().next_tick([self = Ref(this)] {
    if (!self->closing_) self->listening_();
  });
  touch();
  return {};
}

SocketAddress ServerState::address() const noexcept {
  return listening() ? local_address_of(fd_.get()) : SocketAddress();
}

void ServerState::on_connection(Callback<void(Connection)> callback) {
  listen_to(connection_, std::move(callback));
  touch();
  // Readiness is reported in the order in which it occurred: watched only at the next wait, a
  // server would learn of a connection after the client that made it. An error occurs again in
  // flush().
  if (dirty_ && wanted() == Accepting::all && uring_of(core()->backend()) == nullptr) {
    static_cast<void>(watch_.want(*core(), fd_.get(), POLLIN));
  }
}

// ---- Bringing the kernel in line ----------------------------------------------------------------

ServerState::Accepting ServerState::wanted() const noexcept {
  if (closing_ || !fd_ || starved_ || !held_.empty()) return Accepting::no;
  if (connection_) return Accepting::all;
  return first_ != nullptr ? Accepting::one : Accepting::no;
}

bool ServerState::accepts_by_readiness() const noexcept {
  return by_readiness_ || shared_ || uring_of(core()->backend()) == nullptr;
}

void ServerState::share() {
  check_thread();
  if (std::exchange(shared_, true) || closing_) return;
  if (accepting_ != Accepting::no && !std::exchange(stopping_, true)) {
    uring_of(core()->backend())->cancel_now(*this);
  }
  touch();
}

void ServerState::touch() {
  if (dirty_ || closing_ || core() == nullptr || core()->ending()) return;
  dirty_ = true;
  retain();
  IoContext::of(*core()).net().flush_soon(*this);
  update_alive();
}

void ServerState::flush() {
  const Ref<ServerState> keep(this);
  dirty_ = false;
  release();
  if (closing_) return;
  if (!held_.empty() && (connection_ || first_ != nullptr)) {
    // Rare: accepted by the kernel after accepting had been cancelled.
    core()->pending().add([self = keep] {
      if (self->closing_ || self->held_.empty()) return;
      if (!self->connection_ && self->first_ == nullptr) return;  // no longer wanted
      Descriptor fd = std::move(self->held_.front());
      self->held_.erase(self->held_.begin());
      self->touch();
      self->hand_out(std::move(fd));
    });
  }
  Accepting want = wanted();
  UringBackend* uring = uring_of(core()->backend());
  if (accepts_by_readiness() || watch_.wanted() != 0) {
    const bool watched = want != Accepting::no && accepts_by_readiness();
    const std::uint32_t events = watched ? std::uint32_t{POLLIN} : 0U;
    if (const std::error_code error = watch_.want(*core(), fd_.get(), events)) {
      wait_for_descriptors();
      report_limit(error.value());
    }
    if (watched) want = Accepting::no;
  }
  if (uring == nullptr) {
    update_alive();
    return;
  }
  if (want != accepting_) {
    if (accepting_ == Accepting::no) {
      accepting_ = want;
      retain();
      uring->start(*this);
    } else if (!std::exchange(stopping_, true)) {
      uring->cancel(*this);  // its last completion calls this again
    }
  }
  update_alive();
}

/// A server that takes connections keeps the loop alive, and so does each pending accept().
void ServerState::update_alive() noexcept {
  if (core() == nullptr) return;
  set_active(listening() && connection_);
  const bool busy = closing_ ? accepting_ != Accepting::no : dirty_ || first_ != nullptr;
  if (busy == keeps_alive_) return;
  keeps_alive_ = busy;
  busy ? core()->begin_request() : core()->end_request();
}

// ---- Accepting ----------------------------------------------------------------------------------

void ServerState::prepare(io_uring_sqe& entry) noexcept {
  entry.opcode = IORING_OP_ACCEPT;
  entry.fd = fd_.get();
  entry.accept_flags = SOCK_CLOEXEC | SOCK_NONBLOCK;
  if (accepting_ == Accepting::all) entry.ioprio = IORING_ACCEPT_MULTISHOT;
}

void ServerState::complete(std::int32_t result, std::uint32_t flags) {
  const Ref<ServerState> keep(this);
  if ((flags & IORING_CQE_F_MORE) == 0) {
    accepting_ = Accepting::no;
    stopping_ = false;
    release();
    if (closing_) let_go();
    touch();
  }
  if (result >= 0) {
    accepted(Descriptor(result));
  } else {
    accept_failed(-result);
  }
}

void ServerState::abandoned(std::int32_t result) noexcept {
  if (result >= 0) ::close(result);
}

void ServerState::ready(std::uint32_t /*events*/) {
  const Ref<ServerState> keep(this);
  touch();
  for (int i = 0; i < kAcceptsPerVisit && wanted() != Accepting::no; ++i) {
    Descriptor fd(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd) {
      if (errno == EAGAIN || !accept_failed(errno)) return;
      continue;
    }
    by_readiness_ = false;
    accepted(std::move(fd));
  }
}

void ServerState::accepted(Descriptor fd) {
  limit_reported_ = false;
  // The descriptor goes. One that the ring accepted just before the socket was shared is still
  // served: no other process will see it.
  if (closing_ && !shared_) return;
  if (connection_ || first_ != nullptr) {
    core()->door().run(task(), [&] { hand_out(std::move(fd)); });
  } else {
    held_.push_back(std::move(fd));
  }
}

/// Inside the door.
void ServerState::hand_out(Descriptor fd) {
  Connection connection = make_connection(std::move(fd));
  if (first_ != nullptr) {
    detail::AcceptBase& accept = *first_;
    accept.accepted_ = std::move(connection);
    report_accept(accept);
  } else {
    connection_(std::move(connection));
  }
}

ServerState::Connection ServerState::make_connection(Descriptor fd) {
  // An option that cannot be set means that the peer is gone already: reading will report it.
  [[maybe_unused]] const std::error_code ignored = apply(fd.get(), tcp_);
  return StreamState::make(*core(), std::move(fd), tcp_.stream, unix_.max_descriptors);
}

/// Returns whether the next attempt may succeed.
bool ServerState::accept_failed(int error) {
  if (closing_ || is_passing(error)) return true;
  if ((error == EMFILE || error == ENFILE) && IoContext::of(*core()).net().shed(fd_.get())) {
    by_readiness_ = true;
    touch();
  } else {
    wait_for_descriptors();
  }
  report_limit(error);
  return false;
}

// ---- Without descriptors -----------------------------------------------------------------------

void ServerState::report_limit(int error) {
  if (std::exchange(limit_reported_, true)) return;
  core()->pending().add([self = Ref(this), error] {
    if (!self->closing_) self->failed_(errno_code(error));
  });
}

/// Connections stay in the backlog until one of our descriptors is closed, or for a moment.
void ServerState::wait_for_descriptors() {
  if (starved_) return;
  starved_ = true;
  IoContext::of(*core()).net().add_starved(*this);
  retry_ = core()->timers().add(kRetryMs, core()->now_ms(), TaskKind::timeout, [this] {
    retry_.reset();
    try_again();
  });
  core()->timers().set_ref(*retry_, false);
  touch();
}

void ServerState::try_again() {
  stop_waiting();
  touch();
}

void ServerState::stop_waiting() noexcept {
  if (!std::exchange(starved_, false)) return;
  IoContext::of(*core()).net().remove_starved(*this);
  if (retry_.has_value()) core()->timers().clear(*std::exchange(retry_, std::nullopt));
}

// ---- Awaiting ----------------------------------------------------------------------------------

void ServerState::begin_accept(LoopCore& core, detail::AcceptBase& accept) {
  core.check_thread();
  const int error = closing_ || !fd_ ? EINVAL : connection_ ? EBUSY : 0;
  if (error != 0) {
    accept.error_ = errno_code(error);
    core.pending().add([&accept] { accept.waiter_(); });
    return;
  }
  accept.waiting_ = true;
  accept.next_ = nullptr;
  (last_ == nullptr ? first_ : last_->next_) = &accept;
  last_ = &accept;
  touch();
}

void ServerState::unlink_accept(detail::AcceptBase& accept) noexcept {
  detail::AcceptBase* before = nullptr;
  detail::AcceptBase* each = first_;
  while (each != nullptr && each != &accept) before = std::exchange(each, each->next_);
  if (each == nullptr) return;
  (before == nullptr ? first_ : before->next_) = accept.next_;
  if (last_ == &accept) last_ = before;
  accept.waiting_ = false;
}

/// Inside the door.
void ServerState::report_accept(detail::AcceptBase& accept) {
  const Ref<ServerState> keep(this);
  unlink_accept(accept);
  touch();
  update_alive();
  accept.waiter_();
}

void ServerState::cancel_accept(detail::AcceptBase& accept) noexcept {
  if (!accept.waiting_ || closing_) return;
  // A connection that the kernel accepts nevertheless is kept for the next accept.
  unlink_accept(accept);
  accept.error_ = errno_code(ECANCELED);
  core()->pending().add([&accept] { accept.waiter_(); });
  touch();
}

void ServerState::forget_accept(detail::AcceptBase& accept) noexcept {
  unlink_accept(accept);
}

// ---- Ending ------------------------------------------------------------------------------------

void ServerState::close(Callback<> callback) {
  check_thread();
  if (core() == nullptr || core()->ending()) return;
  if (!std::exchange(closing_, true)) {
    const Ref<ServerState> keep(this);
    stop_waiting();
    held_.clear();
    // On the ring a watch refers to the socket, which then continues to listen.
    by_readiness_ || shared_ ? watch_.stop_now(*core()) : watch_.stop(*core());
    remove_path();
    if (accepting_ == Accepting::no) {
      let_go();
    } else {
      // The kernel still refers to the socket for a moment; it takes no connections from now on.
      // Not where others listen on it too: they would accept none either.
      if (!shared_) ::shutdown(fd_.get(), SHUT_RDWR);
      if (!std::exchange(stopping_, true)) uring_of(core()->backend())->cancel(*this);
    }
    for (detail::AcceptBase* each = first_; each != nullptr; each = each->next_) {
      core()->close().add([self = keep] {
        if (self->first_ == nullptr) return;
        self->first_->error_ = errno_code(ECANCELED);
        self->report_accept(*self->first_);
      });
    }
    core()->close().add([self = keep, done = std::move(callback)]() mutable {
      self->listening_.set(nullptr);
      self->failed_.set(nullptr);
      self->connection_.set(nullptr);
      if (done) done();
    });
    update_alive();
  } else if (callback) {
    core()->close().add(std::move(callback));
  }
}

void ServerState::let_go() noexcept {
  fd_ = Descriptor();
  update_alive();
}

/// Unless it has been replaced by another one.
void ServerState::remove_path() noexcept {
  if (path_.empty()) return;
  struct stat status{};
  if (::stat(path_.c_str(), &status) == 0 && status.st_ino == path_inode_) {
    ::unlink(path_.c_str());
  }
  path_.clear();
}

void ServerState::loop_ends() noexcept {
  const Ref<ServerState> keep(this);
  closing_ = true;
  remove_path();
  if (std::exchange(accepting_, Accepting::no) != Accepting::no) release();
  if (std::exchange(dirty_, false)) release();
  watch_.forget();
  fd_ = Descriptor();
  held_.clear();
  while (first_ != nullptr) unlink_accept(*first_);
  detach();
  listening_.set(nullptr);
  failed_.set(nullptr);
  connection_.set(nullptr);
}

}  // namespace rondo
