#include "lens/explain/text.h"

#include <algorithm>

#include "lens/explain/subjects.h"
#include "lens/explain/time_words.h"

namespace rondo::lens {

namespace {

constexpr std::string_view kDim = "2";
constexpr std::string_view kBold = "1";
constexpr std::string_view kYellow = "33";
constexpr std::string_view kRed = "31";
constexpr std::size_t kMostIndent = 8;       // levels
constexpr std::uint64_t kFewCallbacks = 50;  // that can be read one by one: no table of them
constexpr std::size_t kTimeWidth = 9;
constexpr std::size_t kNumberWidth = 6;
constexpr std::size_t kFewestColumns = 24;    // less is unreadable
constexpr std::size_t kColumnsForTimes = 44;  // beside what they are of

std::string_view colour_of(Phase phase) {
  switch (phase) {
    case Phase::timers:
      return "33";
    case Phase::pending:
      return "35";
    case Phase::idle:
    case Phase::prepare:
      return "37";
    case Phase::poll:
      return "34";
    case Phase::check:
      return "32";
    case Phase::close:
      return "36";
    case Phase::none:
      return "1";
  }
  return {};
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

/// Columns, as far as every character takes one.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !continues_character(c); }));
}

std::string_view first_columns(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && (continues_character(text[at]) || count-- > 0)) ++at;
  return text.substr(0, at);
}

std::string_view last_columns(std::string_view text, std::size_t count) {
  std::size_t at = text.size();
  while (at > 0 && count > 0) {
    if (!continues_character(text[--at])) --count;
  }
  return text.substr(at);
}

/// Cut in the middle: what begins alike often differs at the end.
std::string fitted(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  if (width == 0) return {};
  const std::size_t head = (width - 1) / 2;
  return std::string(first_columns(text, head)) + "…" +
         std::string(last_columns(text, width - 1 - head));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t has = width_of(text);
  if (has < width) text.append(width - has, ' ');
  return text;
}

std::string right(std::string_view text, std::size_t width) {
  const std::size_t has = width_of(text);
  return std::string(has < width ? width - has : 0, ' ') + std::string(text);
}

/// A label may hold anything that is in the name of a file.
std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return result;
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string counted(std::uint64_t number, std::string_view what) {
  return grouped(number) + ' ' + std::string(what) + (number == 1 ? "" : "s");
}

std::string percent(Time part, Time whole) {
  if (whole.count() <= 0) return "0 %";
  return std::to_string(part.count() * 100 / whole.count()) + " %";
}

}  // namespace

void TextPrinter::line(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  sink_(std::string(text) + '\n');
}

std::string TextPrinter::coloured(std::string_view colour, std::string_view text) const {
  if (!style_.colours || colour.empty() || text.empty()) return std::string(text);
  return "\033[" + std::string(colour) + 'm' + std::string(text) + "\033[0m";
}

std::string TextPrinter::place(const SourceLocation& site, std::size_t width) const {
  if (!site.known()) return {};
  std::string_view file = site.file;
  if (!style_.folder.empty() && file.starts_with(style_.folder) &&
      file.substr(style_.folder.size()).starts_with('/')) {
    file.remove_prefix(style_.folder.size() + 1);
  }
  const std::string position = ':' + std::to_string(site.line);
  const std::size_t room = width > position.size() ? width - position.size() : 0;
  return fitted(printable(file), std::max<std::size_t>(room, 4)) + position;
}

/// Iterations without callbacks have no headings of their own.
void TextPrinter::print_quiet(std::uint64_t first, std::uint64_t last) {
  if (first > last || limit_reported_) return;
  const std::string which = first == last ? "iteration " + grouped(first)
                                          : "iterations " + grouped(first) + "-" + grouped(last);
  const std::string what = has_filter_ ? ": nothing to list" : ": nothing was due";
  line(coloured(kDim, fitted(which + what, style_.columns)));
}

void TextPrinter::print_heading(std::uint64_t iteration, Phase phase) {
  if (phase == Phase::none) {
    if (outside_at_ == iteration) return;
    print_quiet(iteration_ + 1, iteration);
    iteration_ = iteration;
    line(coloured(kBold, iteration == 0 ? "before the loop" : "outside the loop"));
    outside_at_ = iteration;
    return;
  }
  if (iteration != iteration_ || outside_at_.has_value()) {
    print_quiet(iteration_ + 1, iteration - 1);
    // The loop was left when its timers had been looked at, for 'beforeExit' or by its host.
    const bool goes_on = iteration == iteration_;
    line(coloured(kBold, "iteration " + grouped(iteration) + (goes_on ? " goes on" : "")));
    iteration_ = iteration;
    phase_ = Phase::none;
    outside_at_.reset();
  }
  if (phase != phase_) line("  " + coloured(colour_of(phase), to_string(phase)));
  phase_ = phase;
}

