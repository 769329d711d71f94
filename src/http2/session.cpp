#include "http2/session.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

namespace rondo::http2 {

namespace {

constexpr std::size_t kFieldCost = 32;  // of a header field beside its bytes (RFC 9113, 6.5.2)
constexpr int kNewRequest = 0;          // a category of header blocks

std::string_view text_of(nghttp2_rcbuf* buffer) {
  const nghttp2_vec bytes = nghttp2_rcbuf_get_buf(buffer);
  return {reinterpret_cast<const char*>(bytes.base), bytes.len};
}

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::int32_t stream_of(const nghttp2_frame& frame) {
  return frame.hd.type == NGHTTP2_PUSH_PROMISE ? frame.push_promise.promised_stream_id
                                               : frame.hd.stream_id;
}

std::uint32_t code_of(int error) {
  switch (error) {
    case NGHTTP2_ERR_STREAM_CLOSED:
      return NGHTTP2_STREAM_ERROR_CLOSED;
    case NGHTTP2_ERR_HEADER_COMP:
      return NGHTTP2_COMPRESSION_ERROR;
    case NGHTTP2_ERR_FRAME_SIZE_ERROR:
      return NGHTTP2_FRAME_SIZE_ERROR;
    case NGHTTP2_ERR_FLOW_CONTROL:
      return NGHTTP2_FLOW_CONTROL_ERROR;
    case NGHTTP2_ERR_REFUSED_STREAM:
      return NGHTTP2_REFUSED_STREAM;
    case NGHTTP2_ERR_PROTO:
    case NGHTTP2_ERR_HTTP_HEADER:
    case NGHTTP2_ERR_HTTP_MESSAGING:
      return NGHTTP2_PROTOCOL_ERROR;
    default:
      return NGHTTP2_INTERNAL_ERROR;
  }
}

constexpr nghttp2_priority_spec kNoPriority{0, 16, 0};

}  // namespace

Memory::Memory(std::string_view bytes) : Memory(bytes, {}) {}

Memory::Memory(std::string_view first, std::string_view second)
    : data(static_cast<char*>(std::malloc(std::max<std::size_t>(first.size() + second.size(), 1)))),
      size(first.size() + second.size()) {
  if (data == nullptr) throw std::bad_alloc();
  std::ranges::copy(first, data.get());
  std::ranges::copy(second, data.get() + first.size());
}

void Fields::add(nghttp2_rcbuf* name, nghttp2_rcbuf* value, std::uint8_t flags) {
  list_.push_back({name, value, flags});
  nghttp2_rcbuf_incref(name);
  nghttp2_rcbuf_incref(value);
}

void Fields::clear() noexcept {
  for (const Field& field : list_) {
    nghttp2_rcbuf_decref(field.name);
    nghttp2_rcbuf_decref(field.value);
  }
  list_.clear();
}

Event& Session::queue(EventKind kind, std::int32_t stream, std::int64_t number) {
  Event& event = events_.emplace_back();
  event.kind = kind;
  event.stream = stream;
  event.number = number;
  return event;
}

Event Session::take_event() {
  Event event = std::move(events_.front());
  events_.pop_front();
  if (event.kind == EventKind::data) {
    if (Stream* stream = find(event.stream)) {
      if (stream->reading) {
        nghttp2_session_consume_stream(session_, event.stream, event.memory.size);
      } else {
        stream->unconsumed += event.memory.size;
      }
    }
  }
  return event;
}

Session::Stream& Session::add_stream(std::int32_t id, int category) {
  Stream& stream = streams_[id];
  stream.category = category;
  stream.most_field_bytes =
      nghttp2_session_get_local_settings(session_, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE);
  memory_ += sizeof(Stream);
  ++open_streams_;
  return stream;
}

void Session::erase(std::int32_t id) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  const Stream& stream = found->second;
  if (!stream.closed) --open_streams_;
  memory_ -= sizeof(Stream) + stream.field_bytes + stream.kept_bytes + stream.waiting;
  streams_.erase(found);
}

