// The binding `js_stream`: a stream handle (stream_handle.h) above a Duplex of JavaScript, for TLS
// over anything that is not a socket. lib/internal/js_stream_socket.js has the other half. Beyond
// stream_handle.h:
//
//   onreadstart(), onreadstop()
//   onwrite(buffer)           write this; finishWrite(status) reports that it is done
//   onshutdown()              end our side
//   readBuffer(bytes)         has arrived
//   emitEOF()                 nothing more will come
#include <cstddef>
#include <initializer_list>
#include <string>

#include "core/containers/fifo.h"
#include "runtime/bytes/buffer.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"
#include "runtime/streams/stream_handle.h"
#include "runtime/tls/tls_stream.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

class JsStream final : public StreamHandle {
 public:
  using StreamHandle::StreamHandle;

  static void make(Environment& environment, Local<v8::Object> object) {
    new JsStream(environment, object);
  }

  void read_buffer(std::span<std::uint8_t> bytes) {
    const CalledFromJs from_js;
    inject(std::as_bytes(bytes));
  }

  void emit_eof() {
    const CalledFromJs from_js;
    deliver_status(0);
  }

  void finish_write(std::int32_t status) {
    const CalledFromJs from_js;
    queued_ = 0;
    written(status);
    write_next();
  }

 protected:
  std::int32_t start_reading() override {
    call("onreadstart", {});
    return 0;
  }
  void stop_reading() override { call("onreadstop", {}); }
  std::int64_t write_now(std::span<const iovec> /*pieces*/) override { return 0; }

  /// One write at a time is JavaScript's.
  void write_later(std::string bytes) override {
    waiting_.push_back(std::move(bytes));
    if (queued_ == 0) write_next();
  }
  std::size_t queued() const override { return queued_; }

  std::int32_t shut_down() override {
    if (queued_ > 0) {
      ends_ = true;
    } else {
      call("onshutdown", {});
    }
    return 0;
  }
  void tear_down() noexcept override { waiting_.clear(); }
  int descriptor() const override { return -1; }
  void keep_alive(bool /*on*/) override {}

 private:
  void write_next() {
    if (waiting_.empty()) {
      if (std::exchange(ends_, false)) call("onshutdown", {});
      return;
    }
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope inside(environment().context());
    const std::string bytes = std::move(waiting_.front());
    waiting_.pop_front();
    Local<v8::Object> buffer;
    if (!make_buffer(environment(), std::as_bytes(std::span(bytes))).ToLocal(&buffer)) return;
    queued_ = bytes.size();
    call("onwrite", {buffer});
  }

  void call(const char* name, std::initializer_list<Local<Value>> arguments) {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope inside(environment().context());
    Local<Value> function;
    if (object()->Get(environment().context(), environment().name(name)).ToLocal(&function) &&
        function->IsFunction()) {
      environment().call(object(), function.As<v8::Function>(), arguments);
    }
  }

  Fifo<std::string> waiting_;
  std::size_t queued_ = 0;
  bool ends_ = false;
};

constexpr Method kMethods[] = {
    method<&JsStream::read_buffer>("readBuffer"),
    method<&JsStream::emit_eof>("emitEOF"),
    method<&JsStream::finish_write>("finishWrite"),
};

constexpr ClassShape kClasses[] = {{.name = "JSStream",
                                    .construct = constructor<JsStream::make>(),
                                    .methods = kMethods,
                                    .base = &StreamHandle::kBase}};

}  // namespace

extern const Binding binding_js_stream;
const Binding binding_js_stream{.name = "js_stream", .classes = kClasses};

}  // namespace rondo
