// The command line that both programs of benchmarks have.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rondo::bench {

constexpr int kOk = 0;
constexpr int kMissed = 1;
constexpr int kUsage = 2;

/// For the end of a help text.
inline constexpr const char* kOptionsHelp =
    "  --report=FILE    write the results there as JSON\n"
    "  --seconds=S      time for the rounds of one row (6)\n"
    "  --check          exit code 1 when a goal is missed\n"
    "  --rounds         print each round too\n"
    "  --list           name the rows and run nothing\n";

struct Options {
  std::vector<std::string> wanted;  // --rows; empty: all
  std::string report;
  double seconds = 6;
  bool check = false;
  bool rounds = false;
  bool list = false;
  /// Options of one program only, which have a value: set those that it knows, by name.
  std::map<std::string, std::string> own;
};

/// Whether all of it made sense; if not, it says so and prints the help.
bool parse(int argc, char** argv, Options& options, const std::string& help);

}  // namespace rondo::bench
