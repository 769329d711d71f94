#include <stop_token>
#include <thread>

#include "io/fs_fixture.h"

namespace rondo {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class FsWriteFile : public FsTest {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      found.push_back(entry.path().filename());
    }
    return found;
  }
};

TEST_F(FsWriteFile, WritesAndReplaces) {
  for (const bool atomic : {false, true}) {
    for (const std::size_t size : {0U, 1U, 4096U, 3'000'000U}) {
      const std::string text = pattern(size);
      EXPECT_TRUE(get(fs::write_file(folder / "a", text, {.atomic = atomic})).has_value());
      EXPECT_TRUE(content_of(folder / "a") == text);
      EXPECT_TRUE(
          get(fs::write_file(folder / "a", fs::bytes_of("short"), {.atomic = atomic})).has_value());
      EXPECT_EQ(content_of(folder / "a"), "short");
    }
  }
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(FsWriteFile, OwnsTheTextItIsGiven) {
  {
    std::string text = "gone before it is written";
    fs::write_file(folder / "a", std::move(text)).then(loop, [](Expected<> done) {
      EXPECT_TRUE(done.has_value());
    });
  }
  loop.run();
  EXPECT_EQ(content_of(folder / "a"), "gone before it is written");
}

TEST_F(FsWriteFile, Appends) {
  EXPECT_TRUE(get(fs::append_file(folder / "a", "one ")).has_value());
  EXPECT_TRUE(get(fs::append_file(folder / "a", fs::bytes_of("two"))).has_value());
  EXPECT_EQ(content_of(folder / "a"), "one two");
}

TEST_F(FsWriteFile, GivesANewFileTheModeAskedAndKeepsThatOfAnOldOne) {
  const mode_t before = ::umask(027);
  get(fs::write_file(folder / "plain", "", {.mode = 0666}));
  get(fs::write_file(folder / "atomic", "", {.atomic = true, .mode = 0666}));
  ::umask(before);
  EXPECT_EQ(mode_of(folder / "plain"), 0640U);
  EXPECT_EQ(mode_of(folder / "atomic"), 0640U);
  ::chmod((folder / "plain").c_str(), 0751);
  ::chmod((folder / "atomic").c_str(), 0751);
  get(fs::write_file(folder / "plain", "x"));
  get(fs::write_file(folder / "atomic", "x", {.atomic = true}));
  EXPECT_EQ(mode_of(folder / "plain"), 0751U);
  EXPECT_EQ(mode_of(folder / "atomic"), 0751U);
}

TEST_F(FsWriteFile, Exclusive) {
  put(folder / "there", "old");
  for (const bool atomic : {false, true}) {
    EXPECT_EQ(
        error_of(fs::write_file(folder / "there", "x", {.atomic = atomic, .exclusive = true})),
        "EEXIST");
    const std::string fresh = folder / (atomic ? "one" : "two");
    EXPECT_EQ(error_of(fs::write_file(fresh, "x", {.atomic = atomic, .exclusive = true})), "none");
    EXPECT_EQ(content_of(fresh), "x");
  }
  EXPECT_EQ(content_of(folder / "there"), "old");
  EXPECT_THAT(names(), UnorderedElementsAre("there", "one", "two"));
}

TEST_F(FsWriteFile, AtomicWritesThroughSymbolicLinks) {
  put(folder / "real", "old");
  ::symlink("real", (folder / "link").c_str());
  ::symlink((folder / "link").c_str(), (folder / "link2").c_str());
  ::symlink("new", (folder / "dangling").c_str());
  EXPECT_EQ(error_of(fs::write_file(folder / "link2", "1", {.atomic = true})), "none");
  EXPECT_EQ(content_of(folder / "real"), "1");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link2"));
  EXPECT_EQ(error_of(fs::write_file(folder / "dangling", "2", {.atomic = true})), "none");
  EXPECT_EQ(content_of(folder / "new"), "2");
  ::symlink("loop", (folder / "loop").c_str());
  EXPECT_EQ(error_of(fs::write_file(folder / "loop", "3", {.atomic = true})), "ELOOP");
}

TEST_F(FsWriteFile, TellsWhyItCannot) {
  for (const bool atomic : {false, true}) {
    const fs::WriteFileOptions options{.atomic = atomic};
    EXPECT_EQ(error_of(fs::write_file(folder / "no/a", "x", options)), "ENOENT");
    EXPECT_EQ(error_of(fs::write_file(folder.path(), "x", options)), "EISDIR");
    EXPECT_EQ(error_of(fs::write_file(std::string("a\0b", 3), "x", options)), "EINVAL");
  }
  EXPECT_EQ(error_of(fs::write_file("/dev/null", "x", {.atomic = true})), "EINVAL");
  EXPECT_EQ(error_of(fs::write_file("/dev/null", "x")), "none");
  EXPECT_EQ(error_of(fs::write_file("/dev/full", "x")), "ENOSPC");
  EXPECT_THAT(names(), ElementsAre());
}

// Who reads while it is written again and again sees one content or the other.
TEST_F(FsWriteFile, AtomicMeansOldOrNew) {
  const std::string path = folder / "a";
  const std::string one(200'000, '1');
  const std::string two(300'000, '2');
  put(path, one);
  const std::jthread reader([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const std::string seen = content_of(path);
      ASSERT_TRUE(seen == one || seen == two) << seen.size();
    }
  });
  for (int i = 0; i < 30; ++i) {
    EXPECT_TRUE(get(fs::write_file(path, i % 2 == 0 ? two : one, {.atomic = true})).has_value());
  }
}

TEST_F(FsWriteFile, WritesToAFifoWhoseReaderIsSlow) {
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  const std::string text = pattern(500'000);
  std::string read;
  std::thread reader([&] { read = content_of(folder / "fifo"); });
  EXPECT_TRUE(get(fs::write_file(folder / "fifo", text)).has_value());
  reader.join();
  EXPECT_TRUE(read == text);
}

}  // namespace
}  // namespace rondo
