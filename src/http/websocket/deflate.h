// permessage-deflate (RFC 7692) on zlib: one message at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace rondo::websocket {

/// Compresses messages, each by itself: a stream's window between messages would cost 256 KiB for
/// every connection.
class Deflater {
 public:
  explicit Deflater(int window_bits);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// Appends the compressed message; false if zlib fails.
  bool deflate(std::string_view message, std::string& to);

 private:
  std::unique_ptr<z_stream_s> stream_;
};

class Inflater {
 public:
  /// `keeps_window`: the peer refers to what was in earlier messages.
  explicit Inflater(bool keeps_window);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  enum class Result : unsigned char { ok, too_large, invalid };
  /// Appends the message, which must not become larger than `at_most`.
  Result inflate(std::string_view message, std::string& to, std::size_t at_most);

 private:
  Result inflate_part(std::string_view part, std::string& to, std::size_t at_most);
  std::unique_ptr<z_stream_s> stream_;
  bool keeps_window_;
};

}  // namespace rondo::websocket
