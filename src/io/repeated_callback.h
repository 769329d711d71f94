// A callback that is called again and again, and may replace or remove itself meanwhile.
#pragma once

#include <utility>

#include "rondo/callback.h"

namespace rondo {

template <class Signature = void()>
class Listener;

template <class... Args>
class Listener<void(Args...)> {
 public:
  explicit operator bool() const noexcept { return static_cast<bool>(callback_) || lent(); }

  void set(Callback<void(Args...)> callback) {
    if (running_) replaced_ = true;
    // The old one is destroyed last: that runs user code.
    std::swap(callback_, callback);
  }

  void operator()(Args... args) {
    if (!callback_) return;
    Running running(*this);
    running.callback(std::forward<Args>(args)...);
  }

 private:
  bool lent() const noexcept { return running_ && !replaced_; }

  /// Moves the callback out while it runs, so that it stays valid even if it is replaced.
  struct Running {
    explicit Running(Listener& owner) noexcept
        : listener(owner), callback(std::move(owner.callback_)) {
      listener.running_ = true;
      listener.replaced_ = false;
    }
    ~Running() {
      listener.running_ = false;
      if (!listener.replaced_) listener.callback_ = std::move(callback);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    Listener& listener;
    Callback<void(Args...)> callback;
  };

  Callback<void(Args...)> callback_;
  bool running_ = false;
  bool replaced_ = false;
};

}  // namespace rondo
