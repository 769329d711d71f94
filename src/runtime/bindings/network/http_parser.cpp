// HTTP parsers for node:http: http::MessageParser with JavaScript as its listener.
//
// A parser that was given hooks (new HTTPParser(hooks)) belongs to lib/: heads arrive in one call,
// as a number of bits, the target and all header lines in one string, which lib/ takes apart when
// the program reads them. A parser without hooks is Node's HTTPParser, for programs that use
// process.binding('http_parser'): its functions are its properties kOnHeadersComplete, kOnBody and
// so on.
//
// A parser that has consumed a stream gets what is read straight from the loop. Otherwise lib/
// passes what has arrived to execute().
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/loop_core.h"
#include "http/message_parser.h"
#include "runtime/bytes/buffer.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"
#include "runtime/streams/stream_handle.h"
#include "runtime/tls/tls_stream.h"

namespace rondo {
namespace {

using http::Head;
using http::MessageKind;
using http::Next;
using v8::Local;
using v8::Value;

/// Where Node's HTTPParser has its functions.
enum Callback : std::uint32_t {
  kOnMessageBegin,
  kOnHeaders,
  kOnHeadersComplete,
  kOnBody,
  kOnMessageComplete,
  kOnExecute,
  kOnTimeout,
};

/// What lib/ gets of a head, beside the method (bits 0 to 7) and the version (8 to 11, 12 to 15).
enum HeadBits : std::uint32_t {
  kKeepAlive = 1U << 16,
  kUpgrade = 1U << 17,
  kHasBody = 1U << 18,
  kHasHost = 1U << 19,
  kHasExpect = 1U << 20,
  kHasBodyHeaders = 1U << 21,
};

/// What lib/ returns for a head: http::Next in bits 0 and 1, and these.
enum ReplyBits : std::int32_t {
  kCompleted = 4,      // the end was reported as well: there is no body
  kReportChunk = 8,    // call onExecute after these bytes,
  kReportChunks = 16,  // and after all that follow
};

bool equals_lower(std::string_view name, std::string_view lower) {
  return std::ranges::equal(name, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  });
}

std::uint32_t bits_of(const Head& head) {
  std::uint32_t bits = head.method | static_cast<std::uint32_t>(head.major) << 8 |
                       static_cast<std::uint32_t>(head.minor) << 12;
  if (head.keep_alive) bits |= kKeepAlive;
  if (head.upgrade) bits |= kUpgrade;
  if (head.has_body) bits |= kHasBody;
  if (head.kind != MessageKind::request) return bits;
  std::string_view rest = head.lines;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view name = rest.substr(0, end);
    switch (name.size()) {
      case 4:
        if (equals_lower(name, "host")) bits |= kHasHost;
        break;
      case 6:
        if (equals_lower(name, "expect")) bits |= kHasExpect;
        break;
      case 14:
        if (equals_lower(name, "content-length")) bits |= kHasBodyHeaders;
        break;
      case 17:
        if (equals_lower(name, "transfer-encoding")) bits |= kHasBodyHeaders;
        break;
    }
    rest.remove_prefix(rest.find('\n', end + 1) + 1);
  }
  return bits;
}

Local<v8::String> latin1(v8::Isolate* isolate, std::string_view text) {
  return v8::String::NewFromOneByte(isolate, reinterpret_cast<const std::uint8_t*>(text.data()),
                                    v8::NewStringType::kNormal, static_cast<int>(text.size()))
      .ToLocalChecked();
}

// ---- What the parsers of lib/ call -------------------------------------------------------------

class Hooks final : public Wrapped {
 public:
  Hooks(Environment& environment, Local<v8::Object> object, const Arguments& args)
      : Wrapped(environment, object) {
    v8::Isolate* isolate = environment.isolate();
    head.Reset(isolate, args[0].As<v8::Function>());
    body.Reset(isolate, args[1].As<v8::Function>());
    complete.Reset(isolate, args[2].As<v8::Function>());
    execute.Reset(isolate, args[3].As<v8::Function>());
    hold();  // lib/ has one, for good
  }

