#include "runtime/inspector/remote/outbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace rondo {

Outbox::Outbox() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_) throw std::system_error(errno, std::system_category(), "eventfd");
}

void Outbox::send(std::uint32_t session, std::string text) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_closed_ || bytes_ < kMostBytes; });
  if (is_closed_) return;
  bytes_ += text.size();
  messages_.push_back({session, std::move(text)});
  if (messages_.size() == 1) wake();
}

void Outbox::wake() noexcept {
  const std::uint64_t one = 1;
  while (::write(event_.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
}

std::vector<Outbox::Message> Outbox::take() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t size = ::read(event_.get(), &count, sizeof count);
  const std::lock_guard guard(mutex_);
  return std::exchange(messages_, {});
}

void Outbox::sent(std::size_t bytes) noexcept {
  if (bytes == 0) return;
  {
    const std::lock_guard guard(mutex_);
    bytes_ -= std::min(bytes, bytes_);
  }
  changed_.notify_all();
}

bool Outbox::is_full() noexcept {
  const std::lock_guard guard(mutex_);
  return bytes_ >= kMostBytes;
}

void Outbox::close() noexcept {
  {
    const std::lock_guard guard(mutex_);
    is_closed_ = true;
    messages_.clear();
    bytes_ = 0;
  }
  changed_.notify_all();
}

}  // namespace rondo
