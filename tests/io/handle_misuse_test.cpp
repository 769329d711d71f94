// Handles that name nothing, that are of another loop, or that are dropped on another thread; and
// coroutines that end without a result.
#include <fcntl.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "rondo/rondo.h"

namespace rondo {
namespace {

const std::error_code kBadDescriptor = errno_code(EBADF);

/// Runs a coroutine to its end, however it ends.
template <class Body>
void run_on(Loop& loop, Body body) {
  spawn(loop, std::move(body));
  loop.run();
}

// ---- Handles that name nothing -----------------------------------------------------------------

void expect_no_socket(Loop& loop, StreamSocket& socket) {
  const char bytes[] = {'x'};
  EXPECT_FALSE(socket);
  socket.on_data([](auto) {});
  socket.on_end([] {});
  socket.on_drain([] {});
  socket.on_error([](auto) {});
  socket.on_close([] {});
  socket.pause();
  socket.resume();
  EXPECT_EQ(socket.write("x").error(), kBadDescriptor);
  EXPECT_EQ(socket.write(std::string("x")).error(), kBadDescriptor);
  EXPECT_EQ(socket.write(std::as_bytes(std::span(bytes))).error(), kBadDescriptor);
  EXPECT_THROW(socket.write("x", [](Expected<>) {}), Misuse);
  EXPECT_THROW(socket.write(std::string("x"), [](Expected<>) {}), Misuse);
  EXPECT_EQ(socket.buffered(), 0U);
  socket.end();
  EXPECT_EQ(socket.end("x").error(), kBadDescriptor);
  socket.destroy();
  EXPECT_EQ(socket.error(), kBadDescriptor);
  EXPECT_FALSE(socket.readable());
  EXPECT_FALSE(socket.writable());
  EXPECT_TRUE(socket.closed());
  EXPECT_EQ(socket.fd(), -1);
  EXPECT_EQ(socket.local_address(), SocketAddress());
  EXPECT_EQ(socket.peer_address(), SocketAddress());
  socket.ref();
  socket.unref();
  EXPECT_FALSE(socket.has_ref());
  int ended = 0;
  run_on(loop, [&]() -> Async<> {
    std::byte room[4];
    EXPECT_EQ((co_await socket.read()).error(), kBadDescriptor);
    EXPECT_EQ((co_await socket.read_some(room)).error(), kBadDescriptor);
    EXPECT_EQ((co_await socket.write_all("x")).error(), kBadDescriptor);
    ++ended;
  });
  EXPECT_EQ(ended, 1);
}

TEST(EmptyHandle, ASocketAnswersEbadf) {
  Loop loop;
  TcpSocket tcp;
  expect_no_socket(loop, tcp);
  EXPECT_EQ(tcp.set_no_delay(true).error(), kBadDescriptor);
  EXPECT_EQ(tcp.set_keep_alive(std::nullopt).error(), kBadDescriptor);
  tcp.reset();
  UnixSocket local;
  expect_no_socket(loop, local);
  EXPECT_EQ(local.write_descriptors({}, {}).error(), kBadDescriptor);
  local.on_descriptors([](auto) {});
}

TEST(EmptyHandle, ASocketThatWasMovedFromAnswersEbadf) {
  Loop loop;
  auto both = UnixSocket::pair(loop);
  const UnixSocket taken = std::move(both->first);
  expect_no_socket(loop, both->first);  // NOLINT(bugprone-use-after-move)
}

TEST(EmptyHandle, AServerThatWasMovedFromAnswersEbadf) {
  Loop loop;
  TcpServer server(loop);
  const TcpServer taken = std::move(server);
  server.on_connection([](auto) {});  // NOLINT(bugprone-use-after-move)
  server.on_listening([] {});
  server.on_error([](auto) {});
  EXPECT_EQ(server.listen(SocketAddress::loopback(0)).error(), kBadDescriptor);
  EXPECT_EQ(server.listen(0).error(), kBadDescriptor);
  EXPECT_FALSE(server.listening());
  EXPECT_TRUE(server.closed());
  EXPECT_EQ(server.fd(), -1);
  EXPECT_EQ(server.address(), SocketAddress());
  server.ref();
  server.unref();
  EXPECT_FALSE(server.has_ref());
  std::error_code error;
  run_on(loop, [&]() -> Async<> { error = (co_await server.accept()).error(); });
  EXPECT_EQ(error, kBadDescriptor);
  server.close();
}

TEST(EmptyHandle, AUdpSocketThatWasMovedFromAnswersEbadf) {
  Loop loop;
  UdpSocket udp(loop);
  const UdpSocket taken = std::move(udp);
  udp.on_message([](auto, const auto&) {});  // NOLINT(bugprone-use-after-move)
  udp.on_error([](auto) {});
  udp.on_close([] {});
  EXPECT_EQ(udp.bind(SocketAddress::loopback(0)).error(), kBadDescriptor);
  EXPECT_EQ(udp.connect(SocketAddress::loopback(1)).error(), kBadDescriptor);
  EXPECT_EQ(udp.disconnect().error(), kBadDescriptor);
  EXPECT_EQ(udp.send("x").error(), kBadDescriptor);
  EXPECT_EQ(udp.send_to(SocketAddress::loopback(1), "x").error(), kBadDescriptor);
  EXPECT_THROW(udp.send_to(SocketAddress::loopback(1), {}, [](Expected<>) {}), Misuse);
  EXPECT_EQ(udp.set_broadcast(true).error(), kBadDescriptor);
  EXPECT_EQ(udp.set_ttl(1).error(), kBadDescriptor);
  EXPECT_EQ(udp.join(SocketAddress::any(0)).error(), kBadDescriptor);
  EXPECT_EQ(udp.buffered(), 0U);
  EXPECT_TRUE(udp.closed());
  EXPECT_EQ(udp.fd(), -1);
  EXPECT_EQ(udp.local_address(), SocketAddress());
  udp.ref();
  udp.unref();
  EXPECT_FALSE(udp.has_ref());
  std::error_code error;
  run_on(loop, [&]() -> Async<> {
    std::byte room[4];
    error = (co_await udp.receive(room)).error();
  });
  EXPECT_EQ(error, kBadDescriptor);
  udp.close();
}

TEST(EmptyHandle, AFileAPipeAndAProcessThatWereMovedFromAnswerEbadf) {
  Loop loop;
  auto file = fs::open("/dev/null").run_now();
  const fs::File other_file = *std::move(file);
  Pipe pipe;
  auto process = Process::spawn(loop, SpawnOptions("/bin/true"));
  const Process other_process = *std::move(process);
  EXPECT_EQ(process->pid(), 0);  // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(process->running());
  EXPECT_EQ(process->status(), std::nullopt);
  EXPECT_EQ(process->kill(SIGTERM).error(), kBadDescriptor);
  process->on_exit([](auto) {});
  process->ref().unref();
  EXPECT_FALSE(process->has_ref());
  EXPECT_THROW(process->input(), Misuse);
  int ended = 0;
  run_on(loop, [&]() -> Async<> {
    std::byte room[4];
    EXPECT_EQ((co_await file->read(room)).error(), kBadDescriptor);
    EXPECT_EQ((co_await file->write(std::span<const std::byte>(room))).error(), kBadDescriptor);
    EXPECT_EQ((co_await file->stat()).error(), kBadDescriptor);
    EXPECT_EQ((co_await file->sync()).error(), kBadDescriptor);
    EXPECT_EQ((co_await file->close()).error(), kBadDescriptor);
    EXPECT_EQ((co_await pipe.read(room)).error(), kBadDescriptor);
    EXPECT_EQ((co_await pipe.write("x")).error(), kBadDescriptor);
    EXPECT_EQ((co_await pipe.read_all(4)).error(), kBadDescriptor);
    EXPECT_EQ((co_await process->wait()).error(), kBadDescriptor);
    ++ended;
  });
  EXPECT_EQ(ended, 1);
}

TEST(EmptyHandle, WatchersAndResolversThatWereMovedFromAnswerEbadf) {
  Loop loop;
  Poll poll(loop, 0);
  const Poll other_poll = std::move(poll);
  EXPECT_EQ(poll.start(PollEvents::readable, [](auto) {}).error(), kBadDescriptor);  // NOLINT
  poll.stop();
  poll.ref().unref();
  EXPECT_FALSE(poll.has_ref());
  EXPECT_FALSE(poll.active());
  EXPECT_TRUE(poll.closed());
  EXPECT_EQ(poll.fd(), -1);
  poll.close();

  SignalWatcher signals(loop);
  const SignalWatcher other_signals = std::move(signals);
  EXPECT_EQ(signals.start(SIGUSR1, [](int) {}).error(), kBadDescriptor);  // NOLINT
  signals.stop();
  signals.ref().unref();
  EXPECT_FALSE(signals.has_ref());
  EXPECT_FALSE(signals.active());
  EXPECT_TRUE(signals.closed());
  EXPECT_EQ(signals.signum(), 0);
  signals.close();

  fs::FsWatcher files(loop, [](const auto&) {});
  const fs::FsWatcher other_files = std::move(files);
  EXPECT_FALSE(files.remove("/"));  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(files.size(), 0U);
  files.ref().unref();
  EXPECT_FALSE(files.has_ref());
  EXPECT_FALSE(files.active());
  EXPECT_TRUE(files.closed());

  dns::Resolver resolver(loop);
  const dns::Resolver other_resolver = std::move(resolver);
  EXPECT_EQ(resolver.set_servers({"127.0.0.1"}).error(), kBadDescriptor);  // NOLINT
  EXPECT_TRUE(resolver.servers().empty());
  resolver.cancel();

  int ended = 0;
  run_on(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await files.add("/")).error(), kBadDescriptor);
    EXPECT_EQ((co_await resolver.resolve4("localhost")).error(), kBadDescriptor);
    EXPECT_EQ((co_await resolver.reverse("127.0.0.1")).error(), kBadDescriptor);
    ++ended;
  });
  EXPECT_EQ(ended, 1);
  files.close();
}

