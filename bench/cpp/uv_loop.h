// libuv as a peer: a loop that closes what is left in it and then itself, and rows against it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <uv.h>

#include "harness.h"

namespace rondo::bench {

class UvLoop {
 public:
  UvLoop() { expect(uv_loop_init(&loop_) == 0, "uv_loop_init failed"); }
  UvLoop(const UvLoop&) = delete;
  UvLoop& operator=(const UvLoop&) = delete;
  ~UvLoop() { close_all(); }

  /// Closes every handle. To be called while they are all still there.
  void close_all() {
    if (closed_) return;
    closed_ = true;
    const auto close = [](uv_handle_t* handle, void*) {
      if (uv_is_closing(handle) == 0) uv_close(handle, nullptr);
    };
    uv_walk(&loop_, close, nullptr);
    uv_run(&loop_, UV_RUN_DEFAULT);
    uv_loop_close(&loop_);
  }

  uv_loop_t* get() noexcept { return &loop_; }

 private:
  uv_loop_t loop_;
  bool closed_ = false;
};

inline Row uv_row(std::string group, std::string name, std::string unit, std::optional<double> goal,
                  std::function<double()> ours, std::function<double()> theirs) {
  return {.group = std::move(group),
          .name = std::move(name),
          .peer = std::string("libuv ") + uv_version_string(),
          .unit = std::move(unit),
          .goal = goal,
          .ours = std::move(ours),
          .theirs = std::move(theirs)};
}

}  // namespace rondo::bench
