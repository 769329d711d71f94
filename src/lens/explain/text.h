// The explanation of a run as text, during the run or afterwards.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/lens/explain.h"

namespace rondo::lens {

class TextPrinter {
 public:
  using Sink = std::function<void(std::string_view)>;

  TextPrinter(TextStyle style, Sink sink) : style_(std::move(style)), sink_(std::move(sink)) {}

  static constexpr RunNumber kAll = static_cast<RunNumber>(-1);

  /// What has happened since the last call, as far as it is over, and no run after `last`. With
  /// `outputs`, those of the story as well; otherwise they come by print_output().
  void print_runs(const Explanation& story, RunNumber last = kAll, bool outputs = false);
  /// The same, and what still runs: its line says so. A line says how long when that is known.
  void print_open(const Explanation& story);
  void print_output(int descriptor, std::string_view text);
  void print_summary(const Explanation& story);
  /// What was left unfinished, if anything.
  void print_left(const Explanation& story);
  /// How the run ended, instead of the explanation's own text.
  void set_end(std::string text) { end_ = std::move(text); }

 private:
  void print_run(const Run& run);
  void print_closed(const Explanation& story);
  bool is_under_cause(const Run& run, std::size_t indent);
  void print_folded();
  void print_line(const Run& run, const std::string& number, const std::string& text_label);
  void print_heading(std::uint64_t iteration, Phase phase);
  void print_quiet(std::uint64_t first, std::uint64_t last);
  void print_sleep(const Sleep& sleep);
  void print_unlisted(const Explanation& story);
  void line(std::string_view text);
  void paragraph(std::size_t margin, std::string_view colour, std::string_view text);
  std::string place(const SourceLocation& site, std::size_t width) const;
  std::string coloured(std::string_view colour, std::string_view text) const;

  TextStyle style_;
  Sink sink_;
  std::string end_;
  std::size_t next_ = 0;  // in the timeline
  bool limit_reported_ = false;
  std::uint64_t iteration_ = 0;  // of the last heading
  Phase phase_ = Phase::none;
  std::optional<std::uint64_t> outside_at_;  // the last heading is: outside of the loop
  bool has_filter_ = false;
  /// The lines that a line with some indent is under, the outermost first.
  struct Above {
    RunNumber number;
    std::size_t indent;
  };
  std::vector<Above> above_;
  std::vector<RunNumber> open_;    // whose lines were printed while they ran, the innermost last
  std::vector<Run> folded_;        // promises inside of something, one after the other
  std::array<bool, 3> is_open_{};  // of each descriptor: the last line had no end
};

}  // namespace rondo::lens
