#include "runtime/observe/report/socket_report.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "lens/json_writer.h"

namespace rondo {
namespace {

struct Endpoint {
  sockaddr_storage address{};
  socklen_t size = sizeof address;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&address); }
};

void write_internet(lens::JsonWriter& json, const Endpoint& endpoint, bool by_name) {
  std::array<char, INET6_ADDRSTRLEN> ip{};
  const bool is_v4 = endpoint.address.ss_family == AF_INET;
  const auto* v4 = reinterpret_cast<const sockaddr_in*>(&endpoint.address);
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&endpoint.address);
  const void* from = is_v4 ? static_cast<const void*>(&v4->sin_addr) : &v6->sin6_addr;
  ::inet_ntop(endpoint.address.ss_family, from, ip.data(), ip.size());
  std::array<char, NI_MAXHOST> host{};
  const bool has_name = by_name && ::getnameinfo(endpoint.get(), endpoint.size, host.data(),
                                                 host.size(), nullptr, 0, 0) == 0;
  json.open('{');
  json.field("host", std::string_view(has_name ? host.data() : ip.data()));
  json.field(is_v4 ? "ip4" : "ip6", std::string_view(ip.data()));
  json.field("port", ntohs(is_v4 ? v4->sin_port : v6->sin6_port));
  json.close('}');
}

void write_path(lens::JsonWriter& json, const Endpoint& endpoint) {
  const auto* address = reinterpret_cast<const sockaddr_un*>(&endpoint.address);
  const std::size_t size =
      endpoint.size - std::min<std::size_t>(endpoint.size, offsetof(sockaddr_un, sun_path));
  // An abstract name begins with a zero byte and may have others; a path ends at one.
  const bool is_abstract = size > 0 && address->sun_path[0] == '\0';
  const std::string_view path(address->sun_path,
                              is_abstract ? size : ::strnlen(address->sun_path, size));
  if (path.empty())
    json.null();
  else
    json.value(path);
}

void write_endpoint(lens::JsonWriter& json, std::string_view key, const Endpoint* endpoint,
                    bool by_name) {
  json.key(key);
  if (endpoint == nullptr)
    json.null();
  else if (endpoint->address.ss_family == AF_UNIX)
    write_path(json, *endpoint);
  else
    write_internet(json, *endpoint, by_name);
}

void write_number(lens::JsonWriter& json, int fd, std::string_view key, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  if (::getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0) json.field(key, value);
}

}  // namespace

std::string describe_socket(int fd, bool by_name) {
  lens::JsonWriter json;
  json.open('{');
  Endpoint local;
  Endpoint remote;
  if (::getsockname(fd, local.get(), &local.size) == 0) {
    const bool is_connected = ::getpeername(fd, remote.get(), &remote.size) == 0;
    write_endpoint(json, "localEndpoint", &local, by_name);
    write_endpoint(json, "remoteEndpoint", is_connected ? &remote : nullptr, by_name);
    write_number(json, fd, "sendBufferSize", SO_SNDBUF);
    write_number(json, fd, "recvBufferSize", SO_RCVBUF);
    write_number(json, fd, "isListening", SO_ACCEPTCONN);
  }
  json.field("fd", fd);
  json.close('}');
  return json.take();
}

}  // namespace rondo
