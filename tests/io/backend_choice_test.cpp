// Which backend a loop gets, and what it says when it cannot have the one that is wanted.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/rondo.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Each test says for itself what RONDO_BACKEND is; afterwards it is what ctest made it.
class BackendChoice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* value = std::getenv("RONDO_BACKEND")) original_ = value;
    ::unsetenv("RONDO_BACKEND");
  }
  void TearDown() override {
    if (original_) force(original_->c_str());
  }
  static void force(const char* name) { ::setenv("RONDO_BACKEND", name, 1); }

  /// The text and code of what making a loop throws.
  static std::pair<std::string, std::error_code> refusal(LoopOptions options = {}) {
    try {
      const Loop loop(options);
      return {"a loop was made on " + std::string(loop.backend()), {}};
    } catch (const std::system_error& error) {
      return {error.what(), error.code()};
    }
  }

 private:
  std::optional<std::string> original_;
};

TEST_F(BackendChoice, AutomaticallyItIsUringWhereTheKernelOffersIt) {
  const Loop loop;
  EXPECT_EQ(loop.backend(), "uring");
  EXPECT_EQ(loop.backend_reason(), "uring, because the kernel offers it");
}

TEST_F(BackendChoice, TheOptionsMayAskForOne) {
  const Loop uring({.backend = BackendKind::uring});
  EXPECT_EQ(uring.backend(), "uring");
  EXPECT_EQ(uring.backend_reason(), "uring, because the loop's options asked for it");
  const Loop epoll({.backend = BackendKind::epoll});
  EXPECT_EQ(epoll.backend(), "epoll");
  EXPECT_EQ(epoll.backend_reason(), "epoll, because the loop's options asked for it");
}

TEST_F(BackendChoice, RondoBackendForcesOneWhateverTheOptionsSay) {
  for (const BackendKind kind : {BackendKind::automatic, BackendKind::uring, BackendKind::epoll}) {
    force("uring");
    EXPECT_EQ(Loop({.backend = kind}).backend(), "uring");
    force("epoll");
    const Loop loop({.backend = kind});
    EXPECT_EQ(loop.backend(), "epoll");
    EXPECT_EQ(loop.backend_reason(), "epoll, because RONDO_BACKEND=epoll asked for it");
  }
}

TEST_F(BackendChoice, AnEmptyRondoBackendForcesNothing) {
  force("");
  EXPECT_EQ(Loop({.backend = BackendKind::epoll}).backend(), "epoll");
}

TEST_F(BackendChoice, ANonsensicalWishIsAClearError) {
  for (const char* name : {"kqueue", "URING", " uring", "automatic"}) {
    force(name);
    const auto [text, code] = refusal();
    EXPECT_EQ(code, std::errc::invalid_argument) << name;
    EXPECT_THAT(text, AllOf(HasSubstr("RONDO_BACKEND=" + std::string(name)),
                            HasSubstr("there is no such backend; it is uring or epoll")));
  }
}

TEST_F(BackendChoice, BothRunTheSameProgramInTheSameWay) {
  std::string traces[2];
  for (const BackendKind kind : {BackendKind::uring, BackendKind::epoll}) {
    std::string& trace = traces[kind == BackendKind::epoll ? 1 : 0];
    VirtualClock clock;
    Loop loop({.backend = kind, .clock = &clock});
    loop.set_timeout(5ms, [&] { trace += "timeout "; });
    loop.set_immediate([&] { trace += "immediate "; });
    loop.post([&] { trace += "posted "; });
    loop.run();
  }
  EXPECT_EQ(traces[0], "posted immediate timeout ");
  EXPECT_EQ(traces[0], traces[1]);
}

// ---- A kernel that says no ---------------------------------------------------------------------

/// From here on `call` fails with `error` in this process.
void refuse(unsigned call, unsigned error) {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {.len = std::size(program), .filter = program};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    std::perror("seccomp");
    ::_exit(9);
  }
}

/// Says on standard error what a loop made of it, for the test to read.
[[noreturn]] void tell_and_exit(LoopOptions options = {}) {
  try {
    VirtualClock clock;
    options.clock = &clock;
    Loop loop(options);
    bool ran = false;
    loop.set_timeout(1ms, [&] { ran = true; });
    loop.run();
    std::fprintf(stderr, "%s\n", loop.backend_reason().c_str());
    ::_exit(loop.backend() == "epoll" && ran ? 0 : 1);
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    ::_exit(error.code().value());
  }
}

