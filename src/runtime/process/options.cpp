#include "runtime/process/options.h"

#include <v8.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <limits>

namespace rondo {

namespace {

using Kind = OptionKind;

constexpr Option kTable[] = {
    {"--async-context-frame", "", Kind::flag,
     "no effect: stores of AsyncLocalStorage are always in frames"},
    {"--blocked", "", Kind::text,
     "report what keeps the loop from going on for longer than this many milliseconds"},
    {"--check", "-c", Kind::flag, "check the syntax of the script, and run nothing", true},
    {"--conditions", "-C", Kind::list, "a condition for conditional exports and imports"},
    {"--deprecation", "", Kind::flag, "--no-deprecation: no warnings of what is deprecated"},
    {"--disable-warning", "", Kind::list, "no warnings of this code or type"},
    {"--enable-fips", "", Kind::flag, "only what OpenSSL's provider fips has"},
    {"--enable-source-maps", "", Kind::flag, "no effect: stacks show the code that runs"},
    {"--entry-url", "", Kind::flag, "the script is a URL", true},
    {"--env-file", "", Kind::list, "take variables of the environment from this file", true},
    {"--env-file-if-exists", "", Kind::list, "the same; a file that is not there is no error",
     true},
    {"--eval", "-e", Kind::text, "run this text", true},
    {"--experimental-detect-module", "", Kind::flag,
     "--no-...: a file of which nothing says that it is an ES module is none"},
    {"--experimental-eventsource", "", Kind::flag, "the global EventSource"},
    {"--experimental-global-navigator", "", Kind::flag, "--no-...: no global navigator"},
    {"--experimental-import-meta-resolve", "", Kind::flag,
     "import.meta.resolve() takes a second argument, the parent"},
    {"--experimental-import-text", "", Kind::flag, "import of files as text"},
    {"--experimental-loader", "", Kind::list,
     "the hooks of this module take part in loading modules"},
    {"--experimental-test-coverage", "", Kind::flag, "not there: an error of the tests", true},
    {"--experimental-test-module-mocks", "", Kind::flag, "mock.module() of node:test"},
    {"--experimental-test-tag-filter", "", Kind::list, "only tests with this tag"},
    {"--experimental-vm-modules", "", Kind::flag, "vm.SourceTextModule and its kin"},
    {"--experimental-sqlite", "", Kind::flag, "--no-...: no node:sqlite"},
    {"--experimental-stream-iter", "", Kind::flag, "node:stream/iter and node:zlib/iter"},
    {"--experimental-websocket", "", Kind::flag, "--no-...: no global WebSocket"},
    {"--experimental-webstorage", "", Kind::flag, "--no-...: no localStorage, no sessionStorage"},
    {"--expose-internals", "", Kind::flag, "require() finds what is inside, for Node's own tests"},
    {"--force-fips", "", Kind::flag, "the same, and nothing can change it"},
    {"--help", "-h", Kind::flag, "this text", true},
    {"--import", "", Kind::list, "import this module first"},
    {"--insecure-http-parser", "", Kind::flag, "accept HTTP that the standard forbids: dangerous"},
    {"--input-type", "", Kind::text,
     "module or commonjs, with -typescript or not: what -e, -p and standard input are"},
    {"--interactive", "-i", Kind::flag, "the prompt, even if standard input is no terminal", true},
    {"--lens", "", Kind::optional_text, "show the loop on a live page; --lens=PORT: at this port"},
    {"--max-http-header-size", "", Kind::text, "bytes that the head of a message may have (16384)"},
    {"--openssl-config", "", Kind::text, "OpenSSL's configuration, instead of OPENSSL_CONF"},
    {"--openssl-legacy-provider", "", Kind::flag, "algorithms of OpenSSL that are out of use"},
    {"--openssl-shared-config", "", Kind::flag,
     "the section openssl_conf of the configuration, not nodejs_conf"},
    {"--pending-deprecation", "", Kind::flag, "warn of what will be deprecated"},
    {"--preserve-symlinks", "", Kind::flag, "a module is where its link is"},
    {"--preserve-symlinks-main", "", Kind::flag, "the same for the script"},
    {"--print", "-p", Kind::flag, "run the text that follows, and print its value", true},
    {"--redirect-warnings", "", Kind::text, "warnings go to this file"},
    {"--report-compact", "", Kind::flag, "diagnostic reports are one line of JSON"},
    {"--report-directory", "", Kind::text, "the folder for diagnostic reports"},
    {"--report-exclude-env", "", Kind::flag, "no variables of the environment in reports"},
    {"--report-exclude-network", "", Kind::flag, "no network interfaces in reports"},
    {"--report-filename", "", Kind::text, "the file for a report, or stdout or stderr"},
    {"--report-on-fatalerror", "", Kind::flag, "sets process.report.reportOnFatalError; no effect"},
    {"--report-on-signal", "", Kind::flag, "write a report when --report-signal comes"},
    {"--report-signal", "", Kind::text, "the signal for a report (SIGUSR2)"},
    {"--report-uncaught-exception", "", Kind::flag, "write a report of an uncaught exception"},
    {"--require", "-r", Kind::list, "require this module first"},
    {"--require-module", "", Kind::flag, "--no-...: require() of ES modules throws"},
    {"--secure-heap", "", Kind::text, "bytes of OpenSSL's heap for secrets, a power of 2"},
    {"--secure-heap-min", "", Kind::text, "the least that is taken from it, a power of 2"},
    {"--strip-types", "", Kind::flag, "--no-...: no TypeScript"},
    {"--test", "", Kind::flag, "run files of tests; the arguments are patterns of their names",
     true},
    {"--test-concurrency", "", Kind::text, "how many files of tests run at a time", true},
    {"--test-force-exit", "", Kind::flag, "exit when all tests have ended", true},
    {"--test-global-setup", "", Kind::text, "a module that runs before and after all tests"},
    {"--test-isolation", "", Kind::text, "process (the default) or none: a process for each file"},
    {"--test-name-pattern", "", Kind::list, "only tests whose name matches"},
    {"--test-only", "", Kind::flag, "only tests with the option only"},
    {"--test-random-seed", "", Kind::text, "tests run in the order that this number gives"},
    {"--test-randomize", "", Kind::flag, "tests run in a random order"},
    {"--test-reporter", "", Kind::list, "spec, tap, dot, junit, lcov, or a module"},
    {"--test-reporter-destination", "", Kind::list, "stdout, stderr, or a file"},
    {"--test-rerun-failures", "", Kind::text, "run what has failed, as this file says"},
    {"--test-shard", "", Kind::text, "INDEX/TOTAL: run this part of the files"},
    {"--test-skip-pattern", "", Kind::list, "no tests whose name matches"},
    {"--test-timeout", "", Kind::text, "a limit for each test, in milliseconds", true},
    {"--test-update-snapshots", "", Kind::flag, "write the snapshots of tests anew", true},
    {"--throw-deprecation", "", Kind::flag, "what is deprecated throws"},
    {"--tls-cipher-list", "", Kind::text, "the ciphers of TLS if a program names none"},
    {"--tls-keylog", "", Kind::text, "write the keys of TLS connections to this file: for debugging"},
    {"--tls-max-v1.2", "", Kind::flag, "the newest version of TLS if a program names none"},
    {"--tls-max-v1.3", "", Kind::flag, "the same"},
    {"--tls-min-v1.0", "", Kind::flag, "the oldest version of TLS if a program names none"},
    {"--tls-min-v1.1", "", Kind::flag, "the same"},
    {"--tls-min-v1.2", "", Kind::flag, "the same"},
    {"--tls-min-v1.3", "", Kind::flag, "the same"},
    {"--title", "", Kind::text, "the name that ps shows"},
    {"--trace-deprecation", "", Kind::flag, "show where something deprecated was used"},
    {"--trace-loop", "", Kind::optional_text,
     "--trace-loop=FILE: write what the loop does to this file, for Perfetto", true},
    {"--trace-loop-limit", "", Kind::text, "stop that at this size: 64M, 2G (256M)", true},
    {"--trace-require-module", "", Kind::text,
     "all or no-node-modules: warn of require() of ES modules"},
    {"--trace-tls", "", Kind::flag, "write what TLS connections do to standard error"},
    {"--trace-uncaught", "", Kind::flag, "show where something uncaught was thrown"},
    {"--trace-warnings", "", Kind::flag, "show where a warning was given"},
    {"--unhandled-rejections", "", Kind::text,
     "strict, throw (the default), warn, none or warn-with-error-code"},
    {"--use-env-proxy", "", Kind::flag,
     "requests go to the proxies that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name"},
    {"--use-bundled-ca", "", Kind::flag, "trust Mozilla's root certificates (the default)"},
    {"--use-openssl-ca", "", Kind::flag, "trust those that OpenSSL is configured with"},
    {"--use-system-ca", "", Kind::flag, "trust those of the system as well"},
    {"--version", "-v", Kind::flag, "print the version of Node that is followed", true},
    {"--warnings", "", Kind::flag, "--no-warnings: none at all"},
    {"--why-alive", "", Kind::optional_text,
     "on SIGUSR2, and after this time (5s, 500ms, 2m), list what keeps the process alive"},
};

/// Older names.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"--experimental-require-module", "--require-module"},
    {"--loader", "--experimental-loader"},
    {"--report-dir", "--report-directory"},
    {"--experimental-test-isolation", "--test-isolation"},
    {"--experimental-strip-types", "--strip-types"},
};

/// Variables that, when they are 1, stand for an option.
constexpr std::pair<const char*, std::string_view> kVariables[] = {
    {"NODE_PENDING_DEPRECATION", "--pending-deprecation"},
    {"NODE_PRESERVE_SYMLINKS", "--preserve-symlinks"},
    {"NODE_PRESERVE_SYMLINKS_MAIN", "--preserve-symlinks-main"},
    {"NODE_USE_ENV_PROXY", "--use-env-proxy"},
    {"NODE_USE_SYSTEM_CA", "--use-system-ca"},
};

const Option* find_option(std::string_view name) {
  for (const auto& [alias, meaning] : kAliases) {
    if (name == alias) name = meaning;
  }
  const auto found = std::ranges::find_if(kTable, [&](const Option& option) {
    return option.name == name || (!option.short_name.empty() && option.short_name == name);
  });
  return found == std::end(kTable) ? nullptr : found;
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

const std::span<const Option> kOptions = kTable;

std::span<const std::string> OptionParser::read(std::span<const std::string> arguments,
                                                bool from_environment) {
  while (!arguments.empty()) {
    const std::string& argument = arguments.front();
    if (argument == "--") return arguments.subspan(1);
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
    if (value != nullptr && std::string_view(value) == "1") set(option, true);
  }
  const char* text = std::getenv("NODE_OPTIONS");
  if (text == nullptr) text = fallback;
  if (text != nullptr) read_text(text);
}

void OptionParser::read_text(std::string_view text) {
  const std::vector<std::string> words = split_words(text);
  read(words, true);  // what is no option is passed over, as in Node
  given_.clear();
  options_of_environment_ = for_v8_;
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
  check_one_of("--unhandled-rejections",
               {"strict", "throw", "warn", "none", "warn-with-error-code"},
               "invalid value for --unhandled-rejections");
  check_blocked();
  check_why_alive();
  check_port("--lens");
  check_trace();
  check_secure_heap();
  const std::string unknown = give_to_v8(for_v8_);
  if (unknown.empty()) return;
  if (std::ranges::find(options_of_environment_, unknown) != options_of_environment_.end()) {
    throw BadOption{unknown + " is not allowed in NODE_OPTIONS"};
  }
  throw BadOption{"bad option: " + unknown};
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

const OptionValue* OptionParser::find(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, &decltype(values_)::value_type::first);
  return found == values_.end() ? nullptr : &found->second;
}

bool OptionParser::is_set(std::string_view name) const {
  const OptionValue* value = find(name);
  return value != nullptr && std::holds_alternative<bool>(*value) && std::get<bool>(*value);
}

void OptionParser::read_one(const std::string& argument, std::span<const std::string>& rest,
                            bool from_environment) {
  if (argument == "-pe") {  // -p and -e
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
    if (option != nullptr && option->kind != Kind::flag) option = nullptr;
  }
  if (option == nullptr) {
    if (!name.starts_with("--")) throw BadOption{"bad option: " + argument};
    for_v8_.push_back(argument);
    return;
  }
  if (from_environment && option->command_line_only) {
    throw BadOption{name + (equals == std::string::npos ? "" : "=") +
                    " is not allowed in NODE_OPTIONS"};
  }
  if (option->kind == Kind::flag) {
    if (equals != std::string::npos) throw BadOption{argument + " takes no value"};
    set(option->name, wanted);
    // The text is optional here: with none, it comes from standard input.
    if (option->name == "--print" && !rest.empty() && !rest.front().starts_with('-')) {
      take(*find_option("--eval"), rest);
    }
    return;
  }
  if (option->kind == Kind::optional_text && equals == std::string::npos) {
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
                                const std::string& complaint) const {
  const OptionValue* value = find(name);
  if (value != nullptr &&
      std::ranges::find(allowed, std::get<std::string>(*value)) == allowed.end()) {
    throw BadOption{complaint};
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

void OptionParser::check_why_alive() const {
  const OptionValue* value = find("--why-alive");
  if (value == nullptr) return;
  const auto& text = std::get<std::string>(*value);
  if (text.empty()) return;  // on the signal alone
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size());
  // A week is more than anybody waits.
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
