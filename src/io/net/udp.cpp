// UDP by readiness, on either backend: a datagram is sent when it is given to us, as a rule, and
// several are read when there are some.
#include "rondo/udp.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/containers/fifo.h"
#include "core/handle.h"
#include "io/begin_on.h"
#include "io/counted_ref.h"
#include "io/io_context.h"
#include "io/net/handle_ref.h"
#include "io/net/socket_calls.h"
#include "io/net/socket_watch.h"
#include "io/repeated_callback.h"

namespace rondo {

namespace {

// How many datagrams are read before other handles are served.
constexpr int kReadsPerVisit = 64;
// What a datagram that waits costs us beside its bytes.
constexpr std::size_t kOverheadBytes = 256;

Expected<> to_expected(std::error_code error) {
  if (error) return std::unexpected(error);
  return {};
}

std::span<const std::byte> bytes_of(std::string_view text) noexcept {
  return std::as_bytes(std::span(text));
}

}  // namespace

class UdpState final : public Handle, private Flushable, private Watcher {
 public:
  using MessageCallback = Callback<void(std::span<const std::byte>, const Datagram&)>;
  using SentCallback = Callback<void(Expected<>)>;

  explicit UdpState(LoopCore& core) noexcept : Handle(core) {}

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }
  void retain_handle() noexcept {
    retain();
    ++handles_;
  }
  void release_handle() noexcept {
    if (--handles_ == 0) close();
    release();
  }

  // ---- Addresses -------------------------------------------------------------------------------

  Expected<> bind(const SocketAddress& address, const UdpOptions& options) {
    check_thread();
    if (fd_) return std::unexpected(errno_code(EINVAL));
    if (auto opened = open(address, options); !opened) return opened;
    if (const std::error_code error = bind_socket(fd_.get(), address)) {
      fd_ = Descriptor();
      return std::unexpected(error);
    }
    touch();
    return {};
  }

  Expected<> connect(const SocketAddress& address, const UdpOptions& options) {
    check_thread();
    if (auto opened = open(address, options); !opened) return opened;
    if (::connect(fd_.get(), address.native(), address.native_size()) != 0) {
      return std::unexpected(errno_code(errno));
    }
    touch();
    return {};
  }

  Expected<> disconnect() {
    check_thread();
    sockaddr no_peer{};
    no_peer.sa_family = AF_UNSPEC;
    if (::connect(fd(), &no_peer, sizeof(no_peer)) != 0) return std::unexpected(errno_code(errno));
    return {};
  }

