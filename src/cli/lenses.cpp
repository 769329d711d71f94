#include "cli/lenses.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "runtime/options.h"

namespace rondo {

namespace {

/// The value of an option that was given with one; null if it was not.
const std::string* text_of(const CommandLine& line, std::string_view name) {
  const auto found =
      std::ranges::find(line.start.options, name, [](const auto& option) { return option.first; });
  return found == line.start.options.end() ? nullptr : std::get_if<std::string>(&found->second);
}

}  // namespace

std::unique_ptr<lens::TraceFile> start_trace(const CommandLine& line) {
  const std::string* path = text_of(line, "--trace-loop");
  if (path == nullptr) return nullptr;
  lens::TraceFile::Options options{.path = *path};
  if (const std::string* limit = text_of(line, "--trace-loop-limit")) {
    options.limit_bytes = parse_size(*limit).value_or(options.limit_bytes);
  }
  return std::make_unique<lens::TraceFile>(std::move(options));
}

std::unique_ptr<Lenses> Lenses::make(Loop& loop, const CommandLine& /*line*/,
                                     std::unique_ptr<lens::TraceFile> trace) {
  if (trace == nullptr) return nullptr;
  std::unique_ptr<Lenses> lenses(new Lenses(loop));
  if (trace != nullptr) {
    trace->watch(lenses->lens_);
    lenses->watchers_.push_back(std::move(trace));
  }
  return lenses;
}

}  // namespace rondo
