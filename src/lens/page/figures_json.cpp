#include "lens/page/figures_json.h"

#include "lens/json_writer.h"

namespace rondo::lens {

namespace {

std::int64_t micros(Time time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

/// `of` is the key of their number: "iterations", "callbacks".
void add_lengths(JsonWriter& json, std::string_view name, std::string_view of,
                 const Histogram& lengths) {
  json.key(name);
  json.open('{');
  json.field(of, lengths.count());
  json.field("p50", micros(lengths.quantile(0.5)));
  json.field("p99", micros(lengths.quantile(0.99)));
  json.field("max", micros(lengths.longest()));
  json.close('}');
}

void add_phases(JsonWriter& json, const Figures& figures) {
  json.key("phases");
  json.open('{');
  for (std::size_t i = 1; i < kPhaseCount; ++i) {
    json.key(to_string(static_cast<Phase>(i)));
    json.open('{');
    json.field("callbacks", figures.phases[i].callbacks);
    json.field("time", micros(figures.phases[i].time));
    json.close('}');
  }
  json.close('}');
}

void add_sources(JsonWriter& json, const Figures& figures) {
  json.key("sources");
  json.open('{');
  for (std::size_t i = 0; i < kSourceCount; ++i) {
    json.field(to_string(static_cast<Source>(i)), figures.sources[i]);
  }
  json.close('}');
}

void add_depth(JsonWriter& json, const QueueDepths& depth) {
  json.key("depth");
  json.open('{');
  json.field("timers", depth.timers);
  json.field("pending", depth.pending);
  json.field("idle", depth.idle);
  json.field("prepare", depth.prepare);
  json.field("check", depth.check);
  json.field("immediates", depth.immediates);
  json.field("close", depth.close);
  json.field("posted", depth.posted);
  json.field("completions", depth.completions);
  json.field("ticks", depth.ticks);
  json.field("microtasks", depth.microtasks);
  json.close('}');
}

void add_now(JsonWriter& json, const Present& now, std::string_view place) {
  json.key("now");
  json.open('{');
  json.field("phase", to_string(now.phase));
  json.field("asleep", now.asleep);
  json.field("finished", now.finished);
  json.field("running", now.running);
  json.field("runningFor", micros(now.running_for));
  json.field("awayFor", micros(now.away_for));
  json.field("isBlocked", now.away_for >= Metrics::kBlocked);
  json.field("place", place);
  json.close('}');
}

void add_sites(JsonWriter& json, std::string_view name, const std::vector<SlowSite>& sites) {
  json.key(name);
  json.open('[');
  for (const SlowSite& site : sites) {
    json.open('{');
    json.field("label", site.label);
    json.field("file", site.file);
    json.field("function", site.function);
    json.field("line", site.line);
    json.field("column", site.column);
    json.field("runs", site.runs);
    json.field("total", micros(site.total));
    json.field("longest", micros(site.longest));
    json.close('}');
  }
  json.close(']');
}

void add_lists(JsonWriter& json, const Lists& lists) {
  json.key("lists");
  json.open('{');
  add_sites(json, "slowest", lists.slowest);
  add_sites(json, "busiest", lists.busiest);
  json.key("blocked");
  json.open('[');
  for (const Stall& moment : lists.blocked) {
    const auto when =
        std::chrono::duration_cast<std::chrono::milliseconds>(moment.when.time_since_epoch());
    json.open('{');
    json.field("when", when.count());
    json.field("length", micros(moment.length));
    json.field("phase", to_string(moment.phase));
    json.field("what", moment.what);
    json.field("place", moment.place);
    json.close('}');
  }
  json.close(']');
  json.key("handles");
  json.open('[');
  for (const OpenHandle& handle : lists.handles) {
    json.open('{');
    json.field("id", handle.id);
    json.field("label", handle.label);
    json.close('}');
  }
  json.close(']');
  json.close('}');
}

}  // namespace

std::string to_json(const Figures& figures, const Lengths& recent, const Lists* lists,
                    std::string_view place, std::string_view program) {
  JsonWriter json;
  json.open('{');
  json.field("program", program);
  json.field("at", micros(figures.at - figures.started));
  json.field("iterations", figures.iterations);
  json.field("waits", figures.waits);
  json.field("events", figures.events);
  json.field("idle", micros(figures.idle));
  json.field("blocked", figures.blocked);
  json.field("blockedTime", micros(figures.blocked_time));
  json.field("handles", figures.handles);
  add_phases(json, figures);
  add_sources(json, figures);
  add_depth(json, figures.depth);
  add_lengths(json, "delay", "iterations", recent.delay);
  add_lengths(json, "delaySinceStart", "iterations", figures.delay);
  add_lengths(json, "durations", "callbacks", recent.durations);
  add_lengths(json, "durationsSinceStart", "callbacks", figures.durations);
  add_now(json, figures.now, place);
  if (lists != nullptr) add_lists(json, *lists);
  json.close('}');
  return json.take();
}

}  // namespace rondo::lens
