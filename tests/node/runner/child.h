// Runs a program to its end and keeps what it wrote.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rondo::node_tests {

struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // after the name of the program
  std::filesystem::path folder;        // where it runs
  std::optional<std::string> input;
  std::vector<std::pair<std::string, std::string>> environment;  // on top of ours
  std::chrono::seconds limit{60};
};

struct Result {
  std::string output;
  std::string errors;
  std::string end;  // "exit code 1", "signal 6", "timeout"
};

// Throws std::system_error when the program cannot be started.
Result run(const Command& command);

}  // namespace rondo::node_tests
