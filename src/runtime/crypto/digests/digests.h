// The digests of OpenSSL by their names, which are many: sha256, SHA2-256, RSA-SHA256, an object
// identifier. OpenSSL looks a name up slowly, so each digest is fetched once and has a number from
// then on, which lib/ keeps by the name that the program used.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/openssl_ptr.h"

namespace rondo::crypto {

class Digests {
 public:
  static constexpr int kUnknown = -1;

  /// Those of this thread: contexts that wait for their next use are not shared.
  static Digests& of_thread();

  /// The number of the digest of this name, kUnknown if it cannot be fetched.
  int number_of(const std::string& name);
  const EVP_MD* get(int number) const {
    return entries_[static_cast<std::size_t>(number)].digest.get();
  }

  /// By name, even if no provider has it: using it fails then, with OpenSSL's reason. Null for a
  /// name that is not known at all.
  const EVP_MD* find(const std::string& name);

  /// A context that has begun with this digest. Null if OpenSSL has no memory.
  MdCtxPtr take_context(int number);
  /// For the next one. Its state is wiped.
  void give_back(int number, MdCtxPtr context);

  /// How many bytes it gives. 0 for those that give as many as one likes.
  std::size_t fixed_length(int number) const {
    return entries_[static_cast<std::size_t>(number)].fixed_length;
  }
  /// The digest of these bytes, which has a fixed length.
  bool hash(int number, ByteView bytes, std::uint8_t* out);

  /// All names that can be used.
  const std::vector<std::string>& names();
  const std::unordered_map<std::string, int>& numbers() const { return numbers_; }

 private:
  struct Entry {
    MdPtr digest;
    std::size_t fixed_length;  // in bytes; 0 if the program can choose it
    std::vector<MdCtxPtr> idle;
  };

  Digests() = default;
  int fetch(const char* name);

  std::vector<Entry> entries_;
  std::unordered_map<std::string, int> numbers_;
  std::vector<std::string> names_;
};

/// Digests::find() of this thread, for work that may outlive the thread.
MdPtr find_digest(const std::string& name);

/// Of an extendable-output function.
inline bool is_xof(const EVP_MD* digest) {
  return (EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) != 0;
}

/// The output length in bytes, if none is asked for. OpenSSL 3.4 took those of SHAKE away.
std::size_t default_length(const EVP_MD* digest);

}  // namespace rondo::crypto
