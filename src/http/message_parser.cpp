#include "http/message_parser.h"

#include <cstring>
#include <functional>

namespace rondo::http::inline RONDO_LLHTTP_COPY {

namespace {

constexpr std::size_t kMostExtensionBytes = 16U << 10;  // of a chunk
// Buffers that grew beyond this for one message are given back after it.
constexpr std::size_t kKeptBytes = 4U << 10;

MessageParser& of(llhttp_t* parser) {
  return *static_cast<MessageParser*>(parser->data);
}

}  // namespace

/// Called by llhttp. A silenced parser reports nothing.
struct MessageParserCallbacks {
  static int begin(llhttp_t* parser) {
    MessageParser& self = of(parser);
    if (self.silent_) return 0;
    self.clear_lines();
    self.text_.clear();
    self.head_strings_ = 0;
    self.extension_bytes_ = 0;
    self.events_.message_begins();
    return 0;
  }

  static int text(llhttp_t* parser, const char* at, std::size_t length) {
    MessageParser& self = of(parser);
    if (self.silent_) return 0;
    if (const int error = self.count_head_bytes(length)) return error;
    self.text_.append(at, length);
    return 0;
  }

  static int name(llhttp_t* parser, const char* at, std::size_t length) {
    MessageParser& self = of(parser);
    if (self.silent_) return 0;
    if (const int error = self.count_head_bytes(length)) return error;
    return self.start_line({at, length});
  }

  static int value(llhttp_t* parser, const char* at, std::size_t length) {
    MessageParser& self = of(parser);
    if (self.silent_) return 0;
    if (const int error = self.count_head_bytes(length)) return error;
    if (self.line_ == MessageParser::Line::name) {
      self.lines_ += '\n';
      self.line_ = MessageParser::Line::value;
    }
    self.lines_.append(at, length);
    return 0;
  }

  static int head_complete(llhttp_t* parser) {
    MessageParser& self = of(parser);
    return self.silent_ ? 0 : self.head_complete();
  }

  static int body(llhttp_t* parser, const char* at, std::size_t length) {
    MessageParser& self = of(parser);
    if (self.silent_ || length == 0) return 0;
    if (self.events_.body({at, length}) != Next::stop) return 0;
    llhttp_set_error_reason(parser, "HPE_JS_EXCEPTION:JS Exception");
    return llhttp_user;
  }

  static int message_complete(llhttp_t* parser) {
    MessageParser& self = of(parser);
    return self.silent_ ? 0 : self.message_complete();
  }

  static int chunk_extension(llhttp_t* parser, const char*, std::size_t length) {
    MessageParser& self = of(parser);
    return self.silent_ ? 0 : self.chunk_extension(length);
  }

  static int chunk_header(llhttp_t* parser) {
    MessageParser& self = of(parser);
    self.head_bytes_ = 0;
    self.extension_bytes_ = 0;
    return 0;
  }

  static int chunk_complete(llhttp_t* parser) {
    of(parser).head_bytes_ = 0;
    return 0;
  }

