// When results are reported, what cancellation does to each kind of operation, and what is left
// when the loop goes first.
#include <functional>
#include <stop_token>

#include "io/fs_fixture.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class FsOrder : public FsTest {
 protected:
  /// One operation of each kind and way, begun with a callback that reports an error name.
  using Report = std::function<void(std::string)>;
  using Start = std::function<void(Loop&, Report, std::stop_token)>;

  template <class Make>
  static Start starting(Make make) {
    return [make](Loop& on, Report report, std::stop_token stop) {
      auto op = make();
      using Value = typename decltype(op)::Value;
      std::move(op).then(
          on,
          [report = std::move(report)](Expected<Value> result) {
            report(result.has_value() ? "none" : std::string(error_name(result.error())));
          },
          stop);
    };
  }

  std::vector<std::pair<std::string, Start>> all_operations() {
    put(folder / "file", "content");
    put(folder / "big", pattern(3'000'000));
    std::filesystem::create_directories(folder / "tree/a/b");
    ::mkfifo((folder / "fifo").c_str(), 0600);
    const TempFolder& f = folder;
    return {
        {"stat", starting([&f] { return fs::stat(f / "file"); })},
        {"stat of nothing", starting([&f] { return fs::stat(f / "none"); })},
        {"open", starting([&f] { return fs::open(f / "file"); })},
        {"open to create", starting([&f] { return fs::open(f / "new", O_CREAT | O_RDWR); })},
        {"open a fifo to write", starting([&f] { return fs::open(f / "fifo", O_WRONLY); })},
        {"read_file", starting([&f] { return fs::read_file(f / "file"); })},
        {"read_file of proc", starting([] { return fs::read_file("/proc/self/status"); })},
        {"read_file of a fifo", starting([&f] { return fs::read_file(f / "fifo"); })},
        {"write_file", starting([&f] { return fs::write_file(f / "w", pattern(3'000'000)); })},
        {"atomic write_file",
         starting([&f] { return fs::write_file(f / "w", "text", {.atomic = true}); })},
        {"append_file", starting([&f] { return fs::append_file(f / "w", "text"); })},
        {"copy_file", starting([&f] { return fs::copy_file(f / "big", f / "copy"); })},
        {"mkdir", starting([&f] { return fs::mkdir(f / "m"); })},
        {"mkdir with parents",
         starting([&f] { return fs::mkdir(f / "p/q", {.recursive = true}); })},
        {"rm", starting([&f] { return fs::rm(f / "tree", {.recursive = true}); })},
        {"readdir", starting([&f] { return fs::readdir(f.path()); })},
        {"rename", starting([&f] { return fs::rename(f / "none", f / "x"); })},
        {"realpath", starting([&f] { return fs::realpath(f / "file"); })},
        {"access", starting([&f] { return fs::access(f / "file"); })},
        {"a path with a NUL", starting([] { return fs::stat(std::string("\0", 1)); })},
    };
  }
};

// POLL-7
TEST_F(FsOrder, NothingIsToldBeforeAnImmediateThatWaited) {
  for (const auto& [name, start] : all_operations()) {
    if (name.find("fifo") != std::string::npos) continue;  // there is no other end
    std::vector<std::string> log;
    loop.set_immediate([&] { log.emplace_back("immediate"); });
    start(loop, [&](const std::string&) { log.emplace_back("file"); }, {});
    loop.set_immediate([&] { log.emplace_back("later immediate"); });
    loop.run();
    ASSERT_EQ(log.size(), 3U) << name;
    EXPECT_EQ(log[0], "immediate") << name;
  }
}

TEST_F(FsOrder, TheSameFromInsideEachPhase) {
  put(folder / "file", "content");
  std::vector<std::string> log;
  const auto scene = [&](const std::string& name) {
    loop.set_immediate([&log, name] { log.push_back(name + " immediate"); });
    fs::read_file(folder / "file").then(loop, [&log, name, this](Expected<std::string>) {
      log.push_back(name + " file");
      EXPECT_EQ(loop.phase(), Phase::poll);
    });
    fs::stat(folder / "none").then(loop, [&log, name, this](Expected<fs::Stat>) {
      log.push_back(name + " stat");
      EXPECT_EQ(loop.phase(), Phase::poll);
    });
  };
  const std::pair<std::string, std::function<void(Callback<>)>> phases[] = {
      {"timer", [&](Callback<> go) { loop.set_timeout(1ms, std::move(go)); }},
      {"check", [&](Callback<> go) { loop.set_immediate(std::move(go)); }},
      {"close", [&](Callback<> go) { loop.queue_close(std::move(go)); }},
      {"pending", [&](Callback<> go) { loop.defer(std::move(go)); }},
      {"poll", [&](Callback<> go) { loop.post(std::move(go)); }},
      {"tick", [&](Callback<> go) { loop.next_tick(std::move(go)); }},
  };
  for (const auto& [name, in_phase] : phases) {
    log.clear();
    in_phase([&, name = name] { scene(name); });
    loop.run();
    ASSERT_EQ(log.size(), 3U) << name;
    EXPECT_EQ(log[0], name + " immediate");
  }
}

