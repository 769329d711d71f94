// What must be destroyed with its loop: handles, spawned coroutines, operations with a callback.
#pragma once

namespace rondo {

class Loop;
class LoopCore;

namespace detail {

/// Whether the caller is on the loop's thread.
bool on_thread_of(const Loop& loop) noexcept;

/// Throws Misuse (ERR_INVALID_ARG_VALUE) when what belongs to the loop `owner` is begun on `loop`.
/// An owner that is gone (null) is left to the operation, which fails.
void check_same_loop(const LoopCore* owner, const Loop& loop);

/// Whether something may be begun on the loop. False while the loop is being destroyed: what is
/// begun then is dropped. Throws Misuse on a thread that is not the loop's.
bool takes_work(const Loop& loop);

class LoopOwned {
 public:
  explicit LoopOwned(Loop& loop) noexcept;
  explicit LoopOwned(LoopCore& core) noexcept;
  explicit LoopOwned(LoopCore* core) noexcept;  // null: of a loop that is gone already
  LoopOwned(const LoopOwned&) = delete;
  LoopOwned& operator=(const LoopOwned&) = delete;

  /// Null once the loop is gone.
  LoopCore* core() const noexcept { return core_; }

  /// For an operation that begins: throws Misuse (ERR_INVALID_ARG_VALUE) if the coroutine is one of
  /// another loop.
  void check_same_loop(const Loop& loop) const { detail::check_same_loop(core_, loop); }

  /// Ends the program with a message unless called on the loop's thread: a destructor cannot throw,
  /// and to continue would be a data race. Any thread will do once the loop is gone.
  void check_drop() const noexcept;

 protected:
  virtual ~LoopOwned();

  /// Leaves the loop for good.
  void leave() noexcept;

 private:
  friend class ::rondo::LoopCore;

  /// The loop is being destroyed; nothing of it is in progress in the kernel any more. Must
  /// leave(), or end in the destructor, which does.
  virtual void loop_ends() noexcept = 0;

  LoopCore* core_;
  LoopOwned* next_ = nullptr;
  LoopOwned* prev_ = nullptr;
};

}  // namespace detail
}  // namespace rondo
