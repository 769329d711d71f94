// Unix sockets: names, and descriptors that are passed.
#include <array>
#include <fstream>
#include <thread>

#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

class UnixTest : public NetTest {
 protected:
  static std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
  }
  /// The text of a file through a descriptor, from its beginning.
  static std::string contents(int fd) {
    std::string text(100, '\0');
    const ssize_t count = ::pread(fd, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  }
  Descriptor file(const std::string& name, std::string_view text) {
    const auto path = folder.path / name;
    std::ofstream(path) << text;
    return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }

  /// A connected pair: ours, and theirs.
  std::pair<UnixSocket, Peer> pair_with_peer() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, std::data(ends)), 0);
    Peer peer(ends[0]);
    peer.make_room();
    return {*UnixSocket::adopt(loop, ends[1]), std::move(peer)};
  }

  TemporaryFolder folder;
};

TEST_F(UnixTest, ConnectsByPath) {
  const auto address = *SocketAddress::unix_path((folder.path / "socket").string());
  UnixServer server(loop);
  std::string got;
  server.on_connection([&](UnixSocket socket) {
    socket.on_data([&, socket](auto data) mutable {
      got = to_string(data);
      socket.end("bye");
    });
  });
  ASSERT_TRUE(server.listen(address));
  EXPECT_EQ(server.address(), address);
  std::string answer;
  UnixSocket client;
  UnixSocket::connect(address).then(loop, [&](Expected<UnixSocket> socket) {
    ASSERT_TRUE(socket);
    client = *socket;
    client.on_data([&](auto data) { answer += to_string(data); });
    ASSERT_TRUE(client.write("hi"));
  });
  run_until([&] { return answer == "bye"; });
  EXPECT_EQ(got, "hi");
  server.close();
  EXPECT_FALSE(std::filesystem::exists(folder.path / "socket"));  // ours, so we removed it
  loop.run();
}

TEST_F(UnixTest, ConnectsByAbstractName) {
  const std::string name = std::string("\0rondo-test-", 12) + std::to_string(::getpid());
  const auto address = *SocketAddress::unix_path(name);
  UnixServer server(loop);
  int count = 0;
  server.on_connection([&](UnixSocket) { ++count; });
  ASSERT_TRUE(server.listen(address));
  bool connected = false;
  UnixSocket::connect(address).then(
      loop, [&](Expected<UnixSocket> socket) { connected = socket.has_value(); });
  run_until([&] { return connected && count == 1; });
}

