// A stream that is read and written when the kernel says that it is ready: for epoll, and on
// either backend for Unix sockets that pass descriptors.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "io/net/socket_calls.h"
#include "io/net/socket_watch.h"
#include "io/net/stream.h"

namespace rondo {

namespace {

constexpr std::size_t kMostDescriptors = 64;
// How often a stream that fills the buffer is read before other handles are served.
constexpr int kReadsPerVisit = 8;

struct ControlBuffer {
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(kMostDescriptors * sizeof(int))> bytes{};
};

class ReadyStream final : public StreamState, private Watcher {
 public:
  ReadyStream(LoopCore& core, Descriptor fd, const StreamOptions& options,
              std::size_t max_descriptors) noexcept
      : StreamState(core, std::move(fd), options),
        max_descriptors_(std::min(max_descriptors, kMostDescriptors)) {}

  Expected<Flow> write_descriptors(std::span<const std::byte> bytes,
                                   std::span<const int> fds) override {
    check_thread();
    if (bytes.empty()) return std::unexpected(errno_code(EINVAL));
    if (fds.empty()) return write(bytes);
    if (fds.size() > max_descriptors_) return std::unexpected(errno_code(EMSGSIZE));
    if (const std::error_code error = refuse_write(bytes.size())) return std::unexpected(error);
    std::vector<Descriptor> copies;
    copies.reserve(fds.size());
    for (const int fd : fds) {
      Descriptor copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
      if (!copy) return std::unexpected(errno_code(errno));
      copies.push_back(std::move(copy));
    }
    output().append_with_descriptors(bytes, std::move(copies));
    accepted(bytes.size());
    touch();
    return flow();
  }

  void on_descriptors(Callback<void(std::span<const int>)> callback) override {
    check_thread();
    if (!closed() || !callback) descriptors_.set(std::move(callback));
  }

 private:
  // ---- Readiness --------------------------------------------------------------------------------

  void update_reading() override {
    const std::uint32_t events =
        (wants_bytes() ? std::uint32_t{POLLIN} : 0U) | (blocked_ ? std::uint32_t{POLLOUT} : 0U);
    if (const std::error_code error = watch_.want(*core(), descriptor(), events)) fail(error);
  }

  void ready(std::uint32_t events) override {
    const Ref<StreamState> keep(this);
    if ((events & (POLLIN | POLLHUP | POLLERR | POLLRDHUP)) != 0) receive_all();
    if (closing()) return;
    if ((events & (POLLOUT | POLLHUP | POLLERR)) != 0 && blocked_) {
      blocked_ = false;
      update_writing();
      if (closing()) return;
      touch();  // watches less
      report_sent();
    }
  }

  // ---- Receiving --------------------------------------------------------------------------------

  void receive_all() {
    for (int i = 0; i < kReadsPerVisit && wants_bytes() && !closing(); ++i) {
      if (!receive()) return;
    }
  }

  /// Returns whether there may be more.
  bool receive() {
    touch();  // whatever the callback does, flush() then updates what is watched
    std::span<std::byte> buffer;
    // Descriptors are reported before the bytes they came with, and that callback may end the
    // read: then its buffer is out of bounds.
    if (read() != nullptr && max_descriptors_ == 0) buffer = buffer_of(*read());
    const bool in_place = !buffer.empty();
    if (!in_place) buffer = net().read_buffer();
    const ssize_t count = receive_into(buffer);
    if (count > 0) {
      const auto bytes = static_cast<std::size_t>(count);
      in_place ? arrived_in_place(bytes) : arrived(buffer.first(bytes));
      return bytes == buffer.size();
    }
    if (count == 0) {
      arrived_end();
    } else if (errno != EAGAIN && errno != EINTR) {
      fail(errno_code(errno));
    }
    return false;
  }

  ssize_t receive_into(std::span<std::byte> buffer) {
    if (max_descriptors_ == 0)
      return ::recv(descriptor(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    ControlBuffer control;
    iovec piece{buffer.data(), buffer.size()};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes.data();
    message.msg_controllen = CMSG_SPACE(max_descriptors_ * sizeof(int));
    const ssize_t count = ::recvmsg(descriptor(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    try {
      if (count >= 0) take_descriptors(message);
    } catch (...) {
      if (count > 0) hold(buffer.first(static_cast<std::size_t>(count)));
      throw;
    }
    if (closing()) {
      errno = EAGAIN;  // by the callback that was given the descriptors
      return -1;
    }
    return count;
  }

  void take_descriptors(msghdr& message) {
    std::vector<int> fds;
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr;
         each = CMSG_NXTHDR(&message, each)) {
      if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      fds.resize(fds.size() + count);
      std::memcpy(fds.data() + (fds.size() - count), CMSG_DATA(each), count * sizeof(int));
    }
    if ((message.msg_flags & MSG_CTRUNC) != 0) {
      // More than was agreed upon: the kernel has dropped some, so the rest means nothing.
      for (const int fd : fds) ::close(fd);
      fail(errno_code(EMSGSIZE));
    } else if (!fds.empty()) {
      if (descriptors_) {
        core()->door().run(task(), [&] { descriptors_(fds); });
      } else {
        for (const int fd : fds) ::close(fd);
      }
    }
  }

  void abort_read() noexcept override { cancel_read_later(); }

  // ---- Sending ---------------------------------------------------------------------------------

  void update_writing() override {
    while (!blocked_ && !output().empty()) {
      const ssize_t count = send_some();
      if (count >= 0) {
        sent(static_cast<std::size_t>(count));
      } else if (errno == EAGAIN) {
        blocked_ = true;
      } else {
        fail(errno_code(errno));
        return;
      }
    }
  }

  ssize_t send_some() {
    OutputChunk* first = output().first();
    std::array<iovec, 64> pieces;
    msghdr message{};
    ControlBuffer control;
    const bool passes = first->descriptors != nullptr;
    if (passes) attach(message, control, *first->descriptors);
    const std::size_t filled = output().fill(pieces);
    const ssize_t count = send_pieces(descriptor(), std::span(pieces).first(filled), message);
    if (passes && count > 0) {  // they go with the first byte
      delete first->descriptors;
      first->descriptors = nullptr;
    }
    return count;
  }

  static void attach(msghdr& message, ControlBuffer& control,
                     const std::vector<Descriptor>& descriptors) noexcept {
    const std::size_t bytes = descriptors.size() * sizeof(int);
    message.msg_control = control.bytes.data();
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(bytes);
    std::array<int, kMostDescriptors> fds{};
    std::ranges::transform(descriptors, fds.begin(), &Descriptor::get);
    std::memcpy(CMSG_DATA(header), fds.data(), bytes);
  }

  // ---- Ending ----------------------------------------------------------------------------------

  std::size_t in_kernel() const noexcept override { return 0; }
  bool kernel_reads() const noexcept override { return false; }
  bool receive_takes_errors() const noexcept override { return false; }
  void abort_write() noexcept override {}
  void abort() noexcept override {
    watch_.stop(*core());
    let_go();
  }
  void forget() noexcept override {
    watch_.forget();
    descriptors_.set(nullptr);
  }
  bool user_memory_in_kernel() const noexcept override { return false; }

  SocketWatch watch_{*this};
  std::size_t max_descriptors_;
  bool blocked_ = false;  // the kernel takes no more: wait until it is writable
  Listener<void(std::span<const int>)> descriptors_;
};

}  // namespace

StreamState* make_ready_stream(LoopCore& core, Descriptor& fd, const StreamOptions& options,
                               std::size_t max_descriptors) {
  return new ReadyStream(core, std::move(fd), options, max_descriptors);
}

}  // namespace rondo
