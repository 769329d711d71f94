// A listening socket, TCP or Unix, on either backend.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rondo/net.h"

#include "core/containers/slab.h"
#include "core/handle.h"
#include "io/backend/uring_backend.h"
#include "io/counted_ref.h"
#include "io/net/context.h"
#include "io/net/socket_watch.h"
#include "io/net/stream.h"
#include "io/repeated_callback.h"

namespace rondo {

class ServerState final : public Handle,
                          private Flushable,
                          private UringOperation,
                          private Watcher,
                          private NetContext::Starved {
 public:
  using Connection = detail::HandleRef<StreamState>;

  explicit ServerState(LoopCore& core) noexcept : Handle(core) {}

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }
  void retain_handle() noexcept {
    retain();
    ++handles_;
  }
  void release_handle() noexcept {
    if (--handles_ == 0) close(nullptr);
    release();
  }

  void on_listening(Callback<> callback) { listen_to(listening_, std::move(callback)); }
  void on_error(Callback<void(std::error_code)> callback) {
    listen_to(failed_, std::move(callback));
  }
  void on_connection(Callback<void(Connection)> callback);

  Expected<> listen(const SocketAddress& address, const ListenOptions& options);
  Expected<> listen(const SocketAddress& address, const UnixListenOptions& options);
  Expected<> listen(int fd, const ListenOptions& options);
  Expected<> listen(int fd, const UnixListenOptions& options);
  void close(Callback<> callback);

  void begin_accept(LoopCore& core, detail::AcceptBase& accept);
  void cancel_accept(detail::AcceptBase& accept) noexcept;
  void forget_accept(detail::AcceptBase& accept) noexcept;

  bool listening() const noexcept { return fd_ && !closing_; }
  bool closed() const noexcept { return closing_; }
  bool starved() const noexcept { return starved_; }
  int fd() const noexcept { return closing_ ? -1 : fd_.get(); }
  /// Other processes are to accept from the same socket.
  void share();
  SocketAddress address() const noexcept;

  void check_thread() const {
    if (core() != nullptr) core()->check_thread();
  }

 private:
  enum class Accepting : std::uint8_t { no, one, all };

  ~ServerState() override;

  template <class Signature>
  void listen_to(Listener<Signature>& listener, Callback<Signature> callback) {
    check_thread();
    if (!closing_) listener.set(std::move(callback));
  }

  Expected<> check_descriptor(int fd, bool is_unix) const;
  Expected<> start_listening(Descriptor&& fd, int backlog);
  Expected<> start_listening_on(int fd, int backlog);
  Accepting wanted() const noexcept;
  bool accepts_by_readiness() const noexcept;
  void touch();
  void flush() override;
  void update_alive() noexcept;

  void prepare(io_uring_sqe& entry) noexcept override;
  void complete(std::int32_t result, std::uint32_t flags) override;
  void abandoned(std::int32_t result) noexcept override;
  void ready(std::uint32_t events) override;
  void accepted(Descriptor fd);
  bool accept_failed(int error);
  void hand_out(Descriptor fd);
  Connection make_connection(Descriptor fd);

  void report_limit(int error);
  void wait_for_descriptors();
  void descriptor_freed() override { try_again(); }
  void try_again();
  void stop_waiting() noexcept;

  void unlink_accept(detail::AcceptBase& accept) noexcept;
  void report_accept(detail::AcceptBase& accept);
  void let_go() noexcept;
  void remove_path() noexcept;
  void loop_ends() noexcept override;

  Task task() const noexcept {
    return {TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  }

  std::uint32_t references_ = 0;
  std::uint32_t handles_ = 0;
  Descriptor fd_;
  TcpOptions tcp_;  // of accepted connections
  UnixOptions unix_;
  std::string path_;  // to be removed
  std::uint64_t path_inode_ = 0;

  bool dirty_ = false;
  // Other processes may accept from the same socket. Then this one accepts only what it can hand
  // out at once: what the ring had accepted by the time the server is closed would be lost.
  bool shared_ = false;
  bool closing_ = false;
  bool keeps_alive_ = false;
  bool starved_ = false;       // waits for a descriptor
  bool by_readiness_ = false;  // on the ring too: without descriptors an accept fails at once
  bool limit_reported_ = false;
  bool stopping_ = false;  // has asked the kernel to end the accept
  Accepting accepting_ = Accepting::no;
  std::optional<detail::SlotId> retry_;

  SocketWatch watch_{*this};
  std::vector<Descriptor> held_;         // accepted while no accept was waiting
  detail::AcceptBase* first_ = nullptr;  // operations that await a connection
  detail::AcceptBase* last_ = nullptr;

  Listener<> listening_;
  Listener<void(std::error_code)> failed_;
  Listener<void(Connection)> connection_;
};

}  // namespace rondo
