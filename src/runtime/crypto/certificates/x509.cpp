#include "runtime/crypto/certificates/x509.h"

#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>

#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "runtime/crypto/certificates/x509_text.h"
#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_codec.h"
#include "runtime/crypto/keys/key_handle.h"
#include "runtime/crypto/keys/native_keys.h"
#include "runtime/crypto/parts.h"
#include "runtime/crypto/state.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"

namespace rondo::crypto {
namespace {

using v8::Local;

class CertificateData final : public CloneData {
 public:
  explicit CertificateData(X509* certificate) : certificate_(crypto::share(certificate)) {}

  v8::MaybeLocal<v8::Object> make(Environment& environment,
                                  Local<v8::Value> /*extra*/) const override {
    if (!load_crypto_classes(environment)) return {};
    Local<v8::Object> native;
    if (!NativeCertificate::make(environment, crypto::share(certificate_.get())).ToLocal(&native)) {
      return {};
    }
    Local<v8::Value> argument = native;
    return State::of(environment)
        .x509_class.Get(environment.isolate())
        ->NewInstance(environment.context(), 1, &argument);
  }

 private:
  X509Ptr certificate_;
};

X509* certificate_of(const Arguments& args) {
  return NativeCertificate::of(args).get();
}

void set_text(const Arguments& args, const std::optional<std::string>& text) {
  if (text) args.GetReturnValue().Set(Environment::of(args.GetIsolate()).text(*text));
}

/// A method without arguments that gives a text, or undefined.
template <std::optional<std::string> (*get)(const X509* certificate)>
void text_method(const Arguments& args) {
  const ErrorScope scope;
  set_text(args, get(certificate_of(args)));
}

std::optional<std::string> subject_of(const X509* certificate) {
  return text_of_name(X509_get_subject_name(certificate));
}
std::optional<std::string> issuer_of(const X509* certificate) {
  return text_of_name(X509_get_issuer_name(certificate));
}
std::optional<std::string> valid_from_of(const X509* certificate) {
  return text_of_time(X509_get0_notBefore(certificate));
}
std::optional<std::string> valid_to_of(const X509* certificate) {
  return text_of_time(X509_get0_notAfter(certificate));
}
std::optional<std::string> sha1_of(const X509* certificate) {
  return fingerprint_of(certificate, EVP_sha1());
}
std::optional<std::string> sha256_of(const X509* certificate) {
  return fingerprint_of(certificate, EVP_sha256());
}
std::optional<std::string> sha512_of(const X509* certificate) {
  return fingerprint_of(certificate, EVP_sha512());
}

std::optional<std::string> algorithm_of(const X509* certificate) {
  const int nid = X509_get_signature_nid(certificate);
  const char* name = nid == NID_undef ? nullptr : OBJ_nid2ln(nid);
  if (name == nullptr) return std::nullopt;
  return name;
}

std::optional<std::string> algorithm_oid_of(const X509* certificate) {
  const X509_ALGOR* algorithm = nullptr;
  const ASN1_OBJECT* object = nullptr;
  X509_get0_signature(nullptr, &algorithm, certificate);
  if (algorithm != nullptr) X509_ALGOR_get0(&object, nullptr, nullptr, algorithm);
  char text[128];
  const int length = object == nullptr ? -1 : OBJ_obj2txt(text, sizeof text, object, 1);
  if (length < 0 || length >= static_cast<int>(sizeof text)) return std::nullopt;
  return text;
}

std::optional<std::string> pem_of(const X509* certificate) {
  const BioPtr bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(bio.get(), const_cast<X509*>(certificate)) != 1) return std::nullopt;
  return std::string(text_of_bytes(contents_of(bio.get())));
}

// ---- Other values -------------------------------------------------------------------------------

void set_date(const Arguments& args, const ASN1_TIME* time) {
  const ErrorScope scope;
  std::tm parts{};
  ASN1_TIME_to_tm(time, &parts);
  Local<v8::Value> date;
  if (v8::Date::New(args.GetIsolate()->GetCurrentContext(),
                    static_cast<double>(timegm(&parts)) * 1000)
          .ToLocal(&date)) {
    args.GetReturnValue().Set(date);
  }
}

void valid_from_date(const Arguments& args) {
  set_date(args, X509_get0_notBefore(certificate_of(args)));
}
void valid_to_date(const Arguments& args) {
  set_date(args, X509_get0_notAfter(certificate_of(args)));
}

void key_usage(const Arguments& args) {
  const ErrorScope scope;
  args.GetReturnValue().Set(usages_of(Environment::of(args.GetIsolate()), certificate_of(args)));
}

void set_value_of(const Arguments& args, v8::MaybeLocal<v8::Value> result) {
  Local<v8::Value> value;
  if (result.ToLocal(&value)) args.GetReturnValue().Set(value);
}

void raw(const Arguments& args) {
  const ErrorScope scope;
  set_value_of(args, der_of(Environment::of(args.GetIsolate()), certificate_of(args)));
}

void public_key(const Arguments& args) {
  const ErrorScope scope;
  Environment& environment = Environment::of(args.GetIsolate());
  PkeyPtr key(X509_get_pubkey(certificate_of(args)));
  if (key == nullptr) return throw_openssl_error(environment);
  Local<v8::Object> handle;
  if (KeyObjectHandle::make(environment, KeyData::of_pkey(KeyType::public_key, std::move(key)))
          .ToLocal(&handle)) {
    args.GetReturnValue().Set(handle);
  }
}

// ---- Checks -------------------------------------------------------------------------------------

using Self = This<NativeCertificate>;

bool check_ca(Self self) {
  const ErrorScope scope;
  return X509_check_ca(self->get()) == 1;
}

bool check_issued(Self self, Local<v8::Value> other) {
  const ErrorScope scope;
  const auto* issuer = NativeCertificate::from_value(self->environment().isolate(), other);
  return issuer != nullptr && X509_check_issued(issuer->get(), self->get()) == X509_V_OK;
}

bool check_private_key(Self self, Local<v8::Value> value) {
  const ErrorScope scope;
  const auto* key = KeyObjectHandle::from_value(self->environment().isolate(), value);
  return key != nullptr && X509_check_private_key(self->get(), key->data().pkey()) == 1;
}

bool verify(Self self, Local<v8::Value> value) {
  const ErrorScope scope;
  const auto* key = KeyObjectHandle::from_value(self->environment().isolate(), value);
  return key != nullptr && X509_verify(self->get(), key->data().pkey()) == 1;
}

void free_text(char* text) {
  OPENSSL_free(text);
}

using Match = int(X509* certificate, const std::string& name, unsigned flags, char** matched);

int match_host(X509* certificate, const std::string& name, unsigned flags, char** matched) {
  return X509_check_host(certificate, name.data(), name.size(), flags, matched);
}
int match_email(X509* certificate, const std::string& name, unsigned flags, char** /*matched*/) {
  return X509_check_email(certificate, name.data(), name.size(), flags);
}
int match_ip(X509* certificate, const std::string& name, unsigned flags, char** /*matched*/) {
  return X509_check_ip_asc(certificate, name.c_str(), flags);
}

/// The name in the certificate that it matches, or undefined.
template <Match* match>
std::optional<std::string> check_name(Self self, const std::string& name, std::uint32_t flags) {
  const ErrorScope scope;
  char* matched = nullptr;
  const int result = match(self->get(), name, flags, &matched);
  const OpenSslPtr<char, free_text> owner(matched);
  if (result == 1) return matched == nullptr ? name : matched;
  if (result == -2) {
    throw_type_error(self->environment(), "ERR_INVALID_ARG_VALUE", "Invalid name");
  } else if (result != 0) {
    throw_error(self->environment(), "ERR_CRYPTO_OPERATION_FAILED", "Operation failed");
  }
  return std::nullopt;
}

// ---- The class ----------------------------------------------------------------------------------

void get_issuer_cert(const Arguments& args) {
  const Local<v8::Value> issuer =
      args.This()->GetInternalField(NativeCertificate::kIssuer).As<v8::Value>();
  if (issuer->IsObject()) args.GetReturnValue().Set(issuer);
}

void to_legacy(const Arguments& args) {
  const ErrorScope scope;
  Local<v8::Object> object;
  if (to_legacy_object(Environment::of(args.GetIsolate()), certificate_of(args)).ToLocal(&object)) {
    args.GetReturnValue().Set(object);
  }
}

/// new NativeX509Certificate(bytes), or (another one). Without arguments it is filled in later.
void construct(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  X509Ptr certificate;
  if (const NativeCertificate* other = NativeCertificate::from_value(isolate, args[0])) {
    certificate = crypto::share(other->get());
    args.This()->SetInternalField(
        NativeCertificate::kIssuer,
        args[0].As<v8::Object>()->GetInternalField(NativeCertificate::kIssuer));
  } else {
    const ErrorScope scope;
    certificate = parse_certificate(environment, bytes_of(args[0]));
    if (certificate == nullptr) return;
  }
  new NativeCertificate(environment, args.This(), std::move(certificate));
}

constexpr Method kMethods[] = {
    {"subject", text_method<subject_of>},
    {"subjectAltName", text_method<subject_alt_name_of>},
    {"infoAccess", text_method<info_access_of>},
    {"issuer", text_method<issuer_of>},
    {"validTo", text_method<valid_to_of>},
    {"validFrom", text_method<valid_from_of>},
    {"validToDate", valid_to_date},
    {"validFromDate", valid_from_date},
    {"signatureAlgorithm", text_method<algorithm_of>},
    {"signatureAlgorithmOid", text_method<algorithm_oid_of>},
    {"fingerprint", text_method<sha1_of>},
    {"fingerprint256", text_method<sha256_of>},
    {"fingerprint512", text_method<sha512_of>},
    {"keyUsage", key_usage},
    {"serialNumber", text_method<serial_number_of>},
    {"pem", text_method<pem_of>},
    {"raw", raw},
    {"publicKey", public_key},
    method<check_ca>("checkCA"),
    method<check_name<match_host>>("checkHost"),
    method<check_name<match_email>>("checkEmail"),
    method<check_name<match_ip>>("checkIP"),
    method<check_issued>("checkIssued"),
    method<check_private_key>("checkPrivateKey"),
    method<verify>("verify"),
    {"toLegacy", to_legacy},
    {"getIssuerCert", get_issuer_cert},
};

/// createX509CertificateClass(define): define() returns [X509Certificate, InternalX509Certificate].
void create_x509_certificate_class(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  State& state = State::of(environment);
  Local<v8::Array> classes;
  Local<v8::Value> found;
  if (!define_classes(args, state.x509.Get(isolate)).ToLocal(&classes) ||
      !classes->Get(environment.context(), 1).ToLocal(&found)) {
    return;
  }
  state.x509_class.Reset(isolate, found.As<v8::Function>());
}

bool is_x509_certificate(Environment& environment, Local<v8::Value> value) {
  return State::of(environment).x509.Get(environment.isolate())->HasInstance(value);
}

/// parseX509(bytes) -> a native certificate
v8::MaybeLocal<v8::Object> parse_x509(Environment& environment, std::span<std::uint8_t> bytes) {
  const ErrorScope scope;
  X509Ptr certificate = parse_certificate(environment, bytes);
  if (certificate == nullptr) return {};
  return NativeCertificate::make(environment, std::move(certificate));
}

}  // namespace

