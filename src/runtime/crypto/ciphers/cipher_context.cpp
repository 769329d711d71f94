#include "runtime/crypto/ciphers/cipher_context.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/params.h>

#include <algorithm>
#include <cctype>

namespace rondo::crypto {
namespace {

constexpr std::uint32_t kUsualTag = 16;  // bytes

/// OpenSSL takes a null pointer for another request than an empty message.
const std::uint8_t* pointer(ByteView bytes) {
  static constexpr std::uint8_t kNothing = 0;
  return bytes.empty() ? &kNothing : bytes.data();
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// Ciphers that are made for TLS inside of OpenSSL, and the one that does nothing.
bool is_internal(std::string_view name) {
  const std::string key = lower(name);
  return key == "null" || key.find("-cbc-hmac-") != std::string::npos ||
         key.find("-eta") != std::string::npos;
}

bool is_object_id(std::string_view name) {
  return std::isdigit(static_cast<unsigned char>(name[0]));
}

bool is_gcm_tag_length(std::uint32_t length) {
  return length == 4 || length == 8 || (length >= 12 && length <= 16);
}

struct Names {
  std::vector<std::string> list;

  static void add_built_in(const EVP_CIPHER*, const char* from, const char*, void* self) {
    if (from != nullptr) static_cast<Names*>(self)->add(from);
  }
  static void add_provided(EVP_CIPHER* cipher, void* self) {
    EVP_CIPHER_names_do_all(
        cipher,
        [](const char* name, void* names) {
          if (!is_object_id(name)) static_cast<Names*>(names)->add(lower(name));
        },
        self);
  }
  /// What only the legacy provider has is known by name, but cannot be used.
  void add(const std::string& name) {
    // rc4-hmac-md5 can be asked for, but is on no list.
    if (is_internal(name) || name.find("-hmac-") != std::string::npos) return;
    EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr);
    if (cipher == nullptr) {
      const EVP_CIPHER* built_in = EVP_get_cipherbyname(name.c_str());
      if (built_in == nullptr) return;
      cipher = EVP_CIPHER_fetch(nullptr, EVP_CIPHER_get0_name(built_in), nullptr);
      if (cipher == nullptr) return;
    }
    EVP_CIPHER_free(cipher);
    list.push_back(name);
  }
};

}  // namespace

CipherKind CipherKind::find(const char* name) {
  if (is_internal(name)) return {};
  if (const EVP_CIPHER* built_in = EVP_get_cipherbyname(name)) return CipherKind(built_in);
  ERR_set_mark();
  CipherKind kind;
  kind.fetched_.reset(EVP_CIPHER_fetch(nullptr, name, nullptr), EVP_CIPHER_free);
  kind.cipher_ = kind.fetched_.get();
  ERR_pop_to_mark();
  return kind;
}

CipherKind CipherKind::find(int nid) {
  const char* name = OBJ_nid2sn(nid);
  return name == nullptr ? CipherKind() : find(name);
}

std::vector<std::string> CipherKind::names() {
  ERR_set_mark();
  Names names;
  EVP_CIPHER_do_all_sorted(Names::add_built_in, &names);
  EVP_CIPHER_do_all_provided(nullptr, Names::add_provided, &names);
  ERR_pop_to_mark();
  std::ranges::sort(names.list);
  const auto repeated = std::ranges::unique(names.list);
  names.list.erase(repeated.begin(), repeated.end());
  return std::move(names.list);
}

std::string_view CipherKind::mode_name() const noexcept {
  switch (mode()) {
    case EVP_CIPH_STREAM_CIPHER:
      return "stream";
    case EVP_CIPH_ECB_MODE:
      return "ecb";
    case EVP_CIPH_CBC_MODE:
      return "cbc";
    case EVP_CIPH_CFB_MODE:
      return "cfb";
    case EVP_CIPH_OFB_MODE:
      return "ofb";
    case EVP_CIPH_CTR_MODE:
      return "ctr";
    case EVP_CIPH_GCM_MODE:
      return "gcm";
    case EVP_CIPH_CCM_MODE:
      return "ccm";
    case EVP_CIPH_XTS_MODE:
      return "xts";
    case EVP_CIPH_WRAP_MODE:
      return "wrap";
    case EVP_CIPH_OCB_MODE:
      return "ocb";
    case EVP_CIPH_SIV_MODE:
      return "siv";
    case EVP_CIPH_GCM_SIV_MODE:
      return "gcm-siv";
    default:
      return "";
  }
}

std::size_t CipherKind::key_length() const noexcept {
  return static_cast<std::size_t>(std::max(EVP_CIPHER_get_key_length(cipher_), 0));
}
std::size_t CipherKind::iv_length() const noexcept {
  return static_cast<std::size_t>(std::max(EVP_CIPHER_get_iv_length(cipher_), 0));
}
std::size_t CipherKind::block_size() const noexcept {
  return static_cast<std::size_t>(std::max(EVP_CIPHER_get_block_size(cipher_), 1));
}

bool CipherKind::is_siv() const noexcept {
  return mode() == EVP_CIPH_SIV_MODE || mode() == EVP_CIPH_GCM_SIV_MODE;
}
bool CipherKind::is_xts() const noexcept {
  return mode() == EVP_CIPH_XTS_MODE;
}
bool CipherKind::is_chacha20_poly1305() const noexcept {
  return EVP_CIPHER_get_nid(cipher_) == NID_chacha20_poly1305;
}
bool CipherKind::is_authenticated() const noexcept {
  return is_gcm() || is_ccm() || is_ocb() || is_siv() || is_chacha20_poly1305();
}

bool CipherKind::has_parameter(const char* name) const noexcept {
  const OSSL_PARAM* parameters = EVP_CIPHER_settable_ctx_params(cipher_);
  return parameters != nullptr && OSSL_PARAM_locate_const(parameters, name) != nullptr;
}

CipherContext::Fault CipherContext::begin(const CipherKind& kind, Direction direction,
                                          const Start& start) {
  const std::size_t expected_iv = kind.iv_length();
  if (start.iv.empty() != (expected_iv == 0) && start.iv.size() != expected_iv) {
    if (start.iv.empty() || !kind.is_authenticated() || expected_iv == 0) return Fault::iv;
  }
  // GCM, CCM and OCB take other lengths too. ChaCha20-Poly1305 would pad them with zeros.
  const bool takes_others = kind.is_gcm() || kind.is_ccm() || kind.is_ocb();
  if (!start.iv.empty() && start.iv.size() != expected_iv && !takes_others) return Fault::iv;

  kind_ = kind;
  direction_ = direction;
  context_.reset(EVP_CIPHER_CTX_new());
  if (!context_) return Fault::refused;
  if (kind.is_wrap()) EVP_CIPHER_CTX_set_flags(context_.get(), EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
  const int encrypts = direction == Direction::encrypt;
  if (EVP_CipherInit_ex(context_.get(), kind.get(), nullptr, nullptr, nullptr, encrypts) != 1) {
    return Fault::refused;
  }
  if (kind.is_authenticated()) {
    const Fault fault = begin_authenticated(start);
    if (fault != Fault::none) return fault;
  }
  if (EVP_CIPHER_CTX_set_key_length(context_.get(), static_cast<int>(start.key.size())) != 1) {
    context_.reset();
    return Fault::key_length;
  }
  const std::uint8_t* iv = start.iv.empty() ? nullptr : start.iv.data();
  const bool done = set_options(start) && EVP_CipherInit_ex(context_.get(), nullptr, nullptr,
                                                            pointer(start.key), iv, encrypts) == 1;
  return done ? Fault::none : Fault::refused;
}

CipherContext::Fault CipherContext::begin_authenticated(const Start& start) {
  EVP_CIPHER_CTX* context = context_.get();
  const int iv_size = static_cast<int>(start.iv.size());
  // Even for the usual length: CCM has another one until it is set.
  if (!kind_.is_siv() &&
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, iv_size, nullptr) != 1) {
    return Fault::iv;
  }
  if (kind_.is_ccm()) {
    // The nonce and the counter of the length share 15 bytes.
    if (iv_size == 12) most_bytes_ = (1 << 24) - 1;
    if (iv_size == 13) most_bytes_ = (1 << 16) - 1;
  }
  if (!start.tag_length) {
    if (kind_.is_ccm() || kind_.is_ocb()) return Fault::tag_required;
    tag_length_ = kUsualTag;
    return Fault::none;
  }
  const std::uint32_t length = *start.tag_length;
  bool accepted;
  if (kind_.is_gcm()) {
    accepted = is_gcm_tag_length(length);
  } else if (kind_.is_siv()) {
    accepted = length == kUsualTag;
  } else {
    accepted = length <= sizeof tag_ && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG,
                                                            static_cast<int>(length), nullptr) == 1;
  }
  if (!accepted) return Fault::tag_length;
  tag_length_ = length;
  return Fault::none;
}