  static void make(const Arguments& args) {
    for (int i = 0; i < 4; ++i) {
      if (!args.IsConstructCall() || !args[i]->IsFunction()) return;
    }
    new Hooks(Environment::of(args.GetIsolate()), args.This(), args);
  }

  v8::Global<v8::Function> head;
  v8::Global<v8::Function> body;
  v8::Global<v8::Function> complete;
  v8::Global<v8::Function> execute;
};

// ---- The parser ---------------------------------------------------------------------------------

class HttpParser;

/// The connections of a server: slow ones, idle ones.
class ConnectionsList final : public Wrapped {
 public:
  using Wrapped::Wrapped;
  ~ConnectionsList() override;

  static void make(const Arguments& args) {
    if (args.IsConstructCall())
      new ConnectionsList(Environment::of(args.GetIsolate()), args.This());
  }
  static void all(const Arguments& args);
  static void idle(const Arguments& args);
  static void active(const Arguments& args);
  static void expired(const Arguments& args);

  void add(HttpParser& parser);
  void remove(HttpParser& parser) noexcept;

 private:
  /// Those that `wanted` is true for, the oldest request first.
  template <class Wanted>
  static void select(const Arguments& args, const Wanted& wanted);

  std::vector<HttpParser*> parsers_;
};

class HttpParser final : public Wrapped, private http::MessageEvents, private StreamConsumer {
 public:
  HttpParser(Environment& environment, Local<v8::Object> object, Hooks* hooks)
      : Wrapped(environment, object), hooks_(hooks), parser_(*this) {}

  ~HttpParser() override {
    unconsume();
    leave_connections();
  }

  static void make(const Arguments& args) {
    if (!args.IsConstructCall()) return;
    new HttpParser(Environment::of(args.GetIsolate()), args.This(), from<Hooks>(args[0]));
  }

  /// (type, resource, most bytes of a head, leniency, connections, most names and values)
  static void initialize(const Arguments& args);
  static void execute(const Arguments& args);
  static void finish(const Arguments& args);
  static void pause(const Arguments& args) { of(args)->parser_.pause(); }
  static void resume(const Arguments& args) { of(args)->parser_.resume(); }
  static void consume(const Arguments& args);
  static void unconsume(const Arguments& args) { of(args)->unconsume(); }
  static void get_current_buffer(const Arguments& args);
  /// No more calls. Returns whether it is in the middle of one, and must not be reused.
  static void remove(const Arguments& args);
  /// Node's parsers have these as well; ours end with their objects.
  static void nothing(const Arguments&) {}

 private:
  friend class ConnectionsList;
  class Gathering;

  static HttpParser* of(const Arguments& args) { return from<HttpParser>(args.This()); }

  // Events of http::MessageParser.
  void message_begins() override;
  Next head_complete(const Head& head) override;
  Next body(std::span<const char> bytes) override;
  Next message_complete(std::string_view trailers, std::size_t trailer_count) override;

  // Events of a stream that was consumed.
  void consume(std::span<const std::byte> bytes) override;
  void consume_end(std::int32_t) override {}
  bool leaves_end() const override { return true; }
  void consumer_written(std::int32_t) override {}
  void stream_gone() override { stream_ = nullptr; }

  void unconsume() noexcept {
    if (stream_ != nullptr) stream_->set_consumer(nullptr);
    stream_ = nullptr;
  }
  void leave_connections() noexcept {
    if (connections_ != nullptr) connections_->remove(*this);
  }
  std::int64_t now_ms() { return environment().loop().core().now_ms(); }

  Next head_for_lib(const Head& head);
  Next head_for_program(const Head& head);
  v8::MaybeLocal<Value> call(Local<Value> function, std::initializer_list<Local<Value>> arguments);
  Local<Value> property(std::uint32_t index);
  Local<v8::Array> list_of(std::string_view lines, std::size_t count) const;
  Local<Value> run(std::span<const char> bytes, bool at_end);
  void report(Local<Value> result, std::span<const char> bytes);
  Local<Value> error_of(const http::Parsed& result);
  Next failed() noexcept {
    failed_ = true;
    return Next::stop;
  }

