// The Workers of the process, for debuggers: the domain NodeWorker (node_domains.h) attaches to
// them. One list for all threads; each Worker is in it from its start to its end.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/inspector/mailbox.h"

namespace rondo {

struct WorkerTarget {
  std::uint32_t id;
  std::string title;
  std::string url;
  std::shared_ptr<Mailbox> mailbox;
};

class WorkerTargets {
 public:
  static WorkerTargets& instance();

  // ---- On a Worker's thread ---------------------------------------------------------------------

  /// Tells those that watch, and whether it waits for them to let it begin.
  bool add(const WorkerTarget& target);
  void remove(std::uint32_t id);

  // ---- On the thread of a session that watches --------------------------------------------------

  /// Watches Workers from now on, for the NodeDomains of this number, which gets worker_began() and
  /// worker_ended() of each, also of those there are. Again: changes whether new ones wait.
  void watch(std::uint32_t number, const std::shared_ptr<Mailbox>& mailbox, bool workers_wait);
  void unwatch(std::uint32_t number);

 private:
  struct Watcher {
    std::uint32_t number;
    std::shared_ptr<Mailbox> mailbox;
    bool workers_wait;

    void tell_began(const WorkerTarget& target, bool waits) const;
  };

  std::mutex mutex_;  // guards all below
  std::vector<WorkerTarget> targets_;
  std::vector<Watcher> watchers_;
};

}  // namespace rondo
