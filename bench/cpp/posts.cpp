// post(): work handed to the loop by another thread.
#include <pthread.h>
#include <sched.h>

#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <uv.h>

#include "rondo/loop.h"

#include "rows.h"
#include "uv_loop.h"

namespace rondo::bench {

namespace {

constexpr std::size_t kPosts = 1'000'000;

/// What users of libuv write: a queue under a mutex, swapped out as a whole by an async handle
/// that is rung only when the queue was empty. Neither vector ever gives its memory back.
class UvPostedQueue {
 public:
  explicit UvPostedQueue(UvLoop& loop) {
    uv_async_init(loop.get(), &async_,
                  [](uv_async_t* async) { static_cast<UvPostedQueue*>(async->data)->run_batch(); });
    async_.data = this;
  }

  void post(std::function<void()> callback) {
    bool was_empty = false;
    {
      const std::lock_guard guard(mutex_);
      was_empty = incoming_.empty();
      incoming_.push_back(std::move(callback));
    }
    if (was_empty) uv_async_send(&async_);
  }

 private:
  void run_batch() {
    {
      const std::lock_guard guard(mutex_);
      incoming_.swap(batch_);
    }
    for (auto& callback : batch_) callback();
    batch_.clear();
  }

  uv_async_t async_;
  std::mutex mutex_;
  std::vector<std::function<void()>> incoming_;
  std::vector<std::function<void()>> batch_;
};

/// Keeps the calling thread on one processor while in scope: loop and producer on two different
/// ones, or else the row measures where the kernel happened to put them.
class Pinned {
 public:
  explicit Pinned(std::size_t which) {
    pthread_getaffinity_np(pthread_self(), sizeof(before_), &before_);
    cpu_set_t only;
    CPU_ZERO(&only);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (!CPU_ISSET(cpu, &before_) || which-- != 0) continue;
      CPU_SET(cpu, &only);
      pthread_setaffinity_np(pthread_self(), sizeof(only), &only);
      return;
    }
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { pthread_setaffinity_np(pthread_self(), sizeof(before_), &before_); }

 private:
  cpu_set_t before_{};
};

/// From the first post in the other thread to the end of the last callback in this one.
/// `post` hands in one callback, `run` runs the loop until `done` is called in it.
template <class Post, class Run, class Done>
double burst(Post&& post, Run&& run, Done&& done) {
  Stopwatch watch;
  std::size_t handled = 0;
  std::thread producer([&] {
    const Pinned second(1);
    watch.start();
    for (std::size_t i = 0; i < kPosts; ++i) {
      post([&] {
        if (++handled != kPosts) return;
        watch.stop();
        done();
      });
    }
  });
  {
    const Pinned first(0);
    run();
  }
  producer.join();
  expect(handled == kPosts, "posts were lost");
  return watch.ns_per(kPosts);
}

double posts_ours() {
  Loop loop;
  const KeepAlive alive = loop.keep_alive();
  const auto once = [&] {
    return burst([&](auto callback) { loop.post(callback); }, [&] { loop.run(); },
                 [&] { loop.stop(); });
  };
  once();  // warms up: the queue has its size now
  return once();
}

double posts_theirs() {
  UvLoop loop;
  UvPostedQueue queue(loop);
  const auto once = [&] {
    return burst([&](auto callback) { queue.post(callback); },
                 [&] { uv_run(loop.get(), UV_RUN_DEFAULT); }, [&] { uv_stop(loop.get()); });
  };
  once();
  const double result = once();
  loop.close_all();
  return result;
}

}  // namespace

std::vector<Row> post_rows() {
  return {uv_row("posts", "1,000,000 post() from another thread", "ns/post", 3, posts_ours,
                 posts_theirs)};
}

}  // namespace rondo::bench
