// HTTP/2 connections for lib/internal/http2/: http2::Session between a stream handle and
// JavaScript.
//
// A session that has consumed a stream reads and writes it without a call into JavaScript. What has
// happened is reported afterwards, event by event, by the functions of Http2Hooks, by the numbers
// of http2::EventKind: (stream, number, flags, payload, more), called on the handle. Ticks and
// microtasks run after each. What they have submitted then goes out as one write.
//
// JavaScript knows streams by their ids: there is no object for each of them here.
//
// While a write is in progress nothing more is read: a peer that sends and does not read what it
// gets in answer waits for itself.
#pragma once

#include <v8.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "http2/session.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"
#include "runtime/streams/stream_handle.h"

namespace rondo {

constexpr std::size_t kHttp2EventKinds = static_cast<std::size_t>(http2::EventKind::idle) + 1;

// ---- What sessions call -------------------------------------------------------------------------

class Http2Hooks final : public Wrapped {
 public:
  Http2Hooks(Environment& environment, v8::Local<v8::Object> object,
             v8::Local<v8::Array> functions);
  static void make(const Arguments& args);

  v8::Local<v8::Function> function(http2::EventKind kind) {
    return functions_[static_cast<std::size_t>(kind)].Get(environment().isolate());
  }
  /// The one after all events: a destroyed session has written its last bytes.
  v8::Local<v8::Function> done() {
    return functions_[kHttp2EventKinds].Get(environment().isolate());
  }

  /// Strings of HPACK's static table are made once.
  v8::Local<v8::String> text(nghttp2_rcbuf* buffer, v8::NewStringType type);

 private:
  std::array<v8::Global<v8::Function>, kHttp2EventKinds + 1> functions_;
  std::unordered_map<const nghttp2_rcbuf*, v8::Global<v8::String>> known_;
};

// ---- Sessions -----------------------------------------------------------------------------------

class Http2Session final : public Wrapped, private StreamConsumer {
 public:
  Http2Session(Environment& environment, v8::Local<v8::Object> object, Http2Hooks& hooks,
               http2::Side side, const http2::Options& options)
      : Wrapped(environment, object),
        hooks_(hooks),
        session_(std::make_unique<http2::Session>(side, options)),
        link_(std::make_shared<Http2Session*>(this)) {}

  ~Http2Session() override {
    *link_ = nullptr;
    unconsume();
  }

  static void make(const Arguments& args);
  // What lib/ calls: see runtime/bindings/network/http2.cpp. Undefined of a destroyed session.
  void consume_stream(v8::Local<v8::Value> handle);
  void receive(v8::Local<v8::Value> view);
  std::optional<bool> destroy(double code, bool is_socket_closed);
  void wants(std::uint32_t bits);
  bool has_pending_data() const;
  double write_count() const { return writes_; }
  void close_gracefully();

  std::optional<std::int32_t> request(v8::Local<v8::Value> fields, std::uint32_t body);
  std::optional<int> respond(double stream, v8::Local<v8::Value> fields, std::uint32_t body);
  std::optional<int> inform(double stream, v8::Local<v8::Value> fields);
  std::optional<int> send_trailers(double stream, v8::Local<v8::Value> fields);
  std::optional<std::int32_t> push(double stream, v8::Local<v8::Value> fields, bool has_ended);
  std::optional<bool> write(double stream, v8::Local<v8::Value> data, bool is_latin1);
  std::optional<bool> write_all(double stream, v8::Local<v8::Value> views);
  void end(double stream);
  void reset(double stream, double code);
  void set_reading(double stream, bool reads);
  void forget(double stream);

  void settings(v8::Local<v8::Value> entries);
  void ping(const ReadBytes& payload);
  void goaway(double code, double last_stream, v8::Local<v8::Value> data);
  void altsvc(double stream, v8::Local<v8::Value> origin, v8::Local<v8::Value> value);
  void origin(v8::Local<v8::Value> names);
  std::optional<bool> set_next_stream_id(double id);
  std::optional<int> set_local_window_size(double size);
  void state(v8::Local<v8::Value> array) const;
  void statistics(v8::Local<v8::Value> array) const;
  void stream_state(double number, v8::Local<v8::Value> array) const;
  void settings_of(bool of_peer, v8::Local<v8::Value> array) const;

 private:
  struct Reset {
    std::int32_t stream;
    std::uint32_t code;
  };

  // Of the stream.
  void consume(std::span<const std::byte> bytes) override;
  void consume_end(std::int32_t) override {}
  bool leaves_end() const override { return true; }
  void consumer_written(std::int32_t status) override;
  void stream_gone() override { stream_ = nullptr; }

  void unconsume() noexcept {
    if (stream_ != nullptr) stream_->set_consumer(nullptr);
    stream_ = nullptr;
  }
  void take_in(std::span<const std::byte> bytes);
  void pump(bool drains);
  void pump_soon();
  void deliver();
  void report(http2::Event event);
  void gather();
  bool write_out();
  void finish_writes();
  void stop_reading_if_busy();
  /// Those of resets_ for this stream, or all for 0.
  void send_resets(std::int32_t stream);
  void call(v8::Local<v8::Function> function,
            std::initializer_list<v8::Local<v8::Value>> arguments);

  Http2Hooks& hooks_;
  std::unique_ptr<http2::Session> session_;  // null once destroyed
  std::shared_ptr<Http2Session*> link_;      // callbacks of the loop may come after our end
  StreamHandle* stream_ = nullptr;
  std::string out_;
  std::vector<Reset> resets_;  // that wait for the current write
  double writes_ = 0;
  bool pumping_ = false;
  bool drains_ = true;          // see pump()
  bool was_submitted_ = false;  // during pump(), something that it may not have sent
  bool pump_is_due_ = false;
  bool is_writing_ = false;
  bool stopped_reading_ = false;
  bool reports_done_ = false;  // when the current write is
};

}  // namespace rondo
