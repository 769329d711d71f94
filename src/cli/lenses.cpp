#include "cli/lenses.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "runtime/process/options.h"

namespace rondo {

namespace {

/// The value of an option that is a text; null if it was not given.
const std::string* find_text(const CommandLine& line, std::string_view name) {
  const auto& options = line.start.options;
  const auto found =
      std::ranges::find(options, name, [](const auto& entry) { return entry.first; });
  return found == options.end() ? nullptr : std::get_if<std::string>(&found->second);
}

/// The name of the script, without its folder; "-e" and the like have none.
std::string name_of_program(const CommandLine& line) {
  const auto& main = line.start.main;
  const auto path = std::ranges::find(main, "path", [](const auto& entry) { return entry.first; });
  const auto* text = path == main.end() ? nullptr : std::get_if<std::string>(&path->second);
  return text == nullptr ? "rondo" : text->substr(text->rfind('/') + 1);
}

}  // namespace

std::unique_ptr<lens::TraceFile> start_trace(const CommandLine& line) {
  const std::string* path = find_text(line, "--trace-loop");
  if (path == nullptr) return nullptr;
  lens::TraceFile::Options options{.path = *path};
  if (const std::string* limit = find_text(line, "--trace-loop-limit")) {
    options.limit_bytes = parse_size(*limit).value_or(options.limit_bytes);
  }
  return std::make_unique<lens::TraceFile>(std::move(options));
}

std::unique_ptr<Lenses> Lenses::make(Loop& loop, const CommandLine& line,
                                     std::unique_ptr<lens::TraceFile> trace) {
  const std::string* const page = find_text(line, "--lens");
  if (!line.explain && page == nullptr && trace == nullptr) return nullptr;
  std::unique_ptr<Lenses> lenses(new Lenses(loop));
  if (line.explain) lenses->watch(make_explainer(*line.explain, lenses->lens()));
  if (page != nullptr) lenses->show_page(*page, name_of_program(line));
  if (trace != nullptr) {
    trace->watch(lenses->lens_);
    lenses->watchers_.push_back(std::move(trace));
  }
  return lenses;
}

/// The option was checked when it was read.
void Lenses::show_page(const std::string& port, std::string program) {
  lens::PageOptions options{.program = std::move(program)};
  std::from_chars(port.data(), port.data() + port.size(), options.port);
  try {
    page_ = std::make_unique<lens::Page>(lens_, options);
  } catch (const std::system_error& error) {
    throw std::runtime_error("--lens cannot have port " + std::to_string(options.port) +
                             " of 127.0.0.1: " + error.code().message());
  }
  std::fprintf(stderr, "rondo: the lens is at %s\n", page_->address().c_str());
}

}  // namespace rondo
