// Hash, the one-shot hash, and the names of digests.
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/evperr.h>

#include <optional>
#include <vector>

#include "runtime/crypto/arguments.h"
#include "runtime/crypto/digests/digests.h"
#include "runtime/crypto/input.h"
#include "runtime/crypto/parts.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"

namespace rondo::crypto {
namespace {

using v8::Local;

/// A digest as lib/ names it: by a name, and by its number if the name was used before. A new
/// number is added to the object in which lib/ keeps them.
struct NamedDigest {
  int number = Digests::kUnknown;
  const EVP_MD* digest = nullptr;

  NamedDigest(v8::Isolate* isolate, Local<v8::Value> name, Local<v8::Value> number_value,
              Local<v8::Value> cache) {
    Digests& digests = Digests::of_thread();
    number = number_value.As<v8::Int32>()->Value();
    if (number != Digests::kUnknown) {
      digest = digests.get(number);
      return;
    }
    const std::string text = to_text(isolate, name);
    digest = digests.find(text);
    number = digests.number_of(text);
    ERR_clear_error();
    if (number == Digests::kUnknown) return;
    cache.As<v8::Object>()
        ->Set(isolate->GetCurrentContext(), name, v8::Int32::New(isolate, number))
        .FromMaybe(false);
  }
};

/// The properties that only cSHAKE has, for which this OpenSSL has no digest.
bool has_cshake_options(const Arguments& args, int first) {
  return !args[first]->IsUndefined() || !args[first + 1]->IsUndefined();
}

std::optional<std::size_t> length_at(const Arguments& args, int index) {
  if (args[index]->IsUndefined()) return std::nullopt;
  return uint32_at(args, index);
}

bool finish(EVP_MD_CTX* context, std::span<std::uint8_t> out) {
  return is_xof(EVP_MD_CTX_get0_md(context))
             ? EVP_DigestFinalXOF(context, out.data(), out.size()) == 1
             : EVP_DigestFinal_ex(context, out.data(), nullptr) == 1;
}

class Hash final : public Wrapped {
 public:
  using Wrapped::Wrapped;
  ~Hash() override { release(); }

  /// new Hash(name or another Hash, output length, number, numbers, function name, customization)
  static void construct(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    const ErrorScope scope;
    const Hash* other = args[0]->IsObject() ? Wrapped::from<Hash>(args[0]) : nullptr;
    auto* self = new Hash(environment, args.This());
    bool begun = false;
    if (other != nullptr) {
      self->number_ = Digests::kUnknown;
      begun = other->context_ &&
              self->begin(EVP_MD_CTX_get0_md(other->context_.get()), length_at(args, 1));
    } else if (!has_cshake_options(args, 4)) {
      const NamedDigest named(args.GetIsolate(), args[0], args[2], args[3]);
      self->number_ = named.number;
      begun = named.digest != nullptr && self->begin(named.digest, length_at(args, 1));
    }
    if (!begun) return throw_openssl_error(environment, "Digest method not supported");
    if (other != nullptr && EVP_MD_CTX_copy_ex(self->context_.get(), other->context_.get()) != 1) {
      throw_openssl_error(environment, "Digest copy error");
    }
  }

  /// update(data, encoding) -> whether it was added.
  std::optional<bool> update(Local<v8::Value> data, Local<v8::Value> encoding) {
    const Input input(environment().isolate(), data, encoding);
    if (!input.fits(environment())) return std::nullopt;
    return context_ != nullptr && !ended_ &&
           EVP_DigestUpdate(context_.get(), input.get().data(), input.get().size()) == 1;
  }

  /// digest(encoding) -> a string, or a Buffer. The same again when it is called again.
  v8::MaybeLocal<v8::Value> digest(Local<v8::Value> encoding) {
    const ErrorScope scope;
    if (end()) return encode(environment(), digest_, encoding);
    throw_openssl_error(environment());
    return {};
  }

 private:
  bool begin(const EVP_MD* digest, std::optional<std::size_t> length) {
    length_ = default_length(digest);
    if (number_ != Digests::kUnknown) {
      context_ = Digests::of_thread().take_context(number_);
    } else {
      context_.reset(EVP_MD_CTX_new());
      if (context_ && EVP_DigestInit_ex2(context_.get(), digest, nullptr) != 1) context_.reset();
    }
    if (!context_) return false;
    if (length && *length != length_) {
      if (!is_xof(digest)) {
        ERR_raise(ERR_LIB_EVP, EVP_R_NOT_XOF_OR_INVALID_LENGTH);
        context_.reset();
        return false;
      }
      length_ = *length;
    }
    return true;
  }

  bool end() {
    if (ended_) return true;
    // Keccak cannot be asked for no bytes.
    if (length_ != 0) {
      if (!make_room(digest_, length_) || !context_ || !finish(context_.get(), digest_))
        return false;
    }
    ended_ = true;
    return true;
  }

  void release() {
    if (context_ && number_ != Digests::kUnknown) {
      Digests::of_thread().give_back(number_, std::move(context_));
    }
  }