bool CipherContext::set_options(const Start& start) {
  const auto set = [this](const char* name, const char* value) {
    if (value == nullptr) return true;
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(name, const_cast<char*>(value), 0),
        OSSL_PARAM_construct_end()};
    return EVP_CIPHER_CTX_set_params(context_.get(), parameters) == 1;
  };
  return set(OSSL_CIPHER_PARAM_CTS_MODE, start.cts_mode) &&
         set(OSSL_CIPHER_PARAM_XTS_STANDARD, start.xts_standard);
}

bool CipherContext::set_padding(bool on) {
  return context_ && EVP_CIPHER_CTX_set_padding(context_.get(), on ? 1 : 0) == 1;
}

bool CipherContext::set_tag(In tag) {
  tag_set_ =
      EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(tag.size()),
                          const_cast<std::uint8_t*>(tag.data())) == 1;
  return tag_set_;
}

CipherContext::Fault CipherContext::add_associated_data(In data, std::int64_t plaintext_length) {
  int written;
  EVP_CIPHER_CTX* context = context_.get();
  if (kind_.is_ccm()) {
    if (plaintext_length > most_bytes_) return Fault::message_length;
    // No data: a length only.
    if (EVP_CipherUpdate(context, nullptr, &written, nullptr, static_cast<int>(plaintext_length)) !=
        1) {
      return Fault::refused;
    }
  }
  const int size = static_cast<int>(data.size());
  return EVP_CipherUpdate(context, nullptr, &written, pointer(data), size) == 1 ? Fault::none
                                                                                : Fault::refused;
}