  Hooks* hooks_;  // null for a program's own
  http::MessageParser parser_;
  StreamHandle* stream_ = nullptr;
  ConnectionsList* connections_ = nullptr;
  std::size_t place_ = 0;           // among them
  Gathering* gathering_ = nullptr;  // while bytes are parsed that may have several requests
  std::span<const char> current_;
  std::string later_;                  // for execute(), from a function that it has called
  std::int64_t message_start_ms_ = 0;  // 0: between messages
  bool from_loop_ = false;             // rather than from JavaScript
  bool failed_ = false;                // a function has thrown
  bool head_done_ = false;
  bool has_received_ = false;
  bool is_active_ = false;
  bool skips_complete_ = false;
  bool reports_chunk_ = false;
  bool reports_chunks_ = false;
};

v8::MaybeLocal<Value> HttpParser::call(Local<Value> function,
                                       std::initializer_list<Local<Value>> arguments) {
  if (from_loop_) return environment().call(object(), function.As<v8::Function>(), arguments);
  return function.As<v8::Function>()->Call(environment().context(), object(),
                                           static_cast<int>(arguments.size()),
                                           const_cast<Local<Value>*>(arguments.begin()));
}

Local<Value> HttpParser::property(std::uint32_t index) {
  Local<Value> value;
  if (!object()->Get(environment().context(), index).ToLocal(&value)) return {};
  return value->IsFunction() ? value : Local<Value>();
}

Local<v8::Array> HttpParser::list_of(std::string_view lines, std::size_t count) const {
  v8::Isolate* isolate = environment().isolate();
  std::vector<Local<Value>> strings;
  strings.reserve(count * 2);
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    strings.push_back(latin1(isolate, lines.substr(0, end)));
    lines.remove_prefix(end + 1);
  }
  return v8::Array::New(isolate, strings.data(), strings.size());
}

/// Collects the responses to requests that have arrived together; see begin_gathering(). The first
/// is written while its request is parsed, the others in ticks, each when the one before it is
/// done. A response to one request leaves at once: code that blocks after it must not delay it.
class HttpParser::Gathering {
 public:
  Gathering(HttpParser& parser, std::string_view bytes) : parser_(parser) {
    constexpr std::string_view kEndOfHead = "\r\n\r\n";
    if (parser.hooks_ == nullptr || parser.stream_ == nullptr) return;
    const std::size_t end = bytes.find(kEndOfHead);
    if (end == std::string_view::npos || end + kEndOfHead.size() == bytes.size()) return;
    parser.gathering_ = this;
  }
  ~Gathering() {
    parser_.gathering_ = nullptr;
    if (link_ != nullptr && link_->handle != nullptr) link_->handle->end_gathering();
  }
  Gathering(const Gathering&) = delete;
  Gathering& operator=(const Gathering&) = delete;

  void message_begins() {
    if (std::exchange(has_begun_, true)) begin();
  }
  /// More bytes follow, so a head without a body is followed by another request.
  void head_complete(bool has_body) {
    if (!has_body) begin();
  }
  bool active() const noexcept { return link_ != nullptr; }

 private:
  void begin() {
    if (link_ != nullptr || parser_.stream_ == nullptr) return;
    link_ = parser_.stream_->link();
    link_->handle->begin_gathering();
  }

  HttpParser& parser_;
  std::shared_ptr<StreamHandle::Link> link_;
  bool has_begun_ = false;
};

// ---- Events -------------------------------------------------------------------------------------

void HttpParser::message_begins() {
  message_start_ms_ = std::max<std::int64_t>(now_ms(), 1);
  head_done_ = false;
  has_received_ = true;
  is_active_ = true;
  if (gathering_ != nullptr) gathering_->message_begins();
  if (hooks_ != nullptr) return;
  const v8::HandleScope scope(environment().isolate());
  const Local<Value> callback = property(kOnMessageBegin);
  if (!callback.IsEmpty() && call(callback, {}).IsEmpty()) failed_ = true;
}

Next HttpParser::head_complete(const Head& head) {
  head_done_ = true;
  if (gathering_ != nullptr) gathering_->head_complete(head.has_body);
  const v8::HandleScope scope(environment().isolate());
  return hooks_ != nullptr ? head_for_lib(head) : head_for_program(head);
}

