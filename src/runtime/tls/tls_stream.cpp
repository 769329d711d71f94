#include "runtime/tls/tls_stream.h"

#include <openssl/err.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "runtime/engine/environment.h"
#include "tls/context.h"

namespace rondo {

using tls::Session;
using v8::Local;
using v8::Value;

thread_local constinit int CalledFromJs::depth_ = 0;

namespace {

constexpr std::size_t kRecord = 16384;
// A peer may send while JavaScript is asked about the handshake. More than this is left to the
// kernel.
constexpr std::size_t kMostWaiting = 256U << 10;
// A larger buffer for output is given back.
constexpr std::size_t kKeptOutput = 64U << 10;

/// Forgets what OpenSSL reports in between: errors are looked at where they happen.
class ErrorMark {
 public:
  ErrorMark() { ERR_set_mark(); }
  ~ErrorMark() { ERR_pop_to_mark(); }
  ErrorMark(const ErrorMark&) = delete;
  ErrorMark& operator=(const ErrorMark&) = delete;
};

/// As OpenSSL prints it, with the end of the line. Takes the errors out of the queue.
std::string first_error_line() {
  std::string line;
  ERR_print_errors_cb(
      [](const char* text, std::size_t size, void* out) {
        static_cast<std::string*>(out)->assign(text, size);
        return 0;  // no further ones
      },
      &line);
  return line;
}

class Count {
 public:
  explicit Count(unsigned& count) : count_(count) { ++count_; }
  ~Count() { --count_; }
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;