std::optional<std::size_t> CipherContext::update_room(In data) {
  const std::size_t room = data.size() + kind_.block_size();
  if (room > static_cast<std::size_t>(std::numeric_limits<int>::max())) return std::nullopt;
  if (!kind_.is_wrap() || direction_ == Direction::decrypt) return room;
  // A wrapped key is longer by more than a block; OpenSSL knows by how much.
  int wrapped = 0;
  if (EVP_CipherUpdate(context_.get(), nullptr, &wrapped, pointer(data),
                       static_cast<int>(data.size())) != 1) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(wrapped);
}

CipherContext::Fault CipherContext::update(In data, Out out, std::size_t& written) {
  written = 0;
  if (kind_.is_ccm() && static_cast<std::int64_t>(data.size()) > most_bytes_) {
    return Fault::message_length;
  }
  // The tweak of XTS begins anew with each call of OpenSSL: a message is one piece.
  if (kind_.is_xts() && updated_) return Fault::refused;
  int size = 0;
  const bool done = EVP_CipherUpdate(context_.get(), out.data(), &size, pointer(data),
                                     static_cast<int>(data.size())) == 1;
  if (done || checks_in_update()) {
    updated_ = true;
    failed_ = failed_ || !done;
    written = static_cast<std::size_t>(std::max(size, 0));
    return Fault::none;
  }
  return Fault::refused;
}

bool CipherContext::end(Out out, std::size_t& written) {
  written = 0;
  // The message of SIV is one piece, even if that is empty.
  bool done = !failed_ && (updated_ || !(checks_in_update() || kind_.is_siv()));
  // There is nothing left to be checked at the end of CCM, and OpenSSL would fail.
  if (done && !(checks_in_update() && kind_.is_ccm())) {
    int size = 0;
    done = EVP_CipherFinal_ex(context_.get(), out.data(), &size) == 1;
    written = static_cast<std::size_t>(std::max(size, 0));
  }
  if (done && direction_ == Direction::encrypt && kind_.is_authenticated()) {
    done = EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG, static_cast<int>(tag_length_),
                               tag_) == 1;
    tag_ready_ = done;
  }
  context_.reset();
  return done;
}

}  // namespace rondo::crypto