/// Promises of a library are many, and mean little one by one.
void TextPrinter::print_folded() {
  if (folded_.empty()) return;
  Run run = folded_.front();
  std::string number = '#' + std::to_string(run.number);
  if (folded_.size() > 1) {
    number += "-" + std::to_string(folded_.back().number);
    Time ran{};
    for (const Run& other : folded_) ran += other.ran();
    run.end = run.begin + ran;
    run.label = std::to_string(folded_.size()) + " promises inside";
  } else {
    run.label += " inside";
  }
  folded_.clear();
  print_line(run, number, run.label);
}

void TextPrinter::print_run(const Run& run) {
  const bool is_inner_promise = run.step && run.kind == Kind::promise;
  if (!folded_.empty()) {
    const Run& last = folded_.back();
    const bool goes_on = is_inner_promise && last.number + 1 == run.number &&
                         last.iteration == run.iteration && last.phase == run.phase &&
                         last.site == run.site;
    if (!goes_on) print_folded();
  }
  if (is_inner_promise)
    folded_.push_back(run);
  else
    print_line(run, '#' + std::to_string(run.number), run.label);
}

void TextPrinter::print_line(const Run& run, const std::string& number_text,
                             const std::string& text_label) {
  print_heading(run.iteration, run.phase);
  const std::size_t columns = std::max(style_.columns, kFewestColumns);
  const bool has_why_column = columns >= 96;
  const bool has_place_column = columns >= 60;
  std::size_t times = 2 * (kTimeWidth + 1);
  std::size_t rest = columns - kNumberWidth - times;
  const bool has_times = columns >= kColumnsForTimes;
  if (!has_times) rest += times;  // no room for them here: they go below
  const std::size_t why_width = has_why_column ? std::min<std::size_t>(rest * 2 / 5, 36) : 0;
  rest -= why_width;
  const std::size_t place_width = has_place_column ? std::min<std::size_t>(rest * 2 / 5, 32) : 0;
  std::size_t label_width = rest - place_width - (has_place_column ? 1 : 0);

  const std::size_t most_indent = std::min(kMostIndent, label_width / 6);
  std::size_t indent = 2 * std::min(static_cast<std::size_t>(std::max(run.depth, 0)), most_indent);
  // A long number takes the room of the indent.
  const std::size_t excess =
      width_of(number_text) < kNumberWidth ? 0 : width_of(number_text) + 1 - kNumberWidth;
  label_width = label_width > excess ? label_width - excess : 1;
  indent = indent > excess ? indent - excess : 0;
  const bool is_cut = 2 * static_cast<std::size_t>(std::max(run.depth, 0)) != indent;
  const bool is_under = is_under_cause(run, indent) && !is_cut;
  std::string arrow;
  if (run.cause != 0 && !is_under) arrow = " ← #" + std::to_string(run.cause);
  const std::string said = printable(text_label);
  std::string behind = run.error.empty() ? std::string() : ": " + run.error;
  const std::size_t room_for_label = label_width - indent;
  // A tick has the name in its label.
  if (const std::string& name = run.callback.function; !name.empty() && !said.ends_with(name)) {
    const std::string call = ", " + printable(name) + "()";
    const std::size_t width = width_of(said) + width_of(behind) + width_of(call) + width_of(arrow);
    if (width <= room_for_label) behind += call;
  }
  behind += arrow;
  if (width_of(behind) + 4 > room_for_label) behind.clear();
  const std::string label =
      std::string(indent, ' ') + fitted(said, room_for_label - width_of(behind)) + behind;
  const std::string where = place(run.site, has_place_column ? place_width : columns - 10);
  const std::string waited = run.made.count() == 0 ? "-" : to_words(run.waited());
  const std::string ran = run.ended() ? to_words(run.ran()) : "…";

  const std::string number = padded(number_text, kNumberWidth - 1) + ' ';
  std::string text = coloured(kDim, number);
  text += coloured(run.step                      ? kDim
                   : follows_operation(run.kind) ? ""
                                                 : colour_of(run.phase),
                   padded(label, label_width));
  if (has_place_column) text += ' ' + coloured(kDim, padded(where, place_width));
  if (has_times) text += ' ' + right(waited, kTimeWidth) + ' ' + right(ran, kTimeWidth);
  std::string below;
  if (has_why_column) {
    if (!run.why.empty()) text += "  " + coloured(kDim, fitted(run.why, why_width - 2));
  } else {
    below = run.why;
  }
  line(text);
  const std::string margin(kNumberWidth + indent + 2, ' ');
  const std::size_t room = columns > margin.size() ? columns - margin.size() : 1;
  if (!has_place_column && !where.empty()) line(margin + coloured(kDim, fitted(where, room)));
  if (!has_times) line(margin + fitted("waited " + waited + ", ran " + ran, room));
  if (!below.empty()) line(margin + coloured(kDim, fitted(below, room)));
  paragraph(margin.size(), kYellow, run.note);
}

