#include "io/net/stream.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "io/io_context.h"
#include "io/net/socket_calls.h"

namespace rondo {

namespace {

// What a write with a callback costs us beside its bytes.
constexpr std::size_t kMarkBytes = 96;

/// Calls a callback, and is destroyed.
class CallbackMark final : public detail::WriteMark {
 public:
  explicit CallbackMark(Callback<void(Expected<>)> callback) noexcept
      : callback_(std::move(callback)) {}

  void reached(std::error_code error) override {
    const std::unique_ptr<CallbackMark> self(this);
    callback_(error ? Expected<>(std::unexpected(error)) : Expected<>());
  }
  void dropped() noexcept override { delete this; }
  bool owns_itself() const noexcept override { return true; }

 private:
  Callback<void(Expected<>)> callback_;
};

/// A mark that is about to be reported; if the loop ends before, it is dropped.
class MarkToReport {
 public:
  MarkToReport(detail::WriteMark& mark, std::error_code error) noexcept
      : mark_(&mark), error_number_(error.value()), ours_(mark.owns_itself()) {}
  MarkToReport(MarkToReport&& other) noexcept
      : mark_(std::exchange(other.mark_, nullptr)),
        error_number_(other.error_number_),
        ours_(other.ours_) {}
  MarkToReport& operator=(MarkToReport&&) = delete;
  ~MarkToReport() {
    // One inside a coroutine may be destroyed before us.
    if (mark_ != nullptr && ours_) mark_->dropped();
  }
  void operator()() { std::exchange(mark_, nullptr)->reached(errno_code(error_number_)); }

