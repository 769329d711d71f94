// Connecting: one address after the other, each given a head start before the next joins in, and
// the first to connect wins (RFC 8305, "Happy Eyeballs").
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "rondo/detail/alarm.h"
#include "rondo/net.h"

#include "io/counted_ref.h"
#include "io/io_context.h"
#include "io/net/socket_calls.h"
#include "io/net/socket_watch.h"
#include "io/net/stream.h"

namespace rondo {

namespace {

using Family = SocketAddress::Family;

// More than any name resolves to; a bound on what a name server can make us try.
constexpr std::size_t kMostAddresses = 64;

/// IPv6 first, then alternating families; within a family the order given.
std::vector<SocketAddress> interleave(const std::vector<SocketAddress>& addresses, Family only) {
  std::vector<SocketAddress> first;
  std::vector<SocketAddress> second;
  for (const SocketAddress& address : addresses) {
    if (address.family() == Family::none) continue;
    if (only != Family::none && address.family() != only) continue;
    (address.family() == Family::ipv4 ? second : first).push_back(address);
  }
  std::vector<SocketAddress> result;
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    if (i < first.size()) result.push_back(first[i]);
    if (i < second.size()) result.push_back(second[i]);
  }
  if (result.size() > kMostAddresses) result.resize(kMostAddresses);
  return result;
}

}  // namespace

