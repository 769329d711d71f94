// The descriptors of a WASI program: numbers of its own, each with the rights that it has.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/wasi/abi.h"

namespace rondo::wasi {

/// Closes at the end, unless it only borrows: -1 for none.
class OwnedFd {
 public:
  OwnedFd() noexcept = default;
  explicit OwnedFd(int fd) noexcept : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd();

  int get() const noexcept { return fd_; }
  bool valid() const noexcept { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Rights {
  std::uint64_t base = 0;
  std::uint64_t inheriting = 0;
};

struct Descriptor {
  int fd = -1;
  OwnedFd owned = {};  // empty for standard streams, which belong to the process
  FileType type = FileType::unknown;
  Rights rights = {};
  std::optional<std::string> preopened_as = {};  // the program's name for the directory
};

FileType type_of(mode_t mode) noexcept;
/// The most rights that a descriptor of the system can have.
Rights most_rights(int fd, FileType type) noexcept;

class Descriptors {
 public:
  /// Null if there is none of that number.
  Descriptor* find(std::uint32_t number) noexcept;
  /// The same, if it has the rights; else an error.
  Errno get(std::uint32_t number, Rights wanted, Descriptor*& found) noexcept;
  Errno get(std::uint32_t number, std::uint64_t wanted, Descriptor*& found) noexcept {
    return get(number, Rights{wanted, 0}, found);
  }

  /// Gives it the lowest number that is free.
  std::uint32_t add(Descriptor descriptor);
  Errno close(std::uint32_t number) noexcept;
  /// The descriptor `from` takes the number of `to`, which is closed.
  Errno renumber(std::uint32_t from, std::uint32_t to) noexcept;

 private:
  std::vector<std::optional<Descriptor>> entries_;
};

}  // namespace rondo::wasi