// ---- Handles of another loop -------------------------------------------------------------------

TEST(ForeignHandle, ToAwaitItIsMisuse) {
  Loop loop;
  Loop other;
  auto both = UnixSocket::pair(other);
  TcpServer server(other);
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  UdpSocket udp(other);
  ASSERT_TRUE(udp.bind(SocketAddress::loopback(0)));
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Pipe reader(other, ends[0]);
  Pipe writer(other, ends[1]);
  auto child = Process::spawn(other, SpawnOptions("/bin/true"));
  fs::FsWatcher files(other, [](const auto&) {});
  dns::Resolver resolver(other);
  std::byte room[4];
  int refused = 0;
  const auto expect_misuse = [&]<class Make>(Make make) {
    run_on(loop, [&]() -> Async<> {
      try {
        (void)co_await make();
      } catch (const Misuse&) {
        ++refused;
      }
    });
    EXPECT_THROW(make().then(loop, [](auto) {}), Misuse);
  };
  expect_misuse([&] { return both->first.read(); });
  expect_misuse([&] { return both->first.read_some(room); });
  expect_misuse([&] { return both->first.write_all("x"); });
  expect_misuse([&] { return server.accept(); });
  expect_misuse([&] { return udp.receive(room); });
  expect_misuse([&] { return reader.read(room); });
  expect_misuse([&] { return writer.write("x"); });
  expect_misuse([&] { return child->wait(); });
  expect_misuse([&] { return files.add("/"); });
  expect_misuse([&] { return resolver.resolve4("localhost"); });
  EXPECT_EQ(refused, 10);
  server.close();
  udp.close();
  other.run();
}

