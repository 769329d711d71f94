#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <limits>
#include <thread>

#include "io/fs_fixture.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class FsOpenFiles : public FsTest {};

TEST_F(FsOpenFiles, OpensReadsAndCloses) {
  put(folder / "a", "hello");
  auto file = get(fs::open(folder / "a"));
  ASSERT_TRUE(file.has_value());
  std::string buffer(10, '.');
  EXPECT_EQ(get(file->read(writable_bytes(buffer))), 5U);
  EXPECT_EQ(buffer, "hello.....");
  EXPECT_EQ(get(file->read(writable_bytes(buffer))), 0U);
  const int fd = file->fd();
  EXPECT_TRUE(get(file->close()).has_value());
  EXPECT_FALSE(file->is_open());
  EXPECT_EQ(::fcntl(fd, F_GETFD), -1);
  EXPECT_EQ(error_of(file->close()), "EBADF");
}

TEST_F(FsOpenFiles, OpensWithCloseOnExecAndWithoutNonblock) {
  put(folder / "a", "");
  for (const int flags : {O_RDONLY, O_RDWR, O_RDWR | O_CREAT}) {
    auto file = get(fs::open(folder / "a", flags));
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(::fcntl(file->fd(), F_GETFD), FD_CLOEXEC);
    EXPECT_EQ(::fcntl(file->fd(), F_GETFL) & O_NONBLOCK, 0);
  }
  auto asked = get(fs::open(folder / "a", O_RDONLY | O_NONBLOCK));
  EXPECT_NE(::fcntl(asked.value().fd(), F_GETFL) & O_NONBLOCK, 0);
}

TEST_F(FsOpenFiles, TellsWhyItCannotOpen) {
  put(folder / "a", "");
  EXPECT_EQ(error_of(fs::open(folder / "none")), "ENOENT");
  EXPECT_EQ(error_of(fs::open(folder / "a/b")), "ENOTDIR");
  EXPECT_EQ(error_of(fs::open(folder.path(), O_WRONLY)), "EISDIR");
  EXPECT_EQ(error_of(fs::open(folder / "a", O_RDWR | O_CREAT | O_EXCL)), "EEXIST");
  EXPECT_EQ(error_of(fs::open(folder / std::string(300, 'x'))), "ENAMETOOLONG");
  EXPECT_EQ(error_of(fs::open("")), "ENOENT");
  EXPECT_EQ(error_of(fs::open(std::string("a\0b", 3))), "EINVAL");
  ::symlink((folder / "loop").c_str(), (folder / "loop").c_str());
  EXPECT_EQ(error_of(fs::open(folder / "loop")), "ELOOP");
}

TEST_F(FsOpenFiles, CreatesWithTheModeAsked) {
  const mode_t before = ::umask(022);
  auto file = get(fs::open(folder / "new", O_WRONLY | O_CREAT, 0666));
  ::umask(before);
  EXPECT_TRUE(file.has_value());
  EXPECT_EQ(mode_of(folder / "new"), 0644U);
}

TEST_F(FsOpenFiles, ReadsAndWritesAtOffsets) {
  auto file = get(fs::open(folder / "a", O_RDWR | O_CREAT));
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(get(file->write(fs::bytes_of("world"), 5)), 5U);
  EXPECT_EQ(get(file->write(fs::bytes_of("hello"), 0)), 5U);
  std::string buffer(4, '.');
  EXPECT_EQ(get(file->read(writable_bytes(buffer), 3)), 4U);
  EXPECT_EQ(buffer, "lowo");
  EXPECT_EQ(get(file->read(writable_bytes(buffer), 10)), 0U);
  // The position has not moved.
  EXPECT_EQ(get(file->read(writable_bytes(buffer))), 4U);
  EXPECT_EQ(buffer, "hell");
}

TEST_F(FsOpenFiles, WritesAtThePositionOneAfterTheOther) {
  auto file = get(fs::open(folder / "a", O_WRONLY | O_CREAT));
  EXPECT_EQ(get(file->write(fs::bytes_of("one "))), 4U);
  EXPECT_EQ(get(file->write(fs::bytes_of("two"))), 3U);
  EXPECT_EQ(content_of(folder / "a"), "one two");
}

