#include "rondo/work.h"

#include "io/threads/pool_operation.h"

namespace rondo::detail {

namespace {

class Job final : public PoolOperation {
 public:
  Job(LoopCore& core, Waiter waiter, PoolWork::Function function, void* argument) noexcept
      : core_(core), waiter_(waiter), function_(function), argument_(argument) {}

  void begin() {
    if (const std::error_code error = start(core_)) {
      // Known immediately, reported later like every result.
      core_.begin_request();
      core_.begin_work();
      core_.complete_soon(*this, -error.value());
    }
  }

  std::error_code error() const noexcept { return errno_code(-result_); }

 private:
  std::int32_t perform_blocking() noexcept override {
    function_(argument_);
    return 0;
  }
  void performed(std::int32_t result) override {
    result_ = result;
    const Task task{TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
    core_.door().run(task, [waiter = waiter_] { waiter(); });
  }

  LoopCore& core_;
  Waiter waiter_;
  PoolWork::Function function_;
  void* argument_;
  std::int32_t result_ = 0;
};

}  // namespace

void PoolWork::begin(Loop& loop, Waiter waiter, Function function, void* argument) {
  job_.make<Job>(loop.core(), waiter, function, argument).begin();
}

void PoolWork::cancel() noexcept {
  job_.get<Job>().cancel();
}

std::error_code PoolWork::error() noexcept {
  return job_.get<Job>().error();
}

}  // namespace rondo::detail
