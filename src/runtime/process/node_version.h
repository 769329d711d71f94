// The version of Node that the runtime follows: process.version, `rondo --version`.
#pragma once

namespace rondo {

inline constexpr char kNodeVersion[] = "26.10.0";
/// The version of libuv in it, whose order the loop keeps.
inline constexpr char kUvVersion[] = "1.52.1";

}  // namespace rondo
