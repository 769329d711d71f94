// Looks at the lines of a head before the parser does, for what llhttp lets pass: lines that end
// with a bare line feed, lines that continue in the next one (obs-fold), names that are empty.
// Proxies disagree about these, so a server must not guess (RFC 9112, 2.2 and 5.2).
//
// It looks for line feeds only, and at the bytes around them: some nanoseconds for a line.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace rondo::http {

class HeadScanner {
 public:
  /// How many of the bytes belong to the head: all of them until complete().
  std::size_t scan(std::string_view bytes) noexcept {
    std::size_t at = 0;
    while (at < bytes.size() && !complete_ && !bad_) {
      if (line_bytes_ == 0 && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == ':')) {
        bad_ = true;
        break;
      }
      const void* const found = std::memchr(bytes.data() + at, '\n', bytes.size() - at);
      if (found == nullptr) {
        line_bytes_ += bytes.size() - at;
        ends_with_cr_ = bytes.back() == '\r';
        return bytes.size();
      }
      const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
      const std::size_t size = line_bytes_ + (end - at);
      bad_ = size == 0 || !(end == at ? ends_with_cr_ : bytes[end - 1] == '\r');
      // Empty lines before the first one are skipped, as by the parser.
      if (size > 1) {
        begun_ = true;
      } else if (begun_) {
        complete_ = true;
      }
      line_bytes_ = 0;
      at = end + 1;
    }
    return at;
  }

  bool bad() const noexcept { return bad_; }
  bool complete() const noexcept { return complete_; }
  void reset() noexcept { *this = {}; }

 private:
  std::size_t line_bytes_ = 0;  // of the current line, so far
  bool ends_with_cr_ = false;
  bool begun_ = false;
  bool complete_ = false;
  bool bad_ = false;
};

}  // namespace rondo::http
