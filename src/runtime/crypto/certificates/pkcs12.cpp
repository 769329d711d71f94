// PKCS#12 bundles: a private key, its certificate, and others.
#include <openssl/err.h>
#include <openssl/pkcs12.h>

#include <climits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/crypto/certificates/x509.h"
#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_codec.h"
#include "runtime/crypto/keys/key_handle.h"
#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo::crypto {
namespace {

using v8::Local;

struct StackDeleter {
  void operator()(STACK_OF(X509) * stack) const noexcept { sk_X509_pop_free(stack, X509_free); }
};
using X509StackPtr = std::unique_ptr<STACK_OF(X509), StackDeleter>;

struct Bundle {
  PkeyPtr key;
  X509Ptr certificate;
  X509StackPtr others;
};

bool parse(PKCS12* file, const char* passphrase, Bundle& bundle) {
  EVP_PKEY* key = nullptr;
  X509* certificate = nullptr;
  STACK_OF(X509)* others = nullptr;
  const bool parsed = PKCS12_parse(file, passphrase, &key, &certificate, &others) == 1;
  bundle.key.reset(key);
  bundle.certificate.reset(certificate);
  bundle.others.reset(others);
  return parsed;
}

/// parsePKCS12(bytes, passphrase or undefined) -> [key, certificate, [others]]; null for what is
/// not there
void parse_pkcs12(const Arguments& args) {
  const ErrorScope scope;
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const ByteView bytes = bytes_of(args[0]);
  if (bytes.size() > INT_MAX) {
    return throw_range_error(environment, "ERR_OUT_OF_RANGE", "bundle is too big");
  }
  const BioPtr bio = memory_bio(bytes);
  const Pkcs12Ptr file(d2i_PKCS12_bio(bio.get(), nullptr));
  if (file == nullptr) {
    return throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED",
                       "Input is not a valid PKCS#12 structure");
  }
  SecretBytes passphrase = copy_of(bytes_of(args[1]));
  passphrase.push_back(0);
  Bundle bundle;
  const char* text =
      args[1]->IsUndefined() ? nullptr : reinterpret_cast<const char*>(passphrase.data());
  if (!parse(file.get(), text, bundle)) {
    return throw_openssl_error(environment, "Failed to parse PKCS#12 bundle");
  }
  Local<v8::Value> result[] = {v8::Null(isolate), v8::Null(isolate), v8::Array::New(isolate)};
  Local<v8::Object> made;
  if (bundle.key != nullptr) {
    if (!KeyObjectHandle::make(environment,
                               KeyData::of_pkey(KeyType::private_key, std::move(bundle.key)))
             .ToLocal(&made)) {
      return;
    }
    result[0] = made;
  }
  if (bundle.certificate != nullptr) {
    if (!NativeCertificate::make(environment, std::move(bundle.certificate)).ToLocal(&made)) return;
    result[1] = made;
  }
  std::vector<Local<v8::Value>> others;
  while (bundle.others != nullptr && sk_X509_num(bundle.others.get()) > 0) {
    X509Ptr certificate(sk_X509_shift(bundle.others.get()));
    if (!NativeCertificate::make(environment, std::move(certificate)).ToLocal(&made)) return;
    others.push_back(made);
  }
  result[2] = v8::Array::New(isolate, others.data(), others.size());
  args.GetReturnValue().Set(v8::Array::New(isolate, result, std::size(result)));
}

}  // namespace

void add_pkcs12(Environment& environment, Local<v8::Object> target) {
  set_method(environment, target, {"parsePKCS12", parse_pkcs12});
}

}  // namespace rondo::crypto
