// An address where no datagram is taken, and that nobody else can take as long as this lives.
#pragma once

#include <sys/socket.h>

#include <gtest/gtest.h>

#include "rondo/net.h"

#include "io/descriptor.h"

namespace rondo {

/// A socket that is connected hears its peer only: to all others the kernel says that there is
/// none.
class Nobody {
 public:
  Nobody() {
    const SocketAddress any = SocketAddress::loopback(0);
    EXPECT_EQ(::bind(socket_.get(), any.native(), any.native_size()), 0);
    sockaddr_storage name{};
    socklen_t size = sizeof(name);
    ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&name), &size);
    address_ = SocketAddress::from_native(reinterpret_cast<sockaddr*>(&name), size);
    EXPECT_EQ(::connect(socket_.get(), address_.native(), address_.native_size()), 0);  // itself
  }
  const SocketAddress& address() const noexcept { return address_; }

 private:
  Descriptor socket_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  SocketAddress address_;
};

}  // namespace rondo
