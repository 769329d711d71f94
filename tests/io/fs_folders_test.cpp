#include <sys/resource.h>

#include <set>
#include <stop_token>
#include <thread>

#include "io/fs_fixture.h"

namespace rondo {
namespace {

using testing::UnorderedElementsAre;

class FsFolders : public FsTest {};

TEST_F(FsFolders, MakesOneFolder) {
  EXPECT_EQ(get(fs::mkdir(folder / "a")), folder / "a");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a"));
  EXPECT_EQ(error_of(fs::mkdir(folder / "a")), "EEXIST");
  EXPECT_EQ(error_of(fs::mkdir(folder / "x/y")), "ENOENT");
  EXPECT_EQ(error_of(fs::mkdir(std::string("x\0y", 3))), "EINVAL");
  const mode_t before = ::umask(022);
  get(fs::mkdir(folder / "b", {.mode = 0777}));
  ::umask(before);
  EXPECT_EQ(mode_of(folder / "b"), 0755U);
}

TEST_F(FsFolders, MakesFoldersWithParents) {
  EXPECT_EQ(get(fs::mkdir(folder / "a/b/c", {.recursive = true})), folder / "a");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  EXPECT_EQ(get(fs::mkdir(folder / "a/b/c", {.recursive = true})), "");
  EXPECT_EQ(get(fs::mkdir(folder / "a/b//d///e//", {.recursive = true})), folder / "a/b//d");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/d/e"));
  EXPECT_EQ(get(fs::mkdir("/", {.recursive = true})), "");
  EXPECT_EQ(error_of(fs::mkdir("", {.recursive = true})), "ENOENT");
  put(folder / "file", "");
  EXPECT_EQ(error_of(fs::mkdir(folder / "file", {.recursive = true})), "EEXIST");
  EXPECT_EQ(error_of(fs::mkdir(folder / "file/x/y", {.recursive = true})), "ENOTDIR");
  ::symlink((folder / "a").c_str(), (folder / "link").c_str());
  EXPECT_EQ(get(fs::mkdir(folder / "link/z", {.recursive = true})), folder / "link/z");
  // It is there, but takes no entries and says that they do not exist.
  EXPECT_EQ(error_of(fs::mkdir("/proc/no/folder", {.recursive = true})), "ENOENT");
}

TEST_F(FsFolders, MakesFreshFolders) {
  std::set<std::string> made;
  for (int i = 0; i < 20; ++i) {
    const auto path = get(fs::mkdtemp(folder / "fresh-"));
    ASSERT_TRUE(path.has_value());
    EXPECT_TRUE(path->starts_with(folder / "fresh-"));
    EXPECT_EQ(path->size(), (folder / "fresh-").size() + 6);
    EXPECT_EQ(mode_of(*path), 0700U);
    EXPECT_TRUE(made.insert(*path).second);
  }
  EXPECT_EQ(error_of(fs::mkdtemp(folder / "none/fresh-")), "ENOENT");
  EXPECT_EQ(error_of(fs::mkdtemp(std::string("x\0y", 3))), "EINVAL");
}

TEST_F(FsFolders, ListsWithTypes) {
  put(folder / "file", "");
  put(folder / ".hidden", "");
  ::mkdir((folder / "sub").c_str(), 0700);
  ::symlink("sub", (folder / "link").c_str());
  ::mkfifo((folder / "fifo").c_str(), 0600);
  EXPECT_THAT(get(fs::readdir(folder.path())).value(),
              UnorderedElementsAre(fs::DirEntry{"file", fs::FileType::regular},
                                   fs::DirEntry{".hidden", fs::FileType::regular},
                                   fs::DirEntry{"sub", fs::FileType::folder},
                                   fs::DirEntry{"link", fs::FileType::symlink},
                                   fs::DirEntry{"fifo", fs::FileType::fifo}));
  EXPECT_TRUE(get(fs::readdir(folder / "sub"))->empty());
  EXPECT_EQ(error_of(fs::readdir(folder / "file")), "ENOTDIR");
  EXPECT_EQ(error_of(fs::readdir(folder / "none")), "ENOENT");
  EXPECT_EQ(error_of(fs::readdir(std::string("x\0y", 3))), "EINVAL");
}

TEST_F(FsFolders, ListsALargeFolder) {
  for (int i = 0; i < 2000; ++i) put(folder / ("entry-" + std::to_string(i)), "");
  const auto entries = get(fs::readdir(folder.path()));
  std::set<std::string> names;
  for (const fs::DirEntry& entry : entries.value()) names.insert(entry.name);
  EXPECT_EQ(names.size(), 2000U);
  EXPECT_TRUE(names.contains("entry-1999"));
}

TEST_F(FsFolders, RemovesAFolder) {
  ::mkdir((folder / "a").c_str(), 0700);
  put(folder / "file", "");
  EXPECT_EQ(error_of(fs::rmdir(folder.path())), "ENOTEMPTY");
  EXPECT_EQ(error_of(fs::rmdir(folder / "file")), "ENOTDIR");
  EXPECT_EQ(error_of(fs::rmdir(folder / "a")), "none");
  EXPECT_EQ(error_of(fs::rmdir(folder / "a")), "ENOENT");
}

TEST_F(FsFolders, RmTakesWhatIsThere) {
  put(folder / "file", "");
  EXPECT_EQ(error_of(fs::rm(folder / "file")), "none");
  EXPECT_EQ(error_of(fs::rm(folder / "file")), "ENOENT");
  EXPECT_EQ(error_of(fs::rm(folder / "file", {.force = true})), "none");
  EXPECT_EQ(error_of(fs::rm(folder / "no/file", {.recursive = true, .force = true})), "none");
  ::mkdir((folder / "sub").c_str(), 0700);
  EXPECT_EQ(error_of(fs::rm(folder / "sub")), "EISDIR");
  EXPECT_EQ(error_of(fs::rm(folder / "sub", {.force = true})), "EISDIR");
  EXPECT_EQ(error_of(fs::rm(folder / "sub", {.recursive = true})), "none");
  EXPECT_EQ(error_of(fs::rm(std::string("x\0y", 3), {.force = true})), "EINVAL");
}

TEST_F(FsFolders, RmTakesATreeAndNothingElse) {
  put(folder / "outside", "stays");
  std::filesystem::create_directories(folder / "tree/a/b/c");
  put(folder / "tree/a/b/file", "");
  put(folder / "tree/.hidden", "");
  ::symlink("../outside", (folder / "tree/link").c_str());
  ::symlink("..", (folder / "tree/a/up").c_str());
  ::mkfifo((folder / "tree/fifo").c_str(), 0600);
  EXPECT_EQ(error_of(fs::rm(folder / "tree", {.recursive = true})), "none");
  EXPECT_FALSE(std::filesystem::exists(folder / "tree"));
  EXPECT_EQ(content_of(folder / "outside"), "stays");
  // A symbolic link to a folder is removed itself.
  ::mkdir((folder / "real").c_str(), 0700);
  put(folder / "real/file", "");
  ::symlink("real", (folder / "link").c_str());
  EXPECT_EQ(error_of(fs::rm(folder / "link", {.recursive = true})), "none");
  EXPECT_TRUE(std::filesystem::exists(folder / "real/file"));
}

TEST_F(FsFolders, RmTakesATreeDeeperThanThereAreDescriptors) {
  constexpr int kLevels = 400;
  int fd = ::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < kLevels; ++i) {
    const char* name = i == 0 ? "tree" : "sub";
    ASSERT_EQ(::mkdirat(fd, name, 0700), 0);
    const int file = ::openat(fd, "file", O_CREAT | O_WRONLY, 0600);
    ::close(file);
    const int next = ::openat(fd, name, O_RDONLY | O_DIRECTORY);
    ::close(fd);
    fd = next;
  }
  ::close(fd);
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{.rlim_cur = 120, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  const std::string error = error_of(fs::rm(folder / "tree", {.recursive = true}));
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(error, "none");
  EXPECT_FALSE(std::filesystem::exists(folder / "tree"));
}

TEST_F(FsFolders, RmIsNotLedAstray) {
  // A folder that turns into a link and back while the tree is removed.
  std::filesystem::create_directories(folder / "precious");
  put(folder / "precious/file", "stays");
  std::jthread swapper([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      ::mkdir((folder / "tree/a").c_str(), 0700);
      ::rmdir((folder / "tree/a").c_str());
      ::symlink("../precious", (folder / "tree/a").c_str());
      ::unlink((folder / "tree/a").c_str());
    }
  });
  for (int i = 0; i < 200; ++i) {
    ::mkdir((folder / "tree").c_str(), 0700);
    // Whether it succeeds is a matter of luck.
    EXPECT_THAT(error_of(fs::rm(folder / "tree", {.recursive = true})),
                testing::AnyOf("none", "ENOTEMPTY", "ENOTDIR", "EISDIR"));
  }
  swapper.request_stop();
  swapper.join();
  EXPECT_EQ(content_of(folder / "precious/file"), "stays");
}

// ---- copy_file ----------------------------------------------------------------------------------

TEST_F(FsFolders, CopiesContentAndMode) {
  for (const std::size_t size : {0U, 1U, 100'000U, 4'000'000U}) {
    const std::string text = pattern(size);
    put(folder / "a", text);
    ::chmod((folder / "a").c_str(), 0705);
    EXPECT_EQ(error_of(fs::copy_file(folder / "a", folder / "b")), "none");
    EXPECT_TRUE(content_of(folder / "b") == text) << size;
    EXPECT_EQ(mode_of(folder / "b"), 0705U);
  }
  put(folder / "a", "shorter");
  ::chmod((folder / "a").c_str(), 0640);
  EXPECT_EQ(error_of(fs::copy_file(folder / "a", folder / "b")), "none");
  EXPECT_EQ(content_of(folder / "b"), "shorter");
  EXPECT_EQ(mode_of(folder / "b"), 0640U) << "also of a target that was there";
}

TEST_F(FsFolders, CopiesTheTimeOfAccessAndTheOwner) {
  const timespec old[] = {{100, 0}, {200, 0}};
  for (const char* text : {"", "content"}) {
    const bool is_empty = *text == '\0';
    for (const bool exists : {false, true}) {
      put(folder / "a", text);
      if (::geteuid() == 0) {
        ASSERT_EQ(::chown((folder / "a").c_str(), 1, 2), 0);
      }
      ASSERT_EQ(::utimensat(AT_FDCWD, (folder / "a").c_str(), old, 0), 0);
      ::unlink((folder / "b").c_str());
      if (exists) put(folder / "b", "what was there before");
      EXPECT_EQ(error_of(fs::copy_file(folder / "a", folder / "b")), "none");
      struct stat copy{};
      ASSERT_EQ(::stat((folder / "b").c_str(), &copy), 0);
      EXPECT_EQ(copy.st_atim.tv_sec, 100) << text << exists;
      EXPECT_EQ(copy.st_mtim.tv_sec == 200, is_empty) << text << exists;
      if (::geteuid() == 0) {
        EXPECT_EQ(copy.st_uid, 1U);
        EXPECT_EQ(copy.st_gid, 2U);
      }
    }
  }
}

TEST_F(FsFolders, CopyTellsWhyItCannot) {
  put(folder / "a", "a");
  put(folder / "b", "b");
  EXPECT_EQ(error_of(fs::copy_file(folder / "a", folder / "b", {.exclusive = true})), "EEXIST");
  EXPECT_EQ(content_of(folder / "b"), "b");
  EXPECT_EQ(error_of(fs::copy_file(folder / "none", folder / "c")), "ENOENT");
  EXPECT_FALSE(std::filesystem::exists(folder / "c"));
  EXPECT_EQ(error_of(fs::copy_file(folder.path(), folder / "c")), "EISDIR");
  EXPECT_FALSE(std::filesystem::exists(folder / "c"));
  EXPECT_EQ(error_of(fs::copy_file(folder / "a", folder.path())), "EISDIR");
  EXPECT_EQ(error_of(fs::copy_file(folder / "a", folder / "no/c")), "ENOENT");
  EXPECT_EQ(error_of(fs::copy_file(folder / "a", std::string("x\0y", 3))), "EINVAL");
  EXPECT_EQ(error_of(fs::copy_file(folder / "a", "/dev/full")), "ENOSPC");
}

TEST_F(FsFolders, ACopyOntoItselfDestroysNothing) {
  put(folder / "a", "content");
  ::link((folder / "a").c_str(), (folder / "b").c_str());
  EXPECT_EQ(error_of(fs::copy_file(folder / "a", folder / "a")), "none");
  EXPECT_EQ(error_of(fs::copy_file(folder / "a", folder / "b")), "none");
  EXPECT_EQ(content_of(folder / "a"), "content");
}

TEST_F(FsFolders, CopiesWhatHasNoSize) {
  EXPECT_EQ(error_of(fs::copy_file("/proc/self/status", folder / "a")), "none");
  EXPECT_THAT(content_of(folder / "a"), testing::HasSubstr("Pid:"));
  EXPECT_EQ(error_of(fs::copy_file("/dev/null", folder / "b")), "none");
  EXPECT_EQ(content_of(folder / "b"), "");
}

TEST_F(FsFolders, ReflinkIsARequestThatMayFail) {
  put(folder / "a", "content");
  const std::string error =
      error_of(fs::copy_file(folder / "a", folder / "b", {.reflink = fs::Reflink::required}));
  if (error == "none") {
    EXPECT_EQ(content_of(folder / "b"), "content");
  } else {
    EXPECT_THAT(error, testing::AnyOf("EOPNOTSUPP", "ENOTSUP", "EXDEV", "EINVAL", "ENOTTY"));
    EXPECT_FALSE(std::filesystem::exists(folder / "b"));
  }
}

TEST_F(FsFolders, RmDoesNotFollowALinkWithASlashBehindIt) {
  ::mkdir((folder / "kept").c_str(), 0700);
  put(folder / "kept/file", "precious");
  ASSERT_EQ(::symlink("kept", (folder / "link").c_str()), 0);
  for (const char* path : {"link/", "link///"}) {
    EXPECT_EQ(error_of(fs::rm(folder / path, {.recursive = true})), "ENOTDIR") << path;
  }
  EXPECT_EQ(content_of(folder / "kept/file"), "precious");
  EXPECT_EQ(error_of(fs::rm(folder / "kept/", {.recursive = true})), "none");
  EXPECT_FALSE(std::filesystem::exists(folder / "kept"));
}

TEST_F(FsFolders, AReflinkThatCannotBeMadeLeavesTheTargetAsItWas) {
  put(folder / "from", "new content");
  put(folder / "to", "old");
  const auto copied =
      get(fs::copy_file(folder / "from", folder / "to", {.reflink = fs::Reflink::required}));
  EXPECT_EQ(content_of(folder / "to"), copied ? "new content" : "old");
  // And where it can, nothing of a longer target is left.
  put(folder / "to", "something longer than the new content");
  EXPECT_EQ(error_of(fs::copy_file(folder / "from", folder / "to")), "none");
  EXPECT_EQ(content_of(folder / "to"), "new content");
}

}  // namespace
}  // namespace rondo
