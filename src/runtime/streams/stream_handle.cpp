#include "runtime/streams/stream_handle.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "core/loop_core.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"

namespace rondo {

using v8::Local;
using v8::Value;

namespace {

// About as much as is read at once: a client that sends many requests without reading responses
// gets no more.
constexpr std::size_t kMostGathered = 64U << 10;
constexpr std::size_t kKeptGathered = 4U << 10;

}  // namespace

void run_soon(Loop& loop, Callback<> callback) {
  const Phase phase = loop.phase();
  if (phase < Phase::pending || phase > Phase::poll) {
    loop.defer(std::move(callback));
    return;
  }
  if (phase != Phase::poll) {  // which is yet to come, and must not wait
    loop.post(std::move(callback));
    return;
  }
  auto hook = std::make_shared<Hook>();
  *hook = loop.on_check([hook, callback = std::move(callback)]() mutable {
    // What is captured goes with the hook.
    Callback<> once = std::move(callback);
    Hook self = *hook;
    self.clear();
    once();
  });
}

std::int32_t describe(Environment& environment, Local<Value> out, const SocketAddress& address) {
  const bool is_v6 = address.family() == SocketAddress::Family::ipv6;
  if ((!is_v6 && address.family() != SocketAddress::Family::ipv4) || !out->IsObject()) {
    return -ENOTCONN;
  }
  const auto object = out.As<v8::Object>();
  set_value(environment, object, "address", environment.text(address.ip()));
  set_value(environment, object, "family", environment.text(is_v6 ? "IPv6" : "IPv4"));
  set_value(environment, object, "port", address.port());
  return 0;
}

// ---- Text ---------------------------------------------------------------------------------------

EncodedString::EncodedString(v8::Isolate* isolate, Local<v8::String> text, As as,
                             bool add_newline) {
  constexpr std::size_t kReused = 64U << 10;
  // Thread-local variables themselves have to be small: see cmake/RondoEngine.cmake.
  thread_local const auto reused = std::make_unique_for_overwrite<char[]>(kReused);
  constexpr int kOptions = v8::String::WriteFlags::kReplaceInvalidUtf8;

  const auto length = static_cast<std::size_t>(text->Length());
  const bool one_byte = text->IsOneByte();
  std::size_t room = kReused;
  const auto make_room = [&](std::size_t most) {
    if (most > room) {
      large_ = std::make_unique_for_overwrite<char[]>(most);
      room = most;
    }
    data_ = large_ != nullptr ? large_.get() : reused.get();
  };
  // Most text is ASCII, which is the same in every encoding.
  if (one_byte || as == As::latin1) {
    make_room(length + 1);
    text->WriteOneByteV2(isolate, 0, static_cast<std::uint32_t>(length),
                         reinterpret_cast<std::uint8_t*>(data_));
    size_ = length;
  }
  const auto is_ascii = [this] {
    return std::none_of(data_, data_ + size_, [](char c) { return (c & 0x80) != 0; });
  };
  if (as == As::utf8 && !(one_byte && is_ascii())) {
    const std::size_t most = length * 3;
    make_room((most <= kReused ? most : text->Utf8LengthV2(isolate)) + 1);
    size_ = text->WriteUtf8V2(isolate, data_, room, kOptions);
  }
  if (add_newline) data_[size_++] = '\n';
}

/// The streams of an environment that gather: what they have is written before the process ends.
class StreamHandle::Gatherers final : public Companion {
 public:
  static Gatherers& of(Environment& environment) {
    if (current_ == nullptr) {
      auto made = std::make_unique<Gatherers>();
      current_ = made.get();
      environment.accompany(std::move(made));
    }
    return *current_;
  }
  static void remove(StreamHandle& stream) noexcept {
    if (current_ != nullptr) std::erase(current_->streams_, &stream);
  }
  ~Gatherers() override {
    current_ = nullptr;
    for (StreamHandle* stream : streams_) stream->flush_gathered();
  }
  void add(StreamHandle& stream) { streams_.push_back(&stream); }

