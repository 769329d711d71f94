#include "http/websocket/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace rondo::websocket {

namespace {

// What a flush leaves at the end, which is not sent (RFC 7692, 7.2.1).
constexpr std::string_view kTail("\x00\x00\xff\xff", 4);
constexpr std::size_t kPiece = 16U << 10;

Bytef* bytes_of(const char* text) noexcept {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text));
}

}  // namespace

Deflater::Deflater(int window_bits) : stream_(std::make_unique<z_stream_s>()) {
  // Negative: without zlib's header. Level 6 and memory level 8 are zlib's own choice.
  if (::deflateInit2(stream_.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, -window_bits, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}
Deflater::~Deflater() {
  ::deflateEnd(stream_.get());
}

bool Deflater::deflate(std::string_view message, std::string& to) {
  if (message.size() > std::numeric_limits<uInt>::max()) return false;
  ::deflateReset(stream_.get());
  stream_->next_in = bytes_of(message.data());
  stream_->avail_in = static_cast<uInt>(message.size());
  do {
    const std::size_t before = to.size();
    to.resize(before + kPiece);
    stream_->next_out = bytes_of(to.data() + before);
    stream_->avail_out = kPiece;
    const int result = ::deflate(stream_.get(), Z_SYNC_FLUSH);
    to.resize(to.size() - stream_->avail_out);
    if (result != Z_OK && result != Z_BUF_ERROR) return false;
  } while (stream_->avail_out == 0);
  if (!to.ends_with(kTail)) return false;
  to.resize(to.size() - kTail.size());
  return true;
}

Inflater::Inflater(bool keeps_window)
    : stream_(std::make_unique<z_stream_s>()), keeps_window_(keeps_window) {
  if (::inflateInit2(stream_.get(), -15) != Z_OK) throw std::bad_alloc();
}
Inflater::~Inflater() {
  ::inflateEnd(stream_.get());
}

Inflater::Result Inflater::inflate(std::string_view message, std::string& to, std::size_t at_most) {
  if (!keeps_window_) ::inflateReset(stream_.get());
  const Result result = inflate_part(message, to, at_most);
  return result == Result::ok ? inflate_part(kTail, to, at_most) : result;
}

Inflater::Result Inflater::inflate_part(std::string_view part, std::string& to,
                                        std::size_t at_most) {
  if (part.size() > std::numeric_limits<uInt>::max()) return Result::too_large;
  stream_->next_in = bytes_of(part.data());
  stream_->avail_in = static_cast<uInt>(part.size());
  do {
    const std::size_t before = to.size();
    // One byte more than allowed, to detect that it is too much.
    const std::size_t room = std::min(kPiece, at_most - before + 1);
    to.resize(before + room);
    stream_->next_out = bytes_of(to.data() + before);
    stream_->avail_out = static_cast<uInt>(room);
    const int result = ::inflate(stream_.get(), Z_SYNC_FLUSH);
    to.resize(to.size() - stream_->avail_out);
    if (to.size() > at_most) return Result::too_large;
    if (result == Z_STREAM_END) {
      // A last block inside: legal, and what follows begins a new stream.
      ::inflateReset(stream_.get());
      if (stream_->avail_in == 0) return Result::ok;
      continue;
    }
    if (result == Z_BUF_ERROR) break;
    if (result != Z_OK) return Result::invalid;
  } while (stream_->avail_in != 0 || stream_->avail_out == 0);
  return stream_->avail_in == 0 ? Result::ok : Result::invalid;
}

}  // namespace rondo::websocket
