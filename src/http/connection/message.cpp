#include "rondo/http/message.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rondo::http {

namespace {

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

bool is_value(std::string_view text) noexcept {
  return std::ranges::none_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
  });
}

class Category final : public NamedCategory {
 public:
  const char* name() const noexcept override { return "http"; }
  std::string message(int number) const override {
    switch (static_cast<Error>(number)) {
      case Error::bad_message:
        return "the message is not valid HTTP";
      case Error::head_too_large:
        return "the head of the message is too large";
      case Error::body_too_large:
        return "the body is larger than allowed";
      case Error::incomplete:
        return "the connection ended in the middle of a message";
      case Error::timed_out:
        return "the peer was too slow";
      case Error::unsupported:
        return "the URL is not valid, or of a scheme that this client has no connector for";
      case Error::handshake_failed:
        return "the other side does not speak the protocol that was asked for";
    }
    return "unknown error";
  }
  std::string_view error_name(int number) const noexcept override {
    switch (static_cast<Error>(number)) {
      case Error::bad_message:
        return "ERR_HTTP_BAD_MESSAGE";
      case Error::head_too_large:
        return "ERR_HTTP_HEAD_TOO_LARGE";
      case Error::body_too_large:
        return "ERR_HTTP_BODY_TOO_LARGE";
      case Error::incomplete:
        return "ERR_HTTP_INCOMPLETE";
      case Error::timed_out:
        return "ERR_HTTP_TIMED_OUT";
      case Error::unsupported:
        return "ERR_HTTP_UNSUPPORTED";
      case Error::handshake_failed:
        return "ERR_HTTP_HANDSHAKE_FAILED";
    }
    return {};
  }
};

}  // namespace

const std::error_category& error_category() noexcept {
  static const Category category;
  return category;
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool same_name(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() &&
         std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

void Headers::Iterator::read() noexcept {
  done_ = rest_.empty();
  if (done_) return;
  const std::size_t name_end = rest_.find('\n');
  const std::size_t value_end = rest_.find('\n', name_end + 1);
  line_ = {rest_.substr(0, name_end), rest_.substr(name_end + 1, value_end - name_end - 1)};
  rest_.remove_prefix(value_end + 1);
}

std::optional<std::string_view> Headers::get(std::string_view name) const noexcept {
  for (const Line& line : *this) {
    if (same_name(line.name, name)) return line.value;
  }
  return std::nullopt;
}

bool Headers::has_token(std::string_view name, std::string_view token) const noexcept {
  for (const Line& line : *this) {
    if (!same_name(line.name, name)) continue;
    std::string_view rest = line.value;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string_view one = rest.substr(0, comma);
      while (one.starts_with(' ') || one.starts_with('\t')) one.remove_prefix(1);
      while (one.ends_with(' ') || one.ends_with('\t')) one.remove_suffix(1);
      if (same_name(one, token)) return true;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return false;
}

HeaderLines& HeaderLines::add(std::string_view name, std::string_view value) {
  if (!is_token(name)) {
    throw Misuse("ERR_INVALID_HTTP_TOKEN",
                 "not the name of a header: \"" + std::string(name) + '"');
  }
  if (!is_value(value)) {
    throw Misuse("ERR_INVALID_CHAR", "invalid character in the header " + std::string(name));
  }
  text_.append(name).append(": ").append(value).append("\r\n");
  return *this;
}

bool HeaderLines::has(std::string_view name) const noexcept {
  std::string_view rest = text_;
  while (!rest.empty()) {
    if (same_name(rest.substr(0, rest.find(':')), name)) return true;
    rest.remove_prefix(rest.find('\n') + 1);
  }
  return false;
}

std::string_view phrase_of(int status) noexcept {
  struct Phrase {
    int status;
    std::string_view text;
  };
  static constexpr std::array kPhrases = std::to_array<Phrase>({
      {100, "Continue"},
      {101, "Switching Protocols"},
      {102, "Processing"},
      {103, "Early Hints"},
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {203, "Non-Authoritative Information"},
      {204, "No Content"},
      {205, "Reset Content"},
      {206, "Partial Content"},
      {207, "Multi-Status"},
      {208, "Already Reported"},
      {226, "IM Used"},
      {300, "Multiple Choices"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {305, "Use Proxy"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {402, "Payment Required"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {407, "Proxy Authentication Required"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {410, "Gone"},
      {411, "Length Required"},
      {412, "Precondition Failed"},
      {413, "Payload Too Large"},
      {414, "URI Too Long"},
      {415, "Unsupported Media Type"},
      {416, "Range Not Satisfiable"},
      {417, "Expectation Failed"},
      {418, "I'm a Teapot"},
      {421, "Misdirected Request"},
      {422, "Unprocessable Entity"},
      {423, "Locked"},
      {424, "Failed Dependency"},
      {425, "Too Early"},
      {426, "Upgrade Required"},
      {428, "Precondition Required"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {451, "Unavailable For Legal Reasons"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
      {505, "HTTP Version Not Supported"},
      {506, "Variant Also Negotiates"},
      {507, "Insufficient Storage"},
      {508, "Loop Detected"},
      {511, "Network Authentication Required"},
  });
  const auto found = std::ranges::lower_bound(kPhrases, status, {}, &Phrase::status);
  return found != kPhrases.end() && found->status == status ? found->text : std::string_view();
}

std::string_view content_type_of(std::string_view path) noexcept {
  static constexpr std::array kTypes =
      std::to_array<std::pair<std::string_view, std::string_view>>({
          {"html", "text/html; charset=utf-8"},
          {"htm", "text/html; charset=utf-8"},
          {"css", "text/css; charset=utf-8"},
          {"js", "text/javascript; charset=utf-8"},
          {"mjs", "text/javascript; charset=utf-8"},
          {"json", "application/json"},
          {"txt", "text/plain; charset=utf-8"},
          {"md", "text/markdown; charset=utf-8"},
          {"csv", "text/csv; charset=utf-8"},
          {"xml", "application/xml"},
          {"svg", "image/svg+xml"},
          {"png", "image/png"},
          {"jpg", "image/jpeg"},
          {"jpeg", "image/jpeg"},
          {"gif", "image/gif"},
          {"webp", "image/webp"},
          {"avif", "image/avif"},
          {"ico", "image/x-icon"},
          {"woff", "font/woff"},
          {"woff2", "font/woff2"},
          {"mp3", "audio/mpeg"},
          {"mp4", "video/mp4"},
          {"webm", "video/webm"},
          {"pdf", "application/pdf"},
          {"zip", "application/zip"},
          {"gz", "application/gzip"},
          {"wasm", "application/wasm"},
      });
  const std::size_t dot = path.find_last_of("./");
  if (dot != std::string_view::npos && path[dot] == '.') {
    const std::string_view extension = path.substr(dot + 1);
    for (const auto& [name, type] : kTypes) {
      if (same_name(extension, name)) return type;
    }
  }
  return "application/octet-stream";
}

}  // namespace rondo::http