  Expected<> adopt(int fd, const UdpOptions& options) {
    check_thread();
    if (closing_) return std::unexpected(errno_code(EBADF));
    int type = 0;
    socklen_t size = sizeof(type);
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
      return std::unexpected(errno_code(errno));
    }
    const SocketAddress::Family family = local_address_of(fd).family();
    const bool is_ip =
        family == SocketAddress::Family::ipv4 || family == SocketAddress::Family::ipv6;
    if (fd_ || type != SOCK_DGRAM || !is_ip) return std::unexpected(errno_code(EINVAL));
    is_v6_ = family == SocketAddress::Family::ipv6;
    max_buffered_ = options.max_buffered;
    fd_ = Descriptor(fd);
    touch();
    return {};
  }

  Expected<> option(int level_v4, int name_v4, int level_v6, int name_v6, int value) const {
    check_thread();
    return to_expected(is_v6_ ? set_option(fd(), level_v6, name_v6, value)
                              : set_option(fd(), level_v4, name_v4, value));
  }

  Expected<> multicast_interface(const SocketAddress& interface) const {
    check_thread();
    if (is_v6_) {
      sockaddr_in6 address{};
      std::memcpy(&address, interface.native(), sizeof(address));
      return to_expected(set_option(fd(), IPPROTO_IPV6, IPV6_MULTICAST_IF,
                                    static_cast<int>(address.sin6_scope_id)));
    }
    sockaddr_in address{};
    std::memcpy(&address, interface.native(), sizeof(address));
    return set(IPPROTO_IP, IP_MULTICAST_IF, address.sin_addr);
  }

  Expected<> membership(const SocketAddress& group, const SocketAddress& interface,
                        bool join) const {
    check_thread();
    if (group.family() == SocketAddress::Family::ipv6) {
      sockaddr_in6 address{};
      std::memcpy(&address, group.native(), sizeof(address));
      ipv6_mreq request{};
      request.ipv6mr_multiaddr = address.sin6_addr;
      request.ipv6mr_interface = address.sin6_scope_id;
      if (interface.family() == SocketAddress::Family::ipv6) {
        std::memcpy(&address, interface.native(), sizeof(address));
        request.ipv6mr_interface = address.sin6_scope_id;
      }
      return set(IPPROTO_IPV6, join ? IPV6_JOIN_GROUP : IPV6_LEAVE_GROUP, request);
    }
    if (group.family() != SocketAddress::Family::ipv4) return std::unexpected(errno_code(EINVAL));
    sockaddr_in address{};
    std::memcpy(&address, group.native(), sizeof(address));
    ip_mreq request{};
    request.imr_multiaddr = address.sin_addr;
    if (interface.family() == SocketAddress::Family::ipv4) {
      std::memcpy(&address, interface.native(), sizeof(address));
      request.imr_interface = address.sin_addr;
    }
    return set(IPPROTO_IP, join ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, request);
  }

  // ---- Receiving -------------------------------------------------------------------------------

  void on_message(MessageCallback callback) {
    listen_to(message_, std::move(callback));
    touch();
  }
  void on_error(Callback<void(std::error_code)> callback) {
    listen_to(failed_, std::move(callback));
  }
  void on_close(Callback<> callback) { listen_to(close_, std::move(callback)); }

  void begin_receive(LoopCore& core, detail::UdpReceiveBase& receive) {
    core.check_thread();
    const int error = closing_ || !fd_      ? EBADF
                      : receive_ != nullptr ? EALREADY
                      : message_            ? EBUSY
                                            : 0;
    if (error != 0) {
      receive.error_ = errno_code(error);
      core.pending().add([&receive] { receive.waiter_(); });
      return;
    }
    receive.waiting_ = true;
    receive_ = &receive;
    touch();
  }

  void cancel_receive(detail::UdpReceiveBase& receive) noexcept {
    if (receive_ != &receive || closing_) return;
    receive_ = nullptr;
    receive.waiting_ = false;
    receive.error_ = errno_code(ECANCELED);
    core()->pending().add([&receive] { receive.waiter_(); });
    touch();
  }

  void forget_receive(detail::UdpReceiveBase& receive) noexcept {
    if (receive_ == &receive) receive_ = nullptr;
  }

  // ---- Sending ---------------------------------------------------------------------------------

  Expected<> send(const SocketAddress& to, std::span<const std::byte> bytes) {
    bool later = false;
    return try_send(to, bytes, nullptr, later);
  }

  void send(const SocketAddress& to, std::span<const std::byte> bytes, SentCallback callback) {
    check_thread();
    if (!callback) throw Misuse("ERR_INVALID_CALLBACK", "the callback is empty");
    bool later = false;
    const Expected<> result = try_send(to, bytes, &callback, later);
    if (later || core() == nullptr || core()->ending()) return;
    core()->pending().add([callback = std::move(callback), result]() mutable { callback(result); });
  }

  std::size_t buffered() const noexcept { return waiting_bytes_; }

  // ---- Ending ----------------------------------------------------------------------------------

  void close() {
    check_thread();
    if (closing_) return;
    closing_ = true;
    if (core() == nullptr || core()->ending()) return;
    const Ref<UdpState> keep(this);
    watch_.stop_now(*core());  // the close callback may bind to the port again
    fd_ = Descriptor();
    IoContext::of(*core()).net().descriptor_freed();
    for (std::size_t steps = waiting_.size() + (receive_ != nullptr ? 1 : 0) + 1; steps != 0;
         --steps) {
      core()->close().add([self = keep] { self->close_step(); });
    }
    update_alive();
  }

  bool closed() const noexcept { return closed_; }
  int fd() const noexcept { return fd_.get(); }
  void check_thread() const {
    if (core() != nullptr) core()->check_thread();
  }

 private:
  struct Waiting {
    SocketAddress to;
    std::string bytes;
    SentCallback callback;
  };

  ~UdpState() override = default;

  template <class Signature>
  void listen_to(Listener<Signature>& listener, Callback<Signature> callback) {
    check_thread();
    if (!closed_) listener.set(std::move(callback));
  }

  template <class T>
  Expected<> set(int level, int name, const T& value) const {
    if (::setsockopt(fd(), level, name, &value, sizeof(value)) != 0) {
      return std::unexpected(errno_code(errno));
    }
    return {};
  }

  /// Opens the socket, unless it is open.
  Expected<> open(const SocketAddress& address, const UdpOptions& options) {
    if (closing_) return std::unexpected(errno_code(EBADF));
    if (fd_) return {};
    is_v6_ = address.family() == SocketAddress::Family::ipv6;
    if (!is_v6_ && address.family() != SocketAddress::Family::ipv4) {
      return std::unexpected(errno_code(EINVAL));
    }
    auto opened = open_socket(address, SOCK_DGRAM);
    if (!opened) return std::unexpected(opened.error());
    const int raw = opened->get();
    std::error_code error;
    if (options.reuse_address) error = set_option(raw, SOL_SOCKET, SO_REUSEADDR, 1);
    if (!error && options.reuse_port) error = set_option(raw, SOL_SOCKET, SO_REUSEPORT, 1);
    if (!error && is_v6_) {
      error = set_option(raw, IPPROTO_IPV6, IPV6_V6ONLY, options.ipv6_only ? 1 : 0);
    }
    if (error) return std::unexpected(error);
    max_buffered_ = options.max_buffered;
    fd_ = *std::move(opened);
    touch();  // receives if a callback or a read waits
    return {};
  }

  bool wants_messages() const noexcept {
    return fd_ && !closing_ && (receive_ != nullptr || message_);
  }

  void touch() {
    if (dirty_ || closing_ || core() == nullptr || core()->ending()) return;
    dirty_ = true;
    retain();
    IoContext::of(*core()).net().flush_soon(*this);
    update_alive();
  }

  void flush() override {
    const Ref<UdpState> keep(this);
    dirty_ = false;
    release();
    if (closing_) return;
    const std::uint32_t events = (wants_messages() ? std::uint32_t{POLLIN} : 0U) |
                                 (waiting_.empty() ? 0U : std::uint32_t{POLLOUT});
    if (const std::error_code error = watch_.want(*core(), fd_.get(), events)) {
      core()->pending().add([self = keep, error] { self->failed_(error); });
    }
    update_alive();
  }

  void update_alive() noexcept {
    if (core() == nullptr) return;
    set_active(fd_ && message_ && !closing_);
    const bool busy = !closing_ && (dirty_ || receive_ != nullptr || !waiting_.empty());
    if (busy == keeps_alive_) return;
    keeps_alive_ = busy;
    busy ? core()->begin_request() : core()->end_request();
  }

  void ready(std::uint32_t events) override {
    const Ref<UdpState> keep(this);
    touch();
    if ((events & (POLLIN | POLLERR | POLLHUP)) != 0) {
      for (int i = 0; i < kReadsPerVisit && wants_messages(); ++i) {
        if (!receive_one()) break;
      }
    }
    if ((events & (POLLOUT | POLLERR)) != 0) send_waiting();
  }

  /// Returns whether there may be another.
  bool receive_one() {
    const std::span<std::byte> buffer =
        receive_ != nullptr ? receive_->buffer_ : IoContext::of(*core()).net().read_buffer();
    sockaddr_storage from{};
    iovec piece{buffer.data(), buffer.size()};
    msghdr message{};
    message.msg_name = &from;
    message.msg_namelen = sizeof(from);
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    const ssize_t count = ::recvmsg(fd_.get(), &message, MSG_DONTWAIT);
    if (count < 0) {
      if (errno == EAGAIN || errno == EINTR) return false;
      receive_failed(errno_code(errno));
      return true;
    }
    const auto size = static_cast<std::size_t>(count);
    const Datagram about{
        SocketAddress::from_native(reinterpret_cast<sockaddr*>(&from), message.msg_namelen),
        (message.msg_flags & MSG_TRUNC) != 0};
    core()->door().run(task(), [&] {
      if (receive_ != nullptr) {
        receive_->received_ = {size, about};
        wake_receiver({});
      } else {
        message_(buffer.first(size), about);
      }
    });
    return true;
  }

  void receive_failed(std::error_code error) {
    core()->door().run(task(), [&] {
      if (receive_ != nullptr) {
        wake_receiver(error);
      } else {
        failed_(error);
      }
    });
  }

  void wake_receiver(std::error_code error) {
    detail::UdpReceiveBase& receive = *std::exchange(receive_, nullptr);
    receive.error_ = error;
    receive.waiting_ = false;
    update_alive();
    receive.waiter_();
  }

  /// Sends, or keeps it for later (with the callback, if there is one).
  Expected<> try_send(const SocketAddress& to, std::span<const std::byte> bytes,
                      SentCallback* callback, bool& later) {
    check_thread();
    if (!fd_ && to.family() == SocketAddress::Family::none) {
      return std::unexpected(errno_code(closing_ ? EBADF : EDESTADDRREQ));
    }
    if (auto opened = open(to, {}); !opened) return opened;
    if (waiting_.empty()) {
      const std::error_code error = send_now(to, bytes);
      if (error != errno_code(EAGAIN)) return to_expected(error);
    }
    const std::size_t cost = bytes.size() + kOverheadBytes;
    if (waiting_bytes_ + cost > max_buffered_) return std::unexpected(errno_code(ENOBUFS));
    waiting_bytes_ += cost;
    waiting_.push_back({to, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                        callback != nullptr ? std::move(*callback) : SentCallback()});
    later = true;
    touch();
    return {};
  }

  std::error_code send_now(const SocketAddress& to, std::span<const std::byte> bytes) const {
    const bool has_address = to.family() != SocketAddress::Family::none;
    for (;;) {
      const ssize_t count =
          ::sendto(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                   has_address ? to.native() : nullptr, has_address ? to.native_size() : 0);
      if (count >= 0) return {};
      if (errno != EINTR) return errno_code(errno);
    }
  }

  void send_waiting() {
    while (!waiting_.empty() && !closing_) {
      const Waiting& first = waiting_.front();
      const std::error_code error = send_now(first.to, bytes_of(first.bytes));
      if (error == errno_code(EAGAIN)) return;
      report_first(error);
    }
  }

  void report_first(std::error_code error) {
    Waiting first = take_first();
    if (!first.callback) return;
    core()->door().run(task(), [&] { first.callback(to_expected(error)); });
  }

  Waiting take_first() {
    Waiting first = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= first.bytes.size() + kOverheadBytes;
    update_alive();
    return first;
  }

  void close_step() {
    if (!waiting_.empty()) {
      Waiting first = take_first();
      if (first.callback) first.callback(std::unexpected(errno_code(ECANCELED)));
    } else if (receive_ != nullptr) {
      wake_receiver(errno_code(ECANCELED));
    } else if (!std::exchange(closed_, true)) {
      const Finally then([this] {
        message_.set(nullptr);
        failed_.set(nullptr);
        close_.set(nullptr);
      });
      close_();
    }
  }

  void loop_ends() noexcept override {
    const Ref<UdpState> keep(this);
    closing_ = closed_ = true;
    if (std::exchange(dirty_, false)) release();
    watch_.forget();
    fd_ = Descriptor();
    detach();
    if (receive_ != nullptr) std::exchange(receive_, nullptr)->waiting_ = false;
    const auto waiting = std::exchange(waiting_, {});
    waiting_bytes_ = 0;
    message_.set(nullptr);
    failed_.set(nullptr);
    close_.set(nullptr);
  }

  Task task() const noexcept {
    return {TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  }

  std::uint32_t references_ = 0;
  std::uint32_t handles_ = 0;
  Descriptor fd_;
  bool is_v6_ = false;
  bool dirty_ = false;
  bool closing_ = false;
  bool closed_ = false;
  bool keeps_alive_ = false;
  SocketWatch watch_{*this};
  detail::UdpReceiveBase* receive_ = nullptr;
  Fifo<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::size_t max_buffered_ = 0;
  Listener<void(std::span<const std::byte>, const Datagram&)> message_;
  Listener<void(std::error_code)> failed_;
  Listener<> close_;
};

