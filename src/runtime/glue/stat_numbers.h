// What stat() found, as the numbers that lib/internal/fs/stats.js reads.
#pragma once

#include <cstddef>
#include <ctime>

#include "rondo/fs.h"

namespace rondo {

constexpr std::size_t kStatNumbers = 18;

/// In the order that lib/internal/fs/stats.js gives.
template <class Number>
void write_stat_numbers(const fs::Stat& stat, Number* out) {
  const auto put = [&out](auto value) { *out++ = static_cast<Number>(value); };
  const auto put_time = [&put](const timespec& time) {
    put(time.tv_sec);
    put(time.tv_nsec);
  };
  put(stat.dev);
  put(stat.mode);
  put(stat.nlink);
  put(stat.uid);
  put(stat.gid);
  put(stat.rdev);
  put(stat.blksize);
  put(stat.ino);
  put(stat.size);
  put(stat.blocks);
  put_time(stat.exact.atime);
  put_time(stat.exact.mtime);
  put_time(stat.exact.ctime);
  put_time(stat.exact.birthtime);
}

}  // namespace rondo
