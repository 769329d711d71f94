#include "engine/image_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace rondo::engine {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open " + path);
  std::string bytes(std::filesystem::file_size(path), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!in) throw std::runtime_error("cannot read " + path);
  return bytes;
}

/// Under another name until it is whole: programs run from links to the old one.
void write_executable(const std::string& path, const std::string& bytes) {
  const std::string partial = path + ".partial";
  std::ofstream out(partial, std::ios::binary | std::ios::trunc);
  // In small pieces: what is written at once the kernel may keep as one large page, and such a page
  // is mapped as a whole. Then hello.js would have 60 MiB of resident memory instead of 28.
  constexpr std::size_t kPiece = 64 * 1024;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    out.write(bytes.data() + at, static_cast<std::streamsize>(std::min(kPiece, bytes.size() - at)));
  }
  out.close();
  if (!out || ::chmod(partial.c_str(), 0755) != 0 ||
      std::rename(partial.c_str(), path.c_str()) != 0) {
    throw std::runtime_error("cannot write " + path);
  }
}

}  // namespace rondo::engine
