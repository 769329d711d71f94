#include "runtime/engine/host/idle_heap.h"

#include <string_view>
#include <utility>

#include "runtime/engine/host/platform.h"

namespace rondo {

namespace {

constexpr double kSecondsBetweenLooks = 2;
constexpr unsigned kMostRequests = 3;
constexpr std::size_t kLarge = std::size_t{16} << 20;  // below it there is little to give back

}  // namespace

class IdleHeap::Look final : public v8::Task {
 public:
  explicit Look(std::shared_ptr<IdleHeap*> link) : link_(std::move(link)) {}
  void Run() override {
    if (*link_ != nullptr) (*link_)->look();
  }

 private:
  std::shared_ptr<IdleHeap*> link_;
};

IdleHeap::IdleHeap(v8::Isolate* isolate)
    : isolate_(isolate), link_(std::make_shared<IdleHeap*>(this)) {
  isolate_->AddGCEpilogueCallback(collected, this);
}

IdleHeap::~IdleHeap() {
  *link_ = nullptr;
  isolate_->RemoveGCEpilogueCallback(collected, this);
}

void IdleHeap::collected(v8::Isolate* /*isolate*/, v8::GCType type, v8::GCCallbackFlags /*flags*/,
                         void* self) {
  auto* heap = static_cast<IdleHeap*>(self);
  ++heap->collections_;
  if (type == v8::kGCTypeScavenge) heap->requests_ = 0;
  if (!heap->looks_ && heap->requests_ == 0 && heap->is_large()) heap->look_later();
}

/// A task of V8's kind: it does not keep the program alive, and may be posted inside a collection.
void IdleHeap::look_later() {
  looks_ = true;
  collections_at_look_ = collections_;
  Platform::instance()
      .GetForegroundTaskRunner(isolate_, v8::TaskPriority::kUserVisible)
      ->PostDelayedTask(std::make_unique<Look>(link_), kSecondsBetweenLooks);
}

void IdleHeap::look() {
  looks_ = false;
  if (!is_large()) return;
  if (collections_ != collections_at_look_) return look_later();
  // If live objects fill the generation, more requests change nothing.
  if (requests_ == kMostRequests) return;
  ++requests_;
  // V8 marks in steps and, at the end, lets the young generation shrink. If it is marking already,
  // nothing follows.
  isolate_->MemoryPressureNotification(v8::MemoryPressureLevel::kModerate);
  look_later();
}

bool IdleHeap::is_large() const {
  for (std::size_t i = 0; i < isolate_->NumberOfHeapSpaces(); ++i) {
    v8::HeapSpaceStatistics space;
    if (!isolate_->GetHeapSpaceStatistics(&space, i)) continue;
    if (std::string_view(space.space_name()) == "new_space") return space.space_size() > kLarge;
  }
  return false;
}

}  // namespace rondo
