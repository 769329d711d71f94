// Sockets, datagrams and buffered reading and writing, disturbed at every point of suspension
// (tests/stop_everywhere.h). What the documents promise of a cancelled operation is checked
// afterwards, on the same handles.
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rondo/rondo.h"

#include "io/fs_fixture.h"
#include "io/net_fixture.h"
#include "stop_everywhere.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using namespace stop_everywhere;

using net_test::Peer;

/// A connected pair: ours, and one that tests use blocking.
std::pair<TcpSocket, Peer> connected(Loop& loop, ListenOptions options = {}) {
  TcpServer server(loop);
  TcpSocket accepted;
  server.on_connection([&](TcpSocket socket) { accepted = std::move(socket); });
  EXPECT_TRUE(server.listen(SocketAddress::loopback(0), options));
  Peer peer(server.address());
  while (!accepted) loop.run_once();
  server.close();
  return {std::move(accepted), std::move(peer)};
}

struct SocketPair {
  explicit SocketPair(Loop& loop, ListenOptions options = {}) {
    auto both = connected(loop, options);
    socket = std::move(both.first);
    peer = std::move(both.second);
    const int few = 32 << 10;  // what is large here does not fit into the kernel
    EXPECT_EQ(::setsockopt(socket.fd(), SOL_SOCKET, SO_SNDBUF, &few, sizeof(few)), 0);
    EXPECT_EQ(::setsockopt(peer.fd(), SOL_SOCKET, SO_RCVBUF, &few, sizeof(few)), 0);
  }
  /// Takes what the peer has received.
  void drain() {
    if (ended || !peer.readable()) return;
    const std::string part = peer.receive(256U << 10);
    ended = part.empty();
    received += part;
  }
  Async<> drained() {
    while (!ended) co_await sleep_for(1ms);
  }
  TcpSocket socket;
  Peer peer;
  std::string got;
  std::string received;  // by the peer
  bool ended = false;
};

