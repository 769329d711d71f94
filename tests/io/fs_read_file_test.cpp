#include <sys/mman.h>

#include <algorithm>
#include <latch>
#include <stop_token>
#include <thread>

#include "rondo/work.h"

#include "io/fs_fixture.h"
#include "io/threads/thread_pool.h"

namespace rondo {
namespace {

class FsReadFile : public FsTest {};

/// Throws a file out of the page cache, so that reading it has to go to the disk.
void make_cold(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY);
  ::fsync(fd);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  ::close(fd);
}

TEST_F(FsReadFile, ReadsFilesOfAllSizes) {
  for (const std::size_t size :
       {0U, 1U, 15U, 16U, 4095U, 4096U, 4097U, 8192U, 100'000U, 5'000'000U}) {
    const std::string text = pattern(size);
    put(folder / "a", text);
    EXPECT_TRUE(get(fs::read_file(folder / "a")) == text) << size;
    make_cold(folder / "a");
    EXPECT_TRUE(get(fs::read_file(folder / "a")) == text) << size << ", cold";
  }
}

TEST_F(FsReadFile, ReadsAFileOfWhichOnlyAPartIsCached) {
  const std::string text = pattern(1'000'000);
  put(folder / "a", text);
  make_cold(folder / "a");
  char c = 0;
  const int fd = ::open((folder / "a").c_str(), O_RDONLY);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);  // no reading ahead
  ASSERT_EQ(::pread(fd, &c, 1, 0), 1);
  ASSERT_EQ(::pread(fd, &c, 1, 500'000), 1);
  ::close(fd);
  EXPECT_TRUE(get(fs::read_file(folder / "a")) == text);
}

TEST_F(FsReadFile, LeavesNoDescriptor) {
  put(folder / "a", "x");
  get(fs::read_file(folder / "a"));
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 100; ++i) {
    get(fs::read_file(folder / "a"));
    get(fs::read_file(folder.path()));
    get(fs::read_file(folder / "none"));
    get(fs::read_file(folder / "a", {.at_most = 0}));
    get(fs::read_file("/proc/self/stat"));
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(FsReadFile, TellsWhyItCannot) {
  EXPECT_EQ(error_of(fs::read_file(folder / "none")), "ENOENT");
  EXPECT_EQ(error_of(fs::read_file(folder.path())), "EISDIR");
  EXPECT_EQ(error_of(fs::read_file(std::string("/etc/host\0name", 14))), "EINVAL");
  EXPECT_EQ(error_of(fs::read_file("/etc/hostname/x")), "ENOTDIR");
}

TEST_F(FsReadFile, ReadsWhatClaimsToBeEmpty) {
  const auto status = get(fs::read_file("/proc/self/status"));
  ASSERT_TRUE(status.has_value());
  EXPECT_THAT(*status, testing::HasSubstr("Pid:"));
  EXPECT_THAT(*status, testing::EndsWith("\n"));
  // One that is longer than a first guess.
  const auto symbols = get(fs::read_file("/proc/kallsyms"));
  ASSERT_TRUE(symbols.has_value());
  EXPECT_GT(symbols->size(), 8192U);
}

TEST_F(FsReadFile, ReadsWhatClaimsToBeLonger) {
  const auto size = get(fs::stat("/sys/kernel/mm/transparent_hugepage/enabled"));
  if (!size.has_value()) GTEST_SKIP() << "no sysfs here";
  const auto text = get(fs::read_file("/sys/kernel/mm/transparent_hugepage/enabled"));
  ASSERT_TRUE(text.has_value());
  EXPECT_LT(text->size(), size->size);
  EXPECT_THAT(*text, testing::EndsWith("\n"));
}

TEST_F(FsReadFile, HasALimit) {
  put(folder / "a", pattern(10'000));
  EXPECT_EQ(error_of(fs::read_file(folder / "a", {.at_most = 9'999})), "EFBIG");
  EXPECT_EQ(get(fs::read_file(folder / "a", {.at_most = 10'000}))->size(), 10'000U);
  put(folder / "empty", "");
  EXPECT_EQ(get(fs::read_file(folder / "empty", {.at_most = 0}))->size(), 0U);
  // No size is known before, and there is no end.
  EXPECT_EQ(error_of(fs::read_file("/dev/zero", {.at_most = 1'000'000})), "EFBIG");
  EXPECT_EQ(get(fs::read_file("/dev/null"))->size(), 0U);
  // A file with a hole in it that would fill the memory.
  ASSERT_EQ(::truncate((folder / "a").c_str(), off_t{1} << 40), 0);
  EXPECT_EQ(error_of(fs::read_file(folder / "a")), "EFBIG");
}

TEST_F(FsReadFile, WithoutMemoryIsAnError) {
  put(folder / "a", "");
  ASSERT_EQ(::truncate((folder / "a").c_str(), off_t{1} << 43), 0);
  if constexpr (sizeof(void*) == 8) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer ends the program when memory runs out";
#else
    EXPECT_EQ(error_of(fs::read_file(folder / "a", {.at_most = std::uint64_t{1} << 60})), "ENOMEM");
#endif
  }
}

// The file changes while it is read, by another thread, as often as it takes to meet every step.
TEST_F(FsReadFile, ReadsAFileThatGrowsAndShrinks) {
  const std::string path = folder / "a";
  const std::string text = pattern(300'000);
  put(path, text);
  const std::jthread changer([&](const std::stop_token& stop) {
    const int fd = ::open(path.c_str(), O_RDWR);
    while (!stop.stop_requested()) {
      EXPECT_EQ(::ftruncate(fd, 10), 0);
      EXPECT_EQ(::pwrite(fd, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    }
    ::close(fd);
  });
  for (int i = 0; i < 300; ++i) {
    const auto read = get(fs::read_file(path));
    ASSERT_TRUE(read.has_value());
    ASSERT_LE(read->size(), text.size());
    ASSERT_GE(read->size(), 10U);
    if (text.starts_with(*read)) continue;
    // What is cut off under a reader may be zeros, never bytes of other files.
    const auto fits = [](char got, char wanted) { return got == wanted || got == '\0'; };
    const auto [odd, wanted] = std::ranges::mismatch(*read, text, fits);
    ASSERT_EQ(odd, read->end()) << odd - read->begin();
  }
}

TEST_F(FsReadFile, ReadsAFileThatIsAppendedTo) {
  // Lines that never cross the border of a page: the kernel shows what is written page by page.
  const std::string path = folder / "log";
  const std::string line = "fifteen letters\n";
  put(path, line);
  const std::jthread writer([&](const std::stop_token& stop) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND);
    for (int i = 0; i < 20'000 && !stop.stop_requested(); ++i) {
      EXPECT_EQ(::write(fd, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    }
    ::close(fd);
  });
  std::size_t last = 0;
  for (int i = 0; i < 200; ++i) {
    const auto read = get(fs::read_file(path));
    ASSERT_TRUE(read.has_value());
    ASSERT_GE(read->size(), last);
    ASSERT_EQ(read->size() % line.size(), 0U);
    ASSERT_TRUE(read->ends_with(line));
    last = read->size();
  }
}

TEST_F(FsReadFile, ReadsAFifoToTheEndOfItsWriters) {
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  const std::string text = pattern(500'000);
  std::thread writer([&] {
    const int fd = ::open((folder / "fifo").c_str(), O_WRONLY);
    std::string_view rest = text;
    while (!rest.empty()) {
      const ssize_t count = ::write(fd, rest.data(), std::min<std::size_t>(rest.size(), 10'000));
      if (count <= 0) break;
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
    ::close(fd);
  });
  const auto read = get(fs::read_file(folder / "fifo"));
  writer.join();
  EXPECT_TRUE(read.value() == text);
}

TEST_F(FsReadFile, ReadsAFileThatWasUnlinkedMeanwhile) {
  put(folder / "a", "still there");
  std::string link = "/proc/self/fd/";
  const int fd = ::open((folder / "a").c_str(), O_RDONLY);
  ::unlink((folder / "a").c_str());
  link += std::to_string(fd);
  EXPECT_EQ(get(fs::read_file(link)), "still there");
  ::close(fd);
}

TEST_F(FsReadFile, ReadsOnAFileSystemWithoutNonblockingReads) {
  const int fd = ::memfd_create("rondo", 0);  // tmpfs
  const std::string text = pattern(100'000);
  ASSERT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  EXPECT_TRUE(get(fs::read_file("/proc/self/fd/" + std::to_string(fd))) == text);
  ::close(fd);
}

TEST_F(FsReadFile, ALargeFileInTheCacheDoesNotHoldTheLoopUp) {
  const std::string text = pattern(std::size_t{64} << 20);
  put(folder / "large", text);
  ASSERT_EQ(content_of(folder / "large").size(), text.size());  // cached, if it was not
  // No thread is free to do it either.
  std::latch release(1);
  for (std::size_t i = 0; i < ThreadPool::threads_from_environment(); ++i) {
    work(loop, [&] { release.wait(); }, [](const Expected<>&) {});
  }
  bool told = false;
  fs::read_file(folder / "large").then(loop, [&](Expected<std::string> read) {
    told = true;
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(*read == text);
  });
  for (int turn = 0; turn < 8; ++turn) loop.run_nowait();
  EXPECT_FALSE(told) << "64 MiB were copied in so few turns";
  release.count_down();
  loop.run();
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace rondo
