// What every operation on files is made of: the work itself, which knows three ways to be done,
// and the machinery that chooses one and delivers the result.
//
// A piece of work overrides:
//   try_at_once   carries on as far as it can without blocking, on the loop's thread
//   on_ring, prepare, answered   the step that would block, as an entry for io_uring
//   perform       completes the operation, blocking, on a thread of the pool
//   only_looks    whether it leaves the files as they are
// An operation of several steps goes through the first two again and again; a thread, once it
// comes to that, does all that is left in one go.
//
// What only looks takes none of the short ways while something that may change files is in progress:
// it would overtake it, and not see what a program has written just before.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "rondo/fs.h"

#include "core/loop_core.h"
#include "io/backend/uring_backend.h"
#include "io/fs/system.h"
#include "io/threads/pool_operation.h"

namespace rondo::detail {

class FileOperationBase {
 public:
  void begin(LoopCore& core, Waiter waiter);
  void cancel() noexcept;
  /// Without a loop, on this thread.
  void perform_now() noexcept;

  FileOperationBase& operator=(FileOperationBase&&) = delete;

 protected:
  FileOperationBase() = default;
  /// Only before it begins: nothing is in progress that would have to move.
  FileOperationBase(FileOperationBase&& other) noexcept
      : only_on_(other.only_on_), refused_(other.refused_) {}
  ~FileOperationBase() = default;

  /// Done: a count or a negative errno. Nullopt: it would block.
  using Outcome = std::optional<std::int32_t>;

  virtual Outcome try_at_once() { return std::nullopt; }
  /// Whether io_uring can carry out the step that would block.
  virtual bool on_ring() const noexcept { return false; }
  virtual void prepare(io_uring_sqe& /*entry*/) noexcept {}
  /// What io_uring answered to it. Nullopt: there is more to do. Also called when the answer
  /// comes too late to be reported: takes ownership of what it contains.
  virtual Outcome answered(std::int32_t result) { return result; }
  /// Whether the step can be done again when a signal has interrupted it.
  virtual bool repeatable() const noexcept { return true; }
  virtual std::int32_t perform() = 0;
  virtual bool only_looks() const noexcept { return false; }

  /// On any other loop than this one begin() throws Misuse. Null: any loop will do.
  void begins_only_on(const LoopCore* core) noexcept { only_on_ = core; }
  /// The operation will fail with this error, without having done anything.
  void refuse(int error) noexcept { refused_ = error; }
  void check(const fs::Path& path) noexcept {
    if (path.has_nul()) refuse(EINVAL);
  }

  /// Whether to stop between two steps. On any thread.
  bool stop_wanted() const noexcept {
    return cancelled_.load(std::memory_order_relaxed) || (pool_ != nullptr && pool_->ending());
  }

  /// Null before it has begun.
  LoopCore* core() const noexcept { return core_; }
  std::int32_t result() const noexcept { return result_; }

 private:
  /// Answers of io_uring, and results that were known at once.
  class Ring final : public UringOperation {
   public:
    explicit Ring(FileOperationBase& owner) noexcept : owner_(owner) {}
    void prepare(io_uring_sqe& entry) noexcept override { owner_.prepare(entry); }
    void complete(std::int32_t result, std::uint32_t /*flags*/) override {
      owner_.completed(result);
    }
    void abandoned(std::int32_t result) noexcept override { owner_.abandoned(result); }

   private:
    FileOperationBase& owner_;
  };
  class Thread final : public PoolOperation {
   public:
    explicit Thread(FileOperationBase& owner) noexcept : owner_(owner) {}
    std::int32_t perform_blocking() noexcept override { return owner_.perform_or_fail(); }
    void performed(std::int32_t result) override { owner_.deliver(result); }

   private:
    FileOperationBase& owner_;
  };

  enum class Where : std::uint8_t { nowhere, ring, thread, done };

  Outcome start();
  Outcome carry_on();
  Outcome hand_to_thread();
  std::int32_t perform_or_fail() noexcept;
  void completed(std::int32_t result);
  void abandoned(std::int32_t result) noexcept;
  void deliver(std::int32_t result);
  void report();
  Task task() const noexcept {
    return {TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  }

  LoopCore* core_ = nullptr;
  const LoopCore* only_on_ = nullptr;
  ThreadPool* pool_ = nullptr;  // once a thread has it
  Waiter waiter_;
  std::uint64_t check_visits_ = 0;  // when it began
  bool behind_immediates_ = false;  // some waited when it began
  bool changes_files_ = false;      // counted in IoContext::file_changes()
  Where where_ = Where::nowhere;
  std::atomic<bool> cancelled_ = false;
  int refused_ = 0;
  std::int32_t result_ = 0;
  Ring ring_{*this};
  Thread thread_{*this};
};

/// An operation that gives a T.
template <class T>
class FileOperation : public FileOperationBase {
 public:
  using Value = T;

