// What the I/O layer keeps for each loop. Made when it is first needed, gone with the loop.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/loop_core.h"
#include "io/fs/cached_names.h"
#include "io/net/context.h"
#include "io/threads/thread_pool.h"

namespace rondo {

class SignalHub;
namespace dns::detail {
class Channel;
}

class IoContext final : public LoopCore::Extension {
 public:
  explicit IoContext(LoopCore& core) noexcept : core_(core) {}

  static IoContext& of(LoopCore& core) {
    if (core.extension() == nullptr) core.extension() = std::make_unique<IoContext>(core);
    return static_cast<IoContext&>(*core.extension());
  }

  LoopCore& core() noexcept { return core_; }
  ThreadPool& pool() noexcept { return pool_; }
  NetContext& net() noexcept { return net_; }
  detail::CachedNames& cached_names() noexcept { return cached_names_; }
  /// How many operations that may change files are in progress.
  std::size_t& file_changes() noexcept { return file_changes_; }
  /// Null until a signal is watched; see SignalHub::of().
  std::shared_ptr<SignalHub>& signals() noexcept { return signals_; }
  /// Null until a name server is asked; see dns::detail::Channel::of().
  std::shared_ptr<dns::detail::Channel>& names() noexcept { return names_; }

  void before_poll() override { net_.flush_all(); }

 private:
  LoopCore& core_;
  ThreadPool pool_;
  std::shared_ptr<SignalHub> signals_;
  std::shared_ptr<dns::detail::Channel> names_;
  NetContext net_;
  detail::CachedNames cached_names_;
  std::size_t file_changes_ = 0;
};

}  // namespace rondo
