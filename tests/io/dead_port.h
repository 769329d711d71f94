// Addresses where nothing listens, and that cannot be taken as long as these live.
#pragma once

#include <sys/socket.h>

#include <gtest/gtest.h>

#include "rondo/net.h"

#include "io/descriptor.h"

namespace rondo {

/// For connections: nothing listens.
class DeadPort {
 public:
  explicit DeadPort(int type = SOCK_STREAM) : fd_(::socket(AF_INET, type | SOCK_CLOEXEC, 0)) {
    const SocketAddress wanted = SocketAddress::loopback(0);
    EXPECT_EQ(::bind(fd_.get(), wanted.native(), wanted.native_size()), 0);
    sockaddr_storage bound{};
    socklen_t size = sizeof(bound);
    ::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&bound), &size);
    address = SocketAddress::from_native(reinterpret_cast<sockaddr*>(&bound), size);
  }
  SocketAddress address;

 protected:
  Descriptor fd_;
};

/// For datagrams: a socket that is connected hears its peer only, and its peer is itself. To all
/// others the kernel reports that the port is unreachable.
class DeafPort : public DeadPort {
 public:
  DeafPort() : DeadPort(SOCK_DGRAM) {
    EXPECT_EQ(::connect(fd_.get(), address.native(), address.native_size()), 0);
  }
};

}  // namespace rondo