TEST_F(FsOpenFiles, ReadsAndWritesManyBuffers) {
  auto file = get(fs::open(folder / "a", O_RDWR | O_CREAT));
  for (const std::size_t count : {2U, 4U, 5U, 100U, 1024U}) {
    std::vector<std::string> texts;
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
      texts.push_back(std::to_string(i) + ",");
      all += texts.back();
    }
    std::vector<std::span<const std::byte>> out;
    for (const std::string& text : texts) out.push_back(fs::bytes_of(text));
    EXPECT_EQ(get(file->write(out, 0)), all.size());

    std::vector<std::string> read(count);
    std::vector<std::span<std::byte>> in;
    for (std::size_t i = 0; i < count; ++i) {
      read[i].resize(texts[i].size());
      in.push_back(writable_bytes(read[i]));
    }
    EXPECT_EQ(get(file->read(in, 0)), all.size());
    EXPECT_EQ(read, texts);
  }
  const std::vector<std::span<std::byte>> too_many(1025);
  EXPECT_EQ(error_of(file->read(too_many, 0)), "EINVAL");
  EXPECT_EQ(get(file->read(fs::Buffers{}, 0)), 0U);
}

TEST_F(FsOpenFiles, RefusesOffsetsTheKernelDoesNotKnow) {
  auto file = get(fs::open(folder / "a", O_RDWR | O_CREAT));
  std::string buffer(1, '.');
  const auto far = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(error_of(file->read(writable_bytes(buffer), far)), "EINVAL");
  EXPECT_EQ(error_of(file->write(fs::bytes_of("x"), far)), "EINVAL");
  EXPECT_EQ(error_of(file->truncate(far)), "EINVAL");
}

