#include "http/websocket/frames.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rondo::websocket {

namespace {

constexpr std::uint8_t kFin = 0x80;
constexpr std::uint8_t kRsv1 = 0x40;
constexpr std::uint8_t kOtherRsv = 0x30;
constexpr std::uint8_t kMasked = 0x80;
constexpr std::size_t kMostControl = 125;

std::uint8_t byte_at(std::string_view text, std::size_t at) noexcept {
  return static_cast<std::uint8_t>(text[at]);
}

/// Masks, or unmasks, `size` bytes that begin at offset `at` of the payload.
void apply_mask(char* bytes, std::size_t size, const std::uint8_t (&mask)[4],
                std::uint32_t at) noexcept {
  std::uint8_t turned[8];
  for (std::uint32_t i = 0; i < 8; ++i) turned[i] = mask[(at + i) % 4];
  std::uint64_t word_mask;
  std::memcpy(&word_mask, turned, sizeof word_mask);
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + i, sizeof word);
    word ^= word_mask;
    std::memcpy(bytes + i, &word, sizeof word);
  }
  for (; i < size; ++i) bytes[i] = static_cast<char>(bytes[i] ^ turned[i % 8]);
}

}  // namespace

bool is_code(int code) noexcept {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
         (code >= 3000 && code <= 4999);
}

// ---- Reading ------------------------------------------------------------------------------------

std::size_t FrameReader::feed(std::string_view bytes) {
  stopped_ = false;
  std::size_t read = 0;
  while (broken_ == 0 && !stopped_) {
    const std::string_view rest = bytes.substr(read);
    if (part_ == Part::payload) {
      read += read_payload(rest);
      if (left_ != 0 || broken_ != 0) break;
      frame_complete();
    } else {
      if (rest.empty()) break;
      read += read_head(rest);
      if (part_ == Part::head) break;  // it is not whole
    }
  }
  return read;
}

/// A head is 2 to 14 bytes. One that arrives in pieces is gathered first.
std::size_t FrameReader::read_head(std::string_view bytes) {
  const std::size_t before = head_.size();
  const auto need = [&](std::size_t size) {
    if (head_.size() >= size) return true;
    const std::size_t read = head_.size() - before;
    head_ += bytes.substr(read, size - head_.size());
    return head_.size() >= size;
  };
  if (!need(2)) return head_.size() - before;
  const std::uint8_t first = byte_at(head_, 0);
  const std::uint8_t second = byte_at(head_, 1);
  if (before < 2 && !check_head(first, second)) return head_.size() - before;
  const std::size_t short_length = second & 0x7fU;
  const std::size_t length_bytes = short_length == 127 ? 8 : short_length == 126 ? 2 : 0;
  const std::size_t mask_bytes = is_server_ ? 4 : 0;
  if (!need(2 + length_bytes + mask_bytes)) return head_.size() - before;

  length_ = short_length;
  if (length_bytes != 0) {
    length_ = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) length_ = length_ << 8 | byte_at(head_, 2 + i);
    // The shortest form must be used.
    const std::uint64_t least = length_bytes == 2 ? 126 : 0x10000;
    if (length_ < least || (length_ >> 63) != 0) fail(kProtocolError);
  }
  if (is_server_) std::memcpy(mask_, head_.data() + 2 + length_bytes, 4);
  const std::size_t read = head_.size() - before;
  head_.clear();
  if (broken_ != 0 || !check_length()) return read;
  mask_at_ = 0;
  left_ = length_;
  part_ = Part::payload;
  return read;
}

bool FrameReader::check_head(std::uint8_t first, std::uint8_t second) {
  opcode_ = static_cast<Opcode>(first & 0xfU);
  is_last_ = (first & kFin) != 0;
  const bool rsv1 = (first & kRsv1) != 0;
  if ((first & kOtherRsv) != 0) return fail(kProtocolError);
  if (((second & kMasked) != 0) != is_server_) return fail(kProtocolError);
  switch (opcode_) {
    case Opcode::close:
    case Opcode::ping:
    case Opcode::pong:
      if (!is_last_ || rsv1 || (second & 0x7fU) > kMostControl) return fail(kProtocolError);
      return true;
    case Opcode::text:
    case Opcode::binary:
      if (kind_ != Opcode::continuation || (rsv1 && !inflater_)) return fail(kProtocolError);
      kind_ = opcode_;
      is_compressed_ = rsv1;
      message_.clear();
      utf8_.reset();
      return true;
    case Opcode::continuation:
      if (kind_ == Opcode::continuation || rsv1) return fail(kProtocolError);
      return true;
  }
  return fail(kProtocolError);  // an opcode that is reserved
}

