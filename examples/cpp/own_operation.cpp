// An operation of one's own: waits until a descriptor is readable. docs/extending.md has the rules.
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <system_error>

#include <rondo/async.h>
#include <rondo/operation.h>
#include <rondo/poll.h>

using namespace std::chrono_literals;

class ReadableOp : public rondo::Operable<ReadableOp, void> {
 public:
  explicit ReadableOp(int fd) : fd_(fd) {}
  ReadableOp(ReadableOp&& other) noexcept : fd_(other.fd_) {}  // only before it has begun

  void begin(const rondo::AsyncContext& context, rondo::Waiter waiter) {
    loop_ = context.loop;
    waiter_ = waiter;
    poll_.emplace(*loop_, fd_);
    const auto started = poll_->start(rondo::PollEvents::readable, [this](auto /*ready*/) {
      poll_->stop();
      waiter_();
    });
    if (!started) end_later(started.error());
  }
  void cancel() noexcept {
    if (!poll_->active()) return;  // the result is on its way
    poll_->stop();
    end_later(std::make_error_code(std::errc::operation_canceled));
  }
  rondo::Expected<> take_result() const {
    if (error_) return std::unexpected(error_);
    return {};
  }

 private:
  void end_later(std::error_code error) {
    error_ = error;
    loop_->defer([this] { waiter_(); });
  }

  int fd_;
  rondo::Loop* loop_ = nullptr;
  rondo::Waiter waiter_;
  std::optional<rondo::Poll> poll_;
  std::error_code error_;
};

ReadableOp readable(int fd) {
  return ReadableOp(fd);
}

rondo::Async<> wait_twice(int fd) {
  const auto in_vain = co_await rondo::with_timeout(10ms, readable(fd));
  std::printf("first: %s\n", in_vain ? "readable" : in_vain.error().message().c_str());

  const std::uint64_t one = 1;
  if (::write(fd, &one, sizeof one) != sizeof one) co_return;
  const auto now = co_await readable(fd);
  std::printf("then: %s\n", now ? "readable" : now.error().message().c_str());
}

int main() {
  const int fd = ::eventfd(0, EFD_CLOEXEC);
  rondo::Loop loop;
  spawn(loop, wait_twice(fd));
  loop.run();
  ::close(fd);
}
