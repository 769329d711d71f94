#include "runtime/inspector/mailbox.h"

#include <v8.h>

#include <utility>

#include "core/loop_core.h"
#include "runtime/engine/environment.h"

namespace rondo {

bool Mailbox::post(Task task) {
  const std::lock_guard guard(mutex_);
  if (environment_ == nullptr) return false;
  tasks_.push_back(std::move(task));
  if (tasks_.size() > 1) return true;  // it was asked for
  using Held = std::shared_ptr<Mailbox>;
  environment_->isolate()->RequestInterrupt(
      [](v8::Isolate* /*isolate*/, void* data) {
        const std::unique_ptr<Held> held(static_cast<Held*>(data));
        const bool before = std::exchange((*held)->in_interrupt_, true);
        (*held)->run_tasks();
        (*held)->in_interrupt_ = before;
      },
      new Held(shared_from_this()));
  environment_->loop().core().post_unreferenced([self = shared_from_this()] { self->run_tasks(); });
  changed_.notify_all();
  return true;
}

void Mailbox::run_tasks() {
  if (std::exchange(is_running_, true)) return;
  for (;;) {
    Task task;
    Environment* environment = nullptr;
    {
      const std::lock_guard guard(mutex_);
      if (tasks_.empty() || environment_ == nullptr) break;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      environment = environment_;
    }
    if (environment->ended()) continue;
    const v8::HandleScope handles(environment->isolate());
    const v8::Context::Scope inside(environment->context());
    task(environment->need_inspector());
  }
  is_running_ = false;
}

void Mailbox::wait(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [&] { return !tasks_.empty(); });
}

void Mailbox::close() {
  std::deque<Task> dropped;  // destroyed without the lock
  const std::lock_guard guard(mutex_);
  environment_ = nullptr;
  dropped.swap(tasks_);
}

}  // namespace rondo