  virtual ~FileOperation() = default;
  virtual FileOperation* move_to(void* where) noexcept = 0;

  Expected<T> take_result() {
    if (result() < 0) {
      note_failure();
      return std::unexpected(errno_code(-result()));
    }
    try {
      return take();
    } catch (const std::exception&) {
      return std::unexpected(errno_code(ENOMEM));
    }
  }

 protected:
  FileOperation() = default;
  FileOperation(FileOperation&&) noexcept = default;

  /// It has failed, and the failure is to be reported.
  virtual void note_failure() {}

  /// The value of an operation that went well: nothing, or its count, or what it overrides this
  /// with. Called once.
  virtual Expected<T> take() {
    if constexpr (std::is_void_v<T>) {
      return {};
    } else if constexpr (std::is_same_v<T, std::size_t>) {
      return static_cast<std::size_t>(result());
    } else {
      std::unreachable();
    }
  }
};

/// Base of the concrete ones.
template <class Self, class T>
class FileCall : public FileOperation<T> {
 public:
  FileOperation<T>* move_to(void* where) noexcept final {
    return ::new (where) Self(std::move(static_cast<Self&>(*this)));
  }
};

struct FileOpMaker {
  template <class Call, class... Args>
  static fs::Op<typename Call::Value> make(Args&&... args) {
    using Op = fs::Op<typename Call::Value>;
    static_assert(sizeof(Call) <= Op::kBytes && alignof(Call) <= alignof(std::max_align_t));
    static_assert(std::is_nothrow_move_constructible_v<Call>);
    Op op;
    op.operation_ = ::new (op.storage_) Call(std::forward<Args>(args)...);
    return op;
  }
  static fs::File file(LoopCore* core, int fd) noexcept { return fs::File(core, fd); }
};

template <class Call, class... Args>
auto make_file_op(Args&&... args) {
  return FileOpMaker::make<Call>(std::forward<Args>(args)...);
}

/// What only a thread can do.
template <class T, class Blocking>
class ThreadCall final : public FileCall<ThreadCall<T, Blocking>, T> {
 public:
  ThreadCall(Blocking blocking, int refused) noexcept : blocking_(std::move(blocking)) {
    if (refused != 0) this->refuse(refused);
  }

 private:
  std::int32_t perform() override {
    if constexpr (std::is_void_v<T>) {
      return retrying(blocking_);
    } else {
      return blocking_(value_);
    }
  }
  Expected<T> take() override {
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return std::move(value_);
    }
  }

  Blocking blocking_;
  std::conditional_t<std::is_void_v<T>, char, T> value_{};
};

/// `blocking` makes a system call and returns what that returns; or, for another T than void, it
/// is given a T& to fill in and returns 0 or a negative errno.
template <class T, class Blocking>
fs::Op<T> on_thread(Blocking blocking, int refused = 0) {
  return FileOpMaker::make<ThreadCall<T, Blocking>>(std::move(blocking), refused);
}

inline int refusal(const fs::Path& path) noexcept {
  return path.has_nul() ? EINVAL : 0;
}

/// Memory that the kernel fills while the operation is in progress. Not worth moving before.
template <class T>
struct Scratch {
  Scratch() noexcept {}  // NOLINT(modernize-use-equals-default): leaves it uninitialised
  Scratch(Scratch&&) noexcept {}
  T value;
};

/// Closes on the loop's thread if that cannot block, elsewhere if it might. Errors are lost.
void dispose_descriptor(LoopCore* core, int fd) noexcept;

/// Owned by an operation from the step that opened it to the step that closes it. An operation
/// ends on the loop's thread: there the destructor disposes.
class HeldDescriptor {
 public:
  HeldDescriptor() = default;
  HeldDescriptor(HeldDescriptor&& other) noexcept : fd_(other.release()) {}
  HeldDescriptor& operator=(HeldDescriptor&&) = delete;
  ~HeldDescriptor() {
    if (fd_ >= 0) dispose_descriptor(core_, fd_);
  }

  int get() const noexcept { return fd_; }
  bool is_open() const noexcept { return fd_ >= 0; }
  void hold(LoopCore* core, int fd) noexcept {
    core_ = core;
    fd_ = fd;
  }
  int release() noexcept { return std::exchange(fd_, -1); }

 private:
  LoopCore* core_ = nullptr;
  int fd_ = -1;
};

}  // namespace rondo::detail
