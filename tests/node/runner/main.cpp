// Runs the scripts of tests/node and holds what they print against the record of real Node, or
// makes the record.
//
//   node_test_runner check PROGRAM SCRIPT...            prints a diff for each that differs
//   node_test_runner check-with OPTION PROGRAM SCRIPT... the same, with one more option
//   node_test_runner record PROGRAM RUNS JOBS SCRIPT... refuses those that vary between runs
//
// Exit code 0: all as recorded, or all recorded.
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp

#include <algorithm>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "child.h"
#include "normalise.h"
#include "script.h"

namespace rondo::node_tests {
namespace {

namespace fs = std::filesystem;

// The folder tests/node: the one above that of the script.
fs::path root_of(const Script& script) {
  return script.file.parent_path().parent_path();
}

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "rondo-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a scratch folder");
    path_ = fs::canonical(name);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void append_section(std::string& record, std::string_view title, std::string_view text) {
  record += "---- ";
  record += title;
  record += " ----\n";
  record += text;
  if (!text.empty() && !text.ends_with('\n')) record += "\n---- (no newline at the end) ----\n";
}

// As a path stands in a file: address.
std::string percent_encoded(std::string_view path) {
  constexpr std::string_view kPlain = "/-_.~!$&'()*+,;=:@";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string result;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 128 && std::isalnum(byte) != 0) || kPlain.find(c) != kPlain.npos) {
      result += c;
    } else {
      result.append("%").append(1, kHex[byte / 16]).append(1, kHex[byte % 16]);
    }
  }
  return result;
}

std::string run_once(const Script& script, const fs::path& program) {
  const ScratchFolder scratch;
  const fs::path folder = script.in_scratch_folder ? scratch.path() : script.file.parent_path();
  const Result result = run({.program = program,
                             .arguments = script.arguments,
                             .folder = folder,
                             .input = script.input,
                             .environment = script.environment});
  const std::string root = root_of(script).string();
  const Names names{{root, "<tests>"},
                    {percent_encoded(root), "<tests>"},
                    {scratch.path().string(), "<scratch>"},
                    {program.string(), "<node>"}};
  std::string record;
  append_section(record, "stdout", normalise(result.output, names));
  append_section(record, "stderr", normalise(result.errors, names));
  append_section(record, result.end, "");
  return record;
}

void write_file(const fs::path& file, std::string_view text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

void print_difference(const std::string& expected, const std::string& actual) {
  const ScratchFolder folder;
  write_file(folder.path() / "expected", expected);
  write_file(folder.path() / "actual", actual);
  std::cout.flush();
  const std::string command = "cd '" + folder.path().string() +
                              "' && diff -u --label expected --label actual expected actual";
  if (std::system(command.c_str()) < 0) std::cout << "cannot run diff\n" << actual;  // NOLINT
}

bool check_script(const Script& script, const fs::path& program) {
  const std::string expected = read_file(script.record_file());
  const std::string actual = run_once(script, program);
  if (actual == expected) return true;
  std::cout << "differs: " << script.file.string() << '\n';
  print_difference(expected, actual);
  return false;
}

bool check_all(std::span<char* const> files, const fs::path& program,
               const std::vector<std::string>& options) {
  bool is_good = true;
  for (const char* file : files) {
    Script script = read_script(file);
    script.arguments.insert(script.arguments.begin(), options.begin(), options.end());
    is_good = check_script(script, program) && is_good;
  }
  return is_good;
}

// Returns what is wrong, or nothing.
std::string record_script(const fs::path& file, const fs::path& program, int runs) {
  const Script script = read_script(file);
  const std::string first = run_once(script, program);
  if (first.find("---- timeout ----") != std::string::npos) return "does not end";
  for (int i = 1; i < runs; ++i) {
    if (run_once(script, program) != first) return "varies: run " + std::to_string(i + 1);
  }
  write_file(script.record_file(), first);
  return "";
}

bool record_all(std::span<char* const> files, const fs::path& program, int runs, int jobs) {
  std::atomic<std::size_t> next = 0;
  std::atomic<int> refused = 0;
  std::mutex printing;
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) {
      std::string problem;
      try {
        problem = record_script(files[i], program, runs);
      } catch (const std::exception& error) {
        problem = error.what();
      }
      if (problem.empty()) continue;
      ++refused;
      const std::lock_guard lock(printing);
      std::cout << "refused: " << files[i] << ": " << problem << '\n' << std::flush;
    }
  };
  {
    std::vector<std::jthread> workers;
    workers.reserve(static_cast<std::size_t>(jobs));
    for (int i = 0; i < jobs; ++i) workers.emplace_back(work);
  }
  std::cout << files.size() - static_cast<std::size_t>(refused) << " recorded, " << refused
            << " refused\n";
  return refused == 0;
}

int main_with(std::span<char* const> arguments) {
  const std::string_view mode = arguments.size() > 2 ? arguments[1] : "";
  if (mode == "check" && arguments.size() > 3) {
    return check_all(arguments.subspan(3), fs::canonical(arguments[2]), {}) ? 0 : 1;
  }
  if (mode == "check-with" && arguments.size() > 4) {
    return check_all(arguments.subspan(4), fs::canonical(arguments[3]), {arguments[2]}) ? 0 : 1;
  }
  if (mode == "record" && arguments.size() > 5) {
    const fs::path program = fs::canonical(arguments[2]);
    return record_all(arguments.subspan(5), program, std::stoi(arguments[3]),
                      std::stoi(arguments[4]))
               ? 0
               : 1;
  }
  std::cerr << "usage: node_test_runner check PROGRAM SCRIPT...\n"
               "       node_test_runner check-with OPTION PROGRAM SCRIPT...\n"
               "       node_test_runner record PROGRAM RUNS JOBS SCRIPT...\n";
  return 2;
}

}  // namespace
}  // namespace rondo::node_tests

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // a script need not read all of its input
  try {
    return rondo::node_tests::main_with(std::span(arguments, static_cast<std::size_t>(count)));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
