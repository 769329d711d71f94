// A file system with no room left. Mounts a small tmpfs in a mount namespace of its own: nothing
// outside of this program sees it.
#include <sched.h>
#include <sys/mount.h>

#include "io/fs_fixture.h"

namespace rondo {
namespace {

class FsDiskFull : public FsTest {
 protected:
  /// Before the first loop: workers of the kernel's stay in the namespace they began in.
  static void SetUpTestSuite() {
    own_namespace_ = ::unshare(CLONE_NEWNS) == 0 &&
                     ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }
  void SetUp() override {
    if (!own_namespace_) GTEST_SKIP() << "not permitted to have a mount namespace";
    ASSERT_EQ(::mkdir((folder / "disk").c_str(), 0700), 0);
    if (::mount("rondo", (folder / "disk").c_str(), "tmpfs", 0, "size=256k") != 0) {
      GTEST_SKIP() << "not permitted to mount a tmpfs";
    }
    mounted_ = true;
  }
  void TearDown() override {
    loop.run();
    if (mounted_) {
      EXPECT_EQ(::umount((folder / "disk").c_str()), 0) << "something is still open there";
    }
  }

 private:
  static inline bool own_namespace_ = false;
  bool mounted_ = false;
};

TEST_F(FsDiskFull, WriteFileTellsAndAtomicLeavesTheOldContent) {
  EXPECT_EQ(error_of(fs::write_file(folder / "disk/a", "old content")), "none");
  const std::string much = pattern(1'000'000);
  EXPECT_EQ(error_of(fs::write_file(folder / "disk/a", much, {.atomic = true})), "ENOSPC");
  EXPECT_EQ(content_of(folder / "disk/a"), "old content");
  const auto left = get(fs::readdir(folder / "disk"));
  EXPECT_THAT(left.value(), testing::ElementsAre(fs::DirEntry{"a", fs::FileType::regular}));
  EXPECT_EQ(error_of(fs::write_file(folder / "disk/b", much)), "ENOSPC");
  EXPECT_EQ(error_of(fs::append_file(folder / "disk/b", much)), "ENOSPC");
}

TEST_F(FsDiskFull, WriteTellsHowMuchFitted) {
  auto file = get(fs::open(folder / "disk/a", O_RDWR | O_CREAT));
  ASSERT_TRUE(file.has_value());
  const std::string much = pattern(1'000'000);
  const auto written = get(file->write(fs::bytes_of(much), 0));
  ASSERT_TRUE(written.has_value());
  EXPECT_LE(*written, 256U * 1024);
  EXPECT_EQ(error_of(file->write(fs::bytes_of(much), *written)), "ENOSPC");
  EXPECT_EQ(error_of(file->close()), "none");
}

TEST_F(FsDiskFull, ACopyThatDoesNotFitLeavesNothing) {
  put(folder / "big", pattern(1'000'000));
  EXPECT_EQ(error_of(fs::copy_file(folder / "big", folder / "disk/copy")), "ENOSPC");
  EXPECT_EQ(error_of(fs::stat(folder / "disk/copy")), "ENOENT");
}

TEST_F(FsDiskFull, ReadsAFileSystemThatCannotReadWithoutBlocking) {
  put(folder / "disk/a", "content");
  EXPECT_EQ(get(fs::read_file(folder / "disk/a")), "content");
  put(folder / "other", "x");
  EXPECT_EQ(error_of(fs::rename(folder / "other", folder / "disk/other")), "EXDEV");
  EXPECT_EQ(error_of(fs::copy_file(folder / "other", folder / "disk/other")), "none");
}

}  // namespace
}  // namespace rondo