bool Session::can_add_stream() const {
  const std::size_t most =
      nghttp2_session_get_local_settings(session_, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
  return open_streams_ < most && has_memory(sizeof(Stream));
}

// ---- What arrives -------------------------------------------------------------------------------

void Session::receive(std::span<const std::byte> bytes) {
  failure_ = nullptr;
  statistics_.bytes_received += bytes.size();
  const ssize_t result = nghttp2_session_mem_recv2(
      session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (result < 0) queue(EventKind::error, 0, result).code = failure_;
}

int Session::begin_fields(const nghttp2_frame& frame) {
  const std::int32_t id = stream_of(frame);
  const int category = frame.hd.type == NGHTTP2_HEADERS ? frame.headers.cat : 0;
  if (Stream* stream = find(id)) {
    memory_ -= stream->field_bytes;
    stream->field_bytes = 0;
    stream->fields.clear();
    stream->category = category;
    return 0;
  }
  // A block for a stream that the owner has forgotten, before its reset has gone.
  if (frame.hd.type == NGHTTP2_HEADERS && category != kNewRequest) return 0;
  if (!can_add_stream()) {
    if (rejected_streams_++ > options_.max_rejected_streams) return NGHTTP2_ERR_CALLBACK_FAILURE;
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_ENHANCE_YOUR_CALM);
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }
  rejected_streams_ = 0;
  add_stream(id, category);
  return 0;
}

int Session::add_field(const nghttp2_frame& frame, nghttp2_rcbuf* name, nghttp2_rcbuf* value,
                       std::uint8_t flags) {
  const std::int32_t id = stream_of(frame);
  Stream* stream = find(id);
  if (stream == nullptr) return 0;
  const std::size_t name_size = text_of(name).size();
  if (name_size == 0) return 0;
  const std::size_t cost = name_size + text_of(value).size() + kFieldCost;
  if (!has_memory(cost) || stream->fields.list().size() == options_.max_header_pairs ||
      stream->field_bytes + cost > stream->most_field_bytes) {
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_ENHANCE_YOUR_CALM);
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }
  stream->fields.add(name, value, flags);
  stream->field_bytes += cost;
  memory_ += cost;
  return 0;
}

int Session::frame_arrived(const nghttp2_frame& frame) {
  ++statistics_.frames_received;
  switch (frame.hd.type) {
    case NGHTTP2_DATA:
      return data_frame_arrived(frame);
    case NGHTTP2_HEADERS:
    case NGHTTP2_PUSH_PROMISE:
      fields_arrived(frame);
      break;
    case NGHTTP2_SETTINGS:
      settings_arrived(frame.settings);
      break;
    case NGHTTP2_PRIORITY:
      if (wanted_.priority) {
        const nghttp2_priority_spec& spec = frame.priority.pri_spec;
        Event& event = queue(EventKind::priority, frame.hd.stream_id, spec.stream_id);
        event.weight = spec.weight;
        event.flags = spec.exclusive;
      }
      break;
    case NGHTTP2_RST_STREAM:
      if (Stream* stream = find(frame.hd.stream_id); stream != nullptr) stream->peer_reset = true;
      break;
    case NGHTTP2_GOAWAY:
      queue(EventKind::goaway, frame.goaway.last_stream_id, frame.goaway.error_code).memory =
          Memory(text_of(frame.goaway.opaque_data, frame.goaway.opaque_data_len));
      break;
    case NGHTTP2_PING: {
      const bool is_ack = (frame.hd.flags & NGHTTP2_FLAG_ACK) != 0;
      if (is_ack || wanted_.ping) {
        queue(is_ack ? EventKind::ping_ack : EventKind::ping).memory =
            Memory(text_of(frame.ping.opaque_data, sizeof frame.ping.opaque_data));
      }
      break;
    }
    case NGHTTP2_ALTSVC:
      if (wanted_.altsvc) {
        const auto& altsvc = *static_cast<const nghttp2_ext_altsvc*>(frame.ext.payload);
        queue(EventKind::altsvc, frame.hd.stream_id, static_cast<std::int64_t>(altsvc.origin_len))
            .memory = Memory(text_of(altsvc.origin, altsvc.origin_len),
                             text_of(altsvc.field_value, altsvc.field_value_len));
      }
      break;
    case NGHTTP2_ORIGIN: {
      const auto& origin = *static_cast<const nghttp2_ext_origin*>(frame.ext.payload);
      std::string names;
      for (std::size_t i = 0; i < origin.nov; ++i) {
        names.append(text_of(origin.ov[i].origin, origin.ov[i].origin_len)).push_back('\0');
      }
      queue(EventKind::origin).memory = Memory(names);
      break;
    }
    default:
      break;
  }
  return 0;
}