 private:
  static thread_local constinit Gatherers* current_;  // a thread has one environment
  std::vector<StreamHandle*> streams_;
};

thread_local constinit StreamHandle::Gatherers* StreamHandle::Gatherers::current_ = nullptr;

// ---- Classes ------------------------------------------------------------------------------------

StreamHandle::StreamHandle(Environment& environment, Local<v8::Object> object)
    : Wrapped(environment, object), link_(std::make_shared<Link>(this)) {}

StreamHandle::~StreamHandle() {
  link_->handle = nullptr;
  if (gathers_) Gatherers::remove(*this);
  if (consumer_ != nullptr) consumer_->stream_gone();
}

constinit const Method StreamHandle::kStreamMethods[] = {
    method<&StreamHandle::begin_reading>("readStart"),
    method<&StreamHandle::read_stop>("readStop"),
    method<&StreamHandle::write_buffer>("writeBuffer"),
    method<&StreamHandle::write_buffers>("writeBuffers"),
    method<&StreamHandle::write_string>("writeString"),
    method<&StreamHandle::try_write_string>("tryWriteString"),
    method<&StreamHandle::shutdown>("shutdown"),
    method<&StreamHandle::close>("close"),
    method<&StreamHandle::ref>("ref"),
    method<&StreamHandle::unref>("unref"),
    method<&StreamHandle::has_ref>("hasRef"),
    method<&StreamHandle::share>("share"),
};
constinit const Method StreamHandle::kStreamGetters[] = {
    method<&StreamHandle::fd>("fd"),
    method<&StreamHandle::bytes_read>("bytesRead"),
    method<&StreamHandle::bytes_written>("bytesWritten"),
    method<&StreamHandle::write_queue_size>("writeQueueSize"),
};
constinit const ClassShape StreamHandle::kBase{.name = {},
                                               .construct = nullptr,
                                               .methods = kStreamMethods,
                                               .getters = kStreamGetters,
                                               .mark = "isStreamBase"};

// ---- Life ---------------------------------------------------------------------------------------

void StreamHandle::opened() {
  if (std::exchange(opened_, true)) return;
  hold();
}

void StreamHandle::update_alive() {
  if (opened_ && !closing_) keep_alive((ref_ && reading_) || !writes_.empty());
}

void StreamHandle::ref() {
  ref_ = true;
  update_alive();
}

void StreamHandle::unref() {
  ref_ = false;
  update_alive();
}

void StreamHandle::close(Local<Value> done) {
  if (closing_) return;
  flush_gathered();
  closing_ = true;
  if (done->IsFunction()) close_done_.Reset(environment().isolate(), done.As<v8::Function>());
  hold();  // until the end is reported
  // The close phase runs the newest callback first: what is cancelled is reported before the end.
  tear_down_then([link = link_] {
    if (link->handle != nullptr) link->handle->closed();
  });
  cancel_requests();
}

/// A callback of the close phase for each: one that throws does not keep the others from running.
void StreamHandle::cancel_requests() {
  std::size_t count = writes_.size();
  if (!connect_request_.IsEmpty()) ++count;
  if (!shutdown_done_.IsEmpty()) ++count;
  for (; count != 0; --count) {
    environment().loop().queue_close([link = link_] {
      if (link->handle != nullptr) link->handle->cancel_one_request();
    });
  }
}

void StreamHandle::cancel_one_request() {
  if (!connect_request_.IsEmpty()) {
    report_connected(-ECANCELED);
  } else if (!writes_.empty()) {
    written(-ECANCELED);
  } else {
    call_kept(shutdown_done_, -ECANCELED);
  }
}

void StreamHandle::tear_down_then(Callback<> done) {
  tear_down();
  environment().loop().queue_close(std::move(done));
}

void StreamHandle::closed() {
  const v8::HandleScope scope(environment().isolate());
  call_kept(close_done_, 0);
  if (std::exchange(opened_, false)) let_go();
  let_go();
}

void StreamHandle::begin_connecting(Local<Value> request) {
  if (request->IsObject())
    connect_request_.Reset(environment().isolate(), request.As<v8::Object>());
}

/// As Node does, so that programs which replace connect() can call `oncomplete` themselves:
/// (status, handle, request, readable, writable).
void StreamHandle::report_connected(std::int32_t status) {
  if (connect_request_.IsEmpty()) return;
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  const Local<v8::Object> request = connect_request_.Get(isolate);
  connect_request_.Reset();
  Local<Value> callback;
  if (!request->Get(environment().context(), environment().name("oncomplete")).ToLocal(&callback) ||
      !callback->IsFunction()) {
    return;
  }
  const Local<Value> yes = v8::True(isolate);
  environment().call(request, callback.As<v8::Function>(),
                     {v8::Integer::New(isolate, status), object(), request, yes, yes});
}

void StreamHandle::call_kept(v8::Global<v8::Function>& kept, std::int32_t status,
                             std::string_view reason) {
  if (kept.IsEmpty()) return;
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  const Local<v8::Function> function = kept.Get(isolate);
  kept.Reset();
  Local<Value> why = v8::Undefined(isolate);
  if (!reason.empty()) why = environment().text(reason);
  environment().call(object(), function, {v8::Integer::New(isolate, status), why});
}

// ---- Reading ------------------------------------------------------------------------------------

std::int32_t StreamHandle::read_stop() {
  end_reading();
  return 0;
}

std::int32_t StreamHandle::begin_reading() {
  if (closing_) return -EBADF;
  if (reading_) return 0;
  std::int32_t status = 0;
  if (end_waits_) {
    report_end_soon();
  } else {
    status = start_reading();
  }
  reading_ = status == 0;
  update_alive();
  return status;
}

void StreamHandle::end_reading() {
  if (!reading_ || closing_) return;
  reading_ = false;
  if (!end_waits_) stop_reading();
  update_alive();
}

void StreamHandle::deliver(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (consumer_ != nullptr) {
    bytes_read_ += bytes.size();
    last_data_ = iteration();
    consumer_->consume(bytes);
    return;
  }
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  const v8::Context::Scope inside(environment().context());
  if (bytes.size() <= kSmallReadBytes) {
    std::memcpy(environment().small_read(), bytes.data(), bytes.size());
    bytes_read_ += bytes.size();
    last_data_ = iteration();
    report_read(static_cast<std::int32_t>(bytes.size()));
    return;
  }
  void* const copy = std::malloc(bytes.size());
  if (copy == nullptr) {
    deliver_error(ENOBUFS);
    return;
  }
  std::memcpy(copy, bytes.data(), bytes.size());
  auto store = v8::ArrayBuffer::NewBackingStore(
      copy, bytes.size(), [](void* data, std::size_t, void*) { std::free(data); }, nullptr);
  bytes_read_ += bytes.size();
  last_data_ = iteration();
  report_read(static_cast<std::int32_t>(bytes.size()),
              v8::ArrayBuffer::New(isolate, std::move(store)));
}

std::uint64_t StreamHandle::iteration() const noexcept {
  // Every iteration visits the check phase once; before the first there is no data.
  return environment().loop().core().check().visits() + 1;
}

void StreamHandle::deliver_end() {
  if (last_data_ != iteration()) {
    report_read(0);
    return;
  }
  end_waits_ = true;
  report_end_soon();
}

void StreamHandle::report_end_soon() {
  environment().loop().defer([link = link_] {
    StreamHandle* self = link->handle;
    if (self == nullptr || self->closing_ || !self->reading_) return;
    self->report_read(0);
  });
}

void StreamHandle::report_read(std::int32_t count, Local<Value> buffer) {
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  const v8::Context::Scope inside(environment().context());
  if (buffer.IsEmpty()) buffer = v8::Undefined(isolate);
  if (count <= 0 && reading_) {
    reading_ = false;
    update_alive();
  }
  if (consumer_ != nullptr && !consumer_->leaves_end()) {
    consumer_->consume_end(count);
    return;
  }
  Local<Value> callback;
  if (!object()->Get(environment().context(), environment().name("onread")).ToLocal(&callback) ||
      !callback->IsFunction()) {
    return;
  }
  environment().call(object(), callback.As<v8::Function>(),
                     {v8::Integer::New(isolate, count), buffer});
}

// ---- Writing ------------------------------------------------------------------------------------

/// Whether that was all, or failed; `status` is what to return then. `rest` is what is left.
bool StreamHandle::write_at_once(std::span<iovec> pieces, std::int32_t& status, std::string& rest) {
  status = closing_ ? -EBADF : 0;
  if (status != 0) return true;
  flush_gathered();
  std::size_t total = 0;
  for (const iovec& piece : pieces) total += piece.iov_len;
  std::int64_t count = 0;
  // What waits already goes first.
  if (writes_.empty()) count = write_now(pieces);
  if (count == -EAGAIN) count = 0;
  if (count < 0) {
    status = static_cast<std::int32_t>(count);
    return true;
  }
  bytes_written_ += total;
  auto gone = static_cast<std::size_t>(count);
  if (gone == total) return true;

  rest.reserve(total - gone);
  for (const iovec& piece : pieces) {
    const std::size_t skipped = std::min(gone, piece.iov_len);
    gone -= skipped;
    rest.append(static_cast<const char*>(piece.iov_base) + skipped, piece.iov_len - skipped);
  }
  return false;
}

std::int32_t StreamHandle::write(std::span<iovec> pieces, Local<Value> done) {
  std::int32_t status = 0;
  std::string rest;
  if (write_at_once(pieces, status, rest)) return status;
  keep_write(done, 0);
  write_later(std::move(rest));
  return 1;
}

std::int32_t StreamHandle::write_from_consumer(std::span<iovec> pieces) {
  std::int32_t status = 0;
  std::string rest;
  if (write_at_once(pieces, status, rest)) return status;
  keep_consumer_write(0);
  write_later(std::move(rest));
  return 1;
}

void StreamHandle::keep_write(Local<Value> done, std::size_t bytes) {
  bytes_written_ += bytes;
  Write& kept = writes_.emplace_back();
  if (done->IsFunction()) kept.done.Reset(environment().isolate(), done.As<v8::Function>());
  update_alive();
}

void StreamHandle::keep_consumer_write(std::size_t bytes) {
  bytes_written_ += bytes;
  writes_.emplace_back().of_consumer = true;
  update_alive();
}

void StreamHandle::written(std::int32_t status, std::string_view reason) {
  if (writes_.empty()) return;
  const v8::HandleScope scope(environment().isolate());
  Write write = std::move(writes_.front());
  writes_.pop_front();
  update_alive();
  if (!write.of_consumer) {
    call_kept(write.done, status, reason);
  } else if (consumer_ != nullptr) {
    consumer_->consumer_written(status);
  }
}

namespace {

iovec piece_of(Local<Value> value) {
  const auto view = value.As<v8::ArrayBufferView>();
  auto* const data = static_cast<char*>(view->Buffer()->Data());
  return {data + view->ByteOffset(), view->ByteLength()};
}

}  // namespace

std::optional<std::int32_t> StreamHandle::write_buffer(Local<Value> bytes, Local<Value> done) {
  if (!bytes->IsArrayBufferView()) return std::nullopt;
  const ReadBytes content(bytes);
  iovec piece{const_cast<std::uint8_t*>(content.get().data()), content.get().size()};
  return write({&piece, 1}, done);
}

std::optional<std::int32_t> StreamHandle::write_buffers(Local<Value> list, Local<Value> done) {
  if (!list->IsArray()) return std::nullopt;
  const auto views = list.As<v8::Array>();
  const Local<v8::Context> context = environment().isolate()->GetCurrentContext();
  std::vector<iovec> pieces;
  pieces.reserve(views->Length());
  for (std::uint32_t i = 0; i < views->Length(); ++i) {
    Local<Value> view;
    if (!views->Get(context, i).ToLocal(&view) || !view->IsArrayBufferView()) return -EINVAL;
    pieces.push_back(piece_of(view));
  }
  return write(pieces, done);
}

std::optional<std::int32_t> StreamHandle::write_string(Local<Value> text, bool latin1,
                                                       Local<Value> done) {
  if (!text->IsString()) return std::nullopt;
  const EncodedString encoded(environment().isolate(), text.As<v8::String>(),
                              latin1 ? EncodedString::As::latin1 : EncodedString::As::utf8);
  iovec piece = encoded.piece();
  return write({&piece, 1}, done);
}

double StreamHandle::try_write_string(Local<Value> text, bool latin1, const ReadBytes& bytes) {
  constexpr double kAll = -1;
  if (!text->IsString() || closing_ || !writes_.empty()) return 0;
  const EncodedString encoded(environment().isolate(), text.As<v8::String>(),
                              latin1 ? EncodedString::As::latin1 : EncodedString::As::utf8);
  const iovec pieces[] = {encoded.piece(),
                          {const_cast<std::uint8_t*>(bytes.get().data()), bytes.get().size()}};
  const std::size_t count = bytes.get().empty() ? 1 : 2;
  const std::size_t total = encoded.view().size() + bytes.get().size();
  if (gathers_ && gathered_.size() + total <= kMostGathered) {
    bytes_written_ += total;
    gathered_.append(encoded.view());
    gathered_.append(reinterpret_cast<const char*>(bytes.get().data()), bytes.get().size());
    return kAll;
  }
  flush_gathered();
  if (!writes_.empty()) return 0;
  const std::int64_t written = write_now({pieces, count});
  if (written <= 0) return 0;
  bytes_written_ += static_cast<std::uint64_t>(written);
  return static_cast<std::size_t>(written) == total ? kAll : static_cast<double>(written);
}

std::int32_t StreamHandle::end_writing() {
  if (closing_) return -ENOTCONN;
  flush_gathered();
  return shut_down();
}

// ---- Gathering ----------------------------------------------------------------------------------

void StreamHandle::begin_gathering() {
  if (std::exchange(gathers_, true)) return;
  Gatherers::of(environment()).add(*this);
}

void StreamHandle::end_gathering() {
  if (!std::exchange(gathers_, false)) return;
  Gatherers::remove(*this);
  flush_gathered();
}

/// JavaScript considers everything written. What is not sent immediately is a write without a
/// callback, and the next one waits for it. An error is reported by reading.
void StreamHandle::flush_gathered() {
  if (gathered_.empty()) return;
  std::string bytes = std::exchange(gathered_, {});
  const iovec piece{bytes.data(), bytes.size()};
  std::int64_t count = writes_.empty() ? write_now({&piece, 1}) : 0;
  if (count == -EAGAIN) count = 0;
  const auto gone = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  if (count >= 0 && gone < bytes.size()) {
    iovec rest{bytes.data() + gone, bytes.size() - gone};
    bytes_written_ -= rest.iov_len;  // write() counts them
    write({&rest, 1}, v8::Undefined(environment().isolate()));
    return;
  }
  bytes.clear();
  if (bytes.capacity() <= kKeptGathered) gathered_ = std::move(bytes);  // its memory is used again
}

// ---- Ending -------------------------------------------------------------------------------------

std::int32_t StreamHandle::shutdown(Local<Value> done) {
  const std::int32_t status = end_writing();
  if (status != 0) return status;
  if (done->IsFunction()) shutdown_done_.Reset(environment().isolate(), done.As<v8::Function>());
  run_soon(environment().loop(), [link = link_] {
    if (link->handle != nullptr) link->handle->call_kept(link->handle->shutdown_done_, 0);
  });
  return 0;
}

}  // namespace rondo
