// The binding `http2`: what lib/internal/http2/ calls on a session. What a session is, and what it
// calls, is described in runtime/http2/http2_session.h.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http2/session.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/views.h"
#include "runtime/http2/http2_session.h"
#include "runtime/streams/stream_handle.h"
#include "runtime/tls/tls_stream.h"

namespace rondo {

using v8::Local;
using v8::Value;

namespace {

// Data up to this size is copied: cheaper than keeping its memory alive.
constexpr std::size_t kCopied = 1024;

double number_of(Local<Value> value, double otherwise = 0) {
  return value->IsNumber() ? value.As<v8::Number>()->Value() : otherwise;
}

std::int32_t integer_of(Local<Value> value) {
  return static_cast<std::int32_t>(std::clamp(number_of(value), -2147483648.0, 2147483647.0));
}

std::uint32_t unsigned_of(Local<Value> value) {
  return static_cast<std::uint32_t>(std::clamp(number_of(value), 0.0, 4294967295.0));
}

/// Header fields from JavaScript: one string, in which each field is a digit for its flags, its
/// name, NUL, its value and another NUL.
class FieldList {
 public:
  FieldList(v8::Isolate* isolate, Local<Value> value)
      : text_(isolate, value.As<v8::String>(), EncodedString::As::latin1) {
    std::string_view rest = text_.view();
    while (!rest.empty()) {
      const std::size_t name_end = rest.find('\0');
      const std::size_t value_end = rest.find('\0', name_end + 1);
      if (value_end == std::string_view::npos) break;
      const std::uint8_t flags = rest[0] == '1' ? NGHTTP2_NV_FLAG_NO_INDEX : 0;
      auto* const bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(rest.data()));
      fields_.push_back(
          {bytes + 1, bytes + name_end + 1, name_end - 1, value_end - name_end - 1, flags});
      rest.remove_prefix(value_end + 1);
    }
  }
  std::span<const nghttp2_nv> get() const noexcept { return fields_; }

 private:
  EncodedString text_;
  std::vector<nghttp2_nv> fields_;
};

http2::Body body_of(Local<Value> value) {
  return static_cast<http2::Body>(std::min(unsigned_of(value), 2U));
}

http2::Piece piece_of(v8::Isolate* isolate, Local<Value> value, bool is_latin1) {
  if (value->IsString()) {
    const EncodedString text(isolate, value.As<v8::String>(),
                             is_latin1 ? EncodedString::As::latin1 : EncodedString::As::utf8);
    return http2::Piece(std::string(text.view()));
  }
  const auto view = value.As<v8::ArrayBufferView>();
  const std::span<std::uint8_t> bytes = bytes_of(view);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.size() <= kCopied) return http2::Piece(std::string(text));
  return {view->Buffer()->GetBackingStore(), text};
}

bool is_data(Local<Value> value) {
  return value->IsString() || value->IsArrayBufferView();
}

std::vector<nghttp2_settings_entry> entries_of(Local<Value> value) {
  std::vector<nghttp2_settings_entry> entries;
  const std::span<const std::uint32_t> numbers = elements_of<std::uint32_t>(value);
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    entries.push_back({static_cast<std::int32_t>(numbers[i]), numbers[i + 1]});
  }
  return entries;
}

/// The options of a session, by their names in Node. Negative: left out.
enum SessionNumber : std::uint8_t {
  kMaxDeflateDynamicTableSize,
  kMaxReservedRemoteStreams,
  kMaxSendHeaderBlockLength,
  kPeerMaxConcurrentStreams,
  kPaddingStrategy,
  kMaxHeaderListPairs,
  kMaxSessionMemory,
  kMaxSettings,
  kStreamResetRate,
  kStreamResetBurst,
  kStrictFieldWhitespaceValidation,
  kMaxSessionInvalidFrames,
  kMaxSessionRejectedStreams,
  kSessionNumberCount,
};

}  // namespace

// ---- Life ---------------------------------------------------------------------------------------

