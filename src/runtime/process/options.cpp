#include "runtime/process/options.h"

#include <v8.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <ranges>

#include "runtime/inspector/remote/debug_target.h"
#include "runtime/process/proc_files.h"

namespace rondo {

namespace {

using Kind = OptionKind;

/// Variables that enable an option when they are 1.
constexpr std::pair<const char*, std::string_view> kVariables[] = {
    {"NODE_PENDING_DEPRECATION", "--pending-deprecation"},
    {"NODE_PRESERVE_SYMLINKS", "--preserve-symlinks"},
    {"NODE_PRESERVE_SYMLINKS_MAIN", "--preserve-symlinks-main"},
    {"NODE_USE_ENV_PROXY", "--use-env-proxy"},
    {"NODE_USE_SYSTEM_CA", "--use-system-ca"},
};

const Option* find_option(std::string_view name) {
  for (const auto& [alias, meaning] : kOptionAliases) {
    if (name == alias) name = meaning;
  }
  const auto is_meant = [&](const Option& option) {
    return option.name == name || (!option.short_name.empty() && option.short_name == name);
  };
  for (const std::span<const Option> table : {kOptions, kOptionsWithoutEffect}) {
    const auto found = std::ranges::find_if(table, is_meant);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

/// Words of NODE_OPTIONS: separated by spaces, with double quotes and backslashes inside of them.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == ' ' && !quoted) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '"') {
      quoted = !quoted;
      continue;
    }
    if (c == '\\' && quoted) {
      if (++i == text.size()) throw BadOption{"invalid value for NODE_OPTIONS (invalid escape)"};
      c = text[i];
    }
    words.back() += c;
  }
  if (quoted) throw BadOption{"invalid value for NODE_OPTIONS (unterminated string)"};
  return words;
}

/// Who gives the old generation little memory wants a small heap: the young one, generous by
/// default (set_heap_sizes in instance.cpp), then keeps to an eighth of it. A later option
/// overrides these.
void limit_young_generation(std::string_view option, std::vector<std::string>& flags) {
  constexpr std::string_view kName = "--max-old-space-size=";
  if (option.size() <= kName.size()) return;
  std::string name(option.substr(0, kName.size()));
  std::ranges::replace(name, '_', '-');
  unsigned megabytes = 0;
  const std::string_view value = option.substr(kName.size());
  const auto end = value.data() + value.size();
  if (name != kName || std::from_chars(value.data(), end, megabytes).ptr != end) return;
  const unsigned size = std::max(megabytes / 8, 1U);
  flags.push_back("--max-semi-space-size=" + std::to_string(std::min(size, kMaxSemiSpaceMiB)));
  flags.push_back("--min-semi-space-size=" + std::to_string(std::min(size, kInitialSemiSpaceMiB)));
}

/// Returns the first that V8 does not know, or nothing.
std::string give_to_v8(const std::vector<std::string>& options) {
  if (options.empty()) return {};
  std::vector<std::string> copies{"rondo"};
  for (const std::string& option : options) limit_young_generation(option, copies);
  copies.insert(copies.end(), options.begin(), options.end());
  std::vector<char*> pointers;
  for (std::string& option : copies) pointers.push_back(option.data());
  int count = static_cast<int>(pointers.size());
  v8::V8::SetFlagsFromCommandLine(&count, pointers.data(), true);
  return count > 1 ? pointers[1] : std::string();
}

}  // namespace

std::span<const std::string> OptionParser::read(std::span<const std::string> arguments,
                                                bool from_environment) {
  while (!arguments.empty()) {
    const std::string& argument = arguments.front();
    if (argument == "--") {
      if (from_environment) throw BadOption{"-- is not allowed in NODE_OPTIONS"};
      return arguments.subspan(1);
    }
    if (argument.size() < 2 || argument[0] != '-') return arguments;
    given_.push_back(argument);
    arguments = arguments.subspan(1);
    read_one(argument, arguments, from_environment);
  }
  return arguments;
}

void OptionParser::read_environment(const char* fallback) {
  for (const auto& [variable, option] : kVariables) {
    const char* value = std::getenv(variable);
    if (value != nullptr && std::string_view(value) == "1") read_variable(variable);
  }
  const char* text = std::getenv("NODE_OPTIONS");
  if (text == nullptr) text = fallback;
  if (text != nullptr) read_text(text);
}

