// The binding `http2`: what lib/internal/http2/ calls on a session. What a session is, and what it
// calls, is described in runtime/http2/http2_session.h.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http2/session.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
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

// Numbers of the program: what is out of range becomes the nearest that is not, and NaN 0.
std::int32_t to_integer(double number) {
  if (std::isnan(number)) return 0;
  return static_cast<std::int32_t>(std::clamp(number, -2147483648.0, 2147483647.0));
}

std::uint32_t to_unsigned(double number) {
  if (std::isnan(number)) return 0;
  return static_cast<std::uint32_t>(std::clamp(number, 0.0, 4294967295.0));
}

/// Header fields from JavaScript: one string, in which each field is a digit for its flags, the
/// length of its name, a space, the length of its value, a space, the name and the value.
class FieldList {
 public:
  FieldList(v8::Isolate* isolate, Local<Value> value)
      : text_(isolate, value.As<v8::String>(), EncodedString::As::latin1) {
    std::string_view rest = text_.view();
    while (!rest.empty()) {
      const std::uint8_t flags = rest[0] == '1' ? NGHTTP2_NV_FLAG_NO_INDEX : 0;
      rest.remove_prefix(1);
      const std::size_t name = take_length(rest);
      const std::size_t size = take_length(rest);
      if (name > rest.size() || size > rest.size() - name) break;
      auto* const bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(rest.data()));
      if (rest.substr(0, name + size).find('\0') != std::string_view::npos) {
        // The peer ignores a field with a NUL, but closes a stream that has no other: so no field
        // is lost without an error.
        fields_.assign(1, {bytes, bytes, 0, 0, 0});
        break;
      }
      fields_.push_back({bytes, bytes + name, name, size, flags});
      rest.remove_prefix(name + size);
    }
  }
  std::span<const nghttp2_nv> get() const noexcept { return fields_; }

 private:
  static std::size_t take_length(std::string_view& rest) noexcept {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    rest.remove_prefix(std::min(rest.size(), static_cast<std::size_t>(end - rest.data()) + 1));
    return error == std::errc() ? length : std::string_view::npos;
  }

  EncodedString text_;
  std::vector<nghttp2_nv> fields_;
};

