// A file system with no room left. Mounts a small tmpfs in a mount namespace of its own: nothing
// outside of this program sees it.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <array>
#include <csignal>

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

TEST_F(FsDiskFull, WritesAtThePositionGoOnBehindWhatFitted) {
  const std::string much = pattern(1'000'000);
  for (const bool vectored : {false, true}) {
    auto file = get(fs::open(folder / "disk/a", O_RDWR | O_CREAT | O_TRUNC));
    ASSERT_TRUE(file.has_value());
    std::size_t fitted = 0;
    std::string told;
    while (told.empty() && fitted < much.size()) {
      const auto rest = fs::bytes_of(std::string_view(much).substr(fitted));
      const std::array parts{rest.first(1000), rest.subspan(1000)};
      const auto written = get(vectored ? file->write(fs::ConstBuffers(parts)) : file->write(rest));
      if (written) {
        fitted += *written;
      } else {
        told = error_name(written.error());
      }
    }
    EXPECT_EQ(told, "ENOSPC");
    EXPECT_EQ(content_of(folder / "disk/a"), much.substr(0, fitted));
    EXPECT_EQ(error_of(file->close()), "none");
  }
}

TEST_F(FsDiskFull, AFileThatReachesItsLimitKeepsWhatFitted) {
  struct sigaction before{};
  struct sigaction ignoring{};
  ignoring.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGXFSZ, &ignoring, &before), 0);
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small{100'000, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string much = pattern(1'000'000);
  auto file = get(fs::open(folder / "a", O_RDWR | O_CREAT));
  const auto written = get(file->write(fs::bytes_of(much)));
  const std::string after = error_of(file->write(fs::bytes_of(much)));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  ASSERT_EQ(::sigaction(SIGXFSZ, &before, nullptr), 0);
  EXPECT_EQ(written, 100'000U);
  EXPECT_EQ(after, "EFBIG");
  EXPECT_EQ(content_of(folder / "a"), much.substr(0, 100'000));
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