Trial read_socket(Loop& loop, bool into_buffer) {
  auto s = std::make_shared<SocketPair>(loop);
  s->peer.make_room();
  s->peer.send(pattern(80'000));
  s->peer.shut();
  const auto read_all = [s, into_buffer] { return read_to_end(s->socket, s->got, into_buffer); };
  return {.body = read_all, .after = [s, read_all](const std::string& said) -> Async<> {
            if (said != "end") {
              EXPECT_EQ(co_await read_all(), "end");
            }
            EXPECT_TRUE(s->got == pattern(80'000)) << s->got.size();
          }};
}

Trial write_socket(Loop& loop, std::size_t size, bool in_pieces) {
  struct State : SocketPair {
    State(Loop& on, std::size_t bytes) : SocketPair(on), text(pattern(bytes)) {
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::size_t each = text.size() / pieces.size();
        const std::size_t size = i + 1 < pieces.size() ? each : text.size() - 2 * each;
        pieces[i] = std::as_bytes(std::span(text)).subspan(i * each, size);
      }
    }
    std::string text;
    std::array<std::span<const std::byte>, 3> pieces;
  };
  auto s = std::make_shared<State>(loop, size);
  every_ms(loop, s, [](State& state) { state.drain(); });
  return {.body =
              [s, in_pieces] {
                return in_pieces ? outcome(s->socket.write_all(s->pieces))
                                 : outcome(s->socket.write_all(s->text));
              },
          .after = [s](const std::string& said) -> Async<> {
            const auto tail = s->socket.write("tail");
            tail ? s->socket.end() : s->socket.destroy();
            co_await s->drained();
            const std::string& got = s->received;
            if (said == "ok") {
              EXPECT_TRUE(tail);
              EXPECT_TRUE(got == s->text + "tail") << got.size();
            } else if (tail) {
              EXPECT_EQ(got, "tail") << "a part has gone, and something has followed it";
            } else {
              EXPECT_EQ(tail.error(), errno_code(EPIPE));
              EXPECT_TRUE(got == s->text.substr(0, got.size())) << got.size();
            }
          }};
}

Trial accept_one(Loop& loop) {
  struct State {
    explicit State(Loop& loop) : server(loop) {
      EXPECT_TRUE(server.listen(SocketAddress::loopback(0)));
    }
    TcpServer server;
    Peer peer;
    TcpSocket socket;
  };
  auto s = std::make_shared<State>(loop);
  every_ms(loop, s, [](State& state) {
    if (state.peer.fd() >= 0) return;
    state.peer = Peer(state.server.address());
    state.peer.send("hello");
  });
  const auto accept = [s]() -> Async<std::string> {
    auto socket = co_await s->server.accept();
    if (socket) s->socket = *socket;
    co_return name_of(socket);
  };
  return {.body = accept, .after = [s, accept](const std::string& said) -> Async<> {
            if (said != "ok") {
              EXPECT_EQ(co_await accept(), "ok");
            }
            EXPECT_EQ(co_await s->socket.read(), "hello");
          }};
}

Trial connect_one(Loop& loop, std::vector<SocketAddress> first, bool unix_socket) {
  struct State {
    explicit State(Loop& on) : loop(on), tcp(on), local(on) {}
    Loop& loop;
    TempFolder folder;
    TcpServer tcp;
    UnixServer local;
    int accepted = 0;
    int ended = 0;
    StreamSocket socket;
  };
  auto s = std::make_shared<State>(loop);
  const auto count = [s = s.get()](auto socket) {
    ++s->accepted;
    socket.on_data([socket](auto) {});
    socket.on_error([](std::error_code) {});
    socket.on_close([s] { ++s->ended; });
  };
  s->tcp.on_connection(count);
  s->local.on_connection(count);
  const SocketAddress path = *SocketAddress::unix_path(s->folder / "socket");
  EXPECT_TRUE(s->tcp.listen(SocketAddress::loopback(0)));
  EXPECT_TRUE(s->local.listen(path));
  first.push_back(s->tcp.address());
  return {.body = [s, first, path, unix_socket]() -> Async<std::string> {
            if (unix_socket) {
              auto socket = co_await UnixSocket::connect(path);
              if (socket) s->socket = *socket;
              co_return name_of(socket);
            }
            auto socket = co_await TcpSocket::connect(AddressList(first));
            if (socket) s->socket = *socket;
            co_return name_of(socket);
          },
          .after = [s](const std::string& said) -> Async<> {
            if (said == "ok") {
              while (s->accepted == 0) co_await sleep_for(1ms);
              EXPECT_TRUE(s->socket.write("x"));
              s->socket.end();
            }
            // A connection that the kernel had made before it was cancelled is closed, not kept.
            co_await sleep_for(1ms);
            while (s->ended < s->accepted) co_await sleep_for(1ms);
            s->tcp.close();
            s->local.close();
          }};
}

Trial receive_datagrams(Loop& loop) {
  struct State {
    explicit State(Loop& loop) : socket(loop), sender(loop) {
      EXPECT_TRUE(socket.bind(SocketAddress::loopback(0)));
    }
    UdpSocket socket;
    UdpSocket sender;
    int sent = 0;
    std::string got;
  };
  auto s = std::make_shared<State>(loop);
  every_ms(loop, s, [](State& state) {
    if (state.sent == 3) return;
    EXPECT_TRUE(state.sender.send_to(state.socket.local_address(), std::to_string(state.sent++)));
  });
  const auto receive = [s]() -> Async<std::string> {
    std::array<std::byte, 100> buffer;
    while (s->got.size() < 3) {
      const auto one = co_await s->socket.receive(buffer);
      if (!one) co_return name_of(one);
      s->got.append(reinterpret_cast<const char*>(buffer.data()), one->size);
    }
    co_return "all";
  };
  return {.body = receive, .after = [s, receive](const std::string&) -> Async<> {
            EXPECT_EQ(co_await receive(), "all");
            EXPECT_EQ(s->got, "012");
            s->socket.close();
            s->sender.close();
          }};
}

// ---- Buffers ------------------------------------------------------------------------------------

/// A reader of a socket whose peer has sent the text, in two parts.
struct ReaderState : SocketPair {
  ReaderState(Loop& loop, std::string what)
      : SocketPair(loop), text(std::move(what)), reader(socket, 64) {
    peer.make_room();
    peer.send(text.substr(0, text.size() / 2));
  }
  void send_the_rest() {
    if (std::exchange(sent, true)) return;
    peer.send(text.substr(text.size() / 2));
    peer.shut();
  }
  std::string text;
  BufferedReader<TcpSocket&> reader;
  bool sent = false;
};

std::string many_lines() {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += std::string(static_cast<std::size_t>(i * 7 % 90), 'x') + "\n";
  return text;
}

enum class ReadBy { line, delimiter, length };

Trial read_buffered(Loop& loop, ReadBy by) {
  auto s = std::make_shared<ReaderState>(loop, many_lines());
  every_ms(loop, s, [](ReaderState& state) { state.send_the_rest(); });
  const auto read_all = [s, by]() -> Async<std::string> {
    for (;;) {
      Expected<std::string_view> part;
      switch (by) {
        case ReadBy::line:
          part = co_await s->reader.read_line();
          break;
        case ReadBy::delimiter:
          part = co_await s->reader.read_until("x\n");
          break;
        case ReadBy::length:
          part = co_await s->reader.read_exactly(100);
          break;
      }
      if (!part && part.error() == end_of_stream()) co_return "end";
      if (!part) co_return name_of(part);
      s->got += *part;
      if (by == ReadBy::line) s->got += '\n';
      if (by == ReadBy::delimiter) s->got += "x\n";
    }
  };
  return {.body = read_all, .after = [s, read_all](const std::string& said) -> Async<> {
            if (said != "end") {
              EXPECT_EQ(co_await read_all(), "end");
            }
            const auto rest = s->reader.buffered();
            s->got.append(reinterpret_cast<const char*>(rest.data()), rest.size());
            EXPECT_EQ(s->got, s->text);
          }};
}

Trial read_exactly_into(Loop& loop) {
  auto s = std::make_shared<ReaderState>(loop, pattern(3000));
  every_ms(loop, s, [](ReaderState& state) { state.send_the_rest(); });
  const auto read_all = [s]() -> Async<std::string> {
    std::array<std::byte, 500> buffer;
    while (s->got.size() < 3000) {
      const auto read = co_await s->reader.read_exactly(std::span<std::byte>(buffer));
      if (!read) co_return name_of(read);
      s->got.append(reinterpret_cast<const char*>(buffer.data()), buffer.size());
    }
    co_return "end";
  };
  return {.body = read_all, .after = [s](const std::string& said) -> Async<> {
            if (said == "end") {
              EXPECT_TRUE(s->got == s->text);
            } else {
              // Where it stands is not known, but the stream is usable.
              for (auto part = co_await s->socket.read(); part && !part->empty();
                   part = co_await s->socket.read()) {
              }
              EXPECT_TRUE(s->got == s->text.substr(0, s->got.size()));
            }
          }};
}

Trial write_buffered(Loop& loop) {
  struct State : SocketPair {
    explicit State(Loop& loop) : SocketPair(loop), writer(socket, 100) {}
    BufferedWriter<TcpSocket&> writer;
    std::string given;
  };
  auto s = std::make_shared<State>(loop);
  every_ms(loop, s, [](State& state) { state.drain(); });
  return {.body = [s]() -> Async<std::string> {
            for (int i = 0; i < 40; ++i) {
              const std::string part = pattern(static_cast<std::size_t>(i * 7 % 190));
              const auto written = co_await s->writer.write(part);
              if (!written) co_return name_of(written);
              s->given += part;
            }
            co_return name_of(co_await s->writer.flush());
          },
          .after = [s](const std::string& said) -> Async<> {
            s->socket.end();
            co_await s->drained();
            const std::string& got = s->received;
            if (said == "ok") {
              EXPECT_TRUE(got == s->given);
            } else {
              EXPECT_TRUE(got.substr(0, s->given.size()) == s->given.substr(0, got.size()));
            }
          }};
}

Trial copy_to_file(Loop& loop) {
  struct State : SocketPair {
    explicit State(Loop& loop)
        : SocketPair(loop),
          file(loop, ::open((folder / "to").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {}
    TempFolder folder;
    fs::File file;
  };
  auto s = std::make_shared<State>(loop);
  s->peer.make_room();
  s->peer.send(pattern(200'000));
  s->peer.shut();
  return {.body = [s]() -> Async<std::string> { return outcome(copy(s->socket, s->file)); },
          .after = [s](const std::string& said) -> Async<> {
            const std::string got = content_of(s->folder / "to");
            if (said == "ok") {
              EXPECT_EQ(got.size(), 200'000U);
            }
            EXPECT_TRUE(got == pattern(200'000).substr(0, got.size()));
            EXPECT_TRUE(s->file.is_open());
            co_return;
          }};
}

const Case kCases[] = {
    {"read", [](Loop& loop) { return read_socket(loop, false); }},
    {"read_some", [](Loop& loop) { return read_socket(loop, true); }},
    {"write_all_of_little", [](Loop& loop) { return write_socket(loop, 100, false); }},
    {"write_all", [](Loop& loop) { return write_socket(loop, 250'000, false); }},
    {"write_all_of_pieces", [](Loop& loop) { return write_socket(loop, 250'000, true); }},
    {"accept", accept_one},
    {"connect", [](Loop& loop) { return connect_one(loop, {}, false); }},
    {"connect_after_failures",
     [](Loop& loop) {
       static const DeadPort dead;
       return connect_one(loop, {dead.address, dead.address}, false);
     }},
    {"connect_unix", [](Loop& loop) { return connect_one(loop, {}, true); }},
    {"receive", receive_datagrams},
    {"read_line", [](Loop& loop) { return read_buffered(loop, ReadBy::line); }},
    {"read_until", [](Loop& loop) { return read_buffered(loop, ReadBy::delimiter); }},
    {"read_exactly", [](Loop& loop) { return read_buffered(loop, ReadBy::length); }},
    {"read_exactly_into", read_exactly_into},
    {"buffered_write", write_buffered},
    {"copy", copy_to_file},
};

class StopSockets : public testing::TestWithParam<Case> {};

TEST_P(StopSockets, EndsOnceLeaksNothingAndLosesNothing) {
  Sweep(GetParam()).run();
}

INSTANTIATE_TEST_SUITE_P(Operations, StopSockets, testing::ValuesIn(kCases), case_name);

}  // namespace
}  // namespace rondo
