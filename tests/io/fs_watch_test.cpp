#include "rondo/fs_watch.h"

#include <functional>

#include "io/fs_fixture.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using fs::FsEvent;
using fs::FsEventKind;
using fs::FsWatcher;
using testing::ElementsAre;

class FsWatch : public FsTest {
 protected:
  /// A watcher that records its events as text.
  FsWatcher watcher_into_log() {
    return FsWatcher(loop, [this](const FsEvent& event) {
      EXPECT_EQ(loop.phase(), Phase::poll);
      std::string line = std::string(to_string(event.kind)) + " " + short_name(event.path);
      if (!event.name.empty()) line += " " + event.name;
      if (event.kind == FsEventKind::renamed) {
        line += " from " + short_name(event.from_path) + " " + event.from_name;
      }
      if (event.is_folder) line += " (folder)";
      log.push_back(line);
      if (on_event) on_event(event);
    });
  }
  std::string short_name(const std::string& path) const {
    if (path == folder.path()) return ".";
    return path.starts_with(folder.path()) ? path.substr(folder.path().size() + 1) : path;
  }

  void add(FsWatcher& watcher, const std::string& path) {
    bool done = false;
    watcher.add(path).then(loop, [&](Expected<> added) {
      EXPECT_TRUE(added.has_value());
      done = true;
    });
    while (!done) loop.run_once();
  }

  void run_until(std::size_t lines) {
    while (log.size() < lines) loop.run_once();
  }

  std::vector<std::string> log;
  std::function<void(const FsEvent&)> on_event;
};

TEST_F(FsWatch, TellsWhatHappensInAFolder) {
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder.path());
  put(folder / "a", "");
  run_until(1);
  put(folder / "a", "text");
  run_until(2);
  ::chmod((folder / "a").c_str(), 0600);
  run_until(3);
  ::rename((folder / "a").c_str(), (folder / "b").c_str());
  run_until(4);
  ::unlink((folder / "b").c_str());
  ::mkdir((folder / "sub").c_str(), 0700);
  ::rmdir((folder / "sub").c_str());
  run_until(7);
  EXPECT_THAT(log,
              ElementsAre("created . a", "changed . a", "attributes . a", "renamed . b from . a",
                          "removed . b", "created . sub (folder)", "removed . sub (folder)"));
}

TEST_F(FsWatch, TellsOfMovesBetweenFoldersAndOutOfThem) {
  for (const char* name : {"one", "two", "elsewhere"}) ::mkdir((folder / name).c_str(), 0700);
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder / "one");
  add(watcher, folder / "two");
  EXPECT_EQ(watcher.size(), 2U);
  put(folder / "elsewhere/a", "");
  ::rename((folder / "elsewhere/a").c_str(), (folder / "one/a").c_str());
  ::rename((folder / "one/a").c_str(), (folder / "two/b").c_str());
  ::rename((folder / "two/b").c_str(), (folder / "elsewhere/c").c_str());
  ::mkdir((folder / "two/after").c_str(), 0700);
  run_until(4);
  EXPECT_THAT(log, ElementsAre("created one a", "renamed two b from one a", "removed two b",
                               "created two after (folder)"));
}

TEST_F(FsWatch, WatchesAFileToItsEnd) {
  put(folder / "file", "");
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder / "file");
  EXPECT_TRUE(watcher.active());
  put(folder / "file", "text");
  run_until(1);
  ::rename((folder / "file").c_str(), (folder / "other").c_str());
  ::unlink((folder / "other").c_str());
  loop.run();  // nothing is watched in the end, so it ends
  EXPECT_FALSE(watcher.active());
  EXPECT_EQ(watcher.size(), 0U);
  EXPECT_THAT(log, ElementsAre("changed file", "watched_moved file", "attributes file",
                               "watched_removed file"));
}

TEST_F(FsWatch, WatchesAFolderToItsEnd) {
  ::mkdir((folder / "sub").c_str(), 0700);
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder / "sub");
  ::rmdir((folder / "sub").c_str());
  loop.run();
  EXPECT_THAT(log, ElementsAre(testing::StartsWith("watched_removed sub")));
  // Begun again, it continues.
  ::mkdir((folder / "sub").c_str(), 0700);
  add(watcher, folder / "sub");
  put(folder / "sub/a", "");
  run_until(2);
  EXPECT_EQ(log.back(), "created sub a");
}

