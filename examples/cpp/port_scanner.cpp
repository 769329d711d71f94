// Which ports are open? All are tried side by side, each for at most a second.
//
//     port_scanner 192.168.1.1 1 1024
//
// Without arguments it opens three ports of its own and looks for them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "rondo/rondo.h"

using namespace std::chrono_literals;

namespace {

// More at once would only run into the limit of descriptors.
constexpr std::size_t kAtOnce = 256;

rondo::Async<bool> is_open(rondo::SocketAddress address) {
  const auto socket = co_await rondo::TcpSocket::connect(address, {.timeout = 1s});
  co_return socket.has_value();  // and with the last handle the connection goes
}

rondo::Async<> scan(std::vector<rondo::SocketAddress> addresses, std::size_t& found) {
  for (std::size_t begin = 0; begin < addresses.size(); begin += kAtOnce) {
    const std::size_t end = std::min(begin + kAtOnce, addresses.size());
    std::vector<rondo::Async<bool>> tasks;
    for (std::size_t i = begin; i < end; ++i) tasks.push_back(is_open(addresses[i]));
    const auto open = co_await rondo::when_all(std::move(tasks));
    for (std::size_t i = begin; i < end; ++i) {
      if (!open[i - begin]) continue;
      ++found;
      std::printf("%s is open\n", addresses[i].to_string().c_str());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  std::vector<rondo::SocketAddress> addresses;
  std::vector<rondo::TcpServer> own;

  if (argc == 4) {
    for (int port = std::atoi(argv[2]); port <= std::atoi(argv[3]); ++port) {
      const auto address = rondo::SocketAddress::ip(argv[1], static_cast<std::uint16_t>(port));
      if (!address) return 2;
      addresses.push_back(*address);
    }
  } else {
    for (int i = 0; i < 3; ++i) {
      own.emplace_back(loop);
      if (!own.back().listen(rondo::SocketAddress::loopback(0))) return 1;
      addresses.push_back(own.back().address());
    }
    for (std::uint16_t port = 1; port <= 100; ++port) {
      addresses.push_back(*rondo::SocketAddress::ip("127.77.0.1", port));  // no host there
    }
  }

  std::size_t found = 0;
  rondo::spawn(loop, scan(std::move(addresses), found));
  loop.run();
  std::printf("%zu open\n", found);
  return own.empty() || found >= own.size() ? 0 : 1;
}
