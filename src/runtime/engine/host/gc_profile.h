// Collections of garbage, one by one: of what kind, how long, and the heap before and after.
#pragma once

#include <v8.h>

#include <chrono>
#include <vector>

#include "runtime/glue/wrapped.h"

namespace rondo {

/// A state of the heap. V8 allows to ask for it in the middle of a collection, but not to make
/// JavaScript objects of it.
struct HeapState {
  v8::HeapStatistics heap;
  std::vector<v8::HeapSpaceStatistics> spaces;
};

class GcProfile final : public Wrapped {
 public:
  struct Collection {
    v8::GCType type;
    std::chrono::nanoseconds duration{};
    HeapState before;
    HeapState after;
  };

  GcProfile(Environment& environment, v8::Local<v8::Object> object)
      : Wrapped(environment, object) {}
  ~GcProfile() override { stop(); }

  void start();
  void stop() noexcept;
  const std::vector<Collection>& collections() const noexcept { return collections_; }

 private:
  static void before(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags flags, void* self);
  static void after(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags flags, void* self);

  bool running_ = false;
  bool collecting_ = false;
  std::chrono::steady_clock::time_point began_;
  std::vector<Collection> collections_;
};

}  // namespace rondo
