#include "harness.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <ostream>
#include <set>
#include <utility>

#include "common/options.h"
#include "common/rounds.h"

namespace rondo::bench {

namespace {

constexpr const char* kHelp =
    "usage: rondo_bench [--rows=TEXT,...] [--report=FILE] [--seconds=S] [--check] [--rounds] "
    "[--list]\n"
    "\n"
    "  --rows=TEXT,...  only rows whose group, name or peer contains one of the texts\n";

struct Result {
  const Row* row;
  double ours;
  double theirs;

  double ratio() const { return theirs / ours; }
  bool missed() const { return row->goal.has_value() && ratio() < *row->goal; }
};

// ---- Choosing ---------------------------------------------------------------------------------

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

Result measure(const Row& row, const Options& options) {
  Result result{.row = &row, .ours = 0, .theirs = 0};
  repeat(options.seconds, [&](int round) {
    const double ours = row.ours();
    const double theirs = row.theirs();
    if (options.rounds) std::printf("  round %2d: %9.1f  %9.1f\n", round + 1, ours, theirs);
    result.ours = round == 0 ? ours : std::min(result.ours, ours);
    result.theirs = round == 0 ? theirs : std::min(result.theirs, theirs);
  });
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

void write_report(std::ostream& file, const std::vector<Result>& results,
                  const std::string& backend) {
  file << '[';
  for (const char* separator = "\n"; const Result& result : results) {
    const Row& row = *result.row;
    file << std::exchange(separator, ",\n") << "  {\"row\": " << std::quoted(row.name)
         << ", \"peer\": " << std::quoted(row.peer) << ", \"unit\": " << std::quoted(row.unit)
         << ", \"ours\": " << result.ours << ", \"theirs\": " << result.theirs
         << ", \"ratio\": " << result.ratio() << ", \"goal\": ";
    if (row.goal.has_value()) {
      file << *row.goal << ", \"met\": " << (result.missed() ? "false" : "true");
    } else {
      file << "null, \"met\": null";
    }
    file << ", \"backend\": " << std::quoted(backend) << '}';
  }
  file << "\n]\n";
}

}  // namespace

int run_rows(const std::vector<Row>& rows, const std::string& backend, int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options, std::string(kHelp) + kOptionsHelp)) return kUsage;
  const std::vector<const Row*> chosen = choose(rows, options.wanted);
  if (chosen.empty()) return kUsage;
  if (options.list) {
    for (const Row* row : chosen) std::printf("%-12s  %s\n", row->group.c_str(), row->name.c_str());
    return kOk;
  }
  std::printf("rondo on %s; ratio: the peer's time divided by ours\n\n", backend.c_str());
  return run_chosen(
      chosen, options, Table(chosen), [&](const Row& row) { return measure(row, options); },
      [&](std::ostream& file, const std::vector<Result>& results) {
        write_report(file, results, backend);
      });
}

}  // namespace rondo::bench
