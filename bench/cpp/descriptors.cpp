// Watched descriptors: what an iteration costs when there are many of them.
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <uv.h>

#include "rondo/loop.h"
#include "rondo/poll.h"

#include "immediate_chain.h"
#include "rows.h"
#include "uv_loop.h"

namespace rondo::bench {

namespace {

constexpr std::size_t kDescriptors = 10'000;
constexpr std::size_t kIdleIterations = 200'000;
constexpr std::size_t kReadyIterations = 100'000;

void allow_descriptors(rlim_t count) {
  rlimit limit{};
  expect(::getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit failed");
  limit.rlim_cur = std::min(std::max(limit.rlim_cur, count), limit.rlim_max);
  expect(limit.rlim_cur >= count, "the hard limit on open files (ulimit -Hn) is too low");
  expect(::setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit failed");
}

class EventFds {
 public:
  EventFds() {
    allow_descriptors(kDescriptors + 200);
    for (std::size_t i = 0; i < kDescriptors; ++i) {
      fds_.push_back(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
      expect(fds_.back() >= 0, "eventfd failed");
    }
  }
  EventFds(const EventFds&) = delete;
  EventFds& operator=(const EventFds&) = delete;
  ~EventFds() {
    for (const int fd : fds_) ::close(fd);
  }

  auto begin() const { return fds_.begin(); }
  auto end() const { return fds_.end(); }

  /// Makes one of them readable, another each time, far from the last.
  void make_one_ready() {
    next_ = (next_ + 7919) % fds_.size();
    const std::uint64_t one = 1;
    expect(::write(fds_[next_], &one, sizeof(one)) == sizeof(one), "eventfd write failed");
  }
  void read(int fd) {
    std::uint64_t count = 0;
    expect(::read(fd, &count, sizeof(count)) == sizeof(count), "eventfd read failed");
    ++reads_;
  }
  std::size_t reads() const { return reads_; }

 private:
  std::vector<int> fds_;
  std::size_t next_ = 0;
  std::size_t reads_ = 0;
};

/// All descriptors watched, each read when it is ready.
class OurPolls {
 public:
  explicit OurPolls(EventFds& fds) {
    polls_.reserve(kDescriptors);
    for (const int fd : fds) {
      const auto started = polls_.emplace_back(loop_, fd).start(
          PollEvents::readable, [&fds, fd](PollEvents) { fds.read(fd); });
      expect(started.has_value(), "a descriptor could not be watched");
    }
    loop_.run_nowait();  // the kernel knows them all now
  }

  template <class Each>
  double go_round(std::size_t iterations, Each each) {
    return RondoChain(loop_, iterations, each).run();
  }

 private:
  Loop loop_;
  std::vector<Poll> polls_;
};

class UvPolls {
 public:
  explicit UvPolls(EventFds& fds) : polls_(std::make_unique<uv_poll_t[]>(kDescriptors)) {
    for (uv_poll_t* poll = polls_.get(); const int fd : fds) {
      poll->data = &fds;
      expect(uv_poll_init(loop_.get(), poll, fd) == 0, "uv_poll_init failed");
      uv_poll_start(poll++, UV_READABLE, [](uv_poll_t* ready, int, int) {
        uv_os_fd_t ready_fd = -1;
        uv_fileno(handle_of(ready), &ready_fd);
        static_cast<EventFds*>(ready->data)->read(ready_fd);
      });
    }
    uv_run(loop_.get(), UV_RUN_NOWAIT);
  }

  template <class Each>
  double go_round(std::size_t iterations, Each each) {
    return UvChain(loop_, iterations, each).run();
  }

 private:
  static const uv_handle_t* handle_of(const uv_poll_t* poll) {
    return reinterpret_cast<const uv_handle_t*>(poll);
  }

  std::unique_ptr<uv_poll_t[]> polls_;
  UvLoop loop_;  // after the handles: it closes them while they are there
};

template <class Polls>
double none_ready() {
  EventFds fds;
  return Polls(fds).go_round(kIdleIterations, Nothing());
}

template <class Polls>
double one_ready() {
  EventFds fds;
  const double result = Polls(fds).go_round(kReadyIterations, [&fds] { fds.make_one_ready(); });
  // What the last iteration made ready is not looked at any more.
  expect(fds.reads() == kReadyIterations - 1, "a ready descriptor was not reported");
  return result;
}

}  // namespace

std::vector<Row> descriptor_rows() {
  return {
      uv_row("descriptors", "iteration with 10,000 idle descriptors", "ns/iteration", 1,
             none_ready<OurPolls>, none_ready<UvPolls>),
      uv_row("descriptors", "iteration with 1 of 10,000 descriptors ready", "ns/iteration", {},
             one_ready<OurPolls>, one_ready<UvPolls>),
  };
}

}  // namespace rondo::bench
