// CipherBase, which createCipheriv() and createDecipheriv() use, and what is known of ciphers.
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "runtime/bytes/buffer.h"
#include "runtime/crypto/arguments.h"
#include "runtime/crypto/ciphers/cipher_context.h"
#include "runtime/crypto/input.h"
#include "runtime/crypto/parts.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"

namespace rondo::crypto {
namespace {

using v8::Local;
using Direction = CipherContext::Direction;
using Fault = CipherContext::Fault;

struct FreeMemory {
  void operator()(void* memory) const noexcept { std::free(memory); }
};
using Memory = std::unique_ptr<std::uint8_t[], FreeMemory>;

/// Memory that a Buffer can own. Throws std::bad_alloc.
Memory allocate(std::size_t size) {
  Memory memory(static_cast<std::uint8_t*>(std::malloc(std::max<std::size_t>(size, 1))));
  if (!memory) throw std::bad_alloc();
  return memory;
}

/// A Buffer of the first bytes of this memory. Little of it is copied rather than kept.
v8::MaybeLocal<v8::Value> to_buffer(Environment& environment, Memory memory, std::size_t size) {
  constexpr std::size_t kFewBytes = 64;
  if (size <= kFewBytes) return make_bytes(environment, {memory.get(), size});
  Local<v8::Object> buffer;
  if (!make_buffer_of_malloc(environment, memory.release(), size).ToLocal(&buffer)) return {};
  return buffer;
}

bool too_big(const Environment& environment, std::size_t size, const char* message) {
  if (size <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
  throw_range_error(environment, "ERR_OUT_OF_RANGE", message);
  return true;
}

void throw_tag_length(const Environment& environment, std::size_t length) {
  throw_type_error(environment, "ERR_CRYPTO_INVALID_AUTH_TAG",
                   "Invalid authentication tag length: " + std::to_string(length));
}

/// Whether something was done; nothing if an exception is under way.
using Answer = std::optional<bool>;

class CipherBase final : public Wrapped {
 public:
  using Wrapped::Wrapped;

  /// new CipherBase(encrypts, name, key, iv or null, length of the tag or -1, ctsMode, xtsStandard)
  static void construct(const Arguments& args) {
    v8::Isolate* isolate = args.GetIsolate();
    Environment& environment = Environment::of(isolate);
    const ErrorScope scope;
    auto* self = new CipherBase(environment, args.This());
    const ByteSource key(isolate, args[2], ByteSource::Lifetime::borrow);
    const ByteSource iv(isolate, args[3], ByteSource::Lifetime::borrow);
    if (too_big(environment, key.size(), "key is too big")) return;
    if (too_big(environment, iv.size(), "iv is too big")) return;

    const std::string name = text_at(args, 1);
    const CipherKind kind = CipherKind::find(name.c_str());
    if (!kind) {
      return throw_error(environment, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
    }
    CipherContext::Start start{key, iv, {}};
    if (args[4]->IsUint32()) start.tag_length = uint32_at(args, 4);
    std::string cts_mode;
    std::string xts_standard;
    if (!self->read_option(args, 5, kind, OSSL_CIPHER_PARAM_CTS_MODE, "ctsMode", cts_mode) ||
        !self->read_option(args, 6, kind, OSSL_CIPHER_PARAM_XTS_STANDARD, "xtsStandard",
                           xts_standard)) {
      return;
    }
    if (!cts_mode.empty()) start.cts_mode = cts_mode.c_str();
    if (!xts_standard.empty()) start.xts_standard = xts_standard.c_str();
    const Direction direction = args[0]->IsTrue() ? Direction::encrypt : Direction::decrypt;
    self->throw_fault(self->context_.begin(kind, direction, start), name, start);
  }

  v8::MaybeLocal<v8::Value> update(Local<v8::Value> data, Local<v8::Value> encoding) {
    const ErrorScope scope;
    const Input input(environment().isolate(), data, encoding);
    if (!input.fits(environment())) return {};
    std::size_t written = 0;
    Memory out;
    Fault fault = Fault::refused;
    if (context_.is_open()) {
      if (const auto room = context_.update_room(input.get())) {
        out = allocate(*room);
        fault = context_.update(input.get(), {out.get(), *room}, written);
      }
    }
    if (fault == Fault::none) return to_buffer(environment(), std::move(out), written);
    if (fault == Fault::message_length) {
      throw_message_length(environment());
    } else {
      ERR_clear_error();
      throw_openssl_error(environment(), 0, "Trying to add data in unsupported state");
    }
    return {};
  }

  v8::MaybeLocal<v8::Value> final() {
    const ErrorScope scope;
    if (!context_.is_open()) {
      throw_error(environment(), "ERR_CRYPTO_INVALID_STATE", "Invalid state");
      return {};
    }
    const bool authenticated = context_.kind().is_authenticated();
    const std::size_t room = context_.end_room();
    Memory out = allocate(room);
    std::size_t written = 0;
    if (context_.end({out.get(), room}, written)) {
      return to_buffer(environment(), std::move(out), written);
    }
    throw_openssl_error(
        environment(), ERR_peek_error(),
        authenticated ? "Unsupported state or unable to authenticate data" : "Unsupported state");
    return {};
  }

  /// True if it is left out, not if it is undefined.
  static void set_auto_padding(const Arguments& args) {
    CipherBase* self = Wrapped::from<CipherBase>(args.This());
    const ErrorScope scope;
    args.GetReturnValue().Set(self->context_.set_padding(args.Length() < 1 || args[0]->IsTrue()));
  }

  /// undefined if there is none.
  v8::MaybeLocal<v8::Value> get_auth_tag() {
    if (context_.is_open() || context_.tag().empty()) return {};
    return make_bytes(environment(), context_.tag());
  }

  /// Whether this was the time for it.
  Answer set_auth_tag(std::span<std::uint8_t> tag) {
    const ErrorScope scope;
    if (!context_.is_open() || !context_.kind().is_authenticated() ||
        context_.direction() != Direction::decrypt || context_.has_tag()) {
      return false;
    }
    if (too_big(environment(), tag.size(), "buffer is too big")) return std::nullopt;
    if (tag.size() == context_.tag_length()) return context_.set_tag(tag);
    throw_tag_length(environment(), tag.size());
    return std::nullopt;
  }

  /// setAAD(data, length of the plaintext or -1) -> whether it was added.
  Answer set_aad(std::span<std::uint8_t> data, std::int32_t length) {
    const ErrorScope scope;
    if (too_big(environment(), data.size(), "buffer is too big")) return std::nullopt;
    if (!context_.is_open() || !context_.kind().is_authenticated()) return false;
    if (context_.kind().is_ccm() && length < 0) {
      throw_type_error(environment(), "ERR_MISSING_ARGS",
                       "options.plaintextLength required for CCM mode with AAD");
      return std::nullopt;
    }
    const Fault fault = context_.add_associated_data(data, length);
    if (fault != Fault::message_length) return fault == Fault::none;
    throw_message_length(environment());
    return std::nullopt;
  }

 private:
  static void throw_message_length(const Environment& environment) {
    throw_range_error(environment, "ERR_CRYPTO_INVALID_MESSAGELEN", "Invalid message length");
  }

  /// A parameter that few ciphers have. False with an exception under way if this one has not.
  bool read_option(const Arguments& args, int index, const CipherKind& kind, const char* parameter,
                   const char* property, std::string& value) const {
    if (args[index]->IsUndefined()) return true;
    value = text_at(args, index);
    if (kind.has_parameter(parameter)) return true;
    throw_error(environment(), "ERR_CRYPTO_UNSUPPORTED_OPERATION",
                text_at(args, 1) + " does not support the " + property + " option");
    return false;
  }

  void throw_fault(Fault fault, const std::string& name, const CipherContext::Start& start) const {
    switch (fault) {
      case Fault::none:
        return;
      case Fault::iv:
        return throw_type_error(environment(), "ERR_CRYPTO_INVALID_IV",
                                "Invalid initialization vector");
      case Fault::key_length:
        return throw_range_error(environment(), "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
      case Fault::tag_required:
        return throw_type_error(environment(), "ERR_CRYPTO_INVALID_AUTH_TAG",
                                "authTagLength required for " + name);
      case Fault::tag_length:
        return throw_tag_length(environment(), *start.tag_length);
      case Fault::refused:
      case Fault::message_length:
        return throw_openssl_error(environment(), ERR_peek_error(), "Failed to initialize cipher");
    }
  }

  CipherContext context_;
};

Local<v8::Array> array_of(const Environment& environment, const std::vector<std::string>& texts) {
  std::vector<Local<v8::Value>> values;
  for (const std::string& text : texts) values.push_back(environment.text(text));
  return v8::Array::New(environment.isolate(), values.data(), values.size());
}

void get_ciphers(const Arguments& args) {
  args.GetReturnValue().Set(array_of(Environment::of(args.GetIsolate()), CipherKind::names()));
}

void get_curves(const Arguments& args) {
  std::vector<EC_builtin_curve> curves(EC_get_builtin_curves(nullptr, 0));
  EC_get_builtin_curves(curves.data(), curves.size());
  std::vector<std::string> names;
  for (const EC_builtin_curve& curve : curves) names.emplace_back(OBJ_nid2sn(curve.nid));
  args.GetReturnValue().Set(array_of(Environment::of(args.GetIsolate()), names));
}

/// The names of those that TLS can agree upon, and of those of TLS 1.3 that are off by default.
void get_ssl_ciphers(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  const ErrorScope scope;
  const OpenSslPtr<SSL_CTX, SSL_CTX_free> context(SSL_CTX_new(TLS_method()));
  if (!context) return throw_openssl_error(environment, ERR_peek_error(), "SSL_CTX_new");
  const OpenSslPtr<SSL, SSL_free> ssl(SSL_new(context.get()));
  if (!ssl) return throw_openssl_error(environment, ERR_peek_error(), "SSL_new");
  std::vector<std::string> names;
  STACK_OF(SSL_CIPHER)* ciphers = SSL_get_ciphers(ssl.get());
  for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); ++i) {
    names.emplace_back(SSL_CIPHER_get_name(sk_SSL_CIPHER_value(ciphers, i)));
  }
  names.insert(names.end(),
               {"tls_aes_256_gcm_sha384", "tls_chacha20_poly1305_sha256", "tls_aes_128_gcm_sha256",
                "tls_aes_128_ccm_8_sha256", "tls_aes_128_ccm_sha256"});
  args.GetReturnValue().Set(array_of(environment, names));
}

/// Whether the cipher takes a key, and an IV, of these lengths.
bool accepts(const CipherKind& kind, const std::size_t* key_length, const std::size_t* iv_length) {
  const CipherCtxPtr context(EVP_CIPHER_CTX_new());
  if (!context || EVP_CipherInit_ex(context.get(), kind.get(), nullptr, nullptr, nullptr, 1) != 1) {
    return false;
  }
  if (key_length != nullptr &&
      EVP_CIPHER_CTX_set_key_length(context.get(), static_cast<int>(*key_length)) != 1) {
    return false;
  }
  if (iv_length == nullptr || kind.is_gcm()) return true;
  if (kind.is_ccm()) return *iv_length >= 7 && *iv_length <= 13;
  if (kind.is_ocb()) {
    return EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(*iv_length),
                               nullptr) == 1;
  }
  return *iv_length == kind.iv_length();
}

/// getCipherInfo(name or number, length of a key, of an IV) -> undefined if there is no such
/// cipher, or if it does not take these lengths.
void get_cipher_info(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  const ErrorScope scope;
  const CipherKind kind = args[0]->IsString() ? CipherKind::find(text_at(args, 0).c_str())
                                              : CipherKind::find(int32_at(args, 0));
  if (!kind) return;
  std::size_t key_length = kind.key_length();
  std::size_t iv_length = kind.iv_length();
  const bool tests_key = args[1]->IsUint32();
  const bool tests_iv = args[2]->IsUint32();
  if (tests_key) key_length = uint32_at(args, 1);
  if (tests_iv) iv_length = uint32_at(args, 2);
  if ((tests_key || tests_iv) &&
      !accepts(kind, tests_key ? &key_length : nullptr, tests_iv ? &iv_length : nullptr)) {
    return;
  }

  std::string name = EVP_CIPHER_get0_name(kind.get());
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto number = [isolate](std::size_t value, bool is_known) -> Local<v8::Value> {
    if (!is_known) return v8::Undefined(isolate);
    return v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(value));
  };
  const int nid = EVP_CIPHER_get_nid(kind.get());
  Local<v8::Name> names[] = {environment.name("mode"),      environment.name("name"),
                             environment.name("nid"),       environment.name("keyLength"),
                             environment.name("blockSize"), environment.name("ivLength")};
  Local<v8::Value> values[] = {
      environment.text(kind.mode_name()),
      environment.text(name),
      number(static_cast<std::size_t>(nid), nid != NID_undef),
      number(key_length, true),
      number(kind.block_size(), kind.mode() != EVP_CIPH_STREAM_CIPHER),
      number(iv_length, iv_length != 0),
  };
  args.GetReturnValue().Set(
      v8::Object::New(isolate, v8::Null(isolate), names, values, std::size(names)));
}

}  // namespace

void add_cipher(Environment& environment, Local<v8::Object> target) {
  static constexpr Method kMethods[] = {
      method<&CipherBase::update>("update"),
      method<&CipherBase::final>("final"),
      {"setAutoPadding", CipherBase::set_auto_padding},
      method<&CipherBase::get_auth_tag>("getAuthTag"),
      method<&CipherBase::set_auth_tag>("setAuthTag"),
      method<&CipherBase::set_aad>("setAAD"),
  };
  set_class(environment, target, {"CipherBase", CipherBase::construct, kMethods});
  set_method(environment, target, {"getCiphers", get_ciphers});
  set_method(environment, target, {"getCurves", get_curves});
  set_method(environment, target, {"getSSLCiphers", get_ssl_ciphers});
  set_method(environment, target, {"getCipherInfo", get_cipher_info});
}

}  // namespace rondo::crypto
