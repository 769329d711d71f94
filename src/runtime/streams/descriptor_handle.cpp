#include "runtime/streams/descriptor_handle.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <utility>

#include "io/backend/interrupted.h"
#include "runtime/process/descriptors.h"

namespace rondo {

namespace {

/// Like writev(2): the number of bytes or a negative errno.
std::int64_t write_once(int fd, std::span<const iovec> pieces) noexcept {
  const auto count = static_cast<int>(std::min<std::size_t>(pieces.size(), IOV_MAX));
  for (;;) {
    const ssize_t written = count == 1 ? ::write(fd, pieces[0].iov_base, pieces[0].iov_len)
                                       : ::writev(fd, pieces.data(), count);
    if (written >= 0) return written;
    if (errno != EINTR) return -errno;
    detail::interrupted();
  }
}

}  // namespace

std::int32_t write_fully(int fd, std::span<const iovec> pieces) noexcept {
  // One piece after the other: there is more than one only for a stream that was corked.
  for (iovec piece : pieces) {
    while (piece.iov_len > 0) {
      std::int64_t written = write_once(fd, {&piece, 1});
      if (written == -EAGAIN) {
        // Another process that shares it made it non-blocking. We wait all the same.
        pollfd polled{fd, POLLOUT, 0};
        if (::poll(&polled, 1, -1) < 0) detail::interrupted();
        written = 0;
      }
      if (written < 0) return static_cast<std::int32_t>(written);
      piece.iov_base = static_cast<char*>(piece.iov_base) + written;
      piece.iov_len -= static_cast<std::size_t>(written);
    }
  }
  return 0;
}

DescriptorHandle::DescriptorHandle(Environment& environment, v8::Local<v8::Object> object, int fd,
                                   Writes writes)
    : StreamHandle(environment, object), fd_(fd), blocking_(writes == Writes::blocking) {
  if (environment.descriptors() != nullptr) environment.descriptors()->remove(fd_);
  // The standard streams are shared with processes that may not expect it.
  if (!blocking_ && fd_ > STDERR_FILENO) {
    ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
  }
  opened();
}

DescriptorHandle::~DescriptorHandle() {
  tear_down();
}

std::int32_t DescriptorHandle::set_blocking(bool on) {
  blocking_ = on;
  return 0;
}

namespace {

using NameOf = int (*)(int, sockaddr*, socklen_t*);

SocketAddress address_of(int fd, NameOf name_of) noexcept {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  if (name_of(fd, address, &size) != 0) return {};
  return SocketAddress::from_native(address, size);
}

}  // namespace

std::int32_t DescriptorHandle::get_sock_name(v8::Local<v8::Value> out) {
  return describe(environment(), out, address_of(fd_, ::getsockname));
}

std::int32_t DescriptorHandle::get_peer_name(v8::Local<v8::Value> out) {
  return describe(environment(), out, address_of(fd_, ::getpeername));
}

void DescriptorHandle::keep_alive(bool on) {
  alive_ = on;
  if (poll_ == nullptr) return;
  if (on) {
    poll_->ref();
  } else {
    poll_->unref();
  }
}

void DescriptorHandle::tear_down() noexcept {
  if (fd_ < 0) return;
  if (poll_ != nullptr) poll_->close();
  poll_ = nullptr;
  waiting_.clear();
  oldest_begin_ = waiting_bytes_ = 0;
  // The numbers of the standard streams are not given to something else.
  if (fd_ > STDERR_FILENO) ::close(fd_);
  fd_ = -1;
}

// ---- Waiting ------------------------------------------------------------------------------------

std::int32_t DescriptorHandle::watch() {
  PollEvents events = PollEvents::none;
  if (wants_read_) events = events | PollEvents::readable;
  if (!waiting_.empty()) events = events | PollEvents::writable;
  if (events == PollEvents::none) {
    if (poll_ != nullptr) poll_->stop();
    return 0;
  }
  if (poll_ == nullptr) poll_ = std::make_unique<Poll>(environment().loop(), fd_);
  if (alive_) {
    poll_->ref();
  } else {
    poll_->unref();
  }
  const auto started = poll_->start(events, [link = link()](PollEvents happened) {
    if (auto* self = as<DescriptorHandle>(link)) self->ready(happened);
  });
  return started ? 0 : -started.error().value();
}

void DescriptorHandle::ready(PollEvents events) {
  const bool broken = any(events & (PollEvents::error | PollEvents::hang_up));
  const auto still = link();
  // Reading first, as in libuv: where both fail, the error is that of reading.
  if (wants_read_ && (broken || any(events & PollEvents::readable))) read_some();
  if (still->handle == nullptr || fd_ < 0) return;
  if (!waiting_.empty() && (broken || any(events & PollEvents::writable))) write_some();
}

// ---- Reading ------------------------------------------------------------------------------------

std::int32_t DescriptorHandle::start_reading() {
  wants_read_ = true;
  const std::int32_t status = watch();
  if (status != 0) wants_read_ = false;
  return status;
}

void DescriptorHandle::stop_reading() {
  wants_read_ = false;
  watch();
}

void DescriptorHandle::read_some() {
  constexpr std::size_t kMost = 64U << 10;
  // Thread-local variables themselves have to be small: see cmake/RondoEngine.cmake.
  thread_local const auto buffer = std::make_unique_for_overwrite<std::byte[]>(kMost);
  const ssize_t count = ::read(fd_, buffer.get(), kMost);
  if (count > 0) {
    deliver({buffer.get(), static_cast<std::size_t>(count)});
    return;
  }
  const int error = count < 0 ? errno : 0;
  if (error == EAGAIN || error == EINTR) return;
  wants_read_ = false;
  watch();
  if (error != 0) {
    deliver_error(error);
  } else {
    deliver_end();
  }
}

// ---- Writing ------------------------------------------------------------------------------------

std::int64_t DescriptorHandle::write_now(std::span<const iovec> pieces) {
  environment().output_follows(fd_);
  if (!blocking_) return write_once(fd_, pieces);
  std::int64_t total = 0;
  for (const iovec& piece : pieces) total += static_cast<std::int64_t>(piece.iov_len);
  const std::int32_t status = write_fully(fd_, pieces);
  return status < 0 ? status : total;
}

void DescriptorHandle::write_later(std::string bytes) {
  const std::size_t size = bytes.size();
  waiting_.push_back(std::move(bytes));
  waiting_bytes_ += size;
  if (const std::int32_t status = watch(); status != 0) {
    waiting_.pop_back();
    waiting_bytes_ -= size;
    environment().loop().defer([link = link(), status] {
      if (auto* self = as<DescriptorHandle>(link)) self->written(status);
    });
  }
}

void DescriptorHandle::write_some() {
  std::string& oldest = waiting_.front();
  const iovec piece{oldest.data() + oldest_begin_, oldest.size() - oldest_begin_};
  environment().output_follows(fd_);
  const std::int64_t count = write_once(fd_, {&piece, 1});
  if (count == -EAGAIN) return;
  if (count >= 0) {
    oldest_begin_ += static_cast<std::size_t>(count);
    waiting_bytes_ -= static_cast<std::size_t>(count);
    if (oldest_begin_ < oldest.size()) return;
  }
  waiting_bytes_ -= oldest.size() - oldest_begin_;
  oldest_begin_ = 0;
  waiting_.pop_front();
  if (waiting_.empty()) watch();
  written(count < 0 ? static_cast<std::int32_t>(count) : 0);
}

std::int32_t DescriptorHandle::shut_down() {
  // What is not a socket says its end by being closed.
  return ::shutdown(fd_, SHUT_WR) == 0 || errno == ENOTSOCK ? 0 : -errno;
}

}  // namespace rondo
