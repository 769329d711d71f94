// The public face: checks what comes from outside, then hands it to the core.
#include "rondo/loop.h"

#include <string>
#include <utility>

#include "core/loop_core.h"

namespace rondo {

namespace {

constexpr std::int64_t kLongestDelayMs = 0x7fffffff;

[[noreturn, gnu::cold]] void throw_empty_callback() {
  throw Misuse("ERR_INVALID_CALLBACK", "the callback is empty");
}

template <class Signature>
void check_callable(const Callback<Signature>& callback) {
  if (!callback) [[unlikely]]
    throw_empty_callback();
}

[[gnu::cold]] void warn_of_overflow(LoopCore& core, std::int64_t delay_ms) {
  core.warn({"TimeoutOverflowWarning", std::to_string(delay_ms) +
                                           " does not fit into a 32-bit signed integer.\n"
                                           "Timeout duration was set to 1."});
}

/// The part of the core that a kind of handle names records in.
TimersPhase& records_of(LoopCore& core, const Timer*) {
  return core.timers();
}
CheckPhase& records_of(LoopCore& core, const Immediate*) {
  return core.check();
}
Hooks& records_of(LoopCore& core, const Hook*) {
  return core.hooks();
}

}  // namespace

// ---- Handles -----------------------------------------------------------------------------------

namespace detail {

template <class Self>
bool ScheduledHandle<Self>::clear() {
  if (loop_ == nullptr) return false;
  loop_->core().check_thread();
  return records_of(loop_->core(), static_cast<Self*>(this)).clear(id_);
}

template <class Self>
Self& ScheduledHandle<Self>::ref() {
  auto& self = static_cast<Self&>(*this);
  if (loop_ != nullptr) {
    loop_->core().check_thread();
    records_of(loop_->core(), &self).set_ref(id_, true);
  }
  return self;
}

template <class Self>
Self& ScheduledHandle<Self>::unref() {
  auto& self = static_cast<Self&>(*this);
  if (loop_ != nullptr) {
    loop_->core().check_thread();
    records_of(loop_->core(), &self).set_ref(id_, false);
  }
  return self;
}

template <class Self>
bool ScheduledHandle<Self>::has_ref() const {
  if (loop_ == nullptr) return false;
  loop_->core().check_thread();
  return records_of(loop_->core(), static_cast<const Self*>(this)).has_ref(id_);
}

template <class Self>
bool ScheduledHandle<Self>::active() const {
  if (loop_ == nullptr) return false;
  loop_->core().check_thread();
  return records_of(loop_->core(), static_cast<const Self*>(this)).active(id_);
}

template class ScheduledHandle<Timer>;
template class ScheduledHandle<Immediate>;
template class ScheduledHandle<Hook>;

}  // namespace detail

bool Timer::refresh() {
  if (loop_ == nullptr) return false;
  LoopCore& core = loop_->core();
  core.check_thread();
  return core.timers().refresh(id_, core.timer_start_ms());
}

KeepAlive::KeepAlive(KeepAlive&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}

KeepAlive& KeepAlive::operator=(KeepAlive&& other) noexcept {
  if (this != &other) {
    release();
    core_ = std::exchange(other.core_, nullptr);
  }
  return *this;
}

void KeepAlive::release() noexcept {
  if (LoopCore* core = std::exchange(core_, nullptr)) core->release_hold();
}

// ---- The loop ----------------------------------------------------------------------------------

Loop::~Loop() = default;

bool Loop::accepts(const Callback<>& callback) const {
  core_->check_thread();
  check_callable(callback);
  return !core_->ending();
}

Timer Loop::set_timer(std::int64_t delay_ms, Callback<>&& callback, TaskKind kind) {
  if (!accepts(callback)) return {};
  if (delay_ms > kLongestDelayMs) [[unlikely]] {
    warn_of_overflow(*core_, delay_ms);
    delay_ms = 1;
  }
  return {this, core_->timers().add(static_cast<std::int32_t>(delay_ms), core_->timer_start_ms(),
                                    kind, std::move(callback))};
}

Timer Loop::set_precise_timer(std::chrono::nanoseconds delay, Callback<>&& callback,
                              TaskKind kind) {
  if (!accepts(callback)) return {};
  return {this, core_->timers().add_precise(delay, kind, std::move(callback))};
}

Immediate Loop::set_immediate(Callback<> callback) {
  if (!accepts(callback)) return {};
  return {this, core_->check().add(std::move(callback))};
}

void Loop::next_tick(Callback<> callback) {
  if (accepts(callback)) core_->door().next_tick(std::move(callback));
}

void Loop::queue_microtask(Callback<> callback) {
  if (accepts(callback)) core_->door().queue_microtask(std::move(callback));
}

void Loop::defer(Callback<> callback) {
  if (accepts(callback)) core_->pending().add(std::move(callback));
}

void Loop::queue_close(Callback<> callback) {
  if (accepts(callback)) core_->close().add(std::move(callback));
}

Hook Loop::on_idle(Callback<> callback) {
  return add_hook(TaskKind::idle_hook, std::move(callback));
}
Hook Loop::on_prepare(Callback<> callback) {
  return add_hook(TaskKind::prepare_hook, std::move(callback));
}
Hook Loop::on_check(Callback<> callback) {
  return add_hook(TaskKind::check_hook, std::move(callback));
}

Hook Loop::add_hook(TaskKind kind, Callback<>&& callback) {
  if (!accepts(callback)) return {};
  return {this, core_->hooks().add(kind, std::move(callback))};
}

void Loop::post(Callback<> callback) {
  check_callable(callback);
  core_->post(std::move(callback));
}

void Loop::stop() noexcept {
  core_->stop();
}

bool Loop::run() {
  return core_->run();
}
bool Loop::run_once() {
  return core_->run_one_iteration(LoopCore::Wait::yes);
}
bool Loop::run_nowait() {
  return core_->run_one_iteration(LoopCore::Wait::no);
}

bool Loop::alive() const {
  core_->check_thread();
  return core_->alive();
}

KeepAlive Loop::keep_alive() {
  core_->check_thread();
  core_->hold();
  return KeepAlive(core_.get());
}

std::chrono::milliseconds Loop::now() const {
  core_->check_thread();
  return std::chrono::milliseconds(core_->now_ms());
}

void Loop::update_now() {
  core_->check_thread();
  core_->move_now_to_present();
}

Phase Loop::phase() const noexcept {
  return core_->door().phase();
}

Pulse Loop::pulse() const noexcept {
  return core_->pulse();
}

Metrics Loop::metrics() const {
  core_->check_thread();
  return core_->metrics();
}

void Loop::on_uncaught(Callback<void(std::exception_ptr)> handler) {
  core_->check_thread();
  core_->door().set_uncaught_handler(std::move(handler));
}

void Loop::on_warning(Callback<void(const Warning&)> handler) {
  core_->check_thread();
  core_->set_warning_handler(std::move(handler));
}

void Loop::on_before_exit(Callback<> handler) {
  core_->check_thread();
  core_->set_before_exit(std::move(handler));
}

HostWait Loop::host_wait() {
  return core_->host_wait();
}

void Loop::adopt() {
  core_->adopt();
}

std::string_view Loop::backend() const noexcept {
  return core_->backend().name();
}
const std::string& Loop::backend_reason() const noexcept {
  return core_->backend_reason();
}

void Loop::set_observer(Observer* observer) {
  core_->check_thread();
  core_->door().set_observer(observer);
}

}  // namespace rondo
