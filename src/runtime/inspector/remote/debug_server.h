// The server for debuggers of other processes: a thread with poll(2) that speaks HTTP and
// WebSocket. It reads and writes messages without looking into them, and never touches the isolate.
//
// It belongs to the thread that made it, except for what its events do, on its own thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "io/descriptor.h"
#include "runtime/inspector/remote/debug_client.h"
#include "runtime/inspector/remote/debug_target.h"
#include "runtime/inspector/remote/outbox.h"

namespace rondo {

/// What has come from debuggers and was not answered yet, in bytes. The server reads nothing more
/// while that is too much: a program that is busy where it cannot be interrupted is not drowned.
class Backlog {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

  void add(std::size_t bytes) noexcept { bytes_.fetch_add(bytes); }
  /// Whether the server waits for that.
  bool remove(std::size_t bytes) noexcept {
    const std::size_t before = bytes_.fetch_sub(bytes);
    return before >= kMostBytes && before - bytes < kMostBytes;
  }
  bool is_full() const noexcept { return bytes_.load() >= kMostBytes; }

 private:
  std::atomic<std::size_t> bytes_ = 0;
};

/// On the server's thread. Sessions have numbers, which are not used again.
class DebugServerEvents {
 public:
  virtual ~DebugServerEvents() = default;
  virtual void session_began(std::uint32_t session) = 0;
  virtual void message_arrived(std::uint32_t session, std::string message) = 0;
  virtual void session_ended(std::uint32_t session) = 0;
};

class DebugServer {
 public:
  struct Options {
    std::string host;
    std::uint16_t port = 0;
    DebugTarget target;
    bool writes_url = true;    // to standard error
    bool serves_lists = true;  // by HTTP
  };

  /// Listens, and says so on standard error. If it cannot, it says that, and is_listening() is
  /// false.
  DebugServer(Options options, std::shared_ptr<Outbox> outbox, std::shared_ptr<Backlog> backlog,
              std::unique_ptr<DebugServerEvents> events);
  /// Ends all connections.
  ~DebugServer();
  DebugServer(const DebugServer&) = delete;
  DebugServer& operator=(const DebugServer&) = delete;

  bool is_listening() const noexcept { return !listeners_.empty(); }
  std::uint16_t port() const noexcept { return port_; }
  std::string url() const;

  /// The sessions there are go on.
  void stop_accepting() noexcept;

 private:
  using Moment = DebugClient::Moment;

  struct Listener {
    Descriptor socket;
    std::uint16_t port;
  };

  void listen();
  int listen_on(const void* address, unsigned size, int family);
  void write_state(const char* verb) const;

  void run();
  int time_to_wait(Moment now) const;
  void accept_from(const Listener& listener, Moment now);
  void serve(DebugClient& client, Moment now);
  void answer(DebugClient& client, std::string_view path, std::string_view host, Moment now);
  void refuse(DebugClient& client, Moment now);
  void deliver(DebugClient& client);
  void send_waiting(Moment now);
  void remove_closed();

  Options options_;
  std::shared_ptr<Outbox> outbox_;
  std::shared_ptr<Backlog> backlog_;
  std::unique_ptr<DebugServerEvents> events_;
  std::vector<Listener> listeners_;
  std::uint16_t port_ = 0;
  std::atomic<bool> accepts_ = true;
  std::atomic<bool> ends_ = false;

  // Of the thread alone.
  std::vector<std::unique_ptr<DebugClient>> clients_;
  Moment accept_again_{};  // after it could not
  std::thread thread_;
};

}  // namespace rondo
