// rondo/poll.h: readiness of a descriptor that something else owns.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "rondo/poll.h"

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr PollEvents kReadable = PollEvents::readable;
constexpr PollEvents kWritable = PollEvents::writable;

/// Two connected sockets.
class SocketPair {
 public:
  explicit SocketPair(int type = SOCK_STREAM) {
    EXPECT_EQ(::socketpair(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds_), 0);
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;
  ~SocketPair() {
    close_ours();
    close_theirs();
  }
  int ours() const { return fds_[0]; }
  int theirs() const { return fds_[1]; }
  void close_ours() { close_fd(fds_[0]); }
  void close_theirs() { close_fd(fds_[1]); }

 private:
  static void close_fd(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  int fds_[2] = {-1, -1};
};

class PollHandle : public LoopTest {
 protected:
  /// A callback that logs the name and leaves the descriptor as it is.
  auto log_event(std::string name) {
    return [this, name = std::move(name)](PollEvents) { trace.push_back(name); };
  }
  static std::error_code error_of(const Expected<>& result) {
    return result ? std::error_code() : result.error();
  }
};

TEST_F(PollHandle, ReportsWhatHolds) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  PollEvents seen = PollEvents::none;
  ASSERT_TRUE(poll.start(kReadable | kWritable, [&](PollEvents ready) { seen = ready; }));
  loop.run_nowait();
  EXPECT_EQ(seen, kReadable | kWritable);
  bell.silence();
  loop.run_nowait();
  EXPECT_EQ(seen, kWritable);
}

TEST_F(PollHandle, RunsInThePollPhase) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, [&](PollEvents) { EXPECT_EQ(loop.phase(), Phase::poll); }));
  loop.run_nowait();
  EXPECT_EQ(loop.metrics()[Phase::poll].callbacks, 1U);
}

TEST_F(PollHandle, ReportsNothingWhileNothingHolds) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_THAT(trace, IsEmpty());
  bell.ring();
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("readable"));
}

TEST_F(PollHandle, IsLevelTriggeredInEveryIterationWhileItHoldsAndNotOnceMore) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, [&](PollEvents) {
    trace.emplace_back("readable");
    if (trace.size() == 5) bell.silence();
  }));
  for (int i = 0; i < 10; ++i) loop.run_nowait();
  EXPECT_EQ(trace.size(), 5U);
}

TEST_F(PollHandle, IsReportedOncePerIterationBesideImmediates) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, [&](PollEvents) {
    trace.emplace_back("readable");
    if (trace.size() < 5) {
      loop.set_immediate(log("immediate"));
    } else {
      poll.close();
    }
  }));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("readable", "immediate", "readable", "immediate", "readable"));
}

TEST_F(PollHandle, WakesALoopThatSleepsWithoutLimit) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, [&](PollEvents) { poll.close(); }));
  loop.set_immediate([&] { loop.set_immediate([&] { bell.ring(); }); });
  EXPECT_FALSE(loop.run());
}

TEST_F(PollHandle, StartedAgainItChangesWhatIsWatched) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  loop.run_nowait();
  ASSERT_TRUE(poll.start(kWritable, log_event("writable")));
  for (int i = 0; i < 5 && trace.size() < 2; ++i) loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("readable", "writable"));
}

TEST_F(PollHandle, AChangeOfWhatTheKernelWaitsForTakesEffect) {
  const Bell bell;  // writable, not readable
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  loop.run_nowait();
  ASSERT_TRUE(poll.start(kWritable, log_event("writable")));
  for (int i = 0; i < 5 && trace.empty(); ++i) loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("writable"));
  trace.clear();
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  for (int i = 0; i < 5; ++i) loop.run_nowait();
  EXPECT_THAT(trace, IsEmpty());
  bell.ring();
  for (int i = 0; i < 5 && trace.empty(); ++i) loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("readable"));
}

TEST_F(PollHandle, AChangeWhileTheLoopSleepsWithoutLimitTakesEffect) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  loop.run_nowait();
  loop.set_immediate([&] {
    ASSERT_TRUE(poll.start(kWritable, [&](PollEvents) {
      trace.emplace_back("writable");
      poll.close();
    }));
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("writable"));
}

