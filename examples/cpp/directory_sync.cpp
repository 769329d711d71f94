// Makes one folder what another is: copies what is new or was changed, removes what is gone; then
// continues as long as the first one changes.
//
//     directory_sync FROM TO
//
// Without arguments it tries that with two folders of its own. Folders in folders are copied too,
// but only the first one is watched.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include <rondo/rondo.h>

namespace fs = rondo::fs;

namespace {

using namespace std::chrono_literals;
using Done = rondo::Async<rondo::Expected<>>;

Done copy_if_changed(std::string from, std::string to) {
  auto ours = co_await fs::stat(from);
  if (!ours) co_return std::unexpected(ours.error());
  auto theirs = co_await fs::stat(to);
  if (theirs && theirs->size == ours->size && theirs->mtime >= ours->mtime) co_return {};
  std::printf("copy   %s\n", to.c_str());
  co_return co_await fs::copy_file(from, to);
}

/// After it, `to` has what `from` has, and nothing else. Files of one folder are copied side by
/// side.
Done sync(rondo::Loop& loop, std::string from, std::string to) {
  auto made = co_await fs::mkdir(to, {.recursive = true});
  if (!made) co_return std::unexpected(made.error());
  auto entries = co_await fs::readdir(from);
  if (!entries) co_return std::unexpected(entries.error());
  auto there = co_await fs::readdir(to);
  if (!there) co_return std::unexpected(there.error());

  std::set<std::string> names;
  rondo::TaskGroup copies(loop, {.limit = 16});
  for (const auto& entry : *entries) {
    names.insert(entry.name);
    std::string source = from + "/" + entry.name;
    std::string target = to + "/" + entry.name;
    if (entry.type == fs::FileType::folder) {
      if (auto done = co_await sync(loop, source, target); !done) co_return done;
    } else if (entry.type == fs::FileType::regular) {
      copies.spawn(copy_if_changed(source, target));
    }
  }
  for (const auto& entry : *there) {
    if (names.contains(entry.name)) continue;
    const std::string extra = to + "/" + entry.name;
    std::printf("remove %s\n", extra.c_str());
    if (auto gone = co_await fs::rm(extra, {.recursive = true, .force = true}); !gone)
      co_return gone;
  }
  co_return co_await copies.join();
}

rondo::Async<> sync_for_ever(rondo::Loop& loop, std::string from, std::string to) {
  rondo::Event changed;
  fs::FsWatcher watcher(loop, [&](const fs::FsEvent&) { changed.set(); });
  auto watched = co_await watcher.add(from);
  while (watched) {
    changed.reset();
    if (auto done = co_await sync(loop, from, to); !done) {
      std::fprintf(stderr, "%s\n", done.error().message().c_str());
    }
    if (!co_await changed.wait()) co_return;
    if (!co_await rondo::sleep_for(50ms)) co_return;  // several changes at once are one
  }
  std::fprintf(stderr, "%s: %s\n", from.c_str(), watched.error().message().c_str());
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

rondo::Async<> try_it(rondo::Loop& loop) {
  auto folder = co_await fs::mkdtemp("/tmp/directory_sync-");
  require(folder.has_value(), "a folder can be made");
  const std::string from = *folder + "/from";
  const std::string to = *folder + "/to";
  require((co_await fs::mkdir(from + "/inner", {.recursive = true})).has_value(), "two more");
  require((co_await fs::write_file(from + "/inner/a", "first")).has_value(), "a file");

  std::stop_source stop;
  spawn(loop, sync_for_ever(loop, from, to), stop.get_token());
  const auto comes = [&to](std::string name, bool there) -> rondo::Async<bool> {
    for (int i = 0; i < 500; ++i) {
      if ((co_await fs::access(to + name)).has_value() == there) co_return true;
      co_await rondo::sleep_for(20ms);
    }
    co_return false;
  };
  require(co_await comes("/inner/a", true), "a file of an inner folder is copied");
  require((co_await fs::write_file(from + "/b", "second")).has_value(), "another file");
  require(co_await comes("/b", true), "a new file is copied");
  require((co_await fs::unlink(from + "/b")).has_value(), "it can be removed");
  require(co_await comes("/b", false), "a file that is gone is removed");
  stop.request_stop();
  co_await rondo::shield(fs::rm(*folder, {.recursive = true}));
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  if (argc == 3) {
    spawn(loop, sync_for_ever(loop, argv[1], argv[2]));
  } else {
    spawn(loop, try_it(loop));
  }
  loop.run();
}