Next HttpParser::head_for_lib(const Head& head) {
  v8::Isolate* isolate = environment().isolate();
  // A status of a response may be any number of three digits, also 0.
  const std::int32_t status = head.kind == MessageKind::request ? -1 : head.status;
  const v8::MaybeLocal<Value> reply =
      call(hooks_->head.Get(isolate),
           {v8::Integer::NewFromUnsigned(isolate, bits_of(head)), latin1(isolate, head.text),
            latin1(isolate, head.lines), v8::Integer::New(isolate, status)});
  Local<Value> value;
  if (!reply.ToLocal(&value)) return failed();
  const std::int32_t bits = value->IsInt32() ? value.As<v8::Int32>()->Value() : 0;
  if ((bits & kCompleted) != 0) skips_complete_ = true;
  if ((bits & kReportChunk) != 0) reports_chunk_ = true;
  if ((bits & kReportChunks) != 0) reports_chunk_ = reports_chunks_ = true;
  return static_cast<Next>(bits & 3);
}

Next HttpParser::head_for_program(const Head& head) {
  v8::Isolate* isolate = environment().isolate();
  const Local<Value> callback = property(kOnHeadersComplete);
  if (callback.IsEmpty()) return Next::go_on;
  const bool is_request = head.kind == MessageKind::request;
  const Local<Value> none = v8::Undefined(isolate);
  const v8::MaybeLocal<Value> reply =
      call(callback,
           {v8::Integer::New(isolate, head.major), v8::Integer::New(isolate, head.minor),
            list_of(head.lines, head.line_count),
            is_request ? v8::Integer::New(isolate, head.method).As<Value>() : none,
            is_request ? latin1(isolate, head.text).As<Value>() : none,
            is_request ? none : v8::Integer::New(isolate, head.status).As<Value>(),
            is_request ? none : latin1(isolate, head.text).As<Value>(),
            v8::Boolean::New(isolate, head.upgrade), v8::Boolean::New(isolate, head.keep_alive)});
  Local<Value> value;
  std::int32_t next = 0;
  if (!reply.ToLocal(&value) || !value->Int32Value(environment().context()).To(&next)) {
    return failed();
  }
  return next == 1 ? Next::no_body : next == 2 ? Next::upgrade : Next::go_on;
}

Next HttpParser::body(std::span<const char> bytes) {
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  Local<Value> callback;
  if (hooks_ != nullptr) {
    callback = hooks_->body.Get(isolate);
  } else if (callback = property(kOnBody); callback.IsEmpty()) {
    return Next::go_on;
  }
  Local<v8::Object> buffer;
  if (!make_buffer(environment(), std::as_bytes(bytes)).ToLocal(&buffer)) return failed();
  if (call(callback, {buffer}).IsEmpty()) return failed();
  // As in Node: each piece of a body is an operation of its own, with ticks after it.
  if (from_loop_) environment().drain_between();
  return Next::go_on;
}

Next HttpParser::message_complete(std::string_view trailers, std::size_t trailer_count) {
  message_start_ms_ = 0;
  is_active_ = false;
  if (std::exchange(skips_complete_, false)) return Next::go_on;
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  if (hooks_ != nullptr) {
    return call(hooks_->complete.Get(isolate), {latin1(isolate, trailers)}).IsEmpty() ? failed()
                                                                                      : Next::go_on;
  }
  if (trailer_count != 0) {
    const Local<Value> on_headers = property(kOnHeaders);
    if (!on_headers.IsEmpty() &&
        call(on_headers, {list_of(trailers, trailer_count), v8::String::Empty(isolate)})
            .IsEmpty()) {
      return failed();
    }
  }
  const Local<Value> callback = property(kOnMessageComplete);
  if (!callback.IsEmpty() && call(callback, {}).IsEmpty()) return failed();
  return Next::go_on;
}

// ---- Bytes --------------------------------------------------------------------------------------

Local<Value> HttpParser::error_of(const http::Parsed& result) {
  Environment& here = environment();
  v8::Isolate* isolate = here.isolate();
  const Local<v8::Object> error = v8::Exception::Error(here.text("Parse Error")).As<v8::Object>();
  set_value(here, error, "bytesParsed", static_cast<double>(result.bytes));
  set_value(here, error, "code", latin1(isolate, result.code));
  set_value(here, error, "reason", latin1(isolate, result.reason));
  return error;
}

