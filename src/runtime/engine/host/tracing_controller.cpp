#include "runtime/engine/host/tracing_controller.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/lens.h"

#include "lens/json_writer.h"
#include "runtime/engine/environment.h"
#include "runtime/observe/trace_log.h"

namespace rondo {
namespace {

constexpr const char* kMicrotasks = "v8.execute";  // the group with the event RunMicrotasks
constexpr char kComplete = 'X';
constexpr char kBegin = 'B';
constexpr char kEnd = 'E';
constexpr unsigned kHasId = 1U << 1;

// How V8 says what an argument is.
enum ArgumentType : std::uint8_t {
  kBool = 1,
  kUnsigned = 2,
  kSigned = 3,
  kDouble = 4,
  kPointer = 5,
  kString = 6,
  kCopiedString = 7,
  kConvertable = 8,
};

std::string hex(std::uint64_t value) {
  constexpr int kBase = 16;
  char digits[16];
  return "0x" +
         std::string(digits, std::to_chars(digits, digits + sizeof digits, value, kBase).ptr);
}

std::string argument_text(std::uint8_t type, std::uint64_t value,
                          v8::ConvertableToTraceFormat* convertable) {
  std::string text;
  switch (type) {
    case kBool:
      return value != 0 ? "true" : "false";
    case kUnsigned:
      return std::to_string(value);
    case kSigned:
      return std::to_string(static_cast<std::int64_t>(value));
    case kDouble: {
      const double number = std::bit_cast<double>(value);
      char digits[32];
      const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
      const std::string written(digits, end);
      return std::isfinite(number) ? written : '"' + written + '"';  // JSON has no infinity
    }
    case kPointer:
      return '"' + hex(value) + '"';
    case kString:
    case kCopiedString: {
      const char* const given = reinterpret_cast<const char*>(value);
      lens::append_json_string(text, given == nullptr ? "NULL" : given);
      return text;
    }
    case kConvertable:
      convertable->AppendAsTraceFormat(&text);
      return text;
    default:
      return "null";
  }
}

/// Up to the arguments. V8 does not pass the group again: it is found by its flag.
std::string head_of(char phase, const std::uint8_t* flag, const char* name) {
  std::string fields = "\"ph\":\"";
  fields += phase;
  fields += "\",\"cat\":\"" + TraceLog::instance().group_of(flag) + "\",\"name\":";
  lens::append_json_string(fields, name);
  return fields + ",\"dur\":0,\"tdur\":0,";
}

void report_lens(const char* name, std::int32_t num_args, const std::uint64_t* arg_values) {
  if (num_args != 1 || name != std::string_view("RunMicrotasks")) return;
  const auto* environment = static_cast<Environment*>(v8::Isolate::GetCurrent()->GetData(0));
  if (environment == nullptr) return;
  lens::Lens* lens = environment->lens();
  if (lens != nullptr && lens->wants_counts()) lens->ran(lens::Source::microtask, arg_values[0]);
}

}  // namespace

void TracingController::count_microtasks() {
  TraceLog::instance().count(kMicrotasks);
}

const std::uint8_t* TracingController::GetCategoryGroupEnabled(const char* name) {
  return TraceLog::instance().flag(name);
}

std::uint64_t TracingController::AddTraceEvent(
    char phase, const std::uint8_t* category_enabled_flag, const char* name, const char* scope,
    std::uint64_t id, std::uint64_t bind_id, std::int32_t num_args, const char** arg_names,
    const std::uint8_t* arg_types, const std::uint64_t* arg_values,
    std::unique_ptr<v8::ConvertableToTraceFormat>* arg_convertables, unsigned flags) {
  return AddTraceEventWithTimestamp(phase, category_enabled_flag, name, scope, id, bind_id,
                                    num_args, arg_names, arg_types, arg_values, arg_convertables,
                                    flags, -1);
}

std::uint64_t TracingController::AddTraceEventWithTimestamp(
    char phase, const std::uint8_t* category_enabled_flag, const char* name, const char* /*scope*/,
    std::uint64_t id, std::uint64_t /*bind_id*/, std::int32_t num_args, const char** arg_names,
    const std::uint8_t* arg_types, const std::uint64_t* arg_values,
    std::unique_ptr<v8::ConvertableToTraceFormat>* arg_convertables, unsigned flags,
    std::int64_t timestamp) {
  const std::uint8_t flag = __atomic_load_n(category_enabled_flag, __ATOMIC_RELAXED);
  if ((flag & TraceLog::kCounted) != 0 && phase == kEnd) report_lens(name, num_args, arg_values);
  if ((flag & TraceLog::kRecorded) == 0) return 0;
  std::string arguments;
  for (std::int32_t i = 0; i < num_args; ++i) {
    if (i > 0) arguments += ',';
    lens::append_json_string(arguments, arg_names[i]);
    arguments += ':';
    arguments += argument_text(arg_types[i], arg_values[i],
                               arg_convertables != nullptr ? arg_convertables[i].get() : nullptr);
  }
  // UpdateTraceEventDuration() reports the end of a span: the log has a begin and an end event.
  std::string fields = head_of(phase == kComplete ? kBegin : phase, category_enabled_flag, name);
  if ((flags & kHasId) != 0) fields += "\"id\":\"" + hex(id) + "\",";
  fields += "\"args\":{" + arguments + "}";
  constexpr std::uint64_t kNsPerUs = 1000;
  TraceLog::instance().add(
      fields, timestamp < 0 ? std::nullopt
                            : std::optional(static_cast<std::uint64_t>(timestamp) * kNsPerUs));
  return 1;
}

void TracingController::UpdateTraceEventDuration(const std::uint8_t* category_enabled_flag,
                                                 const char* name, std::uint64_t handle) {
  if (handle == 0) return;
  TraceLog::instance().add(head_of(kEnd, category_enabled_flag, name) + "\"args\":{}");
}

}  // namespace rondo
