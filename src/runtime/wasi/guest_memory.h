// The memory of a WebAssembly program, with every access checked against its size. Good until the
// program runs again, because that may grow its memory.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/wasi/abi.h"

namespace rondo::wasi {

class GuestMemory {
 public:
  explicit GuestMemory(std::span<std::uint8_t> bytes) noexcept : bytes_(bytes) {}

  bool has(std::uint32_t offset, std::uint64_t size) const noexcept {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }

  std::span<std::uint8_t> part(std::uint32_t offset, std::uint32_t size) const {
    return bytes_.subspan(offset, size);
  }

  std::string_view text(std::uint32_t offset, std::uint32_t size) const {
    return {reinterpret_cast<const char*>(bytes_.data()) + offset, size};
  }

  /// The caller has asked has(). WebAssembly is little endian, and so are the machines we run on.
  template <class T>
  T get(std::uint32_t offset) const noexcept {
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  template <class T>
  void put(std::uint32_t offset, T value) const noexcept {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
  }

  /// Reads a list of buffers for readv() or writev(), no more of them than those take.
  Errno buffers(std::uint32_t list, std::uint32_t count, std::vector<struct ::iovec>& result) const;

 private:
  std::span<std::uint8_t> bytes_;
};

}  // namespace rondo::wasi