 private:
  unsigned& count_;
};

}  // namespace

TlsStream::TlsStream(Environment& environment, Local<v8::Object> object, StreamHandle& lower,
                     std::shared_ptr<tls::Context> context, tls::Side side, bool lower_is_writing)
    : StreamHandle(environment, object),
      lower_(lower.link()),
      context_(std::move(context)),
      session_(std::make_unique<Session>(*context_, side, *this)),
      lower_is_writing_(lower_is_writing) {
  lower.set_consumer(this);
}

TlsStream::~TlsStream() {
  if (lower() != nullptr && lower()->consumer() == this) lower()->set_consumer(nullptr);
}

void TlsStream::destroy() noexcept {
  if (std::exchange(destroyed_, true)) return;
  if (lower() != nullptr && lower()->consumer() == this) lower()->set_consumer(nullptr);
  fail_writes(-ECANCELED);
  if (in_openssl_ == 0) {
    session_.reset();
    return;
  }
  // OpenSSL is on the stack: its objects have to stay until it has returned.
  environment().loop().defer([link = link()] {
    if (auto* self = as<TlsStream>(link)) self->session_.reset();
  });
}

// ---- Reading ------------------------------------------------------------------------------------

std::int32_t TlsStream::start_reading() {
  if (lower() == nullptr) return -ENOTCONN;
  return ended_ ? 0 : lower()->begin_reading();
}

void TlsStream::stop_reading() {
  if (lower() != nullptr) lower()->end_reading();
}

void TlsStream::consume(std::span<const std::byte> bytes) {
  // What comes after the peer's close_notify is ignored (RFC 5246, 7.2.1).
  if (ended_ || destroyed_) return;
  const v8::HandleScope scope(environment().isolate());
  if (cycles_ > 0) {
    session_->keep(bytes);
    cycle();
    return;
  }
  session_->feed(bytes);
  cycle();
  if (session_ != nullptr) session_->unfeed();
  throttle();
  if (!CalledFromJs::now()) environment().end_of_several();
}

void TlsStream::consume_end(std::int32_t status) {
  if (ended_ || destroyed_) return;
  const v8::HandleScope scope(environment().isolate());
  decrypt();
  if (ended_ || destroyed_) return;
  if (status == 0) ended_ = true;
  deliver_status(status);
}

/// While JavaScript is asked, what arrives waits; not without limit.
void TlsStream::throttle() {
  if (session_ == nullptr || destroyed_ || lower() == nullptr) return;
  if (!throttled_ && session_->waiting() > kMostWaiting) {
    throttled_ = true;
    lower()->end_reading();
  } else if (throttled_ && session_->waiting() <= kMostWaiting) {
    throttled_ = false;
    if (reading()) lower()->begin_reading();
  }
}

void TlsStream::cycle() {
  // Called again from what it calls: one more pass.
  if (++cycles_ > 1) return;
  for (; cycles_ > 0; --cycles_) {
    encrypt_waiting();
    decrypt();
    flush();
  }
  if (throttled_) throttle();
}

void TlsStream::decrypt() {
  // Small thread-local variables only: see cmake/RondoEngine.cmake.
  thread_local const auto shared = std::make_unique_for_overwrite<std::byte[]>(kRecord);
  // A stream above us (TLS in TLS) decrypts while it reads from what we give it.
  std::unique_ptr<std::byte[]> own;
  if (consumer() != nullptr) own = std::make_unique_for_overwrite<std::byte[]>(kRecord);
  std::byte* const buffer = own != nullptr ? own.get() : shared.get();
  const ErrorMark mark;
  Session::Read result{Session::Status::wait, 0};
  while (!destroyed_ && !ended_) {
    {
      const Count count(in_openssl_);
      result = session_->read({buffer, kRecord});
    }
    if (std::exchange(wrote_inside_, false)) encrypt_waiting();
    if (destroyed_ || result.status != Session::Status::done) break;
    deliver({buffer, result.size});
    drain_between();
  }
  if (established_ && !plain_.empty()) encrypt_waiting();
  if (destroyed_ || ended_) return;
  if (result.status == Session::Status::closed) {
    ended_ = true;
    deliver_status(0);
    drain_between();
  } else if (result.status == Session::Status::failed) {
    fail_session();
  }
}

/// Tells why, as Node does: the message is a line of OpenSSL's, `code` is made of the reason.
void TlsStream::fail_session() {
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  const v8::Context::Scope inside(environment().context());
  const unsigned long number = ERR_peek_error();
  const auto error = v8::Exception::Error(environment().text(first_error_line())).As<v8::Object>();
  const auto set = [&](const char* name, const char* text) {
    if (text != nullptr) set_value(environment(), error, name, environment().text(text));
  };
  const char* const reason = ERR_reason_error_string(number);
  set("library", ERR_lib_error_string(number));
  set("reason", reason);
  std::string code = "ERR_SSL_";
  for (const char* c = reason != nullptr ? reason : "unknown"; *c != '\0'; ++c) {
    code += *c == ' ' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
  }
  set("code", code.c_str());
  flush();  // the alert
  report("onerror", {error});
}

// ---- Writing ------------------------------------------------------------------------------------

std::int32_t TlsStream::write(std::span<iovec> pieces, Local<Value> done) {
  return encrypt(pieces, [&](std::size_t bytes) { keep_write(done, bytes); });
}

std::int32_t TlsStream::write_from_consumer(std::span<iovec> pieces) {
  return encrypt(pieces, [&](std::size_t bytes) { keep_consumer_write(bytes); });
}

template <class Keep>
std::int32_t TlsStream::encrypt(std::span<iovec> pieces, const Keep& keep) {
  if (destroyed_) return -EPROTO;
  if (is_closing()) return -EBADF;
  flush_gathered();
  const CalledFromJs from_js;
  const ErrorMark mark;
  std::size_t total = 0;
  std::size_t with_bytes = 0;
  std::span<const std::byte> bytes;
  for (const iovec& piece : pieces) {
    if (piece.iov_len == 0) continue;
    total += piece.iov_len;
    ++with_bytes;
    bytes = {static_cast<const std::byte*>(piece.iov_base), piece.iov_len};
  }
  std::string gathered;
  if (with_bytes > 1) {
    gathered.reserve(total);
    for (const iovec& piece : pieces) {
      gathered.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
    }
    bytes = std::as_bytes(std::span(gathered));
  }

  // OpenSSL, which has called JavaScript, must not be entered again: the write waits for its
  // return.
  const bool inside = in_openssl_ > 0;
  if (inside) wrote_inside_ = true;
  auto status = plain_.empty() && !inside ? Session::Status::done : Session::Status::wait;
  if (total == 0 && !inside) {
    decrypt();  // continues a handshake: the purpose of an empty write
    if (destroyed_) return -EPROTO;
    // It is done when there is a connection to write to.
    if (!established_) status = Session::Status::wait;
  } else if (plain_.empty() && !inside) {
    const Count count(in_openssl_);
    status = session_->write(bytes);
  }
  if (status == Session::Status::failed) return -EPROTO;
  keep(total);
  if (status == Session::Status::wait) {
    if (total > 0) {
      gathered.empty() ? plain_.emplace_back(reinterpret_cast<const char*>(bytes.data()), total)
                       : plain_.emplace_back(std::move(gathered));
    } else {
      plain_.emplace_back();
    }
    ends_.push_back(kNotEncrypted);
  } else {
    ends_.push_back(produced_ + session_->output().size());
  }
  flush();
  complete_writes_soon();
  return 1;
}

std::int64_t TlsStream::write_now(std::span<const iovec> pieces) {
  if (!established_ || destroyed_ || is_closing() || !plain_.empty() || !in_flight_.empty() ||
      in_openssl_ > 0) {
    return 0;
  }
  const CalledFromJs from_js;
  const ErrorMark mark;
  std::string gathered;
  std::span<const std::byte> bytes{static_cast<const std::byte*>(pieces.front().iov_base),
                                   pieces.front().iov_len};
  if (pieces.size() > 1) {
    for (const iovec& piece : pieces) {
      gathered.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
    }
    bytes = std::as_bytes(std::span(gathered));
  }
  {
    const Count count(in_openssl_);
    if (session_->write(bytes) != Session::Status::done) return 0;
  }
  flush();
  return static_cast<std::int64_t>(bytes.size());
}

void TlsStream::encrypt_waiting() {
  if (destroyed_ || plain_.empty()) return;
  const ErrorMark mark;
  bool any = false;
  while (!plain_.empty()) {
    // OpenSSL may call JavaScript, which may write more.
    std::string first = std::move(plain_.front());
    auto status = established_ ? Session::Status::done : Session::Status::wait;
    if (!first.empty()) {
      const Count count(in_openssl_);
      status = session_->write(std::as_bytes(std::span(first)));
    }
    if (destroyed_) return;
    if (status == Session::Status::wait) {
      plain_.front() = std::move(first);
      break;
    }
    if (status == Session::Status::failed) {
      // The handshake has failed. The writes fail first, with the reason.
      flush();  // the alert
      fail_writes(-EPROTO, first_error_line());
      drain_between();
      return;
    }
    *std::ranges::find(ends_, kNotEncrypted) = produced_ + session_->output().size();
    plain_.pop_front();
    any = true;
  }
  flush();
  if (any) complete_writes_soon();
}

/// All that was encrypted becomes one write of the stream below.
void TlsStream::flush() {
  if (session_ == nullptr || destroyed_ || lower() == nullptr) return;
  if (awaits_new_session_ || lower_is_writing_ || hello_ == Step::running) return;
  std::string& output = session_->output();
  if (!output.empty()) {
    const std::size_t size = output.size();
    iovec piece{output.data(), size};
    const std::int32_t status = lower()->write_from_consumer({&piece, 1});
    output.clear();
    if (output.capacity() > kKeptOutput) output.shrink_to_fit();
    produced_ += size;
    if (status < 0) {
      fail_writes_soon(status);
      return;
    }
    if (status == 0) {
      sent_ += size;
      complete_writes_soon();
    } else {
      in_flight_.push_back(size);
    }
  }
  if (std::exchange(end_waits_, false)) lower()->end_writing();
}

void TlsStream::consumer_written(std::int32_t status) {
  if (in_flight_.empty() || destroyed_) return;
  sent_ += in_flight_.front();
  in_flight_.pop_front();
  if (status < 0) {
    fail_writes(status);
  } else {
    complete_writes();
  }
}

void TlsStream::complete_writes_soon() {
  if (reported_soon_ || ends_.empty() || ends_.front() > sent_) return;
  reported_soon_ = true;
  run_soon(environment().loop(), [link = link()] {
    auto* self = as<TlsStream>(link);
    if (self == nullptr) return;
    self->reported_soon_ = false;
    self->complete_writes();
  });
}

void TlsStream::complete_writes() {
  while (!ends_.empty() && ends_.front() <= sent_) {
    ends_.pop_front();
    written(0);
    drain_between();
  }
}

void TlsStream::fail_writes(std::int32_t status, std::string_view reason) {
  plain_.clear();
  std::size_t count = std::exchange(ends_, {}).size();
  for (; count > 0 && kept_writes() > 0; --count) written(status, reason);
}

void TlsStream::fail_writes_soon(std::int32_t status) {
  run_soon(environment().loop(), [link = link(), status] {
    if (auto* self = as<TlsStream>(link)) self->fail_writes(status);
  });
}

std::size_t TlsStream::queued() const {
  return session_ != nullptr ? session_->output().size() + (produced_ - sent_) : 0;
}

std::int32_t TlsStream::shut_down() {
  if (lower() == nullptr) return -ENOTCONN;
  if (!destroyed_) {
    const CalledFromJs from_js;
    const ErrorMark mark;
    {
      const Count count(in_openssl_);
      session_->close_notify();
    }
    flush();
    if (!session_->output().empty()) {
      end_waits_ = true;
      return 0;
    }
  }
  return lower()->end_writing();
}

// ---- Into JavaScript ----------------------------------------------------------------------------

v8::MaybeLocal<Value> TlsStream::report(const char* name,
                                        std::initializer_list<Local<Value>> arguments) {
  Local<Value> callback;
  if (!object()->Get(environment().context(), environment().name(name)).ToLocal(&callback) ||
      !callback->IsFunction()) {
    return {};
  }
  const auto result = environment().call(object(), callback.As<v8::Function>(), arguments);
  drain_between();
  return result;
}

void TlsStream::drain_between() {
  if (!CalledFromJs::now()) environment().drain_between();
}

}  // namespace rondo
