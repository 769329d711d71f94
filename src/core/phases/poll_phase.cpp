#include "core/phases/poll_phase.h"

#include <algorithm>
#include <utility>

#include "rondo/scheduler.h"

#include "core/loop_core.h"

namespace rondo {

using std::chrono::nanoseconds;

void PollPhase::run(std::optional<nanoseconds> timeout, std::size_t budget) {
  // The backend is not asked again before all it gave has been delivered: a descriptor reported
  // as ready is rearmed only then, when its callback has had the chance to make it unready.
  const bool asks = left_over() == 0;
  if (asks) collect(timeout);
  core_.update_now();
  if (asks) {
    asked_ms_ = core_.now_ms();
    asked_ = core_.stamp();
  }
  const bool posted_first = posted_first_;
  if (posted_first) run_posted(budget);
  for (;;) {
    const bool full = end_ == kBatch;
    deliver(budget);
    if (!full || begin_ != end_ || budget == 0) break;
    collect(nanoseconds::zero());
  }
  while (!last_.empty() && begin_ == end_ && budget != 0) deliver_last(budget);
  if (!posted_first) run_posted(budget);
  // Where completions alone use the hard maximum up, what was posted goes first next time.
  posted_first_ = !posted_first && budget == 0 && !core_.posted().empty();
}

void PollPhase::collect(std::optional<nanoseconds> timeout) {
  begin_ = 0;
  end_ = take_local();
  end_ += core_.posted().take_completions(room());
  if (end_ != 0) timeout = nanoseconds::zero();
  if (timeout != nanoseconds::zero()) {
    sleep(timeout);
    end_ += core_.posted().take_completions(room());
  } else if (core_.host_slept() || !core_.backend().quiet()) {
    ask_kernel(nanoseconds::zero());
  }
}

std::span<Completion> PollPhase::room() noexcept {
  return std::span(ready_).subspan(end_);
}

std::size_t PollPhase::take_local() noexcept {
  // An operation that was done on the spot still comes after the immediates that waited when it
  // was started: either none waits, or a check phase has gone by.
  std::size_t taken = 0;
  while (taken < local_.size() && taken < kBatch &&
         (core_.check().empty() || local_[taken].check_visits != core_.check().visits())) {
    ready_[taken] = local_[taken].completion;
    ++taken;
  }
  local_.erase(local_.begin(), local_.begin() + static_cast<std::ptrdiff_t>(taken));
  return taken;
}

void PollPhase::sleep(std::optional<nanoseconds> timeout) {
  PostedQueue& posted = core_.posted();
  // Between working out the timeout and this moment another thread may have posted, stopped the
  // loop or released what kept it alive. From here on it knows that it has to wake us.
  if (!posted.fall_asleep() || core_.stopping() || !core_.alive()) timeout = nanoseconds::zero();

  const bool would_skip =
      core_.clock().is_virtual() && timeout.has_value() && *timeout > nanoseconds::zero();
  if (would_skip && core_.work_under_way()) {
    ask_kernel(std::nullopt);  // virtual time does not advance until some of the work is done
  } else if (would_skip) {
    if (ask_kernel(nanoseconds::zero()) == 0) {
      core_.clock().skip(*timeout);
      idle_ += *timeout;
      core_.read_clock();
    }
  } else {
    const nanoseconds before = core_.stamp();
    ask_kernel(timeout);
    idle_ += core_.stamp() - before;
  }
  posted.wake_up();
}

std::size_t PollPhase::ask_kernel(std::optional<nanoseconds> timeout) {
  if (Observer* observer = core_.door().observer()) observer->on_wait(timeout);
  ++waits_;
  const std::size_t count = core_.backend().wait(timeout, room());
  end_ += count;
  core_.read_clock();
  if (Observer* observer = core_.door().observer()) observer->on_woken(count);
  return count;
}

void PollPhase::deliver(std::size_t& budget) {
  std::size_t count = std::min(budget, end_ - begin_);
  if (core_.scheduler() != nullptr && count != 0) {
    count = std::clamp<std::size_t>(core_.scheduler()->completions_to_take(count), 1, count);
  }
  for (; count != 0; --count) {
    const Completion completion = take_next();
    --budget;
    ++events_;
    completion.operation->complete(completion.result, completion.flags);
  }
}

void PollPhase::deliver_last(std::size_t& budget) {
  // What these come after is with the kernel already: to ask once more is enough.
  std::size_t count = last_.size();
  collect(nanoseconds::zero());
  deliver(budget);
  if (begin_ != end_) return;
  for (count = std::min(count, last_.size()); count != 0 && budget != 0; --count) {
    const Completion completion = last_.front();
    last_.erase(last_.begin());
    --budget;
    ++events_;
    completion.operation->complete(completion.result, completion.flags);
  }
}

Completion PollPhase::take_next() noexcept {
  const std::size_t waiting = end_ - begin_;
  if (core_.scheduler() != nullptr && waiting > 1) {
    const std::size_t choice = core_.scheduler()->next_completion(waiting);
    // Moves the chosen one to the front and keeps the order of the others.
    const auto first = ready_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto chosen = first + static_cast<std::ptrdiff_t>(std::min(choice, waiting - 1));
    std::rotate(first, chosen, chosen + 1);
  }
  return ready_[begin_++];
}

void PollPhase::run_posted(std::size_t& budget) {
  PostedQueue& posted = core_.posted();
  if (posted.empty()) return;
  for (std::size_t left = std::min(budget, posted.size()); left != 0; --left) {
    posted.take_batch();  // when the one before is used up
    --budget;
    ++events_;
    core_.door().run({TaskKind::posted, posted.next_id()}, [&] {
      Callback<> callback = posted.pop();
      callback();
    });
  }
}

}  // namespace rondo
