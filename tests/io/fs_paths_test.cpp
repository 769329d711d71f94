#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <cstring>

#include "io/fs_fixture.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class FsPaths : public FsTest {
 protected:
  /// By a name that is not in the kernel's cache, or one that is: two code paths.
  void expect_same_stat(const fs::Stat& stat, const std::string& path, bool follow) {
    struct stat real{};
    ASSERT_EQ(follow ? ::stat(path.c_str(), &real) : ::lstat(path.c_str(), &real), 0);
    EXPECT_EQ(stat.mode, real.st_mode);
    EXPECT_EQ(stat.uid, real.st_uid);
    EXPECT_EQ(stat.gid, real.st_gid);
    EXPECT_EQ(stat.dev, real.st_dev);
    EXPECT_EQ(stat.rdev, real.st_rdev);
    EXPECT_EQ(stat.ino, real.st_ino);
    EXPECT_EQ(stat.nlink, real.st_nlink);
    EXPECT_EQ(stat.size, static_cast<std::uint64_t>(real.st_size));
    EXPECT_EQ(stat.blocks, static_cast<std::uint64_t>(real.st_blocks));
    const auto time = [](const timespec& t) {
      return fs::FileTime(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
    };
    EXPECT_EQ(stat.mtime, time(real.st_mtim));
    EXPECT_EQ(stat.ctime, time(real.st_ctim));
  }
};

TEST_F(FsPaths, StatsEverythingThereIs) {
  put(folder / "file", "12345");
  ::mkfifo((folder / "fifo").c_str(), 0600);
  ::symlink("file", (folder / "link").c_str());
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::strcpy(address.sun_path, (folder / "socket").c_str());
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ::close(listener);

  const std::pair<std::string, fs::FileType> things[] = {
      {folder / "file", fs::FileType::regular}, {folder.path(), fs::FileType::folder},
      {folder / "fifo", fs::FileType::fifo},    {folder / "socket", fs::FileType::socket},
      {"/dev/null", fs::FileType::char_device}, {"/proc/self/status", fs::FileType::regular},
      {folder / "link", fs::FileType::symlink},
  };
  for (const auto& [path, type] : things) {
    const auto stat = get(fs::lstat(path));
    ASSERT_TRUE(stat.has_value()) << path;
    EXPECT_EQ(stat->type, type) << path;
    expect_same_stat(*stat, path, false);
  }
  const auto followed = get(fs::stat(folder / "link"));
  EXPECT_TRUE(followed->is_regular());
  expect_same_stat(*followed, folder / "link", true);
  EXPECT_TRUE(get(fs::stat(folder / "file"))->birthtime.has_value());
}

// A name that was asked for a moment ago takes another way.
TEST_F(FsPaths, StatsWhatANameStandsForNow) {
  const std::string name = folder / "name";
  const auto expect = [&](std::uint64_t size, fs::FileType type) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(get(fs::stat(name))->size, size);
      EXPECT_EQ(get(fs::lstat(name))->type, type);
      EXPECT_EQ(error_of(fs::access(name, R_OK)), "none");
    }
  };
  put(name, "12345");
  expect(5, fs::FileType::regular);
  put(folder / "other", "123456789");
  ::rename((folder / "other").c_str(), name.c_str());
  expect(9, fs::FileType::regular);
  put(folder / "target", "1");
  ::unlink(name.c_str());
  ::symlink("target", name.c_str());
  expect(1, fs::FileType::symlink);
  ::unlink(name.c_str());
  EXPECT_EQ(error_of(fs::stat(name)), "ENOENT");
  EXPECT_EQ(error_of(fs::lstat(name)), "ENOENT");
  EXPECT_EQ(error_of(fs::access(name)), "ENOENT");
  put(name, "12");
  expect(2, fs::FileType::regular);
}

TEST_F(FsPaths, StatTellsWhyItCannot) {
  put(folder / "file", "");
  ::symlink("nowhere", (folder / "dangling").c_str());
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(error_of(fs::stat(folder / "none")), "ENOENT");
    EXPECT_EQ(error_of(fs::stat(folder / "file/x")), "ENOTDIR");
    EXPECT_EQ(error_of(fs::stat(folder / "dangling")), "ENOENT");
    EXPECT_EQ(error_of(fs::lstat(folder / "dangling")), "none");
    EXPECT_EQ(error_of(fs::stat("")), "ENOENT");
    EXPECT_EQ(error_of(fs::stat(std::string("/\0", 2))), "EINVAL");
    EXPECT_EQ(error_of(fs::stat(std::string(5000, 'x'))), "ENAMETOOLONG");
  }
}

TEST_F(FsPaths, TakesAnyKindOfPath) {
  put(folder / "file", "");
  const std::string text = folder / "file";
  EXPECT_EQ(error_of(fs::stat(text)), "none");
  EXPECT_EQ(error_of(fs::stat(text.c_str())), "none");
  EXPECT_EQ(error_of(fs::stat(std::string_view(text))), "none");
  EXPECT_EQ(error_of(fs::stat(std::filesystem::path(text))), "none");
}

