// A connected stream of any kind: a TcpSocket, a UnixSocket, a TlsSocket, or a class of yours with
// the same functions.
//
//     rondo::AnyStream stream(std::move(socket));
//     stream.write("hello");
//
// HTTP, WebSocket and TLS are written against this class, so each of them runs on top of any
// transport, TLS on TLS included. A handle, as sockets are: copies name the same stream, and an
// empty one behaves as an empty socket does. What the functions do, their errors and the phases in
// which callbacks run are those of the stream inside: see net.h.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "rondo/async.h"
#include "rondo/callback.h"
#include "rondo/error.h"
#include "rondo/net.h"

namespace rondo {

/// What a class needs so that it can be an AnyStream.
template <class S>
concept StreamLike = requires(S stream, const S& looked_at, std::span<const std::byte> bytes,
                              std::string text, Callback<> callback,
                              Callback<void(std::span<const std::byte>)> on_data,
                              Callback<void(std::error_code)> on_error) {
  stream.on_data(std::move(on_data));
  stream.on_end(std::move(callback));
  stream.on_drain(std::move(callback));
  stream.on_error(std::move(on_error));
  stream.on_close(std::move(callback));
  stream.pause();
  stream.resume();
  { stream.write(bytes) } -> std::same_as<Expected<Flow>>;
  { stream.write(std::move(text)) } -> std::same_as<Expected<Flow>>;
  stream.end();
  stream.destroy();
  stream.ref();
  stream.unref();
  stream.read();
  stream.write_all(bytes);
  { looked_at.buffered() } -> std::convertible_to<std::size_t>;
  { looked_at.error() } -> std::same_as<std::error_code>;
  { looked_at.readable() } -> std::convertible_to<bool>;
  { looked_at.writable() } -> std::convertible_to<bool>;
  { looked_at.closed() } -> std::convertible_to<bool>;
  { looked_at.fd() } -> std::convertible_to<int>;
  { looked_at.local_address() } -> std::same_as<SocketAddress>;
  { looked_at.peer_address() } -> std::same_as<SocketAddress>;
} && std::copy_constructible<S>;  // last: of an Expected<AnyStream> it is asked while it is being
                                  // answered

class AnyStream {
 public:
  AnyStream() = default;
  // Another AnyStream is copied, never wrapped: this also keeps the concept from checking itself.
  template <class S>
    requires(!std::same_as<S, AnyStream>) && StreamLike<S>
  AnyStream(S stream) : inside_(new Inside<S>(std::move(stream))) {}
  AnyStream(const AnyStream& other) noexcept : inside_(other.inside_) {
    if (inside_ != nullptr) ++inside_->references;
  }
  AnyStream(AnyStream&& other) noexcept : inside_(std::exchange(other.inside_, nullptr)) {}
  AnyStream& operator=(AnyStream other) noexcept {
    std::swap(inside_, other.inside_);
    return *this;
  }
  ~AnyStream() {
    if (inside_ != nullptr && --inside_->references == 0) delete inside_;
  }

  explicit operator bool() const noexcept { return inside_ != nullptr; }

  /// The stream inside, if it is an S: `stream.get_if<TcpSocket>()`. Null if it is not.
  template <StreamLike S>
  S* get_if() noexcept {
    if (inside_ == nullptr || inside_->type() != &kTypeOf<S>) return nullptr;
    return &static_cast<Inside<S>*>(inside_)->stream;
  }

  // ---- Reading ---------------------------------------------------------------------------------

  void on_data(Callback<void(std::span<const std::byte>)> callback) {
    if (inside_ != nullptr) inside_->on_data(std::move(callback));
  }
  void on_end(Callback<> callback) {
    if (inside_ != nullptr) inside_->on_end(std::move(callback));
  }
  void pause() {
    if (inside_ != nullptr) inside_->pause();
  }
  void resume() {
    if (inside_ != nullptr) inside_->resume();
  }
  /// Gives what has arrived; empty at the end of the stream.
  [[nodiscard]] Async<Expected<std::string>> read() { return read_from(*this); }

  // ---- Writing ---------------------------------------------------------------------------------

  [[nodiscard]] Expected<Flow> write(std::span<const std::byte> bytes) {
    if (inside_ == nullptr) return std::unexpected(errno_code(EBADF));
    return inside_->write(bytes);
  }
  [[nodiscard]] Expected<Flow> write(std::string_view text) {
    return write(std::as_bytes(std::span(text)));
  }
  /// Takes the string over, without a copy.
  template <std::same_as<std::string> String>
  [[nodiscard]] Expected<Flow> write(String&& text) {
    if (inside_ == nullptr) return std::unexpected(errno_code(EBADF));
    return inside_->write_owned(std::forward<String>(text));
  }
  /// The bytes stay the caller's, and where they are, until it is done.
  [[nodiscard]] Async<Expected<>> write_all(std::span<const std::byte> bytes) {
    return write_all_to(*this, bytes);
  }
  [[nodiscard]] Async<Expected<>> write_all(std::string_view text) {
    return write_all(std::as_bytes(std::span(text)));
  }
  void on_drain(Callback<> callback) {
    if (inside_ != nullptr) inside_->on_drain(std::move(callback));
  }
  std::size_t buffered() const { return inside_ == nullptr ? 0 : inside_->buffered(); }

  // ---- Ending ----------------------------------------------------------------------------------

