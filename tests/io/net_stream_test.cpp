// A connected stream: reading, writing, backpressure, ending.
#include <array>
#include <memory>
#include <thread>

#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

using StreamTest = NetTest;

TEST_F(StreamTest, EchoesWhatArrives) {
  auto [socket, peer] = connected();
  socket.on_data([socket = socket](auto bytes) mutable { EXPECT_TRUE(socket.write(bytes)); });
  peer.send("hello");
  run_until([&] { return peer.readable(); });
  EXPECT_EQ(peer.receive(), "hello");
}

// More sockets than buffers are offered to the kernel at first.
TEST_F(StreamTest, ManySocketsThatSpeakAtOnceAreAllHeard) {
  constexpr std::size_t kSockets = 300;
  constexpr std::size_t kBytes = 5000;
  std::vector<UnixSocket> readers;
  std::vector<UnixSocket> writers;
  std::size_t heard = 0;
  for (std::size_t i = 0; i < kSockets; ++i) {
    auto made = UnixSocket::pair(loop);
    ASSERT_TRUE(made);
    made->first.on_data([&](std::span<const std::byte> bytes) { heard += bytes.size(); });
    readers.push_back(std::move(made->first));
    writers.push_back(std::move(made->second));
  }
  loop.run_nowait();  // they receive now
  for (std::size_t turns = 1; turns <= 3; ++turns) {
    for (const UnixSocket& writer : writers) {
      const std::string text(kBytes, 'x');
      ASSERT_EQ(::send(writer.fd(), text.data(), text.size(), MSG_NOSIGNAL), ssize_t{kBytes});
    }
    run_until([&] { return heard == turns * kSockets * kBytes; });
  }
}

TEST_F(StreamTest, DataArrivesInThePollPhase) {
  auto [socket, peer] = connected();
  std::string got;
  socket.on_data([&](auto bytes) {
    EXPECT_EQ(loop.phase(), Phase::poll);
    got += to_string(bytes);
  });
  peer.send("x");
  run_until([&] { return got == "x"; });
}

TEST_F(StreamTest, OneByteAtATimeKeepsTheOrder) {
  auto [socket, peer] = connected();
  const std::string text = pattern(500);
  std::string got;
  socket.on_data([&](auto bytes) { got += to_string(bytes); });
  for (const char c : text) {
    peer.send(std::string_view(&c, 1));
    loop.run_nowait();
  }
  run_until([&] { return got.size() == text.size(); });
  EXPECT_EQ(got, text);
}

TEST_F(StreamTest, WhatATurnWritesIsSentTogether) {
  auto [socket, peer] = connected();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(socket.write("0123456789"));
  EXPECT_FALSE(peer.readable());  // nothing before the loop is about to wait
  EXPECT_EQ(socket.buffered(), 1000U);
  run_until([&] { return socket.buffered() == 0; });
  EXPECT_EQ(peer.receive(4096).size(), 1000U);  // and then all of it at once
}

TEST_F(StreamTest, TryWriteSendsAtOnce) {
  auto [socket, peer] = connected();
  EXPECT_EQ(socket.try_write("hello"), 5U);
  EXPECT_TRUE(peer.readable());
  EXPECT_EQ(socket.buffered(), 0U);
  EXPECT_EQ(peer.receive(), "hello");

  std::string first = "one ";
  std::string second = "two";
  const std::array<iovec, 2> pieces{iovec{first.data(), first.size()},
                                    iovec{second.data(), second.size()}};
  EXPECT_EQ(socket.try_write(std::span(pieces)), 7U);
  EXPECT_EQ(peer.receive(), "one two");
}

TEST_F(StreamTest, TryWriteDoesNotOvertakeBufferedBytes) {
  auto [socket, peer] = connected();
  ASSERT_TRUE(socket.write("first "));
  EXPECT_EQ(socket.try_write("second"), 0U);
  run_until([&] { return socket.buffered() == 0; });
  EXPECT_EQ(socket.try_write("second"), 6U);
  EXPECT_EQ(peer.receive_exactly(12), "first second");
}