/// (hooks, whether it is a client, numbers: see SessionNumber)
void Http2Session::make(const Arguments& args) {
  auto* hooks = from<Http2Hooks>(args[0]);
  if (!args.IsConstructCall() || hooks == nullptr || !args[2]->IsFloat64Array()) return;
  const std::span<const double> numbers = elements_of<double>(args[2]);
  if (numbers.size() < kSessionNumberCount) return;
  http2::Options options;
  const auto optional = [&](SessionNumber which) -> std::optional<std::uint32_t> {
    if (!(numbers[which] >= 0)) return {};
    return static_cast<std::uint32_t>(std::min(numbers[which], 4294967295.0));
  };
  const auto number = [&](SessionNumber which, auto& to) {
    using Number = std::remove_reference_t<decltype(to)>;
    if (numbers[which] >= 0) to = static_cast<Number>(std::min(numbers[which], 4294967295.0));
  };
  options.max_deflate_table = optional(kMaxDeflateDynamicTableSize);
  options.max_reserved_remote_streams = optional(kMaxReservedRemoteStreams);
  options.max_send_header_block = optional(kMaxSendHeaderBlockLength);
  number(kPeerMaxConcurrentStreams, options.peer_max_concurrent_streams);
  if (const auto padding = optional(kPaddingStrategy); padding && *padding <= 2) {
    options.padding = static_cast<http2::Padding>(*padding);
  }
  number(kMaxHeaderListPairs, options.max_header_pairs);
  if (const double memory = numbers[kMaxSessionMemory]; memory >= 0) {
    options.max_memory = static_cast<std::uint64_t>(memory * 1e6);
  }
  options.max_settings = optional(kMaxSettings);
  if (optional(kStreamResetRate) && optional(kStreamResetBurst)) {
    number(kStreamResetRate, options.reset_rate);
    number(kStreamResetBurst, options.reset_burst);
  }
  options.allows_field_whitespace = numbers[kStrictFieldWhitespaceValidation] == 0;
  number(kMaxSessionInvalidFrames, options.max_invalid_frames);
  number(kMaxSessionRejectedStreams, options.max_rejected_streams);
  new Http2Session(Environment::of(args.GetIsolate()), args.This(), *hooks,
                   args[1]->IsTrue() ? http2::Side::client : http2::Side::server, options);
}

void Http2Session::consume(const Arguments& args) {
  Http2Session* self = of(args);
  auto* stream = from<StreamHandle>(args[0]);
  if (stream == nullptr || stream->consumer() != nullptr) return;
  stream->set_consumer(self);
  self->stream_ = stream;
  stream->begin_reading();
}

/// Bytes that JavaScript has read before the session was there.
void Http2Session::receive(const Arguments& args) {
  if (!args[0]->IsArrayBufferView()) return;
  const CalledFromJs from_js;
  // JavaScript may detach the memory meanwhile.
  const std::span<std::uint8_t> bytes = bytes_of(args[0]);
  const std::string copy(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  of(args)->take_in(std::as_bytes(std::span(copy)));
}

/// (code, whether the socket is closed). Whether it is done; otherwise the last hook reports it.
void Http2Session::destroy(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  const CalledFromJs from_js;
  if (args[1]->IsTrue()) {
    self->unconsume();
  } else {
    if (self->stream_ != nullptr) self->stream_->end_reading();
    self->session_->terminate(unsigned_of(args[0]));
    self->gather();
    self->write_out();
  }
  self->session_.reset();
  const bool is_done = !self->is_writing_ || self->stream_ == nullptr;
  self->reports_done_ = !is_done;
  // That the other side ends must be seen; and it may take what is left to write only after what it
  // writes itself was taken. What arrives from now on is dropped.
  if (self->stream_ != nullptr) self->stream_->begin_reading();
  args.GetReturnValue().Set(is_done);
}

void Http2Session::wants(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  const std::uint32_t bits = unsigned_of(args[0]);
  self->session_->wanted() = {
      .ping = (bits & 1) != 0, .altsvc = (bits & 2) != 0, .priority = (bits & 4) != 0};
}

void Http2Session::has_pending_data(const Arguments& args) {
  const Http2Session* self = of(args);
  args.GetReturnValue().Set(self->session_ != nullptr &&
                            (self->session_->wants_write() || self->session_->wants_read()));
}

void Http2Session::write_count(const Arguments& args) {
  args.GetReturnValue().Set(of(args)->writes_);
}

void Http2Session::close_gracefully(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  self->session_->close_gracefully();
  self->pump_soon();
}

// ---- Streams ------------------------------------------------------------------------------------

/// (fields, body) -> the id
void Http2Session::request(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr || !args[0]->IsString()) return;
  const FieldList fields(args.GetIsolate(), args[0]);
  args.GetReturnValue().Set(self->session_->request(fields.get(), body_of(args[1])));
  self->pump_soon();
}

