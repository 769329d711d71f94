// SPKAC, Netscape's signed public key and challenge: crypto.Certificate.
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <climits>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_codec.h"
#include "runtime/crypto/openssl_ptr.h"
#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/views.h"

namespace rondo::crypto {
namespace {

using v8::Local;

/// Null if it cannot be decoded; then the result is an empty string, or an exception is under way.
NetscapeSpkiPtr decode(const Arguments& args) {
  const ByteView bytes = bytes_of(args[0]);
  args.GetReturnValue().SetEmptyString();
  if (bytes.empty()) return nullptr;
  if (bytes.size() > INT_MAX) {
    throw_range_error(Environment::of(args.GetIsolate()), "ERR_OUT_OF_RANGE", "spkac is too large");
    return nullptr;
  }
  return NetscapeSpkiPtr(NETSCAPE_SPKI_b64_decode(reinterpret_cast<const char*>(bytes.data()),
                                                  static_cast<int>(bytes.size())));
}

void give(const Arguments& args, ByteView bytes) {
  Local<v8::Value> result;
  if (make_bytes(Environment::of(args.GetIsolate()), bytes).ToLocal(&result)) {
    args.GetReturnValue().Set(result);
  }
}

void verify_spkac(const Arguments& args) {
  const ErrorScope scope;
  const NetscapeSpkiPtr spki = decode(args);
  if (bytes_of(args[0]).empty()) return;
  const PkeyPtr key(spki == nullptr ? nullptr : NETSCAPE_SPKI_get_pubkey(spki.get()));
  args.GetReturnValue().Set(key != nullptr && NETSCAPE_SPKI_verify(spki.get(), key.get()) > 0);
}

void export_public_key(const Arguments& args) {
  const ErrorScope scope;
  const NetscapeSpkiPtr spki = decode(args);
  const PkeyPtr key(spki == nullptr ? nullptr : NETSCAPE_SPKI_get_pubkey(spki.get()));
  const BioPtr bio(BIO_new(BIO_s_mem()));
  if (key != nullptr && PEM_write_bio_PUBKEY(bio.get(), key.get()) == 1) {
    give(args, contents_of(bio.get()));
  }
}

void export_challenge(const Arguments& args) {
  const ErrorScope scope;
  const NetscapeSpkiPtr spki = decode(args);
  if (spki == nullptr) return;
  unsigned char* text = nullptr;
  const int size = ASN1_STRING_to_UTF8(&text, spki->spkac->challenge);
  if (size < 0) return;
  give(args, {text, static_cast<std::size_t>(size)});
  OPENSSL_free(text);
}

constexpr Method kMethods[] = {
    {"certVerifySpkac", verify_spkac},
    {"certExportPublicKey", export_public_key},
    {"certExportChallenge", export_challenge},
};

}  // namespace

void add_spkac(Environment& environment, Local<v8::Object> target) {
  for (const Method& method : kMethods) set_method(environment, target, method);
}

}  // namespace rondo::crypto
