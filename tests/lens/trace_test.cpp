// The trace of a loop: what is in the file, and that it is in order whatever happens.
#include "rondo/lens/trace.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/clock.h"
#include "rondo/loop.h"

#include "lens/trace/format.h"
#include "lens/trace/ring.h"
#include "trace_check.h"

namespace rondo::lens {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::Trace;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// ---- Records to text ----------------------------------------------------------------------------

class Text final : public TraceSink {
 public:
  void write(std::string_view text) override { all += text; }
  std::string all;
};

class TraceFormatTest : public ::testing::Test {
 protected:
  void take(Record record, std::string_view text = {}) {
    record.at = at_ += 1000;
    format_.take(record, text);
  }
  void made(SubjectId id, Kind kind, SubjectId cause = 0, std::string_view text = {},
            std::uint32_t delay = 0) {
    take({.id = id,
          .other = cause,
          .number = delay,
          .type = RecordType::made,
          .kind = static_cast<std::uint8_t>(kind)},
         text);
  }
  void begin(SubjectId id, std::string_view event = {}) {
    take({.id = id, .type = RecordType::begin, .kind = kEvent}, event);
  }
  void end(SubjectId id) { take({.id = id, .type = RecordType::end}); }
  void gone(SubjectId id) { take({.id = id, .type = RecordType::gone}); }
  Trace finish() {
    format_.finish(at_);
    return Trace(text_.all);
  }

  Text text_;
  static constexpr std::size_t kLimit = 1 << 20;
  TraceFormat format_{text_, {.pid = 7, .limit_bytes = kLimit}};