/// (stream, fields, body)
void Http2Session::respond(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr || !args[1]->IsString()) return;
  const FieldList fields(args.GetIsolate(), args[1]);
  args.GetReturnValue().Set(
      self->session_->respond(integer_of(args[0]), fields.get(), body_of(args[2])));
  self->pump_soon();
}

void Http2Session::inform(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr || !args[1]->IsString()) return;
  const FieldList fields(args.GetIsolate(), args[1]);
  args.GetReturnValue().Set(self->session_->inform(integer_of(args[0]), fields.get()));
  self->pump_soon();
}

void Http2Session::send_trailers(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr || !args[1]->IsString()) return;
  const FieldList fields(args.GetIsolate(), args[1]);
  args.GetReturnValue().Set(self->session_->send_trailers(integer_of(args[0]), fields.get()));
  self->pump_soon();
}

/// (stream, fields, whether there is no body) -> the id of the new stream
void Http2Session::push(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr || !args[1]->IsString()) return;
  const FieldList fields(args.GetIsolate(), args[1]);
  args.GetReturnValue().Set(
      self->session_->push(integer_of(args[0]), fields.get(), args[2]->IsTrue()));
  self->pump_soon();
}

/// (stream, a view or a string, whether that is Latin-1). Whether there is such a stream.
void Http2Session::write(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr || !is_data(args[1])) return;
  std::vector<http2::Piece> pieces;
  pieces.push_back(piece_of(args.GetIsolate(), args[1], args[2]->IsTrue()));
  args.GetReturnValue().Set(self->session_->write(integer_of(args[0]), std::move(pieces)));
  self->pump_soon();
}

/// (stream, views)
void Http2Session::write_all(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr || !args[1]->IsArray()) return;
  const auto list = args[1].As<v8::Array>();
  std::vector<http2::Piece> pieces;
  for (std::uint32_t i = 0; i < list->Length(); ++i) {
    Local<Value> value;
    if (!list->Get(args.GetIsolate()->GetCurrentContext(), i).ToLocal(&value)) return;
    if (is_data(value)) pieces.push_back(piece_of(args.GetIsolate(), value, false));
  }
  args.GetReturnValue().Set(self->session_->write(integer_of(args[0]), std::move(pieces)));
  self->pump_soon();
}

void Http2Session::end(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  self->session_->end(integer_of(args[0]));
  self->pump_soon();
}

/// (stream, code). What was written before goes first, as far as the peer's windows let it.
void Http2Session::reset(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  const CalledFromJs from_js;
  const Reset reset{integer_of(args[0]), unsigned_of(args[1])};
  // As in Node, what has arrived is delivered before a CANCEL, but not before other codes.
  if (reset.code != NGHTTP2_CANCEL || !self->pumping_) self->session_->give_up(reset.stream);
  if (self->is_writing_) {
    self->resets_.push_back(reset);  // nghttp2 would let it overtake what was written
    return;
  }
  self->gather();
  self->write_out();
  if (self->session_ == nullptr) return;
  self->session_->reset(reset.stream, reset.code);
  self->pump_soon();
}

void Http2Session::set_reading(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  self->session_->set_reading(integer_of(args[0]), args[1]->IsTrue());
  self->pump_soon();
}