// ---- Handles on another thread -----------------------------------------------------------------

/// Lets another thread drop what `make` gives.
template <class Make>
void drop_elsewhere(Make make) {
  Loop loop;
  auto handle = make(loop);
  using Handle = decltype(handle);
  auto* moved = new Handle(std::move(handle));
  std::thread([moved] { delete moved; }).join();
}

TEST(HandleDeathTest, DroppedOnAnotherThreadEndsTheProgramWithAMessage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr const char* kMessage = "on a thread that is not its loop's";
  EXPECT_DEATH(drop_elsewhere([](Loop& loop) { return UnixSocket::pair(loop)->first; }), kMessage);
  EXPECT_DEATH(drop_elsewhere([](Loop& loop) { return TcpServer(loop); }), kMessage);
  EXPECT_DEATH(drop_elsewhere([](Loop& loop) { return UdpSocket(loop); }), kMessage);
  EXPECT_DEATH(drop_elsewhere([](Loop& loop) { return Poll(loop, 0); }), kMessage);
  EXPECT_DEATH(drop_elsewhere([](Loop& loop) { return SignalWatcher(loop); }), kMessage);
  EXPECT_DEATH(drop_elsewhere([](Loop& loop) { return dns::Resolver(loop); }), kMessage);
  EXPECT_DEATH(drop_elsewhere([](Loop& loop) { return fs::FsWatcher(loop, [](const auto&) {}); }),
               kMessage);
  EXPECT_DEATH(drop_elsewhere([](Loop& loop) { return fs::File(loop, ::dup(0)); }), kMessage);
  EXPECT_DEATH(drop_elsewhere([](Loop& loop) { return Pipe(loop, ::dup(0)); }), kMessage);
  EXPECT_DEATH(
      drop_elsewhere([](Loop& loop) { return *Process::spawn(loop, SpawnOptions("/bin/true")); }),
      kMessage);
}

TEST(HandleDeathTest, CopiedOnAnotherThreadEndsTheProgramWithAMessage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto copy_elsewhere = [] {
    Loop loop;
    const TcpServer server(loop);
    std::thread([&server] { const TcpServer copy = server; }).join();
  };
  EXPECT_DEATH(copy_elsewhere(), "on a thread that is not its loop's");
}

TEST(Handle, MayBeDroppedAnywhereOnceItsLoopIsGone) {
  std::optional<Loop> loop(std::in_place);
  auto both = UnixSocket::pair(*loop);
  auto* socket = new UnixSocket(std::move(both->first));
  both->second = {};
  auto* poll = new Poll(*loop, 0);
  loop.reset();
  std::thread([&] {
    delete socket;
    delete poll;
  }).join();
}

// ---- Coroutines that end without a result ------------------------------------------------------

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type"
Async<Expected<int>> forgets_its_result(bool has_one) {
  co_await sleep_for(std::chrono::milliseconds(1));
  if (has_one) co_return 1;
}
#pragma GCC diagnostic pop

TEST(AsyncWithoutResult, IsMisuseWhereItIsAwaited) {
  Loop loop;
  std::string code;
  run_on(loop, [&]() -> Async<> {
    try {
      (void)co_await forgets_its_result(false);
    } catch (const Misuse& misuse) {
      code = misuse.code();
    }
  });
  EXPECT_EQ(code, "ERR_INVALID_STATE");
}

}  // namespace
}  // namespace rondo
