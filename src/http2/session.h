// One connection of HTTP/2, on nghttp2: no I/O, no V8.
//
// Bytes go in by receive() and come out by gather(). What the owner has to know is in
// events() afterwards, in order: nothing of the owner's runs while nghttp2 is on the stack, so that
// whatever it does in answer, down to ending the session, is safe.
//
//     session.receive(bytes);
//     while (auto event = session.next_event()) ...;
//     session.gather(out, kMost);   // and write `out` to the socket
//
// Limits: what a peer can make us keep is bounded by Options. The memory of nghttp2, of headers and
// of data that waits counts; a session above its limit refuses new streams, and headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "http2/engine_nghttp2.h"

namespace rondo::http2 {

enum class Side : std::uint8_t { server, client };
enum class Padding : std::uint8_t { none, aligned, most };

struct Options {
  std::optional<std::uint32_t> max_deflate_table;
  std::optional<std::uint32_t> max_reserved_remote_streams;
  std::optional<std::uint32_t> max_send_header_block;
  std::optional<std::uint32_t> max_settings;
  std::uint32_t peer_max_concurrent_streams = 100;
  std::uint32_t max_header_pairs = 128;
  std::uint32_t max_invalid_frames = 1000;
  std::uint32_t max_rejected_streams = 100;
  std::uint64_t max_memory = 10'000'000;
  std::uint64_t reset_burst = 0;  // of streams; 0 for nghttp2's own limits
  std::uint64_t reset_rate = 0;   // a second
  Padding padding = Padding::none;
  bool allows_field_whitespace = false;
};

enum class EventKind : std::uint8_t {
  head,            // a block of header fields; number: its category, flags
  data,            // memory
  end,             // the peer sends no more on this stream
  closed,          // number: the code
  wants_trailers,  // all data has gone
  written,         // never queued: sent() reports writes
  goaway,          // number: the code; stream: the last stream; memory: opaque data
  settings,        // of the peer; memory: settings_of(), then ids and values of others
  settings_ack,
  ping,         // memory: eight bytes
  ping_ack,     // likewise
  altsvc,       // memory: origin, number of its bytes, then the value
  origin,       // memory: names, each followed by a NUL
  priority,     // number: parent; weight; flags: exclusive
  frame_error,  // a frame could not be sent; number: code; flags: type
  error,        // of nghttp2: the connection is broken; code: a name for it, or null
  idle,         // closing, and nothing is left to send or to receive
};

/// The settings that HTTP/2 defines, in the order of the properties in Node.
enum class Setting : std::uint8_t {
  header_table_size,
  enable_push,
  initial_window_size,
  max_frame_size,
  max_concurrent_streams,
  max_header_list_size,
  enable_connect_protocol,
  kCount,
};
constexpr std::size_t kSettingCount = static_cast<std::size_t>(Setting::kCount);

/// Bytes that JavaScript can own: from malloc().
struct Memory {
  struct Free {
    void operator()(char* memory) const noexcept { std::free(memory); }
  };
  Memory() = default;
  explicit Memory(std::string_view bytes);
  Memory(std::string_view first, std::string_view second);

  std::unique_ptr<char, Free> data;
  std::size_t size = 0;
};

/// Header fields, which nghttp2 counts the references of.
class Fields {
 public:
  struct Field {
    nghttp2_rcbuf* name;
    nghttp2_rcbuf* value;
    std::uint8_t flags;
  };
  Fields() = default;
  Fields(Fields&& other) noexcept : list_(std::exchange(other.list_, {})) {}
  Fields& operator=(Fields&& other) noexcept {
    std::swap(list_, other.list_);
    return *this;
  }
  ~Fields() { clear(); }

  void add(nghttp2_rcbuf* name, nghttp2_rcbuf* value, std::uint8_t flags);
  void clear() noexcept;
  const std::vector<Field>& list() const noexcept { return list_; }

 private:
  std::vector<Field> list_;
};

struct Event {
  EventKind kind{};
  std::uint8_t flags = 0;
  std::int32_t stream = 0;
  std::int64_t number = 0;
  std::int32_t weight = 0;
  const char* code = nullptr;
  Memory memory;
  Fields fields;
};

/// Bytes to be sent, and what keeps them alive until then.
struct Piece {
  Piece(std::shared_ptr<const void> keeps, std::string_view bytes)
      : holder(std::move(keeps)), rest(bytes) {}
  explicit Piece(std::string text)
      : holder(std::make_shared<const std::string>(std::move(text))),
        rest(*static_cast<const std::string*>(holder.get())) {}

