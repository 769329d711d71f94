// Pipes, child processes and signals, disturbed at every point of suspension
// (tests/stop_everywhere.h). What the documents promise of a cancelled operation is checked
// afterwards, on the same handles.
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <memory>
#include <string>
#include <utility>

#include "rondo/rondo.h"

#include "pattern.h"
#include "stop_everywhere.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using namespace stop_everywhere;

struct PipePair {
  explicit PipePair(Loop& loop) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    from = Pipe(loop, ends[0]);
    to = Pipe(loop, ends[1]);
  }
  Pipe from;
  Pipe to;
  std::string got;
};

Trial read_pipe(Loop& loop) {
  auto s = std::make_shared<PipePair>(loop);
  every_ms(loop, s, [sent = 0](PipePair& state) mutable {
    if (sent == 3) return;
    EXPECT_EQ(::write(state.to.fd(), "abc", 3), 3);
    if (++sent == 3) state.to.close();
  });
  const auto read_all = [s]() -> Async<std::string> {
    std::array<std::byte, 2> buffer;
    for (;;) {
      const auto count = co_await s->from.read(buffer);
      if (!count) co_return name_of(count);
      if (*count == 0) co_return "end";
      s->got.append(reinterpret_cast<const char*>(buffer.data()), *count);
    }
  };
  return {.body = read_all, .after = [s, read_all](const std::string&) -> Async<> {
            EXPECT_EQ(co_await read_all(), "end");
            EXPECT_EQ(s->got, "abcabcabc");
          }};
}

Trial read_all_of_pipe(Loop& loop) {
  auto s = std::make_shared<PipePair>(loop);
  every_ms(loop, s, [sent = 0](PipePair& state) mutable {
    if (sent == 3) return;
    EXPECT_EQ(::write(state.to.fd(), "abc", 3), 3);
    if (++sent == 3) state.to.close();
  });
  return {.body = [s] { return outcome(s->from.read_all(s->got, 1000)); },
          .after = [s](const std::string& said) -> Async<> {
            if (said != "ok") {
              EXPECT_TRUE(co_await s->from.read_all(s->got, 1000));
            }
            EXPECT_EQ(s->got, "abcabcabc");
          }};
}

Trial write_pipe(Loop& loop) {
  auto s = std::make_shared<PipePair>(loop);
  const auto text = std::make_shared<std::string>(pattern(100'000));
  ::fcntl(s->from.fd(), F_SETFL, O_NONBLOCK);
  every_ms(loop, s, [](PipePair& state) {
    if (!state.to.is_open()) return;  // it is read by an operation then
    std::string part(50'000, '\0');
    const ssize_t count = ::read(state.from.fd(), part.data(), part.size());
    if (count > 0) state.got.append(part, 0, static_cast<std::size_t>(count));
  });
  return {.body = [s, text] { return outcome(s->to.write(*text)); },
          .after = [s, text](const std::string& said) -> Async<> {
            s->to.close();
            EXPECT_TRUE(co_await s->from.read_all(s->got, 1U << 20));
            if (said == "ok") {
              EXPECT_EQ(s->got.size(), text->size());
            }
            EXPECT_TRUE(s->got == text->substr(0, s->got.size()));
          }};
}

struct Child {
  explicit Child(Loop& loop, SpawnOptions options) : process(*Process::spawn(loop, options)) {}
  Process process;
};
SpawnOptions killed(SpawnOptions options) {
  options.kill_on_destroy = true;
  return options;
}

Trial wait_for_child(Loop& loop) {
  auto s = std::make_shared<Child>(loop, killed(SpawnOptions("sleep", "0.004")));
  return {.body = [s] { return outcome(s->process.wait()); },
          .after = [s](const std::string&) -> Async<> {
            const auto status = co_await s->process.wait();
            EXPECT_TRUE(status);
            EXPECT_EQ(status->code, 0);  // stopping the wait leaves the child alone
          }};
}

Trial terminate_child(Loop& loop) {
  auto s = std::make_shared<Child>(
      loop, killed(SpawnOptions("sh", "-c",
                                "trap 'sleep 0.003; exit 3' TERM; while :; do sleep 0.001; done")));
  return {.body = [s]() -> Async<std::string> {
            const auto status = co_await s->process.terminate(10s);
            EXPECT_TRUE(status) << status.error();  // also when stopped: its end is waited for
            co_return "ended";
          },
          .after = [s](const std::string&) -> Async<> {
            EXPECT_FALSE(s->process.running());
            co_return;
          }};
}

Trial run_program(Loop& /*loop*/) {
  return {.body = []() -> Async<std::string> {
    auto options = RunOptions("cat").with_input(pattern(100'000));
    const auto ran = co_await run(std::move(options));
    if (ran) {
      EXPECT_TRUE(ran->out == pattern(100'000));
    }
    co_return name_of(ran);
  }};
}

Trial wait_for_a_signal(Loop& /*loop*/) {
  return {.body = []() -> Async<std::string> {
            EXPECT_NE(::signal(SIGUSR2, SIG_IGN), SIG_ERR);
            co_return name_of(co_await wait_signal(SIGUSR2, SIGUSR1));
          },
          .after = [](const std::string&) -> Async<> {
            co_await when_all(
                [](auto waiting) -> Async<> {
                  EXPECT_EQ(co_await std::move(waiting), SIGUSR2);
                }(wait_signal(SIGUSR2)),
                []() -> Async<> {
                  co_await sleep_for(1ms);
                  ::raise(SIGUSR2);
                }());
          },
          .endless = true};
}

const Case kCases[] = {
    {"pipe_read", read_pipe},
    {"pipe_read_all", read_all_of_pipe},
    {"pipe_write", write_pipe},
    {"process_wait", wait_for_child},
    {"process_terminate", terminate_child},
    {"run", run_program},
    {"signal", wait_for_a_signal},
};

class StopProcesses : public testing::TestWithParam<Case> {};

TEST_P(StopProcesses, EndsOnceLeaksNothingAndLosesNothing) {
  Sweep(GetParam()).run();
}

INSTANTIATE_TEST_SUITE_P(Operations, StopProcesses, testing::ValuesIn(kCases), case_name);

}  // namespace
}  // namespace rondo
