#include "works.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace rondo::bench {

namespace {

namespace fs = std::filesystem;
using Goals = std::array<std::optional<double>, kPeers.size()>;

constexpr int kModules = 1000;

Goals best(double goal) {
  return {goal, goal, goal};
}
Goals node(double goal) {
  return {goal, std::nullopt, std::nullopt};
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (file.fail()) throw std::runtime_error("cannot write " + path.string());
}

std::string number(int value) {
  return std::to_string(value);
}

/// Modules of a few lines, as they are in packages: a dependency on one of the builtins would be
/// the same module each time, so there is none.
void write_common_modules(const fs::path& folder) {
  fs::create_directories(folder);
  write_file(folder / "package.json", "{ \"type\": \"commonjs\" }\n");
  for (int i = 0; i < kModules; ++i) {
    write_file(folder / ("module_" + number(i) + ".js"),
               "'use strict';\n\nconst value = " + number(i) +
                   ";\n\nfunction plus(other) {\n  return value + other;\n}\n\n"
                   "exports.value = value;\nexports.plus = plus;\n");
  }
}

void write_es_modules(const fs::path& folder) {
  fs::create_directories(folder);
  std::string all;
  std::string sum = "export const sum = 0";
  for (int i = 0; i < kModules; ++i) {
    write_file(folder / ("module_" + number(i) + ".mjs"),
               "export const value = " + number(i) +
                   ";\n\nexport function plus(other) {\n  return value + other;\n}\n");
    all += "import { value as v" + number(i) + " } from './module_" + number(i) + ".mjs';\n";
    sum += " + v" + number(i);
  }
  write_file(folder / "all.mjs", all + sum + ";\n");
}

}  // namespace

const char* unit_of(Figure figure) {
  switch (figure) {
    case Figure::process_ms:
      return "ms";
    case Figure::process_mib:
      return "MiB";
    case Figure::wall_ns:
      return "ns/op";
    case Figure::cpu_ns:
      return "CPU ns/op";
  }
  return "";
}

std::string goal_text(const Work& work) {
  const auto text = [](double goal) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%gx", goal);
    return std::string(buffer.data());
  };
  if (work.goals.front().has_value() &&
      std::ranges::all_of(work.goals, [&](auto goal) { return goal == work.goals.front(); })) {
    return "best " + text(*work.goals.front());
  }
  std::string result;
  for (std::size_t i = 0; i < kPeers.size(); ++i) {
    if (!work.goals[i].has_value()) continue;
    result += (result.empty() ? "" : ", ") + std::string(kPeers[i]) + ' ' + text(*work.goals[i]);
  }
  return result;
}

std::vector<Work> all_works(const fs::path& scripts, const fs::path& scratch) {
  // In a folder without a package.json, as somebody's first program is.
  fs::create_directories(scratch);
  fs::copy_file(scripts / "hello.js", scratch / "hello.js", fs::copy_options::overwrite_existing);
  write_common_modules(scratch / "common");
  write_es_modules(scratch / "es");

  const auto script = [&](const char* name) {
    return std::vector<std::string>{(scripts / name).string()};
  };
  const std::vector<std::string> hello{(scratch / "hello.js").string()};
  std::vector<Work> works{
      {"hello.js, whole process", Figure::process_ms, hello, {2, std::nullopt, 1.2}},
      {"hello.js, resident memory", Figure::process_mib, hello, node(1.2)},
      {"1e6 nextTick, batch", Figure::wall_ns, script("next_tick_batch.js"), best(1)},
      {"1e6 nextTick, chain", Figure::wall_ns, script("next_tick_chain.js"), best(1)},
      {"1e6 queueMicrotask", Figure::wall_ns, script("microtask_batch.js"), best(1)},
      {"1e6 awaits", Figure::wall_ns, script("await_chain.js"), best(1)},
      {"1e6 setImmediate, batch", Figure::wall_ns, script("immediate_batch.js"), best(1.2)},
      {"1e6 setImmediate, chain", Figure::wall_ns, script("immediate_chain.js"), best(2)},
      {"1e6 setTimeout, same delay", Figure::wall_ns, script("timeout_same.js"), best(1.2)},
      {"1e6 setTimeout, 1,000 delays", Figure::wall_ns, script("timeout_spread.js"), {}},
      {"1e6 setTimeout, 1,000 delays", Figure::cpu_ns, script("timeout_spread.js"), best(1.2)},
      {"1e6 setTimeout, set and clear", Figure::wall_ns, script("timeout_clear.js"), best(1.2)},
  };
  for (const int listeners : {1, 10}) {
    for (int arguments = 0; arguments <= 3; ++arguments) {
      works.push_back({"emit, " + number(listeners) + " listener" + (listeners == 1 ? "" : "s") +
                           ", " + number(arguments) + " argument" + (arguments == 1 ? "" : "s"),
                       Figure::wall_ns,
                       {(scripts / "emit.js").string(), number(listeners), number(arguments)},
                       node(1)});
    }
  }
  works.push_back({"require of 1,000 modules",
                   Figure::wall_ns,
                   {(scripts / "require_modules.js").string(), (scratch / "common").string()},
                   node(1.5)});
  works.push_back({"import of 1,000 modules",
                   Figure::wall_ns,
                   {(scripts / "import_modules.mjs").string(), (scratch / "es").string()},
                   node(1.5)});
  return works;
}

}  // namespace rondo::bench