// POLL-7
TEST_F(FsOrder, WithoutImmediatesItDoesNotWait) {
  put(folder / "file", "content");
  ASSERT_TRUE(get(fs::stat(folder / "file")).has_value());  // the name is cached now
  bool told = false;
  fs::read_file(folder / "file").then(loop, [&](Expected<std::string>) { told = true; });
  EXPECT_FALSE(told);
  loop.run_nowait();
  EXPECT_TRUE(told) << "what is cached takes one iteration";
}

// LIFE-3
TEST_F(FsOrder, AnOperationKeepsTheLoopAlive) {
  EXPECT_FALSE(loop.alive());
  for (const auto& [name, start] : all_operations()) {
    if (name.find("fifo") != std::string::npos) continue;
    int told = 0;
    start(loop, [&](const std::string&) { ++told; }, {});
    EXPECT_TRUE(loop.alive()) << name;
    loop.run();
    EXPECT_FALSE(loop.alive()) << name;
    EXPECT_EQ(told, 1) << name;
  }
}

TEST_F(FsOrder, WhatACallbackThrowsIsUncaughtAndTheRestGoesOn) {
  put(folder / "file", "content");
  int caught = 0;
  int told = 0;
  loop.on_uncaught([&](const std::exception_ptr&) { ++caught; });
  for (int i = 0; i < 10; ++i) {
    fs::stat(folder / "file").then(loop, [&](Expected<fs::Stat>) {
      ++told;
      throw std::runtime_error("x");
    });
  }
  loop.run();
  EXPECT_EQ(told, 10);
  EXPECT_EQ(caught, 10);
}

TEST_F(FsOrder, RefusesWhatIsMisuse) {
  EXPECT_THROW(fs::stat("x").then(loop, nullptr), Misuse);
  EXPECT_FALSE(loop.alive());
}

TEST_F(FsOrder, MoreAtOnceThanTheQueuesHold) {
  put(folder / "file", "content");
  int good = 0;
  int bad = 0;
  for (int i = 0; i < 10'000; ++i) {
    // The first is answered on the spot; the second has to be looked up, by the ring or a thread.
    fs::stat(folder / "file").then(loop, [&](Expected<fs::Stat> stat) {
      good += stat.has_value();
    });
    fs::stat(folder / ("none-" + std::to_string(i))).then(loop, [&](Expected<fs::Stat> stat) {
      bad += !stat.has_value() && stat.error() == errno_code(ENOENT);
    });
  }
  loop.run();
  EXPECT_EQ(good, 10'000);
  EXPECT_EQ(bad, 10'000);
}

TEST_F(FsOrder, AwaitedInACoroutine) {
  put(folder / "file", "content");
  std::string log;
  const auto scene = [](const TempFolder& f, std::string& out) -> Async<> {
    auto file = co_await fs::open(f / "out", O_CREAT | O_RDWR);
    const auto text = co_await fs::read_file(f / "file");
    co_await file->write(fs::bytes_of(*text));
    co_await file->sync();
    const auto stat = co_await file->stat();
    out = std::to_string(stat->size);
    co_await file->close();
    const auto missing = co_await fs::stat(f / "missing");
    out += error_name(missing.error());
  };
  spawn(loop, scene(folder, log));
  loop.run();
  EXPECT_EQ(log, "7ENOENT");
  EXPECT_EQ(content_of(folder / "out"), "content");
}

// ---- Cancelling ---------------------------------------------------------------------------------

TEST_F(FsOrder, CancelledBeforeItBegins) {
  for (const auto& [name, start] : all_operations()) {
    std::stop_source stop;
    stop.request_stop();
    std::vector<std::string> told;
    start(loop, [&](std::string error) { told.push_back(std::move(error)); }, stop.get_token());
    EXPECT_TRUE(told.empty()) << name;
    loop.run();
    EXPECT_THAT(told, ElementsAre("ECANCELED")) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
  EXPECT_FALSE(std::filesystem::exists(folder / "w"));
}

// At every moment there is: after so many iterations of the loop, cancel.
TEST_F(FsOrder, CancelledAtAnyTimeItIsToldOnce) {
  const std::size_t before = open_descriptors();
  for (const auto& [name, start] : all_operations()) {
    const bool endless = name.find("fifo") != std::string::npos;
    for (int iterations = 0; iterations < 4; ++iterations) {
      std::stop_source stop;
      std::vector<std::string> told;
      start(loop, [&](std::string error) { told.push_back(std::move(error)); }, stop.get_token());
      for (int i = 0; i < iterations; ++i) loop.run_nowait();
      const std::size_t told_before = told.size();
      stop.request_stop();
      EXPECT_EQ(told.size(), told_before) << name << ": told inside request_stop()";
      loop.run();
      ASSERT_EQ(told.size(), 1U) << name;
      if (endless) {
        EXPECT_EQ(told[0], "ECANCELED") << name;
      }
      EXPECT_FALSE(loop.alive());
    }
  }
  EXPECT_EQ(open_descriptors(), before) << "a descriptor was left over";
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".rondo")) << entry.path();
  }
}

