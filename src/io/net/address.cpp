#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstddef>
#include <cstring>

#include "rondo/net.h"

#include "io/net/socket_calls.h"

namespace rondo {

namespace {

constexpr std::size_t kPathOffset = offsetof(sockaddr_un, sun_path);

template <class T>
SocketAddress from(const T& address) noexcept {
  return SocketAddress::from_native(reinterpret_cast<const sockaddr*>(&address), sizeof(address));
}

/// The address as the kernel's structure of its family.
template <class T>
T as(const SocketAddress& address) noexcept {
  T result{};
  std::memcpy(&result, address.native(), std::min<std::size_t>(sizeof(T), address.native_size()));
  return result;
}

SocketAddress make_v4(in_addr_t address, std::uint16_t port) noexcept {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(port);
  result.sin_addr.s_addr = htonl(address);
  return from(result);
}

SocketAddress make_v6(const in6_addr& address, std::uint16_t port) noexcept {
  sockaddr_in6 result{};
  result.sin6_family = AF_INET6;
  result.sin6_port = htons(port);
  result.sin6_addr = address;
  return from(result);
}

/// "eth0" or "2".
std::uint32_t scope_of(std::string_view zone) {
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(zone.data(), zone.data() + zone.size(), index);
  if (error == std::errc() && end == zone.data() + zone.size()) return index;
  return ::if_nametoindex(std::string(zone).c_str());
}

}  // namespace

Expected<SocketAddress> SocketAddress::ip(std::string_view text, std::uint16_t port) {
  const auto invalid = std::unexpected(errno_code(EINVAL));
  if (text.find('\0') != std::string_view::npos) return invalid;

  sockaddr_in v4{};
  if (::inet_pton(AF_INET, std::string(text).c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    return from(v4);
  }
  sockaddr_in6 v6{};
  const std::size_t percent = text.find('%');
  if (::inet_pton(AF_INET6, std::string(text.substr(0, percent)).c_str(), &v6.sin6_addr) != 1) {
    return invalid;
  }
  if (percent != std::string_view::npos) {
    v6.sin6_scope_id = scope_of(text.substr(percent + 1));
    if (v6.sin6_scope_id == 0) return invalid;
  }
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  return from(v6);
}

SocketAddress SocketAddress::loopback(std::uint16_t port) noexcept {
  return make_v4(INADDR_LOOPBACK, port);
}
SocketAddress SocketAddress::loopback_v6(std::uint16_t port) noexcept {
  return make_v6(in6addr_loopback, port);
}
SocketAddress SocketAddress::any(std::uint16_t port) noexcept {
  return make_v4(INADDR_ANY, port);
}
SocketAddress SocketAddress::any_v6(std::uint16_t port) noexcept {
  return make_v6(in6addr_any, port);
}

Expected<SocketAddress> SocketAddress::unix_path(std::string_view path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty()) return std::unexpected(errno_code(EINVAL));
  const bool is_abstract = path.front() == '\0';
  if (!is_abstract && path.find('\0') != std::string_view::npos) {
    return std::unexpected(errno_code(EINVAL));
  }
  // A path keeps a NUL at its end; an abstract name may use every byte.
  const std::size_t room = sizeof(address.sun_path) - (is_abstract ? 0 : 1);
  if (path.size() > room) return std::unexpected(errno_code(ENAMETOOLONG));
  std::memcpy(address.sun_path, path.data(), path.size());
  return from_native(reinterpret_cast<const sockaddr*>(&address),
                     kPathOffset + path.size() + (is_abstract ? 0 : 1));
}

SocketAddress SocketAddress::from_native(const sockaddr* address, std::size_t size) noexcept {
  static_assert(sizeof(sockaddr_un) <= kBytes && sizeof(sockaddr_in6) <= kBytes);
  SocketAddress result;
  if (size < sizeof(sa_family_t) || size > kBytes) return result;
  const sa_family_t family = address->sa_family;
  const bool complete = (family == AF_INET && size >= sizeof(sockaddr_in)) ||
                        (family == AF_INET6 && size >= sizeof(sockaddr_in6)) || family == AF_UNIX;
  if (!complete) return result;
  std::memcpy(result.bytes_, address, size);
  result.size_ = static_cast<std::uint32_t>(size);
  return result;
}

SocketAddress::Family SocketAddress::family() const noexcept {
  if (size_ == 0) return Family::none;
  switch (native()->sa_family) {
    case AF_INET:
      return Family::ipv4;
    case AF_INET6:
      return Family::ipv6;
    default:
      return Family::unix_domain;
  }
}

std::uint16_t SocketAddress::port() const noexcept {
  switch (family()) {
    case Family::ipv4:
      return ntohs(as<sockaddr_in>(*this).sin_port);
    case Family::ipv6:
      return ntohs(as<sockaddr_in6>(*this).sin6_port);
    default:
      return 0;
  }
}

SocketAddress SocketAddress::with_port(std::uint16_t port) const noexcept {
  if (family() == Family::ipv4) {
    auto address = as<sockaddr_in>(*this);
    address.sin_port = htons(port);
    return from(address);
  }
  if (family() == Family::ipv6) {
    auto address = as<sockaddr_in6>(*this);
    address.sin6_port = htons(port);
    return from(address);
  }
  return *this;
}

std::string SocketAddress::ip() const {
  char text[INET6_ADDRSTRLEN] = {};
  if (family() == Family::ipv4) {
    const auto address = as<sockaddr_in>(*this);
    return ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof(text));
  }
  if (family() != Family::ipv6) return {};
  const auto address = as<sockaddr_in6>(*this);
  std::string result = ::inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof(text));
  if (address.sin6_scope_id != 0) {
    char name[IF_NAMESIZE] = {};
    const char* zone = ::if_indextoname(address.sin6_scope_id, name);
    result += '%';
    result += zone != nullptr ? zone : std::to_string(address.sin6_scope_id);
  }
  return result;
}