TEST_F(PollHandle, ManyChangesInARowEndWithTheLast) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(poll.start(i % 2 == 0 ? kReadable : kWritable, log_event("overruled")));
      if (i % 7 == 0) poll.stop();
    }
    ASSERT_TRUE(poll.start(kReadable, log_event("last")));
    trace.clear();
    for (int i = 0; i < 10 && trace.empty(); ++i) loop.run_nowait();
    ASSERT_FALSE(trace.empty());
    EXPECT_THAT(trace, ::testing::Each("last"));
  }
}

TEST_F(PollHandle, ReplacesItsOwnCallbackInItsOwnCallback) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(
      kReadable,
      [&, name = std::string("first, and still here after it was replaced")](PollEvents) {
        ASSERT_TRUE(poll.start(kReadable, log_event("second")));
        trace.push_back(name);
      }));
  for (int i = 0; i < 5 && trace.size() < 2; ++i) loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("first, and still here after it was replaced", "second"));
}

TEST_F(PollHandle, ADestructorOfTheReplacedCallbackMayStopIt) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, [guard = std::shared_ptr<void>(
                                         nullptr, [&](void*) { poll.stop(); })](PollEvents) {}));
  (void)poll.start(kReadable, log_event("readable"));
  // Whether the stop or the start wins is open; what the handle says has to be true.
  const bool active = poll.active();
  EXPECT_EQ(loop.alive(), active);
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(!trace.empty(), active);
}

// ---- Stop, close, destroy ----------------------------------------------------------------------

TEST_F(PollHandle, StoppedItReportsNothingAndDoesNotKeepTheLoopAlive) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  EXPECT_TRUE(poll.active());
  poll.stop();
  poll.stop();
  EXPECT_FALSE(poll.active());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, IsEmpty());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable again")));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("readable again"));
}

TEST_F(PollHandle, StoppedWhileTheKernelWatchesItReportsNothing) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  loop.run_nowait();
  poll.stop();
  bell.ring();
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(PollHandle, StoppedInACallbackOfTheSameBatchItReportsNothing) {
  const Bell bells[] = {Bell(1), Bell(1)};
  Poll first(loop, bells[0].fd());
  Poll second(loop, bells[1].fd());
  ASSERT_TRUE(first.start(kReadable, [&](PollEvents) {
    trace.emplace_back("first");
    second.stop();
  }));
  ASSERT_TRUE(second.start(kReadable, [&](PollEvents) {
    trace.emplace_back("second");
    first.stop();
  }));
  loop.run_nowait();
  EXPECT_EQ(trace.size(), 1U);
}

TEST_F(PollHandle, AnEventCollectedBeforeAStopIsNotReportedAfterANewStart) {
  const Bell bells[] = {Bell(1), Bell(1)};
  Poll first(loop, bells[0].fd());
  Poll second(loop, bells[1].fd());
  const auto take_from_other = [&](const Bell& other_bell, Poll& other) {
    return [&](PollEvents) {
      trace.emplace_back("first of the batch");
      other_bell.silence();  // it is not readable any more
      other.stop();
      ASSERT_TRUE(other.start(kReadable, log_event("not readable")));
    };
  };
  ASSERT_TRUE(first.start(kReadable, take_from_other(bells[1], second)));
  ASSERT_TRUE(second.start(kReadable, take_from_other(bells[0], first)));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("first of the batch"));
}

TEST_F(PollHandle, DestroyedInACallbackOfTheSameBatchItReportsNothing) {
  const Bell bells[] = {Bell(1), Bell(1), Bell(1)};
  std::optional<Poll> polls[3];
  for (std::size_t i = 0; i < 3; ++i) {
    polls[i].emplace(loop, bells[i].fd());
    ASSERT_TRUE(polls[i]->start(kReadable, [&, i](PollEvents) {
      trace.push_back(std::to_string(i));
      for (std::size_t other = 0; other < 3; ++other) {
        if (other != i) polls[other].reset();
      }
    }));
  }
  loop.run_nowait();
  EXPECT_EQ(trace.size(), 1U);
}

