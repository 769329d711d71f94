#include "io/threads/thread_pool.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <latch>
#include <memory>
#include <semaphore>
#include <vector>

#include <gtest/gtest.h>

namespace rondo {
namespace {

/// Runs a function and reports when it has finished.
class Job final : public PoolJob {
 public:
  explicit Job(std::function<void()> body = [] {}) : body_(std::move(body)) {}
  ~Job() = default;

  void wait() { finished_.acquire(); }
  bool performed() const { return performed_; }

 private:
  void perform() noexcept override { body_(); }
  void finished(bool performed) noexcept override {
    performed_ = performed;
    finished_.release();
  }
  std::function<void()> body_;
  bool performed_ = false;
  std::binary_semaphore finished_{0};
};

TEST(ThreadPoolTest, StartsNoThreadBeforeTheFirstJob) {
  ThreadPool pool(4);
  EXPECT_EQ(pool.threads(), 0U);
  Job job;
  ASSERT_FALSE(pool.submit(job));
  job.wait();
  EXPECT_TRUE(job.performed());
  EXPECT_EQ(pool.threads(), 1U);
}

TEST(ThreadPoolTest, RunsAsManyAtOnceAsItMayHaveThreads) {
  ThreadPool pool(3);
  std::latch all_three(3);  // opens only if three run at the same time
  std::vector<std::unique_ptr<Job>> jobs;
  for (int i = 0; i < 3; ++i) {
    jobs.push_back(std::make_unique<Job>([&] { all_three.arrive_and_wait(); }));
    ASSERT_FALSE(pool.submit(*jobs.back()));
  }
  for (auto& job : jobs) job->wait();
  EXPECT_EQ(pool.threads(), 3U);
}

TEST(ThreadPoolTest, JobsBeginInOrder) {
  ThreadPool pool(1);
  std::vector<int> order;
  std::vector<std::unique_ptr<Job>> jobs;
  for (int i = 0; i < 100; ++i) {
    jobs.push_back(std::make_unique<Job>([&order, i] { order.push_back(i); }));
    ASSERT_FALSE(pool.submit(*jobs.back()));
  }
  for (auto& job : jobs) job->wait();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(ThreadPoolTest, AFullQueueIsAnError) {
  ThreadPool pool(1, 2);
  std::binary_semaphore begun{0};
  std::binary_semaphore go_on{0};
  Job running([&] {
    begun.release();
    go_on.acquire();
  });
  ASSERT_FALSE(pool.submit(running));
  begun.acquire();
  Job first;
  Job second;
  Job third;
  EXPECT_FALSE(pool.submit(first));
  EXPECT_FALSE(pool.submit(second));
  EXPECT_EQ(pool.submit(third), errno_code(EAGAIN));
  // Cancelling makes room.
  EXPECT_TRUE(pool.cancel(first));
  EXPECT_FALSE(pool.submit(third));
  go_on.release();
  for (Job* job : {&running, &first, &second, &third}) job->wait();
  EXPECT_FALSE(first.performed());
  EXPECT_TRUE(third.performed());
}

TEST(ThreadPoolTest, CancelsWhatHasNotBegunOnly) {
  ThreadPool pool(1);
  std::binary_semaphore begun{0};
  std::binary_semaphore go_on{0};
  Job running([&] {
    begun.release();
    go_on.acquire();
  });
  std::vector<std::unique_ptr<Job>> waiting;
  ASSERT_FALSE(pool.submit(running));
  begun.acquire();
  for (int i = 0; i < 5; ++i) {
    waiting.push_back(std::make_unique<Job>());
    ASSERT_FALSE(pool.submit(*waiting.back()));
  }
  EXPECT_FALSE(pool.cancel(running));
  for (const std::size_t i : {0U, 2U, 4U}) {  // the first, one in the middle, the last
    EXPECT_TRUE(pool.cancel(*waiting[i]));
    EXPECT_FALSE(pool.cancel(*waiting[i]));
  }
  go_on.release();
  running.wait();
  for (std::size_t i = 0; i < 5; ++i) {
    waiting[i]->wait();
    EXPECT_EQ(waiting[i]->performed(), i % 2 == 1);
  }
  EXPECT_FALSE(pool.cancel(running));
}

TEST(ThreadPoolTest, TheEndCancelsWhatWaitsAndWaitsForWhatRuns) {
  std::binary_semaphore begun{0};
  std::binary_semaphore go_on{0};
  std::atomic<bool> ended = false;
  Job running([&] {
    begun.release();
    go_on.acquire();
    ended = true;
  });
  class ReleaseWhenCancelled final : public PoolJob {
   public:
    explicit ReleaseWhenCancelled(std::binary_semaphore& go_on) : go_on_(go_on) {}
    bool performed = true;

   private:
    void perform() noexcept override {}
    void finished(bool was_performed) noexcept override {
      performed = was_performed;
      go_on_.release();
    }
    std::binary_semaphore& go_on_;
  } waiting(go_on);
  {
    ThreadPool pool(1);
    ASSERT_FALSE(pool.submit(running));
    begun.acquire();
    ASSERT_FALSE(pool.submit(waiting));
  }
  EXPECT_TRUE(ended);
  EXPECT_FALSE(waiting.performed);
}

TEST(ThreadPoolTest, ThreadsBlockAllSignals) {
  ThreadPool pool(1);
  sigset_t mask;
  Job job([&] { ::pthread_sigmask(SIG_BLOCK, nullptr, &mask); });
  ASSERT_FALSE(pool.submit(job));
  job.wait();
  for (const int signum : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD, SIGPROF}) {
    EXPECT_EQ(sigismember(&mask, signum), 1) << signum;
  }
}

TEST(ThreadPoolTest, ManyJobsFromTheirOwnCompletions) {
  // Each job that ends hands in the next one: the hardest case for a lost wake-up.
  ThreadPool pool(2);
  constexpr int kRounds = 2000;
  for (int i = 0; i < kRounds; ++i) {
    Job a;
    Job b;
    ASSERT_FALSE(pool.submit(a));
    ASSERT_FALSE(pool.submit(b));
    if (i % 3 == 0) pool.cancel(b);
    a.wait();
    b.wait();
  }
  EXPECT_LE(pool.threads(), 2U);
}

TEST(ThreadPoolTest, AForkedProcessNeitherHangsNorWorks) {
  ThreadPool pool(2);
  Job job;
  ASSERT_FALSE(pool.submit(job));
  job.wait();
  auto* inherited = new ThreadPool(2);
  Job other;
  ASSERT_FALSE(inherited->submit(other));
  other.wait();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);  // should it hang
    Job refused;
    const bool right =
        inherited->submit(refused) == errno_code(ENOTSUP) && !inherited->cancel(refused);
    delete inherited;
    ::_exit(right ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  delete inherited;
}

class ThreadPoolSizeTest : public testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void clear() {
    ::unsetenv("RONDO_THREADPOOL_SIZE");
    ::unsetenv("UV_THREADPOOL_SIZE");
  }
};

TEST_F(ThreadPoolSizeTest, ComesFromTheEnvironment) {
  const auto size = [](const char* value) {
    ::setenv("RONDO_THREADPOOL_SIZE", value, 1);
    return ThreadPool::threads_from_environment();
  };
  EXPECT_EQ(ThreadPool::threads_from_environment(), 4U);
  EXPECT_EQ(size("7"), 7U);
  EXPECT_EQ(size("0"), 1U);
  EXPECT_EQ(size("5000"), ThreadPool::kMostThreads);
  EXPECT_EQ(size("99999999999999999999999"), ThreadPool::kMostThreads);
  for (const char* nonsense : {"", "four", "4x", "-1", " 4"}) EXPECT_EQ(size(nonsense), 4U);
  ::setenv("UV_THREADPOOL_SIZE", "9", 1);
  EXPECT_EQ(size("nonsense"), 9U);
  EXPECT_EQ(size("2"), 2U);
}

}  // namespace
}  // namespace rondo