/// Whether the indent says what caused it: the next line above with less indent.
bool TextPrinter::is_under_cause(const Run& run, std::size_t indent) {
  while (!above_.empty() && above_.back().indent >= indent) above_.pop_back();
  const bool is_under = !above_.empty() && above_.back().number == run.cause;
  above_.push_back({run.number, indent});
  return is_under;
}

/// What is never cut, but broken where it does not fit.
void TextPrinter::paragraph(std::size_t margin, std::string_view colour, std::string_view text) {
  constexpr std::size_t kNarrowest = 12;
  const std::size_t width =
      style_.columns > margin + kNarrowest ? style_.columns - margin : kNarrowest;
  while (!text.empty()) {
    std::string_view piece = first_columns(text, width);
    if (piece.size() < text.size() && text[piece.size()] != ' ') {
      const std::size_t space = piece.rfind(' ');
      if (space != std::string_view::npos && space > 0) piece = piece.substr(0, space);
    }
    line(std::string(margin, ' ') + coloured(colour, piece));
    text.remove_prefix(piece.size());
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
}

void TextPrinter::print_sleep(const Sleep& sleep) {
  print_folded();
  print_heading(sleep.iteration, Phase::poll);
  line(std::string(kNumberWidth, ' ') + coloured(kDim, "asleep for " + to_words(sleep.asleep)));
}

void TextPrinter::print_unlisted(const Explanation& story) {
  if (story.runs().size() < story.options().limit || limit_reported_) return;
  print_folded();
  limit_reported_ = true;
  paragraph(0, kYellow,
            "... from here on callbacks are counted, not listed (--limit=" +
                std::to_string(story.options().limit) + ")");
}

void TextPrinter::print_open(const Explanation& story) {
  for (;;) {
    print_runs(story);
    if (next_ == story.timeline().size()) return;
    const Moment moment = story.timeline()[next_];
    if (moment.what != Moment::What::run) return;
    const Run& run = story.runs()[moment.index];
    if (!run.ended()) open_.push_back(run.number);
    print_folded();
    print_line(run, '#' + std::to_string(run.number), run.label);
    ++next_;
  }
}

void TextPrinter::print_closed(const Explanation& story) {
  while (!open_.empty()) {
    const Run* run = story.find(open_.back());
    if (run != nullptr && !run->ended()) return;
    open_.pop_back();
    if (run == nullptr) continue;
    print_folded();
    paragraph(kNumberWidth, kDim,
              '#' + std::to_string(run->number) + " ran " + to_words(run->ran()));
    paragraph(kNumberWidth + 2, kYellow, run->note);
  }
}

void TextPrinter::print_runs(const Explanation& story, RunNumber last, bool outputs) {
  if (last == kAll) print_closed(story);
  const auto& timeline = story.timeline();
  has_filter_ = !story.options().phases.empty() || !story.options().file.empty();
  for (; next_ < timeline.size(); ++next_) {
    const Moment moment = timeline[next_];
    switch (moment.what) {
      case Moment::What::run: {
        const Run& run = story.runs()[moment.index];
        if (!run.ended() || run.number > last) return;
        if (run.inside != 0 && std::ranges::find(open_, run.inside) == open_.end()) {
          const Run* outer = story.find(run.inside);
          if (outer != nullptr && !outer->ended()) return;
        }
        print_run(run);
        break;
      }
      case Moment::What::sleep:
        // It may continue: the next output ends it.
        if (next_ + 1 == timeline.size() && !story.is_finished()) return;
        print_sleep(story.sleeps()[moment.index]);
        break;
      case Moment::What::output:
        if (outputs) {
          const Output& output = story.outputs()[moment.index];
          print_output(output.descriptor, output.text);
        }
        break;
      case Moment::What::unlisted:
        print_unlisted(story);
        break;
    }
  }
}

// One gutter for each descriptor; a line that had no end when something else came continues after
// another.
void TextPrinter::print_output(int descriptor, std::string_view text) {
  print_folded();
  const bool is_error = descriptor == 2;
  bool& is_open = is_open_[is_error ? 2 : 1];
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view piece = text.substr(0, end);
    const std::string_view gutter = is_error ? (is_open ? "┆…" : "┆ ") : (is_open ? "│…" : "│ ");
    sink_(coloured(is_error ? kRed : kBold, gutter) + std::string(piece) + '\n');
    is_open = end == std::string_view::npos;
    text.remove_prefix(is_open ? text.size() : end + 1);
  }
}

