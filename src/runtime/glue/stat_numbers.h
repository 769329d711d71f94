// What stat() found, as the numbers that lib/internal/fs/stats.js reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>

#include "rondo/fs.h"

namespace rondo {

/// Where each number is. lib/ has them by the same names: cmake/lib_enums.cmake.
enum class StatNumber : std::uint8_t {
  dev,
  mode,
  nlink,
  uid,
  gid,
  rdev,
  blksize,
  ino,
  size,
  blocks,
  atime_s,
  atime_ns,
  mtime_s,
  mtime_ns,
  ctime_s,
  ctime_ns,
  birthtime_s,
  birthtime_ns,
  kCount,
};
constexpr std::size_t kStatNumbers = static_cast<std::size_t>(StatNumber::kCount);

template <class Number>
void write_stat_numbers(const fs::Stat& stat, Number* out) {
  const auto put = [out](StatNumber which, auto value) {
    out[static_cast<std::size_t>(which)] = static_cast<Number>(value);
  };
  using enum StatNumber;
  put(dev, stat.dev);
  put(mode, stat.mode);
  put(nlink, stat.nlink);
  put(uid, stat.uid);
  put(gid, stat.gid);
  put(rdev, stat.rdev);
  put(blksize, stat.blksize);
  put(ino, stat.ino);
  put(size, stat.size);
  put(blocks, stat.blocks);
  put(atime_s, stat.exact.atime.tv_sec);
  put(atime_ns, stat.exact.atime.tv_nsec);
  put(mtime_s, stat.exact.mtime.tv_sec);
  put(mtime_ns, stat.exact.mtime.tv_nsec);
  put(ctime_s, stat.exact.ctime.tv_sec);
  put(ctime_ns, stat.exact.ctime.tv_nsec);
  put(birthtime_s, stat.exact.birthtime.tv_sec);
  put(birthtime_ns, stat.exact.birthtime.tv_nsec);
}

}  // namespace rondo
