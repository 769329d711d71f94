// Mac: the MACs of OpenSSL's providers by name, with the options that each of them has.
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/crypto/arguments.h"
#include "runtime/crypto/input.h"
#include "runtime/crypto/openssl_ptr.h"
#include "runtime/crypto/parts.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/wrapped.h"

namespace rondo::crypto {
namespace {

using v8::Local;

constexpr int kUnknown = -1;

/// Each MAC is fetched once and has a number from then on, which lib/ keeps by its names.
class Macs {
 public:
  static Macs& of_thread() {
    static thread_local Macs macs;
    return macs;
  }

  EVP_MAC* get(int number) const { return macs_[static_cast<std::size_t>(number)].get(); }
  const std::unordered_map<std::string, int>& numbers() const { return numbers_; }

  int number_of(const std::string& name) {
    if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
    ERR_set_mark();
    MacPtr mac(EVP_MAC_fetch(nullptr, name.c_str(), nullptr));
    ERR_pop_to_mark();
    if (!mac) return kUnknown;
    const auto known = numbers_.find(EVP_MAC_get0_name(mac.get()));
    const int number = known != numbers_.end() ? known->second : add(std::move(mac));
    numbers_.emplace(name, number);
    return number;
  }

  std::vector<std::string> names() {
    EVP_MAC_do_all_provided(
        nullptr,
        [](EVP_MAC* mac, void* self) {
          static_cast<Macs*>(self)->number_of(EVP_MAC_get0_name(mac));
        },
        this);
    std::vector<std::string> names;
    for (const auto& [name, number] : numbers_) {
      if (std::isdigit(static_cast<unsigned char>(name[0]))) continue;
      names.push_back(name);
      for (char& letter : names.back()) {
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      }
    }
    std::ranges::sort(names);
    const auto repeated = std::ranges::unique(names);
    names.erase(repeated.begin(), repeated.end());
    return names;
  }

 private:
  int add(MacPtr mac) {
    const int number = static_cast<int>(macs_.size());
    std::pair<Macs*, int> self(this, number);
    EVP_MAC_names_do_all(
        mac.get(),
        [](const char* name, void* data) {
          const auto& [macs, its_number] = *static_cast<std::pair<Macs*, int>*>(data);
          macs->numbers_.emplace(name, its_number);
        },
        &self);
    macs_.push_back(std::move(mac));
    return number;
  }

  std::vector<MacPtr> macs_;
  std::unordered_map<std::string, int> numbers_;
};

/// The options of `new Mac()` by where they are among the arguments, and what OpenSSL calls them.
struct Option {
  int index;
  const char* property;
  const char* parameter;
};
constexpr Option kDigest{4, "digest", OSSL_MAC_PARAM_DIGEST};
constexpr Option kCipher{5, "cipher", OSSL_MAC_PARAM_CIPHER};
constexpr Option kIv{6, "iv", OSSL_MAC_PARAM_IV};
constexpr Option kCustomization{7, "customization", OSSL_MAC_PARAM_CUSTOM};
constexpr Option kSalt{8, "salt", OSSL_MAC_PARAM_SALT};
constexpr Option kOutputLength{9, "outputLength", OSSL_MAC_PARAM_SIZE};

/// Checks the options of a MAC against what it has, and makes parameters of them.
class Options {
 public:
  Options(const Arguments& args, EVP_MAC* mac) : args_(args), mac_(mac) {}

  /// False with an exception under way.
  bool read() {
    if (!require() || !support()) return false;
    add_text(kDigest, digest_);
    add_text(kCipher, cipher_);
    add_bytes(kIv, iv_);
    add_bytes(kCustomization, customization_);
    add_bytes(kSalt, salt_);
    if (!args_[kOutputLength.index]->IsUndefined()) {
      length_ = uint32_at(args_, kOutputLength.index);
      parameters_.push_back(OSSL_PARAM_construct_size_t(kOutputLength.parameter, &*length_));
    }
    parameters_.push_back(OSSL_PARAM_construct_end());
    return true;
  }

  const OSSL_PARAM* parameters() const { return parameters_.data(); }
  std::optional<std::size_t> length() const { return length_; }

  bool refuse(const Option& option, const std::string& how) const {
    throw_type_error(Environment::of(args_.GetIsolate()), "ERR_INVALID_ARG_VALUE",
                     std::string("The property 'options.") + option.property + "' " + how);
    return false;
  }

 private:
  bool is_given(const Option& option) const { return !args_[option.index]->IsUndefined(); }

  bool require() const {
    if (EVP_MAC_is_a(mac_, OSSL_MAC_NAME_HMAC) && !is_given(kDigest)) {
      return refuse(kDigest, "is required for HMAC");
    }
    if (EVP_MAC_is_a(mac_, OSSL_MAC_NAME_CMAC) && !is_given(kCipher)) {
      return refuse(kCipher, "is required for CMAC");
    }
    if (!EVP_MAC_is_a(mac_, OSSL_MAC_NAME_GMAC)) return true;
    if (!is_given(kCipher)) return refuse(kCipher, "is required for GMAC");
    if (!is_given(kIv) || bytes_of(args_[kIv.index]).empty()) {
      return refuse(kIv, "must be non-empty for GMAC");
    }
    return true;
  }

