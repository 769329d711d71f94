#include "runtime/process/env_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

namespace rondo {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// What follows the first line end at or after `from`.
std::string_view after_line(std::string_view text, std::size_t from = 0) {
  const std::size_t newline = text.find('\n', from);
  return newline == text.npos ? std::string_view() : text.substr(newline + 1);
}

void expand_newlines(std::string& text) {
  for (std::size_t at = 0; (at = text.find("\\n", at)) != text.npos; ++at)
    text.replace(at, 2, "\n");
}

/// Reads the value that the text begins with, and returns what is after it.
std::string_view read_value(std::string_view text, std::string& value) {
  const char quote = text.front();
  const std::string_view line = text.substr(0, text.find('\n'));
  if (quote != '"' && quote != '\'' && quote != '`') {
    value = trim(line.substr(0, line.find('#')));
    return trim(after_line(text));
  }
  const std::size_t closing = text.find(quote, 1);
  if (closing == text.npos) {
    value = line;
    return trim(after_line(text));
  }
  value = text.substr(1, closing - 1);
  if (quote == '"') expand_newlines(value);
  return after_line(text, closing + 1);
}

}  // namespace

// Where Node trims and where it does not can be observed, for example in "A=\n  # B=C", which sets
// "# B".
void parse_env(std::string_view text, Variables& variables) {
  constexpr std::string_view kExport = "export ";
  std::string lines(text);
  std::erase(lines, '\r');
  std::string_view rest = trim(lines);
  while (!rest.empty()) {
    if (rest.front() == '\n' || rest.front() == '#') {
      rest = after_line(rest);
      continue;
    }
    const std::size_t end = rest.find_first_of("=\n");
    if (end == rest.npos) return;
    if (rest[end] == '\n') {
      rest = trim(rest.substr(end + 1));
      continue;
    }
    std::string_view key = trim(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (rest.empty() || rest.front() == '\n') {
      variables[std::string(key)].clear();
      continue;
    }
    rest = trim(rest);
    if (key.empty()) continue;
    if (key.starts_with(kExport)) key = trim(key.substr(kExport.size()));
    std::string& value = variables[std::string(key)];
    if (rest.empty()) {
      value.clear();
      return;
    }
    rest = read_value(rest, value);
  }
}

EnvFileResult read_env_file(const std::string& path, Variables& variables) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return EnvFileResult::not_found;
  std::string text;
  std::array<char, 8192> chunk;
  ssize_t count = 0;
  while ((count = ::read(descriptor, chunk.data(), chunk.size())) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  ::close(descriptor);
  if (count < 0) return EnvFileResult::unreadable;
  parse_env(text, variables);
  return EnvFileResult::read;
}

void set_missing_variables(const Variables& variables) {
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 0);
}

}  // namespace rondo
