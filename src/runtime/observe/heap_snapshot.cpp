#include "runtime/observe/heap_snapshot.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <utility>

#include "runtime/engine/instance.h"
#include "runtime/observe/profiles.h"
#include "runtime/process/proc_files.h"

namespace rondo {

namespace {

constexpr int kChunk = 64 * 1024;

class FileStream final : public v8::OutputStream {
 public:
  explicit FileStream(int fd) noexcept : fd_(fd) {}

  int GetChunkSize() override { return kChunk; }
  void EndOfStream() override {}
  WriteResult WriteAsciiChunk(char* data, int size) override {
    for (auto left = static_cast<std::size_t>(size); left > 0;) {
      const ssize_t written = ::write(fd_, data, left);
      if (written < 0) {
        if (errno == EINTR) continue;
        error_ = errno;
        return kAbort;
      }
      data += written;
      left -= static_cast<std::size_t>(written);
    }
    return kContinue;
  }

  int error() const noexcept { return error_; }

 private:
  int fd_;
  int error_ = 0;
};

/// Only the owner can read the file. `write` is called with its stream.
template <class Write>
SnapshotFailure write_file(const char* path, Write write) {
  const int fd = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (fd < 0) return {"open", errno};
  FileStream stream(fd);
  write(stream);
  ::close(fd);
  if (stream.error() != 0) return {"write", stream.error()};
  return {};
}

SnapshotFailure write_private(const char* path, std::string& text) {
  return write_file(path, [&](FileStream& stream) {
    stream.WriteAsciiChunk(text.data(), static_cast<int>(text.size()));
  });
}

/// A snapshot takes about as much memory as the heap that it shows.
bool is_too_risky(v8::Isolate* isolate) {
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  const std::uint64_t available = std::min(memory_limit(), meminfo_bytes("MemAvailable"));
  return available != 0 && heap.used_heap_size() > available;
}

}  // namespace

void take_snapshot(v8::Isolate* isolate, v8::OutputStream& stream, bool with_numbers) {
  const v8::HeapSnapshot* snapshot =
      isolate->GetHeapProfiler()->TakeHeapSnapshot(nullptr, nullptr, true, with_numbers);
  snapshot->Serialize(&stream);
  const_cast<v8::HeapSnapshot*>(snapshot)->Delete();
}

SnapshotFailure write_snapshot(v8::Isolate* isolate, const char* path, bool with_numbers) {
  return write_file(path,
                    [&](FileStream& stream) { take_snapshot(isolate, stream, with_numbers); });
}

NearHeapLimit::NearHeapLimit(v8::Isolate* isolate, Kind kind, unsigned files, std::string folder,
                             unsigned thread_id)
    : isolate_(isolate),
      kind_(kind),
      left_(files),
      folder_(std::move(folder)),
      thread_id_(thread_id) {
  isolate_->AddNearHeapLimitCallback(callback(), this);
}

NearHeapLimit::~NearHeapLimit() {
  if (installed_) isolate_->RemoveNearHeapLimitCallback(callback(), 0);
}

v8::NearHeapLimitCallback NearHeapLimit::callback() const noexcept {
  return kind_ == Kind::snapshot ? reached<Kind::snapshot> : reached<Kind::profile>;
}

/// FOLDER/Heap.20190409.202950.15293.0.001.heapsnapshot, or .heapprofile
std::string NearHeapLimit::next_path() {
  const std::time_t now = std::time(nullptr);
  std::tm time{};
  ::localtime_r(&now, &time);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%Y%m%d.%H%M%S", &time);
  std::array<char, 96> name{};
  std::snprintf(name.data(), name.size(), "/Heap.%s.%d.%u.%03u.%s", date.data(), ::getpid(),
                thread_id_, ++taken_, kind_ == Kind::snapshot ? "heapsnapshot" : "heapprofile");
  return folder_ + name.data();
}

void NearHeapLimit::write_one() {
  const bool is_snapshot = kind_ == Kind::snapshot;
  std::string profile;
  if (!is_snapshot) {
    profile = heap_profile_so_far(isolate_);
    if (profile.empty()) return;
  }
  const std::string path = next_path();
  const SnapshotFailure failure = is_snapshot ? write_snapshot(isolate_, path.c_str(), false)
                                              : write_private(path.c_str(), profile);
  std::fprintf(stderr, failure.call == nullptr ? "Wrote %s to %s\n" : "Cannot write a %s to %s\n",
               is_snapshot ? "snapshot" : "heap profile", path.c_str());
}

template <NearHeapLimit::Kind kind>
std::size_t NearHeapLimit::reached(void* self, std::size_t current, std::size_t /*initial*/) {
  auto& limit = *static_cast<NearHeapLimit*>(self);
  // What a snapshot may use, and what the program has until it reaches the limit again.
  constexpr std::size_t kAllowance = std::size_t{3} * kMaxSemiSpaceMiB << 20;
  if (limit.taking_) return current + kAllowance;
  if (kind == Kind::snapshot && is_too_risky(limit.isolate_)) {
    limit.left_ = 0;
  } else {
    limit.taking_ = true;
    limit.write_one();
    limit.taking_ = false;
    --limit.left_;
  }
  if (limit.left_ == 0) {
    limit.installed_ = false;
    limit.isolate_->RemoveNearHeapLimitCallback(limit.callback(), 0);
  }
  return current + kAllowance;
}

}  // namespace rondo