  bool support() const {
    const OSSL_PARAM* known = EVP_MAC_settable_ctx_params(mac_);
    for (const Option& option : {kDigest, kCipher, kIv, kCustomization, kSalt, kOutputLength}) {
      if (!is_given(option)) continue;
      if (known == nullptr || OSSL_PARAM_locate_const(known, option.parameter) == nullptr) {
        return refuse(option, "is not supported by MAC " + text_at(args_, 0));
      }
    }
    return true;
  }

  void add_text(const Option& option, std::string& storage) {
    if (!is_given(option)) return;
    storage = text_at(args_, option.index);
    parameters_.push_back(OSSL_PARAM_construct_utf8_string(option.parameter, storage.data(), 0));
  }
  void add_bytes(const Option& option, ByteSource& storage) {
    if (!is_given(option)) return;
    storage = ByteSource(args_.GetIsolate(), args_[option.index], ByteSource::Lifetime::borrow);
    parameters_.push_back(OSSL_PARAM_construct_octet_string(
        option.parameter, const_cast<std::uint8_t*>(storage.data()), storage.size()));
  }

  const Arguments& args_;
  EVP_MAC* mac_;
  std::vector<OSSL_PARAM> parameters_;
  std::string digest_;
  std::string cipher_;
  ByteSource iv_;
  ByteSource customization_;
  ByteSource salt_;
  std::optional<std::size_t> length_;
};

void throw_failed(const Environment& environment, const char* message) {
  if (ERR_peek_error() != 0) return throw_openssl_error(environment);
  throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED", message);
}

class Mac final : public Wrapped {
 public:
  using Wrapped::Wrapped;

  /// new Mac(name, number, numbers, key, digest, cipher, iv, customization, salt, output length)
  static void construct(const Arguments& args) {
    v8::Isolate* isolate = args.GetIsolate();
    Environment& environment = Environment::of(isolate);
    const ErrorScope scope;
    auto* self = new Mac(environment, args.This());
    int number = int32_at(args, 1);
    if (number == kUnknown) {
      const std::string name = text_at(args, 0);
      number = Macs::of_thread().number_of(name);
      if (number == kUnknown) {
        return throw_type_error(environment, "ERR_CRYPTO_INVALID_MAC", "Invalid MAC: " + name);
      }
      args[2]
          .As<v8::Object>()
          ->Set(isolate->GetCurrentContext(), args[0], v8::Int32::New(isolate, number))
          .FromMaybe(false);
    }
    EVP_MAC* mac = Macs::of_thread().get(number);
    Options options(args, mac);
    if (options.read()) self->begin(args, mac, options);
  }

  static void update(const Arguments& args) {
    Mac* self = Wrapped::from<Mac>(args.This());
    const ErrorScope scope;
    const Input input(args.GetIsolate(), args[0], args[1]);
    if (!input.fits(self->environment())) return;
    args.GetReturnValue().Set(
        self->context_ != nullptr &&
        EVP_MAC_update(self->context_.get(), input.get().data(), input.get().size()) == 1);
  }

  static void final(const Arguments& args) {
    Mac* self = Wrapped::from<Mac>(args.This());
    const ErrorScope scope;
    const MacCtxPtr context = std::move(self->context_);
    SecretBytes out(context ? EVP_MAC_CTX_get_mac_size(context.get()) : 0);
    std::size_t size = 0;
    std::uint8_t nothing = 0;
    std::uint8_t* place = out.empty() ? &nothing : out.data();
    if (!context || EVP_MAC_final(context.get(), place, &size, out.size()) != 1) {
      return throw_failed(self->environment(), "Failed to finalize MAC");
    }
    Local<v8::Value> result;
    if (encode(self->environment(), ByteView(out).first(size), args[0]).ToLocal(&result)) {
      args.GetReturnValue().Set(result);
    }
  }

 private:
  void begin(const Arguments& args, EVP_MAC* mac, const Options& options) {
    const ByteSource key(args.GetIsolate(), args[3], ByteSource::Lifetime::borrow);
    context_.reset(EVP_MAC_CTX_new(mac));
    if (!context_ ||
        EVP_MAC_init(context_.get(), key.data(), key.size(), options.parameters()) != 1) {
      context_.reset();
      return throw_failed(environment(), "Failed to initialize MAC");
    }
    if (options.length() && *options.length() != EVP_MAC_CTX_get_mac_size(context_.get())) {
      context_.reset();
      options.refuse(kOutputLength, "was not honored by MAC " + text_at(args, 0));
    }
  }

  MacCtxPtr context_;
};

void get_macs(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  std::vector<Local<v8::Value>> names;
  for (const std::string& name : Macs::of_thread().names()) names.push_back(environment.text(name));
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), names.data(), names.size()));
}

void get_cached_aliases(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  std::vector<Local<v8::Name>> names;
  std::vector<Local<v8::Value>> numbers;
  for (const auto& [name, number] : Macs::of_thread().numbers()) {
    names.push_back(environment.name(name));
    numbers.push_back(v8::Int32::New(args.GetIsolate(), number));
  }
  args.GetReturnValue().Set(v8::Object::New(args.GetIsolate(), v8::Null(args.GetIsolate()),
                                            names.data(), numbers.data(), names.size()));
}

}  // namespace

void add_mac(Environment& environment, Local<v8::Object> target) {
  static constexpr Method kMethods[] = {{"update", Mac::update}, {"final", Mac::final}};
  set_class(environment, target, {"Mac", Mac::construct, kMethods});
  set_method(environment, target, {"getMacs", get_macs});
  set_method(environment, target, {"getCachedMacAliases", get_cached_aliases});
}

}  // namespace rondo::crypto
