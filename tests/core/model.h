// The loop, stated as simply as possible: vectors, linear searches, no cleverness. Whatever is
// asked is computed again from a list of everything there ever was. It is slow, and that is why
// it can be believed. The model test compares the real loop with it; and it was itself compared
// with node, by running a few hundred random programs there (see model_test.cpp).
#pragma once

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/random_program.h"

namespace rondo::model_test {

class Model final : public Subject {
 public:
  explicit Model(const Setup& setup) : setup_(setup), clock_(setup.clock_start) {}

  // ---- Scheduling ----------------------------------------------------------------------------

  void schedule(TaskKind kind, Id id, milliseconds delay) override {
    records_[id] = {.id = id, .kind = kind, .duration = std::max(delay, milliseconds(1))};
    if (is_timer(kind)) {
      insert(records_[id], start_of_timer());
    } else {
      queues_[kind].push_back(id);
    }
  }

  bool clear(Id id) override {
    Record& record = records_.at(id);
    if (!record.active) return false;
    record.active = false;
    if (!is_timer(record.kind)) {
      std::erase(queues_[record.kind], id);
      return true;
    }
    leave_list(id);
    const auto list = list_of(record.duration);
    if (record.referenced && list != nullptr && list->timers.empty()) std::erase(lists_, list);
    return true;
  }

  bool refresh(Id id) override {
    Record& record = records_.at(id);
    if (!record.active) return false;
    leave_list(id);
    insert(record, start_of_timer());
    return true;
  }

  void set_ref(Id id, bool referenced) override { records_.at(id).referenced = referenced; }
  bool has_ref(Id id) const override { return active(id) && records_.at(id).referenced; }
  bool active(Id id) const override { return records_.at(id).active; }

  // ---- Iterations ----------------------------------------------------------------------------

  bool run(RunMode mode) override {
    running_ = true;
    try {
      read_clock();
      drain();
      if (mode == RunMode::until_done) {
        do {
          run_until_done();
        } while (!stopping_ && before_exit());
      } else if (!stopping_) {
        // Deferred callbacks are something that happens: then there is no need to wait.
        iteration(mode == RunMode::once && queues_[TaskKind::deferred].empty());
      }
    } catch (...) {
      phase_ = Phase::none;
      running_ = false;
      stopping_ = false;
      throw;
    }
    running_ = false;
    stopping_ = false;
    return alive();
  }

  void stop() override { stopping_ = true; }

  bool alive() const override {
    return std::ranges::any_of(records_, [](const auto& entry) {
      const Record& record = entry.second;
      return record.active && record.referenced && record.kind != TaskKind::tick &&
             record.kind != TaskKind::microtask;
    });
  }

  // ---- The rest of the interface -------------------------------------------------------------

  void handle_exceptions(bool handle) override { handles_exceptions_ = handle; }
  void advance_clock(nanoseconds duration) override { clock_ += duration; }
  void update_now() override { read_clock(); }

  milliseconds now() override {
    if (!running_) read_clock();
    return now_;
  }
  Phase phase() const override { return phase_; }
  std::uint64_t iterations() const override { return iterations_; }
  std::size_t waiting() const override {
    return static_cast<std::size_t>(
        std::ranges::count_if(records_, [](const auto& entry) { return entry.second.active; }));
  }

 private:
  struct Record {
    Id id = 0;
    TaskKind kind = TaskKind::timeout;
    milliseconds duration{};
    milliseconds start{};
    bool referenced = true;
    bool active = true;  // it is still to run, or is a timer or a hook that runs now
  };

  void run_until_done() {
    if (alive() && !stopping_) {
      read_clock();
      run_timers();
    }
    while (alive() && !stopping_) iteration(true);
  }

  void iteration(bool may_wait) {
    ++iterations_;
    read_clock();
    run_queue(Phase::pending, TaskKind::deferred, setup_.budgets.pending);
    run_hooks(Phase::idle, TaskKind::idle_hook);
    run_hooks(Phase::prepare, TaskKind::prepare_hook);
    if (may_wait) wait();
    read_clock();
    run_queue(Phase::poll, TaskKind::posted, setup_.budgets.poll);
    run_hooks(Phase::check, TaskKind::check_hook);
    run_queue(Phase::check, TaskKind::immediate, setup_.budgets.check);
    run_queue(Phase::close, TaskKind::close, setup_.budgets.close);
    read_clock();
    run_timers();
  }

  /// Until the earliest timer, unless there is something to do before.
  void wait() {
    if (stopping_ || !alive()) return;
    for (const TaskKind kind :
         {TaskKind::idle_hook, TaskKind::deferred, TaskKind::posted, TaskKind::close}) {
      if (!queues_[kind].empty()) return;
    }
    for (const Id id : queues_[TaskKind::immediate]) {
      if (has_ref(id)) return;
    }
    if (lists_.empty()) throw std::logic_error("the random program would sleep for ever");
    clock_ = std::max<nanoseconds>(clock_, earliest_list()->expiry);
  }

  /// Runs what waited when the visit began and is not cleared meanwhile.
  void run_queue(Phase phase, TaskKind kind, std::size_t budget) {
    phase_ = phase;
    const std::vector<Id> waited = queues_[kind];
    for (const Id id : waited) {
      if (!active(id)) continue;
      std::erase(queues_[kind], id);
      records_[id].active = false;
      operation(id);
      if (budget <= 1) break;
      --budget;
    }
    phase_ = Phase::none;
  }

