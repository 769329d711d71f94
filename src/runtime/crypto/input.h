// What update() of hashes, MACs and ciphers is given: bytes, or a string and its encoding.
#pragma once

#include <v8.h>

#include <array>
#include <cstdint>
#include <limits>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/errors.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/views.h"

namespace rondo::crypto {

/// Good until JavaScript runs again. Short strings are written to the stack, and wiped.
class Input {
 public:
  Input(v8::Isolate* isolate, v8::Local<v8::Value> data, v8::Local<v8::Value> encoding)
      : bytes_(data) {
    if (!data->IsString()) {
      view_ = bytes_.get();
      return;
    }
    const v8::Local<v8::String> text = data.As<v8::String>();
    const Encoding its_encoding =
        encoding->IsUndefined() ? Encoding::utf8 : encoding_of(isolate, encoding, Encoding::utf8);
    const std::size_t most = most_bytes(static_cast<std::size_t>(text->Length()), its_encoding);
    if (most <= short_.size()) {
      used_ = write_string(isolate, text, its_encoding, short_);
      view_ = {short_.data(), used_};
    } else {
      long_.resize(its_encoding == Encoding::utf8 ? utf8_length(isolate, text) : most);
      view_ = {long_.data(), write_string(isolate, text, its_encoding, long_)};
    }
  }
  ~Input() {
    if (used_ != 0) wipe(short_.data(), used_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  ByteView get() const noexcept { return view_; }

  /// OpenSSL counts with an int. False with ERR_OUT_OF_RANGE under way.
  bool fits(const Environment& environment) const {
    if (view_.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return true;
    throw_range_error(environment, "ERR_OUT_OF_RANGE", "data is too long");
    return false;
  }

 private:
  ReadBytes bytes_;
  std::array<std::uint8_t, 512> short_;
  std::size_t used_ = 0;
  SecretBytes long_;
  ByteView view_;
};

}  // namespace rondo::crypto
