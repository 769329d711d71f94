// Runs another program to its end and tells what it printed and what it cost.
#pragma once

#include <string>
#include <vector>

namespace rondo::bench {

struct Outcome {
  std::string output;
  double wall_ns;   // from before it was started until it had ended
  double cpu_ns;    // what all of its threads took, the kernel's share included
  double peak_kib;  // the most memory that was resident
};

/// Throws when the program cannot be started, or ends with anything but 0, or not within a minute.
Outcome run_child(const std::vector<std::string>& command);

}  // namespace rondo::bench
