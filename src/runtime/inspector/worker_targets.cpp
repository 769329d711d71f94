#include "runtime/inspector/worker_targets.h"

#include <algorithm>

#include "runtime/inspector/inspector.h"

namespace rondo {

WorkerTargets& WorkerTargets::instance() {
  // Never destroyed: Workers may end after main() has.
  static auto& targets = *new WorkerTargets;
  return targets;
}

void WorkerTargets::Watcher::tell_began(const WorkerTarget& target, bool waits) const {
  mailbox->post([number = number, target, waits](Inspector& inspector) {
    if (NodeDomains* domains = inspector.domains(number)) domains->worker_began(target, waits);
  });
}

bool WorkerTargets::add(const WorkerTarget& target) {
  const std::lock_guard guard(mutex_);
  targets_.push_back(target);
  const bool waits = std::ranges::any_of(watchers_, &Watcher::workers_wait);
  for (const Watcher& watcher : watchers_) watcher.tell_began(target, waits);
  return waits;
}

void WorkerTargets::remove(std::uint32_t id) {
  const std::lock_guard guard(mutex_);
  std::erase_if(targets_, [&](const WorkerTarget& target) { return target.id == id; });
  for (const Watcher& watcher : watchers_) {
    watcher.mailbox->post([number = watcher.number, id](Inspector& inspector) {
      if (NodeDomains* domains = inspector.domains(number)) domains->worker_ended(id);
    });
  }
}

void WorkerTargets::watch(std::uint32_t number, const std::shared_ptr<Mailbox>& mailbox,
                          bool workers_wait) {
  const std::lock_guard guard(mutex_);
  const auto known = std::ranges::find(watchers_, number, &Watcher::number);
  if (known != watchers_.end()) {
    known->workers_wait = workers_wait;
    return;
  }
  watchers_.push_back({number, mailbox, workers_wait});
  for (const WorkerTarget& target : targets_) watchers_.back().tell_began(target, false);
}

void WorkerTargets::unwatch(std::uint32_t number) {
  const std::lock_guard guard(mutex_);
  std::erase_if(watchers_, [&](const Watcher& watcher) { return watcher.number == number; });
}

}  // namespace rondo
