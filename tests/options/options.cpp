// Everything that takes options, called as a reader would write it: with temporaries, inside
// co_await. g++ 12 frees an invalid pointer for some of what C++ allows here, so run.cmake compiles
// and runs this with g++ and clang, without and with optimisation. Strings are long: they own
// memory.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include <rondo/rondo.h>

using namespace std::chrono_literals;
using namespace rondo;

namespace {

// These may stay aggregates: what is copied byte by byte by mistake is copied all the same.
template <class... Options>
constexpr bool kOwnNothing = (std::is_trivially_copyable_v<Options> && ...);
static_assert(kOwnNothing<LoopOptions, StreamOptions, TcpOptions, ConnectOptions, ListenOptions,
                          UnixOptions, UnixListenOptions, UdpOptions, dns::LookupOptions,
                          dns::ResolverOptions, fs::MkdirOptions, fs::RmOptions,
                          fs::ReadFileOptions, fs::WriteFileOptions, fs::CopyOptions>);
// These own memory, and must not be aggregates.
static_assert(!std::is_aggregate_v<SpawnOptions> && !std::is_aggregate_v<RunOptions> &&
              !std::is_aggregate_v<AddressList>);

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("failed: %s\n", what);
  std::exit(1);
}

const std::string kLong(100, 'l');
const std::vector<std::string> kEcho{"/bin/echo", kLong};

Async<> programs(Loop& loop) {
  const std::string echoed = kLong + "\n";
  const std::vector<std::string> cat{"/bin/cat"};
  expect((co_await run("/bin/echo", kLong))->out == echoed, "run(texts)");
  expect((co_await run({"/bin/echo", kLong}))->out == echoed, "run({texts})");
  expect((co_await run({"/bin/echo", "a" + kLong}))->out == "a" + echoed, "run({temporaries})");
  expect((co_await run({"/bin/pwd"}))->status.success(), "run({text})");
  expect((co_await run(kEcho))->out == echoed, "run(vector)");
  expect((co_await run(std::vector(kEcho)))->out == echoed, "run(temporary vector)");
  expect((co_await run(RunOptions(cat).with_input("x" + kLong)))->out == "x" + kLong, "input");
  expect(
      (co_await run(RunOptions("/bin/cat").with_input(kLong).with_most_output(4096)))->out == kLong,
      "most_output");
  expect(
      (co_await run(SpawnOptions("/bin/pwd").with_cwd("/usr/../usr/../usr/../usr/../usr")))->out ==
          "/usr\n",
      "run(SpawnOptions)");
  expect((co_await run(RunOptions(SpawnOptions("/usr/bin/env").with_env("A=" + kLong, "B=2"))
                           .with_most_output(8192)))
                 ->out == "A=" + kLong + "\nB=2\n",
         "env");
  expect((co_await run(SpawnOptions("/bin/sh", "-c", "echo $0").with_argv0("name" + kLong)))
             ->status.success(),
         "argv0");
  auto child = Process::spawn(loop, SpawnOptions("/bin/echo", kLong)
                                        .with_stdio(Stdio::ignore(), Stdio::pipe())
                                        .with_kill_on_destroy());
  expect((co_await child->output().read_all(4096)).value() == echoed, "Process::spawn()");
  expect(
      (co_await Process::spawn(loop, SpawnOptions("/bin/true").with_detached())->wait())->success(),
      "wait() of a temporary");
}

Async<> sockets(Loop& loop) {
  TcpServer server(loop);
  expect(server
             .listen(SocketAddress::loopback(0),
                     {.backlog = 7, .accepted = {.no_delay = true, .keep_alive = 60s}})
             .has_value(),
         "listen()");
  server.on_connection([](TcpSocket socket) { socket.end(); });
  const SocketAddress here = server.address();
  const auto nowhere = SocketAddress::loopback_v6(1);
  expect((co_await TcpSocket::connect(here)).has_value(), "connect(address)");
  expect((co_await TcpSocket::connect({nowhere, here})).has_value(), "connect({addresses})");
  expect((co_await TcpSocket::connect({here})).has_value(), "connect({address})");
  expect((co_await TcpSocket::connect(std::vector<SocketAddress>(2, here))).has_value(),
         "connect(vector)");
  expect((co_await TcpSocket::connect({})).error() == errno_code(EINVAL), "connect({})");
  expect((co_await TcpSocket::connect(
              {here, nowhere},
              {.timeout = 10s,
               .local = SocketAddress::loopback(0),
               .tcp = {.no_delay = true, .keep_alive = 30s, .stream = {.high_water_mark = 1}}}))
             .has_value(),
         "connect() with options");
  expect((co_await with_timeout(10s, TcpSocket::connect({here}, {.timeout = 5s}))).has_value(),
         "with_timeout(connect())");
  server.close();

  const std::string name = std::string(1, '\0') + "rondo-options-" + std::to_string(::getpid());
  UnixServer local(loop);
  expect(local.listen(*SocketAddress::unix_path(name), {.backlog = 3, .accepted = {}}).has_value(),
         "listen() on a name");
  local.on_connection([](UnixSocket socket) { socket.end(); });
  expect((co_await UnixSocket::connect(*SocketAddress::unix_path(name), {.max_descriptors = 2}))
             .has_value(),
         "connect() to a name");
  expect((co_await UnixSocket::pair(loop, {.stream = {.allow_half_open = true}})
              ->first.write_all(kLong))
             .has_value(),
         "pair()");
  local.close();

  UdpSocket udp(loop);
  expect(udp.bind(SocketAddress::loopback(0), {.reuse_address = true}).has_value(), "bind()");
  udp.close();
}

