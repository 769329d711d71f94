// Runtimes that come and go: one after the other, several at once on threads of their own, and with
// everything under way that a program can have under way.
#include <dirent.h>
#include <malloc.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <ostream>
#include <thread>

#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

std::size_t open_descriptors() {
  DIR* folder = ::opendir("/proc/self/fd");
  std::size_t count = 0;
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

std::size_t resident_kib() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

/// A short program that uses most parts and ends by itself.
constexpr std::string_view kProgram = R"(
  const results = globalThis.results = [];
  const fs = require('fs'), net = require('net'), vm = require('vm');
  process.nextTick(() => results.push('tick'));
  Promise.resolve().then(() => results.push('microtask'));
  setTimeout(() => results.push('timer'), 1);
  fs.readFile('/proc/self/stat', (error) => results.push('file'));
  fs.promises.stat('/').then(() => results.push('stat'));
  results.push(vm.runInNewContext('a + 1', { a: 1 }));
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => { results.push(data); port1.close(); };
  port2.postMessage('message');
  const server = net.createServer((socket) => socket.end('bye')).listen(0, () => {
    net.connect(server.address().port).on('data', (data) => results.push(String(data)))
      .on('close', () => server.close(() => results.push('closed')));
  });)";

void run_program(Loop& loop) {
  Runtime runtime(loop);
  value_of(runtime, kProgram);
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_EQ(value_of(runtime, "results.sort()"),
            Value(Value::Array{2, "bye", "closed", "file", "message", "microtask", "stat", "tick",
                               "timer"}));
}

TEST(Lifetime, OneAfterTheOtherOnOneLoop) {
  Loop loop;
  run_program(loop);
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 20; ++i) run_program(loop);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_FALSE(loop.alive());
}

TEST(Lifetime, OneAfterTheOtherOnNewLoops) {
  for (int i = 0; i < 2; ++i) {
    Loop loop;
    run_program(loop);
  }
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 20; ++i) {
    Loop loop;
    run_program(loop);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Lifetime, MemoryStaysWhatItIs) {
  const auto some = [](int count) {
    for (int i = 0; i < count; ++i) {
      Loop loop;
      run_program(loop);
    }
    ::malloc_trim(0);
    return resident_kib();
  };
  const std::size_t before = some(10);
  const std::size_t after = some(20);
#if defined(__SANITIZE_ADDRESS__)
  // What was freed is kept for a while to catch late uses; what is lost, LeakSanitizer
  // says.
  static_cast<void>(before);
  static_cast<void>(after);
#else
  // Each runtime that was not freed would be megabytes.
  EXPECT_LT(after, before + 8 * 1024);
#endif
}

TEST(Lifetime, OneThatWasNeverUsed) {
  Loop loop;
  for (int i = 0; i < 5; ++i) const Runtime runtime(loop);
  EXPECT_FALSE(loop.alive());
}

TEST(Lifetime, TheNextOneOnALoopIsNotStoppedByTheExitOfTheOneBefore) {
  Loop loop;
  for (int i = 0; i < 3; ++i) {
    Runtime runtime(loop);
    bool ran = false;
    runtime.define("run", [&] { ran = true; });
    value_of(runtime, "setTimeout(run, 1)");
    EXPECT_EQ(runtime.run(), 0);
    EXPECT_TRUE(ran);
    value_of(runtime, "process.exit(1)");
  }
}

TEST(Lifetime, TimersOfTheOneBeforeDoNotFireInTheNext) {
  Loop loop;
  bool fired = false;
  {
    Runtime runtime(loop);
    runtime.define("fire", [&] { fired = true; });
    value_of(runtime,
             "setTimeout(fire, 1); setInterval(fire, 1); setImmediate(fire);"
             "process.nextTick(() => setTimeout(fire, 1))");
  }
  EXPECT_FALSE(loop.alive());
  Runtime runtime(loop);
  value_of(runtime, "setTimeout(() => {}, 5)");
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_FALSE(fired);
}