int Session::data_frame_arrived(const nghttp2_frame& frame) {
  if ((frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
    if (find(frame.hd.stream_id) != nullptr) queue(EventKind::end, frame.hd.stream_id);
  } else if (frame.hd.length == 0 && invalid_frames_++ > options_.max_invalid_frames) {
    // Frames with nothing in them are a way to keep a server busy.
    failure_ = "ERR_HTTP2_TOO_MANY_INVALID_FRAMES";
    return NGHTTP2_ERR_CALLBACK_FAILURE;
  }
  return 0;
}

void Session::fields_arrived(const nghttp2_frame& frame) {
  const std::int32_t id = stream_of(frame);
  Stream* stream = find(id);
  if (stream == nullptr) return;
  Event& event = queue(EventKind::head, id, stream->category);
  event.flags = frame.hd.flags;
  event.fields = std::move(stream->fields);
  // JavaScript may hold them as long as the stream lives.
  stream->kept_bytes += std::exchange(stream->field_bytes, 0);
  stream->known = true;
}

void Session::settings_arrived(const nghttp2_settings& frame) {
  if ((frame.hd.flags & NGHTTP2_FLAG_ACK) != 0) {
    queue(EventKind::settings_ack);
    return;
  }
  constexpr int kFirstUndefined = 7;
  // As they are now: another frame may follow before the owner is notified of this one.
  const auto known = settings_of(true);
  std::vector<std::uint32_t> numbers(known.begin(), known.end());
  for (const nghttp2_settings_entry& entry : std::span(frame.iv, frame.niv)) {
    if (entry.settings_id < kFirstUndefined ||
        entry.settings_id == NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL) {
      continue;
    }
    numbers.push_back(static_cast<std::uint32_t>(entry.settings_id));
    numbers.push_back(entry.value);
  }
  queue(EventKind::settings).memory =
      Memory({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0])});
}

int Session::invalid_frame(int error) {
  if (invalid_frames_++ > options_.max_invalid_frames) {
    failure_ = "ERR_HTTP2_TOO_MANY_INVALID_FRAMES";
    return NGHTTP2_ERR_CALLBACK_FAILURE;
  }
  // Those that end the connection: nghttp2 sends a GOAWAY, and the owner has to know as well.
  if (nghttp2_is_fatal(error) != 0 || error == NGHTTP2_ERR_STREAM_CLOSED ||
      error == NGHTTP2_ERR_FLOW_CONTROL || error == NGHTTP2_ERR_PROTO) {
    queue(EventKind::error, 0, error);
  }
  return 0;
}

void Session::data_arrived(std::int32_t id, std::string_view bytes) {
  if (bytes.empty()) return;
  nghttp2_session_consume_connection(session_, bytes.size());
  if (find(id) == nullptr) return;
  queue(EventKind::data, id).memory = Memory(bytes);
}

void Session::closed(std::int32_t id, std::uint32_t code) {
  Stream* stream = find(id);
  if (stream == nullptr || stream->closed) return;
  if (stream->known) {
    stream->closed = true;
    --open_streams_;
    queue(EventKind::closed, id, code).flags = stream->peer_reset ? 1 : 0;
  } else {
    erase(id);
  }
}

// ---- What is sent -------------------------------------------------------------------------------

void Session::gather(std::string& out, std::size_t most) {
  const std::size_t before = out.size();
  out_ = &out;
  while (out.size() < most) {
    const std::uint8_t* data = nullptr;
    const ssize_t size = nghttp2_session_mem_send2(session_, &data);
    if (size <= 0) break;
    out.append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
  }
  out_ = nullptr;
  statistics_.bytes_sent += out.size() - before;
}