void OptionParser::read_variable(std::string_view variable) {
  for (const auto& [known, option] : kVariables) {
    if (variable == known) set(option, true);
  }
}

void OptionParser::read_text(std::string_view text) {
  const std::vector<std::string> words = split_words(text);
  read(words, true);  // what is not an option is skipped, as in Node
  given_.clear();
}

bool is_of_process(std::string_view argument) {
  const Option* option = find_option(argument.substr(0, argument.find('=')));
  return option != nullptr && (option->name == "--title" || option->command_line_only);
}

void OptionParser::finish() {
  check_one_of("--input-type", {"module", "commonjs", "module-typescript", "commonjs-typescript"},
               "--input-type must be \"module\",\"commonjs\", \"module-typescript\" or "
               "\"commonjs-typescript\"");
  check_one_of("--trace-require-module", {"all", "no-node-modules"},
               "invalid value for --trace-require-module");
  check_one_of("--test-isolation", {"process", "none"}, "invalid value for --test-isolation");
  check_one_of("--use-largepages", {"off", "on", "silent"}, "invalid value for --use-largepages");
  check_one_of("--disable-proto", {"delete", "throw"}, "invalid mode passed to --disable-proto",
               12);
  if (find("--watch-path") != nullptr) set("--watch", true);
  check_pairs();
  check_one_of("--unhandled-rejections",
               {"strict", "throw", "warn", "none", "warn-with-error-code"},
               "invalid value for --unhandled-rejections");
  check_blocked();
  check_why_alive();
  check_inspector();
  check_port("--lens");
  check_trace();
  check_secure_heap();
  if (number("--heapsnapshot-near-heap-limit", 0) < 0) {
    throw BadOption{"--heapsnapshot-near-heap-limit must not be negative"};
  }
  limit_heap();
  const std::string unknown = give_to_v8(for_v8_);
  if (!unknown.empty()) throw BadOption{"bad option: " + unknown};
}

void OptionParser::check_pairs() const {
  constexpr std::pair<std::string_view, std::string_view> kExclusive[] = {
      {"--use-openssl-ca", "--use-bundled-ca"},
      {"--tls-min-v1.3", "--tls-max-v1.2"},
      {"--use-openssl-ca", "--use-system-ca"},
      {"--test", "--check"},
      {"--test", "--eval"},
      {"--test", "--interactive"},
      {"--watch", "--check"},
      {"--watch", "--eval"},
      {"--watch", "--interactive"},
      {"--watch", "--test-force-exit"},
  };
  for (const auto& [one, other] : kExclusive) {
    const bool has_other = other == "--eval" ? find(other) != nullptr : is_set(other);
    if (is_set(one) && has_other) {
      throw BadOption{"either " + std::string(one) + " or " + std::string(other) +
                      " can be used, not both"};
    }
  }
  for (const std::string profile : {"--cpu-prof", "--heap-prof"}) {
    for (const char* part : {"-name", "-dir", "-interval"}) {
      if (find(profile + part) != nullptr && !is_set(profile)) {
        throw BadOption{profile + part + " must be used with " + profile};
      }
    }
  }
}

void OptionParser::check_blocked() const {
  const OptionValue* value = find("--blocked");
  if (value == nullptr) return;
  const auto& text = std::get<std::string>(*value);
  std::int32_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc() || end != text.data() + text.size() || limit < 1) {
    throw BadOption{"--blocked must be a number of milliseconds, from 1 to 2147483647"};
  }
}

void OptionParser::check_inspector() {
  if (find("--debug") != nullptr || find("--debug-brk") != nullptr) {
    throw BadOption{
        "[DEP0062]: `node --debug` and `node --debug-brk` are invalid. Please use `node --inspect` "
        "and `node --inspect-brk` instead."};
  }
  const OptionValue* address = find("--inspect-port");
  if (address != nullptr && !parse_debug_address(std::get<std::string>(*address))) {
    throw BadOption{"must be 0 or in range 1024 to 65535."};
  }
  if (const OptionValue* places = find("--inspect-publish-uid")) {
    for (const auto place : std::views::split(std::get<std::string>(*places), ',')) {
      const std::string_view name(place.begin(), place.end());
      if (name != "stderr" && name != "http") {
        throw BadOption{"--inspect-publish-uid destination can be stderr or http"};
      }
    }
  }
  if (is_set("--inspect-brk") || is_set("--inspect-wait") || is_set("--inspect-brk-node")) {
    set("--inspect", true);
  }
}

