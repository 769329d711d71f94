// Paths of a WASI program do not lead out of the directory it was given, whatever links are there.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "runtime/wasi/resolve.h"

namespace rondo::wasi {
namespace {

namespace fs = std::filesystem;

class WasiResolve : public ::testing::Test {
 protected:
  WasiResolve() {
    std::string name = (fs::temp_directory_path() / "rondo-wasi-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    fs::create_directories(root_ / "box/inner/deep");
    std::ofstream(root_ / "secret") << "secret";
    std::ofstream(root_ / "box/file") << "file";
    base_ = OwnedFd(::open((root_ / "box").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~WasiResolve() override { fs::remove_all(root_); }

  void link(const std::string& target, const std::string& path) const {
    fs::create_symlink(target, root_ / "box" / path);
  }

  Errno find(std::string_view path, LastLink last = LastLink::follow) {
    found_ = Resolved();
    return resolve(base_.get(), "/box", path, last, found_);
  }

  /// What is read at the path if it can be opened without following a link.
  std::string content(std::string_view path) {
    if (find(path) != Errno::success) return "refused";
    const OwnedFd fd(::openat(found_.directory(), found_.name(), O_RDONLY | O_NOFOLLOW));
    char text[16] = {};
    return fd.valid() && ::read(fd.get(), text, sizeof text - 1) >= 0 ? text : "not opened";
  }

  fs::path root_;
  OwnedFd base_;
  Resolved found_;
};

TEST_F(WasiResolve, FindsWhatIsBelow) {
  link("inner", "dir");
  link("../../file", "inner/deep/up");
  link("/box/file", "absolute");
  EXPECT_EQ(content("file"), "file");
  EXPECT_EQ(content("./inner//deep/../../file"), "file");
  EXPECT_EQ(content("dir/deep/up"), "file");
  EXPECT_EQ(content("absolute"), "file");
  EXPECT_EQ(content("/box/file"), "file");
}

TEST_F(WasiResolve, RefusesPathsThatLeadOut) {
  for (const char* path : {"..", "../secret", "inner/../../secret", "/secret", "/boxer/file",
                           "/box/../secret", "missing/../../secret"}) {
    EXPECT_EQ(find(path), Errno::notcapable) << path;
  }
}

TEST_F(WasiResolve, RefusesLinksThatLeadOutAtTheEnd) {
  link("../secret", "out");
  link((root_ / "secret").string(), "absolute");
  link("out", "indirect");
  link("inner/deep/../../../secret", "long");
  for (const char* path : {"out", "absolute", "indirect", "long"}) {
    EXPECT_EQ(find(path), Errno::notcapable) << path;
  }
}

TEST_F(WasiResolve, RefusesLinksThatLeadOutInTheMiddle) {
  link("..", "parent");
  link(root_.string(), "absolute");
  link("../../..", "inner/deep/up");
  for (const char* path :
       {"parent/secret", "absolute/secret", "inner/deep/up/secret", "parent/box/../secret"}) {
    EXPECT_EQ(find(path), Errno::notcapable) << path;
    EXPECT_EQ(find(path, LastLink::keep), Errno::notcapable) << path;
  }
}

TEST_F(WasiResolve, KeepsTheLastLinkWhereItIsAskedFor) {
  link("../secret", "out");
  EXPECT_EQ(find("out", LastLink::keep), Errno::success);
  EXPECT_EQ(found_.entry, "out");
  // With a slash at the end the path means what the link stands for.
  EXPECT_EQ(find("out/", LastLink::keep), Errno::notcapable);
}

TEST_F(WasiResolve, EndsWhereLinksGoInCircles) {
  link("b", "a");
  link("a", "b");
  link("self/x", "self");
  EXPECT_EQ(find("a"), Errno::loop);
  EXPECT_EQ(find("self"), Errno::loop);
}

TEST_F(WasiResolve, KnowsTheDirectoryItself) {
  link("inner/..", "back");
  for (const char* path : {".", "inner/..", "back", "./"}) {
    EXPECT_EQ(find(path), Errno::success) << path;
    EXPECT_EQ(found_.entry, ".") << path;
  }
}

TEST_F(WasiResolve, RefusesEmptyAndEndlessPaths) {
  EXPECT_EQ(find(""), Errno::inval);
  EXPECT_EQ(find(std::string_view("\0x", 2)), Errno::inval);
  EXPECT_EQ(find(std::string(5000, 'a')), Errno::nametoolong);
  EXPECT_EQ(find("file/x"), Errno::notdir);
  EXPECT_EQ(find("missing/x"), Errno::noent);
}

TEST(WasiLink, MayOnlyPointBelowTheDirectory) {
  EXPECT_EQ(check_link("x", "a"), Errno::success);
  EXPECT_EQ(check_link("../x", "dir/a"), Errno::success);
  EXPECT_EQ(check_link("../x", "a"), Errno::notcapable);
  EXPECT_EQ(check_link("../../x", "dir/a"), Errno::notcapable);
  EXPECT_EQ(check_link("/x", "a"), Errno::perm);
  EXPECT_EQ(check_link("", "a"), Errno::inval);
}

}  // namespace
}  // namespace rondo::wasi
