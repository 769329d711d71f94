// A stream whose reading and writing are operations on io_uring: one multishot receive
// into buffers that the kernel takes when it needs them, and one send at a time.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "io/backend/uring_backend.h"
#include "io/net/stream.h"

namespace rondo {

namespace {

/// Two operations of one object need two addresses and two names for complete().
class ReceiveOperation : public UringOperation {
 protected:
  virtual void prepare_receive(io_uring_sqe& entry) noexcept = 0;
  virtual void received(std::int32_t result, std::uint32_t flags) = 0;
  ~ReceiveOperation() = default;

 private:
  void prepare(io_uring_sqe& entry) noexcept final { prepare_receive(entry); }
  void complete(std::int32_t result, std::uint32_t flags) final { received(result, flags); }
};

class SendOperation : public UringOperation {
 protected:
  virtual void prepare_send(io_uring_sqe& entry) noexcept = 0;
  virtual void send_done(std::int32_t result) = 0;
  ~SendOperation() = default;

 private:
  void prepare(io_uring_sqe& entry) noexcept final { prepare_send(entry); }
  void complete(std::int32_t result, std::uint32_t /*flags*/) final { send_done(result); }
};

class RingStream final : public StreamState, private ReceiveOperation, private SendOperation {
 public:
  RingStream(LoopCore& core, UringBackend& uring, Descriptor fd,
             const StreamOptions& options) noexcept
      : StreamState(core, std::move(fd), options), uring_(uring) {}

 private:
  enum class Receiving : std::uint8_t {
    no,
    flow,         // again and again, into small buffers
    large_flow,   // the same into large ones, while the peer fills them
    into_buffer,  // once, into the reader's own
    one,          // once, into a small one
  };

  /// More than one piece to send; exists only then.
  struct Pieces {
    msghdr message{};
    std::array<iovec, 32> vector{};
  };

  static ReceiveOperation& receive(RingStream& stream) noexcept { return stream; }
  static SendOperation& send(RingStream& stream) noexcept { return stream; }

  Receiving wanted() const noexcept {
    if (read() != nullptr && !closing()) {
      return buffer_of(*read()).empty() ? Receiving::one : Receiving::into_buffer;
    }
    if (!flowing()) return Receiving::no;
    return volume_ >= kVolumeForLarge ? Receiving::large_flow : Receiving::flow;
  }

  BufferRing& buffers(Receiving how) const noexcept {
    // Neither can be missing: small ones were there when the stream was made, and without large
    // ones it does not ask for them.
    return *uring_.receive_buffers(how == Receiving::large_flow ? UringBackend::Buffers::large
                                                                : UringBackend::Buffers::small);
  }

  /// Notes how well the buffer was filled, for the choice of the next.
  void note_size(Receiving how, std::size_t bytes) noexcept {
    if (how == Receiving::flow) {
      if (volume_ >= kVolumeForLarge) return;  // large ones are coming; this is the tail
      const bool full = bytes == buffers(how).buffer_bytes();
      volume_ = full ? static_cast<std::uint8_t>(volume_ + 1) : std::uint8_t{0};
      if (volume_ < kVolumeForLarge) return;
      const bool possible = uring_.receive_buffers(UringBackend::Buffers::large) != nullptr;
      volume_ = possible ? kMostVolume : std::uint8_t{0};
    } else if (how == Receiving::large_flow) {
      const bool much = bytes > buffers(Receiving::flow).buffer_bytes();
      volume_ = much ? kMostVolume : static_cast<std::uint8_t>(std::max(volume_ - 1, 0));
    }
    if (receiving_ != wanted()) touch();
  }

  // ---- Receiving --------------------------------------------------------------------------------

