// Every system call interrupted, again and again: no EINTR may reach the program.
#include <sys/time.h>

#include <atomic>
#include <csignal>

#include "io/fs_fixture.h"

namespace rondo {
namespace {

std::atomic<int> signals = 0;

class FsSignals : public FsTest {
 protected:
  void SetUp() override {
    struct sigaction action{};
    action.sa_handler = [](int) { ++signals; };  // without SA_RESTART
    ASSERT_EQ(::sigaction(SIGALRM, &action, nullptr), 0);
    const itimerval often{.it_interval = {0, 100}, .it_value = {0, 100}};
    ASSERT_EQ(::setitimer(ITIMER_REAL, &often, nullptr), 0);
  }
  void TearDown() override {
    const itimerval never{};
    ::setitimer(ITIMER_REAL, &never, nullptr);
  }
};

TEST_F(FsSignals, NobodySeesAnInterruption) {
  const int before = signals;
  const std::string text = pattern(200'000);
  for (int i = 0; i < 100; ++i) {
    const std::string path = folder / ("f" + std::to_string(i % 4));
    ASSERT_EQ(error_of(fs::write_file(path, text, {.atomic = i % 2 == 0})), "none");
    const auto read = get(fs::read_file(path));
    ASSERT_TRUE(read == text);
    ASSERT_EQ(error_of(fs::stat(path + "none")), "ENOENT");
    ASSERT_EQ(error_of(fs::copy_file(path, folder / "copy")), "none");
    ASSERT_EQ(error_of(fs::mkdir(folder / "a/b/c", {.recursive = true})), "none");
    ASSERT_EQ(error_of(fs::rename(path, folder / "a/b/c/moved")), "none");
    ASSERT_EQ(error_of(fs::rm(folder / "a", {.recursive = true})), "none");
    auto file = get(fs::open(path, O_RDWR | O_CREAT));
    ASSERT_TRUE(file.has_value());
    ASSERT_EQ(get(file->write(fs::bytes_of(text), 0)), text.size());
    ASSERT_EQ(error_of(file->sync()), "none");
    ASSERT_EQ(error_of(file->close()), "none");
  }
  EXPECT_GT(signals, before);
}

}  // namespace
}  // namespace rondo