/// How many bytes were HTTP, or an error. Empty if a function has thrown, or has nothing to say.
Local<Value> HttpParser::run(std::span<const char> bytes, bool at_end) {
  v8::EscapableHandleScope scope(environment().isolate());
  current_ = bytes;
  failed_ = false;
  http::Parsed result = at_end ? parser_.finish() : parser_.execute(bytes);
  while (!later_.empty() && result.error == 0 && !failed_ && !parser_.upgraded()) {
    const std::string more = std::exchange(later_, {});
    result = parser_.execute(more);
  }
  later_.clear();
  current_ = {};
  if (failed_) return {};
  if (result.error != 0 && !parser_.upgraded()) return scope.Escape(error_of(result));
  if (at_end) return {};
  return scope.Escape(
      v8::Number::New(environment().isolate(), static_cast<double>(result.bytes)).As<Value>());
}

void HttpParser::execute(const Arguments& args) {
  HttpParser* self = of(args);
  // JavaScript may detach the memory while we parse: it is kept here.
  if (!args[0]->IsArrayBufferView()) return;
  const std::shared_ptr<v8::BackingStore> keeps =
      args[0].As<v8::ArrayBufferView>()->Buffer()->GetBackingStore();
  const std::span<std::uint8_t> bytes = bytes_of(args[0]);
  if (self->parser_.executing()) {  // a function that it calls has more for it: afterwards
    self->later_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    args.GetReturnValue().Set(static_cast<double>(bytes.size()));
    return;
  }
  self->from_loop_ = false;
  const Local<Value> result =
      self->run({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, false);
  if (!result.IsEmpty()) args.GetReturnValue().Set(result);
}

void HttpParser::finish(const Arguments& args) {
  HttpParser* self = of(args);
  if (self->parser_.executing()) return;
  self->from_loop_ = false;
  const Local<Value> result = self->run({}, true);
  if (!result.IsEmpty()) args.GetReturnValue().Set(result);
}

void HttpParser::consume(std::span<const std::byte> bytes) {
  if (parser_.executing()) return;
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  const v8::Context::Scope inside(environment().context());
  [[maybe_unused]] const Local<v8::Object> keeps = object();
  const std::span<const char> text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  from_loop_ = true;
  reports_chunk_ = reports_chunks_;
  Gathering gathering(*this, {text.data(), text.size()});
  report(run(text, false), text);
  // The ticks of the operation, before what is gathered leaves. After an exception they are put
  // off.
  if (!gathering.active() || failed_ || CalledFromJs::now()) return;
  const bool is_last = stream_ == nullptr || !stream_->drains();
  environment().drain_between();
  if (is_last) environment().end_of_several();
}

/// Reports to lib/, or to a program, that bytes have been parsed, if it wants that.
void HttpParser::report(Local<Value> result, std::span<const char> bytes) {
  if (result.IsEmpty()) return;
  if (hooks_ != nullptr && !reports_chunk_ && !result->IsObject()) return;
  Local<Value> callback;
  if (hooks_ != nullptr) {
    callback = hooks_->execute.Get(environment().isolate());
  } else if (callback = property(kOnExecute); callback.IsEmpty()) {
    return;
  }
  current_ = bytes;  // for getCurrentBuffer()
  if (call(callback, {result}).IsEmpty()) failed_ = true;
  current_ = {};
}

void HttpParser::consume(const Arguments& args) {
  HttpParser* self = of(args);
  auto* stream = from<StreamHandle>(args[0]);
  if (stream == nullptr || stream->consumer() != nullptr) return;
  self->unconsume();
  stream->set_consumer(self);
  self->stream_ = stream;
}

void HttpParser::get_current_buffer(const Arguments& args) {
  HttpParser* self = of(args);
  Local<v8::Object> buffer;
  if (make_buffer(self->environment(), std::as_bytes(self->current_)).ToLocal(&buffer)) {
    args.GetReturnValue().Set(buffer);
  }
}

// ---- Life ---------------------------------------------------------------------------------------

void HttpParser::initialize(const Arguments& args) {
  HttpParser* self = of(args);
  const auto number = [&](int index, double otherwise) {
    return args[index]->IsNumber() ? args[index].As<v8::Number>()->Value() : otherwise;
  };
  const auto type = static_cast<int>(number(0, 0));
  if (type != llhttp_request && type != llhttp_response) return;
  http::Limits limits;
  limits.head_bytes = static_cast<std::size_t>(std::max(number(2, 0), 0.0));
  if (limits.head_bytes == 0) limits.head_bytes = http::Limits().head_bytes;
  double strings = number(5, -1);
  if (strings < 0) {  // a program's own: a property, if it has one
    Local<Value> value;
    if (self->object()
            ->Get(self->environment().context(), self->environment().name("maxHeaderPairs"))
            .ToLocal(&value) &&
        value->IsNumber()) {
      strings = value.As<v8::Number>()->Value();
    }
  }
  limits.head_strings = strings > 0 ? static_cast<std::size_t>(strings) : 0;
  self->parser_.begin(static_cast<MessageKind>(type), limits,
                      static_cast<std::uint32_t>(number(3, 0)));
  self->leave_connections();
  self->skips_complete_ = false;
  self->reports_chunks_ = false;
  self->head_done_ = false;
  if (auto* connections = from<ConnectionsList>(args[4])) {
    self->has_received_ = false;
    // Who connects and sends nothing at all is slow, too.
    self->message_start_ms_ = std::max<std::int64_t>(self->now_ms(), 1);
    self->is_active_ = true;
    connections->add(*self);
  }
}

void HttpParser::remove(const Arguments& args) {
  HttpParser* self = of(args);
  self->parser_.silence();
  self->leave_connections();
  args.GetReturnValue().Set(self->parser_.executing());
}

// ---- Connections --------------------------------------------------------------------------------

ConnectionsList::~ConnectionsList() {
  for (HttpParser* parser : parsers_) parser->connections_ = nullptr;
}

void ConnectionsList::add(HttpParser& parser) {
  parser.connections_ = this;
  parser.place_ = parsers_.size();
  parsers_.push_back(&parser);
}

void ConnectionsList::remove(HttpParser& parser) noexcept {
  HttpParser* const last = parsers_.back();
  parsers_[parser.place_] = last;
  last->place_ = parser.place_;
  parsers_.pop_back();
  parser.connections_ = nullptr;
}

template <class Wanted>
void ConnectionsList::select(const Arguments& args, const Wanted& wanted) {
  auto* self = from<ConnectionsList>(args.This());
  std::vector<HttpParser*> found;
  std::ranges::copy_if(self->parsers_, std::back_inserter(found), wanted);
  std::ranges::stable_sort(found, {},
                           [](const HttpParser* parser) { return parser->message_start_ms_; });
  std::vector<Local<Value>> objects;
  objects.reserve(found.size());
  for (HttpParser* parser : found) objects.push_back(parser->object());
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), objects.data(), objects.size()));
}