  void update_reading() override {
    if (send_error_ != 0 || end_waits_) return;  // the receive that ends is the last one
    const Receiving want = wants_bytes() ? wanted() : Receiving::no;
    if (receiving_ == want) return;
    if (receiving_ != Receiving::no) {
      stop_receiving();  // its last completion calls this again
      return;
    }
    receiving_ = want;
    retain();
    uring_.start(receive(*this));
  }

  void stop_receiving() noexcept {
    if (receiving_ == Receiving::no || std::exchange(stopping_, true)) return;
    uring_.cancel(receive(*this));
  }

  void prepare_receive(io_uring_sqe& entry) noexcept override {
    entry.opcode = IORING_OP_RECV;
    entry.fd = descriptor();
    if (receiving_ == Receiving::into_buffer && read() != nullptr) {
      const std::span<std::byte> buffer = buffer_of(*read());
      entry.addr = reinterpret_cast<std::uintptr_t>(buffer.data());
      entry.len = static_cast<std::uint32_t>(std::min<std::size_t>(buffer.size(), 1U << 30));
      return;
    }
    entry.flags = IOSQE_BUFFER_SELECT;
    entry.buf_group = buffers(receiving_).group();
    if (receiving_ != Receiving::one) entry.ioprio = IORING_RECV_MULTISHOT;
  }

  void received(std::int32_t result, std::uint32_t flags) override {
    const Ref<StreamState> keep(this);
    const Receiving how = receiving_;
    bool cancelled = false;
    if ((flags & IORING_CQE_F_MORE) == 0) {
      cancelled = std::exchange(read_cancelled_, false);
      receiving_ = Receiving::no;
      stopping_ = false;
      release();
      if (closing()) let_go_if_idle();
      touch();  // receives again if that is wanted
    }
    const Finally after([this] {
      if (send_error_ != 0 && receiving_ == Receiving::no) receive_rest_and_fail();
    });
    if ((flags & IORING_CQE_F_BUFFER) != 0) {
      BufferRing& ring = buffers(how);
      const std::uint16_t id = BufferRing::id_of(flags);
      const Finally then([&ring, id] { ring.give_back(id); });
      if (result > 0) {
        const auto bytes = static_cast<std::size_t>(result);
        note_size(how, bytes);
        look_for_end(flags);
        take(how, flags, ring.buffer(id).first(bytes));
        return;
      }
    }
    deliver_burst();
    if (closing()) return;
    if (result > 0 && how == Receiving::into_buffer) {
      arrived_in_place(static_cast<std::size_t>(result));
    } else if (result == 0) {
      // Not an end of the peer's if the connection broke: the send in flight has the error, or
      // will.
      end_waits_ = sending_ && send_error_ == 0 && is_broken();
      if (!end_waits_ && (send_error_ == 0 || send_error_ == EPIPE)) arrived_end();
    } else if (result == -ECANCELED) {
      if (cancelled && read() != nullptr) finish_read(errno_code(ECANCELED));
    } else if (result == -ENOBUFS) {
      buffers(how).offer_more();  // and touch() above has the receive begin again
    } else if (result != -EAGAIN && result != -EINTR) {
      fail(errno_code(-result));
    }
  }

  /// What came at once fills small buffers in a row. It is delivered at once, in pieces of the size
  /// that programs know from read() into a buffer of 64 KiB, and not in as many as the kernel took.
  void take(Receiving how, std::uint32_t flags, std::span<const std::byte> bytes) {
    const bool goes_on = how == Receiving::flow && (flags & IORING_CQE_F_MORE) != 0 &&
                         (flags & IORING_CQE_F_SOCK_NONEMPTY) != 0 && flowing() &&
                         burst_.size() + bytes.size() < kMostBurst;
    if (burst_.empty() && !goes_on) {
      arrived(bytes);
      return;
    }
    burst_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!goes_on) deliver_burst();
  }

  void deliver_burst() {
    if (burst_.empty()) return;
    const std::string burst = std::exchange(burst_, {});
    arrived(std::as_bytes(std::span(burst)));
  }

