#include "rondo/lens/metrics.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/loop.h"

namespace rondo::lens {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const PhaseFigures& of(const Figures& figures, Phase phase) {
  return figures.phases[static_cast<std::size_t>(phase)];
}

TEST(Histogram, KeepsEveryLengthWithinASixteenth) {
  for (std::int64_t ns = 1; ns < 3'600'000'000'000; ns = ns * 9 / 8 + 1) {
    const Time kept = Histogram::length_of(Histogram::index_of(Time(ns)));
    EXPECT_GE(kept.count(), ns);
    EXPECT_LE(kept.count(), ns + ns / 16 + 1024) << ns;
  }
}

TEST(Histogram, PlacesFollowOneAnother) {
  for (std::size_t i = 0; i + 1 < Histogram::kSize; ++i) {
    EXPECT_EQ(Histogram::index_of(Histogram::length_of(i)), i);
    EXPECT_EQ(Histogram::index_of(Histogram::length_of(i) + 1ns), i + 1);
  }
}

TEST(Histogram, TakesWhatIsOutOfRange) {
  EXPECT_EQ(Histogram::index_of(-5s), 0U);
  EXPECT_EQ(Histogram::index_of(Time::max()), Histogram::kSize - 1);
}

TEST(Histogram, QuantilesOfNothingAreZero) {
  EXPECT_EQ(Histogram{}.quantile(0.5), Time{});
  EXPECT_EQ(Histogram{}.longest(), Time{});
}

TEST(Histogram, QuantilesAreNoLessThanTheirShare) {
  Histogram histogram;
  histogram.counts[Histogram::index_of(1ms)] = 98;
  histogram.counts[Histogram::index_of(20ms)] = 1;
  histogram.counts[Histogram::index_of(1s)] = 1;
  EXPECT_EQ(histogram.quantile(0.5), Histogram::length_of(Histogram::index_of(1ms)));
  EXPECT_EQ(histogram.quantile(0.99), Histogram::length_of(Histogram::index_of(20ms)));
  EXPECT_EQ(histogram.longest(), Histogram::length_of(Histogram::index_of(1s)));
  EXPECT_EQ(histogram.count_up_to(100ms), 99U);
}

TEST(Histogram, TellsWhatWasAdded) {
  Histogram before;
  before.counts[3] = 7;
  Histogram after = before;
  after.counts[3] += 2;
  after.counts[9] += 1;
  EXPECT_EQ(after.since(before).count(), 3U);
  EXPECT_EQ(after.since(before).counts[3], 2U);
}

class MetricsTest : public ::testing::Test {
 protected:
  static void sleep(Time time) { std::this_thread::sleep_for(time); }

