// Every operation of the loop, disturbed at every point of suspension (tests/stop_everywhere.h).
// What the documents promise of a cancelled operation is checked afterwards, on the same handles.
#include "stop_everywhere.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <csignal>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include <gmock/gmock.h>

#include "io/fs_fixture.h"
#include "io/net_fixture.h"
#include "io/test_name_server.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

using net_test::Peer;
using stop_everywhere::cancelled;
using stop_everywhere::Make;
using stop_everywhere::name_of;
using stop_everywhere::outcome;
using stop_everywhere::Sweep;
using stop_everywhere::Trial;

struct Case {
  const char* name;
  Make make;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

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

/// Does something every millisecond while the state exists, and keeps neither alive.
template <class State, class Do>
void every_ms(Loop& loop, const std::shared_ptr<State>& state, Do act) {
  loop.set_interval(1ms,
                    [weak = std::weak_ptr(state), act]() mutable {
                      if (const auto strong = weak.lock()) act(*strong);
                    })
      .unref();
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
  const auto read_all = [s, into_buffer]() -> Async<std::string> {
    std::array<std::byte, 9000> buffer;
    for (;;) {
      if (into_buffer) {
        const auto count = co_await s->socket.read_some(buffer);
        if (!count) co_return name_of(count);
        if (*count == 0) co_return "end";
        s->got.append(reinterpret_cast<const char*>(buffer.data()), *count);
      } else {
        const auto text = co_await s->socket.read();
        if (!text) co_return name_of(text);
        if (text->empty()) co_return "end";
        s->got += *text;
      }
    }
  };
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

// ---- Pipes and processes ------------------------------------------------------------------------

struct PipePair {
  explicit PipePair(Loop& loop) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    from = Pipe(loop, ends[0]);
    to = Pipe(loop, ends[1]);
  }
  Pipe from;
  Pipe to;
  std::string got;
};

Trial read_pipe(Loop& loop) {
  auto s = std::make_shared<PipePair>(loop);
  every_ms(loop, s, [sent = 0](PipePair& state) mutable {
    if (sent == 3) return;
    EXPECT_EQ(::write(state.to.fd(), "abc", 3), 3);
    if (++sent == 3) state.to.close();
  });
  const auto read_all = [s]() -> Async<std::string> {
    std::array<std::byte, 2> buffer;
    for (;;) {
      const auto count = co_await s->from.read(buffer);
      if (!count) co_return name_of(count);
      if (*count == 0) co_return "end";
      s->got.append(reinterpret_cast<const char*>(buffer.data()), *count);
    }
  };
  return {.body = read_all, .after = [s, read_all](const std::string&) -> Async<> {
            EXPECT_EQ(co_await read_all(), "end");
            EXPECT_EQ(s->got, "abcabcabc");
          }};
}

Trial read_all_of_pipe(Loop& loop) {
  auto s = std::make_shared<PipePair>(loop);
  every_ms(loop, s, [sent = 0](PipePair& state) mutable {
    if (sent == 3) return;
    EXPECT_EQ(::write(state.to.fd(), "abc", 3), 3);
    if (++sent == 3) state.to.close();
  });
  return {.body = [s] { return outcome(s->from.read_all(s->got, 1000)); },
          .after = [s](const std::string& said) -> Async<> {
            if (said != "ok") {
              EXPECT_TRUE(co_await s->from.read_all(s->got, 1000));
            }
            EXPECT_EQ(s->got, "abcabcabc");
          }};
}

Trial write_pipe(Loop& loop) {
  auto s = std::make_shared<PipePair>(loop);
  const auto text = std::make_shared<std::string>(pattern(100'000));
  ::fcntl(s->from.fd(), F_SETFL, O_NONBLOCK);
  every_ms(loop, s, [](PipePair& state) {
    if (!state.to.is_open()) return;  // it is read by an operation then
    std::string part(50'000, '\0');
    const ssize_t count = ::read(state.from.fd(), part.data(), part.size());
    if (count > 0) state.got.append(part, 0, static_cast<std::size_t>(count));
  });
  return {.body = [s, text] { return outcome(s->to.write(*text)); },
          .after = [s, text](const std::string& said) -> Async<> {
            s->to.close();
            EXPECT_TRUE(co_await s->from.read_all(s->got, 1U << 20));
            if (said == "ok") {
              EXPECT_EQ(s->got.size(), text->size());
            }
            EXPECT_TRUE(s->got == text->substr(0, s->got.size()));
          }};
}

struct Child {
  explicit Child(Loop& loop, SpawnOptions options) : process(*Process::spawn(loop, options)) {}
  Process process;
};
SpawnOptions killed(SpawnOptions options) {
  options.kill_on_destroy = true;
  return options;
}

Trial wait_for_child(Loop& loop) {
  auto s = std::make_shared<Child>(loop, killed(SpawnOptions("sleep", "0.004")));
  return {.body = [s] { return outcome(s->process.wait()); },
          .after = [s](const std::string&) -> Async<> {
            const auto status = co_await s->process.wait();
            EXPECT_TRUE(status);
            EXPECT_EQ(status->code, 0);  // stopping the wait leaves the child alone
          }};
}

Trial terminate_child(Loop& loop) {
  auto s = std::make_shared<Child>(
      loop, killed(SpawnOptions("sh", "-c",
                                "trap 'sleep 0.003; exit 3' TERM; while :; do sleep 0.001; done")));
  return {.body = [s]() -> Async<std::string> {
            const auto status = co_await s->process.terminate(10s);
            EXPECT_TRUE(status) << status.error();  // also when stopped: its end is waited for
            co_return "ended";
          },
          .after = [s](const std::string&) -> Async<> {
            EXPECT_FALSE(s->process.running());
            co_return;
          }};
}

Trial run_program(Loop& /*loop*/) {
  return {.body = []() -> Async<std::string> {
    auto options = RunOptions("cat").with_input(pattern(100'000));
    const auto ran = co_await run(std::move(options));
    if (ran) {
      EXPECT_TRUE(ran->out == pattern(100'000));
    }
    co_return name_of(ran);
  }};
}

// ---- Files --------------------------------------------------------------------------------------

struct Folder {
  Folder() {
    put(folder / "file", pattern(100'000));
    std::filesystem::create_directories(folder / "tree/a/b/c");
    put(folder / "tree/a/one", "1");
    put(folder / "tree/a/b/two", "2");
    ::mkfifo((folder / "fifo").c_str(), 0600);
  }
  TempFolder folder;
};

/// An operation that takes a folder, and what has to hold of the folder afterwards.
Make with_folder(std::function<Async<std::string>(Loop&, Folder&)> act,
                 std::function<void(Folder&, const std::string&)> check = nullptr,
                 bool endless = false) {
  return [act, check, endless](Loop& loop) -> Trial {
    auto s = std::make_shared<Folder>();
    return {.body = [s, act, &loop] { return act(loop, *s); },
            .after = [s, check](const std::string& said) -> Async<> {
              if (check) check(*s, said);
              co_return;
            },
            .endless = endless};
  };
}

Async<std::string> read_a_file(Loop& loop, Folder& in) {
  auto file = co_await fs::open(in.folder / "file");
  if (!file) co_return name_of(file);
  const auto text = co_await file->read_all();
  if (!text) co_return name_of(text);
  EXPECT_TRUE(*text == pattern(100'000));
  (void)loop;
  co_return name_of(co_await file->close());
}

Async<std::string> write_a_file(Loop& /*loop*/, Folder& in) {
  auto file = co_await fs::open(in.folder / "new", O_CREAT | O_WRONLY);
  if (!file) co_return name_of(file);
  const std::string text = pattern(60'000);
  if (const auto written = co_await file->write_all(text); !written) co_return name_of(written);
  if (const auto synced = co_await file->sync(); !synced) co_return name_of(synced);
  co_return name_of(co_await file->close());
}

Async<std::string> count_lines(Loop& /*loop*/, Folder& in) {
  auto file = co_await fs::open(in.folder / "file");
  if (!file) co_return name_of(file);
  auto lines = file->lines(1U << 20);
  std::size_t bytes = 0;
  for (;;) {
    const auto line = co_await lines.next();
    if (!line && line.error() == end_of_stream()) break;
    if (!line) co_return name_of(line);
    bytes += line->size();
  }
  EXPECT_GT(bytes, 90'000U);
  co_return "all";
}

// ---- Names --------------------------------------------------------------------------------------

Trial resolve(Loop& loop, const char* host, bool endless) {
  struct State {
    explicit State(Loop& loop) : resolver(loop, {.timeout = 10min}) {
      server.add("there.test", {{1, 60, testing_dns::ip(AF_INET, "10.1.2.3")}});
      server.add("truncated.test", {{1, 60, testing_dns::ip(AF_INET, "10.1.2.3")}});
      EXPECT_TRUE(resolver.set_servers({server.address()}));
    }
    testing_dns::NameServer server;
    dns::Resolver resolver;
  };
  auto s = std::make_shared<State>(loop);
  const std::string name = host;
  return {.body = [s, name] { return outcome(s->resolver.resolve4(name)); },
          .after = [s, name, endless](const std::string&) -> Async<> {
            if (!endless) {
              const auto again = co_await s->resolver.resolve4(name);
              EXPECT_TRUE(again);
            }
          },
          .endless = endless};
}

// ---- Channels, futures, loops -------------------------------------------------------------------

struct Pool {
  explicit Pool(std::size_t capacity) : channel(capacity) {}
  Channel<int> channel;
  std::vector<int> got;
  std::vector<int> sent;
};

Trial send_values(Loop& loop, std::size_t capacity) {
  auto s = std::make_shared<Pool>(capacity);
  every_ms(loop, s, [](Pool& state) {
    if (const auto value = state.channel.try_receive()) state.got.push_back(*value);
  });
  return {.body = [s]() -> Async<std::string> {
            for (int i = 0; i < 6; ++i) {
              const auto sent = co_await s->channel.send(i);
              if (!sent) co_return name_of(sent);
              s->sent.push_back(i);
            }
            co_return "all";
          },
          .after = [s](const std::string&) -> Async<> {
            s->channel.close();
            while (auto value = co_await s->channel.receive()) s->got.push_back(*value);
            EXPECT_EQ(s->got, s->sent);  // sent and not reported, or the reverse: neither
          }};
}

Trial receive_values(Loop& loop, std::size_t capacity) {
  auto s = std::make_shared<Pool>(capacity);
  every_ms(loop, s, [](Pool& state) {
    const int next = static_cast<int>(state.sent.size());
    if (next < 6 && state.channel.try_send(int(next))) state.sent.push_back(next);
    if (state.sent.size() == 6) state.channel.close();
  });
  const auto receive = [s]() -> Async<std::string> {
    for (;;) {
      const auto value = co_await s->channel.receive();
      if (!value && value.error() == end_of_stream()) co_return "end";
      if (!value) co_return name_of(value);
      s->got.push_back(*value);
    }
  };
  return {.body = receive, .after = [s, receive](const std::string&) -> Async<> {
            EXPECT_EQ(co_await receive(), "end");
            EXPECT_THAT(s->got, testing::ElementsAre(0, 1, 2, 3, 4, 5));
          }};
}

/// A loop on a thread of its own, until this goes.
struct OtherLoop {
  OtherLoop() {
    thread = std::thread([this] {
      Loop made;
      const KeepAlive alive = made.keep_alive();
      loop = &made;
      ready = true;
      ready.notify_one();
      made.run();
    });
    ready.wait(false);
  }
  OtherLoop(const OtherLoop&) = delete;
  OtherLoop& operator=(const OtherLoop&) = delete;
  ~OtherLoop() {
    loop->stop();
    thread.join();
  }
  std::atomic<bool> ready = false;
  Loop* loop = nullptr;
  std::thread thread;
};

Async<> send_to(Channel<int> channel, int count) {
  for (int i = 0; i < count; ++i) {
    if (!co_await channel.send(i)) co_return;
  }
  channel.close();
}

Trial receive_from_a_thread(Loop& /*loop*/) {
  struct State : Pool {
    State() : Pool(2) {
      other.loop->post(
          [loop = other.loop, channel = channel] { spawn(*loop, send_to(channel, 40)); });
    }
    ~State() { channel.close(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    OtherLoop other;
  };
  auto s = std::make_shared<State>();
  const auto receive = [s]() -> Async<std::string> {
    for (;;) {
      const auto value = co_await s->channel.receive();
      if (!value && value.error() == end_of_stream()) co_return "end";
      if (!value) co_return name_of(value);
      s->got.push_back(*value);
    }
  };
  return {.body = receive, .after = [s, receive](const std::string&) -> Async<> {
            EXPECT_EQ(co_await receive(), "end");
            EXPECT_EQ(s->got.size(), 40U);
            EXPECT_TRUE(std::ranges::is_sorted(s->got));
          }};
}

Trial on_another_loop(Loop& /*loop*/, bool endless) {
  struct Count {
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
  };
  auto count = std::make_shared<Count>();
  auto other = std::make_shared<OtherLoop>();
  const auto there = [](std::shared_ptr<Count> counted, bool forever) -> Async<Expected<int>> {
    const std::shared_ptr<void> end(nullptr, [counted](void*) { ++counted->ended; });
    ++counted->begun;
    const auto slept = co_await sleep_for(forever ? std::chrono::nanoseconds(1h) : 2ms);
    if (!slept) co_return std::unexpected(slept.error());
    co_return 7;
  };
  return {.body = [other, count, there,
                   endless] { return outcome(on(*other->loop, there(count, endless))); },
          .after = [count](const std::string&) -> Async<> {
            EXPECT_EQ(count->begun, count->ended) << "its end was not waited for";
            co_return;
          },
          .gone =
              [other, count] {
                // Nobody waits for it any more, so it is asked to stop.
                for (int i = 0; i < 5000 && count->begun != count->ended; ++i)
                  std::this_thread::sleep_for(1ms);
                EXPECT_EQ(count->begun, count->ended) << "it runs on for nobody";
              },
          .endless = endless};
}

Trial wait_for_future(Loop& loop) {
  struct State {
    std::optional<Promise<int>> promise{std::in_place};
    Future<int> future = promise->future();
    int ticks = 0;
  };
  auto s = std::make_shared<State>();
  every_ms(loop, s, [](State& state) {
    if (++state.ticks == 3) state.promise->set(7);
  });
  return {.body = [s] { return outcome(s->future.get()); },
          .after = [s](const std::string& said) -> Async<> {
            if (said != "ok") {
              EXPECT_EQ(co_await s->future.get(), 7);
            }
          }};
}

// ---- Coroutines that wait for each other --------------------------------------------------------

Trial wait_for_permits(Loop& loop) {
  struct State {
    Semaphore semaphore{2};
    std::vector<Semaphore::Permit> held;
    Mutex mutex;
    Event event;
  };
  auto s = std::make_shared<State>();
  s->held.push_back(*s->semaphore.try_acquire());
  s->held.push_back(*s->semaphore.try_acquire());
  every_ms(loop, s, [](State& state) {
    if (!state.held.empty()) {
      state.held.pop_back();
    } else {
      state.event.set();
    }
  });
  return {.body = [s]() -> Async<std::string> {
            // Another one waits as well, and is served whatever becomes of this one.
            const auto first = co_await s->semaphore.acquire();
            if (!first) co_return name_of(first);
            const auto second = co_await s->semaphore.acquire();
            if (!second) co_return name_of(second);
            const auto lock = co_await s->mutex.lock();
            if (!lock) co_return name_of(lock);
            EXPECT_TRUE(s->mutex.locked());
            co_return name_of(co_await s->event.wait());
          },
          .after = [s](const std::string&) -> Async<> {
            while (!s->held.empty()) co_await sleep_for(1ms);
            EXPECT_EQ(s->semaphore.available(), 2U);
            EXPECT_FALSE(s->mutex.locked());
            EXPECT_TRUE(co_await s->mutex.lock());
          }};
}

Async<Expected<>> nap(std::chrono::milliseconds time, int& running) {
  const std::shared_ptr<void> end((++running, nullptr), [&running](void*) { --running; });
  co_return co_await sleep_for(time);
}

Trial in_a_group(Loop& loop, int kind) {
  auto running = std::make_shared<int>(0);
  (void)loop;
  return {
      .body = [running, kind]() -> Async<std::string> {
        int& count = *running;
        std::string said;
        switch (kind) {
          case 0: {
            const auto done =
                co_await with_task_group({.limit = 2}, [&](TaskGroup& group) -> Async<Expected<>> {
                  for (int i = 0; i < 5; ++i) {
                    if (const auto room = co_await group.room(); !room) co_return room;
                    group.spawn(nap(1ms, count));
                  }
                  co_return Expected<>();
                });
            said = name_of(done);
            break;
          }
          case 1: {
            const auto all = co_await when_all(nap(1ms, count), nap(3ms, count), sleep_for(2ms));
            said =
                name_of(std::get<0>(all)) + name_of(std::get<1>(all)) + name_of(std::get<2>(all));
            break;
          }
          case 2: {
            const auto first = co_await when_any(nap(2ms, count), nap(1h, count));
            said = name_of(first.value);
            break;
          }
          case 3: {
            const auto timed = co_await with_timeout(1h, nap(2ms, count));
            said = name_of(timed);
            break;
          }
          case 4: {
            const auto shielded = co_await shield(nap(2ms, count));
            EXPECT_TRUE(shielded);
            said = "shielded";
            break;
          }
          case 5: {
            int attempts = 0;
            const auto tried = co_await retry(
                {.attempts = 4, .delay = 1ms, .jitter = 0}, [&]() -> Async<Expected<>> {
                  if (const auto slept = co_await nap(1ms, count); !slept) {
                    co_return slept;
                  }
                  if (++attempts < 3) co_return std::unexpected(errno_code(EIO));
                  co_return Expected<>();
                });
            said = name_of(tried);
            break;
          }
          case 6: {
            TaskGroup group(co_await current_loop());
            group.spawn(nap(2ms, count));
            group.spawn(nap(1ms, count));
            const auto joined = co_await group.join();
            EXPECT_EQ(group.running(), 0U);
            said = name_of(joined);
            break;
          }
          default:
            break;
        }
        EXPECT_EQ(count, 0) << "something runs on unseen";
        co_return said;
      },
      .after = [running](const std::string&) -> Async<> {
        EXPECT_EQ(*running, 0);
        co_return;
      }};
}

Trial wait_for_a_signal(Loop& /*loop*/) {
  return {.body = []() -> Async<std::string> {
            EXPECT_NE(::signal(SIGUSR2, SIG_IGN), SIG_ERR);
            co_return name_of(co_await wait_signal(SIGUSR2, SIGUSR1));
          },
          .after = [](const std::string&) -> Async<> {
            co_await when_all(
                [](auto waiting) -> Async<> {
                  EXPECT_EQ(co_await std::move(waiting), SIGUSR2);
                }(wait_signal(SIGUSR2)),
                []() -> Async<> {
                  co_await sleep_for(1ms);
                  ::raise(SIGUSR2);
                }());
          },
          .endless = true};
}

const Case kCases[] = {
    {"sleep",
     [](Loop&) -> Trial {
       return {.body = [] { return outcome(sleep_for(1h)); }, .endless = true};
     }},
    {"short_sleep",
     [](Loop&) -> Trial { return {.body = [] { return outcome(sleep_for(1500us)); }}; }},
    {"sleep_until",
     [](Loop&) -> Trial {
       return {.body = [] { return outcome(sleep_until(std::chrono::steady_clock::now() + 3ms)); }};
     }},
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
    {"pipe_read", read_pipe},
    {"pipe_read_all", read_all_of_pipe},
    {"pipe_write", write_pipe},
    {"process_wait", wait_for_child},
    {"process_terminate", terminate_child},
    {"run", run_program},
    {"file_read_all", with_folder(read_a_file)},
    {"file_write_all", with_folder(write_a_file,
                                   [](Folder& in, const std::string& said) {
                                     const std::string got = content_of(in.folder / "new");
                                     if (said == "ok") {
                                       EXPECT_EQ(got.size(), 60'000U);
                                     }
                                     EXPECT_TRUE(got == pattern(60'000).substr(0, got.size()));
                                   })},
    {"file_lines", with_folder(count_lines)},
    {"read_file",
     with_folder([](Loop&, Folder& in) { return outcome(fs::read_file(in.folder / "file")); })},
    {"read_file_of_a_fifo",
     with_folder([](Loop&, Folder& in) { return outcome(fs::read_file(in.folder / "fifo")); },
                 nullptr, true)},
    {"open_of_a_fifo",
     with_folder([](Loop&, Folder& in) { return outcome(fs::open(in.folder / "fifo", O_WRONLY)); },
                 nullptr, true)},
    {"write_file", with_folder([](Loop&, Folder& in) {
       return outcome(fs::write_file(in.folder / "file", pattern(150'000)));
     })},
    {"write_file_atomic",
     with_folder(
         [](Loop&, Folder& in) {
           return outcome(fs::write_file(in.folder / "file", std::string("new"), {.atomic = true}));
         },
         [](Folder& in, const std::string& said) {
           const std::string got = content_of(in.folder / "file");
           EXPECT_TRUE(got == "new" || (said != "ok" && got == pattern(100'000))) << got.size();
           std::size_t entries = 0;
           for ([[maybe_unused]] const auto& one :
                std::filesystem::directory_iterator(in.folder.path()))
             ++entries;
           EXPECT_EQ(entries, 3U) << "a temporary file is left";
         })},
    {"append_file", with_folder(
                        [](Loop&, Folder& in) {
                          return outcome(fs::append_file(in.folder / "file", std::string("more")));
                        },
                        [](Folder& in, const std::string& said) {
                          const auto size = content_of(in.folder / "file").size();
                          EXPECT_TRUE(size == 100'004U || (said != "ok" && size == 100'000U))
                              << size;
                        })},
    {"copy_file", with_folder([](Loop&, Folder& in) {
       return outcome(fs::copy_file(in.folder / "file", in.folder / "copy"));
     })},
    {"readdir",
     with_folder([](Loop&, Folder& in) { return outcome(fs::readdir(in.folder.path())); })},
    {"mkdir", with_folder([](Loop&, Folder& in) {
       return outcome(fs::mkdir(in.folder / "x/y/z", {.recursive = true}));
     })},
    {"rm",
     with_folder(
         [](Loop&, Folder& in) { return outcome(fs::rm(in.folder / "tree", {.recursive = true})); },
         [](Folder& in, const std::string& said) {
           if (said == "ok") {
             EXPECT_FALSE(std::filesystem::exists(in.folder / "tree"));
           }
         })},
    {"rename", with_folder(
                   [](Loop&, Folder& in) {
                     return outcome(fs::rename(in.folder / "file", in.folder / "new"));
                   },
                   [](Folder& in, const std::string& said) {
                     const bool moved = std::filesystem::exists(in.folder / "new");
                     EXPECT_NE(moved, std::filesystem::exists(in.folder / "file"));
                     if (said == "ok") {
                       EXPECT_TRUE(moved);
                     }
                   })},
    {"stat", with_folder([](Loop&, Folder& in) { return outcome(fs::stat(in.folder / "file")); })},
    {"watch", with_folder([](Loop& loop, Folder& in) -> Async<std::string> {
       fs::FsWatcher watcher(loop, [](const fs::FsEvent&) {});
       co_return name_of(co_await watcher.add(in.folder.path()));
     })},
    {"lookup",
     [](Loop&) -> Trial { return {.body = [] { return outcome(dns::lookup("localhost")); }}; }},
    {"lookup_all",
     [](Loop&) -> Trial { return {.body = [] { return outcome(dns::lookup_all("localhost")); }}; }},
    {"lookup_service",
     [](Loop&) -> Trial {
       return {.body = [] { return outcome(dns::lookup_service("127.0.0.1", 22)); }};
     }},
    {"resolve", [](Loop& loop) { return resolve(loop, "there.test", false); }},
    {"resolve_by_tcp", [](Loop& loop) { return resolve(loop, "truncated.test", false); }},
    {"resolve_of_silence", [](Loop& loop) { return resolve(loop, "silent.test", true); }},
    {"work",
     [](Loop&) -> Trial {
       return {.body = [] { return outcome(work([] { std::this_thread::sleep_for(500us); })); }};
     }},
    {"signal", wait_for_a_signal},
    {"send", [](Loop& loop) { return send_values(loop, 2); }},
    {"send_by_hand", [](Loop& loop) { return send_values(loop, 0); }},
    {"channel_receive", [](Loop& loop) { return receive_values(loop, 2); }},
    {"channel_receive_by_hand", [](Loop& loop) { return receive_values(loop, 0); }},
    {"channel_between_threads", receive_from_a_thread},
    {"on", [](Loop& loop) { return on_another_loop(loop, false); }},
    {"on_endless", [](Loop& loop) { return on_another_loop(loop, true); }},
    {"future", wait_for_future},
    {"semaphore_mutex_event", wait_for_permits},
    {"task_group", [](Loop& loop) { return in_a_group(loop, 0); }},
    {"when_all", [](Loop& loop) { return in_a_group(loop, 1); }},
    {"when_any", [](Loop& loop) { return in_a_group(loop, 2); }},
    {"with_timeout", [](Loop& loop) { return in_a_group(loop, 3); }},
    {"shield", [](Loop& loop) { return in_a_group(loop, 4); }},
    {"retry", [](Loop& loop) { return in_a_group(loop, 5); }},
    {"join", [](Loop& loop) { return in_a_group(loop, 6); }},
};

class StopEverywhere : public testing::TestWithParam<Case> {};

TEST_P(StopEverywhere, EndsOnceLeaksNothingAndLosesNothing) {
  Sweep(GetParam().name, GetParam().make).run();
}

INSTANTIATE_TEST_SUITE_P(Operations, StopEverywhere, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace rondo
