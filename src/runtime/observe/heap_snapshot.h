// Snapshots of the heap in files: on demand, and, as profiles of allocations too, by themselves
// before a program runs out of memory.
#pragma once

#include <v8-profiler.h>

#include <cstddef>
#include <string>

#include "runtime/engine/environment.h"

namespace rondo {

void take_snapshot(v8::Isolate* isolate, v8::OutputStream& stream, bool with_numbers);

/// What went wrong; `call` is null if nothing did.
struct SnapshotFailure {
  const char* call = nullptr;
  int error = 0;
};

/// Only the owner can read the file: a heap holds passwords.
SnapshotFailure write_snapshot(v8::Isolate* isolate, const char* path, bool with_numbers);

/// Writes files when the heap reaches its limit, which each one raises a little, and lets go of
/// the limit after the last: then the program runs out of memory as it would have.
class NearHeapLimit final : public Companion {
 public:
  /// Of the whole heap, or of the profile of allocations that is running (nothing without one).
  enum class Kind { snapshot, profile };

  NearHeapLimit(v8::Isolate* isolate, Kind kind, unsigned files, std::string folder,
                unsigned thread_id);
  ~NearHeapLimit() override;

 private:
  /// One for each kind: V8 tells its callbacks apart by their addresses.
  template <Kind kind>
  static std::size_t reached(void* self, std::size_t current, std::size_t initial);
  v8::NearHeapLimitCallback callback() const noexcept;
  void write_one();
  std::string next_path();

  v8::Isolate* isolate_;
  Kind kind_;
  unsigned left_;
  std::string folder_;
  unsigned thread_id_;
  unsigned taken_ = 0;
  bool installed_ = true;
  bool taking_ = false;
};

}  // namespace rondo
