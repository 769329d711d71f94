// HTTPS: rondo::http and rondo::tls together; a program that includes this links both.
//
//     rondo::http::Client client(loop);
//     rondo::https::enable(client);                       // https://... from now on
//
//     rondo::TlsServer listener = rondo::https::listener(loop, context, server);
//     auto bound = listener.listen(rondo::SocketAddress::any(443));
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "rondo/http.h"
#include "rondo/tls.h"

namespace rondo::https {

namespace detail {

inline Async<Expected<AnyStream>> connect(std::string host, std::uint16_t port,
                                          TlsContext context) {
  auto socket = co_await TlsSocket::connect(std::move(host), port, std::move(context));
  if (!socket) co_return std::unexpected(socket.error());
  co_return AnyStream(*std::move(socket));
}

}  // namespace detail

/// Lets a client open https and wss URLs.
inline void enable(http::Client& client, const TlsContext& context = TlsContext::client()) {
  for (const char* scheme : {"https", "wss"}) {
    client.set_connector(scheme, 443, [context](std::string host, std::uint16_t port) {
      return detail::connect(std::move(host), port, context);
    });
  }
}

/// A listener whose connections an HTTP server serves. The server must outlive it.
inline TlsServer listener(Loop& loop, TlsContext context, http::Server& server) {
  TlsServer made(loop, std::move(context));
  made.on_connection([&server](TlsSocket socket) { server.serve(std::move(socket)); });
  return made;
}

}  // namespace rondo::https