TEST(Lifetime, WhatTheLoopHadBeforeStays) {
  Loop loop;
  bool fired = false;
  loop.set_timeout(1ms, [&] { fired = true; });
  {
    const Runtime runtime(loop);
  }
  EXPECT_TRUE(loop.alive());
  loop.run();
  EXPECT_TRUE(fired);
}

TEST(Lifetime, OneOnEachOfSeveralThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 5; ++round) {
        Loop loop;
        run_program(loop);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Lifetime, ASecondOneOnAThreadIsRefused) {
  Loop first_loop;
  Loop second_loop;
  {
    Runtime first(first_loop);
    try {
      const Runtime second(second_loop);
      FAIL() << "accepted";
    } catch (const Misuse& misuse) {
      EXPECT_EQ(misuse.code(), "ERR_RUNTIME_EXISTS");
    }
    EXPECT_EQ(value_of(first, "1"), Value(1));
  }
  Runtime second(second_loop);
  EXPECT_EQ(value_of(second, "2"), Value(2));
}

// ---- Torn down in the middle --------------------------------------------------------------------

struct Scene {
  const char* name;
  const char* program;

  friend void PrintTo(const Scene& scene, std::ostream* out) { *out << scene.name; }
};

constexpr Scene kScenes[] = {
    {"timers", "for (let i = 0; i < 100; i++) setTimeout(() => {}, i); setInterval(() => {}, 1)"},
    {"immediates", "(function again() { setImmediate(again); setImmediate(() => {}); })()"},
    {"ticks", "setImmediate(() => { process.nextTick(() => {}); Promise.resolve().then(stop); })"},
    {"timer_promises",
     "require('timers/promises').setTimeout(1e6);"
     "(async () => { for await (const _ of require('timers/promises')"
     ".setInterval(1)) {} })()"},
    {"read_file",
     "for (let i = 0; i < 20; i++) require('fs').readFile('/proc/self/maps', () => {})"},
    {"read_buffer",
     "const fs = require('fs'); const fd = fs.openSync('/dev/zero');"
     "for (let i = 0; i < 8; i++) fs.read(fd, Buffer.alloc(1 << 20), 0, 1 << 20, "
     "null, () => {})"},
    {"write_buffer",
     "const fs = require('fs'); const fd = fs.openSync('/dev/null', 'w');"
     "for (let i = 0; i < 8; i++) fs.write(fd, Buffer.alloc(1 << 20), () => {})"},
    {"fs_promises",
     "const fs = require('fs').promises;"
     "for (let i = 0; i < 8; i++) { fs.readFile('/proc/self/stat'); fs.stat('/');"
     "fs.readdir('/usr/lib'); fs.realpath('/usr'); fs.access('/nowhere').catch(() => {});"
     "fs.open('/dev/null').then((handle) => { globalThis.handle = handle; }); }"},
    {"file_handle",
     "require('fs').promises.open('/dev/zero').then((handle) => {"
     "globalThis.handle = handle; handle.read(Buffer.alloc(1 << 20)); })"},
    {"read_stream", "require('fs').createReadStream('/dev/zero').on('data', () => {})"},
    {"write_stream",
     "const s = require('fs').createWriteStream('/dev/null');"
     "(function more() { while (s.write(Buffer.alloc(65536))); s.once('drain', more); })()"},
    {"fs_watch",
     "const fs = require('fs'); fs.watch?.('/tmp', () => {}); fs.watchFile?.('/tmp', () => {})"},
    {"readdir",
     "const fs = require('fs'); fs.opendir('/usr/lib', (e, dir) => {"
     "globalThis.dir = dir; dir.read(() => {}); })"},
    {"server", "require('net').createServer().listen(0)"},
    {"connections",
     "const net = require('net'); const server = net.createServer((socket) => {"
     "socket.on('data', (d) => socket.write(d)).on('error', () => {}); })"
     ".listen(0, () => { for (let i = 0; i < 5; i++) {"
     "const c = net.connect(server.address().port, () => c.write(Buffer.alloc(100000)));"
     "c.on('data', (d) => c.write(d)).on('error', () => {}); } })"},
    {"half_written",
     "const net = require('net'); const server = net.createServer((socket) => {"
     "socket.pause(); }).listen(0, () => { const c = net.connect("
     "server.address().port, () => { for (let i = 0; i < 50; i++) "
     "c.write(Buffer.alloc(1 << 20), () => {}); }); })"},
    {"connecting", "require('net').connect(9, '192.0.2.1').on('error', () => {})"},
    {"destroying",
     "const net = require('net'); const server = net.createServer((socket) => {"
     "socket.destroy(); }).listen(0, () => { const c = net.connect("
     "server.address().port, () => { c.destroy(); server.close(); stop(); }); })"},
    {"unix_socket",
     "const net = require('net'); const path = `\\0rondo-${process.pid}-${Math.random()}`;"
     "net.createServer((s) => s.write('x')).listen(path, () => "
     "net.connect(path).on('data', () => {}))"},
    {"message_channel",
     "const { port1, port2 } = new MessageChannel(); port1.onmessage = () => {};"
     "port2.onmessage = () => port1.postMessage(1);"
     "for (let i = 0; i < 100; i++) port2.postMessage({ i, b: new ArrayBuffer(64) });"
     "const other = new MessageChannel(); port1.postMessage(other.port1, [other.port1])"},
    {"broadcast",
     "const a = new BroadcastChannel('x'), b = new BroadcastChannel('x');"
     "b.onmessage = () => {}; a.postMessage('hello')"},
    {"abort_signal",
     "const s = AbortSignal.timeout(1e6); s.onabort = () => {};"
     "AbortSignal.any([s, AbortSignal.timeout(1)]).onabort = () => {};"
     "require('events').once(new (require('events'))(), 'x', { signal: s }).catch(() => {})"},
    {"dns",
     "require('dns').lookup('localhost', () => {}); require('dns').lookup('rondo.invalid', () => "
     "{});"
     "require('dns').promises.lookup('localhost').catch(() => {});"
     "require('dns').resolve4?.('rondo.invalid', () => {})"},
    {"child_process",
     "const { spawn, exec } = require('child_process');"
     "const c = spawn('cat'); c.stdin.write('hello'); c.stdout.on('data', () => {});"
     "spawn('sleep', ['0.05'], { stdio: 'inherit' }).unref();"
     "exec('echo x', () => {})"},
    {"signals",
     "process.on('SIGUSR2', () => {}).on('SIGINT', () => {}).on('SIGWINCH', () => {});"
     "process.kill(process.pid, 'SIGUSR2')"},
    {"finalization",
     "globalThis.r = new FinalizationRegistry(() => {});"
     "for (let i = 0; i < 1000; i++) r.register({}, i);"
     "globalThis.w = new WeakRef({}); for (let i = 0; i < 100; i++) new ArrayBuffer(1e6);"
     "require('v8').setFlagsFromString('--expose-gc');"
     "require('vm').runInNewContext('gc')(); setTimeout(() => {}, 1e6)"},
    {"performance",
     "const { PerformanceObserver, performance, monitorEventLoopDelay } = "
     "require('perf_hooks'); new PerformanceObserver(() => {}).observe("
     "{ entryTypes: ['mark', 'measure', 'gc'] }); performance.mark('a');"
     "performance.measure('b', 'a'); monitorEventLoopDelay({ resolution: 1 }).enable()"},
    {"vm",
     "const vm = require('vm'); globalThis.contexts = []; for (let i = 0; i < 5; i++) {"
     "const c = vm.createContext({ setTimeout, i }); contexts.push(c);"
     "vm.runInContext('setTimeout(() => { i++ }, 1); var f = () => i; Promise.resolve().then(f)', "
     "c); }"
     "globalThis.script = new vm.Script('1')"},
    {"import",
     "import('node:fs/promises'); import('data:text/javascript,await new Promise(() => {})');"
     "import('/nowhere.mjs').catch(() => {})"},
    {"top_level_await",
     "import('data:text/javascript,setTimeout(() => {}, 1e6); await new Promise(() => {})')"},
    {"async_hooks",
     "const { createHook, AsyncLocalStorage, AsyncResource } = require('async_hooks');"
     "createHook({ init() {}, before() {}, after() {}, destroy() {}, promiseResolve() {} })"
     ".enable(); const s = new AsyncLocalStorage(); s.run(1, () => setTimeout(() => {}, 1));"
     "globalThis.x = new AsyncResource('X'); (async () => { await 1; await 2; })()"},
    {"stdio",
     "process.stdin.on('data', () => {}); process.stdout.writableLength;"
     "process.stdin.unref?.()"},
    {"readline",
     "require('readline').createInterface({ input: process.stdin }).on('line', () => {})"},
    {"wasm", "WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => {})"},
    {"serialize",
     "globalThis.s = require('v8').deserialize(require('v8').serialize(new Map([[1, 2]])));"
     "structuredClone({ a: new Uint8Array(10) })"},
    {"atomics", "Atomics.waitAsync?.(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10).value"},
    {"garbage",
     "let keep = []; setInterval(() => { for (let i = 0; i < 1000; i++) keep.push({ i }); "
     "if (keep.length > 1e5) keep = []; }, 0)"},
    {"after_exit",
     "setInterval(() => {}, 1); require('net').createServer().listen(0);"
     "require('fs').readFile('/proc/self/stat', () => {}); setTimeout(() => process.exit(1), 2)"},
};

