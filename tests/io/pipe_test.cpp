#include "rondo/pipe.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo {
namespace {

using testing::ElementsAre;

class PipeTest : public testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    reader = Pipe(loop, ends[0]);
    writer = Pipe(loop, ends[1]);
  }

  /// Notes a result when it comes.
  auto note(std::string name) {
    return [this, name](Expected<std::size_t> result) {
      EXPECT_EQ(loop.phase(), Phase::poll);
      seen.push_back(name + ":" +
                     (result ? std::to_string(*result) : std::string(error_name(result.error()))));
    };
  }

  Loop loop;
  Pipe reader;
  Pipe writer;
  std::array<std::byte, 16> buffer{};
  std::vector<std::string> seen;
};

TEST_F(PipeTest, WhatIsThereIsReadAndToldLater) {
  writer.write("hello").then(loop, note("write"));
  reader.read(buffer).then(loop, note("read"));
  EXPECT_TRUE(seen.empty());
  loop.run();
  EXPECT_THAT(seen, ElementsAre("write:5", "read:5"));
  EXPECT_EQ(std::memcmp(buffer.data(), "hello", 5), 0);
}

TEST_F(PipeTest, ReadingWaits) {
  reader.read(buffer).then(loop, note("read"));
  EXPECT_TRUE(loop.alive());
  loop.set_immediate([&] { writer.write("abc").then(loop, note("write")); });
  loop.run();
  EXPECT_THAT(seen, testing::UnorderedElementsAre("write:3", "read:3"));
}

TEST_F(PipeTest, AnImmediateThatWaitsComesFirst) {
  loop.set_timeout(std::chrono::milliseconds(1), [&] {
    loop.set_immediate([&] { seen.emplace_back("immediate"); });
    writer.write("x").then(loop, note("write"));
  });
  loop.run();
  EXPECT_THAT(seen, ElementsAre("immediate", "write:1"));
}

TEST_F(PipeTest, TheEndIsZero) {
  writer.close();
  reader.read(buffer).then(loop, note("read"));
  loop.run();
  reader.read(buffer).then(loop, note("again"));
  loop.run();
  EXPECT_THAT(seen, ElementsAre("read:0", "again:0"));
}

TEST_F(PipeTest, SeveralAreCarriedOutInOrder) {
  std::array<std::byte, 2> a{};
  std::array<std::byte, 2> b{};
  std::array<std::byte, 2> c{};
  reader.read(a).then(loop, note("a"));
  reader.read(b).then(loop, note("b"));
  writer.write("12345").then(loop, note("write"));
  reader.read(c).then(loop, note("c"));
  loop.run();
  EXPECT_EQ(static_cast<char>(a[0]), '1');
  EXPECT_EQ(static_cast<char>(b[0]), '3');
  EXPECT_EQ(static_cast<char>(c[0]), '5');
  EXPECT_THAT(seen, ElementsAre("write:5", "a:2", "b:2", "c:1"));
}

TEST_F(PipeTest, ResultsKnownAtOnceStayInOrderToo) {
  std::array<std::byte, 1> a{};
  std::array<std::byte, 1> b{};
  writer.write("xy").then(loop, note("write"));
  loop.run();
  seen.clear();
  // The first is known at once but held back by an immediate; the second must not overtake it.
  loop.set_immediate([&] { seen.emplace_back("immediate"); });
  reader.read(a).then(loop, note("a"));
  reader.read(b).then(loop, note("b"));
  loop.run();
  EXPECT_THAT(seen, ElementsAre("immediate", "a:1", "b:1"));
  EXPECT_EQ(static_cast<char>(b[0]), 'y');
}

Async<> write_large(Pipe& pipe, const std::string& text, bool& done) {
  const auto written = co_await pipe.write(text);
  EXPECT_EQ(written.value(), text.size());
  pipe.close();
  done = true;
}

Async<> read_large(Pipe& pipe, std::string& text) {
  auto all = co_await pipe.read_all(std::size_t{1} << 30);
  text = std::move(all).value();
}

TEST_F(PipeTest, MoreThanThePipeHoldsIsWrittenBitByBit) {
  std::string text(3'000'000, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7);
  std::string read;
  bool done = false;
  spawn(loop, write_large(writer, text, done));
  spawn(loop, read_large(reader, read));
  loop.run();
  EXPECT_TRUE(done);
  EXPECT_TRUE(read == text);
}

Async<> read_at_most(Pipe& pipe, std::size_t most, std::string& text, std::string& error) {
  const auto done = co_await pipe.read_all(text, most);
  error = done ? "" : error_name(done.error());
}

TEST_F(PipeTest, ReadAllHasABound) {
  std::string text;
  std::string error;
  writer.write("12345678").then(loop, note("write"));
  spawn(loop, read_at_most(reader, 4, text, error));
  loop.run();
  EXPECT_EQ(text, "1234");
  EXPECT_EQ(error, "ENOBUFS");
}

TEST_F(PipeTest, ReadAllOfExactlyTheBoundIsNoError) {
  std::string text;
  std::string error = "unset";
  writer.write("1234").then(loop, [&](const auto&) { writer.close(); });
  spawn(loop, read_at_most(reader, 4, text, error));
  loop.run();
  EXPECT_EQ(text, "1234");
  EXPECT_EQ(error, "");
}