  void end() {
    if (inside_ != nullptr) inside_->end();
  }
  void destroy() {
    if (inside_ != nullptr) inside_->destroy();
  }
  void on_error(Callback<void(std::error_code)> callback) {
    if (inside_ != nullptr) inside_->on_error(std::move(callback));
  }
  void on_close(Callback<> callback) {
    if (inside_ != nullptr) inside_->on_close(std::move(callback));
  }

  // ---- The rest --------------------------------------------------------------------------------

  std::error_code error() const {
    return inside_ == nullptr ? errno_code(EBADF) : inside_->error();
  }
  bool readable() const { return inside_ != nullptr && inside_->readable(); }
  bool writable() const { return inside_ != nullptr && inside_->writable(); }
  bool closed() const { return inside_ == nullptr || inside_->closed(); }
  int fd() const { return inside_ == nullptr ? -1 : inside_->fd(); }
  SocketAddress local_address() const {
    return inside_ == nullptr ? SocketAddress() : inside_->local_address();
  }
  SocketAddress peer_address() const {
    return inside_ == nullptr ? SocketAddress() : inside_->peer_address();
  }
  void ref() {
    if (inside_ != nullptr) inside_->ref();
  }
  void unref() {
    if (inside_ != nullptr) inside_->unref();
  }

 private:
  /// The functions of the stream inside. Counts its handles: one thread, so plain integers.
  class Base {
   public:
    Base() = default;
    Base(const Base&) = delete;
    Base& operator=(const Base&) = delete;
    virtual ~Base() = default;

    virtual const void* type() const noexcept = 0;
    virtual void on_data(Callback<void(std::span<const std::byte>)> callback) = 0;
    virtual void on_end(Callback<> callback) = 0;
    virtual void on_drain(Callback<> callback) = 0;
    virtual void on_error(Callback<void(std::error_code)> callback) = 0;
    virtual void on_close(Callback<> callback) = 0;
    virtual void pause() = 0;
    virtual void resume() = 0;
    virtual Async<Expected<std::string>> read() = 0;
    virtual Expected<Flow> write(std::span<const std::byte> bytes) = 0;
    virtual Expected<Flow> write_owned(std::string text) = 0;
    virtual Async<Expected<>> write_all(std::span<const std::byte> bytes) = 0;
    virtual void end() = 0;
    virtual void destroy() = 0;
    virtual void ref() = 0;
    virtual void unref() = 0;
    virtual std::size_t buffered() const = 0;
    virtual std::error_code error() const = 0;
    virtual bool readable() const = 0;
    virtual bool writable() const = 0;
    virtual bool closed() const = 0;
    virtual int fd() const = 0;
    virtual SocketAddress local_address() const = 0;
    virtual SocketAddress peer_address() const = 0;

    std::uint32_t references = 1;
  };

  template <class S>
  class Inside final : public Base {
   public:
    explicit Inside(S inside) : stream(std::move(inside)) {}

    const void* type() const noexcept override { return &kTypeOf<S>; }
    void on_data(Callback<void(std::span<const std::byte>)> callback) override {
      stream.on_data(std::move(callback));
    }
    void on_end(Callback<> callback) override { stream.on_end(std::move(callback)); }
    void on_drain(Callback<> callback) override { stream.on_drain(std::move(callback)); }
    void on_error(Callback<void(std::error_code)> callback) override {
      stream.on_error(std::move(callback));
    }
    void on_close(Callback<> callback) override { stream.on_close(std::move(callback)); }
    void pause() override { stream.pause(); }
    void resume() override { stream.resume(); }
    // The coroutine keeps a handle of its own: this object may go while it waits.
    Async<Expected<std::string>> read() override { return read_inside(stream); }
    Expected<Flow> write(std::span<const std::byte> bytes) override { return stream.write(bytes); }
    Expected<Flow> write_owned(std::string text) override { return stream.write(std::move(text)); }
    Async<Expected<>> write_all(std::span<const std::byte> bytes) override {
      return write_inside(stream, bytes);
    }
    void end() override { stream.end(); }
    void destroy() override { stream.destroy(); }
    void ref() override { stream.ref(); }
    void unref() override { stream.unref(); }
    std::size_t buffered() const override { return stream.buffered(); }
    std::error_code error() const override { return stream.error(); }
    bool readable() const override { return stream.readable(); }
    bool writable() const override { return stream.writable(); }
    bool closed() const override { return stream.closed(); }
    int fd() const override { return stream.fd(); }
    SocketAddress local_address() const override { return stream.local_address(); }
    SocketAddress peer_address() const override { return stream.peer_address(); }

    S stream;

   private:
    static Async<Expected<std::string>> read_inside(S from) { co_return co_await from.read(); }
    static Async<Expected<>> write_inside(S to, std::span<const std::byte> bytes) {
      co_return co_await to.write_all(bytes);
    }
  };

  static Async<Expected<std::string>> read_from(AnyStream stream) {
    if (!stream) co_return std::unexpected(errno_code(EBADF));
    co_return co_await stream.inside_->read();
  }
  static Async<Expected<>> write_all_to(AnyStream stream, std::span<const std::byte> bytes) {
    if (!stream) co_return std::unexpected(errno_code(EBADF));
    co_return co_await stream.inside_->write_all(bytes);
  }

  template <class S>
  static constexpr char kTypeOf = 0;  // its address names the type

  Base* inside_ = nullptr;
};

}  // namespace rondo
