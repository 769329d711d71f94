#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/lens/explain_export.h"

#include "lens/json_writer.h"

namespace rondo::lens {

namespace {

constexpr int kVersion = 1;
constexpr std::size_t kMostGroups = 100;

/// In words that do not change with the text for people.
std::string_view name_of(End end) noexcept {
  switch (end) {
    case End::nothing_left:
      return "nothing-left";
    case End::stopped:
      return "stopped";
    case End::exit_called:
      return "exit-called";
    case End::uncaught:
      return "uncaught";
  }
  return {};
}

/// What runs outside of all phases is the main program and what follows it.
std::string_view name_of(Phase phase) noexcept {
  return phase == Phase::none ? "main" : to_string(phase);
}

std::string to_iso(std::chrono::system_clock::time_point at) {
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
  const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char date[32];
  char text[48];
  std::strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text, sizeof(text), "%s.%03dZ", date, static_cast<int>(milliseconds % 1000));
  return text;
}

/// To the nanosecond.
std::string to_microseconds(Time duration) {
  const long long ns = duration.count();
  char text[32];
  std::snprintf(text, sizeof(text), "%s%lld.%03lld", ns < 0 ? "-" : "", std::llabs(ns) / 1000,
                std::llabs(ns) % 1000);
  return text;
}

std::string to_base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<std::uint8_t>(bytes[i]) : std::uint8_t{0};
  };
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group =
        std::uint32_t{byte(i)} << 16 | std::uint32_t{byte(i + 1)} << 8 | std::uint32_t{byte(i + 2)};
    for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[group >> shift & 63];
  }
  if (bytes.size() % 3 != 0) {
    const std::size_t missing = 3 - bytes.size() % 3;
    text.replace(text.size() - missing, missing, missing, '=');
  }
  return text;
}

class Document {
 public:
  Document(const Explanation& story, const Explained& what) : story_(story), what_(what) {}

  std::string write() {
    json_.open('{');
    json_.field("format", "rondo-explain");
    json_.field("version", kVersion);
    json_.field("program", what_.program);
    json_.field("backend", what_.backend);
    json_.field("started", to_iso(what_.started));
    json_.field("end", story_.is_finished() ? name_of(story_.end()) : "running");
    json_.field("endText", !story_.is_finished()     ? "it still runs"
                           : what_.why_ended.empty() ? to_string(story_.end())
                                                     : what_.why_ended);
    json_.key("exitCode");
    what_.exit_code ? json_.value(*what_.exit_code) : json_.null();
    write_filter();
    write_summary();
    write_list("iterations", [this] { write_iterations(); });
    write_list("runs", [this] {
      for (const Run& run : story_.runs()) write_run(run);
    });
    write_list("output", [this] {
      for (const Output& output : story_.outputs()) write_output(output);
    });
    write_list("sleeps", [this] {
      for (const Sleep& sleep : story_.sleeps()) write_sleep(sleep);
    });
    write_list("timeline", [this] {
      for (const Moment& moment : story_.timeline()) write_moment(moment);
    });
    write_list("notes", [this] { write_notes(); });
    write_list("aggregates", [this] {
      for (const Group& group : story_.groups(kMostGroups)) write_group(group);
    });
    write_list("leftUnfinished", [this] {
      for (const Left& left : story_.left()) write_left(left);
    });
    json_.close('}');
    return json_.take() + '\n';
  }

 private:
  /// A list with a line for each element.
  template <typename Write>
  void write_list(std::string_view name, Write write) {
    json_.line();
    json_.key(name);
    json_.open('[');
    write();
    json_.close(']');
  }

  void begin_element() {
    json_.line();
    json_.open('{');
  }

  void write_duration(std::string_view name, Time duration) {
    json_.key(name);
    json_.number(to_microseconds(duration));
  }
  void write_time(std::string_view name, Time at) { write_duration(name, at - story_.began()); }

  void write_reference(std::string_view name, std::uint64_t number) {
    json_.key(name);
    number != 0 ? json_.value(number) : json_.null();
  }

  void write_site(const SourceLocation& site) { write_location("site", site); }

  void write_location(std::string_view name, const SourceLocation& site) {
    json_.key(name);
    if (!site.known()) return json_.null();
    json_.open('{');
    json_.field("file", site.file);
    json_.field("line", site.line);
    json_.field("column", site.column);
    json_.field("function", site.function);
    json_.close('}');
  }

  void write_filter() {
    const ExplanationOptions& options = story_.options();
    json_.key("kept");
    json_.open('{');
    json_.field("limit", options.limit);
    json_.key("phases");
    json_.open('[');
    for (const Phase phase : options.phases) json_.value(name_of(phase));
    json_.close(']');
    json_.field("file", options.file);
    json_.field("outputBytesLeftOut", story_.output_left_out());
    json_.close('}');
  }

  void write_summary() {
    json_.line();
    json_.key("summary");
    json_.open('{');
    json_.field("iterations", story_.iterations());
    json_.field("callbacks", story_.run_count());
    json_.field("listed", story_.runs().size());
    write_duration("total", story_.finished() - story_.began());
    write_duration("idle", story_.idle());
    json_.key("phases");
    json_.open('{');
    for (std::size_t i = 0; i < kPhaseCount; ++i) {
      const auto phase = static_cast<Phase>(i);
      json_.key(name_of(phase));
      json_.open('{');
      json_.field("callbacks", story_.count_in(phase));
      write_duration("time", story_.time_in(phase));
      json_.close('}');
    }
    json_.close('}');
    json_.key("kinds");
    json_.open('{');
    for (std::size_t i = 0; i < kKindCount; ++i) {
      const auto kind = static_cast<Kind>(i);
      if (story_.count_of(kind) > 0) json_.field(to_string(kind), story_.count_of(kind));
    }
    json_.close('}');
    write_list("longest", [this] {
      for (const Run& run : story_.longest()) write_run(run);
    });
    json_.close('}');
  }

