#include "runtime/crypto/errors.h"

#include <openssl/err.h>

#include <algorithm>
#include <cctype>

#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;

struct Library {
  int number;
  const char* name;
};

// Those whose names are part of a code: ERR_OSSL_EVP_BAD_DECRYPT.
#define RONDO_LIBRARY(name) {ERR_LIB_##name, #name "_"}
constexpr Library kLibraries[] = {
    RONDO_LIBRARY(SYS),    RONDO_LIBRARY(BN),     RONDO_LIBRARY(RSA),  RONDO_LIBRARY(DH),
    RONDO_LIBRARY(EVP),    RONDO_LIBRARY(BUF),    RONDO_LIBRARY(OBJ),  RONDO_LIBRARY(PEM),
    RONDO_LIBRARY(DSA),    RONDO_LIBRARY(X509),   RONDO_LIBRARY(ASN1), RONDO_LIBRARY(CONF),
    RONDO_LIBRARY(CRYPTO), RONDO_LIBRARY(EC),     RONDO_LIBRARY(SSL),  RONDO_LIBRARY(BIO),
    RONDO_LIBRARY(PKCS7),  RONDO_LIBRARY(X509V3), RONDO_LIBRARY(RAND), RONDO_LIBRARY(ENGINE),
    RONDO_LIBRARY(OCSP),   RONDO_LIBRARY(UI),     RONDO_LIBRARY(COMP), RONDO_LIBRARY(ECDSA),
    RONDO_LIBRARY(ECDH),   RONDO_LIBRARY(CMS),    RONDO_LIBRARY(HMAC), RONDO_LIBRARY(USER),
    RONDO_LIBRARY(PKCS12), RONDO_LIBRARY(DSO),    RONDO_LIBRARY(TS),   RONDO_LIBRARY(OSSL_STORE),
    RONDO_LIBRARY(CT),     RONDO_LIBRARY(ASYNC),  RONDO_LIBRARY(KDF),  RONDO_LIBRARY(SM2),
};
#undef RONDO_LIBRARY

const char* name_of_library(unsigned long number) {
  const auto* found = std::ranges::find(kLibraries, ERR_GET_LIB(number), &Library::number);
  return found == std::end(kLibraries) ? "" : found->name;
}

/// "bad decrypt" of the library EVP is ERR_OSSL_EVP_BAD_DECRYPT; what SSL reports has no OSSL_.
std::string make_code(unsigned long number, std::string_view reason) {
  std::string code = "ERR_";
  if (ERR_GET_LIB(number) != ERR_LIB_SSL) code += "OSSL_";
  code += name_of_library(number);
  for (const char letter : reason) {
    code +=
        letter == ' ' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return code;
}

void set(const Environment& environment, Local<v8::Object> target, std::string_view name,
         Local<v8::Value> value) {
  target->Set(environment.context(), environment.name(name), value).FromMaybe(false);
}

std::string message_of(unsigned long number, std::size_t most) {
  std::string text(most, '\0');
  ERR_error_string_n(number, text.data(), text.size());
  text.resize(text.find('\0'));
  return text;
}

void set_stack(const Environment& environment, Local<v8::Object> error,
               const std::vector<std::string>& lines, std::size_t count) {
  if (count == 0) return;
  std::vector<Local<v8::Value>> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(environment.text(lines[i]));
  set(environment, error, "opensslErrorStack",
      v8::Array::New(environment.isolate(), values.data(), values.size()));
}

}  // namespace

ErrorScope::ErrorScope() {
  ERR_clear_error();
}
ErrorScope::~ErrorScope() {
  ERR_clear_error();
}

void Failure::capture() {
  lines_.clear();
  first_ = 0;
  while (const unsigned long number = ERR_get_error()) {
    if (first_ == 0) first_ = number;
    lines_.push_back(message_of(number, 256));
  }
  std::ranges::reverse(lines_);
}

void Failure::set(std::string_view message, std::string_view code) {
  lines_.emplace_back(message);
  code_ = code;
}

Local<v8::Value> Failure::to_error(const Environment& environment) const {
  const bool known = !lines_.empty();
  const Local<v8::Value> error =
      v8::Exception::Error(environment.text(known ? std::string_view(lines_.back()) : "Ok"));
  const Local<v8::Object> object = error.As<v8::Object>();
  if (known) set_stack(environment, object, lines_, lines_.size() - 1);
  if (first_ != 0) {
    decorate(environment, object, first_);
  } else if (!code_.empty()) {
    crypto::set(environment, object, "code", environment.text(code_));
  }
  return error;
}

void decorate(const Environment& environment, Local<v8::Object> error, unsigned long number) {
  if (number == 0) return;
  if (const char* library = ERR_lib_error_string(number)) {
    set(environment, error, "library", environment.text(library));
  }
  if (const char* reason = ERR_reason_error_string(number)) {
    set(environment, error, "reason", environment.text(reason));
    set(environment, error, "code", environment.text(make_code(number, reason)));
  }
}

void throw_openssl_error(const Environment& environment, unsigned long number,
                         const char* fallback) {
  const v8::HandleScope scope(environment.isolate());
  const std::string message =
      number != 0 || fallback == nullptr ? message_of(number, 128) : std::string(fallback);
  std::vector<std::string> lines;
  unsigned long first = 0;
  while (const unsigned long next = ERR_get_error()) {
    if (first == 0) first = next;
    lines.push_back(message_of(next, 256));
  }
  std::ranges::reverse(lines);
  Local<v8::Value> thrown;
  {
    // What a setter of the program's throws (on Object.prototype) counts, as in Node.
    const v8::TryCatch caught(environment.isolate());
    const auto error = v8::Exception::Error(environment.text(message)).As<v8::Object>();
    set_stack(environment, error, lines, lines.size());
    if (!caught.HasCaught()) decorate(environment, error, first);
    if (!caught.HasCaught()) decorate(environment, error, number);
    thrown = caught.HasCaught() ? caught.Exception() : error.As<v8::Value>();
  }
  environment.throw_(thrown);
}

void throw_openssl_error(const Environment& environment, const char* fallback) {
  throw_openssl_error(environment, ERR_get_error(), fallback);
}

void throw_error(const Environment& environment, std::string_view code, std::string_view message) {
  environment.throw_(environment.error(code, message));
}

void throw_type_error(const Environment& environment, std::string_view code,
                      std::string_view message) {
  environment.throw_(environment.type_error(code, message));
}

void throw_range_error(const Environment& environment, std::string_view code,
                       std::string_view message) {
  environment.throw_(environment.range_error(code, message));
}

}  // namespace rondo::crypto
