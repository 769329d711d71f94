// tail -f: prints what is appended to a file, for as long as it exists.
//
//     tail_f /var/log/messages
//
// Without a file it shows itself: it writes a log, follows it, and ends when the log is removed.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "rondo/fs.h"
#include "rondo/fs_watch.h"
#include "rondo/loop.h"

using namespace std::chrono_literals;
using rondo::Async;
using rondo::Expected;
using rondo::Loop;
namespace fs = rondo::fs;

namespace {

class Tail {
 public:
  Tail(Loop& loop, std::string path)
      : loop_(loop),
        path_(std::move(path)),
        watcher_(loop, [this](const fs::FsEvent& event) { on_event(event); }) {}

  Async<Expected<>> follow() {
    auto file = co_await fs::open(path_);
    if (!file) co_return std::unexpected(file.error());
    file_.emplace(*std::move(file));
    reading_ = true;  // soon: an event that comes before is seen as well
    if (auto added = co_await watcher_.add(path_); !added) co_return added;
    co_return co_await print_rest();  // what is there already, and what came meanwhile
  }

 private:
  void on_event(const fs::FsEvent& event) {
    // With the file gone the watcher ends, and so do we.
    if (event.kind == fs::FsEventKind::watched_removed) return;
    changed_ = true;
    if (!reading_) rondo::spawn(loop_, print_rest());
  }

  Async<Expected<>> print_rest() {
    reading_ = true;
    std::array<std::byte, 65536> buffer;
    for (;;) {
      changed_ = false;
      const auto status = co_await file_->stat();
      if (!status) co_return std::unexpected(status.error());
      if (status->size < offset_) offset_ = 0;  // truncated: start again
      const auto count = co_await file_->read(buffer, offset_);
      if (!count) co_return std::unexpected(count.error());
      offset_ += *count;
      std::fwrite(buffer.data(), 1, *count, stdout);
      std::fflush(stdout);
      if (*count != 0) continue;
      if (status->nlink == 0)
        co_return co_await file_->close();  // held open it would never be gone
      if (!changed_) break;
    }
    reading_ = false;
    co_return Expected<>();
  }

  Loop& loop_;
  std::string path_;
  fs::FsWatcher watcher_;
  std::optional<fs::File> file_;
  std::uint64_t offset_ = 0;
  bool reading_ = false;
  bool changed_ = false;
};

/// Writes ten lines, then removes the log.
Async<Expected<>> write_log(std::string path) {
  for (int line = 1; line <= 10; ++line) {
    co_await rondo::sleep_for(5ms);
    co_await fs::append_file(path, "line " + std::to_string(line) + "\n");
  }
  co_return co_await fs::unlink(path);
}

}  // namespace

int main(int argc, char** argv) {
  Loop loop;
  loop.on_uncaught([](const std::exception_ptr& exception) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "tail_f: %s\n", error.what());
      std::_Exit(1);
    }
  });

  std::string folder;
  std::string path = argc > 1 ? argv[1] : "";
  if (path.empty()) {
    folder = "/tmp/rondo-example-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) return 1;
    path = folder + "/log";
    std::fclose(std::fopen(path.c_str(), "w"));
    rondo::spawn(loop, write_log(path));
  }
  Tail tail(loop, path);
  rondo::spawn(loop, tail.follow());
  loop.run();
  if (!folder.empty()) ::rmdir(folder.c_str());
  return 0;
}