  void run_hooks(Phase phase, TaskKind kind) {
    phase_ = phase;
    const std::vector<Id> waited = queues_[kind];
    for (const Id id : waited) {
      if (active(id)) operation(id);
    }
    phase_ = Phase::none;
  }

  bool before_exit() {
    if (!setup_.before_exit) return false;
    operation(kBeforeExit);
    return alive();
  }

  // ---- Timers: Node's lists ------------------------------------------------------------------

  /// Timers of one duration, in the order they were set. The expiry is that of the first timer
  /// when the list was made or last found too early; it stays when that timer leaves.
  struct List {
    milliseconds duration;
    milliseconds expiry;
    std::vector<Id> timers;
  };
  using ListPointer = std::shared_ptr<List>;

  void run_timers() {
    phase_ = Phase::timers;
    const milliseconds now = now_;  // one value for the whole visit
    std::size_t budget = std::max<std::size_t>(setup_.budgets.timers, 1);
    while (budget != 0 && !lists_.empty() && earliest_list()->expiry <= now) {
      run_list(earliest_list(), now, budget);
    }
    phase_ = Phase::none;
  }

  void run_list(const ListPointer& list, milliseconds now, std::size_t& budget) {
    while (!list->timers.empty()) {
      Record& timer = records_[list->timers.front()];
      const milliseconds due = timer.start + timer.duration;
      if (due > now) {  // too early: the list is re-inserted, after its equals
        list->expiry = std::max(due, now + milliseconds(1));
        std::erase(lists_, list);
        lists_.push_back(list);
        return;
      }
      if (budget == 0) return;
      --budget;
      fire(timer);
    }
    std::erase(lists_, list);  // unless a callback has ended it already
  }

  void fire(Record& timer) {
    leave_list(timer.id);
    const milliseconds began = present();
    operation(timer.id, [&] {
      if (timer.kind == TaskKind::interval && timer.active) {
        leave_list(timer.id);  // where it is if it was refreshed
        insert(timer, began);
      } else if (!is_listed(timer.id)) {
        timer.active = false;
      }
    });
  }

  void insert(Record& timer, milliseconds start) {
    timer.start = start;
    if (list_of(timer.duration) == nullptr) {
      lists_.push_back(std::make_shared<List>(List{timer.duration, start + timer.duration, {}}));
    }
    list_of(timer.duration)->timers.push_back(timer.id);
  }

  void leave_list(Id id) {
    for (const ListPointer& list : lists_) std::erase(list->timers, id);
  }

  bool is_listed(Id id) const {
    return std::ranges::any_of(lists_, [&](const ListPointer& list) {
      return std::ranges::find(list->timers, id) != list->timers.end();
    });
  }

  ListPointer list_of(milliseconds duration) const {
    const auto list =
        std::ranges::find(lists_, duration, [](const ListPointer& l) { return l->duration; });
    return list == lists_.end() ? nullptr : *list;
  }

  /// Among those that expire first, the one that was placed first.
  ListPointer earliest_list() const {
    return *std::ranges::min_element(lists_, {}, [](const ListPointer& l) { return l->expiry; });
  }

  // ---- Operations, ticks and microtasks ------------------------------------------------------

  template <class Afterwards>
  void operation(Id id, Afterwards afterwards) {
    call(id, afterwards);
    drain();
  }
  void operation(Id id) {
    operation(id, [] {});
  }

  template <class Afterwards>
  void call(Id id, Afterwards afterwards) {
    std::exception_ptr thrown;
    try {
      on_callback(id);
    } catch (...) {
      thrown = std::current_exception();
    }
    afterwards();
    if (thrown == nullptr) return;
    if (!handles_exceptions_) std::rethrow_exception(thrown);
    on_exception();
  }

  void drain() {
    do {
      drain(queues_[TaskKind::tick]);
      drain(queues_[TaskKind::microtask]);
    } while (!queues_[TaskKind::tick].empty());
  }

  void drain(std::vector<Id>& queue) {
    while (!queue.empty()) {
      const Id id = queue.front();
      queue.erase(queue.begin());
      records_[id].active = false;
      call(id, [] {});
    }
  }

  // ---- Time ----------------------------------------------------------------------------------

  milliseconds present() const { return std::max(now_, std::chrono::floor<milliseconds>(clock_)); }
  void read_clock() { now_ = present(); }
  milliseconds start_of_timer() {
    return setup_.timer_start == TimerStart::present ? present() : now();
  }

  static bool is_timer(TaskKind kind) {
    return kind == TaskKind::timeout || kind == TaskKind::interval;
  }

  Setup setup_;
  nanoseconds clock_;
  milliseconds now_{};
  std::map<Id, Record> records_;                // all there ever were
  std::map<TaskKind, std::vector<Id>> queues_;  // of everything but timers
  std::vector<ListPointer> lists_;              // in the order they were placed
  Phase phase_ = Phase::none;
  std::uint64_t iterations_ = 0;
  bool running_ = false;
  bool stopping_ = false;
  bool handles_exceptions_ = false;
};

}  // namespace rondo::model_test
