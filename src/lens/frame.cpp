#include "lens/frame.h"

#include "lens/json.h"

namespace rondo::lens {

namespace {

std::int64_t micros(Time time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

void add_delay(Json& json, std::string_view name, const Histogram& delay) {
  json.key(name).begin_object();
  json.member("rounds", delay.count());
  json.member("p50", micros(delay.quantile(0.5)));
  json.member("p99", micros(delay.quantile(0.99)));
  json.member("max", micros(delay.longest()));
  json.end_object();
}

void add_phases(Json& json, const Figures& figures) {
  json.key("phases").begin_object();
  for (std::size_t i = 1; i < kPhaseCount; ++i) {
    json.key(to_string(static_cast<Phase>(i))).begin_object();
    json.member("callbacks", figures.phases[i].callbacks);
    json.member("time", micros(figures.phases[i].time));
    json.end_object();
  }
  json.end_object();
}

void add_depth(Json& json, const QueueDepths& depth) {
  json.key("depth").begin_object();
  json.member("timers", depth.timers).member("pending", depth.pending);
  json.member("idle", depth.idle).member("prepare", depth.prepare);
  json.member("check", depth.check).member("immediates", depth.immediates);
  json.member("close", depth.close).member("posted", depth.posted);
  json.member("completions", depth.completions).member("ticks", depth.ticks);
  json.member("microtasks", depth.microtasks);
  json.end_object();
}

void add_now(Json& json, const Present& now, std::string_view place) {
  json.key("now").begin_object();
  json.member("phase", to_string(now.phase));
  json.member("asleep", now.asleep);
  json.member("finished", now.finished);
  json.member("running", now.running);
  json.member("runningFor", micros(now.running_for));
  json.member("awayFor", micros(now.away_for));
  json.member("isBlocked", now.away_for >= Metrics::kBlocked);
  json.member("place", place);
  json.end_object();
}

void add_sites(Json& json, std::string_view name, const std::vector<SlowSite>& sites) {
  json.key(name).begin_array();
  for (const SlowSite& site : sites) {
    json.begin_object();
    json.member("label", site.label).member("file", site.file).member("function", site.function);
    json.member("line", site.line).member("column", site.column).member("runs", site.runs);
    json.member("total", micros(site.total)).member("longest", micros(site.longest));
    json.end_object();
  }
  json.end_array();
}

void add_lists(Json& json, const Lists& lists) {
  json.key("lists").begin_object();
  add_sites(json, "slowest", lists.slowest);
  add_sites(json, "busiest", lists.busiest);
  json.key("blocked").begin_array();
  for (const Stall& moment : lists.blocked) {
    const auto when =
        std::chrono::duration_cast<std::chrono::milliseconds>(moment.when.time_since_epoch());
    json.begin_object();
    json.member("when", when.count()).member("length", micros(moment.length));
    json.member("phase", to_string(moment.phase));
    json.member("what", moment.what).member("place", moment.place);
    json.end_object();
  }
  json.end_array();
  json.key("handles").begin_array();
  for (const OpenHandle& handle : lists.handles) {
    json.begin_object().member("id", handle.id).member("label", handle.label).end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

std::string to_json(const Figures& figures, const Histogram& recent, const Lists* lists,
                    std::string_view place) {
  Json json;
  json.begin_object();
  json.member("at", micros(figures.at - figures.started));
  json.member("iterations", figures.iterations);
  json.member("waits", figures.waits);
  json.member("events", figures.events);
  json.member("idle", micros(figures.idle));
  json.member("ticks", figures.ticks);
  json.member("microtasks", figures.microtasks);
  json.member("blocked", figures.blocked);
  json.member("blockedTime", micros(figures.blocked_time));
  json.member("handles", figures.handles);
  add_phases(json, figures);
  add_depth(json, figures.depth);
  add_delay(json, "delay", recent);
  add_delay(json, "delaySinceStart", figures.delay);
  add_now(json, figures.now, place);
  if (lists != nullptr) add_lists(json, *lists);
  json.end_object();
  return json.text();
}

}  // namespace rondo::lens
