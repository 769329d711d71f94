// Ciphers of Web Crypto, each for a whole message: AESCipherJob, ChaCha20Poly1305CipherJob.
#include <openssl/bn.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>

#include "runtime/crypto/arguments.h"
#include "runtime/crypto/ciphers/cipher_context.h"
#include "runtime/crypto/parts.h"

namespace rondo::crypto {
namespace {

using v8::Local;
using Direction = CipherContext::Direction;
using Fault = CipherContext::Fault;

constexpr std::size_t kAesBlock = 16;  // bytes

/// kWebCryptoCipherEncrypt is 0, kWebCryptoCipherDecrypt is 1.
Direction direction_at(const Arguments& args, int index) {
  return uint32_at(args, index) == 0 ? Direction::encrypt : Direction::decrypt;
}

struct Message {
  CipherKind kind;
  Direction direction = Direction::encrypt;
  ByteView key;
  ByteView iv;
  ByteView associated_data;
  std::size_t tag_length = 0;  // of authenticated ciphers: the tag follows the text
  ByteView data;
};

/// The whole of it at once.
bool crypt(const Message& message, SecretBytes& out) {
  const bool encrypts = message.direction == Direction::encrypt;
  ByteView data = message.data;
  ByteView tag;
  if (!encrypts && message.tag_length != 0) {
    if (data.size() < message.tag_length) return false;
    tag = data.last(message.tag_length);
    data = data.first(data.size() - message.tag_length);
  }
  CipherContext::Start start{message.key, message.iv, {}};
  if (message.kind.is_authenticated()) {
    start.tag_length = static_cast<std::uint32_t>(message.tag_length);
  }
  CipherContext context;
  if (context.begin(message.kind, message.direction, start) != Fault::none) return false;
  if (!tag.empty() && !context.set_tag(tag)) return false;
  if (!message.associated_data.empty() &&
      context.add_associated_data(message.associated_data, -1) != Fault::none) {
    return false;
  }
  const auto room = context.update_room(data);
  if (!room) return false;
  out.resize(*room + context.end_room() + message.tag_length);
  std::size_t size = 0;
  if (!data.empty() && context.update(data, out, size) != Fault::none) return false;
  std::size_t last = 0;
  if (!context.end(std::span(out).subspan(size), last)) return false;
  size += last;
  std::ranges::copy(context.tag(), out.begin() + static_cast<std::ptrdiff_t>(size));
  out.resize(size + context.tag().size());
  return true;
}

// ---- AES-CTR ----------------------------------------------------------------------------------

/// The counter is the last `bits` bits of the block; it wraps around without changing the others,
/// where OpenSSL would carry. So what comes after the last value is a message of its own, which
/// begins with a counter of zeros.
class CounterBlock {
 public:
  CounterBlock(ByteView block, std::uint32_t bits) : bits_(bits) {
    std::ranges::copy(block, block_.begin());
  }

  ByteView get() const { return block_; }

  /// How many blocks can be had before it is zero again; the most that can be said for more.
  std::uint64_t left() const {
    const std::uint64_t value = low();
    if (bits_ >= 64) {
      // Only the upper part could be full, and the rest of 2^64 blocks is enough for any message.
      const bool full_above = is_full_above_64();
      return full_above && value != 0 ? ~value + 1 : kMany;
    }
    return (std::uint64_t{1} << bits_) - value;
  }
  /// Whether a message of this many blocks would use a counter twice.
  bool is_too_few(std::uint64_t blocks) const {
    return bits_ < 64 && blocks > std::uint64_t{1} << bits_;
  }

  void reset_counter() {
    for (std::uint32_t bit = 0; bit < bits_; ++bit) {
      block_[kAesBlock - 1 - bit / 8] &= static_cast<std::uint8_t>(~(1 << bit % 8));
    }
  }

 private:
  static constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();

  /// The counter, or its lowest 64 bits.
  std::uint64_t low() const {
    std::uint64_t value = 0;
    for (std::size_t i = 8; i < kAesBlock; ++i) value = value << 8 | block_[i];
    return bits_ >= 64 ? value : value & ((std::uint64_t{1} << bits_) - 1);
  }
  bool is_full_above_64() const {
    for (std::uint32_t bit = 64; bit < bits_; ++bit) {
      if ((block_[kAesBlock - 1 - bit / 8] >> bit % 8 & 1) == 0) return false;
    }
    return true;
  }

  std::array<std::uint8_t, kAesBlock> block_{};
  std::uint32_t bits_;
};

bool crypt_with_counter(Message message, std::uint32_t counter_bits, SecretBytes& out) {
  CounterBlock counter(message.iv, counter_bits);
  const ByteView data = message.data;
  const std::uint64_t blocks = (data.size() + kAesBlock - 1) / kAesBlock;
  if (counter.is_too_few(blocks)) return false;
  const std::uint64_t left = counter.left();
  const std::size_t first = left >= blocks ? data.size() : left * kAesBlock;
  message.iv = counter.get();
  message.data = data.first(first);
  if (!crypt(message, out)) return false;
  if (first == data.size()) return true;
  counter.reset_counter();
  message.data = data.subspan(first);
  SecretBytes rest;
  if (!crypt(message, rest)) return false;
  out.insert(out.end(), rest.begin(), rest.end());
  return true;
}

// ---- The jobs ---------------------------------------------------------------------------------

class CipherTask : public BytesTask {
 public:
  std::string_view failure_message() const override { return "Cipher job failed"; }
  std::string_view failure_code() const override { return {}; }

