#include "cli/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <span>

#include "runtime/crypto/init.h"
#include "runtime/process/config_file.h"
#include "runtime/process/env_file.h"
#include "runtime/process/node_version.h"
#include "runtime/process/options.h"

namespace rondo {

namespace {

constexpr int kBadOption = 9;

std::string read_standard_input() {
  std::string text;
  std::array<char, 65536> chunk;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count > 0) text.append(chunk.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
  }
}

void print_help() {
  std::puts(
      "Usage: rondo [options] [ script.js ] [arguments]\n"
      "       rondo explain [options] script.js [arguments]\n\n"
      "Runs JavaScript as Node "
      "v26"
      " does.\n\nOptions:");
  std::puts(
      "  -                             read the script from standard input (the default\n"
      "                                unless that is a terminal)\n"
      "  --                            end of options");
  for (const Option& option : kOptions) {
    std::string names(option.short_name);
    if (!names.empty()) names += ", ";
    names += option.name;
    if (option.kind != OptionKind::flag) names += "=...";
    if (names.size() > 28) {
      std::printf("  %s\n%32s%.*s\n", names.c_str(), "", static_cast<int>(option.help.size()),
                  option.help.data());
    } else {
      std::printf("  %-30s%.*s\n", names.c_str(), static_cast<int>(option.help.size()),
                  option.help.data());
    }
  }
  std::puts(
      "\nV8 options are accepted as well: --max-old-space-size=MiB, --stack-trace-limit=N,\n"
      "--expose-gc ... (list them with --v8-options).\n\n"
      "Environment variables:\n"
      "  RONDO_BACKEND                 kernel interface of the loop: uring or epoll\n"
      "  NODE_OPTIONS                  options that precede those of the command line\n"
      "  NODE_PATH                     directories prefixed to the module search path\n"
      "  NODE_NO_WARNINGS=1            the same as --no-warnings");
}

/// What bash reads to complete the options of the command line.
void print_completion() {
  std::string words;
  const auto add = [&](std::string_view word) {
    if (!word.empty()) words += (words.empty() ? "" : " ") + std::string(word);
  };
  for (const std::span<const Option> table : {kOptions, kOptionsWithoutEffect}) {
    for (const Option& option : table) {
      add(option.name);
      add(option.short_name);
    }
  }
  for (const auto& [alias, meaning] : kOptionAliases) add(alias);
  std::printf(
      "_rondo_complete() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\"\n"
      "  if [[ \"${word}\" == -* ]]; then\n"
      "    COMPREPLY=( $(compgen -W '%s' -- \"${word}\") )\n"
      "  else\n"
      "    COMPREPLY=( $(compgen -f \"${word}\") )\n"
      "  fi\n"
      "}\n"
      "complete -o filenames -o nospace -o bashdefault -F _rondo_complete rondo\n",
      words.c_str());
}

/// Reads the files of --env-file and --env-file-if-exists, before anything else: they may hold
/// NODE_OPTIONS. As in Node, also where they are arguments of the script.
Variables read_env_files(std::span<const std::string> arguments, std::vector<std::string>& errors) {
  Variables variables;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::size_t equals = arguments[i].find('=');
    const std::string_view name = std::string_view(arguments[i]).substr(0, equals);
    const bool optional = name == "--env-file-if-exists";
    if (!optional && name != "--env-file") continue;
    if (equals == std::string::npos && i + 1 == arguments.size()) break;
    const std::string path =
        equals == std::string::npos ? arguments[i + 1] : arguments[i].substr(equals + 1);
    switch (read_env_file(path, variables)) {
      case EnvFileResult::read:
        break;
      case EnvFileResult::unreadable:
        errors.push_back(path + ": invalid format");
        break;
      case EnvFileResult::not_found:
        if (optional)
          std::fprintf(stderr, "%s not found. Continuing without it.\n", path.c_str());
        else
          errors.push_back(path + ": not found");
    }
  }
  return variables;
}

/// Reads the options of --experimental-config-file, which give way to all others. False if the file
/// is no such file.
bool read_config(OptionParser& parser, std::span<const std::string> arguments,
                 const char* program) {
  OptionParser given;
  try {
    given.read(arguments);
  } catch (const BadOption&) {
    return true;  // it is reported when they are read for good
  }
  const OptionValue* file = given.find("--experimental-config-file");
  if (file == nullptr && !given.is_set("--experimental-default-config-file")) return true;
  std::string path = file == nullptr ? std::string() : std::get<std::string>(*file);
  if (path.empty()) path = "node.config.json";
  try {
    parser.read(read_config_file(path));
    parser.given().clear();
    return true;
  } catch (const BadConfigFile& bad) {
    if (!bad.explanation.empty()) std::fprintf(stderr, "%s\n", bad.explanation.c_str());
    std::fprintf(stderr, "%s: %s\n", program, bad.summary.c_str());
    return false;
  }
}

using Main = std::vector<std::pair<std::string, OptionValue>>;

