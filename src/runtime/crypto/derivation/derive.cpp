#include "runtime/crypto/derivation/derive.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <vector>

#include "runtime/crypto/openssl_ptr.h"

namespace rondo::crypto {
namespace {

/// OpenSSL takes null for "not given", which an empty span may have.
template <class T>
const T* given(std::span<const std::uint8_t> bytes) {
  static constexpr T kNothing{};
  return bytes.empty() ? &kNothing : reinterpret_cast<const T*>(bytes.data());
}

/// The parameters of one derivation. What they refer to outlives them.
class Parameters {
 public:
  void bytes(const char* name, ByteView value) {
    list_.push_back(OSSL_PARAM_construct_octet_string(
        name, const_cast<std::uint8_t*>(given<std::uint8_t>(value)), value.size()));
  }
  void text(const char* name, const char* value) {
    list_.push_back(OSSL_PARAM_construct_utf8_string(name, const_cast<char*>(value), 0));
  }
  void number(const char* name, std::uint32_t& value) {
    list_.push_back(OSSL_PARAM_construct_uint32(name, &value));
  }
  void mode(int& value) { list_.push_back(OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &value)); }

  bool derive(const char* algorithm, std::span<std::uint8_t> out) {
    list_.push_back(OSSL_PARAM_construct_end());
    const KdfPtr kdf(EVP_KDF_fetch(nullptr, algorithm, nullptr));
    if (!kdf) return false;
    const KdfCtxPtr context(EVP_KDF_CTX_new(kdf.get()));
    return context && EVP_KDF_derive(context.get(), out.data(), out.size(), list_.data()) == 1;
  }

 private:
  std::vector<OSSL_PARAM> list_;
};

/// HMAC-Extract with no salt uses as many zeros as the digest is long. OpenSSL's HKDF takes an
/// empty salt for a missing one and then does the same, but has no way to be given an empty key,
/// which RFC 5869 allows: so extraction is done here.
bool hkdf_extract(const EVP_MD* digest, ByteView key, ByteView salt, std::uint8_t* out,
                  unsigned* size) {
  static constexpr std::uint8_t kZeros[EVP_MAX_MD_SIZE] = {};
  if (salt.empty()) salt = {kZeros, static_cast<std::size_t>(EVP_MD_get_size(digest))};
  std::size_t length = 0;
  if (EVP_Q_mac(nullptr, "HMAC", nullptr, EVP_MD_get0_name(digest), nullptr, salt.data(),
                salt.size(), given<std::uint8_t>(key), key.size(), out, EVP_MAX_MD_SIZE,
                &length) == nullptr) {
    return false;
  }
  *size = static_cast<unsigned>(length);
  return true;
}

}  // namespace

bool pbkdf2(const EVP_MD* digest, ByteView password, ByteView salt, int iterations,
            std::span<std::uint8_t> out) {
  return !out.empty() &&
         PKCS5_PBKDF2_HMAC(given<char>(password), static_cast<int>(password.size()),
                           given<unsigned char>(salt), static_cast<int>(salt.size()), iterations,
                           digest, static_cast<int>(out.size()), out.data()) == 1;
}

bool scrypt_accepts(const ScryptCost& cost) {
  // Without a buffer for the key, OpenSSL only checks the parameters.
  return EVP_PBE_scrypt(nullptr, 0, nullptr, 0, cost.n, cost.r, cost.p, cost.max_memory, nullptr,
                        0) == 1;
}

bool scrypt(ByteView password, ByteView salt, const ScryptCost& cost, std::span<std::uint8_t> out) {
  if (out.empty()) return true;
  return EVP_PBE_scrypt(given<char>(password), password.size(), given<unsigned char>(salt),
                        salt.size(), cost.n, cost.r, cost.p, cost.max_memory, out.data(),
                        out.size()) == 1;
}

std::size_t hkdf_limit(const EVP_MD* digest) {
  // Extendable-output functions have no size of their own any more; those of before count.
  constexpr int kShake128 = 16;
  constexpr int kShake256 = 32;
  const int size = EVP_MD_is_a(digest, "SHAKE128") == 1   ? kShake128
                   : EVP_MD_is_a(digest, "SHAKE256") == 1 ? kShake256
                                                          : EVP_MD_get_size(digest);
  return 255 * static_cast<std::size_t>(size > 0 ? size : EVP_MAX_MD_SIZE);
}

bool hkdf(const EVP_MD* digest, ByteView key, ByteView salt, ByteView info,
          std::span<std::uint8_t> out) {
  // HMAC is not defined on extendable-output functions.
  if (out.empty() || (EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) != 0) return false;
  std::uint8_t extracted[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  bool done = false;
  if (hkdf_extract(digest, key, salt, extracted, &size)) {
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
    Parameters parameters;
    parameters.mode(mode);
    parameters.text(OSSL_KDF_PARAM_DIGEST, EVP_MD_get0_name(digest));
    parameters.bytes(OSSL_KDF_PARAM_KEY, {extracted, size});
    parameters.bytes(OSSL_KDF_PARAM_INFO, info);
    done = parameters.derive(OSSL_KDF_NAME_HKDF, out);
  }
  OPENSSL_cleanse(extracted, sizeof extracted);
  return done;
}

bool argon2(ByteView password, ByteView salt, const Argon2Options& options,
            std::span<std::uint8_t> out) {
  if (out.empty()) return true;
  static constexpr const char* kNames[] = {"ARGON2D", "ARGON2I", "ARGON2ID"};
  std::uint32_t lanes = options.lanes;
  std::uint32_t memory = options.memory_kib;
  std::uint32_t passes = options.passes;
  Parameters parameters;
  parameters.bytes(OSSL_KDF_PARAM_PASSWORD, password);
  parameters.bytes(OSSL_KDF_PARAM_SALT, salt);
  parameters.number(OSSL_KDF_PARAM_ARGON2_LANES, lanes);
  parameters.number(OSSL_KDF_PARAM_ARGON2_MEMCOST, memory);
  parameters.number(OSSL_KDF_PARAM_ITER, passes);
  parameters.bytes(OSSL_KDF_PARAM_SECRET, options.secret);
  parameters.bytes(OSSL_KDF_PARAM_ARGON2_AD, options.associated_data);
  return parameters.derive(kNames[static_cast<int>(options.kind)], out);
}

}  // namespace rondo::crypto