std::string_view SocketAddress::path() const noexcept {
  if (family() != Family::unix_domain || size_ <= kPathOffset) return {};
  const auto* start = reinterpret_cast<const char*>(bytes_) + kPathOffset;
  const std::size_t size = size_ - kPathOffset;
  return start[0] == '\0' ? std::string_view(start, size)
                          : std::string_view(start, ::strnlen(start, size));
}

std::string SocketAddress::to_string() const {
  switch (family()) {
    case Family::none:
      return {};
    case Family::ipv4:
      return ip() + ':' + std::to_string(port());
    case Family::ipv6:
      return '[' + ip() + "]:" + std::to_string(port());
    case Family::unix_domain:
      break;
  }
  std::string result(path());
  if (!result.empty() && result.front() == '\0') result.front() = '@';
  return result;
}

bool operator==(const SocketAddress& a, const SocketAddress& b) noexcept {
  return a.size_ == b.size_ && std::memcmp(a.bytes_, b.bytes_, a.size_) == 0;
}

// ---- Sockets ------------------------------------------------------------------------------------

namespace {

template <class Call>
SocketAddress ask(Call call, int fd) noexcept {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  if (call(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return {};
  return SocketAddress::from_native(reinterpret_cast<sockaddr*>(&storage), size);
}

}  // namespace

SocketAddress local_address_of(int fd) noexcept {
  return ask(::getsockname, fd);
}
SocketAddress peer_address_of(int fd) noexcept {
  return ask(::getpeername, fd);
}

std::error_code set_keep_alive(int fd, std::optional<std::chrono::seconds> after) noexcept {
  if (!after.has_value()) return set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 0);
  // The kernel's own limits.
  const auto seconds = static_cast<int>(std::clamp<std::int64_t>(after->count(), 1, 32767));
  if (const std::error_code error = set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1)) return error;
  return set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, seconds);
}

std::error_code apply(int fd, const TcpOptions& options) noexcept {
  if (options.no_delay) {
    if (const std::error_code error = set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1)) return error;
  }
  return options.keep_alive.has_value() ? set_keep_alive(fd, options.keep_alive)
                                        : std::error_code();
}

}  // namespace rondo