  std::shared_ptr<const void> holder;
  std::string_view rest;
};

/// What body a message has beside its head.
enum class Body : std::uint8_t { none, data, data_and_trailers };

class Session {
 public:
  Session(Side side, const Options& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // ---- Bytes and events -------------------------------------------------------------------------

  void receive(std::span<const std::byte> bytes);
  /// Appends what is to be sent, frame by frame, until there is nothing or `out` has this many
  /// bytes.
  void gather(std::string& out, std::size_t most);
  /// What gather() has appended is gone. The streams whose writes that has completed.
  std::vector<std::int32_t> sent();
  bool has_events() const noexcept { return !events_.empty(); }
  Event take_event();
  void drop_events() noexcept { events_.clear(); }
  void add_event(Event event) { events_.push_back(std::move(event)); }

  bool wants_read() const { return nghttp2_session_want_read(session_) != 0; }
  bool wants_write() const { return nghttp2_session_want_write(session_) != 0; }
  nghttp2_session* raw() const noexcept { return session_; }
  Side side() const noexcept { return side_; }

  struct Statistics {
    std::uint64_t frames_received = 0;
    std::uint64_t frames_sent = 0;
    std::uint64_t bytes_received = 0;
    std::uint64_t bytes_sent = 0;
  };
  const Statistics& statistics() const noexcept { return statistics_; }

  /// Events that the owner wants, of those that cost nothing otherwise.
  struct Wanted {
    bool ping = false;
    bool altsvc = false;
    bool priority = false;
    bool frame_error = true;
  };
  Wanted& wanted() noexcept { return wanted_; }

  // ---- Streams: results below 0 are nghttp2's errors --------------------------------------------

  /// The id of the new stream.
  std::int32_t request(std::span<const nghttp2_nv> fields, Body body);
  std::int32_t push(std::int32_t stream, std::span<const nghttp2_nv> fields, bool ended);
  int respond(std::int32_t stream, std::span<const nghttp2_nv> fields, Body body);
  int inform(std::int32_t stream, std::span<const nghttp2_nv> fields);
  int send_trailers(std::int32_t stream, std::span<const nghttp2_nv> fields);
  /// Data to be sent; sent() reports when all of it is gone. False: there is no such
  /// stream, or it has been ended.
  bool write(std::int32_t stream, std::vector<Piece> pieces);
  void end(std::int32_t stream);
  void reset(std::int32_t stream, std::uint32_t code);
  /// It will be reset. What has arrived for it, and was not taken yet, is not reported any more.
  void give_up(std::int32_t stream);
  bool was_given_up(const Event& event);
  /// Data that arrives is consumed from now on, or makes the peer wait.
  void set_reading(std::int32_t stream, bool on);
  /// The owner is done with it.
  void forget(std::int32_t stream);
  bool knows(std::int32_t stream) const { return streams_.contains(stream); }

  // ---- The connection ---------------------------------------------------------------------------

  void settings(std::span<const nghttp2_settings_entry> entries);
  /// Header table, push, initial window, frame size, streams, header list, extended CONNECT: those
  /// in force for us, or for the peer.
  std::array<std::uint32_t, kSettingCount> settings_of(bool peer) const;
  void ping(const std::uint8_t* payload);
  void goaway(std::uint32_t code, std::int32_t last_stream, std::span<const std::uint8_t> data);
  /// A GOAWAY, and nothing more.
  void terminate(std::uint32_t code);
  /// What is in progress is finished; then an `idle` event follows.
  void close_gracefully() noexcept { closes_gracefully_ = true; }

 private:
  struct Stream {
    Fields fields;
    std::size_t field_bytes = 0;
    std::size_t most_field_bytes = 0;  // of a block: our setting when the stream began
    std::size_t kept_bytes = 0;        // of fields that JavaScript may hold
    int category = 0;
    std::deque<Piece> pieces;
    std::size_t waiting = 0;     // bytes in them
    std::size_t unconsumed = 0;  // that arrived while reading was paused
    bool reading = false;
    bool known = false;   // to the owner
    bool closed = false;  // to nghttp2
    bool peer_reset = false;
    bool ended = false;     // by us
    bool given_up = false;  // by us: what arrived for it is not reported any more
    bool wants_trailers = false;
    bool is_writing = false;
  };

  struct Callbacks;
  static nghttp2_data_provider2 data_provider();

  Stream* find(std::int32_t id) {
    const auto found = streams_.find(id);
    return found == streams_.end() ? nullptr : &found->second;
  }
  Stream& add_stream(std::int32_t id, int category);
  void erase(std::int32_t id);
  bool can_add_stream() const;
  bool has_memory(std::size_t more) const noexcept { return memory_ + more <= options_.max_memory; }
  Event& queue(EventKind kind, std::int32_t stream = 0, std::int64_t number = 0);

  int begin_fields(const nghttp2_frame& frame);
  int add_field(const nghttp2_frame& frame, nghttp2_rcbuf* name, nghttp2_rcbuf* value,
                std::uint8_t flags);
  int frame_arrived(const nghttp2_frame& frame);
  int data_frame_arrived(const nghttp2_frame& frame);
  void fields_arrived(const nghttp2_frame& frame);
  void settings_arrived(const nghttp2_settings& frame);
  int invalid_frame(int error);
  void data_arrived(std::int32_t stream, std::string_view bytes);
  void closed(std::int32_t stream, std::uint32_t code);
  void frame_not_sent(const nghttp2_frame& frame, int error);
  ssize_t read_data(std::int32_t stream, std::size_t most, std::uint32_t& flags);
  void send_data(const nghttp2_frame& frame, const std::uint8_t* head, std::size_t length);

  Side side_;
  Options options_;
  nghttp2_session* session_ = nullptr;
  std::unordered_map<std::int32_t, Stream> streams_;
  std::size_t open_streams_ = 0;  // those that are not closed
  std::deque<Event> events_;
  std::vector<std::int32_t> completed_;  // streams whose writes are in what was gathered
  std::string* out_ = nullptr;           // during gather()
  std::size_t memory_ = 0;
  std::uint32_t invalid_frames_ = 0;
  std::uint32_t rejected_streams_ = 0;
  const char* failure_ = nullptr;  // a name for the error that receive() ends with
  Wanted wanted_;
  Statistics statistics_;
  bool closes_gracefully_ = false;
  bool goaway_is_ours_ = false;
  bool sent_own_goaway_ = false;  // of nghttp2
};

}  // namespace rondo::http2
