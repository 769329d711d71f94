#include "runtime/http2/http2_session.h"

#include <string_view>
#include <utility>

#include "runtime/bytes/buffer.h"
#include "runtime/tls/tls_stream.h"

namespace rondo {

using http2::Event;
using http2::EventKind;
using v8::Local;
using v8::Value;

namespace {

// More is gathered when the socket has taken this.
constexpr std::size_t kMostGathered = 256U << 10;
// A larger buffer for output is given back.
constexpr std::size_t kKeptOutput = 64U << 10;

Local<v8::String> latin1(v8::Isolate* isolate, std::string_view text,
                         v8::NewStringType type = v8::NewStringType::kNormal) {
  return v8::String::NewFromOneByte(isolate, reinterpret_cast<const std::uint8_t*>(text.data()),
                                    type, static_cast<int>(text.size()))
      .ToLocalChecked();
}

}  // namespace

// ---- What sessions call -------------------------------------------------------------------------

Http2Hooks::Http2Hooks(Environment& environment, Local<v8::Object> object,
                       Local<v8::Array> functions)
    : Wrapped(environment, object) {
  v8::Isolate* isolate = environment.isolate();
  for (std::uint32_t i = 0; i <= kHttp2EventKinds; ++i) {
    Local<Value> function;
    if (functions->Get(environment.context(), i).ToLocal(&function) && function->IsFunction()) {
      functions_[i].Reset(isolate, function.As<v8::Function>());
    }
  }
  hold();  // lib/ has one, for good
}

void Http2Hooks::make(const Arguments& args) {
  if (!args.IsConstructCall() || !args[0]->IsArray()) return;
  new Http2Hooks(Environment::of(args.GetIsolate()), args.This(), args[0].As<v8::Array>());
}

Local<v8::String> Http2Hooks::text(nghttp2_rcbuf* buffer, v8::NewStringType type) {
  v8::Isolate* isolate = environment().isolate();
  const bool is_static = nghttp2_rcbuf_is_static(buffer) != 0;
  if (is_static) {
    const auto found = known_.find(buffer);
    if (found != known_.end()) return found->second.Get(isolate);
  }
  const nghttp2_vec bytes = nghttp2_rcbuf_get_buf(buffer);
  const Local<v8::String> made =
      latin1(isolate, {reinterpret_cast<const char*>(bytes.base), bytes.len},
             is_static ? v8::NewStringType::kInternalized : type);
  if (is_static) known_[buffer].Reset(isolate, made);
  return made;
}

// ---- Between the stream and JavaScript ----------------------------------------------------------

void Http2Session::consume(std::span<const std::byte> bytes) {
  const v8::HandleScope scope(environment().isolate());
  [[maybe_unused]] const Local<v8::Object> keeps = object();
  take_in(bytes);
  if (!CalledFromJs::now()) environment().end_of_several();
}

void Http2Session::take_in(std::span<const std::byte> bytes) {
  if (session_ == nullptr) return;
  session_->receive(bytes);
  pump(true);
  stop_reading_if_busy();
}

void Http2Session::call(Local<v8::Function> function,
                        std::initializer_list<Local<Value>> arguments) {
  environment().call(object(), function, arguments);
  if (drains_ && !CalledFromJs::now()) environment().drain_between();
}

/// Tells what has happened, and sends what was submitted in answer as one write. What is submitted
/// when that has gone waits for the next time. `drains`: ticks and microtasks run after each event,
/// not only at the end.
void Http2Session::pump(bool drains) {
  if (pumping_) return;
  pumping_ = true;
  drains_ = drains;
  for (bool is_full = true; is_full && session_ != nullptr;) {
    do {
      deliver();
      gather();
      // After process.exit() and terminate() events stay in the queue: no listener is called.
      if (environment().ended()) break;
    } while (session_ != nullptr && session_->has_events() && out_.size() < kMostGathered);
    if (session_ == nullptr || environment().ended()) break;
    is_full = out_.size() >= kMostGathered;
    was_submitted_ = false;
    if (!write_out()) break;
  }
  deliver();
  pumping_ = false;
  drains_ = true;
  if (std::exchange(was_submitted_, false)) pump_soon();
}

void Http2Session::pump_soon() {
  if (pumping_) {
    was_submitted_ = true;
    return;
  }
  if (session_ == nullptr || std::exchange(pump_is_due_, true)) return;
  run_soon(environment().loop(), [link = link_] {
    Http2Session* const self = *link;
    if (self == nullptr) return;
    self->pump_is_due_ = false;
    const v8::HandleScope scope(self->environment().isolate());
    [[maybe_unused]] const Local<v8::Object> keeps = self->object();
    self->pump(false);
    self->stop_reading_if_busy();
  });
}

void Http2Session::deliver() {
  while (session_ != nullptr && session_->has_events() && !environment().ended()) {
    Event event = session_->take_event();
    if (!session_->was_given_up(event)) report(std::move(event));
  }
}

void Http2Session::report(Event event) {
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  const v8::Context::Scope inside(environment().context());
  Local<Value> payload = v8::Undefined(isolate);
  Local<Value> more = payload;
  if (event.kind == EventKind::head) {
    const auto& list = event.fields.list();
    std::vector<Local<Value>> texts;
    std::vector<Local<Value>> sensitive;
    texts.reserve(list.size() * 2);
    for (const http2::Fields::Field& field : list) {
      const Local<v8::String> name = hooks_.text(field.name, v8::NewStringType::kInternalized);
      texts.push_back(name);
      texts.push_back(hooks_.text(field.value, v8::NewStringType::kNormal));
      if ((field.flags & NGHTTP2_NV_FLAG_NO_INDEX) != 0) sensitive.push_back(name);
    }
    payload = v8::Array::New(isolate, texts.data(), texts.size());
    more = v8::Array::New(isolate, sensitive.data(), sensitive.size());
  } else if (event.memory.size > 0) {
    Local<v8::Object> buffer;
    const std::size_t size = event.memory.size;
    if (!make_buffer_of_malloc(environment(), event.memory.data.release(), size).ToLocal(&buffer)) {
      return;
    }
    payload = buffer;
  } else if (event.kind == EventKind::priority) {
    payload = v8::Integer::New(isolate, event.weight);
  } else if (event.code != nullptr) {
    payload = latin1(isolate, event.code);
  }
  call(hooks_.function(event.kind), {v8::Integer::New(isolate, event.stream),
                                     v8::Number::New(isolate, static_cast<double>(event.number)),
                                     v8::Integer::New(isolate, event.flags), payload, more});
}

/// Not while a write is in progress: what the peer does not read stays where it is counted.
void Http2Session::gather() {
  if (session_ != nullptr && !is_writing_) session_->gather(out_, kMostGathered);
}

/// Whether all of it has gone at once.
bool Http2Session::write_out() {
  if (is_writing_) return false;
  if (!out_.empty()) {
    ++writes_;
    iovec piece{out_.data(), out_.size()};
    const std::int32_t status = stream_ != nullptr ? stream_->write_from_consumer({&piece, 1}) : 0;
    out_.clear();
    if (out_.capacity() > kKeptOutput) out_ = {};
    is_writing_ = status == 1;
  }
  if (is_writing_) return false;
  finish_writes();
  return true;
}

void Http2Session::finish_writes() {
  if (session_ == nullptr) return;
  for (const std::int32_t id : session_->sent()) {
    Event event;
    event.kind = EventKind::written;
    event.stream = id;
    report(std::move(event));
    if (session_ == nullptr) return;
  }
}

void Http2Session::send_resets(std::int32_t stream) {
  std::erase_if(resets_, [&](const Reset& reset) {
    if (stream != 0 && reset.stream != stream) return false;
    session_->reset(reset.stream, reset.code);
    return true;
  });
}

void Http2Session::stop_reading_if_busy() {
  if (session_ == nullptr || stream_ == nullptr || stopped_reading_) return;
  if (session_->wants_read() && !is_writing_) return;
  stopped_reading_ = true;
  stream_->end_reading();
}

void Http2Session::consumer_written(std::int32_t /*status*/) {
  const v8::HandleScope scope(environment().isolate());
  [[maybe_unused]] const Local<v8::Object> keeps = object();
  is_writing_ = false;
  if (session_ != nullptr) {
    finish_writes();
    if (session_ != nullptr && !resets_.empty()) {
      gather();
      send_resets(0);
    }
    if (session_ != nullptr && stopped_reading_ && session_->wants_read() && stream_ != nullptr) {
      stopped_reading_ = false;
      stream_->begin_reading();
    }
    pump_soon();
  } else if (std::exchange(reports_done_, false)) {
    const v8::Context::Scope inside(environment().context());
    call(hooks_.done(), {});
  }
  if (!CalledFromJs::now()) environment().end_of_several();
}

}  // namespace rondo