const OptionValue* OptionParser::find(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, &decltype(values_)::value_type::first);
  return found == values_.end() ? nullptr : &found->second;
}

bool OptionParser::is_set(std::string_view name) const {
  const OptionValue* value = find(name);
  return value != nullptr && std::holds_alternative<bool>(*value) && std::get<bool>(*value);
}

namespace {

/// Those that may have the address of --inspect-port.
bool is_of_inspector(std::string_view name) {
  return name == "--inspect" || name == "--inspect-brk" || name == "--inspect-wait" ||
         name == "--inspect-brk-node";
}

}  // namespace

void OptionParser::read_one(const std::string& argument, std::span<const std::string>& rest,
                            bool from_environment) {
  if (argument == "-pe") {  // -p and -e
    if (from_environment) throw BadOption{argument + " is not allowed in NODE_OPTIONS"};
    if (rest.empty()) throw BadOption{argument + " requires an argument"};
    set("--print", true);
    return take(*find_option("--eval"), rest);
  }
  const std::size_t equals = argument.find('=');
  std::string name = argument.substr(0, equals);
  if (name.starts_with("--")) std::ranges::replace(name.begin() + 2, name.end(), '_', '-');
  bool wanted = true;
  const Option* option = find_option(name);
  if (option == nullptr && name.starts_with("--no-")) {
    option = find_option("--" + name.substr(5));
    wanted = false;
    if (option != nullptr && option->kind != Kind::flag) {
      throw BadOption{argument + " is an invalid negation because it is not a boolean option"};
    }
  }
  const bool is_allowed = option != nullptr ? !option->command_line_only
                                            : std::ranges::find(kV8OptionsOfEnvironment, name) !=
                                                  kV8OptionsOfEnvironment.end();
  if (from_environment && !is_allowed) {
    throw BadOption{argument.substr(0, equals) + (equals == std::string::npos ? "" : "=") +
                    " is not allowed in NODE_OPTIONS"};
  }
  if (option == nullptr) {
    if (!name.starts_with("--")) throw BadOption{"bad option: " + argument};
    for_v8_.push_back(argument);
    return;
  }
  if (option->kind == Kind::flag) {
    if (option->name == "--experimental-default-config-file" && equals != std::string::npos) {
      throw BadOption{name + " does not take an argument"};
    }
    if (is_of_inspector(option->name) && equals != std::string::npos) {
      if (equals + 1 == argument.size()) throw BadOption{argument + " requires an argument"};
      set("--inspect-port", argument.substr(equals + 1));
    }
    set(option->name, wanted);  // a value after `=` has no effect otherwise, as in Node
    // The text is optional here: with none, it comes from standard input.
    if (option->name == "--print" && !rest.empty() && !rest.front().starts_with('-')) {
      take(*find_option("--eval"), rest);
    }
    return;
  }
  if (option->kind == Kind::optional_text && equals == std::string::npos) {
    if (option->name == "--experimental-config-file" && !given_.empty()) {
      given_.back() += "=node.config.json";
    }
    return set(option->name, std::string());
  }
  if (equals != std::string::npos) {
    if (equals + 1 == argument.size()) throw BadOption{argument + " requires an argument"};
    return add(*option, argument.substr(equals + 1));
  }
  if (rest.empty() || (rest.front().size() > 1 && rest.front()[0] == '-')) {
    throw BadOption{argument + " requires an argument"};
  }
  take(*option, rest);
}

void OptionParser::take(const Option& option, std::span<const std::string>& rest) {
  given_.push_back(rest.front());
  // A text may begin with a dash if that is escaped.
  add(option, rest.front().starts_with("\\-") ? rest.front().substr(1) : rest.front());
  rest = rest.subspan(1);
}

void OptionParser::add(const Option& option, std::string value) {
  if (option.kind != Kind::list) return set(option.name, std::move(value));
  for (auto& [name, list] : values_) {
    if (name != option.name) continue;
    return std::get<std::vector<std::string>>(list).push_back(std::move(value));
  }
  set(option.name, std::vector<std::string>{std::move(value)});
}

void OptionParser::set(std::string_view name, OptionValue value) {
  std::erase_if(values_, [&](const auto& entry) { return entry.first == name; });
  values_.emplace_back(name, std::move(value));
}

