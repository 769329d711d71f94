// A socket of the loop, or a server of such, as lib/ sees them: what TCP and Unix sockets have in
// common. Beyond stream_handle.h:
//
//   onaccept()                 a server: take it with accept(handle), or it is closed
//   accept(handle)             the connection that onaccept was called for
//   onconnection(error)        a server: connections wait in the backlog and cannot be accepted
//   connect..., listen...      see the bindings
//   listenBound(backlog)       listens on the socket that the binding has bound; a status
#pragma once

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "rondo/net.h"

#include "core/loop_core.h"
#include "io/descriptor.h"
#include "runtime/streams/stream_handle.h"

namespace rondo {

template <class Socket, class Server>
class SocketHandle : public StreamHandle {
 public:
  using StreamHandle::StreamHandle;
  ~SocketHandle() override { tear_down(); }

  std::int32_t accept(v8::Local<v8::Value> handle) {
    auto* const into = from<SocketHandle>(handle);
    if (into == nullptr || !accepted_) return -EAGAIN;
    into->take(std::exchange(accepted_, Socket()));
    return 0;
  }

 protected:
  /// Keeps a socket that is bound, until it connects or listens.
  void keep_bound(Descriptor fd) {
    bound_ = std::move(fd);
    opened();
  }
  Descriptor& bound() noexcept { return bound_; }

  template <class Options>
  std::int32_t listen_on_bound(const Options& options) {
    if (!bound_) return -EINVAL;
    const std::int32_t status = listen(bound_.get(), options);
    if (status == 0) bound_.release();  // it is the server's now
    return status;
  }

  /// It is connected: from now on it can be read and written.
  void take(Socket socket) {
    socket_ = std::move(socket);
    opened();
    socket_.on_error([link = link()](std::error_code error) {
      if (auto* self = as<SocketHandle>(link)) self->failed(error);
    });
    update_alive();
  }

  /// Calls `request.oncomplete` with 0 or an error when the operation is complete.
  void connect(ConnectOp<Socket> operation, v8::Local<v8::Value> request) {
    begin_connecting(request);
    opened();
    stop_ = std::stop_source();
    std::move(operation).then(
        environment().loop(),
        [link = link()](Expected<Socket> socket) {
          auto* self = as<SocketHandle>(link);
          if (self == nullptr || self->closing()) return;  // close() reports it
          const std::int32_t status = socket ? 0 : -socket.error().value();
          if (socket) self->take(*std::move(socket));
          self->report_connected(status);
        },
        stop_.get_token());
  }

  /// `where`: an address, or a descriptor. Rejected connections are not errors, as in
  /// Node; connections that wait in the backlog are.
  template <class Where, class Options>
  std::int32_t listen(const Where& where, const Options& options) {
    server_.emplace(environment().loop());
    if (const auto listening = server_->listen(where, options); !listening) {
      server_.reset();
      return -listening.error().value();
    }
    opened();
    update_alive();
    server_->on_connection([link = link()](Socket socket) {
      auto* self = as<SocketHandle>(link);
      if (self == nullptr) return;
      self->accepted_ = std::move(socket);
      self->report("onaccept");
      // Nobody took it.
      if (auto* still = as<SocketHandle>(link); still != nullptr && still->accepted_) {
        std::exchange(still->accepted_, Socket()).destroy();
      }
    });
    server_->on_error([link = link()](std::error_code error) {
      auto* self = as<SocketHandle>(link);
      if (self == nullptr || !self->server_ || !self->server_->starved()) return;
      self->report("onconnection", -error.value());
    });
    return 0;
  }

  Socket& socket() noexcept { return socket_; }
  std::optional<Server>& server() noexcept { return server_; }

  // ---- As a stream ------------------------------------------------------------------------------

  std::int32_t start_reading() override {
    if (!socket_) return -ENOTCONN;
    if (error_ != 0) {
      report_soon();
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
    const Expected<std::size_t> count = socket_.try_write(pieces);
    return count ? static_cast<std::int64_t>(*count) : -count.error().value();
  }

  void write_later(std::string bytes) override {
    socket_.write(std::move(bytes), [link = link()](Expected<> result) {
      auto* self = as<SocketHandle>(link);
      if (self != nullptr) self->write_done(result ? 0 : result.error().value());
    });
  }

  std::size_t queued() const override { return socket_ ? socket_.buffered() : 0; }

  std::int32_t shut_down() override {
    if (!socket_ || socket_.fd() < 0) return -ENOTCONN;
    socket_.end();
    return 0;
  }

  void tear_down() noexcept override {
    stop_.request_stop();
    // Its memory goes with it: the object in JavaScript may stay for long.
    if (socket_) std::exchange(socket_, Socket()).destroy();
    if (server_) server_->close();
    if (accepted_) accepted_.destroy();
    const Descriptor unused = std::move(bound_);
  }

  /// A server is in the close phase once already; a second entry would be counted as well.
  void tear_down_then(Callback<> done) override {
    if (!server_) return StreamHandle::tear_down_then(std::move(done));
    server_->close(std::move(done));
    tear_down();
  }

  void share() override {
    if (server_) server_->share();
  }
  int descriptor() const override {
    if (server_) return server_->fd();
    return socket_ ? socket_.fd() : bound_.get();
  }

  void keep_alive(bool on) override {
    if (server_) {
      wants_ref() ? server_->ref() : server_->unref();  // listening is enough
    } else if (socket_) {
      on ? socket_.ref() : socket_.unref();
    }
  }

 private:
  /// As in libuv, reading comes first: it meets the error of a connection that broke, and the
  /// program then closes, which cancels the write. Only writes report EPIPE.
  void write_done(int error_number) {
    if (closing()) return;  // close() has reported it
    if (error_number != 0 && error_number != EPIPE && reading()) {
      error_ = error_number;
      deliver_error(error_number);
      if (closing()) return;
    }
    written(-error_number);
  }

  /// A write reports its own failure; this is for reads, now or later.
  void failed(std::error_code error) {
    error_ = error.value();
    if (reading()) report_failure();
  }

  /// Only writes report EPIPE: for reading it is the end.
  void report_failure() { deliver_status(error_ == EPIPE ? 0 : -error_); }

  void report_soon() {
    environment().loop().defer([link = link()] {
      auto* self = as<SocketHandle>(link);
      if (self != nullptr && self->reading()) self->report_failure();
    });
  }

  /// Calls the function of this name that lib/ has given to the handle.
  void report(const char* name, std::int32_t status = 0) {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope inside(environment().context());
    v8::Local<v8::Value> callback;
    if (object()->Get(environment().context(), environment().name(name)).ToLocal(&callback) &&
        callback->IsFunction()) {
      environment().call(object(), callback.As<v8::Function>(),
                         {v8::Integer::New(isolate, status)});
    }
  }

  Socket socket_;
  std::optional<Server> server_;
  Socket accepted_;
  Descriptor bound_;
  std::stop_source stop_{std::nostopstate};  // only to connect needs one
  int error_ = 0;
  bool subscribed_ = false;
};

}  // namespace rondo