namespace detail {

template class HandleRef<UdpState>;

UdpReceiveBase::~UdpReceiveBase() {
  if (waiting_) socket_.get()->forget_receive(*this);
}
void UdpReceiveBase::begin(const AsyncContext& context, Waiter waiter) {
  if (!begins_on(socket_.get(), context, waiter, error_)) return;
  waiter_ = waiter;
  socket_.get()->begin_receive(context.loop->core(), *this);
}
void UdpReceiveBase::cancel() noexcept {
  if (socket_.get() != nullptr) socket_.get()->cancel_receive(*this);
}

}  // namespace detail

// ---- The public face ---------------------------------------------------------------------------

UdpSocket::UdpSocket(Loop& loop) {
  loop.core().check_thread();
  state_ = detail::HandleRef<UdpState>(new UdpState(loop.core()));
}

Expected<> UdpSocket::bind(const SocketAddress& address, UdpOptions options) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().bind(address, options);
}
Expected<> UdpSocket::connect(const SocketAddress& address, UdpOptions options) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().connect(address, options);
}
Expected<> UdpSocket::disconnect() {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().disconnect();
}

Expected<> UdpSocket::adopt(int fd, UdpOptions options) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().adopt(fd, options);
}

void UdpSocket::on_message(Callback<void(std::span<const std::byte>, const Datagram&)> callback) {
  if (state_.get() == nullptr) return;
  state().on_message(std::move(callback));
}
void UdpSocket::on_error(Callback<void(std::error_code)> callback) {
  if (state_.get() == nullptr) return;
  state().on_error(std::move(callback));
}
void UdpSocket::on_close(Callback<> callback) {
  if (state_.get() == nullptr) return;
  state().on_close(std::move(callback));
}
UdpReceiveOp UdpSocket::receive(std::span<std::byte> buffer) {
  return {state_, buffer};
}

