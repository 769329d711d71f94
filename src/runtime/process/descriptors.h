// The open files of a program that lib/ knows by their numbers. Where the process continues when
// the program has ended they are closed: not before the last operation on one of them has ended,
// because the number may refer to another file by then.
#pragma once

#include <unistd.h>

#include <set>

namespace rondo {

class Descriptors {
 public:
  Descriptors() = default;
  ~Descriptors() {
    for (const int fd : open_) ::close(fd);
  }
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  /// False if it is missing: other code has closed it.
  bool add(int fd) { return open_.insert(fd).second; }
  /// It is closed, or has become a handle's. False if it is none of these files.
  bool remove(int fd) noexcept { return open_.erase(fd) != 0; }

 private:
  std::set<int> open_;
};

}  // namespace rondo
