#include "io/fs/operation.h"

#include <sys/stat.h>

#include <cassert>
#include <cerrno>
#include <exception>

#include "io/io_context.h"

namespace rondo {

namespace detail {

void FileOperationBase::begin(LoopCore& core, Waiter waiter) {
  core.check_thread();
  assert(where_ == Where::nowhere && core_ == nullptr);
  if (only_on_ != nullptr && only_on_ != &core) {
    throw Misuse("ERR_INVALID_ARG_VALUE", "what is awaited belongs to another loop");
  }
  core_ = &core;
  waiter_ = waiter;
  behind_immediates_ = !core.check().empty();
  check_visits_ = core.check().visits();
  core.begin_request();
  core.begin_work();
  core.door().scheduled(task());
  const Outcome outcome = start();
  if (!outcome.has_value()) return;
  // Known immediately, reported in the poll phase.
  result_ = *outcome;
  where_ = Where::done;
  core.complete_soon(ring_, 0);
}

FileOperationBase::Outcome FileOperationBase::start() {
  std::size_t& changes = IoContext::of(*core_).file_changes();
  if (only_looks()) return changes == 0 || refused_ != 0 ? carry_on() : hand_to_thread();
  const Outcome outcome = carry_on();
  changes_files_ = !outcome.has_value();
  if (changes_files_) ++changes;
  return outcome;
}

/// Proceeds as far as possible without blocking, and passes the next step on. Has an outcome when
/// that was the last.
FileOperationBase::Outcome FileOperationBase::carry_on() {
  if (refused_ != 0) return -refused_;
  try {
    if (const Outcome outcome = try_at_once()) return outcome;
  } catch (const std::exception&) {
    return -ENOMEM;
  }
  UringBackend* uring = uring_of(core_->backend());
  if (uring != nullptr && on_ring()) {
    where_ = Where::ring;
    // Not gathered until the loop waits: what runs until then may take long, or look at the file.
    uring->start_now(ring_);
    return std::nullopt;
  }
  return hand_to_thread();
}

FileOperationBase::Outcome FileOperationBase::hand_to_thread() {
  where_ = Where::thread;
  pool_ = &IoContext::of(*core_).pool();
  if (const std::error_code error = thread_.start(*core_)) return -error.value();
  return std::nullopt;
}

std::int32_t FileOperationBase::perform_or_fail() noexcept {
  try {
    return perform();
  } catch (const std::exception&) {
    return -ENOMEM;
  }
}

void FileOperationBase::perform_now() noexcept {
  assert(where_ == Where::nowhere && core_ == nullptr);
  result_ = refused_ != 0 ? -refused_ : perform_or_fail();
  where_ = Where::done;
}

void FileOperationBase::completed(std::int32_t result) {
  if (where_ == Where::done) {
    report();
    return;
  }
  const bool cancelled = cancelled_.load(std::memory_order_relaxed);
  if (result == -EINTR && repeatable()) {
    if (!cancelled) {  // a signal meant for another thread
      uring_of(core_->backend())->start_now(ring_);
      return;
    }
    result = -ECANCELED;
  }
  Outcome outcome;
  if (result == -ECANCELED && !cancelled) {
    // Nobody has asked for that: the kernel could not start a thread for it, because of a signal or
    // for lack of memory, and has not begun.
    outcome = hand_to_thread();
  } else {
    try {
      outcome = answered(result);
    } catch (const std::exception&) {
      outcome = -ENOMEM;
    }
    if (!outcome.has_value()) outcome = cancelled ? -ECANCELED : carry_on();
  }
  if (outcome.has_value()) deliver(*outcome);
}

void FileOperationBase::abandoned(std::int32_t result) noexcept {
  if (where_ != Where::ring) return;
  try {
    answered(result);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    // No operation waits any more.
  }
}

void FileOperationBase::deliver(std::int32_t result) {
  result_ = result;
  where_ = Where::done;
  if (changes_files_) --IoContext::of(*core_).file_changes();
  // However fast it was: not before an immediate that waited when it began.
  if (behind_immediates_ && !core_->check().empty() && core_->check().visits() == check_visits_) {
    core_->complete_soon(ring_, 0);
    return;
  }
  report();
}

void FileOperationBase::report() {
  core_->end_request();
  core_->end_work();
  // The waiter may end this operation.
  core_->door().run(task(), [waiter = waiter_] { waiter(); });
}

void FileOperationBase::cancel() noexcept {
  if (where_ == Where::done || core_->ending()) return;
  cancelled_.store(true, std::memory_order_relaxed);
  if (where_ == Where::ring) {
    uring_of(core_->backend())->cancel(ring_);
  } else {
    thread_.cancel();
  }
}

// ---- Closing without waiting ------------------------------------------------------------------

namespace {

/// Closing what was written to may wait for the disk; so may closing the last name of a file
/// that was unlinked, which is when its blocks are freed.
bool closes_at_once(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  struct stat status{};
  if (flags < 0 || ::fstat(fd, &status) != 0) return true;  // no descriptor: fails at once
  if (S_ISFIFO(status.st_mode)) return true;
  return (flags & O_ACCMODE) == O_RDONLY && status.st_nlink != 0 &&
         (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

class CloseCall final : public FileCall<CloseCall, void> {
 public:
  explicit CloseCall(int fd) noexcept : fd_(fd) {}
  CloseCall(CloseCall&& other) noexcept
      // NOLINTNEXTLINE(bugprone-use-after-move): the base has moved only what is its own
      : FileCall(std::move(other)), fd_(std::exchange(other.fd_, -1)) {}
  ~CloseCall() override {
    // Never begun, or cancelled, or too late: closed all the same.
    if (fd_ >= 0) dispose_descriptor(core(), fd_);
  }

 private:
  Outcome try_at_once() override {
    if (fd_ < 0) return -EBADF;
    if (!closes_at_once(fd_)) return std::nullopt;
    return perform();
  }
  bool on_ring() const noexcept override { return true; }
  void prepare(io_uring_sqe& entry) noexcept override {
    entry.opcode = IORING_OP_CLOSE;
    entry.fd = fd_;
    // On its own the kernel would close here and now, on this thread.
    entry.flags = IOSQE_ASYNC;
  }
  Outcome answered(std::int32_t result) override {
    if (result != -ECANCELED) fd_ = -1;
    return result == -EINTR ? 0 : result;
  }
  bool repeatable() const noexcept override { return false; }  // the descriptor is gone
  std::int32_t perform() override {
    // After EINTR the descriptor is gone as well.
    return ::close(std::exchange(fd_, -1)) == 0 || errno == EINTR ? 0 : -errno;
  }

  int fd_;
};

/// A close without a waiting operation.
class QuietClose final : public LoopOwned {
 public:
  static void start(LoopCore& core, int fd) { (new QuietClose(core, fd))->begin(core); }

 private:
  QuietClose(LoopCore& core, int fd) noexcept : LoopOwned(core), call_(fd) {}
  void begin(LoopCore& core) {
    call_.begin(core, {[](void* self) { delete static_cast<QuietClose*>(self); }, this});
  }
  void loop_ends() noexcept override { delete this; }

  CloseCall call_;
};

}  // namespace

void dispose_descriptor(LoopCore* core, int fd) noexcept {
  if (core == nullptr || core->ending() || closes_at_once(fd)) {
    ::close(fd);
    return;
  }
  try {
    QuietClose::start(*core, fd);
  } catch (const std::exception&) {
    ::close(fd);  // no memory: better late than never
  }
}

}  // namespace detail

// ---- The public face --------------------------------------------------------------------------

namespace fs {

template <class T>
Op<T>::Op(Op&& other) noexcept {
  operation_ = other.operation_->move_to(storage_);
}

template <class T>
Op<T>::~Op() {
  std::destroy_at(operation_);
}

template <class T>
Expected<T> Op<T>::run_now() {
  operation_->perform_now();
  return operation_->take_result();
}

template <class T>
void Op<T>::begin(const detail::AsyncContext& context, detail::Waiter waiter) {
  operation_->begin(context.loop->core(), waiter);
}

template <class T>
void Op<T>::cancel() noexcept {
  operation_->cancel();
}

template <class T>
Expected<T> Op<T>::take_result() {
  return operation_->take_result();
}

template class Op<void>;
template class Op<std::size_t>;
template class Op<std::string>;
template class Op<Stat>;
template class Op<File>;
template class Op<std::vector<DirEntry>>;

Op<void> close(int fd) {
  return detail::make_file_op<detail::CloseCall>(fd);
}
Op<void> close(File file) {
  return close(file.release());
}

File::File(Loop& loop, int fd) noexcept : LoopOwned(loop), fd_(fd) {}

File::File(File&& other) noexcept : File(other.core(), other.release()) {}

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    // Not swapped: the two may belong to different loops.
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
  }
  return *this;
}

File::~File() {
  check_drop();
  if (is_open()) detail::dispose_descriptor(core(), release());
}

}  // namespace fs
}  // namespace rondo
