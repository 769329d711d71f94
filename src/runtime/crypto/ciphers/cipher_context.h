// Symmetric ciphers of OpenSSL, found by name, and one message on its way through one of them.
// No V8 here: failures are return values, or are in OpenSSL's queue of errors.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/openssl_ptr.h"

namespace rondo::crypto {

/// A kind of cipher: aes-128-cbc.
class CipherKind {
 public:
  CipherKind() = default;

  /// Empty if there is none of this name, or number (those of OpenSSL's objects).
  static CipherKind find(const char* name);
  static CipherKind find(int nid);
  /// The names of all that can be used.
  static std::vector<std::string> names();

  explicit operator bool() const noexcept { return cipher_ != nullptr; }
  const EVP_CIPHER* get() const noexcept { return cipher_; }

  int mode() const noexcept { return EVP_CIPHER_get_mode(cipher_); }
  /// As getCipherInfo() calls it: "cbc".
  std::string_view mode_name() const noexcept;
  std::size_t key_length() const noexcept;
  std::size_t iv_length() const noexcept;
  std::size_t block_size() const noexcept;

  bool is_ccm() const noexcept { return mode() == EVP_CIPH_CCM_MODE; }
  bool is_gcm() const noexcept { return mode() == EVP_CIPH_GCM_MODE; }
  bool is_ocb() const noexcept { return mode() == EVP_CIPH_OCB_MODE; }
  bool is_wrap() const noexcept { return mode() == EVP_CIPH_WRAP_MODE; }
  /// SIV and GCM-SIV: the tag comes before the text, so that a message is one piece.
  bool is_siv() const noexcept;
  bool is_xts() const noexcept;
  bool is_chacha20_poly1305() const noexcept;
  /// Makes a tag, or checks one.
  bool is_authenticated() const noexcept;

  /// Whether contexts of it have this parameter.
  bool has_parameter(const char* name) const noexcept;

 private:
  explicit CipherKind(const EVP_CIPHER* built_in) : cipher_(built_in) {}

  std::shared_ptr<EVP_CIPHER> fetched_;  // owns cipher_, unless that is built in
  const EVP_CIPHER* cipher_ = nullptr;
};

class CipherContext {
 public:
  using In = ByteView;
  using Out = std::span<std::uint8_t>;

  enum class Direction : bool { decrypt, encrypt };

  enum class Fault : std::uint8_t {
    none,
    refused,  // by OpenSSL, which may have said why
    iv,       // its length
    key_length,
    tag_required,  // a length of the tag has to be given for this cipher
    tag_length,
    message_length,  // longer than CCM allows with this IV
  };

  struct Start {
    In key;
    In iv;
    std::optional<std::uint32_t> tag_length;
    const char* cts_mode = nullptr;
    const char* xts_standard = nullptr;
  };

  Fault begin(const CipherKind& kind, Direction direction, const Start& start);

  /// Until end().
  bool is_open() const noexcept { return context_ != nullptr; }
  Direction direction() const noexcept { return direction_; }
  const CipherKind& kind() const noexcept { return kind_; }

  bool set_padding(bool on);
  /// Of the cipher that was begun; the length that a given tag must have.
  std::uint32_t tag_length() const noexcept { return tag_length_; }
  bool has_tag() const noexcept { return tag_set_; }
  /// Decryption only, and once.
  bool set_tag(In tag);
  /// `plaintext_length` is used by CCM alone, which has to know it before.
  Fault add_associated_data(In data, std::int64_t plaintext_length);

  /// Room that update() needs for this many bytes; nothing if the cipher refuses them.
  std::optional<std::size_t> update_room(In data);
  /// Gives how many bytes were written.
  Fault update(In data, Out out, std::size_t& written);

  std::size_t end_room() const noexcept { return kind_.block_size(); }
  /// Nothing can be added after it, whether or not it succeeds. The tag is there then.
  bool end(Out out, std::size_t& written);
  /// Empty until an authenticated encryption has ended.
  In tag() const noexcept { return {tag_, tag_ready_ ? tag_length_ : 0}; }

 private:
  Fault begin_authenticated(const Start& start);
  bool set_options(const Start& start);
  /// Authenticates while it decrypts, in its only update(); end() reports a failure.
  bool checks_in_update() const noexcept {
    return direction_ == Direction::decrypt && (kind_.is_ccm() || kind_.is_siv());
  }

  CipherKind kind_;
  CipherCtxPtr context_;
  Direction direction_ = Direction::encrypt;
  std::uint32_t tag_length_ = 0;
  std::int64_t most_bytes_ = std::numeric_limits<int>::max();
  bool tag_set_ = false;
  bool tag_ready_ = false;
  bool updated_ = false;
  bool failed_ = false;
  std::uint8_t tag_[16];
};

}  // namespace rondo::crypto
