#include "runtime/crypto/digests/digests.h"

#include <openssl/err.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace rondo::crypto {
namespace {

/// Contexts per digest that are kept for the next use.
constexpr std::size_t kMostIdle = 8;

bool is_object_id(const char* name) {
  return std::isdigit(static_cast<unsigned char>(name[0]));
}

std::string lower(const char* text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

}  // namespace

Digests& Digests::of_thread() {
  static thread_local Digests digests;
  return digests;
}

int Digests::fetch(const char* name) {
  MdPtr digest(EVP_MD_fetch(nullptr, name, nullptr));
  if (!digest) return kUnknown;
  const int number = static_cast<int>(entries_.size());
  std::pair<Digests*, int> self(this, number);
  EVP_MD_names_do_all(
      digest.get(),
      [](const char* alias, void* data) {
        const auto& [digests, its_number] = *static_cast<std::pair<Digests*, int>*>(data);
        digests->numbers_.emplace(alias, its_number);
      },
      &self);
  const std::size_t fixed_length = is_xof(digest.get()) ? 0 : default_length(digest.get());
  entries_.push_back({std::move(digest), fixed_length, {}});
  return number;
}

int Digests::number_of(const std::string& name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  // The digest of DSA as OpenSSL 1.0 called it.
  if (name == "dss1" || name == "DSS1") return number_of("SHA1");
  // RSA-SHA256 and its kin are names of the old tables only; the digest has its own name there.
  const EVP_MD* built_in = EVP_get_digestbyname(name.c_str());
  const char* real_name = built_in == nullptr ? name.c_str() : EVP_MD_get0_name(built_in);
  if (real_name == nullptr) return kUnknown;
  const auto known = numbers_.find(real_name);
  const int number = known != numbers_.end() ? known->second : fetch(real_name);
  if (number != kUnknown) numbers_.emplace(name, number);
  return number;
}

const EVP_MD* Digests::find(const std::string& name) {
  ERR_set_mark();
  const int number = number_of(name);
  ERR_pop_to_mark();
  return number == kUnknown ? EVP_get_digestbyname(name.c_str()) : get(number);
}

MdCtxPtr Digests::take_context(int number) {
  Entry& entry = entries_[static_cast<std::size_t>(number)];
  if (!entry.idle.empty()) {
    MdCtxPtr context = std::move(entry.idle.back());
    entry.idle.pop_back();
    return context;
  }
  MdCtxPtr context(EVP_MD_CTX_new());
  if (context && EVP_DigestInit_ex2(context.get(), entry.digest.get(), nullptr) != 1)
    context.reset();
  return context;
}

void Digests::give_back(int number, MdCtxPtr context) {
  Entry& entry = entries_[static_cast<std::size_t>(number)];
  if (entry.idle.size() == kMostIdle) return;
  // Beginning again overwrites the state, and takes less than a new context.
  if (EVP_DigestInit_ex2(context.get(), nullptr, nullptr) != 1) return;
  entry.idle.push_back(std::move(context));
}

bool Digests::hash(int number, ByteView bytes, std::uint8_t* out) {
  Entry& entry = entries_[static_cast<std::size_t>(number)];
  if (entry.idle.empty()) {
    MdCtxPtr made = take_context(number);
    if (!made) return false;
    entry.idle.push_back(std::move(made));
  }
  // Not taken out of the list: it is ready again before the next request for one.
  EVP_MD_CTX* context = entry.idle.back().get();
  if (EVP_DigestUpdate(context, bytes.data(), bytes.size()) == 1 &&
      EVP_DigestFinal_ex(context, out, nullptr) == 1 &&
      EVP_DigestInit_ex2(context, nullptr, nullptr) == 1) {
    return true;
  }
  entry.idle.pop_back();
  return false;
}

const std::vector<std::string>& Digests::names() {
  if (!names_.empty()) return names_;
  ERR_set_mark();
  EVP_MD_do_all_sorted(
      [](const EVP_MD*, const char* from, const char*, void* self) {
        auto& digests = *static_cast<Digests*>(self);
        if (from != nullptr && digests.number_of(from) != kUnknown)
          digests.names_.emplace_back(from);
      },
      this);
  EVP_MD_do_all_provided(
      nullptr,
      [](EVP_MD* digest, void* self) {
        if (EVP_MD_is_a(digest, "NULL")) return;
        static_cast<Digests*>(self)->number_of(EVP_MD_get0_name(digest));
        EVP_MD_names_do_all(
            digest,
            [](const char* name, void* digests) {
              if (is_object_id(name)) return;
              static_cast<Digests*>(digests)->names_.push_back(lower(name));
            },
            self);
      },
      this);
  ERR_pop_to_mark();
  return names_;
}

MdPtr find_digest(const std::string& name) {
  // Those that are built in are not counted: taking and freeing them does nothing.
  auto* digest = const_cast<EVP_MD*>(Digests::of_thread().find(name));
  if (digest != nullptr) EVP_MD_up_ref(digest);
  return MdPtr(digest);
}

std::size_t default_length(const EVP_MD* digest) {
  const int size = EVP_MD_get_size(digest);
  if (size > 0) return static_cast<std::size_t>(size);
  if (EVP_MD_is_a(digest, "SHAKE128")) return 16;
  if (EVP_MD_is_a(digest, "SHAKE256")) return 32;
  return 0;
}

}  // namespace rondo::crypto
