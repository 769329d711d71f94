#include "runtime/crypto/keys/key_codec.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ui.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/pkey_types.h"
#include "runtime/crypto/state.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {

ByteView contents_of(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {reinterpret_cast<const std::uint8_t*>(data), static_cast<std::size_t>(size)};
}

BioPtr memory_bio(ByteView bytes) {
  static constexpr char kNothing[] = "";
  return BioPtr(BIO_new_mem_buf(bytes.empty() ? static_cast<const void*>(kNothing) : bytes.data(),
                                static_cast<int>(bytes.size())));
}

namespace {

using v8::Local;

// ---- DER, as far as formats must be distinguished -----------------------------------------------

/// What is inside the outermost SEQUENCE; empty if there is none.
ByteView inside_sequence(ByteView bytes) {
  if (bytes.size() < 2 || bytes[0] != 0x30) return {};
  if ((bytes[1] & 0x80) == 0)
    return bytes.subspan(2).first(std::min<std::size_t>(bytes.size() - 2, bytes[1]));
  const std::size_t count = bytes[1] & 0x7fU;
  if (count + 2 > bytes.size() || count > sizeof(std::size_t)) return {};
  std::size_t length = 0;
  for (std::size_t i = 0; i < count; ++i) length = length << 8 | bytes[i + 2];
  const ByteView rest = bytes.subspan(2 + count);
  return rest.first(std::min(rest.size(), length));
}

/// PrivateKeyInfo begins with a number, EncryptedPrivateKeyInfo does not.
bool is_encrypted_pkcs8(ByteView bytes) {
  const ByteView inside = inside_sequence(bytes);
  return !inside.empty() && inside[0] != 2;
}

/// RSAPrivateKey begins with a version, 0 or 1; RSAPublicKey with the modulus.
bool is_rsa_private_key(ByteView bytes) {
  const ByteView inside = inside_sequence(bytes);
  return inside.size() >= 3 && inside[0] == 2 && inside[1] == 1 && inside[2] <= 1;
}

// ---- Passphrases --------------------------------------------------------------------------------

/// For OpenSSL's callback, which else would ask at the terminal.
struct Passphrase {
  std::optional<ByteView> bytes;
  bool was_missed = false;

  static int give(char* out, int size, int /*writing*/, void* self) {
    auto& passphrase = *static_cast<Passphrase*>(self);
    if (!passphrase.bytes) {
      passphrase.was_missed = true;
      return -1;
    }
    if (passphrase.bytes->size() > static_cast<std::size_t>(size)) return -1;
    if (!passphrase.bytes->empty()) {
      std::memcpy(out, passphrase.bytes->data(), passphrase.bytes->size());
    }
    return static_cast<int>(passphrase.bytes->size());
  }
};

void throw_missing_passphrase(const Environment& environment) {
  throw_type_error(environment, "ERR_MISSING_PASSPHRASE", "Passphrase required for encrypted key");
}

// ---- Private keys -------------------------------------------------------------------------------

EVP_PKEY* read_private(BIO* bio, ByteView bytes, KeyFormat format, KeyEncoding encoding,
                       Passphrase& passphrase) {
  if (format == KeyFormat::pem) {
    return PEM_read_bio_PrivateKey(bio, nullptr, Passphrase::give, &passphrase);
  }
  if (encoding == KeyEncoding::pkcs1 || encoding == KeyEncoding::sec1) {
    return d2i_PrivateKey_bio(bio, nullptr);
  }
  if (encoding != KeyEncoding::pkcs8) return nullptr;
  if (is_encrypted_pkcs8(bytes)) {
    return d2i_PKCS8PrivateKey_bio(bio, nullptr, Passphrase::give, &passphrase);
  }
  const Pkcs8Ptr info(d2i_PKCS8_PRIV_KEY_INFO_bio(bio, nullptr));
  return info == nullptr ? nullptr : EVP_PKCS82PKEY(info.get());
}

bool is_bad_password(unsigned long error) {
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_BAD_PASSWORD_READ;
}

}  // namespace

PkeyPtr parse_private_key(const Environment& environment, ByteView bytes, KeyFormat format,
                          KeyEncoding encoding, const std::optional<ByteView>& passphrase) {
  const BioPtr bio = memory_bio(bytes);
  Passphrase given{passphrase};
  PkeyPtr key(read_private(bio.get(), bytes, format, encoding, given));
  // A decoder can leave a key and an error.
  const unsigned long error = ERR_peek_error();
  if (key != nullptr && error == 0) return key;
  if (is_bad_password(error) && !passphrase) {
    throw_missing_passphrase(environment);
  } else {
    throw_openssl_error(environment, error, "Failed to read private key");
  }
  return nullptr;
}

// ---- Public keys --------------------------------------------------------------------------------

