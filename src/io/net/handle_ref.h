// The members of HandleRef, for the source files that make it for a kind of socket.
#pragma once

#include "rondo/net.h"

namespace rondo::detail {

template <class State>
HandleRef<State>::HandleRef(State* state) noexcept : state_(state) {
  if (state_ != nullptr) state_->retain_handle();
}

template <class State>
HandleRef<State>::HandleRef(const HandleRef& other) noexcept : state_(other.state_) {
  if (state_ == nullptr) return;
  state_->check_drop();  // the count is not atomic
  state_->retain_handle();
}

template <class State>
HandleRef<State>::~HandleRef() {
  if (state_ == nullptr) return;
  state_->check_drop();
  state_->release_handle();
}

}  // namespace rondo::detail