std::vector<std::int32_t> Session::sent() {
  if (std::exchange(sent_own_goaway_, false)) queue(EventKind::error, 0, NGHTTP2_ERR_PROTO);
  if (closes_gracefully_ && !wants_write() && !wants_read()) {
    closes_gracefully_ = false;
    queue(EventKind::idle);
  }
  return std::exchange(completed_, {});
}

ssize_t Session::read_data(std::int32_t id, std::size_t most, std::uint32_t& flags) {
  Stream* stream = find(id);
  if (stream == nullptr) return NGHTTP2_ERR_DEFERRED;
  // Empty writes are done when they are reached.
  while (!stream->pieces.empty() && stream->pieces.front().rest.empty()) {
    stream->pieces.pop_front();
  }
  const std::size_t amount = std::min(stream->waiting, most);
  if (amount == stream->waiting && std::exchange(stream->is_writing, false)) {
    completed_.push_back(id);
  }
  if (amount == 0 && !stream->ended) return NGHTTP2_ERR_DEFERRED;
  if (amount > 0) flags |= NGHTTP2_DATA_FLAG_NO_COPY;
  stream->waiting -= amount;
  memory_ -= amount;
  if (stream->waiting == 0 && stream->ended) {
    flags |= NGHTTP2_DATA_FLAG_EOF;
    if (std::exchange(stream->wants_trailers, false)) {
      flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      queue(EventKind::wants_trailers, id);
    }
  }
  return static_cast<ssize_t>(amount);
}

void Session::send_data(const nghttp2_frame& frame, const std::uint8_t* head, std::size_t length) {
  constexpr std::size_t kHead = 9;
  const std::size_t padding = frame.data.padlen;
  out_->append(reinterpret_cast<const char*>(head), kHead);
  if (padding > 0) out_->push_back(static_cast<char>(padding - 1));
  // read_data() has promised these bytes.
  Stream& stream = *find(frame.hd.stream_id);
  while (length > 0) {
    std::string_view& rest = stream.pieces.front().rest;
    const std::size_t count = std::min(length, rest.size());
    out_->append(rest.substr(0, count));
    rest.remove_prefix(count);
    length -= count;
    if (rest.empty()) stream.pieces.pop_front();
  }
  if (padding > 0) out_->append(padding - 1, '\0');
}

void Session::frame_not_sent(const nghttp2_frame& frame, int error) {
  const bool is_closing = error == NGHTTP2_ERR_SESSION_CLOSING ||
                          error == NGHTTP2_ERR_STREAM_CLOSED || error == NGHTTP2_ERR_STREAM_CLOSING;
  // It belongs to something that has ended. That a GOAWAY cannot be sent must be known: nothing
  // else would end the session.
  if (is_closing && frame.hd.type != NGHTTP2_GOAWAY) return;
  queue(EventKind::frame_error, frame.hd.stream_id, code_of(error)).flags = frame.hd.type;
}

// ---- Streams ------------------------------------------------------------------------------------

std::int32_t Session::request(std::span<const nghttp2_nv> fields, Body body) {
  const nghttp2_data_provider2 provider = data_provider();
  const std::int32_t id =
      nghttp2_submit_request2(session_, &kNoPriority, fields.data(), fields.size(),
                              body == Body::none ? nullptr : &provider, nullptr);
  if (id > 0) {
    Stream& stream = add_stream(id, 0);
    stream.known = true;
    stream.ended = body == Body::none;
    stream.wants_trailers = body == Body::data_and_trailers;
  }
  return id;
}

std::int32_t Session::push(std::int32_t parent, std::span<const nghttp2_nv> fields, bool ended) {
  const std::int32_t id = nghttp2_submit_push_promise(session_, NGHTTP2_FLAG_NONE, parent,
                                                      fields.data(), fields.size(), nullptr);
  if (id > 0) {
    Stream& stream = add_stream(id, 0);
    stream.known = true;
    stream.ended = ended;
  }
  return id;
}

