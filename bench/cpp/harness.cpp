#include "harness.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace rondo::bench {

namespace {

constexpr int kOk = 0;
constexpr int kMissed = 1;
constexpr int kUsage = 2;

constexpr const char* kHelp =
    "usage: rondo_bench [--rows=TEXT,...] [--report=FILE] [--seconds=S] [--check] [--rounds] "
    "[--list]\n"
    "\n"
    "  --rows=TEXT,...  only rows whose group, name or peer contains one of the texts\n"
    "  --report=FILE    write the results there as JSON\n"
    "  --seconds=S      time for the rounds of one row (6)\n"
    "  --check          exit code 1 when a goal is missed\n"
    "  --rounds         print each round too\n"
    "  --list           name the rows and run nothing\n";

struct Options {
  std::vector<std::string> wanted;  // empty: all
  std::string report;
  double seconds = 6;
  bool check = false;
  bool rounds = false;
  bool list = false;
};

struct Result {
  const Row* row;
  double ours;
  double theirs;

  double ratio() const { return theirs / ours; }
  bool missed() const { return row->goal.has_value() && ratio() < *row->goal; }
};

// ---- Choosing ---------------------------------------------------------------------------------

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(list)};
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

bool matches(const Row& row, const std::string& text) {
  return row.group.contains(text) || row.name.contains(text) || row.peer.contains(text);
}

/// The rows that were asked for; nothing if some text fits no row.
std::vector<const Row*> choose(const std::vector<Row>& rows,
                               const std::vector<std::string>& wanted) {
  for (const std::string& text : wanted) {
    if (std::ranges::any_of(rows, [&](const Row& row) { return matches(row, text); })) continue;
    std::fprintf(
        stderr, "bench: no row and no group of rows is called '%s'. The groups are:", text.c_str());
    std::set<std::string> groups;
    for (const Row& row : rows) groups.insert(row.group);
    for (const std::string& group : groups) std::fprintf(stderr, " %s", group.c_str());
    std::fputs("\n", stderr);
    return {};
  }
  std::vector<const Row*> chosen;
  for (const Row& row : rows) {
    if (wanted.empty() ||
        std::ranges::any_of(wanted, [&](const std::string& text) { return matches(row, text); })) {
      chosen.push_back(&row);
    }
  }
  return chosen;
}

// ---- Measuring --------------------------------------------------------------------------------

/// Ours and theirs in turn, so that a slow minute of the machine slows both. The best round of
/// each side counts: what else the machine does can only add time.
Result measure(const Row& row, const Options& options) {
  constexpr int kFewestRounds = 3;
  constexpr int kMostRounds = 25;
  Result result{.row = &row, .ours = 0, .theirs = 0};
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  for (int round = 0; round < kMostRounds; ++round) {
    if (round >= kFewestRounds && std::chrono::steady_clock::now() >= end) break;
    const double ours = row.ours();
    const double theirs = row.theirs();
    if (options.rounds) std::printf("  round %2d: %9.1f  %9.1f\n", round + 1, ours, theirs);
    result.ours = round == 0 ? ours : std::min(result.ours, ours);
    result.theirs = round == 0 ? theirs : std::min(result.theirs, theirs);
  }
  return result;
}

// ---- Telling ----------------------------------------------------------------------------------

class Table {
 public:
  explicit Table(const std::vector<const Row*>& rows) {
    for (const Row* row : rows) {
      name_ = std::max(name_, static_cast<int>(row->name.size()));
      peer_ = std::max(peer_, static_cast<int>(row->peer.size()));
      unit_ = std::max(unit_, static_cast<int>(row->unit.size()));
    }
  }

  void head() const {
    std::printf("%-*s  %-*s  %9s  %9s  %-*s  %7s  %5s\n", name_, "row", peer_, "peer", "ours",
                "theirs", unit_, "unit", "ratio", "goal");
  }
  void line(const Result& result) const {
    const Row& row = *result.row;
    begin(row);
    std::printf("%9.1f  %9.1f  %-*s  %6.2fx", result.ours, result.theirs, unit_, row.unit.c_str(),
                result.ratio());
    if (row.goal.has_value()) {
      std::printf("  %4gx  %s", *row.goal, result.missed() ? "MISSED" : "met");
    }
    std::puts("");
    std::fflush(stdout);
  }
  void failure(const Row& row, const char* reason) const {
    begin(row);
    std::printf("FAILED: %s\n", reason);
  }

 private:
  void begin(const Row& row) const {
    std::printf("%-*s  %-*s  ", name_, row.name.c_str(), peer_, row.peer.c_str());
  }

  int name_ = 3;
  int peer_ = 4;
  int unit_ = 4;
};

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

void write_report(const std::string& path, const std::vector<Result>& results,
                  const std::string& backend) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  std::ofstream file(path);
  file << '[';
  for (const char* separator = "\n"; const Result& result : results) {
    const Row& row = *result.row;
    file << std::exchange(separator, ",\n") << "  {\"row\": " << json_string(row.name)
         << ", \"peer\": " << json_string(row.peer) << ", \"unit\": " << json_string(row.unit)
         << ", \"ours\": " << result.ours << ", \"theirs\": " << result.theirs
         << ", \"ratio\": " << result.ratio() << ", \"goal\": ";
    if (row.goal.has_value()) {
      file << *row.goal << ", \"met\": " << (result.missed() ? "false" : "true");
    } else {
      file << "null, \"met\": null";
    }
    file << ", \"backend\": " << json_string(backend) << '}';
  }
  file << "\n]\n";
  file.close();
  expect(!file.fail(), "the report could not be written");
}

// ---- The command line -------------------------------------------------------------------------

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string_view key = argument.substr(0, equals);
    const std::string value(equals == std::string_view::npos ? "" : argument.substr(equals + 1));
    if (key == "--rows") {
      options.wanted = split(value);
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
  return true;
}

}  // namespace

int run_rows(const std::vector<Row>& rows, const std::string& backend, int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) return kUsage;
  const std::vector<const Row*> chosen = choose(rows, options.wanted);
  if (chosen.empty()) return kUsage;
  if (options.list) {
    for (const Row* row : chosen) std::printf("%-12s  %s\n", row->group.c_str(), row->name.c_str());
    return kOk;
  }

  std::printf("rondo on %s; ratio: the peer's time divided by ours\n\n", backend.c_str());
  const Table table(chosen);
  table.head();
  std::vector<Result> results;
  bool failed = false;
  for (const Row* row : chosen) {
    try {
      results.push_back(measure(*row, options));
      table.line(results.back());
    } catch (const std::exception& error) {
      table.failure(*row, error.what());
      failed = true;
    }
  }
  if (!options.report.empty()) {
    write_report(options.report, results, backend);
    std::printf("\nreport: %s\n", options.report.c_str());
  }

  const auto missed = std::ranges::count_if(results, &Result::missed);
  if (missed != 0) std::printf("\n%td of the goals MISSED\n", missed);
  return failed || (options.check && missed != 0) ? kMissed : kOk;
}

}  // namespace rondo::bench
