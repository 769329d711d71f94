// A socket of the loop, or a server of such, as lib/ sees them: what TCP and Unix sockets have in
// common. Beyond stream_handle.h:
//
//   onaccept(status)           a server: take it with accept(handle), or it is closed
//   accept(handle)             the connection that onaccept was called for
//   connect..., listen...      see the bindings
#pragma once

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "rondo/net.h"

#include "runtime/stream_handle.h"

namespace rondo {

template <class Socket, class Server>
class SocketHandle : public StreamHandle {
 public:
  using StreamHandle::StreamHandle;
  ~SocketHandle() override { tear_down(); }

  static void accept(const Arguments& args) {
    auto* self = from<SocketHandle>(args.This());
    auto* into = from<SocketHandle>(args[0]);
    if (into == nullptr || !self->accepted_) {
      args.GetReturnValue().Set(-EAGAIN);
      return;
    }
    into->take(std::exchange(self->accepted_, Socket()));
    args.GetReturnValue().Set(0);
  }

 protected:
  /// It is connected: from now on it can be read and written.
  void take(Socket socket) {
    socket_ = std::move(socket);
    opened();
    socket_.on_error([link = link()](std::error_code error) {
      if (auto* self = as<SocketHandle>(link)) self->failed(error);
    });
    update_alive();
  }

  /// Calls `done` with 0 or an error when the operation is complete.
  void connect(ConnectOp<Socket> operation, v8::Local<v8::Value> done) {
    v8::Isolate* isolate = environment().isolate();
    if (done->IsFunction()) connect_done_.Reset(isolate, done.template As<v8::Function>());
    opened();
    std::move(operation).then(
        environment().loop(),
        [link = link()](Expected<Socket> socket) {
          auto* self = as<SocketHandle>(link);
          if (self == nullptr || self->stop_.stop_requested()) return;
          if (socket) self->take(*std::move(socket));
          self->call_kept(self->connect_done_, socket ? 0 : -socket.error().value());
        },
        stop_.get_token());
  }

  template <class Options>
  std::int32_t listen(const SocketAddress& address, const Options& options) {
    server_.emplace(environment().loop());
    if (const auto listening = server_->listen(address, options); !listening) {
      server_.reset();
      return -listening.error().value();
    }
    opened();
    update_alive();
    server_->on_connection([link = link()](Socket socket) {
      auto* self = as<SocketHandle>(link);
      if (self == nullptr) return;
      self->accepted_ = std::move(socket);
      self->tell_connection(0);
      // Nobody took it.
      if (auto* still = as<SocketHandle>(link); still != nullptr && still->accepted_) {
        std::exchange(still->accepted_, Socket()).destroy();
      }
    });
    server_->on_error([link = link()](std::error_code error) {
      if (auto* self = as<SocketHandle>(link)) self->tell_connection(-error.value());
    });
    return 0;
  }

  Socket& socket() noexcept { return socket_; }
  std::optional<Server>& server() noexcept { return server_; }

  // ---- As a stream ------------------------------------------------------------------------------

  std::int32_t start_reading() override {
    if (!socket_) return -ENOTCONN;
    if (error_ != 0) {
      tell_soon();
      return 0;
    }
    if (std::exchange(subscribed_, true)) {
      socket_.resume();
      return 0;
    }
    socket_.on_end([link = link()] {
      if (auto* self = as<SocketHandle>(link)) self->deliver_end();
    });
    socket_.on_data([link = link()](std::span<const std::byte> bytes) {
      if (auto* self = as<SocketHandle>(link)) self->deliver(bytes);
    });
    return 0;
  }

  void stop_reading() override {
    if (socket_ && !socket_.closed()) socket_.pause();
  }

  std::int64_t write_now(std::span<const iovec> pieces) override {
    if (!socket_ || socket_.fd() < 0) return error_ != 0 ? -error_ : -EPIPE;
    if (socket_.buffered() > 0) return 0;
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(pieces.data());
    message.msg_iovlen = std::min<std::size_t>(pieces.size(), IOV_MAX);
    for (;;) {
      const ssize_t count = ::sendmsg(socket_.fd(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count >= 0) return count;
      if (errno != EINTR) return -errno;
    }
  }

  void write_later(std::string bytes) override {
    socket_.write(std::string_view(bytes), [link = link()](Expected<> result) {
      auto* self = as<SocketHandle>(link);
      if (self != nullptr) self->written(result ? 0 : -result.error().value());
    });
  }

  std::int32_t shut_down() override {
    if (!socket_ || socket_.fd() < 0) return -ENOTCONN;
    socket_.end();
    return 0;
  }

  void tear_down() noexcept override {
    stop_.request_stop();
    if (socket_) socket_.destroy();
    if (server_) server_->close();
    if (accepted_) accepted_.destroy();
  }

  /// A server has its own place in the close phase; a second one would be counted as well.
  void tear_down_then(Callback<> done) override {
    if (!server_) return StreamHandle::tear_down_then(std::move(done));
    server_->close(std::move(done));
    tear_down();
  }

  int descriptor() const override {
    if (server_) return server_->fd();
    return socket_ ? socket_.fd() : -1;
  }

  void keep_alive(bool on) override {
    if (server_) {
      wants_ref() ? server_->ref() : server_->unref();  // listening is enough
    } else if (socket_) {
      on ? socket_.ref() : socket_.unref();
    }
  }

 private:
  /// Writes are told of their own failures; this is for who reads, now or later.
  void failed(std::error_code error) {
    error_ = error.value();
    if (reading()) deliver_error(error_);
  }

  void tell_soon() {
    environment().loop().defer([link = link()] {
      auto* self = as<SocketHandle>(link);
      if (self != nullptr && self->reading()) self->deliver_error(self->error_);
    });
  }

  void tell_connection(std::int32_t status) {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope inside(environment().context());
    v8::Local<v8::Value> callback;
    if (object()->Get(environment().context(), environment().name("onaccept")).ToLocal(&callback) &&
        callback->IsFunction()) {
      environment().call(object(), callback.As<v8::Function>(),
                         {v8::Integer::New(isolate, status)});
    }
  }

  Socket socket_;
  std::optional<Server> server_;
  Socket accepted_;
  std::stop_source stop_;
  v8::Global<v8::Function> connect_done_;
  int error_ = 0;
  bool subscribed_ = false;
};

}  // namespace rondo