TEST_F(PollHandle, DestroyedInItsOwnCallbackItIsGone) {
  const Bell bell(1);
  auto poll = std::make_unique<Poll>(loop, bell.fd());
  ASSERT_TRUE(
      poll->start(kReadable, [&, name = std::string("callable outlives the handle")](PollEvents) {
        poll.reset();
        trace.push_back(name);
      }));
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("callable outlives the handle"));
}

TEST_F(PollHandle, OwnedByItsOwnCallbackItGoesWhenItStops) {
  const Bell bell(1);
  const auto held = std::make_shared<int>(0);
  {
    const auto poll = std::make_shared<Poll>(loop, bell.fd());
    ASSERT_TRUE(poll->start(kReadable, [poll, held](PollEvents) { poll->stop(); }));
  }
  EXPECT_EQ(held.use_count(), 2);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(PollHandle, DestroyedBeforeRunItIsAsIfItHadNeverBeen) {
  const Bell bell(1);
  {
    Poll poll(loop, bell.fd());
    ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  }
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(loop.run());
  loop.run_nowait();
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(PollHandle, ClosedItsCallbackRunsInTheClosePhase) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  poll.close(log_phase("closed"));
  EXPECT_TRUE(poll.closed());
  EXPECT_FALSE(poll.active());
  EXPECT_THAT(trace, IsEmpty());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("closed:close"));
}

TEST_F(PollHandle, ClosingAgainIsHarmlessAndEachCallbackRunsOnce) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  poll.close(log("first"));
  poll.close();
  poll.close(log("second"));
  EXPECT_FALSE(loop.run());
  poll.close();
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("first", "second"));
}

TEST_F(PollHandle, AfterItsHandleIsGoneTheCloseCallbackStillRuns) {
  const Bell bell;
  {
    Poll poll(loop, bell.fd());
    poll.close(log("closed"));
  }
  loop.run();
  EXPECT_THAT(trace, ElementsAre("closed"));
}

TEST_F(PollHandle, MovedItStaysTheSameHandle) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  Poll moved(std::move(poll));
  EXPECT_TRUE(moved.active());
  EXPECT_EQ(moved.fd(), bell.fd());
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("readable"));
  const Bell other;
  moved = Poll(loop, other.fd());
  EXPECT_EQ(moved.fd(), other.fd());
  EXPECT_FALSE(loop.alive()) << "what it was before is closed";
}

// ---- Errors ------------------------------------------------------------------------------------

TEST_F(PollHandle, WhatIsNoDescriptorIsEbadf) {
  for (const int fd : {-1, 12'345, 1 << 30}) {
    Poll poll(loop, fd);
    EXPECT_EQ(error_of(poll.start(kReadable, log_event("readable"))),
              std::errc::bad_file_descriptor);
    EXPECT_FALSE(poll.active());
  }
  EXPECT_FALSE(loop.alive());
}

TEST_F(PollHandle, ARegularFileOrAFolderIsEperm) {
  for (const char* path : {"/proc/self/exe", "/tmp"}) {
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    Poll poll(loop, fd);
    EXPECT_EQ(error_of(poll.start(kReadable, log_event("readable"))),
              std::errc::operation_not_permitted);
    EXPECT_FALSE(loop.alive());
    poll.close();
    ::close(fd);
  }
}

TEST_F(PollHandle, ADeviceThatIsAlwaysReadyIsEpermOnBothBackends) {
  const int fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  Poll poll(loop, fd);
  EXPECT_EQ(error_of(poll.start(kReadable, log_event("readable"))),
            std::errc::operation_not_permitted);
  poll.close();
  ::close(fd);
}

TEST_F(PollHandle, ASecondPollOfADescriptorIsEexist) {
  const Bell bell(1);
  Poll first(loop, bell.fd());
  Poll second(loop, bell.fd());
  ASSERT_TRUE(first.start(kReadable, log_event("first")));
  EXPECT_EQ(error_of(second.start(kReadable, log_event("second"))), std::errc::file_exists);
  EXPECT_FALSE(second.active());
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("first"));
  first.stop();
  EXPECT_TRUE(second.start(kReadable, log_event("second")));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("first", "second"));
}