Expected<> UdpSocket::send_to(const SocketAddress& to, std::span<const std::byte> bytes) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().send(to, bytes);
}
Expected<> UdpSocket::send_to(const SocketAddress& to, std::string_view text) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().send(to, bytes_of(text));
}
Expected<> UdpSocket::send(std::span<const std::byte> bytes) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().send({}, bytes);
}
Expected<> UdpSocket::send(std::string_view text) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().send({}, bytes_of(text));
}
void UdpSocket::send_to(const SocketAddress& to, std::span<const std::byte> bytes,
                        Callback<void(Expected<>)> callback) {
  if (state_.get() == nullptr) {
    throw Misuse("ERR_INVALID_STATE", "the socket is empty: there is no loop to call the callback");
  }
  state().send(to, bytes, std::move(callback));
}
std::size_t UdpSocket::buffered() const {
  if (state_.get() == nullptr) return 0;
  return state().buffered();
}

Expected<> UdpSocket::set_broadcast(bool on) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().option(SOL_SOCKET, SO_BROADCAST, SOL_SOCKET, SO_BROADCAST, on ? 1 : 0);
}
Expected<> UdpSocket::set_ttl(int hops) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().option(IPPROTO_IP, IP_TTL, IPPROTO_IPV6, IPV6_UNICAST_HOPS, hops);
}
Expected<> UdpSocket::set_multicast_ttl(int hops) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().option(IPPROTO_IP, IP_MULTICAST_TTL, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, hops);
}
Expected<> UdpSocket::set_multicast_loop(bool on) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().option(IPPROTO_IP, IP_MULTICAST_LOOP, IPPROTO_IPV6, IPV6_MULTICAST_LOOP,
                        on ? 1 : 0);
}
Expected<> UdpSocket::set_multicast_interface(const SocketAddress& interface) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().multicast_interface(interface);
}
Expected<> UdpSocket::join(const SocketAddress& group, const SocketAddress& interface) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().membership(group, interface, true);
}
Expected<> UdpSocket::leave(const SocketAddress& group, const SocketAddress& interface) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state().membership(group, interface, false);
}

void UdpSocket::close() {
  if (state_.get() == nullptr) return;
  state().close();
}
bool UdpSocket::closed() const {
  if (state_.get() == nullptr) return true;
  return state().closed();
}
SocketAddress UdpSocket::local_address() const {
  if (state_.get() == nullptr) return {};
  return local_address_of(state().fd());
}
SocketAddress UdpSocket::peer_address() const {
  if (state_.get() == nullptr) return {};
  return peer_address_of(state().fd());
}
int UdpSocket::fd() const {
  if (state_.get() == nullptr) return -1;
  return state().fd();
}
void UdpSocket::ref() {
  if (state_.get() == nullptr) return;
  state().set_referenced(true);
}
void UdpSocket::unref() {
  if (state_.get() == nullptr) return;
  state().set_referenced(false);
}
bool UdpSocket::has_ref() const {
  if (state_.get() == nullptr) return false;
  return state().referenced();
}

}  // namespace rondo