  static constexpr llhttp_settings_t settings() {
    llhttp_settings_t made{};
    made.on_message_begin = begin;
    made.on_url = text;
    made.on_status = text;
    made.on_header_field = name;
    made.on_header_value = value;
    made.on_chunk_extension_name = chunk_extension;
    made.on_chunk_extension_value = chunk_extension;
    made.on_headers_complete = head_complete;
    made.on_body = body;
    made.on_message_complete = message_complete;
    made.on_chunk_header = chunk_header;
    made.on_chunk_complete = chunk_complete;
    return made;
  }
};

namespace {

constexpr llhttp_settings_t kSettings = MessageParserCallbacks::settings();

}  // namespace

void MessageParser::begin(MessageKind kind, Limits limits, std::uint32_t lenient) noexcept {
  llhttp_init(&parser_, static_cast<LlhttpType>(kind), &kSettings);
  parser_.data = this;
  // llhttp numbers them in the same way.
  parser_.lenient_flags = static_cast<decltype(parser_.lenient_flags)>(lenient);
  limits_ = limits;
  clear_lines();
  text_.clear();
  head_strings_ = 0;
  head_bytes_ = 0;
  extension_bytes_ = 0;
  error_at_ = 0;
  silent_ = false;
}

Parsed MessageParser::execute(std::span<const char> bytes) {
  executing_ = true;
  const int error = llhttp_execute(&parser_, bytes.data(), bytes.size());
  executing_ = false;
  return outcome(error, bytes.data(), bytes.size());
}

Parsed MessageParser::finish() {
  executing_ = true;
  const int error = llhttp_finish(&parser_);
  executing_ = false;
  return outcome(error, nullptr, 0);
}

Parsed MessageParser::outcome(int error, const char* begin, std::size_t size) {
  Parsed result{size, error, {}, {}};
  if (error == llhttp_ok) return result;
  const char* const position = llhttp_get_error_pos(&parser_);
  if (begin != nullptr && position != nullptr) {
    // After an error the position stays where it was, in bytes of an earlier call.
    const bool is_here = !std::less<>()(position, begin) && !std::less<>()(begin + size, position);
    if (is_here) error_at_ = static_cast<std::size_t>(position - begin);
    result.bytes = error_at_;
  }
  if (error ==
      llhttp_paused_upgrade) {  // this is not an error, and the end of HTTP on this connection
    llhttp_resume_after_upgrade(&parser_);
    result.error = llhttp_ok;
    return result;
  }
  const char* const reason = llhttp_get_error_reason(&parser_);
  const std::string_view text = reason != nullptr ? reason : "";
  if (error == llhttp_user) {  // "code:reason", of fail()
    const std::size_t colon = text.find(':');
    result.code = text.substr(0, colon);
    result.reason = colon == std::string_view::npos ? text : text.substr(colon + 1);
  } else {
    result.code = llhttp_errno_name(static_cast<LlhttpError>(error));
    result.reason = text;
  }
  return result;
}

int MessageParser::fail(const char* reason) noexcept {
  llhttp_set_error_reason(&parser_, reason);
  return llhttp_user;
}

int MessageParser::count_head_bytes(std::size_t bytes) noexcept {
  head_bytes_ += bytes;
  if (head_bytes_ < limits_.head_bytes) return 0;
  return fail("HPE_HEADER_OVERFLOW:Header overflow");
}

int MessageParser::chunk_extension(std::size_t bytes) noexcept {
  extension_bytes_ += bytes;
  if (extension_bytes_ <= kMostExtensionBytes) return 0;
  return fail("HPE_CHUNK_EXTENSIONS_OVERFLOW:Chunk extensions overflow");
}

int MessageParser::start_line(std::string_view name) {
  if (line_ != Line::name) {
    end_line();
    head_strings_ += 2;
    if (kind() == MessageKind::request && limits_.head_strings != 0 &&
        head_strings_ > limits_.head_strings) {
      return fail("HPE_HEADER_OVERFLOW:Header overflow");
    }
    ++line_count_;
    line_ = Line::name;
  }
  lines_ += name;
  return 0;
}

/// Spaces at the end of a value are not part of it.
void MessageParser::end_line() {
  if (line_ == Line::none) return;
  if (line_ == Line::name) lines_ += '\n';
  while (lines_.back() == ' ' || lines_.back() == '\t') lines_.pop_back();
  lines_ += '\n';
  line_ = Line::none;
}

void MessageParser::clear_lines() noexcept {
  if (lines_.capacity() > kKeptBytes) std::string().swap(lines_);
  if (text_.capacity() > kKeptBytes) std::string().swap(text_);
  lines_.clear();
  line_count_ = 0;
  line_ = Line::none;
}

int MessageParser::head_complete() {
  end_line();
  head_bytes_ = 0;
  head_strings_ = 0;
  const bool chunked = (parser_.flags & llhttp_flag_chunked) != 0;
  const Head head{
      .kind = kind(),
      .method = parser_.method,
      .major = parser_.http_major,
      .minor = parser_.http_minor,
      .status = parser_.status_code,
      .keep_alive = llhttp_should_keep_alive(&parser_) != 0,
      .upgrade = parser_.upgrade != 0,
      .chunked = chunked,
      // A transfer encoding that is none is an error that comes next.
      .has_body = (parser_.flags & llhttp_flag_transfer_encoding) != 0 || chunked ||
                  parser_.content_length != 0,
      .text = text_,
      .lines = lines_,
      .line_count = line_count_,
  };
  const Next next = events_.head_complete(head);
  // What comes now is trailers.
  if (!silent_) clear_lines();
  return static_cast<int>(next);
}

int MessageParser::message_complete() {
  end_line();
  head_strings_ = 0;
  const Next next = events_.message_complete(lines_, line_count_);
  if (!silent_) clear_lines();
  return next == Next::go_on ? 0 : static_cast<int>(next);
}

}  // namespace rondo::http::inline RONDO_LLHTTP_COPY
