// A phase that is only a queue: pending (what defer() queued) and close (what
// queue_close() queued). A visit runs what waited when it began; what these callbacks add waits
// for the next visit.
//
// The oldest runs first. In the close phase of a host such as Node the newest does: libuv keeps
// the handles that are closing in a list and puts each at its front.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/containers/callback_queue.h"
#include "core/door.h"

namespace rondo {

class QueuePhase {
 public:
  QueuePhase(Door& door, TaskKind kind) noexcept : door_(door), kind_(kind) {}

  void add(Callback<>&& callback) {
    door_.scheduled({kind_, added_++});
    queue_.push(std::move(callback));
  }

  void run(std::size_t budget) {
    for (std::size_t left = std::min(budget, queue_.size()); left != 0; --left) {
      door_.run({kind_, added_ - queue_.size()}, [&] {
        Callback<> callback = queue_.pop();
        callback();
      });
    }
  }

  /// What a visit leaves for want of budget is the next visit's.
  void run_newest_first(std::size_t budget) {
    if (visited_.empty()) {
      swap(queue_, visited_);
      visited_end_ = added_;
    }
    for (; budget != 0 && !visited_.empty(); --budget) {
      door_.run({kind_, visited_end_ - 1}, [&] {
        --visited_end_;
        Callback<> callback = visited_.pop_newest();
        callback();
      });
    }
  }

  bool empty() const noexcept { return queue_.empty() && visited_.empty(); }
  std::size_t size() const noexcept { return queue_.size() + visited_.size(); }

  /// Destroys what waits without running it.
  void drop_all() {
    while (!queue_.empty()) queue_.pop();
    while (!visited_.empty()) visited_.pop();
  }

 private:
  Door& door_;
  TaskKind kind_;
  CallbackQueue queue_;
  CallbackQueue visited_;          // what a visit that runs the newest first has not run yet
  std::uint64_t added_ = 0;        // ever; the number of a callback is what this was before it
  std::uint64_t visited_end_ = 0;  // the number after that of the newest in visited_
};

}  // namespace rondo