TEST_F(StreamTest, TryWriteSendsAPartAndTheRestFollows) {
  auto [socket, peer] = connected();
  const std::string text = pattern(16 << 20);
  // The kernel takes less than that. It may take more a moment later, when its own side of the peer has room again.
  std::string_view rest = text;
  for (std::size_t count = 1; count > 0; rest.remove_prefix(count)) {
    const auto taken = socket.try_write(rest);
    ASSERT_TRUE(taken);
    count = *taken;
  }
  ASSERT_LT(rest.size(), text.size());
  ASSERT_GT(rest.size(), 0U);
  int reports = 0;
  socket.write(rest, [&](Expected<> result) {
    EXPECT_TRUE(result);
    ++reports;
  });
  std::string got;
  std::thread reader([&, &peer = peer] { got = peer.receive_exactly(text.size()); });
  run_until([&] { return reports == 1; });
  reader.join();
  EXPECT_TRUE(got == text);
}

TEST_F(StreamTest, TryWriteReportsWhatHasEnded) {
  EXPECT_EQ(error_name(TcpSocket().try_write("x").error()), "EBADF");
  auto [socket, peer] = connected();
  socket.end();
  EXPECT_EQ(error_name(socket.try_write("x").error()), "EPIPE");
  socket.destroy();
  EXPECT_EQ(error_name(socket.try_write("x").error()), "EPIPE");

  auto [broken, resets] = connected();
  resets.reset();
  while (broken.try_write("x")) std::this_thread::yield();  // until the reset has arrived
  EXPECT_FALSE(broken.closed());
  broken.destroy();
}

TEST_F(StreamTest, TryWriteAfterAResetIsEPIPE) {
  auto [socket, peer] = connected();
  peer.send("last words");
  std::string got;
  std::vector<std::string> reports;
  socket.on_data([&](auto bytes) { got += to_string(bytes); });
  socket.on_error([&](std::error_code error) { reports.emplace_back(error_name(error)); });
  socket.on_close([&] { reports.emplace_back("close"); });
  run_until([&] { return !got.empty(); });
  peer.reset();
  run_until([&] { return !reports.empty() && reports.back() == "close"; });
  EXPECT_EQ(got, "last words");
  EXPECT_EQ(reports, (std::vector<std::string>{"ECONNRESET", "close"}));
  EXPECT_EQ(error_name(socket.try_write("x").error()), "EPIPE");
}

TEST_F(StreamTest, MixedWritesKeepTheirOrder) {
  auto [socket, peer] = connected();
  const std::string text = pattern(3 << 20);
  std::string_view rest = text;
  std::size_t size = 1;
  int kind = 0;
  int told = 0;
  int expected = 0;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, size);
    rest.remove_prefix(part.size());
    size = size * 3 % 100003 + 1;
    switch (kind++ % 3) {
      case 0:
        ASSERT_TRUE(socket.write(part));
        break;
      case 1:
        ASSERT_TRUE(socket.write(std::string(part)));
        break;
      case 2:
        ++expected;
        socket.write(part, [&told, &expected, number = expected](Expected<> result) {
          EXPECT_TRUE(result);
          EXPECT_EQ(++told, number);
        });
        break;
    }
  }
  std::string got;
  std::thread reader([&, &peer = peer] { got = peer.receive_exactly(text.size()); });
  run_until([&] { return told == expected && socket.buffered() == 0; });
  reader.join();
  EXPECT_TRUE(got == text);
}

