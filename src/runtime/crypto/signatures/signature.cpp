#include "runtime/crypto/signatures/signature.h"

#include <openssl/core_names.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <array>

#include "runtime/crypto/keys/pkey_params.h"
#include "runtime/crypto/keys/pkey_types.h"

namespace rondo::crypto {

std::optional<int> int_of(v8::Local<v8::Value> value) {
  if (!value->IsInt32()) return std::nullopt;
  return value.As<v8::Int32>()->Value();
}

bool is_rsa(const EVP_PKEY* key) {
  return EVP_PKEY_is_a(key, "RSA") == 1 || EVP_PKEY_is_a(key, "RSA-PSS") == 1;
}

bool has_two_numbers(const EVP_PKEY* key) {
  return EVP_PKEY_is_a(key, "EC") == 1 || EVP_PKEY_is_a(key, "DSA") == 1;
}

bool signs_at_once(const EVP_PKEY* key) {
  const PkeyKind* kind = kind_of(key);
  return kind != nullptr &&
         (kind->family == PkeyFamily::edwards || kind->family == PkeyFamily::ml_dsa ||
          kind->family == PkeyFamily::slh_dsa);
}

bool apply_rsa_options(const EVP_PKEY* key, EVP_PKEY_CTX* context, const RsaOptions& options) {
  if (!is_rsa(key)) return true;
  const int usual = EVP_PKEY_is_a(key, "RSA-PSS") == 1 ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING;
  // A negative number stands for none, as in Node.
  const int given = options.padding.value_or(-1);
  const int padding = given < 0 ? usual : given;
  if (EVP_PKEY_CTX_set_rsa_padding(context, padding) <= 0) return false;
  return padding != RSA_PKCS1_PSS_PADDING || !options.salt_length ||
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, *options.salt_length) > 0;
}

// ---- Two numbers --------------------------------------------------------------------------------

namespace {

/// Bytes of each of them; 0 for keys whose signatures are something else.
std::size_t number_size(const EVP_PKEY* key) {
  if (EVP_PKEY_is_a(key, "EC") == 1) {
    const EcGroupPtr group = group_of(key);
    return group == nullptr ? 0 : order_size(group.get());
  }
  if (EVP_PKEY_is_a(key, "DSA") != 1) return 0;
  const BnPtr q = number_of(key, OSSL_PKEY_PARAM_FFC_Q);
  return q == nullptr ? 0 : static_cast<std::size_t>(BN_num_bytes(q.get()));
}

}  // namespace

SecretBytes to_p1363(const EVP_PKEY* key, ByteView der) {
  const std::size_t size = number_size(key);
  const unsigned char* position = der.data();
  // DSA writes its numbers in the same way.
  const EcdsaSigPtr signature(
      size == 0 ? nullptr : d2i_ECDSA_SIG(nullptr, &position, static_cast<long>(der.size())));
  if (signature == nullptr) return copy_of(der);
  SecretBytes out(2 * size);
  const int each = static_cast<int>(size);
  if (BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), out.data(), each) < 0 ||
      BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), out.data() + size, each) < 0) {
    return copy_of(der);
  }
  return out;
}

std::optional<SecretBytes> to_der(const EVP_PKEY* key, ByteView p1363) {
  const std::size_t size = number_size(key);
  if (size == 0) return copy_of(p1363);
  if (p1363.size() != 2 * size) return std::nullopt;
  const EcdsaSigPtr signature(ECDSA_SIG_new());
  ECDSA_SIG_set0(signature.get(), to_number(p1363.first(size)).release(),
                 to_number(p1363.subspan(size)).release());
  unsigned char* der = nullptr;
  const int length = i2d_ECDSA_SIG(signature.get(), &der);
  if (length <= 0) return std::nullopt;
  SecretBytes out(der, der + length);
  OPENSSL_free(der);
  return out;
}

// ---- Points of small order ----------------------------------------------------------------------

namespace {

constexpr std::size_t kEd25519Size = 32;
constexpr std::size_t kEd448Size = 57;

template <std::size_t size>
using Point = std::array<std::uint8_t, size>;

/// First byte, the bytes between, last byte: of a number in little-endian order.
template <std::size_t size>
constexpr Point<size> filled(std::uint8_t first, std::uint8_t middle, std::uint8_t last) {
  Point<size> point{};
  point.fill(middle);
  point.front() = first;
  point.back() = last;
  return point;
}

// The coordinate y without the sign of x: the eight points of order 1, 2, 4 and 8, and encodings of
// the same points that are not reduced modulo p.
constexpr Point<kEd25519Size> kEd25519Points[] = {
    filled<kEd25519Size>(0x00, 0x00, 0x00),
    filled<kEd25519Size>(0x01, 0x00, 0x00),
    filled<kEd25519Size>(0xec, 0xff, 0x7f),
    filled<kEd25519Size>(0xed, 0xff, 0x7f),
    filled<kEd25519Size>(0xee, 0xff, 0x7f),
    {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b,
     0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39,
     0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a},
    {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4,
     0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6,
     0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
};

/// p - 1 of Ed448: 2^448 - 2^224 - 2.
constexpr Point<kEd448Size> ed448_minus_one() {
  Point<kEd448Size> point = filled<kEd448Size>(0xfe, 0xff, 0x00);
  point[28] = 0xfe;
  return point;
}

constexpr Point<kEd448Size> kEd448Points[] = {
    filled<kEd448Size>(0x00, 0x00, 0x00),
    filled<kEd448Size>(0x01, 0x00, 0x00),
    ed448_minus_one(),
};

template <std::size_t size, std::size_t count>
bool is_among(ByteView bytes, const Point<size> (&points)[count]) {
  if (bytes.size() != size) return false;
  Point<size> y{};
  std::ranges::copy(bytes, y.begin());
  y.back() &= 0x7f;
  return std::ranges::find(points, y) != std::end(points);
}

bool is_small_order(ByteView point) {
  return is_among(point, kEd25519Points) || is_among(point, kEd448Points);
}

}  // namespace

bool has_small_order_point(const EVP_PKEY* key, ByteView signature) {
  std::size_t size = 0;
  if (EVP_PKEY_is_a(key, "ED25519") == 1) size = kEd25519Size;
  if (EVP_PKEY_is_a(key, "ED448") == 1) size = kEd448Size;
  if (size == 0 || signature.size() != 2 * size) return false;
  if (is_small_order(signature.first(size))) return true;
  const std::optional<SecretBytes> public_key = raw_public_of(key);
  return public_key && is_small_order(*public_key);
}

}  // namespace rondo::crypto