using BackendChoiceDeathTest = BackendChoice;

TEST_F(BackendChoiceDeathTest, WhereUringIsForbiddenEpollTakesItsPlaceAndSaysWhy) {
  EXPECT_EXIT((refuse(SYS_io_uring_setup, EPERM), tell_and_exit()), ExitedWithCode(0),
              "epoll, because io_uring was refused: io_uring_setup.*EPERM.*"
              "io_uring is forbidden here, probably by a seccomp filter");
}

TEST_F(BackendChoiceDeathTest, WhereUringIsMissingEpollTakesItsPlaceAndSaysWhy) {
  EXPECT_EXIT((refuse(SYS_io_uring_setup, ENOSYS), tell_and_exit()), ExitedWithCode(0),
              "epoll, because io_uring was refused: io_uring_setup.*ENOSYS.*"
              "this kernel has no io_uring");
}

TEST_F(BackendChoiceDeathTest, WhereUringIsTooOldEpollTakesItsPlaceAndSaysWhy) {
  EXPECT_EXIT((refuse(SYS_io_uring_setup, EINVAL), tell_and_exit()), ExitedWithCode(0),
              "epoll, because io_uring was refused: io_uring_setup.*EINVAL.*older than Linux 6.0");
}

TEST_F(BackendChoiceDeathTest, WhereMemoryMayNotBeLockedEpollTakesItsPlaceAndSaysWhy) {
  EXPECT_EXIT((refuse(SYS_io_uring_setup, ENOMEM), tell_and_exit()), ExitedWithCode(0),
              "epoll, because io_uring was refused: io_uring_setup.*ENOMEM.*ulimit -l");
}

TEST_F(BackendChoiceDeathTest, WhereUringMayBeSetUpButNotEnteredEpollTakesItsPlace) {
  // Such filters exist: they were written for the calls of another time.
  EXPECT_EXIT((refuse(SYS_io_uring_enter, EPERM), tell_and_exit()), ExitedWithCode(0),
              "epoll, because io_uring was refused");
}

TEST_F(BackendChoiceDeathTest, WhereUringMayNotBeRegisteredWithEpollTakesItsPlace) {
  EXPECT_EXIT((refuse(SYS_io_uring_register, EPERM), tell_and_exit()), ExitedWithCode(0),
              "epoll, because io_uring was refused");
}

TEST_F(BackendChoiceDeathTest, AForcedUringThatIsRefusedIsAClearError) {
  force("uring");
  EXPECT_EXIT((refuse(SYS_io_uring_setup, EPERM), tell_and_exit()), ExitedWithCode(EPERM),
              "RONDO_BACKEND=uring: io_uring_setup.*EPERM.*io_uring is forbidden here");
}

TEST_F(BackendChoiceDeathTest, AUringThatTheOptionsAskForAndIsRefusedIsAClearError) {
  EXPECT_EXIT((refuse(SYS_io_uring_setup, ENOSYS), tell_and_exit({.backend = BackendKind::uring})),
              ExitedWithCode(ENOSYS),
              "the loop's options: io_uring_setup.*ENOSYS.*has no io_uring");
}

TEST_F(BackendChoiceDeathTest, WithoutDescriptorsToGiveThereIsNoBackendAndTheErrorSaysSo) {
  // By a filter and not by a limit: sanitizers need descriptors of their own.
  EXPECT_EXIT((refuse(SYS_eventfd2, EMFILE), tell_and_exit()), ExitedWithCode(EMFILE),
              "eventfd: Too many open files");
}

TEST_F(BackendChoiceDeathTest, ABackendThatCannotBeMadeLeavesNoDescriptorsOpen) {
  const auto count_after_refusal = [] {
    refuse(SYS_io_uring_setup, EPERM);
    const int before = ::dup(2);
    ::close(before);
    for (int i = 0; i < 100; ++i) {
      try {
        const Loop loop({.backend = BackendKind::uring});
      } catch (const std::system_error&) {
      }
    }
    const int after = ::dup(2);
    ::_exit(before == after ? 0 : 1);
  };
  EXPECT_EXIT(count_after_refusal(), ExitedWithCode(0), "");
}

}  // namespace
}  // namespace rondo::test
