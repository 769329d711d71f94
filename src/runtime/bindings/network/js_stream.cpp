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

  static void make(const Arguments& args) {
    new JsStream(Environment::of(args.GetIsolate()), args.This());
  }

  static void read_buffer(const Arguments& args) {
    const CalledFromJs from_js;
    of(args)->inject(std::as_bytes(bytes_of(args[0])));
  }

  static void emit_eof(const Arguments& args) {
    const CalledFromJs from_js;
    of(args)->deliver_status(0);
  }

  static void finish_write(const Arguments& args) {
    const CalledFromJs from_js;
    JsStream* self = of(args);
    self->queued_ = 0;
    self->written(args[0].As<v8::Int32>()->Value());
    self->write_next();
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
  static JsStream* of(const Arguments& args) { return from<JsStream>(args.This()); }

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
    {"readBuffer", JsStream::read_buffer},
    {"emitEOF", JsStream::emit_eof},
    {"finishWrite", JsStream::finish_write},
};

void extend(Environment& environment, Local<v8::Object> target) {
  const auto made = StreamHandle::make_class(environment, "JSStream", JsStream::make);
  add_methods(environment, made, kMethods);
  set_value(environment, target, "JSStream",
            made->GetFunction(environment.isolate()->GetCurrentContext()).ToLocalChecked());
}

}  // namespace

extern const Binding binding_js_stream;
const Binding binding_js_stream{"js_stream", {}, extend};

}  // namespace rondo