namespace {

using ReadDer = EVP_PKEY*(const unsigned char** data, long size);

EVP_PKEY* read_spki(const unsigned char** data, long size) {
  return d2i_PUBKEY(nullptr, data, size);
}

EVP_PKEY* read_rsa(const unsigned char** data, long size) {
  return d2i_PublicKey(EVP_PKEY_RSA, nullptr, data, size);
}

EVP_PKEY* read_certificate(const unsigned char** data, long size) {
  const X509Ptr certificate(d2i_X509(nullptr, data, size));
  return certificate == nullptr ? nullptr : X509_get_pubkey(certificate.get());
}

struct PublicPem {
  const char* label;
  ReadDer* read;
};

constexpr PublicPem kPublicPems[] = {
    {"PUBLIC KEY", read_spki},
    {"RSA PUBLIC KEY", read_rsa},
    {"CERTIFICATE", read_certificate},
};

/// The key of the first part with a label of a public key; `is_found` says whether there is one.
PkeyPtr read_public_pem(ByteView bytes, bool& is_found) {
  for (const PublicPem& kind : kPublicPems) {
    const BioPtr bio = memory_bio(bytes);
    unsigned char* der = nullptr;
    long size = 0;
    ERR_set_mark();
    is_found =
        PEM_bytes_read_bio(&der, &size, nullptr, kind.label, bio.get(), nullptr, nullptr) == 1;
    ERR_pop_to_mark();
    if (!is_found) continue;
    const unsigned char* position = der;
    PkeyPtr key(kind.read(&position, size));
    OPENSSL_clear_free(der, static_cast<std::size_t>(size));
    return key;
  }
  return nullptr;
}

bool is_public_der(ByteView bytes, KeyEncoding encoding) {
  return encoding == KeyEncoding::spki ||
         (encoding == KeyEncoding::pkcs1 && !is_rsa_private_key(bytes));
}

}  // namespace

KeyData parse_any_key(const Environment& environment, ByteView bytes, KeyFormat format,
                      KeyEncoding encoding, const std::optional<ByteView>& passphrase) {
  PkeyPtr key;
  bool is_public = true;
  if (format == KeyFormat::pem) {
    key = read_public_pem(bytes, is_public);
  } else if (is_public_der(bytes, encoding)) {
    const unsigned char* position = bytes.data();
    key.reset((encoding == KeyEncoding::spki ? read_spki : read_rsa)(
        &position, static_cast<long>(bytes.size())));
  } else {
    is_public = false;
  }
  if (!is_public) {
    PkeyPtr private_key = parse_private_key(environment, bytes, format, encoding, passphrase);
    if (private_key == nullptr) return {};
    return KeyData::of_pkey(KeyType::private_key, std::move(private_key));
  }
  if (key == nullptr) {
    // As Node has it: the message of a broken PEM is OpenSSL's.
    throw_openssl_error(environment, format == KeyFormat::pem ? ERR_peek_error() : 0,
                        "Failed to read asymmetric key");
    return {};
  }
  return KeyData::of_pkey(KeyType::public_key, std::move(key));
}

// ---- Stores -------------------------------------------------------------------------------------

namespace {

using UiMethodPtr = OpenSslPtr<UI_METHOD, UI_destroy_method>;
using StoreInfoPtr = OpenSslPtr<OSSL_STORE_INFO, OSSL_STORE_INFO_free>;

enum class StoreResult : std::uint8_t { found, none, failed };

StoreResult load_from(OSSL_STORE_CTX* store, PkeyPtr& key) {
  while (OSSL_STORE_eof(store) != 1) {
    const StoreInfoPtr info(OSSL_STORE_load(store));
    if (info == nullptr) {
      if (OSSL_STORE_error(store) == 1) return StoreResult::failed;
      continue;
    }
    if (OSSL_STORE_INFO_get_type(info.get()) != OSSL_STORE_INFO_PKEY) continue;
    key.reset(OSSL_STORE_INFO_get1_PKEY(info.get()));
    return key == nullptr ? StoreResult::failed : StoreResult::found;
  }
  return StoreResult::none;
}

void throw_store_error(const Environment& environment, bool is_passphrase_missing,
                       StoreResult result, unsigned long error) {
  constexpr const char* kMessage = "Failed to load private key through an OpenSSL STORE loader";
  if (is_passphrase_missing || result == StoreResult::none) ERR_clear_error();
  if (is_passphrase_missing) return throw_missing_passphrase(environment);
  if (result == StoreResult::none) {
    return throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED",
                       "No private key found through the OpenSSL STORE loader");
  }
  if (error == 0) return throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED", kMessage);
  throw_openssl_error(environment, error, kMessage);
}

}  // namespace

