#include "runtime/engine/microtask_counter.h"

#include <string_view>

#include "rondo/lens.h"

#include "runtime/engine/environment.h"

namespace rondo {

const std::uint8_t* MicrotaskCounter::GetCategoryGroupEnabled(const char* name) {
  static constexpr std::uint8_t kOff = 0;
  return name == std::string_view("v8.execute") ? &is_on_ : &kOff;
}

std::uint64_t MicrotaskCounter::AddTraceEvent(
    char phase, const std::uint8_t* /*category_enabled_flag*/, const char* name,
    const char* /*scope*/, std::uint64_t /*id*/, std::uint64_t /*bind_id*/, std::int32_t num_args,
    const char** /*arg_names*/, const std::uint8_t* /*arg_types*/, const std::uint64_t* arg_values,
    std::unique_ptr<v8::ConvertableToTraceFormat>* /*arg_convertables*/, unsigned /*flags*/) {
  constexpr char kEnd = 'E';
  if (phase != kEnd || num_args != 1 || name != std::string_view("RunMicrotasks")) return 0;
  const auto* environment = static_cast<Environment*>(v8::Isolate::GetCurrent()->GetData(0));
  if (environment == nullptr) return 0;
  lens::Lens* lens = environment->lens();
  if (lens != nullptr && lens->wants_counts()) lens->ran(lens::Source::microtask, arg_values[0]);
  return 0;
}

}  // namespace rondo