Async<> files(const std::string& folder) {
  const std::string deep = folder + "/" + kLong + "/deeper";
  expect((co_await fs::mkdir(folder + "/" + kLong + "/deeper", {.recursive = true})).has_value(),
         "mkdir()");
  expect((co_await fs::write_file(deep + "/file", kLong + kLong, {.atomic = true, .mode = 0600}))
             .has_value(),
         "write_file()");
  expect((co_await fs::read_file(deep + "/file", {.at_most = 1000})).value() == kLong + kLong,
         "read_file()");
  expect((co_await fs::copy_file(deep + "/file", deep + "/copy", {.exclusive = true})).has_value(),
         "copy_file()");
  expect((co_await fs::append_file(deep + "/copy", "more" + kLong)).has_value(), "append_file()");
  expect((co_await fs::rm(folder, {.recursive = true, .force = true})).has_value(), "rm()");
}

Async<> names(Loop& loop) {
  expect((co_await dns::lookup("localhost", {.family = dns::Family::ipv4})).has_value(),
         "lookup()");
  expect((co_await dns::lookup_all("localhost", {.order = dns::Order::ipv4_first})).has_value(),
         "lookup_all()");
  expect((co_await dns::Resolver(loop, {.timeout = 100ms, .tries = 1}).reverse("no " + kLong))
                 .error() == errno_code(EINVAL),
         "Resolver()");
}

// What stands in a condition, in a coroutine of its own. Without a variable in its body, g++ 12
// lays such a one out wrongly, which is reported.
Async<> condition_of_a_signal(int& met) {
  if (const auto result = co_await wait_signal(SIGUSR1, SIGUSR2)) ++met;
}
Async<> condition_of_a_file(int& met) {
  if (const auto result = co_await fs::read_file("/dev/null")) ++met;
}
Async<> condition_of_a_job(int& met) {
  if (const auto result = co_await work([] {})) ++met;
}
Async<> condition_of_a_program(int& met) {
  if (const auto result = co_await run("/bin/true")) ++met;
}
Async<> condition_of_a_name(int& met) {
  if (const auto result = co_await dns::lookup("localhost")) ++met;
}
Async<> condition_of_a_sleep(int& met) {
  if (const auto result = co_await sleep_for(1us)) ++met;
}
Async<> condition_of_a_timeout(int& met) {
  if (const auto result = co_await with_timeout(10s, sleep_for(1us))) ++met;
}
Async<> condition_of_a_socket(Loop& loop, int& met) {
  auto pair = *UnixSocket::pair(loop);
  if (co_await pair.first.write_all("x")) ++met;
  if (co_await pair.second.read()) ++met;
}
Async<> condition_of_a_channel(int& met) {
  Channel<std::string> channel(1);
  if (co_await channel.send(kLong)) ++met;
  if (co_await channel.receive()) ++met;
  Semaphore semaphore(1);
  if (co_await semaphore.acquire()) ++met;
}

Async<> condition_alone(int& met) {
  if (co_await sleep_for(1us)) ++met;
}
Async<> loop_alone(int& met) {
  while (co_await sleep_for(1us)) {
    if (++met > 100) co_return;
  }
}

Async<> conditions(Loop& loop) {
  int met = 0;
  loop.set_timeout(5ms, [] { ::raise(SIGUSR1); });
  co_await when_all(condition_of_a_signal(met), condition_of_a_file(met), condition_of_a_job(met),
                    condition_of_a_program(met), condition_of_a_name(met),
                    condition_of_a_sleep(met), condition_of_a_timeout(met),
                    condition_of_a_socket(loop, met), condition_of_a_channel(met));
  expect(met == 12, "conditions");
  Async<> (*const alone[])(int&) = {condition_alone, loop_alone};
  std::size_t refused = 0;
  for (auto* const function : alone) {
    try {
      Async<> task = function(met);
      co_await std::move(task);
    } catch (const Misuse& misuse) {
      expect(misuse.code() == "ERR_MISCOMPILED", "another misuse");
      ++refused;
    }
  }
  expect(refused == 0 ? met == 101 : refused == 2 && met == 12, "conditions without a variable");
}

Async<> everything(Loop& loop, std::string folder) {
  co_await programs(loop);
  co_await sockets(loop);
  co_await files(folder);
  co_await names(loop);
  co_await conditions(loop);
  std::puts("all of them");
}

}  // namespace

int main() {
  char folder[] = "/tmp/rondo-options-XXXXXX";
  expect(::mkdtemp(folder) != nullptr, "mkdtemp()");
  Loop loop({.budgets = {.poll = 1000}, .timer_start = TimerStart::present});
  spawn(loop, everything(loop, folder));
  loop.run();
}
