#include "rondo/signal.h"

#include <cerrno>
#include <utility>

#include "core/loop_core.h"
#include "io/process/signal_hub.h"

namespace rondo {

// ---- SignalWatcher -----------------------------------------------------------------------------

class SignalWatcher::State final : public Handle, public std::enable_shared_from_this<State> {
 public:
  explicit State(LoopCore& core) noexcept : Handle(core) {}

  Expected<> start(int signum, Callback<void(int)> callback) {
    if (closed()) return std::unexpected(errno_code(EINVAL));
    core()->check_thread();
    if (!callback) throw Misuse("ERR_INVALID_CALLBACK", "the callback is empty");
    auto next = std::make_unique<Listener>(*this, signum, std::move(callback));
    if (const auto error = SignalHub::listen(*core(), *next, signal_bit(signum))) {
      return std::unexpected(error);
    }
    core()->door().scheduled(task());
    set_active(true);
    // Last: the destructor of the old callable may stop this watcher, or destroy it.
    const auto replaced = std::exchange(listener_, std::move(next));
    return {};
  }

  void stop() noexcept {
    if (!active()) return;
    core()->door().cancelled(task());
    set_active(false);
    const auto stopped = std::move(listener_);  // destroyed last, for the same reason
  }

  void close(Callback<> callback) {
    if (core() == nullptr) return;
    core()->check_thread();
    const auto keep = shared_from_this();
    LoopCore& core = *this->core();
    closed_ = true;
    stop();
    if (callback && !core.ending()) core.close().add(std::move(callback));
  }

  bool closed() const noexcept { return closed_ || core() == nullptr; }
  int signum() const noexcept { return listener_ == nullptr ? 0 : listener_->signum(); }

 private:
  class Listener final : public SignalListener {
   public:
    Listener(State& state, int signum, Callback<void(int)> callback)
        : state_(state),
          signum_(signum),
          callback_(std::make_shared<Callback<void(int)>>(std::move(callback))) {}

    int signum() const noexcept { return signum_; }

   private:
    void on_signal(int signum) override {
      const auto keep = state_.shared_from_this();
      const auto callback = callback_;  // it may stop the watcher, or start it with another
      state_.core()->door().run(state_.task(), [&] { (*callback)(signum); });
    }

    State& state_;
    int signum_;
    std::shared_ptr<Callback<void(int)>> callback_;
  };

  void loop_ends() noexcept override {
    const auto keep = shared_from_this();
    stop();
    detach();
  }

  Task task() const noexcept {
    return {TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  }

  bool closed_ = false;
  std::unique_ptr<Listener> listener_;
};

SignalWatcher::SignalWatcher(Loop& loop) {
  loop.core().check_thread();
  state_ = std::make_shared<State>(loop.core());
}

SignalWatcher::~SignalWatcher() {
  if (state_ == nullptr) return;
  state_->check_drop();
  state_->close(nullptr);
}

SignalWatcher::SignalWatcher(SignalWatcher&&) noexcept = default;

SignalWatcher& SignalWatcher::operator=(SignalWatcher&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Expected<> SignalWatcher::start(int signum, Callback<void(int)> callback) {
  if (state_ == nullptr) return std::unexpected(errno_code(EBADF));
  return state_->start(signum, std::move(callback));
}

void SignalWatcher::stop() {
  if (state_ == nullptr) return;
  if (state_->core() == nullptr) return;
  state_->core()->check_thread();
  state_->stop();
}

void SignalWatcher::close(Callback<> callback) {
  if (state_ == nullptr) return;
  state_->close(std::move(callback));
}

SignalWatcher& SignalWatcher::ref() {
  if (state_ == nullptr) return *this;
  state_->set_referenced(true);
  return *this;
}

SignalWatcher& SignalWatcher::unref() {
  if (state_ == nullptr) return *this;
  state_->set_referenced(false);
  return *this;
}

bool SignalWatcher::has_ref() const {
  if (state_ == nullptr) return false;
  return state_->referenced();
}
bool SignalWatcher::active() const {
  if (state_ == nullptr) return false;
  return state_->active();
}
bool SignalWatcher::closed() const {
  if (state_ == nullptr) return true;
  return state_->closed();
}
int SignalWatcher::signum() const {
  if (state_ == nullptr) return 0;
  return state_->signum();
}

// ---- wait_signal() -----------------------------------------------------------------------------

namespace {

class Waiting final : public SignalListener, public Operation {
 public:
  Waiting(LoopCore& core, detail::Waiter waiter) noexcept : core_(core), waiter_(waiter) {}

  void begin(std::uint64_t signals) {
    core_.begin_request();
    const std::error_code error =
        signals == 0 ? errno_code(EINVAL) : SignalHub::listen(core_, *this, signals);
    if (error) core_.complete_soon(*this, -error.value());
  }

  void cancel() noexcept {
    if (!listening()) return;  // it has come, or failed
    stop_listening();
    core_.complete_soon(*this, -ECANCELED);
  }

  Expected<int> result() const {
    if (result_ < 0) return std::unexpected(errno_code(-result_));
    return result_;
  }

 private:
  void on_signal(int signum) override {
    stop_listening();
    complete(signum, 0);
  }

  void complete(std::int32_t result, std::uint32_t /*flags*/) override {
    result_ = result;
    core_.end_request();
    const Task task{TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
    core_.door().run(task, [waiter = waiter_] { waiter(); });
  }

  LoopCore& core_;
  detail::Waiter waiter_;
  std::int32_t result_ = 0;
};

}  // namespace

WaitSignalOp::WaitSignalOp(std::initializer_list<int> signals) noexcept {
  for (const int signum : signals) {
    const std::uint64_t bit = signal_bit(signum);
    if (bit == 0) {
      signals_ = 0;
      return;
    }
    signals_ |= bit;
  }
}

void WaitSignalOp::begin(const detail::AsyncContext& context, detail::Waiter waiter) {
  waiting_.make<Waiting>(context.loop->core(), waiter).begin(signals_);
}

void WaitSignalOp::cancel() noexcept {
  waiting_.get<Waiting>().cancel();
}

Expected<int> WaitSignalOp::take_result() {
  return waiting_.get<Waiting>().result();
}

}  // namespace rondo
