// Profiles of one isolate: where its time goes, and what it allocates. As JSON, in the form that
// Chrome's tools read.
#pragma once

#include <v8-profiler.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/glue/wrapped.h"

namespace rondo {

/// The running profile of allocations as it is now, as JSON; empty if none is running. Makes no
/// object in the heap of JavaScript.
std::string heap_profile_so_far(v8::Isolate* isolate);

class Profiles final : public Wrapped {
 public:
  static Profiles& of(Environment& environment);
  ~Profiles() override;

  /// An interval of 0 is V8's default. Empty if there are too many at once.
  std::optional<v8::ProfilerId> start_cpu(int interval_us, unsigned most_samples);
  /// Empty for an id without a running profile.
  std::string stop_cpu(v8::ProfilerId id);

  /// False if one is running: there can be only one.
  bool start_heap(std::uint64_t interval, int depth, int flags);
  std::string stop_heap();

 private:
  Profiles(Environment& environment, v8::Local<v8::Object> object);

  v8::CpuProfiler* cpu_ = nullptr;  // while CPU profiles are running
  std::vector<v8::ProfilerId> under_way_;
};

}  // namespace rondo
