// Servers that clients in this program measure. Each runs in a process of its own, so that its CPU
// time can be separated from that of the client: on one machine the client is often the limit, and
// then only the CPU time says what a server costs.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rondo::bench {

enum class Peer : std::uint8_t {
  rondo,
  libuv,        // as the guide of libuv shows it: memory for each read, a request for each write
  tuned_libuv,  // one buffer for all, and a write that is tried at once
  asio,
  bare_epoll,
};

enum class Service : std::uint8_t {
  echo,          // sends back what comes
  write_blocks,  // sends blocks of kBlockBytes for as long as the client reads
  close,         // accepts, and closes at once
  echo_2_loops,  // as echo, on so many loops: ours only
  echo_4_loops,
  echo_8_loops,
  http_hello,   // answers every request with kHelloBody
  http_file,    // with a file of kFileBytes
  https_hello,  // as http_hello, by TLS
};

constexpr std::size_t kBlockBytes = 1U << 20;
constexpr std::size_t kFileBytes = 1024;
constexpr std::string_view kHelloBody = "hello";

/// One of these serves on loopback until the process is killed, and prints the port with
/// say_port().
void serve_with_rondo(Service service);
void serve_with_libuv(Service service);
void serve_with_tuned_libuv(Service service);
void serve_with_asio(Service service);
void serve_with_bare_epoll(Service service);
/// The same for the services of HTTP.
void serve_http_with_rondo(Service service);
void serve_http_with_asio(Service service);
void serve_http_with_bare_epoll(Service service);

void say_port(std::uint16_t port);

class ServerProcess {
 public:
  ServerProcess(Peer peer, Service service);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess();

  std::uint16_t port() const noexcept { return port_; }
  /// Keeps the client and the servers it starts on one core while it lives. They alternate in
  /// what is measured so; on two cores the traffic between their caches would be measured with it.
  class OnOneCore {
   public:
    OnOneCore();
    OnOneCore(const OnOneCore&) = delete;
    OnOneCore& operator=(const OnOneCore&) = delete;
    ~OnOneCore();

   private:
    cpu_set_t before_;
  };

  /// User and system time of all its threads so far, the kernel's workers among them.
  double cpu_ns() const;
  /// What of its memory is in RAM and not shared with other processes.
  double private_kib() const;

  /// If this program was started to be such a server: serves, and does not return.
  static void serve_if_asked(int argc, char** argv);

 private:
  pid_t pid_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace rondo::bench