TEST_F(PipeTest, AReaderThatHasGoneIsAnErrorAndNoSignal) {
  reader.close();
  writer.write("x").then(loop, note("write"));
  loop.run();
  EXPECT_THAT(seen, ElementsAre("write:EPIPE"));
  // By default SIGPIPE would have ended us; and none is left pending.
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST_F(PipeTest, ASigpipeThatWasPendingStays) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGPIPE);
  sigset_t before;
  ::pthread_sigmask(SIG_BLOCK, &only, &before);
  ::raise(SIGPIPE);
  reader.close();
  writer.write("x").then(loop, note("write"));
  loop.run();
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 1);
  const timespec now{};
  EXPECT_EQ(::sigtimedwait(&only, nullptr, &now), SIGPIPE);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_THAT(seen, ElementsAre("write:EPIPE"));
}

TEST_F(PipeTest, AReaderThatGoesWhileAWriteWaits) {
  const std::string text(200'000, 'x');
  writer.write(text).then(loop, note("write"));
  loop.set_immediate([&] { reader.close(); });
  loop.run();
  EXPECT_THAT(seen, ElementsAre("write:EPIPE"));
}

TEST_F(PipeTest, CloseEndsWhatIsUnderWay) {
  const std::string text(200'000, 'x');
  reader.read(buffer).then(loop, note("read"));
  loop.set_immediate([&] {
    reader.close();
    EXPECT_TRUE(seen.empty());
    EXPECT_FALSE(reader.is_open());
    EXPECT_EQ(reader.fd(), -1);
  });
  loop.run();
  reader.read(buffer).then(loop, note("closed"));
  loop.run();
  EXPECT_THAT(seen, ElementsAre("read:ECANCELED", "closed:EBADF"));
}

TEST_F(PipeTest, MayBeDestroyedInItsOwnCallback) {
  auto mortal = std::make_unique<Pipe>(std::move(reader));
  mortal->read(buffer).then(loop, [&](const auto&) { mortal = nullptr; });
  std::array<std::byte, 1> other{};
  mortal->read(other).then(loop, note("other"));
  writer.write("xy").then(loop, note("write"));
  loop.run();
  EXPECT_EQ(mortal, nullptr);
  EXPECT_THAT(seen, ElementsAre("write:2", "other:ECANCELED"));
}

Async<> read_once(Pipe& pipe, std::span<std::byte> into, std::vector<std::string>& seen) {
  const auto count = co_await pipe.read(into);
  seen.emplace_back(count ? std::to_string(*count) : std::string(error_name(count.error())));
}

TEST_F(PipeTest, StoppingReachesTheKernel) {
  std::stop_source stop;
  spawn(loop, read_once(reader, buffer, seen), stop.get_token());
  loop.set_immediate([&] { stop.request_stop(); });
  loop.run();
  EXPECT_THAT(seen, ElementsAre("ECANCELED"));
  // The data that comes later is for the next reader.
  writer.write("z").then(loop, note("write"));
  spawn(loop, read_once(reader, buffer, seen));
  loop.run();
  EXPECT_THAT(seen, ElementsAre("ECANCELED", "write:1", "1"));
}

TEST_F(PipeTest, ADuplexPipeIsClosedForWritingOnly) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  Pipe a(loop, ends[0]);
  Pipe b(loop, ends[1]);
  a.close_write();
  b.read(buffer).then(loop, note("b reads"));
  loop.run();
  b.write("answer").then(loop, note("b writes"));
  std::array<std::byte, 16> answer{};
  a.read(answer).then(loop, note("a reads"));
  loop.run();
  a.write("x").then(loop, note("a writes"));
  loop.run();
  EXPECT_THAT(seen, ElementsAre("b reads:0", "b writes:6", "a reads:6", "a writes:EPIPE"));
}

TEST_F(PipeTest, IsUsedOnItsLoopOnly) {
  Loop other;
  EXPECT_THROW(reader.read(buffer).then(other, note("read")), Misuse);
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(other.alive());
}

TEST_F(PipeTest, GivesItsDescriptorAway) {
  const int fd = writer.fd();
  EXPECT_EQ(writer.release(), fd);
  EXPECT_FALSE(writer.is_open());
  EXPECT_EQ(::write(fd, "x", 1), 1);
  ::close(fd);
  reader.read(buffer).then(loop, note("read"));
  EXPECT_THROW(reader.release(), Misuse);
  loop.run();
}

Async<> hold(Pipe pipe, std::shared_ptr<int> held) {
  std::array<std::byte, 4> into{};
  (void)co_await pipe.read(into);
  ADD_FAILURE() << "resumed by a loop that is gone";
  (void)held;
}

TEST(PipeAndLoopTest, TheLoopGoesWhileSomebodyReads) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  auto held = std::make_shared<int>();
  Pipe outlives;
  {
    Loop loop;
    spawn(loop, hold(Pipe(loop, ends[0]), held));
    outlives = Pipe(loop, ends[1]);
    loop.run_nowait();
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(::fcntl(ends[0], F_GETFD), -1);
  outlives.close();
  EXPECT_EQ(::fcntl(ends[1], F_GETFD), -1);
}

}  // namespace
}  // namespace rondo