void Http2Session::forget(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  const std::int32_t id = integer_of(args[0]);
  self->send_resets(id);
  self->session_->forget(id);
}

// ---- The connection -----------------------------------------------------------------------------

/// (a Uint32Array of ids, each with its value)
void Http2Session::settings(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  self->session_->settings(entries_of(args[0]));
  self->pump_soon();
}

void Http2Session::ping(const Arguments& args) {
  Http2Session* self = of(args);
  const ReadBytes payload(args[0]);
  if (self->session_ == nullptr || payload.get().size() != 8) return;
  self->session_->ping(payload.get().data());
  self->pump_soon();
}

/// (code, last stream, data)
void Http2Session::goaway(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  std::span<const std::uint8_t> data;
  if (args[2]->IsArrayBufferView()) data = bytes_of(args[2]);
  self->session_->goaway(unsigned_of(args[0]), integer_of(args[1]), data);
  self->pump_soon();
}

/// (stream, origin, value)
void Http2Session::altsvc(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr || !args[1]->IsString() || !args[2]->IsString()) return;
  v8::Isolate* isolate = args.GetIsolate();
  std::string texts[2];
  for (int i = 0; i < 2; ++i) {
    texts[i] =
        EncodedString(isolate, args[i + 1].As<v8::String>(), EncodedString::As::latin1).view();
  }
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
  };
  nghttp2_submit_altsvc(self->session_->raw(), NGHTTP2_FLAG_NONE, integer_of(args[0]),
                        bytes(texts[0]), texts[0].size(), bytes(texts[1]), texts[1].size());
  self->pump_soon();
}

/// (names, each followed by a NUL)
void Http2Session::origin(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr || !args[0]->IsString()) return;
  const EncodedString text(args.GetIsolate(), args[0].As<v8::String>(), EncodedString::As::latin1);
  std::vector<nghttp2_origin_entry> entries;
  std::string_view rest = text.view();
  for (std::size_t end; (end = rest.find('\0')) != std::string_view::npos;) {
    entries.push_back({reinterpret_cast<std::uint8_t*>(const_cast<char*>(rest.data())), end});
    rest.remove_prefix(end + 1);
  }
  nghttp2_submit_origin(self->session_->raw(), NGHTTP2_FLAG_NONE, entries.data(), entries.size());
  self->pump_soon();
}

void Http2Session::set_next_stream_id(const Arguments& args) {
  const Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  args.GetReturnValue().Set(
      nghttp2_session_set_next_stream_id(self->session_->raw(), integer_of(args[0])) == 0);
}

void Http2Session::set_local_window_size(const Arguments& args) {
  Http2Session* self = of(args);
  if (self->session_ == nullptr) return;
  args.GetReturnValue().Set(nghttp2_session_set_local_window_size(
      self->session_->raw(), NGHTTP2_FLAG_NONE, 0, integer_of(args[0])));
  self->pump_soon();
}

/// (a Float64Array to fill in)
void Http2Session::state(const Arguments& args) {
  const Http2Session* self = of(args);
  const std::span<double> out = elements_of<double>(args[0]);
  if (self->session_ == nullptr || out.size() < 9) return;
  nghttp2_session* const raw = self->session_->raw();
  out[0] = nghttp2_session_get_effective_local_window_size(raw);
  out[1] = nghttp2_session_get_effective_recv_data_length(raw);
  out[2] = nghttp2_session_get_next_stream_id(raw);
  out[3] = nghttp2_session_get_local_window_size(raw);
  out[4] = nghttp2_session_get_last_proc_stream_id(raw);
  out[5] = nghttp2_session_get_remote_window_size(raw);
  out[6] = static_cast<double>(nghttp2_session_get_outbound_queue_size(raw));
  out[7] = static_cast<double>(nghttp2_session_get_hd_deflate_dynamic_table_size(raw));
  out[8] = static_cast<double>(nghttp2_session_get_hd_inflate_dynamic_table_size(raw));
}

