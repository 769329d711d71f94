// Releases memory of the young generation when a program becomes idle. V8 lets the generation grow
// while the program allocates much, and shrinks it only when it collects the whole heap: without
// this, a server that is idle after a burst would keep the memory of the burst.
#pragma once

#include <v8.h>

#include <cstdint>
#include <memory>

namespace rondo {

class IdleHeap {
 public:
  explicit IdleHeap(v8::Isolate* isolate);
  ~IdleHeap();
  IdleHeap(const IdleHeap&) = delete;
  IdleHeap& operator=(const IdleHeap&) = delete;

 private:
  class Look;

  static void collected(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags flags,
                        void* self);
  void look_later();
  void look();
  bool is_large() const;

  v8::Isolate* isolate_;
  std::shared_ptr<IdleHeap*> link_;  // what a task holds: it may come after the end
  std::uint64_t collections_ = 0;
  std::uint64_t collections_at_look_ = 0;
  bool looks_ = false;     // a task is due
  unsigned requests_ = 0;  // for a collection, after the last one of the young generation
};

}  // namespace rondo
