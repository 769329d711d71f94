// The parts of the binding `crypto`, which bindings/crypto.cpp puts together. Each adds its
// functions, classes and constants to the object.
#pragma once

#include <v8.h>

namespace rondo {
class Environment;
}

namespace rondo::crypto {

using AddPart = void(Environment& environment, v8::Local<v8::Object> target);

AddPart add_cipher;          // cipher.cpp: CipherBase, names and lengths of ciphers
AddPart add_cipher_jobs;     // cipher_jobs.cpp: AES and ChaCha20-Poly1305 of Web Crypto
AddPart add_constants;       // constants.cpp: crypto.constants
AddPart add_derivation;      // derive_jobs.cpp: PBKDF2, scrypt, HKDF, Argon2
AddPart add_dh;              // dh.cpp: DiffieHellman, DHBitsJob
AddPart add_ecdh;            // ecdh.cpp: ECDH
AddPart add_hash;            // hash.cpp: Hash, the one-shot hash, names of digests
AddPart add_hash_jobs;       // hash_jobs.cpp: digests of Web Crypto
AddPart add_hmac;            // hmac.cpp: Hmac, HMAC and KMAC of Web Crypto
AddPart add_jobs;            // job.cpp
AddPart add_kem;             // kem.cpp: key encapsulation
AddPart add_key_handle;      // key_handle.cpp: KeyObjectHandle
AddPart add_keygen;          // keygen.cpp: jobs that make keys
AddPart add_mac;             // mac.cpp: Mac, names of MACs
AddPart add_native_keys;     // native_keys.cpp: the classes below KeyObject and CryptoKey
AddPart add_pkcs12;          // pkcs12.cpp: parsePKCS12()
AddPart add_pkey_types;      // pkey_types.cpp: the types of asymmetric keys
AddPart add_process;         // process.cpp: FIPS, secure heap, security level, engines
AddPart add_random;          // random.cpp: random bytes, primes, timingSafeEqual
AddPart add_rsa_cipher;      // rsa_cipher.cpp: publicEncrypt() and its kin, RSACipherJob
AddPart add_sign;            // sign.cpp: Sign, Verify
AddPart add_sign_job;        // sign_job.cpp: SignJob
AddPart add_spkac;           // spkac.cpp: Certificate
AddPart add_x509;            // x509.cpp: X509Certificate
AddPart add_secure_context;  // ../tls/secure_context.cpp: SecureContext, trusted certificates

}  // namespace rondo::crypto