  Loop loop;
  Lens lens{loop};
  Metrics metrics{lens};
};

TEST_F(MetricsTest, CountsCallbacksByPhaseAndNoTicks) {
  loop.set_timeout(1ms, [&] { loop.next_tick([] {}); });
  for (int i = 0; i < 3; ++i) loop.set_immediate([&] { loop.queue_microtask([] {}); });
  loop.defer([] {});
  loop.queue_close([] {});
  loop.post([] {});
  loop.run();
  const Figures figures = metrics.read();
  EXPECT_EQ(of(figures, Phase::timers).callbacks, 1U);
  EXPECT_EQ(of(figures, Phase::check).callbacks, 3U);
  EXPECT_EQ(of(figures, Phase::pending).callbacks, 1U);
  EXPECT_EQ(of(figures, Phase::close).callbacks, 1U);
  EXPECT_EQ(of(figures, Phase::poll).callbacks, 1U);
  EXPECT_GE(figures.iterations, 1U);
}

TEST_F(MetricsTest, MeasuresEveryCallbackButNoTickAndNoMicrotask) {
  for (int i = 0; i < 99; ++i) loop.set_immediate([&] { loop.queue_microtask([] {}); });
  loop.set_timeout(1ms, [&] {
    sleep(20ms);
    loop.next_tick([] {});
  });
  loop.run();
  const Figures figures = metrics.read();
  EXPECT_EQ(figures.durations.count(), 100U);
  EXPECT_GE(figures.durations.longest(), 20ms);
  EXPECT_GE(figures.durations_sum, 20ms);
}

TEST_F(MetricsTest, ACallbackIsAsLongAsItsOutermostRun) {
  const Time start = now();
  const auto run = [&](Time began, SubjectId id, Time length) {
    metrics.on_begin(began, id, {}, {});
    metrics.on_end(began + length, id);
  };
  run(start, kMain, 500ms);  // not a callback
  metrics.on_phase_enter(start + 500ms, Phase::check);
  metrics.on_begin(start + 500ms, 2, {}, {});
  run(start + 510ms, 3, 5ms);  // nested
  metrics.on_end(start + 520ms, 2);
  for (int i = 0; i < 98; ++i) run(start + 520ms, 4, 100us);
  run(start + 520ms, 5, 3ms);
  metrics.on_phase_leave(start + 523ms, Phase::check);
  const Histogram& durations = metrics.read().durations;
  EXPECT_EQ(durations.count(), 100U);
  EXPECT_EQ(metrics.read().durations_sum, 20ms + 98 * 100us + 3ms);
  const auto is_about = [](Time expected) {
    return ::testing::AllOf(::testing::Ge(expected), ::testing::Le(expected + expected / 16));
  };
  EXPECT_THAT(durations.quantile(0.5), is_about(100us));
  EXPECT_THAT(durations.quantile(0.99), is_about(3ms));
  EXPECT_THAT(durations.longest(), is_about(20ms));
}

TEST_F(MetricsTest, TellsTimeAsleepFromTimeAtWork) {
  const Time start = now();
  metrics.on_phase_enter(start, Phase::poll);
  metrics.on_wait(start);
  metrics.on_woken(start + 300ms, 0);
  metrics.on_phase_leave(start + 300ms, Phase::poll);
  metrics.on_phase_enter(start + 300ms, Phase::timers);
  metrics.on_begin(start + 300ms, 1, {}, {});
  metrics.on_end(start + 320ms, 1);
  metrics.on_phase_leave(start + 320ms, Phase::timers);
  const Figures figures = metrics.read();
  EXPECT_EQ(figures.idle, 300ms);
  EXPECT_EQ(of(figures, Phase::timers).time, 20ms);
}

TEST_F(MetricsTest, ARoundIsAsLateAsWhatRanInIt) {
  loop.set_timeout(1ms, [&] {
    sleep(30ms);
    loop.set_timeout(1ms, [] {});
  });
  loop.run();
  const Figures figures = metrics.read();
  EXPECT_GE(figures.delay.longest(), 30ms);
  EXPECT_GE(figures.delay_sum, 30ms);
}

TEST_F(MetricsTest, SleepIsNoDelay) {
  const Time start = now();
  metrics.on_phase_enter(start, Phase::poll);
  metrics.on_wait(start);
  metrics.on_woken(start + 300ms, 1);
  metrics.on_phase_leave(start + 301ms, Phase::poll);
  metrics.on_phase_enter(start + 302ms, Phase::poll);
  EXPECT_LT(metrics.read().delay.longest(), 250ms);
  EXPECT_EQ(of(metrics.read(), Phase::poll).time, 1ms);
}

TEST_F(MetricsTest, WhatIsBetweenTwoRunsIsNoDelay) {
  const Time start = now();
  for (const Time begin : {start, start + 300ms}) {
    metrics.on_phase_enter(begin, Phase::poll);
    metrics.on_phase_leave(begin, Phase::poll);
  }
  EXPECT_LT(metrics.read().delay.longest(), 250ms);
  EXPECT_EQ(metrics.read().now.away_for, Time{});
}

TEST_F(MetricsTest, TheLoopIsAwayFromTheMainProgramUntilItBegins) {
  lens.engine_begins();
  lens.begin(kMain);
  lens.end(kMain);
  sleep(5ms);  // its ticks
  EXPECT_GE(metrics.read().now.away_for, 5ms);
  loop.set_immediate([] {});
  loop.run();
  EXPECT_GE(metrics.read().delay.longest(), 5ms);
  EXPECT_LT(metrics.read().delay.longest(), 1h);  // and no negative time
  EXPECT_EQ(metrics.read().now.away_for, Time{});
}

TEST_F(MetricsTest, ALongCallbackIsASlowSiteAndABlockedMoment) {
  // Told, not run: on a busy machine the short one might be long as well.
  const Time start = now();
  metrics.on_phase_enter(start, Phase::timers);
  metrics.on_begin(start, 1, {}, {});
  metrics.on_end(start + 60ms, 1);
  metrics.on_begin(start + 60ms, 2, {}, {});
  metrics.on_end(start + 62ms, 2);
  metrics.on_phase_leave(start + 62ms, Phase::timers);
  const Lists lists = metrics.lists();
  ASSERT_THAT(lists.slowest, SizeIs(1));
  EXPECT_EQ(lists.slowest[0].label, "a timer");
  EXPECT_EQ(lists.slowest[0].runs, 2U);
  EXPECT_EQ(lists.slowest[0].longest, 60ms);
  ASSERT_THAT(lists.blocked, SizeIs(1));
  EXPECT_EQ(lists.blocked[0].phase, Phase::timers);
  EXPECT_EQ(lists.blocked[0].length, 60ms);
  EXPECT_EQ(metrics.read().blocked, 1U);
}

TEST_F(MetricsTest, ManyShortCallbacksInOneVisitAreABlockedMoment) {
  // Told, not run: on a busy machine one of them might take as long as all.
  const Time start = now();
  metrics.on_phase_enter(start, Phase::check);
  for (int i = 0; i < 30; ++i) {
    metrics.on_begin(start + i * 2ms, 1, {}, {});
    metrics.on_end(start + (i + 1) * 2ms, 1);
  }
  metrics.on_phase_leave(start + 60ms, Phase::check);
  const Lists lists = metrics.lists();
  ASSERT_THAT(lists.blocked, SizeIs(1));
  EXPECT_EQ(lists.blocked[0].what, "30 callbacks in one visit");
  EXPECT_EQ(lists.blocked[0].phase, Phase::check);
}

TEST_F(MetricsTest, TheLastBlockedMomentsAreKept) {
  // As an engine reports them, without the time it would take.
  lens.engine_begins();
  const Time start = now();
  for (std::uint64_t id = 1; id <= 120; ++id) {
    metrics.on_begin(start, id, {}, {});
    metrics.on_end(start + 60ms, id);
    metrics.on_details(id, "number " + std::to_string(id),
                       {.file = "a.js", .function = {}, .line = static_cast<int>(id)});
  }
  const Lists lists = metrics.lists();
  ASSERT_THAT(lists.blocked, SizeIs(50));
  EXPECT_EQ(lists.blocked.front().what, "number 120");
  EXPECT_EQ(lists.blocked.back().what, "number 71");
  EXPECT_THAT(lists.slowest, SizeIs(20));
}

TEST_F(MetricsTest, AnEngineIsAskedForMoreOfSlowCallbacksOnly) {
  lens.engine_begins();
  const Time start = now();
  metrics.on_begin(start, 7, {}, {});
  metrics.on_end(start + 10us, 7);
  EXPECT_FALSE(lens.details_asked());
  lens.begin(8);
  sleep(3ms);
  lens.end(8);
  ASSERT_TRUE(lens.details_asked());
  lens.details(8, "setTimeout 5 ms", {.file = "/a.js", .function = "slow", .line = 3, .column = 9});
  EXPECT_FALSE(lens.details_asked());
  const Lists lists = metrics.lists();
  ASSERT_THAT(lists.slowest, SizeIs(1));
  EXPECT_EQ(lists.slowest[0].file, "/a.js");
  EXPECT_EQ(lists.slowest[0].function, "slow");
  EXPECT_EQ(lists.slowest[0].line, 3);
}

TEST_F(MetricsTest, FilesAreNamedFromTheFolderOfTheProgram) {
  lens.engine_begins();
  const std::string file = std::filesystem::current_path().string() + "/lib/a.js";
  const Time start = now();
  metrics.on_begin(start, 1, {}, {});
  metrics.on_end(start + 60ms, 1);
  metrics.on_details(1, file, {.file = file, .function = "f", .line = 4});
  const Lists lists = metrics.lists();
  EXPECT_EQ(lists.slowest[0].file, "lib/a.js");
  EXPECT_EQ(lists.slowest[0].label, "lib/a.js");
  EXPECT_EQ(lists.blocked[0].place, "f (lib/a.js:4)");
}

TEST_F(MetricsTest, SitesAreOrderedByLongestAndByTotal) {
  lens.engine_begins();
  const auto run = [&](std::uint64_t id, Time length, int line) {
    const Time start = now();
    metrics.on_begin(start, id, {}, {});
    metrics.on_end(start + length, id);
    metrics.on_details(id, "x", {.file = "a.js", .function = {}, .line = line});
  };
  for (std::uint64_t id = 1; id <= 10; ++id) run(id, 5ms, 1);
  run(11, 20ms, 2);
  const Lists lists = metrics.lists();
  EXPECT_THAT(lists.slowest, ElementsAre(Field(&SlowSite::line, 2), Field(&SlowSite::line, 1)));
  EXPECT_THAT(lists.busiest, ElementsAre(Field(&SlowSite::line, 1), Field(&SlowSite::line, 2)));
}

TEST_F(MetricsTest, KeepsWhatIsOpen) {
  lens.opened(5, "server");
  lens.opened(9, "socket");
  lens.opened(5, "server 127.0.0.1:80");
  lens.closed(9);
  EXPECT_EQ(metrics.read().handles, 1U);
  EXPECT_THAT(metrics.lists().handles,
              ElementsAre(Field(&OpenHandle::label, "server 127.0.0.1:80")));
}

TEST_F(MetricsTest, LongLabelsAreCutBetweenCharacters) {
  std::string label = "x";
  for (int i = 0; i < 400; ++i) label += "\u00e9";
  lens.opened(1, label);
  const std::string kept = metrics.lists().handles[0].label;
  EXPECT_LT(kept.size(), 310U);
  EXPECT_EQ(kept.substr(kept.size() - 5), "\u00e9...");
}

TEST_F(MetricsTest, DepthsAreThoseBeforeTheSleep) {
  for (int i = 0; i < 5; ++i) loop.set_timeout(10s, [] {}).unref();
  loop.set_timeout(20ms, [] {});
  loop.run();
  EXPECT_EQ(metrics.read().depth.timers, 6U);
}

TEST_F(MetricsTest, PlacesAreTakenIntoTheBlockedMoment) {
  lens.engine_begins();
  lens.begin(3);
  lens.place({.file = "/b.js", .function = "inner", .line = 12});
  sleep(55ms);
  EXPECT_GE(metrics.read().now.away_for, 50ms);
  EXPECT_EQ(metrics.lists().running_place, "inner (/b.js:12)");
  lens.place({});  // asked for in the middle, and answered when the program's own code was over
  lens.end(3);
  lens.details(3, "main.js", {});
  ASSERT_THAT(metrics.lists().blocked, SizeIs(1));
  EXPECT_EQ(metrics.lists().blocked[0].place, "inner (/b.js:12)");
  EXPECT_THAT(metrics.lists().running_place, IsEmpty());
}

// For ThreadSanitizer above all.
TEST_F(MetricsTest, CanBeReadWhileTheLoopRuns) {
  std::atomic<bool> done = false;
  std::uint64_t most = 0;
  std::thread reader([&] {
    while (!done) {
      const Figures figures = metrics.read();
      EXPECT_GE(figures.iterations, most);
      most = figures.iterations;
      EXPECT_GE(figures.now.away_for, Time{});
      EXPECT_LE(metrics.lists().slowest.size(), 20U);
    }
  });
  int left = 3000;
  std::function<void()> again = [&] {
    if (left % 300 == 0) sleep(1ms);
    if (left % 7 == 0) lens.opened(static_cast<SubjectId>(left), "socket");
    if (--left > 0) loop.set_immediate([&] { again(); });
  };
  loop.set_immediate([&] { again(); });
  loop.run();
  done = true;
  reader.join();
  EXPECT_EQ(of(metrics.read(), Phase::check).callbacks, 3000U);
}

// ---- The text for Prometheus -------------------------------------------------------------------

TEST_F(MetricsTest, PrometheusTextIsWellFormed) {
  loop.set_timeout(1ms, [] { sleep(2ms); });
  loop.run();
  const std::string text = to_prometheus(metrics.read());
  ASSERT_TRUE(text.ends_with('\n'));
  const std::regex sample(R"re(([a-z_]+)(\{[a-z]+="[^"\\\n]*"\})? (-?[0-9.]+(e[-+][0-9]+)?))re");
  std::string name;
  std::string type;
  std::set<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.starts_with("# HELP ")) {
      name = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_TRUE(names.insert(name).second) << "twice: " << name;
    } else if (line.starts_with("# TYPE ")) {
      ASSERT_TRUE(line.starts_with("# TYPE " + name + ' ')) << line;
      type = line.substr(8 + name.size());
      EXPECT_EQ(type == "counter", name.ends_with("_total")) << line;
    } else {
      ASSERT_TRUE(std::regex_match(line, match, sample)) << line;
      const std::string suffix = match[1].str().substr(name.size());
      EXPECT_TRUE(match[1].str().starts_with(name)) << line;
      if (type == "histogram")
        EXPECT_TRUE(suffix == "_bucket" || suffix == "_sum" || suffix == "_count");
      else
        EXPECT_EQ(suffix, "");
    }
  }
  EXPECT_THAT(names, ::testing::Contains("rondo_loop_delay_seconds"));
  EXPECT_THAT(text, HasSubstr("rondo_callback_seconds_count 1\n"));
  EXPECT_THAT(text, HasSubstr("rondo_callbacks_total{phase=\"timers\"} 1\n"));
}

TEST_F(MetricsTest, BucketsOfPrometheusNeverFall) {
  loop.set_timeout(1ms, [] { sleep(12ms); });
  loop.set_timeout(30ms, [] {});
  loop.run();
  const std::string text = to_prometheus(metrics.read());
  const std::regex bucket("rondo_loop_delay_seconds_bucket\\{le=\"([^\"]+)\"\\} ([0-9]+)\n");
  std::uint64_t last = 0;
  int count = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), bucket), end; it != end; ++it, ++count) {
    const std::uint64_t value = std::stoull((*it)[2]);
    EXPECT_GE(value, last);
    last = value;
  }
  EXPECT_EQ(count, 12);
  EXPECT_THAT(text, HasSubstr("rondo_loop_delay_seconds_count " + std::to_string(last) + "\n"));
  EXPECT_THAT(text, HasSubstr("le=\"+Inf\"} " + std::to_string(last)));
}

}  // namespace
}  // namespace rondo::lens
