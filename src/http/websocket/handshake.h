// What the two sides say to each other before the first frame (RFC 6455, 4; RFC 7692, 7).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rondo/http/message.h"

namespace rondo::websocket {

/// Sec-WebSocket-Accept for a Sec-WebSocket-Key.
std::string accept_key(std::string_view key);
/// Sixteen random bytes in base64.
std::string random_key();
/// Whether text is sixteen bytes in base64.
bool is_key(std::string_view text) noexcept;

/// Random bytes, many at a time from the kernel.
void fill_random(std::uint8_t* bytes, std::size_t size);

struct DeflateTerms {
  int our_window_bits = 15;       // for what we compress
  bool peer_keeps_window = true;  // for what the peer compresses
};
/// The first offer of a client that we can take, and the answer to it.
struct DeflateAnswer {
  DeflateTerms terms;
  std::string answer;
};
std::optional<DeflateAnswer> answer_offers(const http::Headers& headers);
/// What a client offers.
inline constexpr std::string_view kDeflateOffer = "permessage-deflate; server_no_context_takeover";
/// The answer of a server to that: nothing if it has declined. False if it makes no sense.
bool read_answer(const http::Headers& headers, std::optional<DeflateTerms>& terms);

}  // namespace rondo::websocket