NativeCertificate::NativeCertificate(Environment& environment, Local<v8::Object> object,
                                     X509Ptr certificate)
    : Cloneable(environment, object), certificate_(std::move(certificate)) {}

std::shared_ptr<const CloneData> NativeCertificate::share() const {
  return std::make_shared<CertificateData>(get());
}

v8::MaybeLocal<v8::Object> NativeCertificate::make(Environment& environment, X509Ptr certificate,
                                                   Local<v8::Object> issuer) {
  Local<v8::Object> object;
  if (!State::of(environment)
           .x509.Get(environment.isolate())
           ->InstanceTemplate()
           ->NewInstance(environment.context())
           .ToLocal(&object)) {
    return {};
  }
  new NativeCertificate(environment, object, std::move(certificate));
  if (!issuer.IsEmpty()) object->SetInternalField(kIssuer, issuer);
  return object;
}

NativeCertificate* NativeCertificate::from_value(v8::Isolate* isolate, Local<v8::Value> value) {
  const State& state = State::of(Environment::of(isolate));
  return state.x509.Get(isolate)->HasInstance(value) ? Wrapped::from<NativeCertificate>(value)
                                                     : nullptr;
}

X509Ptr parse_certificate(const Environment& environment, ByteView bytes) {
  const auto no_password = [](char*, int, int, void*) { return 0; };
  ERR_clear_error();  // the oldest error is to be one of this certificate
  const BioPtr pem = memory_bio(bytes);
  X509Ptr certificate(PEM_read_bio_X509_AUX(pem.get(), nullptr, no_password, nullptr));
  if (certificate != nullptr) return certificate;
  const BioPtr der = memory_bio(bytes);
  certificate.reset(d2i_X509_bio(der.get(), nullptr));
  if (certificate == nullptr) {
    const unsigned long error = ERR_get_error();
    ERR_clear_error();
    throw_openssl_error(environment, error);
  }
  return certificate;
}