http2::Body to_body(std::uint32_t number) {
  return static_cast<http2::Body>(std::min(number, 2U));
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
  if (const auto megabytes = optional(kMaxSessionMemory)) {
    options.max_memory = std::uint64_t{*megabytes} * 1'000'000;
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

void Http2Session::consume_stream(Local<Value> handle) {
  auto* stream = from<StreamHandle>(handle);
  if (stream == nullptr || stream->consumer() != nullptr) return;
  stream->set_consumer(this);
  stream_ = stream;
  stream->begin_reading();
}

/// Bytes that JavaScript has read before the session was there.
void Http2Session::receive(Local<Value> view) {
  if (!view->IsArrayBufferView()) return;
  const CalledFromJs from_js;
  // JavaScript may detach the memory meanwhile.
  const std::span<std::uint8_t> bytes = bytes_of(view);
  const std::string copy(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  take_in(std::as_bytes(std::span(copy)));
}

/// (code, whether the socket is closed). Whether it is done; otherwise the last hook reports it.
std::optional<bool> Http2Session::destroy(double code, bool is_socket_closed) {
  if (session_ == nullptr) return {};
  const CalledFromJs from_js;
  if (is_socket_closed) {
    unconsume();
  } else {
    if (stream_ != nullptr) stream_->end_reading();
    session_->terminate(to_unsigned(code));
    gather();
    write_out();
  }
  session_.reset();
  const bool is_done = !is_writing_ || stream_ == nullptr;
  reports_done_ = !is_done;
  // The end of the other side must be seen; and it may read the rest of our bytes only after we
  // have read its own. What arrives from now on is dropped.
  if (stream_ != nullptr) stream_->begin_reading();
  return is_done;
}

/// Events that are reported only if the program listens to them.
enum WantedEvents : std::uint32_t { kPing = 1U << 0, kAltsvc = 1U << 1, kPriority = 1U << 2 };

void Http2Session::wants(std::uint32_t bits) {
  if (session_ == nullptr) return;
  session_->wanted() = {.ping = (bits & kPing) != 0,
                        .altsvc = (bits & kAltsvc) != 0,
                        .priority = (bits & kPriority) != 0};
}

bool Http2Session::has_pending_data() const {
  return session_ != nullptr && (session_->wants_write() || session_->wants_read());
}

void Http2Session::close_gracefully() {
  if (session_ == nullptr) return;
  session_->close_gracefully();
  pump_soon();
}

// ---- Streams ------------------------------------------------------------------------------------

/// (fields, body) -> the id
std::optional<std::int32_t> Http2Session::request(Local<Value> fields, std::uint32_t body) {
  if (session_ == nullptr || !fields->IsString()) return {};
  const FieldList list(environment().isolate(), fields);
  const std::int32_t id = session_->request(list.get(), to_body(body));
  pump_soon();
  return id;
}

/// (stream, fields, body)
std::optional<int> Http2Session::respond(double stream, Local<Value> fields, std::uint32_t body) {
  if (session_ == nullptr || !fields->IsString()) return {};
  const FieldList list(environment().isolate(), fields);
  const int result = session_->respond(to_integer(stream), list.get(), to_body(body));
  pump_soon();
  return result;
}

std::optional<int> Http2Session::inform(double stream, Local<Value> fields) {
  if (session_ == nullptr || !fields->IsString()) return {};
  const FieldList list(environment().isolate(), fields);
  const int result = session_->inform(to_integer(stream), list.get());
  pump_soon();
  return result;
}

std::optional<int> Http2Session::send_trailers(double stream, Local<Value> fields) {
  if (session_ == nullptr || !fields->IsString()) return {};
  const FieldList list(environment().isolate(), fields);
  const int result = session_->send_trailers(to_integer(stream), list.get());
  pump_soon();
  return result;
}

/// (stream, fields, whether there is no body) -> the id of the new stream
std::optional<std::int32_t> Http2Session::push(double stream, Local<Value> fields, bool has_ended) {
  if (session_ == nullptr || !fields->IsString()) return {};
  const FieldList list(environment().isolate(), fields);
  const std::int32_t id = session_->push(to_integer(stream), list.get(), has_ended);
  pump_soon();
  return id;
}

/// (stream, a view or a string, whether that is Latin-1). Whether there is such a stream.
std::optional<bool> Http2Session::write(double stream, Local<Value> data, bool is_latin1) {
  if (session_ == nullptr || !is_data(data)) return {};
  std::vector<http2::Piece> pieces;
  pieces.push_back(piece_of(environment().isolate(), data, is_latin1));
  const bool is_known = session_->write(to_integer(stream), std::move(pieces));
  pump_soon();
  return is_known;
}

/// (stream, views)
std::optional<bool> Http2Session::write_all(double stream, Local<Value> views) {
  if (session_ == nullptr || !views->IsArray()) return {};
  v8::Isolate* isolate = environment().isolate();
  const auto list = views.As<v8::Array>();
  std::vector<http2::Piece> pieces;
  for (std::uint32_t i = 0; i < list->Length(); ++i) {
    Local<Value> value;
    if (!list->Get(isolate->GetCurrentContext(), i).ToLocal(&value)) return {};
    if (is_data(value)) pieces.push_back(piece_of(isolate, value, false));
  }
  const bool is_known = session_->write(to_integer(stream), std::move(pieces));
  pump_soon();
  return is_known;
}

void Http2Session::end(double stream) {
  if (session_ == nullptr) return;
  session_->end(to_integer(stream));
  pump_soon();
}

/// (stream, code). What was written before goes first, as far as the peer's windows let it.
void Http2Session::reset(double stream, double code) {
  if (session_ == nullptr) return;
  const CalledFromJs from_js;
  const Reset reset{to_integer(stream), to_unsigned(code)};
  // As in Node, what has arrived is delivered before a CANCEL, but not before other codes.
  if (reset.code != NGHTTP2_CANCEL || !pumping_) session_->give_up(reset.stream);
  if (is_writing_) {
    resets_.push_back(reset);  // nghttp2 would let it overtake what was written
    return;
  }
  gather();
  write_out();
  if (session_ == nullptr) return;
  session_->reset(reset.stream, reset.code);
  pump_soon();
}

void Http2Session::set_reading(double stream, bool reads) {
  if (session_ == nullptr) return;
  session_->set_reading(to_integer(stream), reads);
  pump_soon();
}

void Http2Session::forget(double stream) {
  if (session_ == nullptr) return;
  const std::int32_t id = to_integer(stream);
  send_resets(id);
  session_->forget(id);
}

// ---- The connection -----------------------------------------------------------------------------

/// (a Uint32Array of ids, each with its value)
void Http2Session::settings(Local<Value> entries) {
  if (session_ == nullptr) return;
  session_->settings(entries_of(entries));
  pump_soon();
}

void Http2Session::ping(const ReadBytes& payload) {
  if (session_ == nullptr || payload.get().size() != 8) return;
  session_->ping(payload.get().data());
  pump_soon();
}

/// (code, last stream, data)
void Http2Session::goaway(double code, double last_stream, Local<Value> data) {
  if (session_ == nullptr) return;
  std::span<const std::uint8_t> bytes;
  if (data->IsArrayBufferView()) bytes = bytes_of(data);
  session_->goaway(to_unsigned(code), to_integer(last_stream), bytes);
  pump_soon();
}

/// (stream, origin, value)
void Http2Session::altsvc(double stream, Local<Value> origin, Local<Value> value) {
  if (session_ == nullptr || !origin->IsString() || !value->IsString()) return;
  const auto text_of = [&](Local<Value> text) {
    return std::string(
        EncodedString(environment().isolate(), text.As<v8::String>(), EncodedString::As::latin1)
            .view());
  };
  const std::string texts[] = {text_of(origin), text_of(value)};
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
  };
  nghttp2_submit_altsvc(session_->raw(), NGHTTP2_FLAG_NONE, to_integer(stream), bytes(texts[0]),
                        texts[0].size(), bytes(texts[1]), texts[1].size());
  pump_soon();
}

/// (names, each followed by a NUL)
void Http2Session::origin(Local<Value> names) {
  if (session_ == nullptr || !names->IsString()) return;
  const EncodedString text(environment().isolate(), names.As<v8::String>(),
                           EncodedString::As::latin1);
  std::vector<nghttp2_origin_entry> entries;
  std::string_view rest = text.view();
  for (std::size_t end; (end = rest.find('\0')) != std::string_view::npos;) {
    entries.push_back({reinterpret_cast<std::uint8_t*>(const_cast<char*>(rest.data())), end});
    rest.remove_prefix(end + 1);
  }
  nghttp2_submit_origin(session_->raw(), NGHTTP2_FLAG_NONE, entries.data(), entries.size());
  pump_soon();
}

std::optional<bool> Http2Session::set_next_stream_id(double id) {
  if (session_ == nullptr) return {};
  return nghttp2_session_set_next_stream_id(session_->raw(), to_integer(id)) == 0;
}

std::optional<int> Http2Session::set_local_window_size(double size) {
  if (session_ == nullptr) return {};
  const int result = nghttp2_session_set_local_window_size(session_->raw(), NGHTTP2_FLAG_NONE, 0,
                                                           to_integer(size));
  pump_soon();
  return result;
}

/// (a Float64Array to fill in)
void Http2Session::state(Local<Value> array) const {
  const std::span<double> out = elements_of<double>(array);
  if (session_ == nullptr || out.size() < 9) return;
  nghttp2_session* const raw = session_->raw();
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
void Http2Session::statistics(Local<Value> array) const {
  const std::span<double> out = elements_of<double>(array);
  if (session_ == nullptr || out.size() < 4) return;
  const http2::Session::Statistics& counted = session_->statistics();
  out[0] = static_cast<double>(counted.frames_received);
  out[1] = static_cast<double>(counted.frames_sent);
  out[2] = static_cast<double>(counted.bytes_received);
  out[3] = static_cast<double>(counted.bytes_sent);
}

/// (stream, a Float64Array to fill in)
void Http2Session::stream_state(double number, Local<Value> array) const {
  const std::span<double> out = elements_of<double>(array);
  if (session_ == nullptr || out.size() < 6) return;
  nghttp2_session* const raw = session_->raw();
  const std::int32_t id = to_integer(number);
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
void Http2Session::settings_of(bool of_peer, Local<Value> array) const {
  const std::span<std::uint32_t> out = elements_of<std::uint32_t>(array);
  if (session_ == nullptr || out.size() < http2::kSettingCount) return;
  std::ranges::copy(session_->settings_of(of_peer), out.begin());
}

// ---- The binding --------------------------------------------------------------------------------

namespace {

/// (code) -> what nghttp2 calls it
const char* error_string(double code) {
  return nghttp2_strerror(to_integer(code));
}

constexpr Method kMethods[] = {method<error_string>("errorString")};

constexpr Method kSessionMethods[] = {
    method<&Http2Session::consume_stream>("consume"),
    method<&Http2Session::receive>("receive"),
    method<&Http2Session::destroy>("destroy"),
    method<&Http2Session::wants>("wants"),
    method<&Http2Session::has_pending_data>("hasPendingData"),
    method<&Http2Session::write_count>("writeCount"),
    method<&Http2Session::close_gracefully>("closeGracefully"),
    method<&Http2Session::request>("request"),
    method<&Http2Session::respond>("respond"),
    method<&Http2Session::inform>("inform"),
    method<&Http2Session::send_trailers>("sendTrailers"),
    method<&Http2Session::push>("push"),
    method<&Http2Session::write>("write"),
    method<&Http2Session::write_all>("writeAll"),
    method<&Http2Session::end>("end"),
    method<&Http2Session::reset>("reset"),
    method<&Http2Session::set_reading>("setReading"),
    method<&Http2Session::forget>("forget"),
    method<&Http2Session::settings>("settings"),
    method<&Http2Session::ping>("ping"),
    method<&Http2Session::goaway>("goaway"),
    method<&Http2Session::altsvc>("altsvc"),
    method<&Http2Session::origin>("origin"),
    method<&Http2Session::set_next_stream_id>("setNextStreamID"),
    method<&Http2Session::set_local_window_size>("setLocalWindowSize"),
    method<&Http2Session::state>("state"),
    method<&Http2Session::statistics>("statistics"),
    method<&Http2Session::stream_state>("streamState"),
    method<&Http2Session::settings_of>("settingsOf"),
};

constexpr ClassShape kClasses[] = {
    {"Http2Session", Http2Session::make, kSessionMethods},
    {"SessionHooks", Http2Hooks::make},
};

}  // namespace

extern const Binding binding_http2;
const Binding binding_http2{.name = "http2", .methods = kMethods, .classes = kClasses};

}  // namespace rondo