bool FrameReader::check_length() {
  if (is_control()) return true;
  if (length_ > max_message_ || message_.size() > max_message_ - length_) return fail(kTooLarge);
  return true;
}

std::size_t FrameReader::read_payload(std::string_view bytes) {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  std::string& to = is_control() ? control_ : message_;
  const std::size_t before = to.size();
  to += bytes.substr(0, size);
  if (is_server_) apply_mask(to.data() + before, size, mask_, mask_at_);
  mask_at_ = static_cast<std::uint32_t>((mask_at_ + size) % 4);
  left_ -= size;
  const bool is_plain_text = !is_control() && kind_ == Opcode::text && !is_compressed_;
  if (is_plain_text && !utf8_.feed(std::string_view(to).substr(before))) fail(kNotUtf8);
  return size;
}

void FrameReader::frame_complete() {
  part_ = Part::head;
  if (is_control()) {
    control_complete();
  } else if (is_last_) {
    message_complete();
  }
}

void FrameReader::control_complete() {
  const std::string data = std::exchange(control_, {});
  if (opcode_ == Opcode::ping) return events_.ping_arrived(data);
  if (opcode_ == Opcode::pong) return events_.pong_arrived(data);
  if (data.empty()) return events_.close_arrived(kNoCode, {});
  const int code = data.size() < 2 ? 0 : byte_at(data, 0) << 8 | byte_at(data, 1);
  if (!is_code(code)) {
    fail(kProtocolError);
    return;
  }
  const std::string_view reason = std::string_view(data).substr(2);
  Utf8Check check;
  if (!check.feed(reason) || !check.complete()) {
    fail(kNotUtf8);
    return;
  }
  events_.close_arrived(code, reason);
}

void FrameReader::message_complete() {
  const bool is_text = std::exchange(kind_, Opcode::continuation) == Opcode::text;
  if (is_compressed_) {
    std::string whole;
    switch (inflater_->inflate(message_, whole, max_message_)) {
      case Inflater::Result::ok:
        break;
      case Inflater::Result::too_large:
        fail(kTooLarge);
        return;
      case Inflater::Result::invalid:
        fail(kNotUtf8);  // RFC 6455, 7.4.1: data that does not fit the type of the message
        return;
    }
    message_ = std::move(whole);
    if (is_text && !utf8_.feed(message_)) {
      fail(kNotUtf8);
      return;
    }
  }
  if (is_text && !utf8_.complete()) {
    fail(kNotUtf8);
    return;
  }
  events_.message_arrived(is_text, message_);
  message_.clear();
}

// ---- Writing ------------------------------------------------------------------------------------

void append_frame(std::string& to, Opcode opcode, std::string_view payload, bool compressed,
                  const std::uint8_t* mask) {
  const std::size_t size = payload.size();
  const std::uint8_t masked = mask != nullptr ? kMasked : std::uint8_t{0};
  to += static_cast<char>(kFin | (compressed ? kRsv1 : 0) | static_cast<std::uint8_t>(opcode));
  if (size < 126) {
    to += static_cast<char>(masked | size);
  } else {
    const int length_bytes = size <= 0xffff ? 2 : 8;
    to += static_cast<char>(masked | (length_bytes == 2 ? 126 : 127));
    for (int i = length_bytes - 1; i >= 0; --i) to += static_cast<char>(size >> (8 * i));
  }
  if (mask == nullptr) {
    to += payload;
    return;
  }
  to.append(reinterpret_cast<const char*>(mask), 4);
  const std::size_t before = to.size();
  to += payload;
  std::uint8_t copy[4];
  std::memcpy(copy, mask, 4);
  apply_mask(to.data() + before, size, copy, 0);
}

}  // namespace rondo::websocket