/// What to run; takes the script from the arguments.
Main choose_main(const OptionParser& parser, std::span<const std::string>& arguments) {
  const bool check = parser.is_set("--check");
  const bool print = parser.is_set("--print");
  if (const OptionValue* source = parser.find("--eval")) {
    if (check) throw BadOption{"either --check or --eval can be used, not both"};
    return {{"kind", "source"}, {"source", *source}, {"print", print}};
  }
  if (parser.find("--run") != nullptr) return {{"kind", "run"}};
  if (parser.is_set("--test")) return {{"kind", "test"}};
  if (parser.is_set("--watch")) return {{"kind", "watch"}};
  if (!arguments.empty() && arguments.front() != "-" && !arguments.front().empty()) {
    return {{"kind", check ? "check" : "file"}, {"path", arguments.front()}};
  }
  if (arguments.empty() && !check &&
      (parser.is_set("--interactive") || (::isatty(STDIN_FILENO) != 0 && !print))) {
    return {{"kind", "repl"}};
  }
  return {{"kind", check ? "check" : "input"}, {"source", read_standard_input()}, {"print", print}};
}

/// Passes its options on. False for a mode that it does not have.
bool prepare_openssl(const OptionParser& parser, const char* program) {
  const OptionValue* config = parser.find("--openssl-config");
  crypto::set_openssl_options(
      {.config = config == nullptr ? std::string() : std::get<std::string>(*config),
       .shared_config = parser.is_set("--openssl-shared-config"),
       .legacy_provider = parser.is_set("--openssl-legacy-provider"),
       .secure_heap = static_cast<std::uint64_t>(parser.number("--secure-heap", 0)),
       .secure_heap_min = static_cast<std::uint64_t>(parser.number("--secure-heap-min", 2))});
  const bool is_forced = parser.is_set("--force-fips");
  if (!is_forced && !parser.is_set("--enable-fips")) return true;
  crypto::initialise_openssl();
  if (crypto::has_fips_provider() && crypto::set_fips(true)) return true;
  std::fprintf(stderr,
               "%s: %s requires an active OpenSSL provider named \"fips\". FIPS mode is configured "
               "through OpenSSL; see https://nodejs.org/api/crypto.html#fips-mode\n",
               program, is_forced ? "--force-fips" : "--enable-fips");
  return false;
}

}  // namespace

CommandLine parse_command_line(int argc, char** argv) {
  CommandLine line;
  try {
    OptionParser parser;
    std::vector<std::string> all(argv + std::min(argc, 1), argv + argc);
    std::vector<std::string> errors;
    const Variables variables = read_env_files(all, errors);
    if (!errors.empty()) {
      for (const std::string& error : errors) {
        std::fprintf(stderr, "%s: %s\n", argv[0], error.c_str());
      }
      line.exit_code = kBadOption;
      return line;
    }
    if (!read_config(parser, all, argv[0])) {
      line.exit_code = kBadOption;
      return line;
    }
    const auto node_options = variables.find("NODE_OPTIONS");
    parser.read_environment(node_options == variables.end() ? nullptr
                                                            : node_options->second.c_str());
    bool wants_explain_help = false;
    line.explain = take_explain_command(all, wants_explain_help);
    if (wants_explain_help) {
      std::fputs(explain_usage().data(), stdout);
      line.exit_code = 0;
      return line;
    }
    std::span<const std::string> arguments = parser.read(all);
    if (parser.is_set("--help") || parser.is_set("--version")) {
      parser.is_set("--help") ? print_help() : void(std::printf("v%s\n", kNodeVersion));
      line.exit_code = 0;
      return line;
    }
    if (parser.is_set("--completion-bash")) {
      print_completion();
      line.exit_code = 0;
      return line;
    }
    parser.finish();
    if (!prepare_openssl(parser, argv[0])) {
      line.exit_code = 1;
      return line;
    }
    // Under --watch the child reads them, again each time.
    const bool has_files =
        parser.find("--env-file") != nullptr || parser.find("--env-file-if-exists") != nullptr;
    if (has_files && (!parser.is_set("--watch") || parser.is_set("--test"))) {
      set_missing_variables(variables);
    }
    if (line.explain && arguments.empty() && parser.find("--eval") == nullptr) {
      std::fputs(explain_usage().data(), stderr);
      line.exit_code = kBadOption;
      return line;
    }
    line.start.main = choose_main(parser, arguments);
    if (line.explain && !arguments.empty()) line.explain->script = arguments.front();
    line.start.exec_path = program_path();
    line.start.argv0 = argc > 0 ? argv[0] : "rondo";
    line.start.argv.push_back(line.start.exec_path);
    line.start.argv.insert(line.start.argv.end(), arguments.begin(), arguments.end());
    line.start.exec_argv = std::move(parser.given());
    line.start.options = std::move(parser.values());
  } catch (const BadOption& bad) {
    std::fprintf(stderr, "%s: %s\n", argc > 0 ? argv[0] : "rondo", bad.message.c_str());
    line.exit_code = bad.exit_code;
  }
  return line;
}

}  // namespace rondo
