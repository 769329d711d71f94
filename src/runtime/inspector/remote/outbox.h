// What the thread of an environment sends to the debuggers at the other end of the server: a queue
// between the two threads.
//
// It outlives both: sessions may still report something when the server has gone. Its size is
// limited. Who sends more than the debuggers take waits for them, and one that takes nothing loses
// its connection (debug_client.h).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "io/descriptor.h"

namespace rondo {

class Outbox {
 public:
  struct Message {
    std::uint32_t session;
    std::string text;
  };

  static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

  /// Throws std::system_error.
  Outbox();

  // ---- On any thread --------------------------------------------------------------------------

  /// Waits while there is too much.
  void send(std::uint32_t session, std::string text);
  /// Wakes the server's thread.
  void wake() noexcept;

  // ---- On the server's thread -----------------------------------------------------------------

  /// Readable after send() and wake().
  int descriptor() const noexcept { return event_.get(); }
  /// All there are. They count until sent() reports them.
  std::vector<Message> take();
  void sent(std::size_t bytes) noexcept;
  bool is_full() noexcept;
  /// Nothing is taken any more.
  void close() noexcept;

 private:
  Descriptor event_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<Message> messages_;
  std::size_t bytes_ = 0;
  bool is_closed_ = false;
};

}  // namespace rondo