  void write_run(const Run& run) {
    begin_element();
    json_.field("id", run.number);
    json_.field("iteration", run.iteration);
    json_.field("phase", name_of(run.phase));
    json_.field("kind", to_string(run.kind));
    json_.field("label", run.label);
    if (!run.event.empty()) json_.field("event", run.event);
    if (!run.type.empty()) json_.field("type", run.type);
    if (run.kind == Kind::timeout || run.kind == Kind::interval) {
      json_.field("delay", run.delay.count());
    }
    write_site(run.site);
    if (run.callback.known()) write_location("callback", run.callback);
    if (!run.error.empty()) json_.field("error", run.error);
    write_reference("cause", run.cause);
    write_reference("after", run.after);
    write_reference("inside", run.inside);
    json_.field("depth", run.depth);
    if (run.made.count() != 0) {
      write_time("made", run.made);
      write_duration("waited", run.waited());
    }
    write_time("begin", run.begin);
    // What was still running ran until everything ended.
    const Time end = run.ended() ? run.end : story_.finished();
    write_time("end", end);
    write_duration("ran", end - run.begin);
    if (!run.ended()) json_.field("unfinished", true);
    if (run.step) json_.field("step", true);
    if (!run.why.empty()) json_.field("why", run.why);
    if (!run.note.empty()) json_.field("note", run.note);
    json_.close('}');
  }

  void write_output(const Output& output) {
    begin_element();
    write_time("at", output.at);
    write_reference("run", output.run);
    json_.field("stream", output.descriptor == 2 ? "stderr" : "stdout");
    json_.key("text");
    if (!json_.value(std::string_view(output.text))) json_.field("base64", to_base64(output.text));
    json_.close('}');
  }

  void write_sleep(const Sleep& sleep) {
    begin_element();
    json_.field("iteration", sleep.iteration);
    write_time("begin", sleep.begin);
    write_time("end", sleep.end);
    write_duration("asleep", sleep.asleep);
    json_.close('}');
  }

  void write_moment(const Moment& moment) {
    begin_element();
    switch (moment.what) {
      case Moment::What::run:
        json_.field("run", story_.runs()[moment.index].number);
        break;
      case Moment::What::output:
        json_.field("output", moment.index);
        break;
      case Moment::What::sleep:
        json_.field("sleep", moment.index);
        break;
      case Moment::What::unlisted:
        json_.field("unlisted", moment.index);
        break;
    }
    json_.close('}');
  }

  void write_notes() {
    for (const Run& run : story_.runs()) {
      if (run.note.empty()) continue;
      begin_element();
      json_.field("run", run.number);
      json_.field("text", run.note);
      json_.close('}');
    }
  }

  void write_group(const Group& group) {
    begin_element();
    json_.field("label", group.label);
    json_.field("kind", to_string(group.kind));
    write_site(group.site);
    json_.field("count", group.count);
    write_duration("total", group.total);
    write_duration("longest", group.longest);
    write_reference("longestRun", group.longest_run);
    json_.close('}');
  }

  void write_left(const Left& left) {
    begin_element();
    json_.field("kind", left.kind);
    json_.field("what", left.what);
    json_.field("count", left.count);
    write_site(left.site);
    if (!left.source.empty()) json_.field("source", left.source);
    json_.close('}');
  }

  // ---- Iterations, as far as they show in what is listed ---------------------------------------

  struct Span {
    Phase phase = Phase::none;
    Time begin{};
    Time end{};
    std::size_t runs = 0;
  };

  void write_iterations() {
    std::uint64_t iteration = 0;
    std::vector<Span> spans;  // a phase each, in order
    Time asleep{};
    const auto flush = [&] {
      if (!spans.empty()) write_iteration(iteration, spans, asleep);
      spans.clear();
      asleep = {};
    };
    const auto add = [&](std::uint64_t number, Phase phase, Time begin, Time end, bool is_run) {
      if (number != iteration) flush();
      iteration = number;
      if (spans.empty() || spans.back().phase != phase) spans.push_back({phase, begin, end});
      spans.back().end = std::max(spans.back().end, end);
      if (is_run) ++spans.back().runs;
    };
    for (const Moment& moment : story_.timeline()) {
      if (moment.what == Moment::What::run) {
        const Run& run = story_.runs()[moment.index];
        add(run.iteration, run.phase, run.begin, run.ended() ? run.end : story_.finished(), true);
      } else if (moment.what == Moment::What::sleep) {
        const Sleep& sleep = story_.sleeps()[moment.index];
        add(sleep.iteration, Phase::poll, sleep.begin, sleep.end, false);
        asleep += sleep.asleep;
      }
    }
    flush();
  }

  void write_iteration(std::uint64_t number, const std::vector<Span>& spans, Time asleep) {
    begin_element();
    json_.field("number", number);
    write_time("begin", spans.front().begin);
    write_time("end", spans.back().end);
    write_duration("asleep", asleep);
    json_.key("phases");
    json_.open('[');
    for (const Span& span : spans) {
      json_.open('{');
      json_.field("phase", name_of(span.phase));
      write_time("begin", span.begin);
      write_time("end", span.end);
      json_.field("runs", span.runs);
      json_.close('}');
    }
    json_.close(']');
    json_.close('}');
  }

  const Explanation& story_;
  const Explained& what_;
  JsonWriter json_;
};

}  // namespace

std::string to_json(const Explanation& story, const Explained& what) {
  return Document(story, what).write();
}

}  // namespace rondo::lens
