// The log of node:trace_events: which categories are on, what happened, and the file in which
// Chrome's format. One for the process; any thread may write.
//
// V8 and lib/ ask for the flag of a group of categories ("node,node.fs,node.fs.sync") once and look
// at the byte each time: it is not 0 while one of them is on.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

class TraceLog {
 public:
  /// Bits of a flag. V8's macros look at both.
  static constexpr std::uint8_t kRecorded = 1;  // in this log
  static constexpr std::uint8_t kCounted = 4;   // by the lens: TracingController

  static TraceLog& instance();

  /// Good for as long as the process.
  std::uint8_t* flag(std::string_view group);
  /// Of a flag.
  std::string group_of(const std::uint8_t* flag);
  /// Sets kCounted, for good.
  void count(std::string_view group);

  /// Each category is on until it was disabled as often as enabled.
  void enable(std::span<const std::string> categories);
  void disable(std::span<const std::string> categories);
  std::vector<std::string> categories();

  /// Of the file; "${rotation}" and "${pid}" are replaced by numbers.
  void set_file_pattern(std::string pattern);
  /// From now on there will be a file.
  void start();
  bool started() const noexcept { return started_.load(std::memory_order_relaxed); }

  /// An event of this thread. `fields` is what follows after the times, in JSON without braces:
  /// "ph", "cat", "name", "args" and what else there is.
  void add(std::string_view fields, std::optional<std::uint64_t> time_ns = std::nullopt);
  /// An event that begins and ends.
  void add_span(std::string_view group, std::string_view name, std::uint64_t start_ns,
                std::uint64_t start_thread_ns);
  /// What does not depend on categories, written at the end.
  void add_metadata(std::string_view name, std::string_view arguments);

  /// Writes all that there is and ends the file. No JavaScript runs any more.
  void finish();

 private:
  void update_flags();
  void append(std::string_view event);
  void write();
  void close_file();

  std::atomic<bool> started_ = false;
  std::mutex mutex_;  // guards all below
  std::map<std::string, std::uint8_t, std::less<>> flags_;
  std::map<std::string, int, std::less<>> enabled_;
  std::string pattern_ = "node_trace.${rotation}.log";
  int rotation_ = 0;
  int fd_ = -1;
  bool finished_ = false;
  std::uint64_t in_file_ = 0;
  std::string pending_;
  std::vector<std::string> metadata_;
};

/// The CPU time of this thread, in nanoseconds.
std::uint64_t thread_ns() noexcept;

/// Notes in the log that something runs, if its group of categories is on.
class TraceSpan {
 public:
  TraceSpan(const std::uint8_t* flag, std::string_view group, const char* name) noexcept;
  ~TraceSpan();
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  std::string_view group_;
  const char* name_;  // null if it is not noted
  std::uint64_t start_ns_ = 0;
  std::uint64_t start_thread_ns_ = 0;
};

}  // namespace rondo