PkeyPtr load_private_key(const Environment& environment, const std::string& uri,
                         const std::optional<std::string>& properties,
                         const std::optional<ByteView>& passphrase) {
  v8::Isolate* const isolate = environment.isolate();
  const auto check = State::of(Environment::of(isolate)).check_store.Get(isolate);
  if (check->Call(environment.context(), v8::Undefined(isolate), 0, nullptr).IsEmpty()) {
    return nullptr;
  }
  Passphrase given{passphrase};
  const UiMethodPtr method(UI_UTIL_wrap_read_pem_callback(Passphrase::give, 0));
  const char* wanted = properties && !properties->empty() ? properties->c_str() : nullptr;
  const StoreCtxPtr store(OSSL_STORE_open_ex(uri.c_str(), nullptr, wanted, method.get(), &given,
                                             nullptr, nullptr, nullptr));
  PkeyPtr key;
  StoreResult result = StoreResult::failed;
  if (store != nullptr && OSSL_STORE_expect(store.get(), OSSL_STORE_INFO_PKEY) == 1) {
    result = load_from(store.get(), key);
  }
  if (result == StoreResult::found) {
    ERR_clear_error();
    return key;
  }
  // The last error is that of the loader that took the URI.
  throw_store_error(environment, given.was_missed, result, ERR_peek_last_error());
  return nullptr;
}

// ---- Writing ------------------------------------------------------------------------------------

namespace {

v8::MaybeLocal<v8::Value> to_value(Environment& environment, BIO* bio, KeyFormat format) {
  const ByteView bytes = contents_of(bio);
  if (format == KeyFormat::pem) return environment.text(text_of_bytes(bytes));
  return make_bytes(environment, bytes);
}

v8::MaybeLocal<v8::Value> refuse(const Environment& environment, const char* message) {
  const unsigned long error = ERR_peek_error();
  ERR_clear_error();
  throw_openssl_error(environment, error, message);
  return {};
}

/// RSAPublicKey of PKCS#1.
bool write_rsa_public(BIO* bio, const EVP_PKEY* key, KeyFormat format) {
  unsigned char* der = nullptr;
  const int size = i2d_PublicKey(key, &der);
  if (size < 0) return false;
  const bool written = format == KeyFormat::pem
                           ? PEM_write_bio(bio, PEM_STRING_RSA_PUBLIC, "", der, size) > 0
                           : BIO_write(bio, der, size) == size;
  OPENSSL_free(der);
  return written;
}

/// PKCS#1 and SEC 1. Only PEM can be encrypted.
bool write_traditional(BIO* bio, const EVP_PKEY* key, KeyFormat format, const EVP_CIPHER* cipher,
                       const char* passphrase, int passphrase_size) {
  if (format == KeyFormat::der) return i2d_PrivateKey_bio(bio, key) == 1;
  return PEM_write_bio_PrivateKey_traditional(bio, key, cipher,
                                              reinterpret_cast<const unsigned char*>(passphrase),
                                              passphrase_size, nullptr, nullptr) == 1;
}

bool write_private(BIO* bio, const EVP_PKEY* key, KeyFormat format, KeyEncoding encoding,
                   const EVP_CIPHER* cipher, ByteView passphrase) {
  // Never null: OpenSSL would ask at the terminal.
  const char* text = passphrase.empty() ? "" : reinterpret_cast<const char*>(passphrase.data());
  const int size = static_cast<int>(passphrase.size());
  const bool is_rsa = EVP_PKEY_is_a(key, "RSA") == 1;
  switch (encoding) {
    case KeyEncoding::pkcs1:
      return is_rsa && write_traditional(bio, key, format, cipher, text, size);
    case KeyEncoding::sec1:
      return EVP_PKEY_is_a(key, "EC") == 1 &&
             write_traditional(bio, key, format, cipher, text, size);
    case KeyEncoding::pkcs8:
      return (format == KeyFormat::pem ? PEM_write_bio_PKCS8PrivateKey : i2d_PKCS8PrivateKey_bio)(
                 bio, key, cipher, text, size, nullptr, nullptr) == 1;
    case KeyEncoding::spki:
      break;
  }
  return false;
}

}  // namespace

v8::MaybeLocal<v8::Value> write_public_key(Environment& environment, const EVP_PKEY* key,
                                           KeyFormat format, KeyEncoding encoding) {
  const ErrorScope scope;
  const BioPtr bio(BIO_new(BIO_s_mem()));
  bool written = false;
  if (encoding == KeyEncoding::pkcs1) {
    written = EVP_PKEY_is_a(key, "RSA") == 1 && write_rsa_public(bio.get(), key, format);
  } else if (encoding == KeyEncoding::spki) {
    written =
        (format == KeyFormat::pem ? PEM_write_bio_PUBKEY : i2d_PUBKEY_bio)(bio.get(), key) == 1;
  }
  if (!written) return refuse(environment, "Failed to encode public key");
  return to_value(environment, bio.get(), format);
}

v8::MaybeLocal<v8::Value> write_private_key(Environment& environment, const EVP_PKEY* key,
                                            KeyFormat format, KeyEncoding encoding,
                                            const EVP_CIPHER* cipher, ByteView passphrase) {
  const ErrorScope scope;
  // Memory that is wiped.
  const BioPtr bio(BIO_new(BIO_s_secmem()));
  if (!write_private(bio.get(), key, format, encoding, cipher, passphrase)) {
    return refuse(environment, "Failed to encode private key");
  }
  return to_value(environment, bio.get(), format);
}

}  // namespace rondo::crypto
