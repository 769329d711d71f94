// The members of HandleRef, for the source files that make it for a kind of socket.
#pragma once

#include "rondo/net.h"

namespace rondo::detail {

template <class State>
HandleRef<State>::HandleRef(State* state) noexcept : state_(state) {
  if (state_ != nullptr) state_->retain_handle();
}

template <class State>
HandleRef<State>::HandleRef(const HandleRef& other) noexcept : HandleRef(other.state_) {}

template <class State>
HandleRef<State>::~HandleRef() {
  if (state_ != nullptr) state_->release_handle();
}

}  // namespace rondo::detail
