// What is measured, and what we want to reach: the rows of the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rondo::bench {

constexpr std::array<const char*, 3> kPeers{"Node", "Bun", "Deno"};

enum class Figure : std::uint8_t {
  process_ms,      // from the start of the process to its end
  process_cpu_ms,  // processor time of the whole process
  process_mib,     // the most memory that it had resident
  wall_ns,         // what the script says: one operation
  cpu_ns,          // what the script says: processor time of one operation, all threads together
  latency_ns,      // what the script says: not work, but how long a caller waits
  bytes,           // what the script says: memory
};
constexpr std::size_t kFigures = 7;

struct Work {
  std::string name;
  Figure figure;
  std::vector<std::string> script;  // and its arguments
  // The least ratios, theirs / ours, one for each peer; none: only for information.
  std::array<std::optional<double>, kPeers.size()> goals;
};

const char* unit_of(Figure figure);

/// Whether the whole process is measured, and not what its script says.
bool is_of_process(Figure figure);

/// "best 1.2x" when it is the same for all of them, otherwise "Node 2x, Deno 1.2x".
std::string goal_text(const Work& work);

/// Needs the scripts of bench/js/scripts, a folder of its own for what it writes, and the one that
/// has node_modules with express and fastify.
std::vector<Work> all_works(const std::filesystem::path& scripts,
                            const std::filesystem::path& scratch,
                            const std::filesystem::path& packages);

}  // namespace rondo::bench