TEST_F(FsWatch, TellsOfAnEntryThatLeftWithTheLastWatch) {
  ::mkdir((folder / "sub").c_str(), 0700);
  put(folder / "sub/a", "");
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder / "sub");
  ::rename((folder / "sub/a").c_str(), (folder / "a").c_str());
  ::rmdir((folder / "sub").c_str());
  loop.run();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0], "removed sub a");
  EXPECT_THAT(log[1], testing::StartsWith("watched_removed sub"));
}

TEST_F(FsWatch, TellsWhyItCannotWatch) {
  FsWatcher watcher = watcher_into_log();
  EXPECT_EQ(error_of(watcher.add(folder / "none")), "ENOENT");
  EXPECT_EQ(error_of(watcher.add(std::string("x\0y", 3))), "EINVAL");
  watcher.close();
  EXPECT_EQ(error_of(watcher.add(folder.path())), "EBADF");
  EXPECT_THROW(FsWatcher(loop, nullptr), Misuse);
}

TEST_F(FsWatch, RemovedPathsAreSilent) {
  ::mkdir((folder / "one").c_str(), 0700);
  ::mkdir((folder / "two").c_str(), 0700);
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder / "one");
  add(watcher, folder / "two");
  put(folder / "one/a", "");
  EXPECT_TRUE(watcher.remove(folder / "one"));
  EXPECT_FALSE(watcher.remove(folder / "one"));
  put(folder / "two/b", "");
  run_until(1);
  EXPECT_THAT(log, ElementsAre("created two b"));
  EXPECT_TRUE(watcher.remove(folder / "two"));
  EXPECT_FALSE(watcher.active());
  loop.run();
}

TEST_F(FsWatch, KeepsTheLoopAliveUnlessUnrefd) {
  FsWatcher watcher = watcher_into_log();
  EXPECT_FALSE(loop.alive());
  add(watcher, folder.path());
  EXPECT_TRUE(loop.alive());
  EXPECT_TRUE(watcher.has_ref());
  watcher.unref();
  EXPECT_FALSE(loop.alive());
  watcher.ref();
  EXPECT_TRUE(loop.alive());
  std::vector<std::string> order;
  watcher.close([&] {
    order.emplace_back("closed");
    EXPECT_EQ(loop.phase(), Phase::close);
  });
  EXPECT_TRUE(order.empty());
  EXPECT_TRUE(watcher.closed());
  loop.run();
  EXPECT_THAT(order, ElementsAre("closed"));
}

TEST_F(FsWatch, MayBeClosedAndDestroyedInItsCallback) {
  auto watcher = std::make_unique<FsWatcher>(watcher_into_log());
  add(*watcher, folder.path());
  on_event = [&](const FsEvent&) { watcher.reset(); };
  put(folder / "a", "1");
  put(folder / "b", "2");
  loop.run();
  EXPECT_THAT(log, ElementsAre("created . a"));
}