 protected:
  /// (mode, direction, key, data, ...)
  bool read(const Arguments& args, JobMode mode) {
    message_.direction = direction_at(args, 1);
    return read_bytes(args, 2, mode, key_, "key is too big") &&
           read_bytes(args, 3, mode, data_, "data is too large");
  }
  Message& message() {
    message_.key = key_;
    message_.iv = iv_;
    message_.associated_data = associated_data_;
    message_.data = data_;
    return message_;
  }

  Message message_;
  ByteSource key_;
  ByteSource iv_;
  ByteSource associated_data_;
  ByteSource data_;
};

/// The order of kKeyVariantAES_CTR_128 and so on: three lengths of each mode.
constexpr const char* kModes[] = {"CTR", "CBC", "GCM", "KW", "OCB"};
constexpr int kKeyBits[] = {128, 192, 256};

class AesTask final : public CipherTask {
 public:
  static constexpr const char* kProvider = "CIPHERREQUEST";

  /// (mode, direction, key, data, variant, iv, bits of the counter or bytes of the tag, associated
  /// data)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<AesTask>();
    if (!task->read(args, mode) || !task->read_variant(args, mode)) return nullptr;
    return task;
  }

  bool work(Failure& /*failure*/) override {
    Message& whole = message();
    if (wrap_iv_) whole.iv = default_wrap_iv();
    return counter_bits_ != 0 ? crypt_with_counter(whole, counter_bits_, out_) : crypt(whole, out_);
  }

 private:
  static bool refuse(const Arguments& args, const char* code, const char* text) {
    throw_type_error(Environment::of(args.GetIsolate()), code, text);
    return false;
  }

  bool read_variant(const Arguments& args, JobMode mode) {
    const std::uint32_t variant = uint32_at(args, 4);
    const std::string bits = std::to_string(kKeyBits[variant % 3]);
    const std::string_view name = kModes[variant / 3];
    const std::string cipher =
        name == "KW" ? "id-aes" + bits + "-wrap" : "aes-" + bits + "-" + std::string(name);
    message_.kind = CipherKind::find(cipher.c_str());
    if (!message_.kind) return refuse(args, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
    if (name == "KW") {
      wrap_iv_ = true;
      return true;
    }
    if (!read_bytes(args, 5, mode, iv_, "iv is too big")) return false;
    if (name == "CTR" && !read_counter(args)) return false;
    if ((name == "GCM" || name == "OCB") && !read_tag(args, mode)) return false;
    const bool is_right_length =
        name == "OCB" ? !iv_.empty() && iv_.size() <= 15 : iv_.size() >= message_.kind.iv_length();
    return is_right_length ||
           refuse(args, "ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
  }

  /// RFC 3394
  static ByteView default_wrap_iv() {
    static constexpr std::uint8_t kIv[] = {0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6};
    return kIv;
  }

  bool read_counter(const Arguments& args) {
    counter_bits_ = uint32_at(args, 6);
    if (iv_.size() == kAesBlock && counter_bits_ != 0 && counter_bits_ <= 128) return true;
    return refuse(args, "ERR_CRYPTO_INVALID_COUNTER", "Invalid counter");
  }

  bool read_tag(const Arguments& args, JobMode mode) {
    if (!args[6]->IsUint32() || uint32_at(args, 6) > 16) {
      return refuse(args, "ERR_CRYPTO_INVALID_TAG_LENGTH", "Invalid taglength");
    }
    message_.tag_length = uint32_at(args, 6);
    return read_bytes(args, 7, mode, associated_data_, "additionalData is too big");
  }

  std::uint32_t counter_bits_ = 0;
  bool wrap_iv_ = false;
};

class ChaCha20Poly1305Task final : public CipherTask {
 public:
  static constexpr const char* kProvider = "CIPHERREQUEST";

  /// (mode, direction, key, data, iv, associated data)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<ChaCha20Poly1305Task>();
    if (!task->read(args, mode) || !read_bytes(args, 4, mode, task->iv_, "iv is too large") ||
        !read_bytes(args, 5, mode, task->associated_data_, "additional data is too large")) {
      return nullptr;
    }
    if (task->iv_.size() != kIvLength) {
      throw_type_error(Environment::of(args.GetIsolate()), "ERR_CRYPTO_INVALID_IV",
                       "Invalid initialization vector");
      return nullptr;
    }
    task->message_.kind = CipherKind::find("chacha20-poly1305");
    task->message_.tag_length = kTagLength;
    return task;
  }

  bool work(Failure& failure) override {
    if (key_.size() != kKeyLength) {
      failure.set("Invalid key type");
      return false;
    }
    return crypt(message(), out_);
  }

 private:
  static constexpr std::size_t kKeyLength = 32;
  static constexpr std::size_t kIvLength = 12;
  static constexpr std::size_t kTagLength = 16;
};

}  // namespace

void add_cipher_jobs(Environment& environment, Local<v8::Object> target) {
  add_job<AesTask>(environment, target, "AESCipherJob");
  add_job<ChaCha20Poly1305Task>(environment, target, "ChaCha20Poly1305CipherJob");
  set_value(environment, target, "kWebCryptoCipherEncrypt", 0);
  set_value(environment, target, "kWebCryptoCipherDecrypt", 1);
  double variant = 0;
  for (const char* mode : kModes) {
    for (const int bits : kKeyBits) {
      set_value(environment, target,
                std::string("kKeyVariantAES_") + mode + "_" + std::to_string(bits), variant++);
    }
  }
}

}  // namespace rondo::crypto
