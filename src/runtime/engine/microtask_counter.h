// How many microtasks V8 has run: it tells those who trace it, once for each row of them. To count
// by promise hooks would cost more than most microtasks do.
#pragma once

#include <v8-platform.h>

#include <cstdint>

namespace rondo {

class MicrotaskCounter final : public v8::TracingController {
 public:
  /// From now on the lens of whoever runs them is told, on that thread.
  void start() noexcept { __atomic_store_n(&is_on_, 1, __ATOMIC_RELAXED); }

  const std::uint8_t* GetCategoryGroupEnabled(const char* name) override;
  std::uint64_t AddTraceEvent(char phase, const std::uint8_t* category_enabled_flag,
                              const char* name, const char* scope, std::uint64_t id,
                              std::uint64_t bind_id, std::int32_t num_args, const char** arg_names,
                              const std::uint8_t* arg_types, const std::uint64_t* arg_values,
                              std::unique_ptr<v8::ConvertableToTraceFormat>* arg_convertables,
                              unsigned flags) override;

 private:
  std::uint8_t is_on_ = 0;  // V8 keeps its address
};

}  // namespace rondo
