// One script of tests/node and how it wants to be run: what its `// rondo-test:` lines say.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rondo::node_tests {

struct Script {
  std::filesystem::path file;
  std::vector<std::string> arguments;  // what follows the name of the program
  std::optional<std::string> input;    // for standard input; /dev/null without it
  std::vector<std::pair<std::string, std::string>> environment;
  bool in_scratch_folder = false;  // else it runs in its own folder

  // The recorded result stands beside the script: name.js, name.out.
  std::filesystem::path record_file() const;
};

// Throws std::runtime_error if the file cannot be read or an option is not known.
Script read_script(const std::filesystem::path& file);

// The whole of a file. Throws std::runtime_error.
std::string read_file(const std::filesystem::path& file);

}  // namespace rondo::node_tests
