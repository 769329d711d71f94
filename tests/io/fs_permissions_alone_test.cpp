// What an ordinary user may not do. Root may do everything, so root changes its identity first: for
// good, with the threads not started yet, which is why this is a program of its own.
#include "io/fs_fixture.h"

namespace rondo {
namespace {

class FsPermissions : public FsTest {
 protected:
  static void SetUpTestSuite() {
    if (::getuid() != 0) return;
    constexpr id_t kNobody = 65534;
    if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) GTEST_FAIL() << "cannot become nobody";
  }
  void SetUp() override {
    put(folder / "file", "content");
    ::mkdir((folder / "closed").c_str(), 0700);
    put(folder / "closed/file", "content");
    ::chmod((folder / "closed").c_str(), 0);
  }
  void TearDown() override { ::chmod((folder / "closed").c_str(), 0700); }
};

TEST_F(FsPermissions, AnUnreadableFolder) {
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(error_of(fs::readdir(folder / "closed")), "EACCES");
    EXPECT_EQ(error_of(fs::stat(folder / "closed/file")), "EACCES");
    EXPECT_EQ(error_of(fs::read_file(folder / "closed/file")), "EACCES");
    EXPECT_EQ(error_of(fs::open(folder / "closed/new", O_CREAT | O_RDWR)), "EACCES");
    EXPECT_EQ(error_of(fs::write_file(folder / "closed/new", "x")), "EACCES");
    EXPECT_EQ(error_of(fs::write_file(folder / "closed/new", "x", {.atomic = true})), "EACCES");
    EXPECT_EQ(error_of(fs::unlink(folder / "closed/file")), "EACCES");
    EXPECT_EQ(error_of(fs::mkdir(folder / "closed/a/b", {.recursive = true})), "EACCES");
    EXPECT_EQ(error_of(fs::realpath(folder / "closed/file")), "EACCES");
    EXPECT_EQ(error_of(fs::access(folder / "closed", R_OK)), "EACCES");
    EXPECT_EQ(error_of(fs::rm(folder / "closed", {.recursive = true})), "EACCES");
  }
}

TEST_F(FsPermissions, AnEmptyUnreadableFolderCanBeRemoved) {
  ::mkdir((folder / "tree").c_str(), 0700);
  ::mkdir((folder / "tree/empty").c_str(), 0);
  EXPECT_EQ(error_of(fs::rm(folder / "tree", {.recursive = true})), "none");
}

TEST_F(FsPermissions, AFolderWithAFolderThatCannotBeEmptied) {
  std::filesystem::create_directories(folder / "tree/closed/sub");
  ::chmod((folder / "tree/closed").c_str(), 0500);
  EXPECT_EQ(error_of(fs::rm(folder / "tree", {.recursive = true})), "EACCES");
  ::chmod((folder / "tree/closed").c_str(), 0700);
  EXPECT_EQ(error_of(fs::rm(folder / "tree", {.recursive = true})), "none");
}

TEST_F(FsPermissions, AnUnreadableFile) {
  ::chmod((folder / "file").c_str(), 0);
  EXPECT_EQ(error_of(fs::read_file(folder / "file")), "EACCES");
  EXPECT_EQ(error_of(fs::open(folder / "file")), "EACCES");
  EXPECT_EQ(error_of(fs::copy_file(folder / "file", folder / "copy")), "EACCES");
  EXPECT_EQ(error_of(fs::stat(folder / "file")), "none");
  EXPECT_EQ(error_of(fs::chown(folder / "file", 0, 0)), "EPERM");
  EXPECT_EQ(error_of(fs::chmod("/etc/passwd", 0)), "EPERM");
}

TEST_F(FsPermissions, AnAtomicWriteNeedsTheFolderOnlyForWriting) {
  ::mkdir((folder / "drop").c_str(), 0700);
  put(folder / "drop/a", "old");
  ::chmod((folder / "drop").c_str(), 0300);
  EXPECT_EQ(error_of(fs::write_file(folder / "drop/a", "new", {.atomic = true})), "none");
  ::chmod((folder / "drop").c_str(), 0700);
  EXPECT_EQ(content_of(folder / "drop/a"), "new");
}

}  // namespace
}  // namespace rondo
