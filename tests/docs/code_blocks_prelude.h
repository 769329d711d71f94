// What the C++ blocks of the documents take for granted: namespaces, and objects that are there
// already. The public headers come before it.
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace fs = rondo::fs;
namespace dns = rondo::dns;
namespace http = rondo::http;
using namespace std::chrono_literals;

extern rondo::Loop& loop;
extern std::string text;
extern std::string numbers;
extern std::string big;
extern std::span<const std::byte> bytes;
extern std::span<const int> fds;
extern std::vector<rondo::SocketAddress> addresses;
extern rondo::SocketAddress address;
extern rondo::SocketAddress ours;
extern rondo::UnixSocket& unix_socket;
extern rondo::UnixServer& unix_server;
extern http::Server& server;
extern rondo::TlsContext& context;
extern std::string chain_pem;
extern std::string key_pem;

struct Host {
  void wait_for(int fd, std::optional<std::chrono::nanoseconds> timeout);
};
extern Host& host;

extern rondo::fs::File& file;
rondo::Async<> echo(rondo::TcpSocket socket);
extern std::size_t length;
void use(std::string_view line);
int compute();
std::string sha256(const std::string& of);
void reload();
rondo::Async<> serve(rondo::Loop& loop);
