#include "server_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

#include "harness.h"

namespace rondo::bench {

namespace {

constexpr const char* kServe = "--serve";  // PEER SERVICE, as numbers: for ourselves only

}  // namespace

// The server is this very program, started again and not forked: a fork would inherit the threads'
// locks and the memory of all rows before it.
ServerProcess::ServerProcess(Peer peer, Service service) {
  int ends[2];
  expect(::pipe2(ends, O_CLOEXEC) == 0, "pipe2 failed");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string program = "rondo_bench";
  std::string serve = kServe;
  std::string peer_text = std::to_string(static_cast<int>(peer));
  std::string service_text = std::to_string(static_cast<int>(service));
  const std::array<char*, 5> arguments = {program.data(), serve.data(), peer_text.data(),
                                          service_text.data(), nullptr};
  const int error =
      ::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  const ssize_t count = error == 0 ? ::read(ends[0], &port_, sizeof(port_)) : -1;
  ::close(ends[0]);
  expect(count == ssize_t{sizeof(port_)}, "a server did not start");
}

ServerProcess::~ServerProcess() {
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

double ServerProcess::cpu_ns() const {
  clockid_t clock = 0;
  timespec time{};
  expect(::clock_getcpuclockid(pid_, &clock) == 0 && ::clock_gettime(clock, &time) == 0,
         "the CPU time of a server cannot be read");
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double ServerProcess::private_kib() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/smaps_rollup");
  double sum = 0;
  std::string word;
  while (file >> word) {
    if (word != "Private_Clean:" && word != "Private_Dirty:") continue;
    double kib = 0;
    file >> kib;
    sum += kib;
  }
  expect(sum > 0, "the memory of a server cannot be read");
  return sum;
}

ServerProcess::OnOneCore::OnOneCore() {
  expect(::sched_getaffinity(0, sizeof(before_), &before_) == 0, "sched_getaffinity failed");
  std::size_t last = 0;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &before_)) last = core;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  expect(::sched_setaffinity(0, sizeof(one), &one) == 0, "sched_setaffinity failed");
}

ServerProcess::OnOneCore::~OnOneCore() {
  ::sched_setaffinity(0, sizeof(before_), &before_);
}

void say_port(std::uint16_t port) {
  expect(::write(STDOUT_FILENO, &port, sizeof(port)) == ssize_t{sizeof(port)}, "nobody listens");
}

void ServerProcess::serve_if_asked(int argc, char** argv) {
  if (argc != 4 || std::string_view(argv[1]) != kServe) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGPIPE, SIG_IGN);  // not all peers send without it
  constexpr std::array servers = {serve_with_rondo, serve_with_libuv, serve_with_tuned_libuv,
                                  serve_with_asio, serve_with_bare_epoll};
  const auto peer = static_cast<Peer>(std::atoi(argv[2]));
  const auto service = static_cast<Service>(std::atoi(argv[3]));
  if (service >= Service::http_hello) {
    (peer == Peer::rondo  ? serve_http_with_rondo
     : peer == Peer::asio ? serve_http_with_asio
                          : serve_http_with_bare_epoll)(service);
  } else {
    servers.at(static_cast<std::size_t>(peer))(service);
  }
  std::exit(1);  // a server ends by being killed
}

}  // namespace rondo::bench