 private:
  std::int64_t at_ = 1'000'000;
};

TEST_F(TraceFormatTest, AnArrowLeadsFromTheMakerToWhatWasMade) {
  made(1, Kind::main, 0, "a.js");
  begin(1);
  made(2, Kind::timeout, 1, {}, 100);
  end(1);
  begin(2);
  gone(2);
  end(2);
  const Trace trace = finish();
  EXPECT_THAT(trace.names(Trace::kCallbacks), ElementsAre("a.js", "setTimeout 100 ms"));
  ASSERT_EQ(trace.arrows().size(), 1U);
  EXPECT_EQ(trace.arrows()[0].first.name, "a.js");
  EXPECT_EQ(trace.arrows()[0].second.name, "setTimeout 100 ms");
}

TEST_F(TraceFormatTest, AFunctionIsToldOnceAndNamedByItsNumber) {
  made(1, Kind::immediate);
  made(2, Kind::immediate);
  made(3, Kind::immediate);
  take({.id = 1, .type = RecordType::function}, "work (a.js:3:5)");
  take({.id = 2, .type = RecordType::function}, "a \"b\".js:1:1");
  for (const SubjectId id : {SubjectId{1}, SubjectId{2}, SubjectId{3}}) {
    begin(id);
    if (id < 3) take({.id = 3 - id, .type = RecordType::runs});
    end(id);
  }
  finish();
  EXPECT_THAT(text_.all, HasSubstr(R"("id":1,"callback":"a \"b\".js:1:1"})"));
  EXPECT_THAT(text_.all, HasSubstr(R"x("id":2,"callback":"work (a.js:3:5)"})x"));
  EXPECT_THAT(text_.all, HasSubstr(R"("id":3})"));
}

TEST_F(TraceFormatTest, WhatRunsAgainIsReachedFromItsLastRun) {
  made(1, Kind::main);
  begin(1);
  made(2, Kind::interval, 1, {}, 5);
  end(1);
  for (int i = 0; i < 3; ++i) {
    begin(2);
    end(2);
  }
  const Trace trace = finish();
  EXPECT_EQ(trace.count("setInterval 5 ms"), 3U);
  ASSERT_EQ(trace.arrows().size(), 3U);
  EXPECT_EQ(trace.arrows()[0].first.name, "main");
  EXPECT_EQ(trace.arrows()[1].first.name, "setInterval 5 ms");
}

TEST_F(TraceFormatTest, ATimeoutIsOverWhenItHasRunUnlessItWasSetAnew) {
  made(1, Kind::main);
  begin(1);
  made(2, Kind::timeout, 1, {}, 5);
  end(1);
  begin(2);
  take({.id = 2, .type = RecordType::again});
  end(2);
  begin(2);
  end(2);
  Trace trace = finish();
  EXPECT_EQ(trace.count("setTimeout 5 ms"), 2U);
  EXPECT_EQ(trace.arrows().size(), 2U);
  EXPECT_THAT(trace.counter("timers waiting"), ElementsAre(1, 0));
}

TEST_F(TraceFormatTest, PromisesThatNeverRanHaveNoArrows) {
  made(1, Kind::main);
  begin(1);
  for (const SubjectId id : {SubjectId{10}, SubjectId{11}, SubjectId{12}})
    made(id, Kind::promise, 1);
  end(1);
  for (const SubjectId id : {SubjectId{12}, SubjectId{10}}) {
    begin(id);
    end(id);
  }
  const Trace trace = finish();
  EXPECT_EQ(trace.count("promise"), 2U);
  ASSERT_EQ(trace.arrows().size(), 2U);
  for (const auto& [from, to] : trace.arrows()) {
    EXPECT_EQ(from.name, "main");
    EXPECT_EQ(to.cause, 1U);
  }
}

TEST_F(TraceFormatTest, APromiseThatRunsAgainDoesSoBecauseOfItself) {
  made(1, Kind::main);
  begin(1);
  made(10, Kind::promise, 1);
  end(1);
  for (int i = 0; i < 2; ++i) {
    begin(10);
    end(10);
  }
  const Trace trace = finish();
  EXPECT_EQ(trace.count("promise"), 2U);
  ASSERT_EQ(trace.arrows().size(), 2U);
  EXPECT_EQ(trace.arrows()[0].first.name, "main");
  EXPECT_EQ(trace.arrows()[1].first.name, "promise");
  EXPECT_EQ(trace.arrows()[1].second.cause, 10U);
}

TEST_F(TraceFormatTest, WhatHasNotBegunDoesNotEnd) {
  made(1, Kind::main);
  begin(1);
  end(99);
  made(2, Kind::tick, 1);
  begin(2);
  end(2);
  end(1);
  EXPECT_EQ(finish().find("tick")->parent, "main");
}

TEST(TraceSlot, HasTheTimeNearestToTheLast) {
  constexpr std::int64_t kYear = 31'536'000'000'000'000;
  for (const std::int64_t last : {kYear / 1000, kYear, 3 * kYear, 40 * kYear}) {
    for (const std::int64_t at : {last, last - 5, last + 1, last + kYear / 365 * 90}) {
      const Slot slot = Slot::make(static_cast<unsigned>(RecordType::finish), kClosed,
                                   static_cast<std::uint64_t>(at), 7);
      EXPECT_EQ(slot.time(last), at);
      EXPECT_EQ(slot.kind(), kClosed);
      EXPECT_EQ(slot.form(), static_cast<unsigned>(RecordType::finish));
    }
  }
}

TEST_F(TraceFormatTest, AnEventIsNamedAfterItsHandle) {
  made(5, Kind::handle, 0, "socket");
  begin(5, "data");
  end(5);
  EXPECT_THAT(finish().names(Trace::kCallbacks), ElementsAre("'data' of socket"));
}

TEST_F(TraceFormatTest, NamesMayBeAnyBytes) {
  made(5, Kind::request, 0, "a\"b\\c\x01\xff\xc3\xa4\xed\xa0\x80");
  begin(5);
  end(5);
  constexpr const char* kReplaced = "\xEF\xBF\xBD";
  EXPECT_EQ(
      finish().names(Trace::kCallbacks).at(0),
      std::string("a\"b\\c\x01") + kReplaced + "\xc3\xa4" + kReplaced + kReplaced + kReplaced);
}

TEST_F(TraceFormatTest, CountsWhatWaits) {
  made(1, Kind::main);
  begin(1);
  for (SubjectId id = 2; id < 5; ++id) {
    take({.at = 0, .type = RecordType::wait});  // lets time pass: figures are not written always
    for (int i = 0; i < 30; ++i) take({.type = RecordType::woken});
    made(id, Kind::timeout, 1, {}, 1);
  }
  for (SubjectId id = 2; id < 5; ++id) gone(id);
  end(1);
  Trace trace = finish();
  EXPECT_THAT(trace.counter("timers waiting"), ElementsAre(1, 2, 3, 0));
}

TEST_F(TraceFormatTest, WhatAnExceptionLeavesOpenEndsWithWhatIsAroundIt) {
  made(1, Kind::main);
  begin(1);
  made(2, Kind::tick, 1);
  begin(2);
  end(1);
  const Trace trace = finish();
  EXPECT_EQ(trace.callbacks().at(1).parent, "main");
}

TEST_F(TraceFormatTest, WhatRunsWhenTheProcessIsKilledRanUntilThen) {
  made(1, Kind::main);
  begin(1);
  constexpr std::int64_t kLater = 5'000'000'000;
  format_.finish(kLater);
  const Trace trace(text_.all);
  EXPECT_EQ(trace.last(), "killed");
  EXPECT_GT(trace.find("main")->end - trace.find("main")->begin, 4.9e6);  // microseconds
}

TEST_F(TraceFormatTest, ACauseHasASlice) {
  made(1, Kind::main);
  begin(1);
  made(2, Kind::promise, 1);  // runs nothing
  end(1);
  made(3, Kind::microtask, 2, "'unhandledRejection' of process");
  begin(3);
  end(3);
  EXPECT_EQ(finish().callbacks().at(1).cause, 1U);
}

TEST_F(TraceFormatTest, EndsAtTheLimitAndSaysSo) {
  made(1, Kind::main);
  begin(1);
  SubjectId id = 1;
  while (!format_.full()) made(++id, Kind::tick, 1);
  const Trace trace = finish();
  EXPECT_EQ(trace.last(), "the trace is full");
  EXPECT_LE(text_.all.size(), kLimit);
  EXPECT_GT(text_.all.size(), kLimit - (32 << 10));
}

TEST_F(TraceFormatTest, ManySubjectsAreKeptApart) {
  TracedSubjects subjects;
  constexpr SubjectId kMany = 200'000;
  for (SubjectId id = 1; id <= kMany; ++id) subjects.add({.id = id, .cause = id * 3});
  for (SubjectId id = 1; id <= kMany; id += 2) subjects.remove(id);
  for (SubjectId id = 1; id <= kMany; ++id) {
    const TracedSubject* found = subjects.find(id);
    ASSERT_EQ(found != nullptr, id % 2 == 0) << id;
    ASSERT_EQ(found != nullptr ? found->cause : 0, id % 2 == 0 ? id * 3 : 0);
  }
}

// ---- A loop -------------------------------------------------------------------------------------

class TraceFileTest : public ::testing::Test {
 protected:
  TraceFileTest() {
    std::string name = (fs::temp_directory_path() / "rondo-trace-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    folder_ = name;
    path_ = folder_ / "t.json";
  }
  ~TraceFileTest() override { fs::remove_all(folder_); }

  /// The process that writes the file.
  pid_t find_writer() const {
    for (const auto& process : fs::directory_iterator("/proc")) {
      std::error_code error;
      for (const auto& fd : fs::directory_iterator(process.path() / "fd", error)) {
        if (fs::read_symlink(fd.path(), error) != path_) continue;
        const pid_t pid = std::atoi(process.path().filename().c_str());
        if (pid != ::getpid()) return pid;
      }
    }
    return -1;
  }

  fs::path folder_;
  fs::path path_;
};

TEST_F(TraceFileTest, HasWhatTheLoopDid) {
  VirtualClock
      clock;  // so that the loop has to wait for the timer, however long the writer takes to start
  Loop loop({.clock = &clock});
  Lens lens(loop);
  {
    TraceFile trace(lens, {.path = path_});
    loop.set_timeout(2ms, [&] {
      loop.next_tick([] {});
      loop.set_immediate([] {});
    });
    loop.run();
  }
  const Trace trace = Trace::of_file(path_);
  EXPECT_THAT(trace.names(Trace::kCallbacks), ElementsAre("setTimeout 2 ms", "tick", "immediate"));
  EXPECT_EQ(trace.callbacks()[1].parent, "setTimeout 2 ms");
  ASSERT_EQ(trace.arrows().size(), 2U);
  EXPECT_EQ(trace.arrows()[0].first.name, "setTimeout 2 ms");
  ASSERT_THAT(trace.names(Trace::kLoop), Contains("wait"));
  EXPECT_EQ(trace.find("wait")->parent, "poll");
  EXPECT_THAT(trace.find("poll")->parent, HasSubstr("iteration "));
  EXPECT_EQ(trace.last(), "end");
}

TEST_F(TraceFileTest, MoreThanTheRingHolds) {
  Loop loop;
  Lens lens(loop);
  TraceFile trace(lens, {.path = path_});
  constexpr int kMany = 60'000;  // five places of the ring each
  static_assert(5 * kMany > TraceRing::kSlots);
  for (int i = 0; i < kMany; ++i) loop.set_immediate([] {});
  loop.run();
  trace.close();
  EXPECT_EQ(Trace::of_file(path_).count("immediate"), static_cast<std::size_t>(kMany));
}

TEST_F(TraceFileTest, TheWriterIsNoChild) {
  Loop loop;
  Lens lens(loop);
  TraceFile trace(lens, {.path = path_});
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(TraceFileTest, AForkedProcessHasNoPartInIt) {
  Loop loop;
  Lens lens(loop);
  TraceFile trace(lens, {.path = path_});
  loop.set_immediate([] {});
  const pid_t child = ::fork();
  if (child == 0) {
    for (std::uint64_t i = 0; i < 10; ++i) trace.on_iteration(now(), 1000 + i);
    trace.close();
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  loop.run();
  trace.close();
  const Trace read = Trace::of_file(path_);
  EXPECT_EQ(read.count("immediate"), 1U);
  EXPECT_EQ(read.count("iteration 1000"), 0U);
}

TEST_F(TraceFileTest, GoesOnWithoutItsWriter) {
  Loop loop;
  Lens lens(loop);
  TraceFile trace(lens, {.path = path_});
  const pid_t writer = find_writer();
  ASSERT_GT(writer, 0);
  ::kill(writer, SIGKILL);
  ::testing::internal::CaptureStderr();
  int ran = 0;
  constexpr int kMany = 100'000;
  for (int i = 0; i < kMany; ++i) loop.set_immediate([&] { ++ran; });
  loop.run();
  trace.close();
  EXPECT_EQ(ran, kMany);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "rondo: the trace " + path_.string() + " stops: its writer has died\n");
}

TEST_F(TraceFileTest, StopsAtItsLimit) {
  Loop loop;
  Lens lens(loop);
  TraceFile trace(lens, {.path = path_, .limit_bytes = 100'000});
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 5000; ++i) loop.set_immediate([] {});
  loop.run();
  trace.close();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "rondo: the trace " + path_.string() + " stops: it has reached its limit\n");
  EXPECT_LE(fs::file_size(path_), 100'000U);
  EXPECT_EQ(Trace::of_file(path_).last(), "the trace is full");
}

TEST_F(TraceFileTest, AFullDiskIsTold) {
  Loop loop;
  Lens lens(loop);
  TraceFile trace(lens, {.path = "/dev/full"});
  ::testing::internal::CaptureStderr();
  loop.set_immediate([] {});
  loop.run();
  trace.close();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "rondo: the trace /dev/full stops: No space left on device\n");
}

TEST_F(TraceFileTest, ThrowsIfTheFileCannotBeMade) {
  EXPECT_THROW(TraceFile({.path = folder_ / "none" / "t.json"}), std::system_error);
}

}  // namespace
}  // namespace rondo::lens
