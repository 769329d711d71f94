#include "io/process/orphan_reaper.h"

#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "io/backend/wake_event.h"

namespace rondo {

namespace {

// One for the process, because a loop that could own it is what is missing. The thread shares it
// with the next child, and ends when there is none left.
struct Reaper {
  WakeEvent news;
  std::vector<Descriptor> incoming;
};

constinit std::mutex mutex;           // guards both
constinit Reaper* running = nullptr;  // null: no thread
constinit pid_t running_in = 0;       // a forked process has a pointer but no thread

bool reaped(const Descriptor& pidfd) noexcept {
  siginfo_t info{};
  const auto id = static_cast<id_t>(pidfd.get());
  // An error: another thread has waited for it.
  return ::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG | __WALL) != 0 || info.si_pid != 0;
}

void* reap_all(void* argument) noexcept {
  ::pthread_setname_np(::pthread_self(), "rondo-reaper");
  const std::unique_ptr<Reaper> reaper(static_cast<Reaper*>(argument));
  std::vector<Descriptor> children;
  std::vector<pollfd> polled;
  for (;;) {
    {
      const std::lock_guard guard(mutex);
      for (Descriptor& child : reaper->incoming) children.push_back(std::move(child));
      reaper->incoming.clear();
      if (children.empty()) {
        running = nullptr;
        return nullptr;
      }
    }
    polled.clear();
    polled.push_back({reaper->news.fd(), POLLIN, 0});
    for (const Descriptor& child : children) polled.push_back({child.get(), POLLIN, 0});
    ::poll(polled.data(), polled.size(), -1);
    std::uint64_t rings = 0;
    if (polled[0].revents != 0 && ::read(reaper->news.fd(), &rings, sizeof(rings)) < 0) continue;
    std::erase_if(children, reaped);
  }
}

bool start(std::unique_ptr<Reaper> reaper) noexcept {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return false;
  sigset_t all;
  sigfillset(&all);
  ::pthread_attr_setsigmask_np(&attributes, &all);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const bool started = ::pthread_create(&thread, &attributes, &reap_all, reaper.get()) == 0;
  ::pthread_attr_destroy(&attributes);
  if (started) {
    running = reaper.release();
    running_in = ::getpid();
  }
  return started;
}

}  // namespace

void reap_orphan(Descriptor pidfd) noexcept {
  if (reaped(pidfd)) return;
  try {
    const std::lock_guard guard(mutex);
    if (running != nullptr && running_in == ::getpid()) {
      running->incoming.push_back(std::move(pidfd));
      running->news.ring();
      return;
    }
    auto reaper = std::make_unique<Reaper>();
    reaper->incoming.push_back(std::move(pidfd));
    start(std::move(reaper));
  } catch (const std::exception&) {
    return;  // no memory or no descriptor for it
  }
}

}  // namespace rondo
