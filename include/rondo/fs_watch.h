// Watching files and folders for changes.
//
//     rondo::fs::FsWatcher watcher(loop, [](const rondo::fs::FsEvent& event) {
//       std::printf("%s\n", event.name.c_str());
//     });
//     auto added = co_await watcher.add("/etc");
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rondo/callback.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"
#include "rondo/fs.h"

namespace rondo {

class Loop;

namespace fs {

enum class FsEventKind : std::uint8_t {
  created,          // an entry of a watched folder; also one moved there from elsewhere
  removed,          // an entry of a watched folder; also one moved elsewhere
  renamed,          // from one name to another, both in watched folders
  changed,          // the content
  attributes,       // mode, owner, times, number of links
  watched_moved,    // the watched thing itself has another name now; it is still watched
  watched_removed,  // the watched thing itself is gone (or unmounted), and watched no more
  overflow,         // events were lost: look for yourself
};

std::string_view to_string(FsEventKind kind) noexcept;

struct FsEvent {
  FsEventKind kind = FsEventKind::changed;
  std::string path;       // what is watched, as it was given to add(); empty on overflow
  std::string name;       // the entry, if that is a folder; empty: the watched thing itself
  std::string from_path;  // renamed: the watched folder and the name it had
  std::string from_name;
  bool is_folder = false;  // the entry, or the watched thing itself

  friend bool operator==(const FsEvent&, const FsEvent&) = default;
};

/// Watches any number of files and folders (not what is inside of the folders' folders) and calls
/// `callback` in the poll phase for each event, in the order of events. An entry that leaves for
/// a folder that is not watched is reported a moment later (10 ms, in the timers phase): until then
/// it may yet arrive elsewhere.
///
/// It keeps the loop alive while it watches something, unless unref'd. It may be destroyed at any
/// time, in its own callback too, and may outlive its loop (it is then closed).
class FsWatcher {
 public:
  /// Throws Misuse if the callback is empty.
  FsWatcher(Loop& loop, Callback<void(const FsEvent&)> callback);
  ~FsWatcher();
  FsWatcher(FsWatcher&&) noexcept;
  FsWatcher& operator=(FsWatcher&&) noexcept;

  /// Begins to watch. Events from before it is done are not reported. The same thing added by
  /// another path is from then on reported under that. Errors: those of opening the path;
  /// ENOSPC (fs.inotify.max_user_watches), EMFILE (fs.inotify.max_user_instances: each watcher
  /// is one), EBADF (closed meanwhile).
  Op<void> add(Path path);

  /// No event comes for this path after this. False if it is not watched.
  bool remove(const Path& path);

  /// How many things are watched.
  std::size_t size() const noexcept;

  /// Stops for good; no event comes after this. `callback` runs in the close phase.
  void close(Callback<> callback = nullptr);

  FsWatcher& ref();
  FsWatcher& unref();
  bool has_ref() const;
  bool active() const;  // watches something
  bool closed() const;

  class State;  // of no use outside

 private:
  std::shared_ptr<State> state_;
};

}  // namespace fs
}  // namespace rondo
