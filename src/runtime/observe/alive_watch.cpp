#include "runtime/observe/alive_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <string>
#include <system_error>

#include "lens/quiet_thread.h"
#include "lens/standard_error.h"
#include "runtime/observe/interjection.h"

namespace rondo {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

/// Answered once, by whichever way to the program's thread is open first.
struct AliveWatch::Question {
  Environment& environment;
  std::shared_ptr<v8::Global<v8::Function>> report;
  bool is_signal;
  std::atomic<bool> is_answered = false;

  /// `in_the_middle`: of something that runs, rather than between two callbacks.
  void answer(bool in_the_middle) {
    if (is_answered.exchange(true) || report->IsEmpty()) return;
    v8::Isolate* isolate = environment.isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope inside(environment.context());
    const v8::TryCatch caught(isolate);
    std::array<v8::Local<v8::Value>, 2> circumstances{v8::Boolean::New(isolate, is_signal),
                                                      v8::Boolean::New(isolate, in_the_middle)};
    v8::Local<v8::Value> text;
    if (!report->Get(isolate)
             ->Call(environment.context(), v8::Undefined(isolate),
                    static_cast<int>(circumstances.size()), circumstances.data())
             .ToLocal(&text)) {
      if (in_the_middle) is_answered = false;  // no room on the stack: once more, a little later
      return;
    }
    const v8::String::Utf8Value utf8(isolate, text);
    lens::print_error({*utf8, static_cast<std::size_t>(utf8.length())});
  }
};

AliveWatch::AliveWatch(Environment& environment, std::optional<milliseconds> after,
                       v8::Local<v8::Function> report)
    : environment_(environment),
      interjection_(environment.interjection()),
      report_(std::make_shared<v8::Global<v8::Function>>(environment.isolate(), report)),
      stop_(::eventfd(0, EFD_CLOEXEC)) {
  auto inbox = SignalInbox::open();
  if (!inbox) throw std::system_error(inbox.error(), "--why-alive");
  signals_ = *std::move(inbox);
  // Besides other listeners.
  if (const std::error_code error = signals_->add(SIGUSR2)) {
    throw std::system_error(error, "--why-alive");
  }
  if (after) deadline_ = SteadyClock::now() + *after;
  thread_ = lens::start_quiet_thread([this] { run(); });
}

AliveWatch::~AliveWatch() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof one);
  thread_.join();
  report_->Reset();  // a question that is still posted is not answered any more
}

bool AliveWatch::stops_within(milliseconds time) const noexcept {
  pollfd polled{stop_.get(), POLLIN, 0};
  return ::poll(&polled, 1, static_cast<int>(time.count())) > 0;
}

void AliveWatch::run() {
  constexpr std::int64_t kLongestWait = 86'400'000;  // more does not fit; it waits again then
  for (;;) {
    int timeout = -1;
    if (deadline_) {
      const auto left = std::chrono::ceil<milliseconds>(*deadline_ - SteadyClock::now()).count();
      timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, kLongestWait));
    }
    std::array<pollfd, 2> polled{{{stop_.get(), POLLIN, 0}, {signals_->fd(), POLLIN, 0}}};
    const int count = ::poll(polled.data(), polled.size(), timeout);
    if (count < 0) continue;
    if (polled[0].revents != 0) return;
    if (count == 0) {
      if (SteadyClock::now() < *deadline_) continue;
      deadline_.reset();
      ask(false);
      continue;
    }
    std::array<unsigned char, 64> arrived;
    const std::size_t numbers = signals_->read(arrived);
    for (std::size_t i = 0; i < numbers; ++i) {
      if (arrived[i] == SIGUSR2) ask(true);
    }
  }
}

void AliveWatch::ask(bool is_signal) {
  constexpr milliseconds kLookUp{20};
  const auto question = std::make_shared<Question>(environment_, report_, is_signal);
  Loop& loop = environment_.loop();
  // A loop that sleeps or iterates answers itself ...
  loop.post([question] { question->answer(false); });
  // ... and otherwise what blocks it is interrupted.
  while (!question->is_answered && !stops_within(kLookUp)) {
    if (question->is_answered || loop.pulse().asleep) continue;
    interjection_.run([&](Environment& /*environment*/) { question->answer(true); });
  }
}

}  // namespace rondo