TEST_F(FsPaths, Access) {
  put(folder / "file", "");
  EXPECT_EQ(error_of(fs::access(folder / "file")), "none");
  EXPECT_EQ(error_of(fs::access(folder / "file", R_OK | W_OK)), "none");
  EXPECT_EQ(error_of(fs::access(folder / "file", X_OK)), "EACCES");  // not permitted, even to root
  EXPECT_EQ(error_of(fs::access(folder / "none")), "ENOENT");
  EXPECT_EQ(error_of(fs::access(folder / "file", 1024)), "EINVAL");
}

TEST_F(FsPaths, RealpathAndReadlink) {
  put(folder / "file", "");
  ::symlink("file", (folder / "link").c_str());
  ::symlink(std::string(1000, 'x').c_str(), (folder / "long").c_str());
  const std::string real = std::filesystem::canonical(folder / "file");
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(get(fs::realpath(folder / "link")), real);
    EXPECT_EQ(get(fs::realpath(folder / "./../" + folder.path().substr(folder.path().rfind('/')) +
                               "//link")),
              real);
    EXPECT_EQ(get(fs::realpath(".")), std::filesystem::current_path().string());
    EXPECT_EQ(get(fs::realpath("/")), "/");
    EXPECT_EQ(error_of(fs::realpath(folder / "none")), "ENOENT");
    EXPECT_EQ(error_of(fs::realpath("")), "ENOENT");
  }
  EXPECT_EQ(get(fs::readlink(folder / "link")), "file");
  EXPECT_EQ(get(fs::readlink(folder / "long")), std::string(1000, 'x'));
  EXPECT_EQ(error_of(fs::readlink(folder / "file")), "EINVAL");
  EXPECT_EQ(error_of(fs::readlink(std::string("a\0b", 3))), "EINVAL");
  // A name that looks like that of something removed.
  put(folder / "x (deleted)", "");
  EXPECT_EQ(get(fs::realpath(folder / "x (deleted)")),
            std::filesystem::canonical(folder / "x (deleted)").string());
}

TEST_F(FsPaths, RenamesUnlinksAndLinks) {
  put(folder / "a", "content");
  EXPECT_EQ(error_of(fs::rename(folder / "a", folder / "b")), "none");
  EXPECT_EQ(content_of(folder / "b"), "content");
  EXPECT_EQ(error_of(fs::rename(folder / "a", folder / "c")), "ENOENT");
  EXPECT_EQ(error_of(fs::link(folder / "b", folder / "hard")), "none");
  EXPECT_EQ(error_of(fs::link(folder / "b", folder / "hard")), "EEXIST");
  EXPECT_EQ(get(fs::stat(folder / "b"))->nlink, 2U);
  EXPECT_EQ(error_of(fs::symlink("b", folder / "soft")), "none");
  EXPECT_EQ(std::filesystem::read_symlink(folder / "soft"), "b");
  EXPECT_EQ(error_of(fs::symlink("b", folder / "soft")), "EEXIST");
  EXPECT_EQ(error_of(fs::unlink(folder / "hard")), "none");
  EXPECT_EQ(error_of(fs::unlink(folder / "hard")), "ENOENT");
  EXPECT_EQ(error_of(fs::unlink(folder.path())), "EISDIR");
  const std::string nul("x\0y", 3);
  EXPECT_EQ(error_of(fs::rename(folder / "b", nul)), "EINVAL");
  EXPECT_EQ(error_of(fs::rename(nul, folder / "b")), "EINVAL");
  EXPECT_EQ(error_of(fs::symlink(nul, folder / "n")), "EINVAL");
}

TEST_F(FsPaths, ChangesModeOwnerTimesAndSize) {
  put(folder / "a", "12345");
  ::symlink("a", (folder / "link").c_str());
  EXPECT_EQ(error_of(fs::chmod(folder / "a", 0604)), "none");
  EXPECT_EQ(mode_of(folder / "a"), 0604U);
  EXPECT_EQ(error_of(fs::chown(folder / "a", ::getuid(), ::getgid())), "none");
  EXPECT_EQ(error_of(fs::lchown(folder / "link", ::getuid(), ::getgid())), "none");
  EXPECT_EQ(error_of(fs::truncate(folder / "a", 2)), "none");
  EXPECT_EQ(content_of(folder / "a"), "12");
  EXPECT_EQ(error_of(fs::truncate(folder / "a", ~std::uint64_t{0})), "EINVAL");

  const fs::FileTime first{1'000'000'000'000'000'001ns};
  const fs::FileTime second{1'500'000'000'000'000'002ns};
  EXPECT_EQ(error_of(fs::utimes(folder / "link", first, second)), "none");
  EXPECT_EQ(error_of(fs::lutimes(folder / "link", second, first)), "none");
  const auto file = get(fs::stat(folder / "a"));
  EXPECT_EQ(file->atime, first);
  EXPECT_EQ(file->mtime, second);
  const auto link = get(fs::lstat(folder / "link"));
  EXPECT_EQ(link->mtime, first);

  const std::string nul("x\0y", 3);
  EXPECT_EQ(error_of(fs::chmod(nul, 0)), "EINVAL");
  EXPECT_EQ(error_of(fs::chown(nul, 0, 0)), "EINVAL");
  EXPECT_EQ(error_of(fs::utimes(nul, first, first)), "EINVAL");
  EXPECT_EQ(error_of(fs::truncate(nul, 0)), "EINVAL");
  EXPECT_EQ(error_of(fs::chmod(folder / "none", 0)), "ENOENT");
}

}  // namespace
}  // namespace rondo
