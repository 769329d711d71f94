// Runs the chosen rows one after the other, each in rounds, and prints the results.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/options.h"

namespace rondo::bench {

/// Calls round(number, counting from 0) for as long as a row may take. All sides of a row run in
/// each round, so that a slow minute of the machine slows all; the best round of each counts:
/// what else the machine does can only add time.
template <class Round>
void repeat(double seconds, Round&& round) {
  constexpr int kFewestRounds = 3;
  constexpr int kMostRounds = 25;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (int number = 0; number < kMostRounds; ++number) {
    if (number >= kFewestRounds && std::chrono::steady_clock::now() >= end) return;
    round(number);
  }
}

/// Measures and prints every row, writes the report, and returns the exit code. `write` puts the
/// results into a stream as JSON.
template <class Row, class Table, class Measure, class Write>
int run_chosen(const std::vector<const Row*>& rows, const Options& options, const Table& table,
               Measure&& measure, Write&& write) {
  using Result = decltype(measure(*rows.front()));
  table.head();
  std::vector<Result> results;
  bool failed = false;
  for (const Row* row : rows) {
    try {
      results.push_back(measure(*row));
      table.line(results.back());
    } catch (const std::exception& error) {
      table.failure(*row, error.what());
      failed = true;
    }
  }
  if (!options.report.empty()) {
    const auto folder = std::filesystem::path(options.report).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder);
    std::ofstream file(options.report);
    write(file, results);
    file.close();
    if (file.fail()) throw std::runtime_error("the report could not be written");
    std::printf("\nreport: %s\n", options.report.c_str());
  }
  const auto missed = std::ranges::count_if(results, &Result::missed);
  if (missed != 0) std::printf("\n%td of the goals MISSED\n", missed);
  return failed || (options.check && missed != 0) ? kMissed : kOk;
}

}  // namespace rondo::bench
