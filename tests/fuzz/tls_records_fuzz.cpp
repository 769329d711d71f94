// Records of TLS: what a peer sends before and after the handshake. A session never gives more than
// there is room for, judges all at once as byte for byte, and does not recover from a failure.
//
// The first byte says what is tried: a server or a client, that of TLS 1.2 or 1.3; on what follows
// alone, or after a handshake whose bytes are altered by what follows: pairs of a position and what
// is added there.
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tls/certificates.h"
#include "tls/context.h"
#include "tls/session.h"

namespace {

using namespace rondo::tls;
using Bytes = std::span<const std::byte>;
using Status = Session::Status;

void check(bool holds) {
  if (!holds) std::abort();
}

std::unique_ptr<Context> make_context(Side side, int version) {
  static const rondo::tls_test::Authority authority;
  static const rondo::tls_test::Identity identity = authority.sign("DNS:localhost");
  const bool is_server = side == Side::server;
  auto context = Context::make(is_server ? Context::Role::server : Context::Role::client,
                               {.min = TLS1_2_VERSION, .max = version});
  check(context != nullptr);
  if (is_server) {
    context->enable_server_events();
    check(context->use_certificate_chain(identity.certificate));
    check(context->use_key(identity.key, std::nullopt));
  }
  return context;
}

Context& context_of(Side side, int version) {
  static const auto server = make_context(Side::server, TLS1_3_VERSION);
  static const auto client = make_context(Side::client, TLS1_3_VERSION);
  static const auto old_server = make_context(Side::server, TLS1_2_VERSION);
  static const auto old_client = make_context(Side::client, TLS1_2_VERSION);
  const bool old = version == TLS1_2_VERSION;
  if (side == Side::server) return old ? *old_server : *server;
  return old ? *old_client : *client;
}

class End : public SessionEvents {
 public:
  End(Side side, int version) : session_(context_of(side, version), side, *this) {
    ERR_clear_error();
    if (side == Side::client) go_on();  // it speaks first
  }

  /// Takes what arrives; returns what to send back.
  std::string hear(Bytes bytes) {
    if (over()) return {};
    session_.feed(bytes);
    go_on();
    session_.unfeed();
    return take_output();
  }
  void go_on() {
    std::array<std::byte, 512> buffer;
    do {
      const auto [status, size] = session_.read(buffer);
      check(size <= buffer.size());
      check(status == Status::done || size == 0);
      received += size;
      status_ = status;
    } while (status_ == Status::done);
    ERR_clear_error();
  }
  std::string take_output() { return std::exchange(session_.output(), {}); }
  void say(std::string_view text) {
    session_.write(std::as_bytes(std::span(text)));
    ERR_clear_error();
  }
  bool over() const noexcept { return status_ == Status::failed || status_ == Status::closed; }
  bool failed() const noexcept { return status_ == Status::failed; }
  bool secure() const { return SSL_is_init_finished(session_.ssl()) == 1; }

  std::size_t received = 0;

 private:
  Session session_;
  Status status_ = Status::wait;
};

bool fails_on(Side side, int version, Bytes bytes, std::size_t step) {
  End end(side, version);
  while (!bytes.empty()) {
    end.hear(bytes.first(std::min(step, bytes.size())));
    bytes = bytes.subspan(std::min(step, bytes.size()));
  }
  check(!end.secure() && end.received == 0);
  return end.failed();
}

/// A handshake and some data, of which what goes to the end that is tried is altered.
void talk(Side tried, int version, std::span<const std::uint8_t> changes) {
  End end(tried, version);
  End peer(tried == Side::server ? Side::client : Side::server, version);
  std::size_t passed = 0;
  bool altered = false;
  const auto alter = [&](std::string& bytes) {
    for (std::size_t i = 0; i + 2 < changes.size(); i += 3) {
      const std::size_t at = changes[i] + (std::size_t{changes[i + 1]} << 8);
      if (at < passed || at - passed >= bytes.size() || changes[i + 2] == 0) continue;
      bytes[at - passed] = static_cast<char>(bytes[at - passed] + changes[i + 2]);
      altered = true;
    }
    passed += bytes.size();
  };
  std::string to_peer = end.take_output();
  std::string to_end = peer.take_output();
  bool said = false;
  for (int turns = 0; turns < 20; ++turns) {
    if (peer.secure() && !said) {
      peer.say("some data that is secret");
      said = true;
      to_end += peer.take_output();
    }
    if (to_peer.empty() && to_end.empty()) break;
    alter(to_end);
    const std::string heard = std::exchange(to_end, {});
    to_peer += end.hear(std::as_bytes(std::span(heard)));
    const std::string back = std::exchange(to_peer, {});
    to_end += peer.hear(std::as_bytes(std::span(back)));
  }
  if (!altered) check(end.secure() && end.received == 24);
  if (altered) check(end.received == 0 || end.received == 24);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > (1U << 16)) return 0;
  const Side side = (data[0] & 1) != 0 ? Side::client : Side::server;
  const int version = (data[0] & 2) != 0 ? TLS1_2_VERSION : TLS1_3_VERSION;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  if ((data[0] & 4) != 0) {
    talk(side, version, rest);
  } else {
    const auto bytes = std::as_bytes(rest);
    check(fails_on(side, version, bytes, size) == fails_on(side, version, bytes, 1));
  }
  return 0;
}
