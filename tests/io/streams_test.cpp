#include "rondo/streams.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/future.h"
#include "rondo/loop.h"
#include "rondo/net.h"
#include "rondo/pipe.h"
#include "rondo/sync.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

template <class T>
std::string name_of(const Expected<T>& result) {
  return result ? "ok" : std::string(error_name(result.error()));
}

/// A stream that gives what it was made of, so many bytes at a time, and takes what it is given.
class FakeStream {
 public:
  explicit FakeStream(std::string text, std::size_t at_a_time = 3)
      : text_(std::move(text)), at_a_time_(at_a_time) {}
  Async<Expected<std::size_t>> read_some(std::span<std::byte> buffer) {
    ++reads;
    const std::size_t count = std::min({buffer.size(), at_a_time_, text_.size()});
    std::memcpy(buffer.data(), text_.data(), count);
    text_.erase(0, count);
    co_return count;
  }
  Async<Expected<>> write_all(std::span<const std::byte> bytes) {
    written.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (written.size() > 5) co_return std::unexpected(errno_code(EPIPE));
    co_return Expected<>();
  }
  int reads = 0;
  std::vector<std::string> written;

 private:
  std::string text_;
  std::size_t at_a_time_;
};

class StreamsTest : public testing::Test {
 protected:
  template <class Body>
  void run(Body body) {
    block_on(loop, std::move(body));
  }
  Loop loop;
};

TEST_F(StreamsTest, ReadsUntilADelimiterThatComesInPieces) {
  FakeStream stream("head: 1\r\n\r\nbody");
  run([&]() -> Async<> {
    BufferedReader reader(stream, 16);
    EXPECT_EQ((co_await reader.read_until("\r\n\r\n")).value(), "head: 1");
    EXPECT_EQ((co_await reader.read_exactly(2)).value(), "bo");
    EXPECT_EQ(name_of(co_await reader.read_until("\n")), "EOF");
    EXPECT_EQ(reader.buffered().size(), 2u);
    EXPECT_EQ(name_of(co_await reader.read_exactly(3)), "EOF");
    EXPECT_EQ((co_await reader.read_exactly(2)).value(), "dy");
    EXPECT_EQ(name_of(co_await reader.read_until("")), "EINVAL");
  });
}

TEST_F(StreamsTest, ReadsLinesAlsoALastOneWithoutAnEnd) {
  for (const std::size_t at_a_time : {1u, 2u, 7u, 100u}) {
    run([&]() -> Async<> {
      auto all = lines(FakeStream("a\nbb\r\n\r\n\nlong line of text\nlast", at_a_time));
      std::vector<std::string> seen;
      while (auto line = co_await all.next()) seen.emplace_back(*line);
      EXPECT_THAT(seen, ElementsAre("a", "bb", "", "", "long line of text", "last"));
      EXPECT_EQ(name_of(co_await all.next()), "EOF");
    });
  }
}

TEST_F(StreamsTest, TakesNoMoreThanTheLimit) {
  FakeStream stream(std::string(100, 'x') + "\nshort\n");
  run([&]() -> Async<> {
    BufferedReader reader(stream, 16);
    EXPECT_EQ(name_of(co_await reader.read_line(50)), "EMSGSIZE");
    EXPECT_LT(reader.buffered().size(), 60u);
    EXPECT_EQ((co_await reader.read_line(100)).value(), std::string(100, 'x'));
    EXPECT_EQ((co_await reader.read_line(5)).value(), "short");
    EXPECT_EQ(name_of(co_await reader.read_line(5)), "EOF");
  });
}

TEST_F(StreamsTest, ALimitMayBeTheLargestNumber) {
  FakeStream stream("first\nsecond and last");
  run([&]() -> Async<> {
    BufferedReader reader(stream, 16);
    EXPECT_EQ((co_await reader.read_until("t\n", SIZE_MAX)).value(), "firs");
    EXPECT_EQ((co_await reader.read_line(SIZE_MAX)).value(), "second and last");
    EXPECT_EQ(name_of(co_await reader.read_line(SIZE_MAX)), "EOF");
    EXPECT_EQ(name_of(co_await reader.read_until("\n", SIZE_MAX)), "EOF");
  });
}

TEST_F(StreamsTest, ReadsExactlyIntoTheCallersMemory) {
  FakeStream stream("0123456789abcdefghij", 4);
  run([&]() -> Async<> {
    BufferedReader reader(stream, 16);
    std::array<std::byte, 18> memory{};
    EXPECT_EQ((co_await reader.read_exactly(1)).value(), "0");
    EXPECT_TRUE(co_await reader.read_exactly(memory));
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(memory.data()), 18),
              "123456789abcdefghi");
    EXPECT_EQ((co_await reader.read_some(memory)).value(), 1u);
    EXPECT_EQ((co_await reader.read_some(memory)).value(), 0u);
    EXPECT_EQ(name_of(co_await reader.read_exactly(memory)), "EOF");
  });
}