/// (a Float64Array to fill in)
void Http2Session::statistics(const Arguments& args) {
  const Http2Session* self = of(args);
  const std::span<double> out = elements_of<double>(args[0]);
  if (self->session_ == nullptr || out.size() < 4) return;
  const http2::Session::Statistics& counted = self->session_->statistics();
  out[0] = static_cast<double>(counted.frames_received);
  out[1] = static_cast<double>(counted.frames_sent);
  out[2] = static_cast<double>(counted.bytes_received);
  out[3] = static_cast<double>(counted.bytes_sent);
}

/// (stream, a Float64Array to fill in)
void Http2Session::stream_state(const Arguments& args) {
  const Http2Session* self = of(args);
  const std::span<double> out = elements_of<double>(args[1]);
  if (self->session_ == nullptr || out.size() < 6) return;
  nghttp2_session* const raw = self->session_->raw();
  const std::int32_t id = integer_of(args[0]);
  nghttp2_stream* const stream = nghttp2_session_find_stream(raw, id);
  constexpr double kIdle = 1;
  std::ranges::fill(out, 0);
  out[0] = kIdle;
  if (stream == nullptr) return;
  out[0] = nghttp2_stream_get_state(stream);
  out[1] = nghttp2_stream_get_weight(stream);
  out[2] = nghttp2_stream_get_sum_dependency_weight(stream);
  out[3] = nghttp2_session_get_stream_local_close(raw, id);
  out[4] = nghttp2_session_get_stream_remote_close(raw, id);
  out[5] = nghttp2_session_get_stream_local_window_size(raw, id);
}

/// (whether those of the peer, a Uint32Array to fill in)
void Http2Session::settings_of(const Arguments& args) {
  const Http2Session* self = of(args);
  const std::span<std::uint32_t> out = elements_of<std::uint32_t>(args[1]);
  if (self->session_ == nullptr || out.size() < http2::kSettingCount) return;
  std::ranges::copy(self->session_->settings_of(args[0]->IsTrue()), out.begin());
}

// ---- The binding --------------------------------------------------------------------------------

namespace {

/// (code) -> what nghttp2 calls it
void error_string(const Arguments& args) {
  args.GetReturnValue().Set(
      Environment::of(args.GetIsolate()).text(nghttp2_strerror(integer_of(args[0]))));
}

constexpr Method kMethods[] = {{"errorString", error_string}};

constexpr Method kSessionMethods[] = {
    {"consume", static_cast<v8::FunctionCallback>(Http2Session::consume)},
    {"receive", Http2Session::receive},
    {"destroy", Http2Session::destroy},
    {"wants", Http2Session::wants},
    {"hasPendingData", Http2Session::has_pending_data},
    {"writeCount", Http2Session::write_count},
    {"closeGracefully", Http2Session::close_gracefully},
    {"request", Http2Session::request},
    {"respond", Http2Session::respond},
    {"inform", Http2Session::inform},
    {"sendTrailers", Http2Session::send_trailers},
    {"push", Http2Session::push},
    {"write", Http2Session::write},
    {"writeAll", Http2Session::write_all},
    {"end", Http2Session::end},
    {"reset", Http2Session::reset},
    {"setReading", Http2Session::set_reading},
    {"forget", Http2Session::forget},
    {"settings", Http2Session::settings},
    {"ping", Http2Session::ping},
    {"goaway", Http2Session::goaway},
    {"altsvc", Http2Session::altsvc},
    {"origin", Http2Session::origin},
    {"setNextStreamID", Http2Session::set_next_stream_id},
    {"setLocalWindowSize", Http2Session::set_local_window_size},
    {"state", Http2Session::state},
    {"statistics", Http2Session::statistics},
    {"streamState", Http2Session::stream_state},
    {"settingsOf", Http2Session::settings_of},
};

constexpr ClassShape kClasses[] = {
    {"Http2Session", Http2Session::make, kSessionMethods},
    {"SessionHooks", Http2Hooks::make},
};

}  // namespace

extern const Binding binding_http2;
const Binding binding_http2{.name = "http2", .methods = kMethods, .classes = kClasses};

}  // namespace rondo
