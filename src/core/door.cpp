#include "core/door.h"

namespace rondo {

void Door::drain() {
  // Ticks first, all of them; then microtasks, all of them; a tick queued by a microtask waits
  // until the microtasks are done.
  bool again = false;
  do {
    while (!ticks_.empty()) run_first(ticks_, TaskKind::tick);
    if (source_ != nullptr) {
      ++entries_;
      source_->drain();
    }
    // The source runs the microtasks that ours leave to it.
    again = source_ != nullptr && !microtasks_.empty();
    while (!microtasks_.empty()) run_first(microtasks_, TaskKind::microtask);
  } while (again || !ticks_.empty());
}

// The loop's thread writes these as plain numbers: counting must cost nothing. A whole word is read
// in one piece all the same, and an old one will do, which ThreadSanitizer cannot know.
__attribute__((no_sanitize("thread"))) std::pair<std::uint64_t, Phase> Door::glance()
    const noexcept {
  Phase phase;
  __atomic_load(&phase_, &phase, __ATOMIC_RELAXED);
  return {__atomic_load_n(&entries_, __ATOMIC_RELAXED), phase};
}

void Door::run_first(CallbackQueue& queue, TaskKind kind) {
  const Task task{kind, queue.popped()};
  const Announcement announcement(*this, task);
  call(task, [&] {
    Callback<> callback = queue.pop();
    callback();
  });
}

void Door::uncaught(Task task, std::exception_ptr exception) {
  const auto handler = uncaught_handler_;
  if (observer_ != nullptr) observer_->on_exception(task, handler != nullptr);
  if (handler == nullptr) std::rethrow_exception(std::move(exception));
  (*handler)(std::move(exception));
}

void Door::set_uncaught_handler(Callback<void(std::exception_ptr)> handler) {
  uncaught_handler_ =
      handler ? std::make_shared<Callback<void(std::exception_ptr)>>(std::move(handler)) : nullptr;
}

void Door::drop_tasks() {
  while (!ticks_.empty()) ticks_.pop();
  while (!microtasks_.empty()) microtasks_.pop();
}

}  // namespace rondo