// POLL-6
TEST_F(FsOrder, AnOperationProceedsBeforeTheLoopRuns) {
  const auto comes_true = [](auto&& condition) {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
    }
    return true;
  };
  const auto exists = [&](const char* name) { return std::filesystem::exists(folder / name); };
  // Also before the loop has run for the first time, and from a callback.
  for (const bool from_callback : {false, true}) {
    put(folder / "old", "");
    put(folder / "doomed", "");
    auto file = fs::open(folder / "written", O_RDWR | O_CREAT | O_TRUNC).run_now();
    const std::string text = "text";
    int told = 0;
    const auto begin = [&] {
      const auto count = [&told](const auto&) { ++told; };
      fs::unlink(folder / "doomed").then(loop, count);
      EXPECT_TRUE(comes_true([&] { return !exists("doomed"); }));
      fs::mkdir(folder / "made").then(loop, count);
      EXPECT_TRUE(comes_true([&] { return exists("made"); }));
      fs::rename(folder / "old", folder / "new").then(loop, count);
      EXPECT_TRUE(comes_true([&] { return exists("new"); }));
      fs::write(file->fd(), fs::bytes_of(text)).then(loop, count);
      EXPECT_TRUE(comes_true([&] { return content_of(folder / "written") == "text"; }));
      fs::write(file->fd(), fs::bytes_of(text), 4).then(loop, count);
      EXPECT_TRUE(comes_true([&] { return content_of(folder / "written") == "texttext"; }));
      EXPECT_EQ(told, 0);
    };
    if (from_callback) {
      loop.set_immediate(begin);
    } else {
      begin();
    }
    loop.run();
    EXPECT_EQ(told, 5);
    ::rmdir((folder / "made").c_str());
  }
}

TEST_F(FsOrder, AReadOfAnEmptyFifoIsCancelled) {
  ::mkfifo((folder / "fifo").c_str(), 0600);
  auto reader = get(fs::open(folder / "fifo"));
  for (const bool with_writer : {false, true}) {
    const int writer = with_writer ? ::open((folder / "fifo").c_str(), O_WRONLY | O_NONBLOCK) : -1;
    std::string buffer(10, '.');
    std::stop_source stop;
    std::string told;
    reader->read(writable_bytes(buffer))
        .then(
            loop,
            [&](Expected<std::size_t> count) {
              told = count.has_value() ? "read" : error_name(count.error());
            },
            stop.get_token());
    loop.set_timeout(5ms, [&] { stop.request_stop(); });
    loop.run();
    EXPECT_EQ(told, "ECANCELED");
    if (with_writer) ::close(writer);
  }
}

TEST_F(FsOrder, ATimeoutEndsAFileOperation) {
  ::mkfifo((folder / "fifo").c_str(), 0600);
  std::string told;
  const auto scene = [](const TempFolder& f, std::string& out) -> Async<> {
    const auto task = [](const TempFolder& where) -> Async<Expected<std::string>> {
      co_return co_await fs::read_file(where / "fifo");
    };
    const auto text = co_await with_timeout(5ms, task(f));
    out = text.has_value() ? "read" : error_name(text.error());
  };
  spawn(loop, scene(folder, told));
  loop.run();
  EXPECT_EQ(told, "ETIMEDOUT");
}

// ---- The loop goes first ------------------------------------------------------------------------

TEST_F(FsOrder, TheLoopIsDestroyedWithEverythingUnderWay) {
  const auto operations = all_operations();
  const std::size_t before = open_descriptors();
  for (int iterations = 0; iterations < 4; ++iterations) {
    for (const auto& [name, start] : operations) {
      Loop other;
      bool told = false;
      start(other, [&](const std::string&) { told = true; }, {});
      for (int i = 0; i < iterations; ++i) other.run_nowait();
    }
    Loop all;
    for (const auto& [name, start] : operations) {
      for (int i = 0; i < 20; ++i) start(all, [](const std::string&) {}, {});
    }
    for (int i = 0; i < iterations; ++i) all.run_nowait();
  }
  EXPECT_EQ(open_descriptors(), before) << "a descriptor was left over";
}

TEST_F(FsOrder, ACoroutineIsDestroyedWhereItStands) {
  const std::size_t before = open_descriptors();
  ::mkfifo((folder / "fifo").c_str(), 0600);
  {
    Loop other;
    const auto scene = [](const TempFolder& f) -> Async<> {
      auto writable = co_await fs::open(f / "out", O_CREAT | O_RDWR);
      auto file = co_await fs::open(f / "fifo");
      std::string buffer(10, '.');
      co_await file->read(writable_bytes(buffer));
      ADD_FAILURE() << "nobody wrote";
    };
    spawn(other, scene(folder));
    while (!std::filesystem::exists(folder / "out")) other.run_nowait();
    for (int i = 0; i < 5; ++i) other.run_nowait();
  }
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace rondo