  int number_ = Digests::kUnknown;
  MdCtxPtr context_;
  std::size_t length_ = 0;
  bool ended_ = false;
  SecretBytes digest_;
};

/// The digest of a whole message by a digest whose number is known. False if OpenSSL refuses;
/// otherwise a value is returned, or an exception is under way.
bool return_hash(const Arguments& args, int number, ByteView bytes, Local<v8::Value> encoding) {
  std::uint8_t digest[EVP_MAX_MD_SIZE];
  Digests& digests = Digests::of_thread();
  if (!digests.hash(number, bytes, digest)) return false;
  Local<v8::Value> result;
  if (encode(Environment::of(args.GetIsolate()), {digest, digests.fixed_length(number)}, encoding)
          .ToLocal(&result)) {
    args.GetReturnValue().Set(result);
  }
  return true;
}

/// hashOnce(number, data, its encoding, encoding of the result): of a digest with a fixed length,
/// see lib/internal/crypto/lazy_hash.js.
void hash_once(const Arguments& args) {
  const Input input(args.GetIsolate(), args[1], args[2]);
  const Environment& environment = Environment::of(args.GetIsolate());
  if (!input.fits(environment)) return;
  if (!return_hash(args, int32_at(args, 0), input.get(), args[3])) {
    throw_openssl_error(environment);
    ERR_clear_error();
  }
}

/// fixedLength(number) -> bytes, 0 for those that give as many as one likes
std::uint32_t fixed_length(std::int32_t number) {
  return static_cast<std::uint32_t>(Digests::of_thread().fixed_length(number));
}

/// oneShotDigest(name, number, numbers, input, encoding, number of the encoding, output length,
/// function name, customization)
void one_shot(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  // The usual case: a name that was used before, and no options.
  if (const int number = int32_at(args, 1); number != Digests::kUnknown && args.Length() == 7 &&
                                            args[6]->IsUndefined() && args[5]->IsUint32() &&
                                            Digests::of_thread().fixed_length(number) != 0) {
    const Input input(args.GetIsolate(), args[3], args[6]);
    if (return_hash(args, number, input.get(), args[5])) return;
  }
  const NamedDigest named(args.GetIsolate(), args[0], args[1], args[2]);
  if (named.digest == nullptr) {
    return throw_openssl_error(environment, 0,
                               ("Digest method " + text_at(args, 0) + " is not supported").c_str());
  }
  if (has_cshake_options(args, 7)) {
    return throw_openssl_error(environment, 0, "Digest options are not supported");
  }
  const Input input(args.GetIsolate(), args[3], v8::Undefined(args.GetIsolate()));
  const Local<v8::Value> encoding = args[5]->IsUndefined() ? args[4] : args[5];
  const std::optional<std::size_t> asked = length_at(args, 6);
  const std::size_t length = asked.value_or(default_length(named.digest));
  const bool extendable = is_xof(named.digest);
  if (!extendable && length != default_length(named.digest)) {
    return throw_openssl_error(
        environment, 0,
        ("Output length " + std::to_string(static_cast<int>(length)) + " is invalid for " +
         text_at(args, 0) + ", which does not support XOF")
            .c_str());
  }
  std::uint8_t usual[EVP_MAX_MD_SIZE];
  SecretBytes extended;
  std::span<std::uint8_t> out(usual, std::min(length, sizeof usual));
  bool done = length == 0;
  if (extendable && length != 0) {
    done = make_room(extended, length);
    out = extended;
    const MdCtxPtr context(EVP_MD_CTX_new());
    done = done && context && EVP_DigestInit_ex2(context.get(), named.digest, nullptr) == 1 &&
           EVP_DigestUpdate(context.get(), input.get().data(), input.get().size()) == 1 &&
           EVP_DigestFinalXOF(context.get(), out.data(), out.size()) == 1;
  } else if (length != 0 && named.number != Digests::kUnknown) {
    done = Digests::of_thread().hash(named.number, input.get(), out.data());
  } else if (length != 0) {
    done = EVP_Digest(input.get().data(), input.get().size(), out.data(), nullptr, named.digest,
                      nullptr) == 1;
  }
  if (!done) {
    throw_openssl_error(environment);
    return ERR_clear_error();
  }
  Local<v8::Value> result;
  if (encode(environment, out, encoding).ToLocal(&result)) args.GetReturnValue().Set(result);
}

std::vector<Local<v8::Value>> get_hashes(Environment& environment) {
  std::vector<Local<v8::Value>> names;
  for (const std::string& name : Digests::of_thread().names())
    names.push_back(environment.text(name));
  return names;
}

/// An object without a prototype: the numbers of the digests by their names, as far as known.
Local<v8::Object> get_cached_aliases(Environment& environment) {
  v8::Isolate* isolate = environment.isolate();
  std::vector<Local<v8::Name>> names;
  std::vector<Local<v8::Value>> numbers;
  for (const auto& [name, number] : Digests::of_thread().numbers()) {
    names.push_back(environment.name(name));
    numbers.push_back(v8::Int32::New(isolate, number));
  }
  return v8::Object::New(isolate, v8::Null(isolate), names.data(), numbers.data(), names.size());
}

}  // namespace

void add_hash(Environment& environment, Local<v8::Object> target) {
  static constexpr Method kMethods[] = {method<&Hash::update>("update"),
                                        method<&Hash::digest>("digest")};
  set_class(environment, target, {"Hash", Hash::construct, kMethods});
  set_method(environment, target, {"oneShotDigest", one_shot});
  set_method(environment, target, {"hashOnce", hash_once});
  set_method(environment, target, method<fixed_length>("fixedLength"));
  set_method(environment, target, method<get_hashes>("getHashes"));
  set_method(environment, target, method<get_cached_aliases>("getCachedAliases"));
}

}  // namespace rondo::crypto