TEST_F(StreamsTest, WhatIsInTheBufferSuspendsNothing) {
  FakeStream stream("a\nb\nc\n", 100);
  run([&]() -> Async<> {
    BufferedReader reader(stream);
    EXPECT_EQ((co_await reader.read_line()).value(), "a");
    EXPECT_EQ(stream.reads, 1);
    EXPECT_EQ((co_await with_timeout(1s, reader.read_line())).value(), "b");
    EXPECT_EQ((co_await reader.read_line()).value(), "c");
    EXPECT_EQ(stream.reads, 1);
  });
}

TEST_F(StreamsTest, GathersWrites) {
  FakeStream stream("");
  run([&]() -> Async<> {
    BufferedWriter writer(stream, 8);
    EXPECT_TRUE(co_await writer.write("abc"));
    EXPECT_TRUE(co_await writer.write("defgh"));
    EXPECT_EQ(writer.buffered(), 8u);
    EXPECT_TRUE(co_await writer.write("i"));
    EXPECT_TRUE(co_await writer.write("0123456789"));
    EXPECT_TRUE(co_await writer.write("j"));
    EXPECT_TRUE(co_await writer.flush());
    EXPECT_TRUE(co_await writer.flush());
    EXPECT_THAT(stream.written, ElementsAre("abcdefgh", "i", "0123456789", "j"));
    stream.written.resize(5);
    EXPECT_TRUE(co_await writer.write("x"));
    EXPECT_EQ(name_of(co_await writer.flush()), "EPIPE");
  });
}