void OptionParser::check_port(std::string_view name) const {
  const OptionValue* value = find(name);
  if (value == nullptr) return;
  const std::string& text = std::get<std::string>(*value);
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  if (!text.empty() && std::from_chars(text.data(), end, port) != std::from_chars_result{end, {}}) {
    throw BadOption{std::string(name) + " takes a port, 0 to 65535, not \"" + text + '"'};
  }
}

void OptionParser::check_one_of(std::string_view name,
                                std::initializer_list<std::string_view> allowed,
                                const std::string& complaint, int exit_code) const {
  const OptionValue* value = find(name);
  if (value != nullptr &&
      std::ranges::find(allowed, std::get<std::string>(*value)) == allowed.end()) {
    throw BadOption{complaint, exit_code};
  }
}

std::int64_t OptionParser::number(std::string_view name, std::int64_t fallback) const {
  const OptionValue* value = find(name);
  return value == nullptr ? fallback
                          : std::strtoll(std::get<std::string>(*value).c_str(), nullptr, 10);
}

void OptionParser::check_secure_heap() {
  const std::int64_t size = number("--secure-heap", 0);
  if (size < 2) return;  // none
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  const std::int64_t least =
      std::max(std::min({size, number("--secure-heap-min", 2), kMost}), std::int64_t{2});
  const auto is_power = [](std::int64_t value) { return (value & (value - 1)) == 0; };
  std::vector<std::string> wrong;
  if (!is_power(size)) wrong.emplace_back("--secure-heap must be a power of 2");
  if (!is_power(least)) wrong.emplace_back("--secure-heap-min must be a power of 2");
  if (wrong.size() == 2) throw BadOption{wrong[0] + '\n' + wrong[1]};
  if (!wrong.empty()) throw BadOption{wrong.front()};
  set("--secure-heap-min", std::to_string(least));
}

/// --max-old-space-size-percentage, as the option of V8.
void OptionParser::limit_heap() {
  const OptionValue* value = find("--max-old-space-size-percentage");
  if (value == nullptr) return;
  const std::string& text = std::get<std::string>(*value);
  char* end = nullptr;
  const double percentage = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(percentage > 0 && percentage <= 100)) {
    throw BadOption{"--max-old-space-size-percentage must be greater than 0 and up to 100. Got: " +
                    text};
  }
  const std::uint64_t available = std::min(memory_limit(), meminfo_bytes("MemTotal"));
  const double megabytes = static_cast<double>(available >> 20) * percentage / 100;
  for_v8_.push_back("--max-old-space-size=" +
                    std::to_string(static_cast<std::uint64_t>(megabytes)));
}

void OptionParser::check_why_alive() const {
  const OptionValue* value = find("--why-alive");
  if (value == nullptr) return;
  const auto& text = std::get<std::string>(*value);
  if (text.empty()) return;  // on the signal alone
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size());
  // A week: longer than needed.
  constexpr std::uint32_t kMost = 604'800'000;
  if (error != std::errc() || number > kMost ||
      (unit != "ms" && unit != "s" && unit != "m" && unit != "h")) {
    throw BadOption{"--why-alive must be a time such as 500ms, 5s or 2m"};
  }
}

void OptionParser::check_trace() const {
  // `--trace-loop script.js` must not write over the script.
  const OptionValue* path = find("--trace-loop");
  if (path != nullptr && std::get<std::string>(*path).empty()) {
    throw BadOption{"--trace-loop requires a file: --trace-loop=FILE"};
  }
  const OptionValue* limit = find("--trace-loop-limit");
  if (limit == nullptr) return;
  if (path == nullptr) {
    throw BadOption{"--trace-loop-limit is of no use without --trace-loop"};
  }
  constexpr std::uint64_t kLeast = std::uint64_t{64} << 10;
  if (parse_size(std::get<std::string>(*limit)).value_or(0) < kLeast) {
    throw BadOption{"--trace-loop-limit must be a size of at least 64K, such as 64M or 2G"};
  }
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t size = 0;
  const auto end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, size);
  if (error != std::errc{}) return std::nullopt;
  if (unit == end) return size;
  const std::size_t power = std::string_view("KMGT").find(*unit);
  if (unit + 1 != end || power == std::string_view::npos) return std::nullopt;
  const std::size_t shift = 10 * (power + 1);
  if (size > UINT64_MAX >> shift) return std::nullopt;
  return size << shift;
}

std::string program_path() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).string();
}

}  // namespace rondo