TEST_F(PollHandle, AnotherLoopMayWatchTheSameDescriptor) {
  const Bell bell(1);
  Loop other({.clock = &clock});
  Poll here(loop, bell.fd());
  Poll there(other, bell.fd());
  ASSERT_TRUE(here.start(kReadable, log_event("here")));
  ASSERT_TRUE(there.start(kReadable, log_event("there")));
  loop.run_nowait();
  other.run_nowait();
  EXPECT_THAT(trace, ElementsAre("here", "there"));
}

TEST_F(PollHandle, NoEventsOrAClosedHandleIsEinval) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  EXPECT_EQ(error_of(poll.start(PollEvents::none, log_event("none"))), std::errc::invalid_argument);
  poll.close();
  EXPECT_EQ(error_of(poll.start(kReadable, log_event("closed"))), std::errc::invalid_argument);
  EXPECT_FALSE(loop.alive());
}

TEST_F(PollHandle, AFailedChangeLeavesWhatWasWatched) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  EXPECT_FALSE(poll.start(PollEvents::none, log_event("none")));
  EXPECT_TRUE(poll.active());
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("readable"));
}

TEST_F(PollHandle, TheNumberOfAClosedDescriptorMayBeUsedAgain) {
  std::optional<Bell> bell(1);
  const int number = bell->fd();
  Poll old(loop, number);
  ASSERT_TRUE(old.start(kReadable, log_event("old")));
  loop.run_nowait();
  old.close();
  bell.reset();
  const Bell young(1);
  ASSERT_EQ(young.fd(), number);
  Poll poll(loop, young.fd());
  ASSERT_TRUE(poll.start(kReadable, log_event("young")));
  trace.clear();
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("young"));
}

// ---- Ref and unref -----------------------------------------------------------------------------

TEST_F(PollHandle, UnreferencedItDoesNotKeepTheLoopAlive) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  EXPECT_TRUE(poll.has_ref());
  poll.unref();
  ASSERT_TRUE(poll.start(kReadable, log_event("readable")));
  EXPECT_FALSE(poll.has_ref());
  EXPECT_FALSE(loop.alive());
  poll.ref().ref();
  EXPECT_TRUE(loop.alive());
  poll.unref().unref();
  EXPECT_FALSE(loop.run());
}

TEST_F(PollHandle, UnreferencedItReportsWhileSomethingElseKeepsTheLoopAlive) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(kReadable, [&](PollEvents) {
    trace.emplace_back("readable");
    bell.silence();
  }));
  poll.unref();
  loop.set_timeout(10ms, log_time("timeout"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("readable", "timeout@10"));
}

// ---- Peers -------------------------------------------------------------------------------------

TEST_F(PollHandle, APeerThatHangsUpIsReported) {
  SocketPair pair;
  Poll poll(loop, pair.ours());
  PollEvents seen = PollEvents::none;
  ASSERT_TRUE(poll.start(kReadable | PollEvents::hang_up, [&](PollEvents ready) {
    seen = ready;
    poll.close();
  }));
  pair.close_theirs();
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(seen, kReadable | PollEvents::hang_up);
}

TEST_F(PollHandle, APeerThatWillSendNoMoreIsReported) {
  SocketPair pair;
  Poll poll(loop, pair.ours());
  PollEvents seen = PollEvents::none;
  ASSERT_TRUE(poll.start(PollEvents::hang_up, [&](PollEvents ready) {
    seen = ready;
    poll.close();
  }));
  ASSERT_EQ(::shutdown(pair.theirs(), SHUT_WR), 0);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(seen, PollEvents::hang_up);
}

