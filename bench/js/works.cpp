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

/// What the rows of files read.
void write_files(const fs::path& folder) {
  fs::create_directories(folder);
  write_file(folder / "4096", std::string(4096, 'x'));
  write_file(folder / "65536", std::string(65536, 'x'));
  write_file(folder / "1048576", std::string(1048576, 'x'));
  write_file(folder / "268435456", "");
  fs::resize_file(folder / "268435456", 268435456);
}

/// Compression, cryptography and web streams.
template <class Row>
void add_platform(Row row) {
  const auto work = [&](const std::string& name, const char* argument, const Goals& goals) {
    row(name, {"platform.js", argument}, goals);
  };
  work("sha256 of 64 bytes, createHash", "sha256 createHash", {1.3, 1, 1});
  work("sha256 of 64 bytes, hash", "sha256 hash", {1.3, 1, 1});
  work("sha256 of 1 MiB", "sha256 1 MiB", node(1));
  work("aes-256-gcm of 1 MiB", "aes-256-gcm 1 MiB", node(1));
  work("gzip -6 of 1 MiB", "gzip 1 MiB", node(1));
  work("randomUUID", "randomUUID", best(1));
  work("randomBytes(16)", "randomBytes 16", best(1));
  work("gzipSync of 1 KiB JSON", "gzipSync 1 KiB", best(1));
  work("gzipSync of 100 KiB JSON", "gzipSync 100 KiB", best(1));
  work("gunzipSync of 1 KiB JSON", "gunzipSync 1 KiB", best(1));
  work("gunzipSync of 100 KiB JSON", "gunzipSync 100 KiB", best(1));
  work("brotli q4 of 100 KiB JSON", "brotli 100 KiB", best(1));
  work("ReadableStream to WritableStream", "pipeTo", node(2));
  work("the same through a TransformStream", "pipeThrough", node(2));
}

/// Servers and clients of the network. The processor time of the one that is measured counts; how
/// long it took depends on the generator of the load, and is for information.
template <class Add>
void add_servers(const fs::path& files, const fs::path& packages, Add add) {
  const auto http = [&](const std::string& name, const char* work, const char* connections,
                        const Goals& goals) {
    const bool is_packaged =
        std::string_view(work) == "express" || std::string_view(work) == "fastify";
    add(name,
        {"servers/http_server.js", work, connections, (is_packaged ? packages : files).string()},
        goals);
  };
  http("http hello, 50 connections", "hello", "50", {2, 1.3, std::nullopt});
  http("http hello, 500 connections", "hello", "500", {2, 1.3, std::nullopt});
  http("http hello, 50 connections, pipelined 8", "pipelined", "50", {2, 1.3, std::nullopt});
  const Goals own{std::nullopt, 1, 1};
  http("http hello, Bun.serve and Deno.serve, 50", "own", "50", own);
  http("http hello, Bun.serve and Deno.serve, 500", "own", "500", own);
  http("http hello, Bun.serve and Deno.serve, pipelined 8", "own-pipelined", "50", own);
  // A chart: the cost of one request must not bend.
  for (const char* connections : {"10", "100", "1000", "3000", "9000"}) {
    http(std::string("http hello, chart, ") + connections + " connections", "hello", connections,
         {});
  }
  http("http echo of 1 KiB JSON", "echo", "50", node(1.5));
  http("http 64 KiB file", "file", "50", node(1.5));
  http("express hello, 50 connections", "express", "50", {1.4, 1, std::nullopt});
  http("fastify hello, 50 connections", "fastify", "50", {1.4, 1, std::nullopt});
  http("https hello, 50 connections", "https", "50", node(1.3));
  for (const char* kind : {"new", "resumed"}) {
    add(std::string("TLS handshakes, ") + kind, {"servers/tls_handshakes.js", kind}, node(1));
  }
  add("net echo of 64 bytes, 64 connections", {"servers/net_echo.js", "64"},
      {1.3, 1.1, std::nullopt});
  add("net 1 GiB one way", {"servers/net_one_way.js"}, node(1.2));
  add("dgram echo of 64 bytes", {"servers/dgram_echo.js", "64"}, node(1.2));
  add("http client, 50 at a time", {"servers/http_client.js", "http"}, node(1.5));
  add("fetch, 50 at a time", {"servers/http_client.js", "fetch"}, node(1.1));
}

}  // namespace