class TornDown : public ::testing::TestWithParam<Scene> {};

/// A child that is still ending keeps a descriptor of its own a while longer.
bool descriptors_come_down_to(std::size_t count) {
  for (int i = 0; i < 200 && open_descriptors() > count; ++i) std::this_thread::sleep_for(10ms);
  return open_descriptors() <= count;
}

/// Runs a program for a few milliseconds, or not at all, and ends it where it is.
void tear_down(Loop& loop, const Scene& scene, std::chrono::milliseconds after) {
  Runtime runtime(loop);
  runtime.define("stop", [&] { loop.stop(); });
  const auto result = runtime.evaluate(scene.program);
  ASSERT_TRUE(result) << result.error().message << "\n" << result.error().stack;
  if (after == 0ms) return;
  loop.set_timeout(after, [&] { loop.stop(); }).unref();
  loop.run();
}

TEST_P(TornDown, AndTheLoopGoesOn) {
  ::testing::internal::CaptureStderr();
  std::size_t before = 0;
  {
    Loop loop;
    for (const auto after : {0ms, 1ms, 5ms, 0ms}) {
      tear_down(loop, GetParam(), after);
      bool fired = false;
      loop.set_timeout(1ms, [&] {
        fired = true;
        loop.stop();
      });
      while (!fired) loop.run();
    }
  }
  {
    // What the first use of something opens for good is open now.
    Loop warm;
    tear_down(warm, GetParam(), 1ms);
  }
  before = open_descriptors();
  for (const auto after : {0ms, 2ms}) {
    Loop loop;
    tear_down(loop, GetParam(), after);
  }
  EXPECT_TRUE(descriptors_come_down_to(before)) << open_descriptors() << " after " << before;
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

INSTANTIATE_TEST_SUITE_P(Scenes, TornDown, ::testing::ValuesIn(kScenes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(TornDownAtOnce, WithEverythingUnderWay) {
  Loop loop;
  Runtime runtime(loop);
  runtime.define("stop", [&] { loop.stop(); });
  for (const Scene& scene : kScenes) {
    if (std::string_view(scene.name) == "after_exit") continue;
    value_of(runtime, "{" + std::string(scene.program) + "}");
  }
  loop.set_timeout(5ms, [&] { loop.stop(); }).unref();
  loop.run();
}

}  // namespace
}  // namespace rondo::test
