#include "runtime/crypto/keys/key_data.h"

#include <utility>

namespace rondo::crypto {

KeyData KeyData::of_secret(SecretBytes bytes) {
  KeyData data;
  data.material_ = std::make_shared<const Material>(std::move(bytes), nullptr);
  return data;
}

KeyData KeyData::of_pkey(KeyType type, PkeyPtr key) {
  KeyData data;
  data.type_ = type;
  data.material_ = std::make_shared<const Material>(SecretBytes(), std::move(key));
  return data;
}

KeyData KeyData::as(KeyType type) const {
  KeyData data = *this;
  data.type_ = type;
  return data;
}

ByteView KeyData::secret() const noexcept {
  return material_ == nullptr ? ByteView() : ByteView(material_->secret);
}

EVP_PKEY* KeyData::pkey() const noexcept {
  return material_ == nullptr ? nullptr : material_->key.get();
}

}  // namespace rondo::crypto