TEST_F(FsWatch, MayBeDestroyedWhileItWaitsForTheHalfOfAMove) {
  ::mkdir((folder / "sub").c_str(), 0700);
  put(folder / "sub/a", "");
  const std::size_t before = open_descriptors();
  {
    FsWatcher watcher = watcher_into_log();
    add(watcher, folder / "sub");
    ::rename((folder / "sub/a").c_str(), (folder / "a").c_str());
    loop.run_once();
  }
  loop.run();
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(FsWatch, MayOutliveItsLoop) {
  const std::size_t before = open_descriptors();
  ::mkdir((folder / "sub").c_str(), 0700);
  put(folder / "sub/a", "");
  std::optional<FsWatcher> watcher;
  {
    Loop other;
    watcher.emplace(other, [](const FsEvent&) {});
    watcher->add(folder / "sub").then(other, [](Expected<> added) {
      EXPECT_TRUE(added.has_value());
    });
    while (watcher->size() == 0) other.run_once();
    ::rename((folder / "sub/a").c_str(), (folder / "a").c_str());
    other.run_once();
  }
  EXPECT_TRUE(watcher->closed());
  watcher.reset();
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(FsWatch, WhatTheCallbackThrowsIsUncaughtAndTheRestIsTold) {
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder.path());
  int caught = 0;
  loop.on_uncaught([&](const std::exception_ptr&) { ++caught; });
  on_event = [](const FsEvent&) { throw std::runtime_error("x"); };
  ::mkdir((folder / "a").c_str(), 0700);
  ::mkdir((folder / "b").c_str(), 0700);
  run_until(2);
  EXPECT_EQ(caught, 2);
}

TEST_F(FsWatch, AnOverflowIsReportedAsSuch) {
  std::ifstream limit("/proc/sys/fs/inotify/max_queued_events");
  std::size_t most = 0;
  ASSERT_TRUE(limit >> most);
  if (most > 200'000) GTEST_SKIP() << "the queue of inotify is too long to fill";
  put(folder / "a", "");
  put(folder / "b", "");
  const int fds[] = {::open((folder / "a").c_str(), O_WRONLY),
                     ::open((folder / "b").c_str(), O_WRONLY)};
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder.path());
  // Alternating: two equal events in a row would be one.
  for (std::size_t i = 0; i < most + 100; ++i) ASSERT_EQ(::write(fds[i % 2], "x", 1), 1);
  bool overflow = false;
  on_event = [&](const FsEvent& event) { overflow |= event.kind == FsEventKind::overflow; };
  while (!overflow) loop.run_once();
  EXPECT_EQ(log.size(), most + 1);
  EXPECT_EQ(log.back(), "overflow ");
  // And it continues.
  put(folder / "c", "");
  run_until(most + 2);
  EXPECT_EQ(log.back(), "created . c");
  ::close(fds[0]);
  ::close(fds[1]);
}

TEST_F(FsWatch, APathRemovedInTheCallbackIsSilentFromThenOn) {
  ::mkdir((folder / "one").c_str(), 0700);
  ::mkdir((folder / "two").c_str(), 0700);
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder / "one");
  add(watcher, folder / "two");
  on_event = [&](const FsEvent& event) { watcher.remove(event.path); };
  // All of it is read at once.
  put(folder / "one/a", "");
  put(folder / "one/b", "");
  put(folder / "two/c", "");
  put(folder / "two/d", "");
  loop.run();
  EXPECT_THAT(log, ElementsAre("created one a", "created two c"));
}

TEST_F(FsWatch, ARemovedPathIsSilentAboutWhatWaitsForTheHalfOfAMove) {
  ::mkdir((folder / "one").c_str(), 0700);
  ::mkdir((folder / "two").c_str(), 0700);
  put(folder / "one/a", "");
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder / "one");
  add(watcher, folder / "two");
  ::rename((folder / "one/a").c_str(), (folder / "a").c_str());
  put(folder / "one/b", "");
  put(folder / "two/c", "");
  loop.run_once();
  ASSERT_TRUE(log.empty()) << "it waits for the other half";
  EXPECT_TRUE(watcher.remove(folder / "one"));
  run_until(1);
  EXPECT_THAT(log, ElementsAre("created two c"));
}

TEST_F(FsWatch, WhatTheCallbackThrowsLeavesRunAndTheRestIsToldByTheNext) {
  FsWatcher watcher = watcher_into_log();
  add(watcher, folder.path());
  on_event = [](const FsEvent&) { throw std::runtime_error("x"); };
  ::mkdir((folder / "a").c_str(), 0700);
  ::mkdir((folder / "b").c_str(), 0700);
  ::mkdir((folder / "c").c_str(), 0700);
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_THAT(log, ElementsAre("created . a (folder)"));
  EXPECT_THROW(loop.run(), std::runtime_error);
  on_event = [&](const FsEvent&) { watcher.close(); };
  loop.set_timeout(5s, [&] { loop.stop(); }).unref();
  loop.run();
  EXPECT_THAT(log,
              ElementsAre("created . a (folder)", "created . b (folder)", "created . c (folder)"));
}

TEST_F(FsWatch, TheCallbackMayOwnTheWatcher) {
  // The callback is destroyed when the watcher closes, and the watcher with it.
  for (const bool by_loop : {false, true}) {
    std::optional<Loop> mortal(std::in_place);
    auto alive = std::make_shared<int>(1);
    const std::weak_ptr<int> watched = alive;
    auto owner = std::make_shared<std::shared_ptr<FsWatcher>>();
    *owner = std::make_shared<FsWatcher>(
        *mortal, [owner, alive = std::move(alive)](const FsEvent&) { (*owner)->close(); });
    FsWatcher& watcher = **owner;
    owner.reset();
    watcher.add(folder.path()).then(*mortal, [](Expected<> added) {
      EXPECT_TRUE(added.has_value());
    });
    while (watcher.size() == 0) mortal->run_once();
    if (by_loop) {
      mortal.reset();
    } else {
      watcher.close();
      mortal->run();
    }
    EXPECT_TRUE(watched.expired());
  }
}

}  // namespace
}  // namespace rondo
