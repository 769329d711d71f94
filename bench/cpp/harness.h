// Rows that compare our time for a piece of work with the time of a peer, and the program around
// them: choose rows, run both sides alternating, print a table, write a report.
//
// A new row is one more Row in the function of its subject (rows.h); see bench/README.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace rondo::bench {

struct Row {
  std::string group;
  std::string name;
  std::string peer;            // name and peer together are unique
  std::string unit;            // of what the functions return: "ns/timer"
  std::optional<double> goal;  // the least ratio, theirs / ours; none: only for information
  // Each does the work once, from scratch, and returns nanoseconds per operation. Setting up,
  // warming up and tearing down are its own affair and not counted (Stopwatch).
  std::function<double()> ours;
  std::function<double()> theirs;
};

/// Adds up the time between start() and stop(), so that what lies between can be left out.
class Stopwatch {
 public:
  void start() noexcept { started_ = Clock::now(); }
  void stop() noexcept { total_ += Clock::now() - started_; }
  double ns_per(std::size_t operations) const noexcept {
    return std::chrono::duration<double, std::nano>(total_).count() /
           static_cast<double>(operations);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point started_;
  Clock::duration total_{};
};

/// For what must hold if the work was done at all: a benchmark of nothing is always fast.
inline void expect(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

/// Reads the command line, runs the chosen rows, and returns the exit code.
int run_rows(const std::vector<Row>& rows, const std::string& backend, int argc, char** argv);

}  // namespace rondo::bench
