// A phase that is only a queue: pending (what defer() queued) and close (what
// queue_close() queued). A visit runs what waited when it began; what these callbacks add waits
// for the next visit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/containers/callback_queue.h"
#include "core/door.h"

namespace rondo {

class QueuePhase {
 public:
  QueuePhase(Door& door, TaskKind kind) noexcept : door_(door), kind_(kind) {}

  void add(Callback<>&& callback) {
    door_.scheduled({kind_, queue_.pushed()});
    queue_.push(std::move(callback));
  }

  void run(std::size_t budget) {
    for (std::size_t left = std::min(budget, queue_.size()); left != 0; --left) {
      door_.run({kind_, queue_.popped()}, [&] {
        Callback<> callback = queue_.pop();
        callback();
      });
    }
  }

  bool empty() const noexcept { return queue_.empty(); }
  std::size_t size() const noexcept { return queue_.size(); }

  /// Destroys what waits without running it.
  void drop_all() {
    while (!queue_.empty()) queue_.pop();
  }

 private:
  Door& door_;
  TaskKind kind_;
  CallbackQueue queue_;
};

}  // namespace rondo
