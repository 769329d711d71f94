// The open files of a program that lib/ knows by their numbers. Where the process goes on when the
// program has ended they are closed: not before the last operation on one of them has ended,
// because the number may stand for another file by then.
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

  void add(int fd) { open_.insert(fd); }
  /// It is closed, or has become a handle's.
  void remove(int fd) noexcept { open_.erase(fd); }

 private:
  std::set<int> open_;
};

}  // namespace rondo
