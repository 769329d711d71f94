// Records of a trace as events of the Trace Event Format, which Perfetto and chrome://tracing read:
// a list of JSON objects, one in a line.
//
// A slice is written when it ends, so the lines are not in the order of time: the viewers sort
// them. No two events have the same time: where that would be so, the later one is put a nanosecond
// on, because what is nested, and which slice an arrow belongs to, is a matter of time alone.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lens/trace/record.h"
#include "lens/trace/subjects.h"

namespace rondo::lens {

class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void write(std::string_view text) = 0;
};

class TraceFormat {
 public:
  struct Options {
    std::uint32_t pid = 1;
    std::uint64_t limit_bytes = UINT64_MAX;
  };

  TraceFormat(TraceSink& sink, const Options& options);

  void take(const Record& record, std::string_view text);
  /// The callback that runs; 0 for none.
  SubjectId running() const noexcept { return callbacks_.empty() ? 0 : callbacks_.back().id; }
  /// There is no room for more.
  bool full() const noexcept { return full_; }
  /// The loop has said that it is over.
  bool finished() const noexcept { return finished_; }

  /// Passes the rest to the sink.
  void flush();
  /// Ends what is open, and the file.
  /// `at`: now, by the clock of the records. What still runs ran until then.
  void finish(std::int64_t at);

 private:
  enum Track : std::uint8_t { kLoop = 1, kCallbacks = 2 };
  enum Counter : std::uint8_t { kTimers, kImmediates, kTicks, kMicrotasks, kRequests, kHandles };
  static constexpr std::size_t kCounterCount = 6;

  struct Words {
    std::string label;
    std::string place;
    std::string error = {};  // of what has failed: its code
  };

  struct Slice {
    std::int64_t began = 0;
    SubjectId id = 0;          // of a callback
    SubjectId cause = 0;       // of a callback
    std::uint64_t number = 0;  // of an iteration; completions of a wait
    std::uint32_t delay = 0;
    std::uint32_t function = 0;  // in functions_; 0: it is not known
    Kind kind = Kind::request;
    std::uint8_t what = 0;                    // of the loop's track: a LoopSlice
    std::unique_ptr<const Words> words = {};  // none, or an empty label: made of the rest
  };
  enum LoopSlice : std::uint8_t { kIteration, kWait, kPhase };  // a phase is kPhase + its number

  void made(const Record& record, std::string_view text);
  void begin(const Record& record, std::string_view text);
  SubjectId cause_with_slice(SubjectId cause);
  void failed(SubjectId id, std::string_view error);
  void end(SubjectId id);
  void gone(SubjectId id);
  void close_loop_slices(std::size_t depth);
  void close_all();

  void write_metadata();
  void write_loop_slice(const Slice& slice, std::int64_t ended);
  void write_callback(const Slice& slice, std::int64_t ended);
  void write_name(const Slice& slice);
  void write_flow(char phase, std::uint64_t flow, std::int64_t at);
  void write_last(std::string_view name, std::string_view words);
  void count(Kind kind, int change) noexcept;
  void write_counters(std::int64_t gap);

  /// Room for the largest event: after that, room is not checked.
  void open_event(char phase, std::uint8_t track, std::int64_t at);
  void close_event() { put("}"); }
  void put(std::string_view text) noexcept {
    std::memcpy(end_of_text_, text.data(), text.size());
    end_of_text_ += text.size();
  }
  void put_number(std::uint64_t number) noexcept;
  void put_time(std::int64_t nanoseconds) noexcept;
  std::uint64_t text_size() const noexcept {
    return static_cast<std::uint64_t>(end_of_text_ - text_.data());
  }
  void put_string(std::string_view text);

  TraceSink& sink_;
  Options options_;
  std::string head_;  // of every event: the process
  std::vector<char> text_;
  char* end_of_text_;
  std::uint64_t written_ = 0;
  bool full_ = false;
  bool finished_ = false;
  std::uint8_t end_ = 0;

  std::int64_t zero_ = -1;  // the time of the first record
  std::int64_t now_ = 0;    // since then
  std::uint64_t last_flow_ = 0;
  TracedSubjects subjects_;
  std::unordered_map<SubjectId, Words> words_;
  std::vector<std::string> functions_{1};  // by their numbers
  std::vector<Slice> loop_;                // open, the innermost last
  std::vector<Slice> callbacks_;           // open, the innermost last

  struct CounterState {
    std::int64_t value = 0;
    std::int64_t written = -1;
    std::int64_t written_at = 0;
  };
  std::array<CounterState, kCounterCount> counters_;
  std::int64_t counters_due_ = INT64_MAX;  // when to look whether one is to be written
};

}  // namespace rondo::lens
