// Reading and writing the files that programs are started from.
#pragma once

#include <string>

namespace rondo::engine {

std::string read_file(const std::string& path);
void write_executable(const std::string& path, const std::string& bytes);

}  // namespace rondo::engine