TEST_F(StreamsTest, CopiesFromAnyStreamToAnyOther) {
  run([&]() -> Async<> {
    auto pair = UnixSocket::pair(loop);
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    Pipe reading(loop, ends[0]);
    Pipe writing(loop, ends[1]);
    const std::string text(300'000, 't');
    spawn(loop, [&]() -> Async<> {
      co_await pair->first.write_all(text);
      pair->first.end();
    });
    spawn(loop, [&]() -> Async<> {
      EXPECT_EQ((co_await copy(pair->second, writing)).value(), text.size());
      writing.close();
    });
    EXPECT_EQ((co_await reading.read_all(1 << 20)).value(), text);
  });
}

TEST_F(StreamsTest, AStopEndsEachOfThem) {
  auto pair = UnixSocket::pair(loop);
  std::stop_source source;
  int ended = 0;
  const auto expect_cancelled = [&](auto make) {
    spawn(
        loop,
        [&, make]() -> Async<> {
          auto mine = UnixSocket::pair(loop);
          EXPECT_EQ(name_of(co_await make(mine->first)), "ECANCELED");
          ++ended;
        },
        source.get_token());
  };
  expect_cancelled([](UnixSocket& socket) -> Async<Expected<>> {
    BufferedReader reader(socket);
    const auto line = co_await reader.read_line();
    co_return line ? Expected<>() : std::unexpected(line.error());
  });
  expect_cancelled([](UnixSocket& socket) -> Async<Expected<>> {
    BufferedReader reader(socket);
    std::array<std::byte, 4> memory{};
    co_return co_await reader.read_exactly(memory);
  });
  expect_cancelled([&](UnixSocket& socket) { return copy(socket, pair->first); });
  expect_cancelled([](UnixSocket& socket) -> Async<Expected<>> {
    BufferedWriter writer(socket, 1 << 20);
    for (;;) {
      if (auto written = co_await writer.write(std::string(1 << 20, 'x')); !written) {
        co_return written;
      }
    }
  });
  loop.set_timeout(5ms, [&] { source.request_stop(); });
  loop.run();
  EXPECT_EQ(ended, 4);
}

TEST_F(StreamsTest, FilesAreWrittenAndReadWhole) {
  run([&]() -> Async<> {
    char name[] = "/tmp/rondo-streams-XXXXXX";
    fs::File file(loop, ::mkostemp(name, O_CLOEXEC));
    ::unlink(name);
    const std::string text(100'000, 'f');
    EXPECT_TRUE(co_await file.write_all(text));
    EXPECT_TRUE(co_await file.write_all("one\ntwo"));
    EXPECT_TRUE(co_await file.write_all("F", 0));
    ::lseek(file.fd(), 0, SEEK_SET);
    EXPECT_EQ((co_await file.read_all()).value(), "F" + text.substr(1) + "one\ntwo");
    EXPECT_EQ((co_await file.read_all()).value(), "");
    ::lseek(file.fd(), 0, SEEK_SET);
    EXPECT_EQ(name_of(co_await file.read_all(1000)), "EFBIG");
    ::lseek(file.fd(), 100'000, SEEK_SET);
    auto all = file.lines();
    EXPECT_EQ((co_await all.next()).value(), "one");
    EXPECT_EQ((co_await all.next()).value(), "two");
    EXPECT_EQ(name_of(co_await all.next()), "EOF");
    co_await file.close();
    EXPECT_EQ(name_of(co_await file.read_all()), "EBADF");
    EXPECT_EQ(name_of(co_await file.write_all("x")), "EBADF");
  });
}

// ---- Sockets ----------------------------------------------------------------------------------

TEST_F(StreamsTest, WritesSeveralPiecesInOrder) {
  run([&]() -> Async<> {
    auto pair = UnixSocket::pair(loop);
    const std::string large(200'000, 'l');
    const std::array<std::span<const std::byte>, 4> pieces{
        fs::bytes_of("head "), fs::bytes_of(large), fs::bytes_of(""), fs::bytes_of(" tail")};
    spawn(loop, [&]() -> Async<> {
      EXPECT_TRUE(co_await pair->first.write_all(pieces));
      EXPECT_TRUE(co_await pair->first.write_all(ConstBuffers()));
      pair->first.end();
    });
    std::string all;
    for (;;) {
      const auto text = co_await pair->second.read();
      if (!text || text->empty()) break;
      all += *text;
    }
    EXPECT_EQ(all, "head " + large + " tail");
  });
}

TEST_F(StreamsTest, PiecesThatAreCancelledInTheMiddleEndTheStream) {
  run([&]() -> Async<> {
    auto pair = UnixSocket::pair(loop);
    // More pieces than one call takes, and more bytes than the socket has room for.
    const std::string part(50'000, 'p');
    const std::vector<std::span<const std::byte>> pieces(100, fs::bytes_of(part));
    EXPECT_EQ(name_of(co_await with_timeout(20ms, pair->first.write_all(pieces))), "ETIMEDOUT");
    EXPECT_EQ(pair->first.buffered(), 0u);
    EXPECT_EQ(name_of(co_await pair->first.write_all("after")), "EPIPE");
  });
}

TEST_F(StreamsTest, PiecesThatAreCancelledBeforeTheyBeginLeaveNothing) {
  run([&]() -> Async<> {
    auto pair = UnixSocket::pair(loop);
    const std::vector<std::span<const std::byte>> pieces(3, fs::bytes_of("never"));
    std::stop_source source;
    std::string result;
    spawn(
        loop, [&]() -> Async<> { result = name_of(co_await pair->first.write_all(pieces)); },
        source.get_token());
    source.request_stop();
    EXPECT_TRUE(co_await pair->first.write_all("first"));
    EXPECT_EQ(result, "ECANCELED");
    EXPECT_EQ((co_await pair->second.read()).value(), "first");
  });
}

TEST_F(StreamsTest, ASocketGivesItsDescriptorAway) {
  run([&]() -> Async<> {
    auto pair = UnixSocket::pair(loop);
    Event closed;
    pair->first.on_close([&] { closed.set(); });
    EXPECT_TRUE(pair->first.write("unsent"));
    EXPECT_EQ(name_of(pair->first.release()), "EBUSY");
    EXPECT_EQ((co_await pair->second.read()).value(), "unsent");
    const int fd = pair->first.release().value();
    EXPECT_EQ(name_of(pair->first.release()), "EBADF");
    EXPECT_EQ(pair->first.fd(), -1);
    EXPECT_TRUE(co_await closed.wait());
    auto again = UnixSocket::adopt(loop, fd);
    EXPECT_TRUE(co_await again->write_all("still open"));
    EXPECT_EQ((co_await pair->second.read()).value(), "still open");
    EXPECT_EQ(name_of(UnixSocket().release()), "EBADF");
  });
}

TEST_F(StreamsTest, ASocketThatReadsGivesItsDescriptorAwayAfterAPause) {
  run([&]() -> Async<> {
    auto pair = UnixSocket::pair(loop);
    pair->first.on_data([](auto) {});
    co_await sleep_for(2ms);
    EXPECT_EQ(name_of(pair->first.release()), "EBUSY");
    pair->first.pause();
    co_await sleep_for(2ms);
    const auto fd = pair->first.release();
    EXPECT_TRUE(fd);
    if (fd) ::close(*fd);
    EXPECT_EQ((co_await pair->second.read()).value(), "");
  });
}

}  // namespace
}  // namespace rondo
