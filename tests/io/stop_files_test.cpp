// Files and names, disturbed at every point of suspension
// (tests/stop_everywhere.h). What the documents promise of a cancelled operation is checked
// afterwards, on the same handles.
#include <fcntl.h>
#include <sys/stat.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "rondo/rondo.h"

#include "io/fs_fixture.h"
#include "io/test_name_server.h"
#include "stop_everywhere.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using namespace stop_everywhere;

// ---- Files --------------------------------------------------------------------------------------

struct Folder {
  Folder() {
    put(folder / "file", pattern(100'000));
    std::filesystem::create_directories(folder / "tree/a/b/c");
    put(folder / "tree/a/one", "1");
    put(folder / "tree/a/b/two", "2");
    ::mkfifo((folder / "fifo").c_str(), 0600);
  }
  TempFolder folder;
};

/// An operation that takes a folder, and what has to hold of the folder afterwards.
Make with_folder(std::function<Async<std::string>(Loop&, Folder&)> act,
                 std::function<void(Folder&, const std::string&)> check = nullptr,
                 bool endless = false) {
  return [act, check, endless](Loop& loop) -> Trial {
    auto s = std::make_shared<Folder>();
    return {.body = [s, act, &loop] { return act(loop, *s); },
            .after = [s, check](const std::string& said) -> Async<> {
              if (check) check(*s, said);
              co_return;
            },
            .endless = endless};
  };
}

Async<std::string> read_a_file(Loop& loop, Folder& in) {
  auto file = co_await fs::open(in.folder / "file");
  if (!file) co_return name_of(file);
  const auto text = co_await file->read_all();
  if (!text) co_return name_of(text);
  EXPECT_TRUE(*text == pattern(100'000));
  (void)loop;
  co_return name_of(co_await file->close());
}

Async<std::string> write_a_file(Loop& /*loop*/, Folder& in) {
  auto file = co_await fs::open(in.folder / "new", O_CREAT | O_WRONLY);
  if (!file) co_return name_of(file);
  const std::string text = pattern(60'000);
  if (const auto written = co_await file->write_all(text); !written) co_return name_of(written);
  if (const auto synced = co_await file->sync(); !synced) co_return name_of(synced);
  co_return name_of(co_await file->close());
}

Async<std::string> count_lines(Loop& /*loop*/, Folder& in) {
  auto file = co_await fs::open(in.folder / "file");
  if (!file) co_return name_of(file);
  auto lines = file->lines(1U << 20);
  std::size_t bytes = 0;
  for (;;) {
    const auto line = co_await lines.next();
    if (!line && line.error() == end_of_stream()) break;
    if (!line) co_return name_of(line);
    bytes += line->size();
  }
  EXPECT_GT(bytes, 90'000U);
  co_return "all";
}

// ---- Names --------------------------------------------------------------------------------------

Trial resolve(Loop& loop, const char* host, bool endless) {
  struct State {
    explicit State(Loop& loop) : resolver(loop, {.timeout = 10min}) {
      server.add("there.test", {{1, 60, testing_dns::ip(AF_INET, "10.1.2.3")}});
      server.add("truncated.test", {{1, 60, testing_dns::ip(AF_INET, "10.1.2.3")}});
      EXPECT_TRUE(resolver.set_servers({server.address()}));
    }
    testing_dns::NameServer server;
    dns::Resolver resolver;
  };
  auto s = std::make_shared<State>(loop);
  const std::string name = host;
  return {.body = [s, name] { return outcome(s->resolver.resolve4(name)); },
          .after = [s, name, endless](const std::string&) -> Async<> {
            if (!endless) {
              const auto again = co_await s->resolver.resolve4(name);
              EXPECT_TRUE(again);
            }
          },
          .endless = endless};
}

const Case kCases[] = {
    {"file_read_all", with_folder(read_a_file)},
    {"file_write_all", with_folder(write_a_file,
                                   [](Folder& in, const std::string& said) {
                                     const std::string got = content_of(in.folder / "new");
                                     if (said == "ok") {
                                       EXPECT_EQ(got.size(), 60'000U);
                                     }
                                     EXPECT_TRUE(got == pattern(60'000).substr(0, got.size()));
                                   })},
    {"file_lines", with_folder(count_lines)},
    {"read_file",
     with_folder([](Loop&, Folder& in) { return outcome(fs::read_file(in.folder / "file")); })},
    {"read_file_of_a_fifo",
     with_folder([](Loop&, Folder& in) { return outcome(fs::read_file(in.folder / "fifo")); },
                 nullptr, true)},
    {"open_of_a_fifo",
     with_folder([](Loop&, Folder& in) { return outcome(fs::open(in.folder / "fifo", O_WRONLY)); },
                 nullptr, true)},
    {"write_file", with_folder([](Loop&, Folder& in) {
       return outcome(fs::write_file(in.folder / "file", pattern(150'000)));
     })},
    {"write_file_atomic",
     with_folder(
         [](Loop&, Folder& in) {
           return outcome(fs::write_file(in.folder / "file", std::string("new"), {.atomic = true}));
         },
         [](Folder& in, const std::string& said) {
           const std::string got = content_of(in.folder / "file");
           EXPECT_TRUE(got == "new" || (said != "ok" && got == pattern(100'000))) << got.size();
           std::size_t entries = 0;
           for ([[maybe_unused]] const auto& one :
                std::filesystem::directory_iterator(in.folder.path()))
             ++entries;
           EXPECT_EQ(entries, 3U) << "a temporary file is left";
         })},
    {"append_file", with_folder(
                        [](Loop&, Folder& in) {
                          return outcome(fs::append_file(in.folder / "file", std::string("more")));
                        },
                        [](Folder& in, const std::string& said) {
                          const auto size = content_of(in.folder / "file").size();
                          EXPECT_TRUE(size == 100'004U || (said != "ok" && size == 100'000U))
                              << size;
                        })},
    {"copy_file", with_folder([](Loop&, Folder& in) {
       return outcome(fs::copy_file(in.folder / "file", in.folder / "copy"));
     })},
    {"readdir",
     with_folder([](Loop&, Folder& in) { return outcome(fs::readdir(in.folder.path())); })},
    {"mkdir", with_folder([](Loop&, Folder& in) {
       return outcome(fs::mkdir(in.folder / "x/y/z", {.recursive = true}));
     })},
    {"rm",
     with_folder(
         [](Loop&, Folder& in) { return outcome(fs::rm(in.folder / "tree", {.recursive = true})); },
         [](Folder& in, const std::string& said) {
           if (said == "ok") {
             EXPECT_FALSE(std::filesystem::exists(in.folder / "tree"));
           }
         })},
    {"rename", with_folder(
                   [](Loop&, Folder& in) {
                     return outcome(fs::rename(in.folder / "file", in.folder / "new"));
                   },
                   [](Folder& in, const std::string& said) {
                     const bool moved = std::filesystem::exists(in.folder / "new");
                     EXPECT_NE(moved, std::filesystem::exists(in.folder / "file"));
                     if (said == "ok") {
                       EXPECT_TRUE(moved);
                     }
                   })},
    {"stat", with_folder([](Loop&, Folder& in) { return outcome(fs::stat(in.folder / "file")); })},
    {"watch", with_folder([](Loop& loop, Folder& in) -> Async<std::string> {
       fs::FsWatcher watcher(loop, [](const fs::FsEvent&) {});
       co_return name_of(co_await watcher.add(in.folder.path()));
     })},
    {"lookup",
     [](Loop&) -> Trial { return {.body = [] { return outcome(dns::lookup("localhost")); }}; }},
    {"lookup_all",
     [](Loop&) -> Trial { return {.body = [] { return outcome(dns::lookup_all("localhost")); }}; }},
    {"lookup_service",
     [](Loop&) -> Trial {
       return {.body = [] { return outcome(dns::lookup_service("127.0.0.1", 22)); }};
     }},
    {"resolve", [](Loop& loop) { return resolve(loop, "there.test", false); }},
    {"resolve_by_tcp", [](Loop& loop) { return resolve(loop, "truncated.test", false); }},
    {"resolve_of_silence", [](Loop& loop) { return resolve(loop, "silent.test", true); }},
};

class StopFiles : public testing::TestWithParam<Case> {};

TEST_P(StopFiles, EndsOnceLeaksNothingAndLosesNothing) {
  Sweep(GetParam()).run();
}

INSTANTIATE_TEST_SUITE_P(Operations, StopFiles, testing::ValuesIn(kCases), case_name);

}  // namespace
}  // namespace rondo