void ConnectionsList::all(const Arguments& args) {
  select(args, [](const HttpParser*) { return true; });
}

void ConnectionsList::idle(const Arguments& args) {
  select(args, [](const HttpParser* parser) {
    return parser->message_start_ms_ == 0 || !parser->has_received_;
  });
}

void ConnectionsList::active(const Arguments& args) {
  select(args, [](const HttpParser* parser) { return parser->is_active_; });
}

/// (time for a head, time for a message), in milliseconds; 0 for none. Each is reported once.
void ConnectionsList::expired(const Arguments& args) {
  const auto milliseconds = [&](int index) {
    return args[index]->IsNumber()
               ? static_cast<std::int64_t>(args[index].As<v8::Number>()->Value())
               : 0;
  };
  std::int64_t head_ms = milliseconds(0);
  std::int64_t message_ms = milliseconds(1);
  if (message_ms > 0 && head_ms > message_ms) std::swap(head_ms, message_ms);
  const std::int64_t now = Environment::of(args.GetIsolate()).loop().core().now_ms();
  select(args, [&](HttpParser* parser) {
    if (!parser->is_active_) return false;
    const std::int64_t passed = now - parser->message_start_ms_;
    const bool is_late = (!parser->head_done_ && head_ms > 0 && passed > head_ms) ||
                         (message_ms > 0 && passed > message_ms);
    if (is_late) parser->is_active_ = false;
    return is_late;
  });
}

