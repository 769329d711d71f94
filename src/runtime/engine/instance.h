// An isolate on a loop, from its making to its end.
#pragma once

#include <v8.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/bytes/buffer_allocator.h"
#include "runtime/engine/environment.h"
#include "runtime/engine/host/idle_heap.h"

namespace rondo {

/// Sizes of V8's young generation: to begin with, and at most. It has three such spaces.
inline constexpr unsigned kInitialSemiSpaceMiB = 5;
inline constexpr unsigned kInitialSemiSpaceOfWorkerMiB = 1;
inline constexpr unsigned kMaxSemiSpaceMiB = 64;

/// As much of the machine as Node takes.
void set_heap_sizes(v8::ResourceConstraints& constraints, unsigned initial_semi_space_mib);

/// The value of an option of the command line.
using OptionValue = std::variant<bool, double, std::string, std::vector<std::string>>;

/// As an object without a prototype.
v8::Local<v8::Object> to_object(Environment& environment,
                                const std::vector<std::pair<std::string, OptionValue>>& entries);

/// What lib/ receives when it starts; see lib/internal/startup/start.js.
struct StartInfo {
  std::vector<std::string> argv;
  std::vector<std::string> exec_argv;
  std::string exec_path;
  std::string argv0;
  std::vector<std::pair<std::string, OptionValue>> options;
  /// What to do, in the words of lib/internal/startup/main.js.
  std::vector<std::pair<std::string, OptionValue>> main;
};

class Instance {
 public:
  /// `constraints`, of a Worker, instead of the usual sizes of the heap.
  Instance(Loop& loop, Environment::Options options,
           const v8::ResourceConstraints* constraints = nullptr);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  Environment& environment() noexcept { return *environment_; }
  v8::Isolate* isolate() noexcept { return isolate_; }

  /// Starts lib/ and does what `info.main` says; returns what comes of it. An exception is
  /// reported as an uncaught one. The caller has a HandleScope.
  v8::MaybeLocal<v8::Value> start(const StartInfo& info);

  /// Runs the loop until nothing keeps the program alive, emits 'beforeExit' and 'exit', and
  /// returns the exit code.
  int run();

 private:
  Loop& loop_;
  BufferAllocator::Owner allocator_;
  v8::Isolate* isolate_;
  std::optional<IdleHeap> idle_heap_;
  std::unique_ptr<Environment> environment_;
  v8::Global<v8::Function> start_;
};

}  // namespace rondo