TEST_F(StreamTest, ASlowReaderGetsEverythingAndWeAreToldToWait) {
  auto [socket, peer] = connected();
  const std::string text = pattern(8 << 20);
  std::size_t offset = 0;
  int drains = 0;
  const auto pump = [&, &socket = socket] {
    while (offset < text.size()) {
      const auto part = std::string_view(text).substr(offset, 40'000);
      const auto flow = socket.write(part);
      ASSERT_TRUE(flow);
      offset += part.size();
      if (*flow == Flow::wait) return;
    }
  };
  socket.on_drain([&] {
    ++drains;
    EXPECT_EQ(socket.buffered(), 0U);
    pump();
  });
  pump();
  std::string got;
  std::thread reader([&, &peer = peer] {
    while (got.size() < text.size()) {
      const std::string part = peer.receive(1000 + got.size() % 5000);
      if (part.empty()) break;
      got += part;
    }
  });
  run_until([&] { return offset == text.size() && socket.buffered() == 0; });
  reader.join();
  EXPECT_GT(drains, 10);
  EXPECT_TRUE(got == text);
}

TEST_F(StreamTest, APeerThatNeverReadsMakesUsHoldNoMoreThanTheBound) {
  auto [socket, peer] = connected({.accepted = {.stream = {.max_buffered = 1U << 20}}});
  const std::string piece = pattern(10'000);
  std::size_t taken = 0;
  std::error_code refused;
  while (!refused) {
    const auto flow = socket.write(piece);
    if (flow) {
      taken += piece.size();
      loop.run_nowait();
    } else {
      refused = flow.error();
    }
    EXPECT_LE(socket.buffered(), 1U << 20);
  }
  EXPECT_EQ(error_name(refused), "ENOBUFS");

  // What was accepted is not lost by that.
  socket.end();
  std::size_t got = 0;
  std::thread reader([&, &peer = peer] {
    for (std::string part = peer.receive(); !part.empty(); part = peer.receive()) {
      for (std::size_t i = 0; i < part.size(); i += 997) {
        if (part[i] != piece[(got + i) % piece.size()]) ADD_FAILURE() << "at " << got + i;
      }
      got += part.size();
    }
  });
  run_until([&] { return socket.buffered() == 0; });
  reader.join();
  EXPECT_EQ(got, taken);
}

TEST_F(StreamTest, WritesWithCallbacksCountTowardsTheBound) {
  auto [socket, peer] = connected({.accepted = {.stream = {.max_buffered = 100'000}}});
  bool refused = false;
  int waiting = 0;
  for (int i = 0; i < 10'000; ++i) {
    ++waiting;
    socket.write("x", [&](Expected<> result) {
      --waiting;
      if (!result && result.error() == errno_code(ENOBUFS)) refused = true;
    });
  }
  run_until([&] { return waiting == 0; });
  EXPECT_TRUE(refused);
}

TEST_F(StreamTest, PausedReadingClosesTheWindow) {
  auto [socket, peer] = connected();
  std::size_t got = 0;
  socket.on_data([&](auto bytes) { got += bytes.size(); });
  socket.pause();
  // The peer sends until the kernel takes no more.
  ASSERT_EQ(::fcntl(peer.fd(), F_SETFL, O_NONBLOCK), 0);
  const std::string piece = pattern(1 << 16);
  std::size_t sent = 0;
  int full = 0;
  while (full < 20) {
    const ssize_t count = ::send(peer.fd(), piece.data(), piece.size(), MSG_NOSIGNAL);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
      full = 0;
    } else {
      ++full;
    }
    loop.run_nowait();
  }
  EXPECT_EQ(got, 0U);
  EXPECT_LT(sent, 64U << 20);
  socket.resume();
  run_until([&] { return got == sent; });
}

TEST_F(StreamTest, PauseInTheDataCallbackHoldsWhatHadArrived) {
  auto [socket, peer] = connected();
  const std::string text = pattern(300'000);
  std::string got;
  socket.on_data([&, &socket = socket](auto bytes) {
    // Not all that is held at once: a callback that pauses has had enough.
    EXPECT_LE(bytes.size(), 65'536U);
    got += to_string(bytes);
    socket.pause();
  });
  std::thread writer([&, &peer = peer] { peer.send(text); });
  while (got.size() < text.size()) {
    const std::size_t before = got.size();
    run_until([&] { return got.size() > before; });
    for (int i = 0; i < 3; ++i) loop.run_nowait();
    EXPECT_TRUE(std::string_view(text).starts_with(got));
    const std::size_t paused_at = got.size();
    loop.run_nowait();
    EXPECT_EQ(got.size(), paused_at);
    socket.resume();
  }
  writer.join();
  EXPECT_TRUE(got == text);
}

TEST_F(StreamTest, WhatArrivedBeforeTheEndIsDeliveredAfterAPause) {
  auto [socket, peer] = connected();
  const std::string text = pattern(20'000);
  std::string got;
  bool ended = false;
  socket.on_data([&, &socket = socket](auto bytes) {
    got += to_string(bytes);
    socket.pause();
  });
  socket.on_end([&] { ended = true; });
  peer.send(text);
  peer.shut();
  while (!ended) {
    loop.run_once();
    if (!got.empty()) socket.resume();
  }
  EXPECT_TRUE(got == text);
}

TEST_F(StreamTest, APeerThatReadsLateGetsItsWholeEcho) {
  auto [socket, peer] = connected();
  socket.on_data([socket = socket](auto bytes) mutable {
    const auto flow = socket.write(bytes);
    ASSERT_TRUE(flow);
    if (*flow == Flow::wait) socket.pause();
  });
  socket.on_drain([socket = socket]() mutable { socket.resume(); });
  // The peer sends until nothing more is accepted, then its end, and only then begins to read.
  ASSERT_EQ(::fcntl(peer.fd(), F_SETFL, O_NONBLOCK), 0);
  const std::string piece = pattern(1 << 16);
  std::string sent;
  for (int full = 0; full < 20; loop.run_nowait()) {
    const ssize_t count = ::send(peer.fd(), piece.data(), piece.size(), MSG_NOSIGNAL);
    full = count > 0 ? 0 : full + 1;
    if (count > 0) sent.append(piece, 0, static_cast<std::size_t>(count));
  }
  ASSERT_EQ(::fcntl(peer.fd(), F_SETFL, 0), 0);
  peer.shut();
  std::string got;
  std::thread reader([&, &peer = peer] { got = peer.receive_exactly(sent.size() + 1); });
  run_until([&socket = socket] { return socket.closed(); });
  reader.join();
  EXPECT_TRUE(got == sent);
}

TEST_F(StreamTest, TheEndOfThePeerEndsUsToo) {
  auto [socket, peer] = connected();
  std::vector<std::string> events;
  socket.on_data([&](auto bytes) { events.push_back(to_string(bytes)); });
  socket.on_end([&] { events.emplace_back("end"); });
  socket.on_close([&] { events.emplace_back("close"); });
  peer.send("last");
  peer.shut();
  run_until([&, &socket = socket] { return socket.closed(); });
  EXPECT_EQ(events, (std::vector<std::string>{"last", "end", "close"}));
  EXPECT_EQ(peer.receive(), "");
  EXPECT_EQ(socket.fd(), -1);
}

// CLOSE-2
TEST_F(StreamTest, AGracefulCloseIsToldThroughTheTickQueue) {
  auto [socket, peer] = connected();
  std::vector<std::string> order;
  socket.on_data([](auto) {});
  socket.on_end([&] {
    loop.set_immediate([&] { order.emplace_back("immediate"); });
    order.emplace_back("end");
  });
  socket.on_close([&] { order.emplace_back("close"); });
  peer.shut();
  run_until([&] { return order.size() == 3; });
  EXPECT_EQ(order, (std::vector<std::string>{"end", "close", "immediate"}));
}

TEST_F(StreamTest, HalfOpenGoesOnWriting) {
  auto [socket, peer] = connected({.accepted = {.stream = {.allow_half_open = true}}});
  bool ended = false;
  bool closed = false;
  socket.on_data([](auto) {});
  socket.on_end([&] { ended = true; });
  socket.on_close([&] { closed = true; });
  peer.shut();
  run_until([&] { return ended; });
  EXPECT_TRUE(socket.writable());
  EXPECT_FALSE(socket.readable());
  ASSERT_TRUE(socket.write("still here"));
  socket.end();
  run_until([&] { return closed; });
  EXPECT_EQ(peer.receive_exactly(100), "still here");
}

TEST_F(StreamTest, EndSendsWhatIsQueuedFirst) {
  auto [socket, peer] = connected();
  const std::string text = pattern(2 << 20);
  ASSERT_TRUE(socket.write(text));
  EXPECT_TRUE(socket.end("the end"));
  const auto refused = socket.write("too late");
  ASSERT_FALSE(refused);
  EXPECT_EQ(error_name(refused.error()), "EPIPE");
  std::string told;
  socket.write("too late", [&](Expected<> result) { told = error_name(result.error()); });
  EXPECT_EQ(told, "");
  std::string got;
  std::thread reader([&, &peer = peer] { got = peer.receive_exactly(100 << 20); });
  run_until([&] { return socket.buffered() == 0 && !told.empty(); });
  loop.run_nowait();  // the end itself
  reader.join();
  EXPECT_EQ(told, "EPIPE");
  EXPECT_TRUE(got == text + "the end");
}

TEST_F(StreamTest, EndWithMoreThanTheBoundIsRefusedAndNotLostSilently) {
  auto [socket, peer] = connected({.accepted = {.stream = {.max_buffered = 10}}});
  const auto refused = socket.end("more than ten bytes");
  ASSERT_FALSE(refused);
  EXPECT_EQ(error_name(refused.error()), "ENOBUFS");
  EXPECT_TRUE(socket.writable());
  EXPECT_TRUE(socket.end("nine only"));
  EXPECT_EQ(error_name(socket.end("again").error()), "EPIPE");
  run_until([&] { return peer.readable(); });
  EXPECT_EQ(peer.receive_exactly(9), "nine only");
}

TEST_F(StreamTest, AResetIsAnError) {
  auto [socket, peer] = connected();
  std::vector<std::string> events;
  socket.on_data([](auto) {});
  socket.on_end([&] { events.emplace_back("end"); });
  socket.on_error([&](std::error_code error) { events.emplace_back(error_name(error)); });
  socket.on_close([&] {
    EXPECT_EQ(loop.phase(), Phase::close);
    events.emplace_back("close");
  });
  peer.reset();
  run_until([&, &socket = socket] { return socket.closed(); });
  EXPECT_EQ(events, (std::vector<std::string>{"ECONNRESET", "close"}));
  EXPECT_EQ(error_name(socket.error()), "ECONNRESET");
}

// See UnixTest.AnEndRightBehindDataIsNotMissed.
TEST_F(StreamTest, AnEndOrAResetRightBehindDataIsNotMissed) {
  for (const bool resets : {false, true}) {
    for (const std::size_t size : {1U, 4096U, 100'000U, 200'000U}) {
      SCOPED_TRACE(testing::Message() << size << " bytes, resets: " << resets);
      auto [socket, peer] = connected();
      std::size_t got = 0;
      std::string error;
      socket.on_data([&](auto data) { got += data.size(); });
      socket.on_error([&](std::error_code code) { error = error_name(code); });
      socket.pause();
      peer.make_room();
      peer.send(std::string(size, 'x'));
      resets ? peer.reset() : peer.shut();
      socket.resume();
      run_until([&, &socket = socket] { return socket.closed(); });
      EXPECT_EQ(error, resets ? "ECONNRESET" : "");
      if (!resets) {
        EXPECT_EQ(got, size);
      }
    }
  }
}

TEST_F(StreamTest, WritingToAPeerThatIsGoneIsAnError) {
  auto [socket, peer] = connected();
  std::string error;
  std::string told;
  socket.on_error([&](std::error_code code) { error = error_name(code); });
  peer.reset();
  socket.write("anybody?", [&](Expected<> result) {
    told = result ? "sent" : std::string(error_name(result.error()));
  });
  run_until([&, &socket = socket] {
    static_cast<void>(socket.write("?"));
    return socket.closed();
  });
  EXPECT_TRUE(error == "EPIPE" || error == "ECONNRESET") << error;
  EXPECT_EQ(told, error);
}

TEST_F(StreamTest, OurResetIsSeenByThePeer) {
  auto [socket, peer] = connected();
  socket.reset();
  run_until([&, &socket = socket] { return socket.closed(); });
  char byte = 0;
  EXPECT_EQ(::recv(peer.fd(), &byte, 1, 0), -1);
  EXPECT_EQ(errno, ECONNRESET);
}

// CLOSE-1
TEST_F(StreamTest, DestroyIsToldInTheClosePhaseOnceAndLast) {
  auto [socket, peer] = connected();
  int closes = 0;
  int after = 0;
  std::vector<std::string> order;
  socket.on_data([&](auto) { ++after; });
  socket.on_close([&] {
    EXPECT_EQ(loop.phase(), Phase::close);
    ++closes;
    order.emplace_back("close");
  });
  peer.send("never heard");
  loop.set_immediate([&, &socket = socket] {
    socket.destroy();
    socket.destroy();
    EXPECT_FALSE(socket.closed());
    loop.set_timeout(0ms, [&] { order.emplace_back("timeout"); });
  });
  // An immediate of the first iteration comes before anything has arrived.
  run_until([&] { return order.size() == 2; });
  EXPECT_EQ(order, (std::vector<std::string>{"close", "timeout"}));
  for (int i = 0; i < 5; ++i) loop.run_nowait();
  EXPECT_EQ(closes, 1);
  EXPECT_LE(after, 1);
  EXPECT_TRUE(socket.closed());
  EXPECT_FALSE(socket.write("x"));
}

TEST_F(StreamTest, DestroyInEveryCallback) {
  for (const std::string where : {"data", "end", "drain", "write", "tick"}) {
    SCOPED_TRACE(where);
    auto [socket, peer] = connected({.accepted = {.stream = {.high_water_mark = 1}}});
    int events = 0;
    int late = 0;
    bool closed = false;
    const auto kill = [&, &socket = socket] {
      ++events;
      if (closed) ++late;
      socket.destroy();
    };
    if (where == "data" || where == "tick") {
      socket.on_data([&, kill](auto) mutable {
        if (where == "tick") {
          loop.next_tick(kill);
        } else {
          kill();
        }
      });
      peer.send("x");
    } else if (where == "end") {
      socket.on_data([](auto) {});
      socket.on_end(kill);
      peer.shut();
    } else if (where == "drain") {
      socket.on_drain(kill);
      ASSERT_EQ(*socket.write("abc"), Flow::wait);
    } else {
      socket.write("abc", [kill](Expected<> result) mutable {
        EXPECT_TRUE(result);
        kill();
      });
      socket.write("def", [](Expected<>) {});
    }
    socket.on_close([&] { closed = true; });
    run_until([&] { return closed; });
    for (int i = 0; i < 3; ++i) loop.run_nowait();
    EXPECT_EQ(events, 1);
    EXPECT_EQ(late, 0);
  }
}

TEST_F(StreamTest, DestroyTellsEveryWriteThatWaits) {
  auto [socket, peer] = connected();
  const std::string big = pattern(16 << 20);
  std::vector<std::string> told;
  for (int i = 0; i < 2; ++i) {
    socket.write(big, [&](Expected<> result) {
      told.emplace_back(result ? "sent" : error_name(result.error()));
    });
  }
  socket.on_close([&] { told.emplace_back("close"); });
  loop.run_nowait();
  loop.run_nowait();
  socket.destroy();
  run_until([&] { return told.size() == 3; });
  EXPECT_EQ(told, (std::vector<std::string>{"ECANCELED", "ECANCELED", "close"}));
}

TEST_F(StreamTest, ACallbackMayReplaceItself) {
  auto [socket, peer] = connected();
  std::string got;
  socket.on_data([&, &socket = socket, text = std::string("first ")](auto) {
    socket.on_data([&, text2 = std::string("second ")](auto) { got += text2; });
    got += text;  // what was captured is still there
  });
  peer.send("a");
  run_until([&] { return !got.empty(); });
  peer.send("b");
  run_until([&] { return got == "first second "; });
}

TEST_F(StreamTest, TheLastHandleTakesTheSocketWithIt) {
  auto [socket, peer] = connected();
  socket.on_data([](auto) {});
  socket = TcpSocket();
  loop.run();
  EXPECT_EQ(peer.receive(), "");
}

TEST_F(StreamTest, TheLastHandleLeavesTimeForWhatWasWritten) {
  auto [socket, peer] = connected();
  const std::string text = pattern(4 << 20);
  ASSERT_TRUE(socket.write(text));
  socket = TcpSocket();
  std::string got;
  std::thread reader([&, &peer = peer] { got = peer.receive_exactly(100 << 20); });
  loop.run();
  reader.join();
  EXPECT_TRUE(got == text);
}

TEST_F(StreamTest, ACallbackThatHoldsItsOwnSocketIsFreed) {
  auto marker = std::make_shared<int>(1);
  {
    auto [socket, peer] = connected();
    socket.on_data([socket = socket, marker](auto) {});
    socket.on_close([socket = socket, marker] {});
    socket = TcpSocket();
    EXPECT_EQ(marker.use_count(), 3);
    peer.close();
    loop.run();
  }
  EXPECT_EQ(marker.use_count(), 1);
}

TEST_F(StreamTest, AThrowingCallbackLosesNothing) {
  auto [socket, peer] = connected();
  std::string got;
  int thrown = 0;
  loop.on_uncaught([&](std::exception_ptr) { ++thrown; });
  socket.on_data([&](auto bytes) {
    got += to_string(bytes);
    throw std::runtime_error("data");
  });
  socket.on_end([] { throw std::runtime_error("end"); });
  socket.on_close([] { throw std::runtime_error("close"); });
  peer.send("a");
  run_until([&] { return got == "a"; });
  peer.send("b");
  run_until([&] { return got == "ab"; });
  peer.shut();
  run_until([&, &socket = socket] { return socket.closed(); });
  EXPECT_EQ(thrown, 4);
}

TEST_F(StreamTest, AnExceptionThatLeavesRunLosesNothing) {
  auto [socket, peer] = connected();
  int told = 0;
  for (int i = 0; i < 3; ++i) {
    socket.write("x", [&](Expected<>) {
      ++told;
      throw std::runtime_error("write");
    });
  }
  int caught = 0;
  while (told < 3) {
    try {
      loop.run_once();
    } catch (const std::runtime_error&) {
      ++caught;
    }
  }
  EXPECT_EQ(caught, 3);
}

TEST_F(StreamTest, UnrefLetsTheLoopEnd) {
  auto [socket, peer] = connected();
  socket.on_data([](auto) {});
  loop.run_nowait();
  EXPECT_TRUE(loop.alive());
  socket.unref();
  EXPECT_FALSE(socket.has_ref());
  EXPECT_FALSE(loop.run());
  socket.ref();
  EXPECT_TRUE(loop.alive());
}

TEST_F(StreamTest, OptionsReachTheKernel) {
  auto [socket, peer] = connected();
  ASSERT_TRUE(socket.set_no_delay(true));
  ASSERT_TRUE(socket.set_keep_alive(30s));
  int value = 0;
  socklen_t size = sizeof(value);
  ::getsockopt(socket.fd(), SOL_SOCKET, SO_KEEPALIVE, &value, &size);
  EXPECT_NE(value, 0);
  EXPECT_EQ(socket.peer_address().ip(), "127.0.0.1");
  EXPECT_NE(socket.local_address().port(), 0);
  socket.destroy();
  EXPECT_EQ(error_name(socket.set_no_delay(true).error()), "EBADF");
}

TEST_F(StreamTest, TheWrongThreadIsRefused) {
  auto [socket, peer] = connected();
  std::thread([&socket = socket] {
    EXPECT_THROW(static_cast<void>(socket.write("x")), Misuse);
    EXPECT_THROW(socket.on_data([](auto) {}), Misuse);
    EXPECT_THROW(socket.destroy(), Misuse);
  }).join();
  EXPECT_EQ(socket.buffered(), 0U);
}

TEST_F(StreamTest, AdoptChecksWhatItIsGiven) {
  EXPECT_EQ(error_name(TcpSocket::adopt(loop, -1).error()), "EBADF");
  int pipe[2];
  ASSERT_EQ(::pipe(std::data(pipe)), 0);
  EXPECT_EQ(error_name(TcpSocket::adopt(loop, pipe[0]).error()), "ENOTSOCK");
  ::close(pipe[0]);
  ::close(pipe[1]);
  const Descriptor lonely(::socket(AF_INET, SOCK_STREAM, 0));
  EXPECT_EQ(error_name(TcpSocket::adopt(loop, lonely.get()).error()), "ENOTCONN");
  // What is refused stays with the caller.
  int pair[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, std::data(pair)), 0);
  EXPECT_EQ(error_name(TcpSocket::adopt(loop, pair[0], {.no_delay = true}).error()), "EOPNOTSUPP");
  EXPECT_EQ(::close(pair[0]), 0);
  EXPECT_EQ(::close(pair[1]), 0);
}

}  // namespace
}  // namespace rondo
