// What the tests of files share: a loop, an empty folder, and a way to wait for an operation.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/async.h"
#include "rondo/fs.h"
#include "rondo/loop.h"

#include "pattern.h"

namespace rondo {

class TempFolder {
 public:
  TempFolder() {
    std::string text = (std::filesystem::temp_directory_path() / "rondo-fs-XXXXXX").string();
    if (::mkdtemp(text.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = text;
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

inline void put(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) throw std::runtime_error("could not write " + path);
}

inline std::string content_of(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

inline mode_t mode_of(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

inline std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

inline std::span<std::byte> writable_bytes(std::string& text) {
  return std::as_writable_bytes(std::span(text));
}

class FsTest : public ::testing::Test {
 protected:
  /// Runs the loop until it has nothing left to do; the operation must be complete then.
  template <class Op>
  auto get(Op op) {
    std::optional<Expected<typename Op::Value>> result;
    std::move(op).then(loop, [&](Expected<typename Op::Value> value) {
      EXPECT_FALSE(result.has_value()) << "told twice";
      result.emplace(std::move(value));
    });
    EXPECT_FALSE(result.has_value()) << "told before then() returned";
    loop.run();
    return std::move(result.value());
  }

  template <class Op>
  std::string error_of(Op op) {
    const auto result = get(std::move(op));
    return result.has_value() ? "none" : std::string(error_name(result.error()));
  }

  TempFolder folder;
  Loop loop;
};

}  // namespace rondo