void TextPrinter::print_summary(const Explanation& story) {
  print_folded();
  print_quiet(iteration_ + 1, story.iterations());
  const Time whole = story.finished() - story.began();
  const std::string end = end_.empty() ? std::string(to_string(story.end())) : end_;
  line("");
  line(coloured(kBold, "summary"));
  paragraph(2, {},
            counted(story.run_count(), "callback") + " in " +
                counted(story.iterations(), "iteration") + " and " + to_words(whole));
  paragraph(2, {}, "the loop ended: " + end);
  paragraph(2, {}, "asleep " + to_words(story.idle()) + " (" + percent(story.idle(), whole) + ")");
  // Where there is no room for both, what and where stand below how much.
  const std::size_t columns = std::max(style_.columns, kFewestColumns);
  const bool has_times = columns >= kColumnsForTimes;
  const std::string margin(6, ' ');
  const auto what_and_where = [&](std::string_view label, const SourceLocation& site,
                                  std::size_t width) {
    const std::string where = place(site, width / 2);
    return fitted(printable(label), width - width_of(where)) + (where.empty() ? "" : "  ") +
           coloured(kDim, where);
  };
  static constexpr Phase kPhases[] = {Phase::none,    Phase::timers, Phase::pending, Phase::idle,
                                      Phase::prepare, Phase::poll,   Phase::check,   Phase::close};
  for (const Phase phase : kPhases) {
    const std::uint64_t count = story.count_in(phase);
    if (count == 0) continue;
    const std::string name = phase == Phase::none ? "main" : std::string(to_string(phase));
    const std::string time = "  " + coloured(colour_of(phase), padded(name, 9)) +
                             right(to_words(story.time_in(phase)), kTimeWidth);
    if (has_times) {
      line(time + "  " + counted(count, "callback"));
    } else {
      line(time);
      line(margin + counted(count, "callback"));
    }
  }
  const auto& longest = story.longest();
  if (!longest.empty()) {
    line("  longest");
    for (std::size_t i = 0; i < std::min<std::size_t>(longest.size(), 3); ++i) {
      const Run& run = longest[i];
      const std::string time =
          "  " + right(to_words(run.ran()), kTimeWidth) + "  #" + std::to_string(run.number);
      if (has_times) {
        line(time + ' ' + what_and_where(run.label, run.site, columns - 24));
      } else {
        line(time);
        line(margin + what_and_where(run.label, run.site, columns - 8));
      }
    }
  }
  if (story.run_count() <= kFewCallbacks && story.runs().size() == story.run_count()) return;
  line("  by what and where");
  for (const Group& group : story.groups(20)) {
    const std::string counts = "  " + right(grouped(group.count) + " ×", 12) +
                               right(to_words(group.total), kTimeWidth + 1);
    if (columns >= 80) {
      line(counts + ", longest " + right(to_words(group.longest), kTimeWidth) + "  " +
           what_and_where(group.label, group.site, columns - 47));
    } else {
      line(counts);
      line(margin + what_and_where(group.label, group.site, columns - 8));
    }
  }
}

void TextPrinter::print_left(const Explanation& story) {
  constexpr std::size_t kMostLeft = 20;
  const std::vector<Left>& all = story.left();
  if (all.empty()) return;
  line(coloured(kBold, "left unfinished"));
  const std::size_t columns = std::max(style_.columns, kFewestColumns);
  for (std::size_t i = 0; i < std::min(all.size(), kMostLeft); ++i) {
    const Left& left = all[i];
    const std::string where = place(left.site, columns / 2);
    std::string what = printable(left.what);
    if (left.count > 1) what += " (" + grouped(left.count) + " times)";
    const std::size_t rest = width_of(where) + 4;
    line("  " + fitted(what, columns > rest ? columns - rest : 0) + (where.empty() ? "" : "  ") +
         coloured(kDim, where));
    if (!left.source.empty()) line("      " + fitted(printable(left.source), columns - 6));
  }
  if (all.size() > kMostLeft) line("  and " + counted(all.size() - kMostLeft, "more place"));
}

std::string to_text(const Explanation& story, const TextStyle& style) {
  std::string text;
  TextPrinter printer(style, [&](std::string_view piece) { text += piece; });
  printer.print_runs(story, TextPrinter::kAll, true);
  printer.print_summary(story);
  printer.print_left(story);
  return text;
}

}  // namespace rondo::lens