TEST_F(PollHandle, AnErrorIsReportedAskedForOrNot) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
  ::close(ends[0]);  // there will never be a reader
  Poll poll(loop, ends[1]);
  PollEvents seen = PollEvents::none;
  ASSERT_TRUE(poll.start(kWritable, [&](PollEvents ready) {
    seen = ready;
    poll.close();
  }));
  EXPECT_FALSE(loop.run());
  EXPECT_TRUE(any(seen & PollEvents::error));
  ::close(ends[1]);
}

TEST_F(PollHandle, AHangUpThatWasNotAskedForIsReportedRatherThanSpunOn) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
  ::close(ends[1]);  // there will never be a writer
  Poll poll(loop, ends[0]);
  PollEvents seen = PollEvents::none;
  ASSERT_TRUE(poll.start(kReadable, [&](PollEvents ready) {
    seen = ready;
    poll.close();
  }));
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(seen, PollEvents::hang_up);
  EXPECT_LE(loop.metrics().iterations, 2U);
  ::close(ends[0]);
}

TEST_F(PollHandle, OutOfBandDataIsAPriorityEvent) {
  SocketPair pair;
  Poll poll(loop, pair.ours());
  PollEvents seen = PollEvents::none;
  if (::send(pair.theirs(), "!", 1, MSG_OOB) != 1) GTEST_SKIP() << "unix sockets: Linux 5.15";
  ASSERT_TRUE(poll.start(PollEvents::priority, [&](PollEvents ready) {
    seen = ready;
    poll.close();
  }));
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(seen, PollEvents::priority);
}

TEST_F(PollHandle, AConversationOfTwoSocketsInOneLoop) {
  SocketPair pair;
  Poll ours(loop, pair.ours());
  Poll theirs(loop, pair.theirs());
  constexpr int kRounds = 1'000;
  int rounds = 0;
  const auto answer = [&](int fd) {
    char byte = 0;
    ASSERT_EQ(::read(fd, &byte, 1), 1);
    if (++rounds == kRounds) {
      ours.close();
      theirs.close();
    } else {
      ASSERT_EQ(::write(fd, &byte, 1), 1);
    }
  };
  ASSERT_TRUE(ours.start(kReadable, [&](PollEvents) { answer(pair.ours()); }));
  ASSERT_TRUE(theirs.start(kReadable, [&](PollEvents) { answer(pair.theirs()); }));
  ASSERT_EQ(::write(pair.ours(), "x", 1), 1);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(rounds, kRounds);
}

// ---- Many --------------------------------------------------------------------------------------

class ManyPolls : public PollHandle {
 protected:
  static constexpr std::size_t kMany = 5'000;

  void SetUp() override {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < kMany + 100) {
      GTEST_SKIP() << "this user may open only " << limit.rlim_max << " descriptors";
    }
    seen.resize(kMany);
    for (std::size_t i = 0; i < kMany; ++i) {
      const Bell& bell = bells.emplace_back();
      Poll& poll = polls.emplace_back(loop, bell.fd());
      ASSERT_TRUE(poll.start(kReadable, [this, i](PollEvents) {
        ++seen[i];
        bells[i].silence();
      }));
    }
  }

  std::deque<Bell> bells;
  std::deque<Poll> polls;
  std::vector<int> seen;
};

TEST_F(ManyPolls, AreAllReportedOnceInOneVisit) {
  for (int round = 1; round <= 3; ++round) {
    for (const Bell& bell : bells) bell.ring();
    loop.run_nowait();
    EXPECT_THAT(seen, ::testing::Each(round));
  }
}