TEST_F(UnixTest, AStalePathIsInUseAndANewFileIsNotRemoved) {
  const std::string path = (folder.path / "stale").string();
  const auto address = *SocketAddress::unix_path(path);
  {
    const Descriptor crashed(::socket(AF_UNIX, SOCK_STREAM, 0));
    ASSERT_EQ(::bind(crashed.get(), address.native(), address.native_size()), 0);
  }
  UnixServer server(loop);
  EXPECT_EQ(error_name(server.listen(address).error()), "EADDRINUSE");
  EXPECT_TRUE(std::filesystem::exists(path));

  std::string refused;
  UnixSocket::connect(address).then(loop, [&](Expected<UnixSocket> socket) {
    EXPECT_EQ(loop.phase(), Phase::pending);
    refused = error_name(socket.error());
  });
  run_until([&] { return !refused.empty(); });
  EXPECT_EQ(refused, "ECONNREFUSED");

  ASSERT_EQ(::unlink(path.c_str()), 0);
  ASSERT_TRUE(server.listen(address));
  ASSERT_EQ(::unlink(path.c_str()), 0);
  std::ofstream(path) << "somebody else's";
  server.close();
  loop.run();
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(UnixTest, ErrorsOfConnecting) {
  std::vector<std::string> errors;
  const auto note = [&](Expected<UnixSocket> socket) {
    errors.emplace_back(error_name(socket.error()));
  };
  UnixSocket::connect(*SocketAddress::unix_path((folder.path / "nobody").string()))
      .then(loop, note);
  run_until([&] { return errors.size() == 1; });
  UnixSocket::connect(SocketAddress()).then(loop, note);
  run_until([&] { return errors.size() == 2; });
  EXPECT_EQ(errors, (std::vector<std::string>{"ENOENT", "EINVAL"}));
  UnixServer server(loop);
  EXPECT_EQ(error_name(server.listen(SocketAddress::loopback(0)).error()), "EINVAL");
  EXPECT_EQ(
      error_name(server.listen(*SocketAddress::unix_path((folder.path / "no" / "folder").string()))
                     .error()),
      "ENOENT");
}

TEST_F(UnixTest, APairIsConnected) {
  auto pair = *UnixSocket::pair(loop);
  const std::string text = pattern(1 << 20);
  std::string got;
  pair.second.on_data([&](auto data) { got += to_string(data); });
  ASSERT_TRUE(pair.first.write(text));
  pair.first.end();
  run_until([&] { return pair.second.closed(); });
  EXPECT_TRUE(got == text);
}

TEST_F(UnixTest, DescriptorsArePassedWithTheirBytes) {
  auto pair = *UnixSocket::pair(loop, {.max_descriptors = 4});
  const std::size_t before = open_descriptors();
  std::vector<std::string> got;
  std::string text;
  pair.second.on_descriptors([&](std::span<const int> fds) {
    EXPECT_LT(text.size(), 6U);  // not after the first byte they came with
    for (const int fd : fds) {
      EXPECT_NE(::fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
      got.push_back(contents(fd));
      ::close(fd);
    }
  });
  pair.second.on_data([&](auto data) { text += to_string(data); });
  {
    const Descriptor a = file("a", "A");
    const Descriptor b = file("b", "B");
    ASSERT_TRUE(pair.first.write("plain"));
    const int fds[] = {a.get(), b.get()};
    ASSERT_TRUE(pair.first.write_descriptors(bytes("two"), fds));
    // Ours may be closed at once: a copy is on its way.
  }
  run_until([&] { return text == "plaintwo"; });
  EXPECT_EQ(got, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(UnixTest, TheNumberOfDescriptorsIsBounded) {
  auto generous = *UnixSocket::pair(loop, {.max_descriptors = 8});
  const Descriptor a = file("a", "A");
  const std::vector<int> nine(9, a.get());
  const auto send = [&](std::size_t count) {
    return generous.first.write_descriptors(bytes("x"), std::span(nine).first(count));
  };
  EXPECT_EQ(error_name(send(9).error()), "EMSGSIZE");
  const int bad[] = {12345};
  EXPECT_EQ(error_name(generous.first.write_descriptors(bytes("x"), bad).error()), "EBADF");
  EXPECT_EQ(error_name(generous.first.write_descriptors({}, nine).error()), "EINVAL");

  auto none = *UnixSocket::pair(loop);
  EXPECT_EQ(error_name(none.first.write_descriptors(bytes("x"), bad).error()), "EMSGSIZE");
}

TEST_F(UnixTest, APeerThatPassesTooManyIsCutOffAndNothingLeaks) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, std::data(ends)), 0);
  const Peer peer(ends[0]);
  UnixSocket ours = *UnixSocket::adopt(loop, ends[1], {.max_descriptors = 2});
  ours.on_data([](auto) {});
  ours.on_descriptors([](std::span<const int> fds) {
    for (const int fd : fds) ::close(fd);
    ADD_FAILURE() << "a part of what was passed";
  });
  std::string error;
  ours.on_error([&](std::error_code code) { error = error_name(code); });
  const Descriptor a = file("a", "A");
  const std::size_t before = open_descriptors();

  char byte = 'x';
  iovec piece{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(5 * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(5 * sizeof(int));
  for (int i = 0; i < 5; ++i) {
    const int fd = a.get();
    std::memcpy(CMSG_DATA(header) + static_cast<std::size_t>(i) * sizeof(int), &fd, sizeof(fd));
  }
  ASSERT_EQ(::sendmsg(peer.fd(), &message, 0), 1);
  run_until([&] { return ours.closed(); });
  EXPECT_EQ(error, "EMSGSIZE");
  EXPECT_EQ(open_descriptors(), before - 1);  // ours is closed, and nothing was left
}

TEST_F(UnixTest, AServerWithAFullBacklogAnswersAtOnce) {
  const auto address = *SocketAddress::unix_path((folder.path / "busy").string());
  const Descriptor server(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(server.get(), address.native(), address.native_size()), 0);
  ASSERT_EQ(::listen(server.get(), 0), 0);
  const Peer first(address);  // all there is room for
  std::string error;
  UnixSocket::connect(address).then(loop, [&](Expected<UnixSocket> socket) {
    EXPECT_EQ(loop.phase(), Phase::pending);
    error = socket ? "none" : error_name(socket.error());
  });
  run_until([&] { return !error.empty(); });
  EXPECT_EQ(error, "EAGAIN");
}

TEST_F(UnixTest, DescriptorsNobodyWantsAreClosed) {
  auto pair = *UnixSocket::pair(loop, {.max_descriptors = 1});
  const Descriptor a = file("a", "A");
  std::string got;
  pair.second.on_data([&](auto data) { got += to_string(data); });
  const std::size_t before = open_descriptors();
  const int fds[] = {a.get()};
  ASSERT_TRUE(pair.first.write_descriptors(bytes("x"), fds));
  EXPECT_EQ(open_descriptors(), before + 1);
  run_until([&] { return got == "x"; });
  EXPECT_EQ(open_descriptors(), before);
  // And those that were never sent.
  ASSERT_TRUE(pair.first.write_descriptors(bytes("x"), fds));
  pair.first.destroy();
  run_until([&] { return pair.second.closed(); });
  loop.run();
  EXPECT_EQ(open_descriptors(), before - 2);
}

TEST_F(UnixTest, AReadStoppedByTheCallbackForDescriptorsLosesNothing) {
  auto pair = *UnixSocket::pair(loop, {.max_descriptors = 1});
  std::stop_source stop;
  pair.second.on_descriptors([&](std::span<const int> fds) {
    ::close(fds[0]);
    stop.request_stop();
  });
  std::string outcome;
  std::vector<std::byte> buffer(16);
  pair.second.read_some(buffer).then(
      loop,
      [&](Expected<std::size_t> count) { outcome = count ? "read" : error_name(count.error()); },
      stop.get_token());
  const Descriptor a = file("a", "A");
  const int fds[] = {a.get()};
  ASSERT_TRUE(pair.first.write_descriptors(bytes("text"), fds));
  run_until([&] { return !outcome.empty(); });
  EXPECT_EQ(outcome, "ECANCELED");
  std::string got;
  pair.second.on_data([&](auto data) { got += to_string(data); });
  run_until([&] { return got == "text"; });
}

TEST_F(UnixTest, AnExceptionOfTheCallbackForDescriptorsLosesNoData) {
  auto pair = *UnixSocket::pair(loop, {.max_descriptors = 1});
  pair.second.on_descriptors([&](std::span<const int> fds) {
    ::close(fds[0]);
    throw std::runtime_error("descriptors");
  });
  std::string got;
  pair.second.on_data([&](auto data) { got += to_string(data); });
  const Descriptor a = file("a", "A");
  const int fds[] = {a.get()};
  ASSERT_TRUE(pair.first.write_descriptors(bytes("text"), fds));
  int caught = 0;
  while (got != "text") {
    try {
      loop.run_once();
    } catch (const std::runtime_error&) {
      ++caught;
    }
  }
  EXPECT_EQ(caught, 1);
}

TEST_F(UnixTest, ManyMessagesWithDescriptorsKeepTheirOrder) {
  auto pair = *UnixSocket::pair(loop, {.max_descriptors = 1});
  const Descriptor a = file("a", "A");
  constexpr int kMessages = 300;
  const std::string filler = pattern(3000);
  int fds_seen = 0;
  std::size_t size = 0;
  pair.second.on_descriptors([&](std::span<const int> fds) {
    for (const int fd : fds) ::close(fd);
    ++fds_seen;
  });
  pair.second.on_data([&](auto data) {
    size += data.size();
    // Every "x" so far has brought its descriptor.
    const std::size_t each = filler.size() + 1;
    EXPECT_EQ(static_cast<std::size_t>(fds_seen), (size + each - 1) / each);
  });
  for (int i = 0; i < kMessages; ++i) {
    const int fds[] = {a.get()};
    ASSERT_TRUE(pair.first.write_descriptors(bytes("x"), fds));
    ASSERT_TRUE(pair.first.write(filler));
  }
  run_until([&] { return size == kMessages * (filler.size() + 1); });
  EXPECT_EQ(fds_seen, kMessages);
}

// A multishot receive may meet much data with the end after it, and report
// the data only.
TEST_F(UnixTest, AnEndRightBehindDataIsNotMissed) {
  for (const bool reads_before : {false, true}) {
    for (const bool closes : {false, true}) {
      for (const std::size_t size : {1U, 4095U, 4096U, 4097U, 100'000U, 150'000U, 200'000U}) {
        SCOPED_TRACE(testing::Message()
                     << size << " bytes, reads before: " << reads_before << ", closes: " << closes);
        auto [ours, peer] = pair_with_peer();
        std::size_t got = 0;
        bool ended = false;
        ours.on_data([&](auto data) { got += data.size(); });
        ours.on_end([&] { ended = true; });
        if (!reads_before) ours.pause();
        ASSERT_TRUE(ours.write("hello"));
        run_until([&, &peer = peer] { return peer.readable(); });
        ASSERT_EQ(peer.receive(), "hello");  // and ours receives by now, if it is to
        peer.send(std::string(size, 'x'));
        closes ? peer.close() : peer.shut();
        ours.resume();
        run_until([&, &ours = ours] { return ours.closed(); });
        EXPECT_EQ(got, size);
        EXPECT_TRUE(ended);
      }
    }
  }
}

// A write that waits while the peer goes, with bytes that it has sent and others that it has not
// read: the write fails, whatever our reading is doing.
TEST_F(UnixTest, APendingWriteFailsWhenThePeerGoes) {
  enum class Reads : std::uint8_t { not_at_all, paused, until_data, always, resumed, once };
  for (const Reads reads : {Reads::not_at_all, Reads::paused, Reads::until_data, Reads::always,
                            Reads::resumed, Reads::once}) {
    for (const std::size_t size : {0U, 1U, 4096U, 150'000U}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(reads) << ", " << size << " bytes");
      auto [ours, peer] = pair_with_peer();
      std::size_t got = 0;
      bool ended = false;
      std::string error;
      std::string told;
      if (reads != Reads::not_at_all && reads != Reads::once) {
        ours.on_data([&, &ours = ours](auto data) {
          got += data.size();
          if (reads == Reads::until_data) ours.pause();
        });
        ours.on_end([&] { ended = true; });
      }
      if (reads == Reads::paused || reads == Reads::resumed) ours.pause();
      std::array<std::byte, 1> buffer{};
      if (reads == Reads::once) {
        ours.read_some(buffer).then(loop, [&](Expected<std::size_t> count) {
          if (count) got += *count;
        });
      }
      ours.on_error([&](std::error_code code) { error = error_name(code); });
      ours.write(std::string(1'000'000, 'x'), [&](Expected<> result) {
        told = result ? "sent" : std::string(error_name(result.error()));
      });
      ours.end();
      run_until([&, &peer = peer] { return peer.readable(); });
      loop.run_once();
      EXPECT_GT(ours.buffered(), 0U);
      peer.send(std::string(size, 'y'));
      peer.close();
      if (reads == Reads::resumed) ours.resume();
      run_until([&, &ours = ours] { return ours.closed(); });
      EXPECT_TRUE(error == "ECONNRESET" || error == "EPIPE") << error;
      EXPECT_EQ(told, error);
      if (reads == Reads::always) {
        EXPECT_EQ(got, size);
      } else if (reads == Reads::once) {
        EXPECT_EQ(got, std::min<std::size_t>(size, 1));
      }
      EXPECT_FALSE(ended && error == "ECONNRESET");
    }
  }
}

}  // namespace
}  // namespace rondo
