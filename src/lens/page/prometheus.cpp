// The figures in the text format of Prometheus, version 0.0.4.
#include <charconv>
#include <iterator>

#include "rondo/lens/metrics.h"

namespace rondo::lens {

namespace {

std::string seconds(Time time) {
  std::array<char, 32> text{};
  const double value = static_cast<double>(time.count()) / 1e9;
  const auto end = std::to_chars(text.begin(), text.end(), value).ptr;
  return {text.begin(), end};
}

class Text {
 public:
  /// A metric; samples of it follow.
  void begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
    text_.append(name).append(" ").append(type).append("\n");
  }
  void sample(std::string_view suffix, std::string_view labels, const std::string& value) {
    text_.append(name_).append(suffix);
    if (!labels.empty()) text_.append("{").append(labels).append("}");
    text_.append(" ").append(value).append("\n");
  }
  void one(std::string_view name, std::string_view type, std::string_view help,
           const std::string& value) {
    begin(name, type, help);
    sample({}, {}, value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string_view name_;
};

std::string label(std::string_view name, std::string_view value) {
  return std::string(name) + "=\"" + std::string(value) + '"';
}

void add_phases(Text& text, const Figures& figures) {
  const auto each = [&](auto value) {
    for (std::size_t i = 1; i < kPhaseCount; ++i) {
      text.sample({}, label("phase", to_string(static_cast<Phase>(i))), value(figures.phases[i]));
    }
  };
  text.begin("rondo_callbacks_total", "counter",
             "Callbacks run in each phase; ticks and promises that follow them are not counted.");
  each([](const PhaseFigures& phase) { return std::to_string(phase.callbacks); });
  text.begin("rondo_phase_seconds_total", "counter",
             "Time spent in each phase, ticks and promises included, time asleep excluded.");
  each([](const PhaseFigures& phase) { return seconds(phase.time); });
}

void add_depths(Text& text, const QueueDepths& depth) {
  text.begin("rondo_queue_depth", "gauge", "What waits in each queue.");
  const std::pair<std::string_view, std::size_t> queues[] = {{"timers", depth.timers},
                                                             {"pending", depth.pending},
                                                             {"idle", depth.idle},
                                                             {"prepare", depth.prepare},
                                                             {"check", depth.check},
                                                             {"immediates", depth.immediates},
                                                             {"close", depth.close},
                                                             {"posted", depth.posted},
                                                             {"completions", depth.completions},
                                                             {"ticks", depth.ticks},
                                                             {"microtasks", depth.microtasks}};
  for (const auto& [name, value] : queues) {
    text.sample({}, label("queue", name), std::to_string(value));
  }
}

void add_histogram(Text& text, const Histogram& lengths, Time sum) {
  using namespace std::chrono_literals;
  constexpr std::pair<std::string_view, Time> kBounds[] = {
      {"0.00001", 10us}, {"0.0001", 100us}, {"0.0005", 500us}, {"0.001", 1ms},
      {"0.005", 5ms},    {"0.01", 10ms},    {"0.05", 50ms},    {"0.1", 100ms},
      {"0.5", 500ms},    {"1.0", 1s},       {"5.0", 5s}};
  const std::string all = std::to_string(lengths.count());
  for (const auto& [name, bound] : kBounds) {
    text.sample("_bucket", label("le", name), std::to_string(lengths.count_up_to(bound)));
  }
  text.sample("_bucket", label("le", "+Inf"), all);
  text.sample("_sum", {}, seconds(sum));
  text.sample("_count", {}, all);
}

}  // namespace

std::string to_prometheus(const Figures& figures) {
  Text text;
  const auto count = [](std::uint64_t value) { return std::to_string(value); };
  text.one("rondo_uptime_seconds", "gauge", "Since the lens began to watch.",
           seconds(figures.at - figures.started));
  text.one("rondo_iterations_total", "counter", "Iterations of the loop.",
           count(figures.iterations));
  add_phases(text, figures);
  text.begin("rondo_callbacks_by_source_total", "counter",
             "Callbacks run, ticks and microtasks included, by what called them.");
  for (std::size_t i = 0; i < kSourceCount; ++i) {
    text.sample({}, label("source", to_string(static_cast<Source>(i))), count(figures.sources[i]));
  }
  text.one("rondo_waits_total", "counter", "Times the kernel was asked.", count(figures.waits));
  text.one("rondo_events_total", "counter", "Completions the kernel answered with.",
           count(figures.events));
  text.one("rondo_idle_seconds_total", "counter", "Time asleep in poll.", seconds(figures.idle));
  add_depths(text, figures.depth);
  text.begin("rondo_loop_delay_seconds", "histogram",
             "How long each iteration kept the loop from looking at what had become ready.");
  add_histogram(text, figures.delay, figures.delay_sum);
  text.begin("rondo_callback_seconds", "histogram",
             "How long each callback took, without the ticks and promises that follow it.");
  add_histogram(text, figures.durations, figures.durations_sum);
  text.one("rondo_loop_delay_now_seconds", "gauge",
           "How long the loop has been away from the kernel at this moment; 0 while it sleeps.",
           seconds(figures.now.away_for));
  text.one("rondo_blocked_total", "counter",
           "Moments in which the loop was blocked for 50 ms or more.", count(figures.blocked));
  text.one("rondo_blocked_seconds_total", "counter", "Time of these moments.",
           seconds(figures.blocked_time));
  text.one("rondo_handles", "gauge", "Open handles of the program.", count(figures.handles));
  return text.take();
}

}  // namespace rondo::lens