const char* unit_of(Figure figure) {
  switch (figure) {
    case Figure::process_ms:
      return "ms";
    case Figure::process_cpu_ms:
      return "CPU ms";
    case Figure::process_mib:
      return "MiB";
    case Figure::wall_ns:
      return "ns/op";
    case Figure::cpu_ns:
      return "CPU ns/op";
    case Figure::latency_ns:
      return "ns";
    case Figure::bytes:
      return "bytes";
  }
  return "";
}

bool is_of_process(Figure figure) {
  return figure == Figure::process_ms || figure == Figure::process_cpu_ms ||
         figure == Figure::process_mib;
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

std::vector<Work> all_works(const fs::path& scripts, const fs::path& scratch,
                            const fs::path& packages) {
  // In a folder without a package.json, as somebody's first program is.
  fs::create_directories(scratch);
  fs::copy_file(scripts / "hello.js", scratch / "hello.js", fs::copy_options::overwrite_existing);
  write_common_modules(scratch / "common");
  write_es_modules(scratch / "es");

  const fs::path files = scratch / "files";
  write_files(files);

  std::vector<Work> works;
  const auto process = [&](const char* name, Figure figure, const Goals& goals) {
    works.push_back({name, figure, {(scratch / "hello.js").string()}, goals});
  };
  const auto add = [&](const std::string& name, std::vector<std::string> script, const Goals& goals,
                       const Goals& wall_goals) {
    script.front() = (scripts / script.front()).string();
    works.push_back({name, Figure::wall_ns, script, wall_goals});
    works.push_back({name, Figure::cpu_ns, script, goals});
  };
  const auto row = [&](const std::string& name, const std::vector<std::string>& script,
                       const Goals& goals) { add(name, script, goals, goals); };

  process("hello.js, whole process", Figure::process_ms, {3, 0.6, 1.5});
  process("hello.js, whole process", Figure::process_cpu_ms, {3, 0.6, 1.5});
  process("hello.js, resident memory", Figure::process_mib, node(1.5));
  row("1e6 nextTick, batch", {"next_tick_batch.js"}, best(1));
  row("1e6 nextTick, chain", {"next_tick_chain.js"}, best(1.2));
  row("1e6 queueMicrotask", {"microtask_batch.js"}, node(1.5));
  row("1e6 awaits", {"await_chain.js"}, {1, std::nullopt, 1});
  row("1e6 awaits in AsyncLocalStorage.run", {"await_chain.js", "storage"}, {1, std::nullopt, 1});
  row("1e6 setImmediate, batch", {"immediate_batch.js"}, best(1.2));
  row("1e6 setImmediate, chain", {"immediate_chain.js"}, best(3));
  row("1e6 setTimeout, same delay", {"timeout_same.js"}, best(1.2));
  // A second passes for everyone: the time that passed is for information.
  add("1e6 setTimeout, 1,000 delays", {"timeout_spread.js"}, best(1.2), {});
  row("1e6 setTimeout, set and clear", {"timeout_clear.js"}, best(1.2));
  for (const int listeners : {1, 10}) {
    for (int arguments = 0; arguments <= 3; ++arguments) {
      row("emit, " + number(listeners) + " listener" + (listeners == 1 ? "" : "s") + ", " +
              number(arguments) + " argument" + (arguments == 1 ? "" : "s"),
          {"emit.js", number(listeners), number(arguments)}, node(1.3));
    }
  }
  row("require of 1,000 modules", {"require_modules.js", (scratch / "common").string()}, node(1.5));
  row("import of 1,000 modules", {"import_modules.mjs", (scratch / "es").string()}, node(1.5));
  for (const std::string api : {"fs", "fs.promises"}) {
    const auto file_row = [&](const std::string& name, const char* work, const char* size,
                              int together, const Goals& goals) {
      row(api + '.' + name, {"files.js", files.string(), api, work, size, number(together)}, goals);
    };
    file_row("readFile 4 KiB, 1 at a time", "readFile", "4096", 1, best(api == "fs" ? 3 : 1));
    file_row("readFile 4 KiB, 32 at a time", "readFile", "4096", 32, best(1));
    file_row("readFile 1 MiB, 8 at a time", "readFile", "1048576", 8, best(1));
    file_row("stat, 32 at a time", "stat", "4096", 32, best(1));
    file_row("writeFile 4 KiB, 8 at a time", "writeFile", "4096", 8, best(1));
  }
  row("createReadStream 256 MiB, to nowhere", {"read_stream.js", files.string(), "nowhere"},
      best(1));
  row("createReadStream 256 MiB, piped to a file", {"read_stream.js", files.string(), "file"},
      best(1));
  for (const char* work :
       {"readFileSync 4 KiB", "readFileSync 4 KiB utf8", "readFileSync 1 MiB", "statSync"}) {
    row(work, {"sync_files.js", files.string(), work}, node(1));
  }
  for (const char* work :
       {"copy 1 KiB", "copy 64 KiB", "fill 1 KiB byte", "fill 64 KiB text",
        "indexOf byte in 64 KiB", "indexOf text in 64 KiB", "indexOf missing text in 1 KiB"}) {
    row(std::string("Buffer ") + work, {"buffers.js", work}, node(1));
  }
  for (const char* encoding : {"utf8", "base64", "hex", "latin1"}) {
    for (const char* size : {"32 B", "1 KiB", "64 KiB"}) {
      for (const char* work : {"toString", "from"}) {
        row(std::string("Buffer ") + work + ' ' + encoding + ' ' + size,
            {"buffer_text.js", work, encoding, size}, node(1));
      }
    }
  }
  row("1e6 AsyncLocalStorage.run", {"storage_run.js"}, node(1));
  row("Worker, start and end", {"threads.js", "start", "30"}, node(2));
  row("postMessage to a Worker and back", {"threads.js", "postMessage", "20000"}, node(1.2));
  row("BroadcastChannel to a Worker and back", {"threads.js", "broadcast", "20000"}, node(1.2));
  row("structuredClone of an object", {"threads.js", "clone", "100000"}, node(1));
  row("process.send to a child and back", {"processes.js", "send", "20000"}, node(1));
  row("spawn /bin/true", {"processes.js", "spawn", "100"}, node(1));
  row("execFile, 1 MiB of output", {"processes.js", "execFile", "30"}, node(1));
  for (const char* kind : {"ascii", "query", "relative"}) {
    row(std::string("new URL, ") + kind, {"url.js", kind}, node(1));
  }
  add_platform(row);
  // Of what takes four threads the time counts that passes.
  for (const char* work : {"pbkdf2", "scrypt"}) {
    add(std::string(work) + ", 8 at a time", {"platform.js", work}, {}, best(1));
  }
  add_servers(files, packages,
              [&](const std::string& name, std::vector<std::string> script, const Goals& goals) {
                add(name, std::move(script), goals, {});
              });
  const auto figure = [&](const std::string& name, Figure what, std::vector<std::string> script,
                          const Goals& goals) {
    script.front() = (scripts / script.front()).string();
    works.push_back({name, what, script, goals});
  };
  figure("memory of an idle connection, 10,000", Figure::bytes,
         {"servers/idle_connections.js", "10000"}, node(2));
  figure("http p99.9 at half of the rate, 500 connections", Figure::latency_ns,
         {"servers/latency.js", "500", "half"}, node(1));
  return works;
}

}  // namespace rondo::bench