 private:
  detail::WriteMark* mark_;
  int error_number_;
  bool ours_;
};

}  // namespace

// ---- Marks --------------------------------------------------------------------------------------

namespace detail {

void MarkList::push(WriteMark& mark, std::uint64_t position) noexcept {
  mark.position_ = position;
  mark.next_ = nullptr;
  (last_ == nullptr ? first_ : last_->next_) = &mark;
  last_ = &mark;
  ++size_;
}

WriteMark& MarkList::pop() noexcept {
  WriteMark& mark = *std::exchange(first_, first_->next_);
  if (first_ == nullptr) last_ = nullptr;
  --size_;
  return mark;
}

void MarkList::remove(WriteMark& mark, std::uint64_t shift) noexcept {
  WriteMark* before = nullptr;
  WriteMark* each = first_;
  while (each != nullptr && each != &mark) before = std::exchange(each, each->next_);
  if (each == nullptr) return;
  (before == nullptr ? first_ : before->next_) = mark.next_;
  if (last_ == &mark) last_ = before;
  --size_;
  for (each = mark.next_; each != nullptr; each = each->next_) each->position_ -= shift;
}

std::size_t MarkList::count_up_to(std::uint64_t position) const noexcept {
  std::size_t count = 0;
  for (const WriteMark* mark = first_; mark != nullptr && mark->position_ <= position;
       mark = mark->next_) {
    ++count;
  }
  return count;
}

}  // namespace detail

// ---- Life ---------------------------------------------------------------------------------------

StreamState::StreamState(LoopCore& core, Descriptor fd, const StreamOptions& options) noexcept
    : Handle(core), fd_(std::move(fd)), options_(options) {}

StreamState::~StreamState() = default;

detail::HandleRef<StreamState> StreamState::make(LoopCore& core, Descriptor fd,
                                                 const StreamOptions& options,
                                                 std::size_t max_descriptors) {
  StreamState* state = nullptr;
  // Descriptors come with control messages, which a multishot receive does not give us.
  if (max_descriptors == 0) state = make_ring_stream(core, fd, options);
  if (state == nullptr) state = make_ready_stream(core, fd, options, max_descriptors);
  return detail::HandleRef<StreamState>(state);
}

void StreamState::release_handle() noexcept {
  if (--handles_ == 0 && !closing()) abandon();
  release();
}

/// The last handle is gone. What was accepted is still sent.
void StreamState::abandon() {
  owner_ = Owner::none;
  paused_ = true;
  if (writing_ == Writing::open) writing_ = Writing::ending;
  if (output_.empty() && marks_.empty()) {
    tear_down({});
  } else {
    owner_ = Owner::itself;
    retain();
    touch();
  }
}

NetContext& StreamState::net() const {
  return IoContext::of(*core()).net();
}

ChunkPool* StreamState::chunks() const noexcept {
  // While the loop is being destroyed there is no pool any more.
  return core() == nullptr || core()->ending() ? nullptr : &net().chunks();
}

void StreamState::touch() {
  if (flush_queued_ || closing() || core() == nullptr || core()->ending()) return;
  flush_queued_ = true;
  retain();
  net().flush_soon(*this);
  update_alive();
}

void StreamState::flush() {
  const Ref<StreamState> keep(this);
  flush_queued_ = false;
  release();
  if (closing()) return;
  if (!output_.empty()) update_writing();
  if (closing()) return;
  shut_if_done();
  if (something_sent_to_report()) report_sent_later();
  if (owner_ == Owner::itself && output_.empty() && marks_.empty()) {
    tear_down({});
    return;
  }
  if (finished()) {
    core()->pending().add([self = keep] { self->finish(); });
    return;
  }
  update_reading();
  if (!delivery_queued_ && held_is_wanted()) {
    delivery_queued_ = true;
    retain();
    core()->complete_soon(delivery_, 0);
  }
  update_alive();
}

/// While reading, the handle keeps the loop alive; what is in progress does so even if it is
/// unref'd.
void StreamState::update_alive() noexcept {
  if (core() == nullptr) return;
  set_active(flowing());
  const bool busy = closing() ? !kernel_done_
                              : flush_queued_ || delivery_queued_ || read_ != nullptr ||
                                    !output_.empty() || !marks_.empty();
  if (busy == keeps_alive_) return;
  keeps_alive_ = busy;
  busy ? core()->begin_request() : core()->end_request();
}

void StreamState::loop_ends() noexcept {
  const Ref<StreamState> keep(this);
  if (!closing()) life_ = Life::closing;
  forget();
  if (std::exchange(flush_queued_, false)) release();
  if (std::exchange(delivery_queued_, false)) release();
  release_own_reference();
  if (owner_ == Owner::receiver) fd_.release();
  fd_ = Descriptor();
  output_.clear(nullptr);
  life_ = Life::closed;
  detach();
  // From here on destructors of the user's run.
  drop_waiting();
  data_.set(nullptr);
  end_.set(nullptr);
  drain_.set(nullptr);
  failed_.set(nullptr);
  close_.set(nullptr);
}

void StreamState::drop_waiting() noexcept {
  if (read_ != nullptr) std::exchange(read_, nullptr)->waiting_ = false;
  while (!marks_.empty()) marks_.pop().dropped();
}

// ---- Reading ------------------------------------------------------------------------------------

void StreamState::on_data(DataCallback callback) {
  listen(data_, std::move(callback));
  touch();
}

void StreamState::pause() {
  check_thread();
  paused_ = true;
  touch();
}

void StreamState::resume() {
  check_thread();
  if (owner_ != Owner::handles) return;
  paused_ = false;
  touch();
}

void StreamState::arrived(std::span<const std::byte> bytes) {
  if (closing()) return;
  if (held_.empty() && read_ != nullptr) {
    const std::span<std::byte> buffer = buffer_of(*read_);
    if (read_->into_ == detail::ReadBase::Into::text) {
      read_->text_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } else {
      read_->count_ = std::min(bytes.size(), buffer.size());
      std::memcpy(buffer.data(), bytes.data(), read_->count_);
      bytes = bytes.subspan(read_->count_);
      held_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    finish_read({});
  } else if (held_.empty() && data_ && !paused_) {  // what was held may come after the end is known
    core()->door().run(task(), [&] { data_(bytes); });
  } else {
    hold(bytes);
  }
}

void StreamState::hold(std::span<const std::byte> bytes) {
  held_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  touch();
}

void StreamState::arrived_in_place(std::size_t count) {
  read_->count_ = count;
  finish_read({});
}

void StreamState::arrived_end() {
  if (closing()) return;
  if (reading_ == Reading::open) reading_ = Reading::at_end;
  if (held_.empty() && held_is_wanted()) {
    report_end();
  } else {
    touch();
  }
  update_alive();
}

void StreamState::report_end() {
  if (read_ != nullptr) {
    finish_read({});
    return;
  }
  core()->door().run(task(), [this] {
    const Finally then([this] { end_reported(); });
    end_();
  });
}

/// The program knows of the end; inside the door.
void StreamState::end_reported() {
  reading_ = Reading::ended;
  if (closing()) return;
  if (!options_.allow_half_open) end();
  if (finished()) finish();
}

void StreamState::deliver_held() {
  const Ref<StreamState> keep(this);
  delivery_queued_ = false;
  release();
  if (closing()) return;
  touch();  // for what is left afterwards
  if (!held_is_wanted()) return;
  if (held_.empty()) {
    report_end();
    return;
  }
  // In pieces, as if it arrived now: the callback may pause again after each.
  constexpr std::size_t kMostAtOnce = 64UL * 1024;
  const std::string bytes = std::exchange(held_, {});
  const std::string_view piece = std::string_view(bytes).substr(0, kMostAtOnce);
  arrived(std::as_bytes(std::span(piece)));
  if (!closing()) held_.append(bytes, piece.size());
}

void StreamState::begin_read(LoopCore& core, detail::ReadBase& read) {
  core.check_thread();
  const int error = closing()          ? EBADF
                    : read_ != nullptr ? EALREADY
                    : data_            ? EBUSY
                    : read.into_ == detail::ReadBase::Into::buffer && read.buffer_.empty() ? EINVAL
                                                                                           : 0;
  if (error != 0) {
    read.error_ = errno_code(error);
    core.pending().add([&read] { read.waiter_(); });
    return;
  }
  read.waiting_ = true;
  read_ = &read;
  touch();
}

void StreamState::cancel_read(detail::ReadBase& read) noexcept {
  if (read_ == &read && !closing()) abort_read();
}

/// For a read that the kernel does not have.
void StreamState::cancel_read_later() {
  detail::ReadBase& read = *std::exchange(read_, nullptr);
  read.error_ = errno_code(ECANCELED);
  read.waiting_ = false;
  core()->pending().add([&read] { read.waiter_(); });
  touch();
}

void StreamState::forget_read(detail::ReadBase& read) noexcept {
  if (read_ == &read) read_ = nullptr;
}

/// Completes the waiting read. A read of zero bytes is the end of the stream.
void StreamState::finish_read(std::error_code error) {
  detail::ReadBase& read = *std::exchange(read_, nullptr);
  read.error_ = error;
  read.waiting_ = false;
  const bool at_end = !error && read.count_ == 0 && read.text_.empty();
  core()->door().run(task(), [&] {
    const Finally then([this, at_end] {
      if (at_end) end_reported();
      touch();
      update_alive();
    });
    read.waiter_();
  });
}

// ---- Writing ------------------------------------------------------------------------------------

std::error_code StreamState::refuse_write(std::size_t bytes) const noexcept {
  if (!writable()) return errno_code(EPIPE);
  const std::size_t held = output_.held() + marks_.size() * kMarkBytes;
  if (bytes > options_.max_buffered || held > options_.max_buffered - bytes) {
    return errno_code(ENOBUFS);
  }
  return {};
}

Flow StreamState::flow() noexcept {
  if (output_.size() < options_.high_water_mark) return Flow::go_on;
  drain_owed_ = true;
  return Flow::wait;
}

Expected<Flow> StreamState::write(std::span<const std::byte> bytes) {
  check_thread();
  if (const std::error_code error = refuse_write(bytes.size())) return std::unexpected(error);
  if (!bytes.empty()) {
    output_.append_copy(net().chunks(), bytes);
    accepted_bytes_ += bytes.size();
    touch();
  }
  return flow();
}

Expected<Flow> StreamState::write_owned(std::string text) {
  // A copy of little is cheaper than a chunk of its own, and is sent with its neighbours.
  if (text.size() < ChunkPool::kSmallBytes) return write(std::as_bytes(std::span(text)));
  check_thread();
  if (const std::error_code error = refuse_write(text.size())) return std::unexpected(error);
  accepted_bytes_ += text.size();
  output_.append_owned(std::move(text));
  touch();
  return flow();
}

void StreamState::write(std::span<const std::byte> bytes, Callback<void(Expected<>)> callback) {
  write_then_report(std::move(callback), [&] { return write(bytes); });
}

void StreamState::write_owned(std::string text, Callback<void(Expected<>)> callback) {
  write_then_report(std::move(callback), [&] { return write_owned(std::move(text)); });
}

template <class Write>
void StreamState::write_then_report(Callback<void(Expected<>)> callback, Write write) {
  check_thread();
  if (!callback) throw Misuse("ERR_INVALID_CALLBACK", "the callback is empty");
  auto mark = std::make_unique<CallbackMark>(std::move(callback));
  const Expected<Flow> accepted = write();
  if (accepted) {
    marks_.push(*mark.release(), accepted_bytes_);
    touch();
  } else if (core() != nullptr && !core()->ending()) {
    report_mark_later(*mark.release(), accepted.error());
  }
}

Expected<std::size_t> StreamState::try_write(std::span<const iovec> pieces) {
  check_thread();
  if (!writable()) return std::unexpected(errno_code(EPIPE));
  if (!output_.empty()) return 0;
  const ssize_t count = send_pieces(fd_.get(), pieces);
  if (count >= 0) {
    accepted_bytes_ += static_cast<std::size_t>(count);
    sent_bytes_ += static_cast<std::size_t>(count);
    return static_cast<std::size_t>(count);
  }
  // A queued write is sent again by flush(), which reports the error of the connection after what
  // has arrived before it.
  if (errno == EAGAIN || (errno == EPIPE && receive_takes_errors())) return 0;
  return std::unexpected(errno_code(errno));
}

Expected<Flow> StreamState::write_descriptors(std::span<const std::byte> /*bytes*/,
                                              std::span<const int> /*fds*/) {
  return std::unexpected(errno_code(EMSGSIZE));
}

void StreamState::on_descriptors(Callback<void(std::span<const int>)> /*callback*/) {}

void StreamState::begin_write(LoopCore& core, WriteOp& write) {
  core.check_thread();
  if (!writable()) {
    write.error_ = errno_code(EPIPE);
    core.pending().add([&write] { write.waiter_(); });
    return;
  }
  write.waiting_ = true;
  const auto append = [&](std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    output_.append_borrowed(net().chunks(), bytes, write);
    accepted_bytes_ += bytes.size();
  };
  append(write.bytes_);
  for (const std::span<const std::byte> piece : write.pieces_) append(piece);
  marks_.push(write, accepted_bytes_);
  touch();
}

void StreamState::report_mark_later(detail::WriteMark& mark, std::error_code error) {
  core()->pending().add(MarkToReport(mark, error));
}

void StreamState::cancel_write(WriteOp& write) noexcept {
  if (closing() || !write.waiting_) return;
  if (detail::MarkList::position(write) <= sent_bytes_) return;  // it is done
  OutputQueue::Place place{};
  if (!output_.find(write, place)) {  // one without bytes that waits for those before it
    marks_.remove(write, 0);
    report_mark_later(write, errno_code(ECANCELED));
  } else if (place.offset < in_kernel()) {
    cancelled_write_ = &write;
    abort_write();  // cut_if_cancelled() comes with the kernel's answer
  } else {
    cut(write);
  }
  touch();
}

void StreamState::cut_if_cancelled() noexcept {
  detail::WriteMark* mark = std::exchange(cancelled_write_, nullptr);
  OutputQueue::Place place{};
  if (mark != nullptr && output_.find(*mark, place)) cut(*mark);
}

/// Takes out a write that the kernel does not have. If a part of it has gone, nothing may follow.
void StreamState::cut(detail::WriteMark& mark) {
  OutputQueue::Place place{};
  output_.find(mark, place);
  if (!place.begun) {
    output_.remove(net().chunks(), mark);
    accepted_bytes_ -= place.size;
    marks_.remove(mark, place.size);
    report_mark_later(mark, errno_code(ECANCELED));
    return;
  }
  writing_ = Writing::broken;
  output_.clear(chunks());
  marks_.remove(mark, 0);
  report_mark_later(mark, errno_code(ECANCELED));
  while (!marks_.empty() && detail::MarkList::position(*marks_.first()) > sent_bytes_) {
    report_mark_later(marks_.pop(), errno_code(EPIPE));
  }
}

void StreamState::forget_write(WriteOp& write) noexcept {
  marks_.remove(write, 0);
}

void StreamState::sent(std::size_t count) noexcept {
  output_.consume(chunks(), count);
  sent_bytes_ += count;
}

bool StreamState::something_sent_to_report() const noexcept {
  return (!marks_.empty() && detail::MarkList::position(*marks_.first()) <= sent_bytes_) ||
         (drain_owed_ && output_.empty());
}

void StreamState::report_sent() {
  shut_if_done();
  if (!output_.empty() || writing_ != Writing::open) touch();
  while (!closing() && something_sent_to_report()) {
    try {
      core()->door().run(task(), [this] { report_one_sent(); });
    } catch (...) {
      report_sent_later();  // the others are still reported
      throw;
    }
  }
  update_alive();
}

/// An operation for each callback, with ticks in between.
void StreamState::report_sent_later() {
  std::size_t count = marks_.count_up_to(sent_bytes_);
  if (drain_owed_ && output_.empty()) ++count;
  for (; reports_deferred_ < count; ++reports_deferred_) {
    core()->pending().add([self = Ref(this)] {
      --self->reports_deferred_;
      if (!self->closing() && self->something_sent_to_report()) self->report_one_sent();
    });
  }
}

void StreamState::report_one_sent() {
  const Finally then([this] {
    if (writing_ != Writing::open) touch();
    update_alive();
  });
  if (!marks_.empty() && detail::MarkList::position(*marks_.first()) <= sent_bytes_) {
    marks_.pop().reached({});
  } else {
    drain_owed_ = false;
    drain_();
  }
}

// ---- Ending -------------------------------------------------------------------------------------

void StreamState::end() {
  check_thread();
  if (!writable()) return;
  writing_ = Writing::ending;
  shut_if_done();
  if (finished()) {
    finish();
  } else {
    touch();
  }
}

void StreamState::shut_if_done() noexcept {
  if (writing_ != Writing::ending || !output_.empty()) return;
  writing_ = Writing::shut;
  // When the peer has ended too, close() has the same effect, with one system call less.
  if (reading_ != Reading::ended) ::shutdown(fd_.get(), SHUT_WR);
}

/// Both sides have ended: closes, and reports it through the tick queue. Inside the door.
void StreamState::finish() {
  if (!finished()) return;
  life_ = Life::reporting;
  abort();
  update_alive();
  core()->door().next_tick([self = Ref(this)] { self->emit_close(); });
}

void StreamState::reset() {
  check_thread();
  if (closing()) return;
  const linger hard{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
  tear_down({});
}

Expected<int> StreamState::release_descriptor() {
  check_thread();
  if (closing()) return std::unexpected(errno_code(EBADF));
  const bool busy = read_ != nullptr || !held_.empty() || !output_.empty() || !marks_.empty() ||
                    flowing() || kernel_reads() || in_kernel() != 0;
  if (busy) return std::unexpected(errno_code(EBUSY));
  owner_ = Owner::receiver;
  const int fd = fd_.get();
  tear_down({});
  return fd;
}

void StreamState::tear_down(std::error_code error) {
  check_thread();
  if (closing()) return;
  life_ = Life::closing;
  error_ = error;
  if (core() == nullptr || core()->ending()) return;  // loop_ends() does the rest
  const Ref<StreamState> keep(this);
  abort();
  report_close();
  update_alive();
}

void StreamState::release_own_reference() noexcept {
  if (owner_ != Owner::itself) return;
  owner_ = Owner::none;
  release();
}

void StreamState::let_go() noexcept {
  const Ref<StreamState> keep(this);
  release_own_reference();
  kernel_done_ = true;
  cancelled_write_ = nullptr;
  output_.clear(chunks());
  close_descriptor();
  report_close();
  update_alive();
}

void StreamState::close_descriptor() noexcept {
  if (fd_.get() < 0) return;
  if (owner_ == Owner::receiver) fd_.release();
  fd_ = Descriptor();
  net().descriptor_freed();
}

/// Every waiting operation is reported, one at a time, and the close callback comes last. Memory
/// that was lent to the kernel is returned before its owner is notified.
void StreamState::report_close() {
  if (life_ >= Life::reporting || user_memory_in_kernel()) return;
  life_ = Life::reporting;
  std::size_t steps = 1 + marks_.size();
  if (read_ != nullptr) ++steps;
  if (error_) ++steps;
  for (; steps != 0; --steps) {
    core()->close().add([self = Ref(this)] { self->close_step(); });
  }
}

void StreamState::close_step() {
  const std::error_code reason = error_ ? error_ : errno_code(ECANCELED);
  if (!marks_.empty()) {
    const bool was_sent = detail::MarkList::position(*marks_.first()) <= sent_bytes_;
    marks_.pop().reached(was_sent ? std::error_code() : reason);
  } else if (read_ != nullptr) {
    detail::ReadBase& read = *std::exchange(read_, nullptr);
    read.error_ = reason;
    read.waiting_ = false;
    read.waiter_();
  } else if (error_ && life_ == Life::reporting) {
    life_ = Life::error_reported;
    failed_(error_);
  } else {
    emit_close();
  }
}

void StreamState::emit_close() {
  if (closed()) return;
  life_ = Life::closed;
  const Finally then([this] {
    data_.set(nullptr);
    end_.set(nullptr);
    drain_.set(nullptr);
    failed_.set(nullptr);
    close_.set(nullptr);
    on_descriptors(nullptr);
  });
  close_();
}

}  // namespace rondo
