#include "script.h"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace rondo::node_tests {
namespace {

constexpr std::string_view kMark = "// rondo-test:";

// Splits at spaces. '...' is taken as it stands; in "..." a backslash makes \n, \t, or takes the
// next character as it is.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && c == ' ') {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote == '"' && c == '\\' && i + 1 < text.size()) {
      const char next = text[++i];
      word += next == 'n' ? '\n' : next == 't' ? '\t' : next;
    } else {
      word += c;
    }
  }
  if (quote != 0) throw std::runtime_error("a quote is not closed");
  if (in_word) words.push_back(word);
  return words;
}

// "{source}" in a value stands for the program itself, without its rondo-test lines.
std::string with_source(std::string value, const std::string& source) {
  constexpr std::string_view kPlaceholder = "{source}";
  if (const auto at = value.find(kPlaceholder); at != std::string::npos) {
    value.replace(at, kPlaceholder.size(), source);
  }
  return value;
}

struct Parts {
  std::vector<std::string> words;  // of all rondo-test lines
  std::string source;              // everything else
};

// The lines stand at the top; only a #! line may come before them.
Parts take_apart(std::string_view text) {
  Parts parts;
  bool at_top = true;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (at_top && line.starts_with(kMark)) {
      line.remove_prefix(kMark.size());
      if (line.ends_with('\n')) line.remove_suffix(1);
      for (auto& word : split_words(line)) parts.words.push_back(std::move(word));
      continue;
    }
    at_top = at_top && line.starts_with("#!");
    parts.source += line;
  }
  return parts;
}

}  // namespace

std::filesystem::path Script::record_file() const {
  auto record = file;
  return record.replace_extension(".out");
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator(stream), {}};
}

Script read_script(const std::filesystem::path& file) {
  Script script;
  script.file = std::filesystem::canonical(file);
  const Parts parts = take_apart(read_file(script.file));
  std::vector<std::string> after_file;
  bool with_file = true;
  for (const auto& word : parts.words) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value =
        equals == std::string::npos ? "" : with_source(word.substr(equals + 1), parts.source);
    if (key == "option") {
      script.arguments.push_back(value);
    } else if (key == "argument") {
      after_file.push_back(value);
    } else if (key == "no-file") {
      with_file = false;
    } else if (key == "stdin") {
      script.input = value;
    } else if (key == "scratch") {
      script.in_scratch_folder = true;
    } else if (key == "env") {
      const auto middle = value.find('=');
      if (middle == std::string::npos) throw std::runtime_error("env wants env=NAME=value");
      script.environment.emplace_back(value.substr(0, middle), value.substr(middle + 1));
    } else {
      throw std::runtime_error(file.string() + ": unknown rondo-test option " + key);
    }
  }
  if (with_file) script.arguments.push_back(script.file.string());
  script.arguments.insert(script.arguments.end(), after_file.begin(), after_file.end());
  return script;
}

}  // namespace rondo::node_tests