void add_x509(Environment& environment, Local<v8::Object> target) {
  State::of(environment)
      .x509.Reset(environment.isolate(),
                  make_class(environment, {"X509Certificate", construct, kMethods,
                                           NativeCertificate::kFieldCount}));
  set_method(environment, target, {"createX509CertificateClass", create_x509_certificate_class});
  set_method(environment, target, method<is_x509_certificate>("isX509Certificate"));
  set_method(environment, target, method<parse_x509>("parseX509"));
  const auto flag = [&](std::string_view name, unsigned value) {
    set_value(environment, target, name, static_cast<double>(value));
  };
  flag("X509_CHECK_FLAG_ALWAYS_CHECK_SUBJECT", X509_CHECK_FLAG_ALWAYS_CHECK_SUBJECT);
  flag("X509_CHECK_FLAG_NEVER_CHECK_SUBJECT", X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  flag("X509_CHECK_FLAG_NO_WILDCARDS", X509_CHECK_FLAG_NO_WILDCARDS);
  flag("X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS", X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  flag("X509_CHECK_FLAG_MULTI_LABEL_WILDCARDS", X509_CHECK_FLAG_MULTI_LABEL_WILDCARDS);
  flag("X509_CHECK_FLAG_SINGLE_LABEL_SUBDOMAINS", X509_CHECK_FLAG_SINGLE_LABEL_SUBDOMAINS);
}

}  // namespace rondo::crypto