// ---- The binding --------------------------------------------------------------------------------

constexpr Method kParserMethods[] = {
    {"close", HttpParser::nothing},
    {"free", HttpParser::nothing},
    {"remove", HttpParser::remove},
    {"execute", HttpParser::execute},
    {"finish", HttpParser::finish},
    {"initialize", HttpParser::initialize},
    {"pause", HttpParser::pause},
    {"resume", HttpParser::resume},
    {"consume", static_cast<v8::FunctionCallback>(HttpParser::consume)},
    {"unconsume", static_cast<v8::FunctionCallback>(HttpParser::unconsume)},
    {"getCurrentBuffer", HttpParser::get_current_buffer},
};
constexpr Method kListMethods[] = {
    {"all", ConnectionsList::all},
    {"idle", ConnectionsList::idle},
    {"active", ConnectionsList::active},
    {"expired", ConnectionsList::expired},
};
constexpr std::pair<std::string_view, std::uint32_t> kNumbers[] = {
    {"REQUEST", llhttp_request},
    {"RESPONSE", llhttp_response},
    {"kOnMessageBegin", kOnMessageBegin},
    {"kOnHeaders", kOnHeaders},
    {"kOnHeadersComplete", kOnHeadersComplete},
    {"kOnBody", kOnBody},
    {"kOnMessageComplete", kOnMessageComplete},
    {"kOnExecute", kOnExecute},
    {"kOnTimeout", kOnTimeout},
    {"kLenientNone", http::kLenientNone},
    {"kLenientHeaders", http::kLenientHeaders},
    {"kLenientChunkedLength", http::kLenientChunkedLength},
    {"kLenientKeepAlive", http::kLenientKeepAlive},
    {"kLenientTransferEncoding", http::kLenientTransferEncoding},
    {"kLenientVersion", http::kLenientVersion},
    {"kLenientDataAfterClose", http::kLenientDataAfterClose},
    {"kLenientOptionalLFAfterCR", http::kLenientOptionalLFAfterCR},
    {"kLenientOptionalCRLFAfterChunk", http::kLenientOptionalCRLFAfterChunk},
    {"kLenientOptionalCRBeforeLF", http::kLenientOptionalCRBeforeLF},
    {"kLenientSpacesAfterChunkSize", http::kLenientSpacesAfterChunkSize},
    {"kLenientHeaderValueRelaxed", http::kLenientHeaderValueRelaxed},
    {"kLenientAll", http::kLenientAll},
};

constexpr int kMethodCount = 47;   // that llhttp knows
constexpr int kFirstForeign = 34;  // PRI and the methods of RTSP, up to
constexpr int kLastForeign = 45;

void extend(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Context> context = isolate->GetCurrentContext();
  const auto parser =
      target->Get(context, environment.name("HTTPParser")).ToLocalChecked().As<v8::Object>();
  for (const auto& [name, number] : kNumbers) set_value(environment, parser, name, number);

  std::vector<Local<Value>> methods;
  std::vector<Local<Value>> all_methods;
  for (int i = 0; i < kMethodCount; ++i) {
    const Local<Value> name = environment.name(llhttp_method_name(i));
    all_methods.push_back(name);
    if (i < kFirstForeign || i > kLastForeign) methods.push_back(name);
  }
  set_value(environment, target, "methods",
            v8::Array::New(isolate, methods.data(), methods.size()));
  set_value(environment, target, "allMethods",
            v8::Array::New(isolate, all_methods.data(), all_methods.size()));
}

constexpr ClassShape kClasses[] = {
    {"HTTPParser", HttpParser::make, kParserMethods},
    {"ConnectionsList", ConnectionsList::make, kListMethods},
    {"ParserHooks", Hooks::make},
};

}  // namespace

extern const Binding binding_http_parser;
const Binding binding_http_parser{.name = "http_parser", .extend = extend, .classes = kClasses};

}  // namespace rondo