class ConnectState final : public detail::LoopOwned {
 public:
  ConnectState(LoopCore& core, const std::vector<SocketAddress>& addresses, ConnectOptions options,
               UnixOptions unix_options, detail::Waiter waiter)
      : LoopOwned(core),
        addresses_(interleave(addresses, options.local.family())),
        options_(options),
        unix_(unix_options),
        waiter_(waiter),
        bound_(options.bound_socket.value_or(-1)) {
    attempts_.reserve(addresses_.size());
  }

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }

  void begin() {
    core()->begin_request();
    if (addresses_.empty()) {
      fail(EINVAL);
      return;
    }
    if (options_.timeout.has_value()) {
      timeout_.set(*core(), detail::Delay(*options_.timeout),
                   {[](void* self) { static_cast<ConnectState*>(self)->fail(ETIMEDOUT); }, this});
    }
    try_next();
  }

  void cancel() { fail(ECANCELED); }

  /// Nobody waits for the result any more.
  void leave_alone() noexcept { waiter_ = {}; }

  Expected<detail::HandleRef<StreamState>> take() {
    if (error_) return std::unexpected(error_);
    return std::move(connected_);
  }

 private:
  /// One address that is being tried.
  class Attempt final : private Watcher {
   public:
    Attempt(ConnectState& owner, std::size_t index, Descriptor fd) noexcept
        : owner_(owner), index_(index), fd_(std::move(fd)) {}

    /// True if the answer is to come; else it is in `error`.
    bool start(LoopCore& core, int& error) {
      const SocketAddress& address = owner_.addresses_[index_];
      if (::connect(fd_.get(), address.native(), address.native_size()) != 0) {
        error = errno;
        if (error != EINPROGRESS) return false;
        // On this machine it is known by now that no socket listens.
        error = refused_already();
        if (error != 0) return false;
      }
      // Told in the poll phase, like any success.
      if (const std::error_code refused = watch_.want(core, fd_.get(), POLLOUT)) {
        error = refused.value();
        return false;
      }
      return true;
    }

    void stop(LoopCore& core) noexcept {
      watch_.stop(core);
      fd_ = Descriptor();
    }

    void forget() noexcept { watch_.forget(); }

    std::size_t index() const noexcept { return index_; }
    Descriptor take_descriptor() noexcept { return std::move(fd_); }

   private:
    int refused_already() const noexcept {
      pollfd polled{fd_.get(), POLLOUT, 0};
      if (::poll(&polled, 1, 0) != 1 || (polled.revents & POLLERR) == 0) return 0;
      return socket_error();
    }

    int socket_error() const noexcept {
      int error = 0;
      socklen_t size = sizeof(error);
      return ::getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
    }

    void ready(std::uint32_t /*events*/) override {
      const Ref<ConnectState> keep(&owner_);
      watch_.stop(*owner_.core());
      owner_.answered(*this, socket_error());
    }

    ConnectState& owner_;
    std::size_t index_;
    Descriptor fd_;
    SocketWatch watch_{*this};
  };

  ~ConnectState() override = default;

  /// Tries addresses until a connection attempt is in progress.
  void try_next() {
    stagger_.clear();
    while (next_ < addresses_.size()) {
      const std::size_t index = next_++;
      int error = 0;
      if (start(index, error)) {
        ++trying_;
        if (next_ < addresses_.size()) {
          stagger_.set(*core(), detail::Delay(options_.attempt_delay),
                       {[](void* self) { static_cast<ConnectState*>(self)->try_next(); }, this});
        }
        return;
      }
      note_error(index, error);
    }
    if (trying_ == 0) fail(first_error_);
  }

  /// The error that counts is that of the first address, whenever it failed.
  void note_error(std::size_t index, int error) noexcept {
    if (first_error_ != 0 && index > first_failed_) return;
    first_failed_ = index;
    first_error_ = error;
  }

  /// The socket for one attempt.
  Expected<Descriptor> make_socket(const SocketAddress& address) {
    if (!options_.bound_socket.has_value()) return open_socket(address, SOCK_STREAM);
    if (!bound_) return std::unexpected(errno_code(EINVAL));  // an earlier address has used it
    const int flags = ::fcntl(bound_.get(), F_GETFL);
    if (flags < 0 || ::fcntl(bound_.get(), F_SETFL, flags | O_NONBLOCK) != 0) {
      return std::unexpected(errno_code(errno));
    }
    return std::move(bound_);
  }

  bool start(std::size_t index, int& error) {
    const SocketAddress& address = addresses_[index];
    auto fd = make_socket(address);
    std::error_code failed = fd ? std::error_code() : fd.error();
    const bool is_tcp = address.family() != Family::unix_domain;
    if (!failed && is_tcp) failed = apply(fd->get(), options_.tcp);
    if (!failed && options_.local.family() != Family::none) {
      // A port that an earlier connection used may be used again while that is in TIME_WAIT.
      failed = set_option(fd->get(), SOL_SOCKET, SO_REUSEADDR, 1);
    }
    if (!failed && options_.local.family() != Family::none) {
      failed = bind_socket(fd->get(), options_.local);
    }
    if (failed) {
      error = failed.value();
      return false;
    }
    attempts_.push_back(std::make_unique<Attempt>(*this, index, *std::move(fd)));
    return attempts_.back()->start(*core(), error);
  }

  /// In the poll phase, outside of the door.
  void answered(Attempt& attempt, int error) {
    if (done_ || core() == nullptr) return;
    --trying_;
    if (error == 0) {
      connected_ = StreamState::make(*core(), attempt.take_descriptor(), options_.tcp.stream,
                                     unix_.max_descriptors);
      end();
      core()->door().run({TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)},
                         [this] { report(); });
      return;
    }
    note_error(attempt.index(), error);
    try_next();
  }

  void fail(int error) {
    if (done_) return;
    error_ = errno_code(error);
    end();
    core()->pending().add([self = Ref(this)] { self->report(); });
  }

  void end() {
    done_ = true;
    core()->end_request();
    timeout_.clear();
    stagger_.clear();
    for (const auto& attempt : attempts_) attempt->stop(*core());
  }

  void report() {
    if (const detail::Waiter waiter = std::exchange(waiter_, {}); waiter.wake != nullptr) waiter();
  }

  void loop_ends() noexcept override {
    const Ref<ConnectState> keep(this);
    done_ = true;
    for (const auto& attempt : attempts_) attempt->forget();
    leave();
  }

  std::vector<SocketAddress> addresses_;
  ConnectOptions options_;
  UnixOptions unix_;
  detail::Waiter waiter_;
  Descriptor bound_;  // to be connected; empty: a new one is made
  std::uint32_t references_ = 0;
  std::size_t next_ = 0;
  std::size_t trying_ = 0;
  std::size_t first_failed_ = 0;
  int first_error_ = 0;
  bool done_ = false;
  detail::Alarm timeout_{detail::Alarm::For::timeout};
  detail::Alarm stagger_{detail::Alarm::For::timeout};
  std::vector<std::unique_ptr<Attempt>> attempts_;
  detail::HandleRef<StreamState> connected_;
  std::error_code error_;
};

namespace detail {

ConnectBase::~ConnectBase() {
  if (state_ == nullptr) return;
  state_->leave_alone();
  state_->release();
}

void ConnectBase::begin(const AsyncContext& context, Waiter waiter) {
  LoopCore& core = context.loop->core();
  core.check_thread();
  state_ = new ConnectState(core, addresses_, options_, unix_options_, waiter);
  state_->retain();
  state_->begin();
}

void ConnectBase::cancel() noexcept {
  if (state_->core() != nullptr) state_->cancel();
}

Expected<HandleRef<StreamState>> ConnectBase::take_state() {
  return state_->take();
}

}  // namespace detail

}  // namespace rondo
