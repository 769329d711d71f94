// The base of everything long-lived that is built on the loop: watched descriptors, sockets,
// processes. It knows its loop, whether it is active and referenced (and so keeps the loop
// alive), and hears when the loop goes away before it does.
#pragma once

namespace rondo {

class LoopCore;

class Handle {
 public:
  explicit Handle(LoopCore& core) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  virtual ~Handle();

  /// Null once the loop is gone or the handle was closed.
  LoopCore* core() const noexcept { return core_; }

  bool active() const noexcept { return active_; }
  void set_active(bool active) noexcept;
  bool referenced() const noexcept { return referenced_; }
  void set_referenced(bool referenced) noexcept;

 protected:
  /// Leaves the loop for good.
  void detach() noexcept;

 private:
  friend class LoopCore;

  /// The loop is being destroyed: stop, let go of what belongs to it, and detach().
  virtual void loop_ends() noexcept = 0;

  void count(bool counts) noexcept;

  LoopCore* core_;
  Handle* next_ = nullptr;
  Handle* prev_ = nullptr;
  bool active_ = false;
  bool referenced_ = true;
};

}  // namespace rondo
