#include "runtime/engine/host/gc_profile.h"

namespace rondo {
namespace {

HeapState look_at(v8::Isolate* isolate) {
  HeapState state;
  isolate->GetHeapStatistics(&state.heap);
  state.spaces.resize(isolate->NumberOfHeapSpaces());
  for (std::size_t i = 0; i < state.spaces.size(); ++i) {
    isolate->GetHeapSpaceStatistics(&state.spaces[i], i);
  }
  return state;
}

}  // namespace

void GcProfile::start() {
  if (running_) return;
  running_ = true;
  hold();
  environment().isolate()->AddGCPrologueCallback(before, this);
  environment().isolate()->AddGCEpilogueCallback(after, this);
}

void GcProfile::stop() noexcept {
  if (!running_) return;
  running_ = false;
  environment().isolate()->RemoveGCPrologueCallback(before, this);
  environment().isolate()->RemoveGCEpilogueCallback(after, this);
  let_go();
}

void GcProfile::before(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags, void* self) {
  auto& profile = *static_cast<GcProfile*>(self);
  // One collection can call for another: the outer one counts.
  if (profile.collecting_) return;
  profile.collecting_ = true;
  profile.collections_.push_back({.type = type, .before = look_at(isolate), .after = {}});
  profile.began_ = std::chrono::steady_clock::now();
}

void GcProfile::after(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags, void* self) {
  auto& profile = *static_cast<GcProfile*>(self);
  if (!profile.collecting_ || profile.collections_.back().type != type) return;
  profile.collecting_ = false;
  Collection& collection = profile.collections_.back();
  collection.duration = std::chrono::steady_clock::now() - profile.began_;
  collection.after = look_at(isolate);
}

}  // namespace rondo
