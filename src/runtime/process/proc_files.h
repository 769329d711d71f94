// Files of /proc and /sys, which are small and made when they are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rondo {

/// Empty if it cannot be read.
std::string read_proc_file(const char* path);

/// The first number after `label` at the beginning of a line of `text`.
std::optional<std::uint64_t> proc_number(std::string_view text, std::string_view label);

/// A figure of /proc/meminfo in bytes; 0 if it is not there.
std::uint64_t meminfo_bytes(std::string_view label);

/// The limit that the control group sets, in bytes; without one the largest number, as Node says
/// it.
std::uint64_t memory_limit();

}  // namespace rondo