TEST_F(ManyPolls, TheOneThatIsReadyIsFound) {
  loop.run_nowait();
  bells[3'456].ring();
  loop.run_nowait();
  EXPECT_EQ(seen[3'456], 1);
  EXPECT_EQ(loop.metrics().events, 1U);
}

TEST_F(ManyPolls, AreAllStoppedByTheFirstThatIsReported) {
  int calls = 0;
  for (std::size_t i = 0; i < kMany; ++i) {
    ASSERT_TRUE(polls[i].start(kReadable, [&](PollEvents) {
      ++calls;
      polls.clear();
    }));
    bells[i].ring();
  }
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(calls, 1);
}

TEST_F(ManyPolls, AreChangedAllAtOnce) {
  loop.run_nowait();
  std::size_t writable = 0;
  for (std::size_t i = 0; i < kMany; ++i) {
    ASSERT_TRUE(polls[i].start(kWritable, [&, i](PollEvents) {
      ++writable;
      polls[i].close();
    }));
  }
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(writable, kMany);
}

TEST_F(ManyPolls, DoNotKeepTimersFromRunning) {
  for (std::size_t i = 0; i < kMany; ++i) {
    ASSERT_TRUE(polls[i].start(kWritable, [](PollEvents) {}));  // ready for ever
  }
  loop.set_interval(1ms, [&] {
    trace.emplace_back("timer");
    if (trace.size() == 3) polls.clear();
    if (trace.size() == 3) loop.stop();
  });
  loop.on_prepare([&] { clock.advance(1ms); });
  loop.run();
  EXPECT_EQ(trace.size(), 3U);
}

TEST_F(ManyPolls, MayAllBeDestroyedWithTheLoop) {
  Loop other({.clock = &clock});
  std::deque<Poll> others;
  for (const Bell& bell : bells) {
    bell.ring();
    ASSERT_TRUE(others.emplace_back(other, bell.fd()).start(kReadable, [](PollEvents) {}));
  }
  other.run_nowait();
}

// ---- A loop that goes away ---------------------------------------------------------------------

TEST(PollAndItsLoop, AHandleThatOutlivesItsLoopIsClosedAndHarmless) {
  const Bell bell(1);
  std::optional<Poll> started;
  std::optional<Poll> never_started;
  std::optional<Poll> stopped;
  {
    Loop loop;
    started.emplace(loop, bell.fd());
    never_started.emplace(loop, bell.fd());
    stopped.emplace(loop, bell.fd());
    ASSERT_TRUE(stopped->start(kReadable, [](PollEvents) {}));
    stopped->stop();
    ASSERT_TRUE(started->start(kReadable, [](PollEvents) {}));
    loop.run_nowait();
  }
  for (auto* poll : {&started, &never_started, &stopped}) {
    EXPECT_TRUE((*poll)->closed());
    EXPECT_FALSE((*poll)->active());
    EXPECT_EQ((*poll)->start(kReadable, [](PollEvents) {}).error(), std::errc::invalid_argument);
    (*poll)->stop();
    (*poll)->close([] { FAIL() << "there is no loop to run it"; });
    (*poll)->ref().unref();
    EXPECT_EQ((*poll)->fd(), bell.fd());
  }
}

TEST(PollAndItsLoop, ALoopMayGoAwayWithEventsCollectedButNotDelivered) {
  const Bell bells[] = {Bell(1), Bell(1), Bell(1)};
  std::deque<Poll> polls;
  VirtualClock clock;
  {
    Loop loop({.budgets = {.poll = 1}, .clock = &clock});
    for (const Bell& bell : bells) {
      ASSERT_TRUE(polls.emplace_back(loop, bell.fd()).start(kReadable, [](PollEvents) {}));
    }
    loop.run_nowait();
    EXPECT_EQ(loop.metrics().depth.completions, 2U);
    polls.pop_back();
  }
  for (const Poll& poll : polls) EXPECT_TRUE(poll.closed());
}

TEST(PollAndItsLoop, APollDestroyedWithItsEventCollectedButNotDeliveredReportsNothing) {
  const Bell bells[] = {Bell(1), Bell(1), Bell(1)};
  VirtualClock clock;
  Loop loop({.budgets = {.poll = 1}, .clock = &clock});
  std::optional<Poll> polls[3];
  int calls = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    polls[i].emplace(loop, bells[i].fd());
    ASSERT_TRUE(polls[i]->start(kReadable, [&](PollEvents) { ++calls; }));
  }
  loop.run_nowait();
  for (auto& poll : polls) poll.reset();
  for (int i = 0; i < 5; ++i) loop.run_nowait();
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace rondo::test
