// Trace events of V8: to the log of node:trace_events, and how many microtasks it has run to
// the lens. It reports that once for each batch of them; to count by promise hooks would cost more
// than most microtasks do.
#pragma once

#include <v8-platform.h>

#include <cstdint>
#include <memory>

namespace rondo {

class TracingController final : public v8::TracingController {
 public:
  /// From now on each thread reports the microtasks it runs to its lens.
  void count_microtasks();

  const std::uint8_t* GetCategoryGroupEnabled(const char* name) override;
  std::uint64_t AddTraceEvent(char phase, const std::uint8_t* category_enabled_flag,
                              const char* name, const char* scope, std::uint64_t id,
                              std::uint64_t bind_id, std::int32_t num_args, const char** arg_names,
                              const std::uint8_t* arg_types, const std::uint64_t* arg_values,
                              std::unique_ptr<v8::ConvertableToTraceFormat>* arg_convertables,
                              unsigned flags) override;
  std::uint64_t AddTraceEventWithTimestamp(
      char phase, const std::uint8_t* category_enabled_flag, const char* name, const char* scope,
      std::uint64_t id, std::uint64_t bind_id, std::int32_t num_args, const char** arg_names,
      const std::uint8_t* arg_types, const std::uint64_t* arg_values,
      std::unique_ptr<v8::ConvertableToTraceFormat>* arg_convertables, unsigned flags,
      std::int64_t timestamp) override;
  void UpdateTraceEventDuration(const std::uint8_t* category_enabled_flag, const char* name,
                                std::uint64_t handle) override;
};

}  // namespace rondo
