// The material of a key: bytes, or a key of OpenSSL's. Shared by all objects that stand for the
// key, on any thread, and wiped when the last of them goes.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/openssl_ptr.h"

namespace rondo::crypto {

/// The numbers are Node's: kKeyTypeSecret and so on.
enum class KeyType : std::uint8_t { secret, public_key, private_key };

class KeyData {
 public:
  KeyData() = default;
  static KeyData of_secret(SecretBytes bytes);
  static KeyData of_pkey(KeyType type, PkeyPtr key);

  explicit operator bool() const noexcept { return material_ != nullptr; }
  KeyType type() const noexcept { return type_; }
  /// The same material as a key of another type: the public half of a private key.
  KeyData as(KeyType type) const;

  /// Empty for a key that is not secret.
  ByteView secret() const noexcept;
  /// Null for a secret key. The key never changes.
  EVP_PKEY* pkey() const noexcept;

 private:
  struct Material {
    SecretBytes secret;
    PkeyPtr key;
  };

  KeyType type_ = KeyType::secret;
  std::shared_ptr<const Material> material_;
};

}  // namespace rondo::crypto