TEST_F(FsOpenFiles, TellsOfTheWrongDescriptor) {
  std::string buffer(1, '.');
  EXPECT_EQ(error_of(fs::read(-1, writable_bytes(buffer))), "EBADF");
  EXPECT_EQ(error_of(fs::write(-1, fs::bytes_of("x"))), "EBADF");
  EXPECT_EQ(error_of(fs::fstat(-1)), "EBADF");
  EXPECT_EQ(error_of(fs::fsync(-1)), "EBADF");
  EXPECT_EQ(error_of(fs::close(-1)), "EBADF");
  EXPECT_EQ(error_of(fs::close(987'654)), "EBADF");
  auto directory = get(fs::open(folder.path()));
  EXPECT_EQ(error_of(directory->read(writable_bytes(buffer))), "EISDIR");
  auto write_only = get(fs::open(folder / "w", O_WRONLY | O_CREAT));
  EXPECT_EQ(error_of(write_only->read(writable_bytes(buffer))), "EBADF");
}

TEST_F(FsOpenFiles, ChangesAndSyncs) {
  auto file = get(fs::open(folder / "a", O_RDWR | O_CREAT));
  EXPECT_TRUE(get(file->truncate(1000)).has_value());
  EXPECT_EQ(get(file->stat())->size, 1000U);
  EXPECT_TRUE(get(file->truncate(10)).has_value());
  EXPECT_EQ(get(file->stat())->size, 10U);
  EXPECT_TRUE(get(file->sync()).has_value());
  EXPECT_TRUE(get(file->datasync()).has_value());
  EXPECT_TRUE(get(file->chmod(0640)).has_value());
  EXPECT_EQ(get(file->stat())->mode & 07777, 0640U);
  EXPECT_TRUE(get(file->chown(::getuid(), ::getgid())).has_value());
  const fs::FileTime atime{1'234'567'890'123'456'789ns};
  const fs::FileTime mtime{-1ns};  // before 1970
  EXPECT_TRUE(get(file->utimes(atime, mtime)).has_value());
  const auto stat = get(file->stat());
  EXPECT_EQ(stat->atime, atime);
  EXPECT_EQ(stat->mtime, mtime);
}

TEST_F(FsOpenFiles, AFileThatIsDroppedIsClosed) {
  put(folder / "a", "x");
  const std::size_t before = open_descriptors();
  for (const int flags : {O_RDONLY, O_RDWR}) {
    {
      auto file = get(fs::open(folder / "a", flags));
    }
    loop.run();
    EXPECT_EQ(open_descriptors(), before);
  }
  {
    auto file = get(fs::open(folder / "gone", O_RDWR | O_CREAT));
  }
  {
    auto unlinked = get(fs::open(folder / "a"));
    ::unlink((folder / "a").c_str());
  }
  loop.run();
  // The ring, if there is one, was there from the start; threads have no descriptors.
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(FsOpenFiles, AFileMayOutliveItsLoop) {
  const std::size_t before = open_descriptors();
  std::optional<fs::File> kept;
  {
    Loop other;
    fs::open(folder / "a", O_RDWR | O_CREAT).then(other, [&](Expected<fs::File> file) {
      kept = *std::move(file);
    });
    other.run();
  }
  ASSERT_TRUE(kept.has_value() && kept->is_open());
  fs::File moved = std::move(*kept);
  EXPECT_FALSE(kept->is_open());
  kept.reset();
  moved = fs::File(loop, moved.release());  // another loop's from now on
  EXPECT_EQ(get(moved.write(fs::bytes_of("abc"))), 3U);
  EXPECT_TRUE(get(fs::close(std::move(moved))).has_value());
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(FsOpenFiles, MovingAFileClosesWhatWasThere) {
  put(folder / "a", "x");
  const std::size_t before = open_descriptors();
  auto one = get(fs::open(folder / "a"));
  auto two = get(fs::open(folder / "a"));
  const int fd = two->fd();
  *one = *std::move(two);
  EXPECT_EQ(one->fd(), fd);
  fs::File& same = *one;
  *one = std::move(same);
  EXPECT_EQ(one->fd(), fd);
  EXPECT_EQ(open_descriptors(), before + 1);
}

TEST_F(FsOpenFiles, AnOperationNeverBegunDoesNothing) {
  const int fd = ::open("/dev/null", O_RDWR);
  {
    auto never = fs::open(folder / "a", O_CREAT | O_RDWR);
  }
  {
    auto never = fs::unlink(folder / "a");
  }
  {
    auto closed_anyway = fs::close(fd);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  EXPECT_EQ(::fcntl(fd, F_GETFD), -1);
}

// ---- FIFOs --------------------------------------------------------------------------------------

TEST_F(FsOpenFiles, TheReaderOfAFifoWaitsForItsWriter) {
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  auto reader = get(fs::open(folder / "fifo"));  // there is no writer yet
  ASSERT_TRUE(reader.has_value());
  std::string buffer(10, '.');
  std::vector<std::string> log;
  reader->read(writable_bytes(buffer)).then(loop, [&](Expected<std::size_t> count) {
    log.push_back("read " + std::to_string(count.value()));
  });
  loop.set_timeout(20ms, [&] {
    log.emplace_back("write");
    const int writer = ::open((folder / "fifo").c_str(), O_WRONLY | O_NONBLOCK);
    EXPECT_EQ(::write(writer, "abc", 3), 3);
    ::close(writer);
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("write", "read 3"));
  EXPECT_EQ(get(reader->read(writable_bytes(buffer))), 0U);  // the writers have gone
}

TEST_F(FsOpenFiles, AWriterThatSaysNothingIsTheEnd) {
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  auto reader = get(fs::open(folder / "fifo"));
  std::string buffer(10, '.');
  loop.set_timeout(5ms, [&] { ::close(::open((folder / "fifo").c_str(), O_WRONLY | O_NONBLOCK)); });
  EXPECT_EQ(get(reader->read(writable_bytes(buffer))), 0U);
}

TEST_F(FsOpenFiles, TheWriterOfAFifoWaitsForItsReader) {
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  int reader = -1;
  bool opened = false;
  fs::open(folder / "fifo", O_WRONLY).then(loop, [&](Expected<fs::File> file) {
    EXPECT_NE(reader, -1);
    opened = file.has_value();
  });
  loop.set_timeout(20ms, [&] {
    EXPECT_FALSE(opened);
    reader = ::open((folder / "fifo").c_str(), O_RDONLY | O_NONBLOCK);
  });
  loop.run();
  EXPECT_TRUE(opened);
  ::close(reader);
  EXPECT_EQ(error_of(fs::open(folder / "fifo", O_WRONLY | O_NONBLOCK)), "ENXIO");
}

TEST_F(FsOpenFiles, WritingToAFifoNobodyReadsIsAnErrorAndNoSignal) {
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  const int reader = ::open((folder / "fifo").c_str(), O_RDONLY | O_NONBLOCK);
  auto writer = get(fs::open(folder / "fifo", O_WRONLY));
  EXPECT_EQ(get(writer->write(fs::bytes_of("abc"))), 3U);
  ::close(reader);
  EXPECT_EQ(error_of(writer->write(fs::bytes_of("abc"))), "EPIPE");
}

TEST_F(FsOpenFiles, WritesToAFullFifoWhenThereIsRoom) {
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  const int reader = ::open((folder / "fifo").c_str(), O_RDONLY | O_NONBLOCK);
  auto writer = get(fs::open(folder / "fifo", O_WRONLY));
  const std::string much = pattern(1U << 20);
  std::size_t written = 0;
  std::string read;
  const auto write_more = [&](auto&& self) -> void {
    if (written == much.size()) return;
    writer->write(fs::bytes_of(std::string_view(much).substr(written)))
        .then(loop, [&, self](Expected<std::size_t> count) {
          written += count.value();
          self(self);
        });
  };
  write_more(write_more);
  Timer timer = loop.set_interval(1ms, [&] {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(reader, buffer.data(), buffer.size());
    if (count > 0) read.append(buffer.data(), static_cast<std::size_t>(count));
    if (read.size() == much.size()) timer.clear();
  });
  loop.run();
  EXPECT_TRUE(read == much);
  ::close(reader);
}

// ---- sendfile -----------------------------------------------------------------------------------

TEST_F(FsOpenFiles, SendsAFileToAFile) {
  const std::string text = pattern(3'000'000);
  put(folder / "a", text);
  auto in = get(fs::open(folder / "a"));
  auto out = get(fs::open(folder / "b", O_WRONLY | O_CREAT));
  EXPECT_EQ(get(fs::sendfile(out->fd(), in->fd(), 10, 1'000'000)), 1'000'000U);
  EXPECT_TRUE(content_of(folder / "b") == text.substr(10, 1'000'000));
  // More than there is: to the end.
  EXPECT_EQ(get(fs::sendfile(out->fd(), in->fd(), 2'999'990, 100)), 10U);
  EXPECT_EQ(error_of(fs::sendfile(-1, in->fd(), 0, 1)), "EBADF");
}

TEST_F(FsOpenFiles, SendsAFileToASocketThatFillsUp) {
  const std::string text = pattern(2'000'000);
  put(folder / "a", text);
  auto in = get(fs::open(folder / "a"));
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  std::string received;
  std::thread peer([&] {
    std::string buffer(70'000, '\0');
    ::fcntl(ends[1], F_SETFL, 0);
    while (received.size() < text.size()) {
      const ssize_t count = ::read(ends[1], buffer.data(), buffer.size());
      if (count <= 0) break;
      received.append(buffer.data(), static_cast<std::size_t>(count));
    }
  });
  EXPECT_EQ(get(fs::sendfile(ends[0], in->fd(), 0, text.size())), text.size());
  peer.join();
  EXPECT_TRUE(received == text);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(FsOpenFiles, WritingToWhatIsOpenForReadingOnlyIsAnErrorAndNoWait) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  put(folder / "file", "text");
  const int file = ::open((folder / "file").c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<std::string> told;
  spawn(loop, [&]() -> Async<> {
    const auto tell = [&](const Expected<std::size_t>& count) {
      told.push_back(count ? "done" : std::string(error_name(count.error())));
    };
    tell(co_await with_timeout(5s, fs::write(ends[0], fs::bytes_of("text"))));
    tell(co_await with_timeout(5s, fs::sendfile(ends[0], file, 0, 4)));
    tell(co_await with_timeout(5s, fs::write(file, fs::bytes_of("text"))));
    std::array<std::byte, 4> buffer;
    tell(co_await with_timeout(5s, fs::read(ends[1], buffer)));
  });
  loop.run();
  EXPECT_THAT(told, testing::Each("EBADF"));
  EXPECT_EQ(told.size(), 4U);
  ::close(ends[0]);
  ::close(ends[1]);
  ::close(file);
}

TEST_F(FsOpenFiles, ReadingFromADescriptorThatDoesNotBlockDoesNotWait) {
  int pipe[2];
  int pair[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC | O_NONBLOCK), 0);
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair), 0);
  const int counter = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  // One that cannot be read without blocking in any other way.
  const int watch = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  ASSERT_GE(::inotify_add_watch(watch, folder.path().c_str(), IN_CREATE), 0);
  std::string buffer(256, '.');
  const auto read_both_ways = [&](int fd) {
    const auto now = fs::read(fd, writable_bytes(buffer)).run_now();
    EXPECT_EQ(error_of(fs::read(fd, writable_bytes(buffer))), error_name(now.error()));
    return std::string(error_name(now.error()));
  };
  for (const int fd : {pipe[0], pair[0], counter, watch}) {
    EXPECT_EQ(read_both_ways(fd), "EAGAIN");
    EXPECT_NE(::fcntl(fd, F_GETFL) & O_NONBLOCK, 0) << "it is the user's";
  }
  const std::uint64_t one = 1;
  EXPECT_EQ(::write(pipe[1], "text", 4), 4);
  EXPECT_EQ(::write(pair[1], "text", 4), 4);
  EXPECT_EQ(::write(counter, &one, sizeof(one)), 8);
  put(folder / "new", "");
  EXPECT_EQ(get(fs::read(pipe[0], writable_bytes(buffer))), 4U);
  EXPECT_EQ(get(fs::read(pair[0], writable_bytes(buffer))), 4U);
  EXPECT_EQ(get(fs::read(counter, writable_bytes(buffer))), 8U);
  EXPECT_EQ(get(fs::read(watch, writable_bytes(buffer))), sizeof(inotify_event) + 16);
  ::close(pipe[1]);
  EXPECT_EQ(get(fs::read(pipe[0], writable_bytes(buffer))), 0U);
  for (const int fd : {pipe[0], pair[0], pair[1], counter, watch}) ::close(fd);
}

TEST_F(FsOpenFiles, AFifoThatDoesNotBlockHasNothingBeforeItsWriterComes) {
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  auto reader = get(fs::open(folder / "fifo", O_RDONLY | O_NONBLOCK));
  std::string buffer(10, '.');
  EXPECT_EQ(get(reader->read(writable_bytes(buffer))), 0U);
  EXPECT_EQ(reader->read(writable_bytes(buffer)).run_now(), 0U);
  auto writer = get(fs::open(folder / "fifo", O_WRONLY | O_NONBLOCK));
  EXPECT_EQ(error_of(reader->read(writable_bytes(buffer))), "EAGAIN");
  EXPECT_EQ(error_name(reader->read(writable_bytes(buffer)).run_now().error()), "EAGAIN");
}

TEST_F(FsOpenFiles, WritingToADescriptorThatDoesNotBlockDoesNotWait) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC | O_NONBLOCK), 0);
  const std::string much = pattern(1U << 20);
  const auto written = get(fs::write(pipe[1], fs::bytes_of(much)));
  ASSERT_TRUE(written.has_value());
  EXPECT_LT(*written, much.size());
  EXPECT_EQ(error_of(fs::write(pipe[1], fs::bytes_of(much))), "EAGAIN");
  EXPECT_EQ(error_name(fs::write(pipe[1], fs::bytes_of(much)).run_now().error()), "EAGAIN");
  for (const int fd : pipe) ::close(fd);
}

TEST_F(FsOpenFiles, ManyTransfersAtThePositionShareNoPlace) {
  auto file = get(fs::open(folder / "a", O_RDWR | O_CREAT));
  constexpr std::size_t kPieces = 64;
  const std::string piece = pattern(5000);
  std::size_t complete = 0;
  for (std::size_t i = 0; i < kPieces; ++i) {
    file->write(fs::bytes_of(piece)).then(loop, [&](Expected<std::size_t> count) {
      if (count == piece.size()) ++complete;
    });
  }
  loop.run();
  EXPECT_EQ(complete, kPieces);
  std::string expected;
  for (std::size_t i = 0; i < kPieces; ++i) expected += piece;
  EXPECT_EQ(content_of(folder / "a"), expected);
}

}  // namespace
}  // namespace rondo
