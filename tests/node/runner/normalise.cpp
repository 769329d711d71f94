#include "normalise.h"

#include <algorithm>
#include <cstddef>

namespace rondo::node_tests {
namespace {

constexpr std::string_view kDigits = "0123456789";

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (;;) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string_view without_indentation(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

// "    at emit (node:events:1:2)", "    at async node:internal/x:1:2", with " {" or "]" behind it,
// perhaps. What -e and standard input wrap around the program, "[eval]-wrapper", belongs to the
// runtime as well.
bool is_internal_frame(std::string_view line) {
  line = without_indentation(line);
  if (line.starts_with("... ") && line.find(" lines matching cause stack trace ...") != line.npos) {
    return true;
  }
  if (line.starts_with("[... lines matching original stack trace ...]")) return true;
  if (!line.starts_with("at ")) return false;
  line.remove_prefix(3);
  if (line.starts_with("async ")) line.remove_prefix(6);
  return line.starts_with("node:") || line.find("(node:") != line.npos ||
         line.find("]-wrapper:") != line.npos;
}

// What inspect() puts behind the last line of a stack: " {" before properties, and brackets that
// close around it.
std::string_view tail_of_frame(std::string_view line) {
  const auto last = line.find_last_not_of("{[]}, ");
  return last == line.npos ? std::string_view{} : line.substr(last + 1);
}

bool is_internal_head(const std::vector<std::string>& lines, std::size_t i) {
  const std::string_view line = lines[i];
  const auto colon = line.rfind(':');
  if (!line.starts_with("node:") || colon == 4 || line.find(' ') != line.npos) return false;
  if (line.substr(colon + 1).find_first_not_of(kDigits) != line.npos) return false;
  return i + 2 < lines.size() && !lines[i + 2].empty() &&
         lines[i + 2].find_first_not_of(" ^") == std::string::npos;
}

std::string without_process_id(std::string line) {
  constexpr std::string_view kStart = "(node:";
  const auto at = line.find(kStart);
  if (at == std::string::npos) return line;
  const auto first = at + kStart.size();
  const auto last = line.find_first_not_of(kDigits, first);
  if (last == first || last == std::string::npos || line[last] != ')') return line;
  return line.replace(first, last - first, "PID");
}

bool is_version(std::string_view line) {
  constexpr std::string_view kStart = "Node.js v26.";
  return line.starts_with(kStart) && line.size() > kStart.size() &&
         line.find_first_not_of("0123456789.", kStart.size()) == line.npos;
}

}  // namespace

std::string normalise(std::string_view text, const Names& names) {
  std::string named(text);
  for (const auto& [path, name] : names) named = replace_all(std::move(named), path, name);

  const auto lines = split_lines(named);
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& line = lines[i];
    if (is_internal_head(lines, i)) {
      kept.emplace_back("node:<internals>");
      i += 2;
    } else if (is_internal_frame(line)) {
      if (!kept.empty()) kept.back() += tail_of_frame(line);
    } else if (is_version(line)) {
      kept.emplace_back("Node.js VERSION");
    } else {
      kept.push_back(without_process_id(line));
    }
  }
  std::string result;
  for (const auto& line : kept) {
    if (&line != &kept.front()) result += '\n';
    result += line;
  }
  return result;
}

}  // namespace rondo::node_tests
