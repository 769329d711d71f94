// The binding `crypto`: OpenSSL for Node's own files in internal/crypto/. The parts are in
// ../crypto/, a file for each subject.
//
// It is not in the snapshot, so nothing of it has to be listed there: it is made at its first use,
// and OpenSSL starts then.
#include "runtime/crypto/init.h"
#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo {
namespace {

constexpr crypto::AddPart* kParts[] = {
    crypto::add_cipher,         crypto::add_cipher_jobs, crypto::add_constants,
    crypto::add_derivation,     crypto::add_dh,          crypto::add_ecdh,
    crypto::add_hash,           crypto::add_hash_jobs,   crypto::add_hmac,
    crypto::add_jobs,           crypto::add_kem,         crypto::add_key_handle,
    crypto::add_keygen,         crypto::add_mac,         crypto::add_native_keys,
    crypto::add_pkcs12,         crypto::add_pkey_types,  crypto::add_process,
    crypto::add_random,         crypto::add_rsa_cipher,  crypto::add_sign,
    crypto::add_sign_job,       crypto::add_spkac,       crypto::add_x509,
    crypto::add_secure_context,
};

void extend(Environment& environment, v8::Local<v8::Object> target) {
  crypto::initialise_openssl();
  for (crypto::AddPart* add : kParts) add(environment, target);
}

}  // namespace

extern const Binding binding_crypto;
const Binding binding_crypto{"crypto", {}, extend};

}  // namespace rondo