  /// A multishot receive reads a number of buffers in a row, and then waits for a wakeup. If
  /// the end was there before the last of them, there is no news: it must be asked for again.
  void look_for_end(std::uint32_t flags) noexcept {
    const bool more = (flags & IORING_CQE_F_SOCK_NONEMPTY) != 0;
    const bool was_more = std::exchange(more_waits_, more);
    if (more || !was_more || (flags & IORING_CQE_F_MORE) == 0) return;
    if (peer_has_ended()) stop_receiving();  // its last answer has it begin again
  }

  bool peer_has_ended() const noexcept {
    pollfd socket{.fd = descriptor(), .events = POLLRDHUP, .revents = 0};
    return ::poll(&socket, 1, 0) > 0;
  }

  /// The peer has reset the connection, which is not a connection any more.
  bool is_broken() const noexcept {
    tcp_info info{};
    socklen_t size = sizeof(info);
    return ::getsockopt(descriptor(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
           info.tcpi_state == TCP_CLOSE;
  }

  void abort_read() noexcept override {
    if (receiving_ == Receiving::into_buffer || receiving_ == Receiving::one) {
      read_cancelled_ = true;
      stop_receiving();
      return;
    }
    cancel_read_later();  // it was not submitted to the kernel
  }

  // ---- Sending ---------------------------------------------------------------------------------

  void update_writing() override {
    if (sending_ || send_error_ != 0) return;
    sending_ = true;
    retain();
    uring_.start(send(*this));
  }

  void prepare_send(io_uring_sqe& entry) noexcept override {
    entry.fd = descriptor();
    // Without MSG_WAITALL a send ends with what the socket had room for: buffered() shows the
    // progress of a long write, on which a time-out may depend.
    entry.msg_flags = MSG_NOSIGNAL;
    const OutputChunk* first = output().first();
    // Taken back while the ring was full, or torn down, and lent memory is gone: nothing is sent.
    const bool nothing = first == nullptr || closing();
    if (nothing || first->next == nullptr) {
      entry.opcode = IORING_OP_SEND;
      if (nothing) return;
      // The length of a completion is an int.
      in_flight_ = std::min<std::size_t>(first->size(), 1U << 30);
      entry.addr = reinterpret_cast<std::uintptr_t>(first->data + first->begin);
      entry.len = static_cast<std::uint32_t>(in_flight_);
      return;
    }
    if (pieces_ == nullptr) pieces_ = std::make_unique<Pieces>();
    const std::size_t count = output().fill(pieces_->vector);
    pieces_->message.msg_iov = pieces_->vector.data();
    pieces_->message.msg_iovlen = count;
    in_flight_ = 0;
    for (const iovec& piece : std::span(pieces_->vector).first(count)) in_flight_ += piece.iov_len;
    entry.opcode = IORING_OP_SENDMSG;
    entry.addr = reinterpret_cast<std::uintptr_t>(&pieces_->message);
    entry.len = 1;
  }

  void send_done(std::int32_t result) override {
    const Ref<StreamState> keep(this);
    sending_ = false;
    in_flight_ = 0;
    release();
    if (closing()) {
      let_go_if_idle();
      return;
    }
    if (std::exchange(end_waits_, false)) touch();
    if (result > 0) sent(static_cast<std::size_t>(result));
    if (output().empty()) pieces_ = nullptr;
    if (result < 0 && result != -ECANCELED && result != -EAGAIN && result != -EINTR) {
      send_failed(-result);
      return;
    }
    cut_if_cancelled();
    report_sent();
  }

  /// What has arrived is delivered before the error, as by readiness, where reading comes first.
  /// The receive may have some of it already, so it is ended before the rest is read.
  void send_failed(int error) {
    if (receiving_ == Receiving::no) {
      fail(errno_code(error));
      return;
    }
    send_error_ = error;
    stop_receiving();
  }

  /// The kernel reports the error of a connection that broke to one operation only: if sending has
  /// met it, receiving just meets an end, and if receiving does, sending has met EPIPE.
  void receive_rest_and_fail() {
    const Finally then([this] { fail(errno_code(send_error_)); });  // nothing if that was done
    for (int i = 0; i < kMostReads && wants_bytes(); ++i) {
      const std::span<std::byte> buffer = net().read_buffer();
      const ssize_t count = ::recv(descriptor(), buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (count > 0) {
        arrived(buffer.first(static_cast<std::size_t>(count)));
        continue;
      }
      if (count == 0 && send_error_ == EPIPE) arrived_end();
      if (count < 0 && errno != EAGAIN && errno != EINTR) send_error_ = errno;
      return;
    }
  }

  std::size_t in_kernel() const noexcept override { return in_flight_; }
  bool kernel_reads() const noexcept override { return receiving_ != Receiving::no; }
  bool receive_takes_errors() const noexcept override {
    return kernel_reads() || read() != nullptr || flowing();
  }

  void abort_write() noexcept override {
    if (sending_) uring_.cancel(send(*this));
  }

  // ---- Ending ----------------------------------------------------------------------------------

  /// The kernel resets a connection that is closed while something waits to be read. Bytes
  /// that a receive has taken from the socket, but that were not delivered, count as well.
  void reset_on_close() noexcept {
    const linger hard{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(descriptor(), SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
  }

  /// The peer learns of it at once, as from close(): what the program sends next, on whatever
  /// socket, does not overtake it. Where the end of the output has been sent, that was the news,
  /// and a system call is saved.
  void abort() noexcept override {
    if (end_sent()) {
      stop_receiving();
      abort_write();
    } else {
      if (receiving_ != Receiving::no) {
        if (more_waits_ && !peer_has_ended()) reset_on_close();
        stopping_ = true;
        uring_.cancel_now(receive(*this));
      }
      if (sending_) uring_.cancel_now(send(*this));
      close_descriptor();
    }
    let_go_if_idle();
  }

  void let_go_if_idle() noexcept {
    if (receiving_ == Receiving::no && !sending_) let_go();
  }

  void forget() noexcept override {
    if (std::exchange(receiving_, Receiving::no) != Receiving::no) release();
    if (std::exchange(sending_, false)) release();
  }

  bool user_memory_in_kernel() const noexcept override {
    return receiving_ == Receiving::into_buffer || (sending_ && output().borrows(in_flight_));
  }

  // A peer that fills some small buffers in a row has much to say, until it has brought little a
  // few times in a row.
  static constexpr std::uint8_t kVolumeForLarge = 4;
  static constexpr std::uint8_t kMostVolume = 8;
  static constexpr std::size_t kMostBurst = std::size_t{64} << 10;
  // How often the rest is read before a failed send is reported, in case the peer never stops.
  static constexpr int kMostReads = 32;

  UringBackend& uring_;
  std::unique_ptr<Pieces> pieces_;
  std::string burst_;  // has arrived, and the rest is about to
  std::size_t in_flight_ = 0;
  int send_error_ = 0;  // sending has failed; it is reported when the receive has ended
  Receiving receiving_ = Receiving::no;
  bool end_waits_ = false;  // to be reported, unless the send in flight fails
  bool stopping_ = false;   // asked the kernel to end the receive
  bool read_cancelled_ = false;
  bool more_waits_ = false;  // after the last receive that was looked at
  bool sending_ = false;
  std::uint8_t volume_ = 0;
};

}  // namespace

StreamState* make_ring_stream(LoopCore& core, Descriptor& fd, const StreamOptions& options) {
  UringBackend* uring = uring_of(core.backend());
  if (uring == nullptr || uring->receive_buffers(UringBackend::Buffers::small) == nullptr) {
    return nullptr;
  }
  return new RingStream(core, *uring, std::move(fd), options);
}

}  // namespace rondo
