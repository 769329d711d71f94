// The file of --experimental-config-file: options as JSON.
#pragma once

#include <string>
#include <vector>

namespace rondo {

/// What is wrong with the file: lines for standard error, and what follows the name of the program.
struct BadConfigFile {
  std::string explanation;
  std::string summary;
};

/// The options that the file asks for, as a command line has them. Throws BadConfigFile.
std::vector<std::string> read_config_file(const std::string& path);

}  // namespace rondo