int Session::respond(std::int32_t id, std::span<const nghttp2_nv> fields, Body body) {
  Stream* stream = find(id);
  if (stream == nullptr) return NGHTTP2_ERR_STREAM_CLOSED;
  stream->wants_trailers = body == Body::data_and_trailers;
  const nghttp2_data_provider2 provider = data_provider();
  const bool has_body = body != Body::none && !stream->ended;
  return nghttp2_submit_response2(session_, id, fields.data(), fields.size(),
                                  has_body ? &provider : nullptr);
}

int Session::inform(std::int32_t id, std::span<const nghttp2_nv> fields) {
  return nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, id, nullptr, fields.data(),
                                fields.size(), nullptr);
}

int Session::send_trailers(std::int32_t id, std::span<const nghttp2_nv> fields) {
  // Some browsers cannot take a block without fields: an empty DATA frame ends the stream as well.
  if (!fields.empty()) {
    return nghttp2_submit_trailer(session_, id, fields.data(), fields.size());
  }
  const nghttp2_data_provider2 provider = data_provider();
  return nghttp2_submit_data2(session_, NGHTTP2_FLAG_END_STREAM, id, &provider);
}

bool Session::write(std::int32_t id, std::vector<Piece> pieces) {
  Stream* stream = find(id);
  if (stream == nullptr || stream->ended) return false;
  for (Piece& piece : pieces) {
    stream->waiting += piece.rest.size();
    memory_ += piece.rest.size();
    stream->pieces.push_back(std::move(piece));
  }
  stream->is_writing = true;
  nghttp2_session_resume_data(session_, id);
  return true;
}

void Session::end(std::int32_t id) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  stream->ended = true;
  nghttp2_session_resume_data(session_, id);
}

void Session::reset(std::int32_t id, std::uint32_t code) {
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, code);
}

void Session::give_up(std::int32_t id) {
  if (Stream* stream = find(id)) stream->given_up = true;
}

bool Session::was_given_up(const Event& event) {
  const bool is_of_peer = event.kind == EventKind::head || event.kind == EventKind::data ||
                          event.kind == EventKind::end;
  const Stream* const stream = is_of_peer ? find(event.stream) : nullptr;
  return stream != nullptr && stream->given_up;
}

void Session::set_reading(std::int32_t id, bool on) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  stream->reading = on;
  if (on && stream->unconsumed > 0) {
    nghttp2_session_consume_stream(session_, id, std::exchange(stream->unconsumed, 0));
  }
}

void Session::forget(std::int32_t id) {
  erase(id);
}

// ---- The connection -----------------------------------------------------------------------------

void Session::settings(std::span<const nghttp2_settings_entry> entries) {
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, entries.data(), entries.size());
}

std::array<std::uint32_t, kSettingCount> Session::settings_of(bool peer) const {
  constexpr nghttp2_settings_id kIds[kSettingCount] = {
      NGHTTP2_SETTINGS_HEADER_TABLE_SIZE,      NGHTTP2_SETTINGS_ENABLE_PUSH,
      NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE,    NGHTTP2_SETTINGS_MAX_FRAME_SIZE,
      NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
      NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL};
  const auto get = peer ? nghttp2_session_get_remote_settings : nghttp2_session_get_local_settings;
  std::array<std::uint32_t, kSettingCount> values{};
  std::ranges::transform(kIds, values.begin(), [&](auto id) { return get(session_, id); });
  return values;
}

void Session::ping(const std::uint8_t* payload) {
  nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, payload);
}

void Session::goaway(std::uint32_t code, std::int32_t last_stream,
                     std::span<const std::uint8_t> data) {
  goaway_is_ours_ = true;
  if (last_stream <= 0) last_stream = nghttp2_session_get_last_proc_stream_id(session_);
  nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, last_stream, code, data.data(), data.size());
}

void Session::terminate(std::uint32_t code) {
  goaway_is_ours_ = true;
  nghttp2_session_terminate_session(session_, code);
}

}  // namespace rondo::http2
