// Options of the command line: those of ours, as a table, and those of V8.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/engine/instance.h"

namespace rondo {

enum class OptionKind : std::uint8_t {
  flag,
  text,
  list,
  optional_text,  // `--x` alone is the empty text; a value needs the `=`
};

struct Option {
  std::string_view name;
  std::string_view short_name;
  OptionKind kind;
  std::string_view help;
  /// Not for NODE_OPTIONS: what to run is the command line's affair.
  bool command_line_only = false;
};

/// In the order in which --help shows them. A flag `--x` can be given as `--no-x` as well.
extern const std::span<const Option> kOptions;
/// Options of Node that are accepted and change nothing.
extern const std::span<const Option> kOptionsWithoutEffect;
/// Other names, and the option that each one means.
extern const std::span<const std::pair<std::string_view, std::string_view>> kOptionAliases;
/// The options of V8 that NODE_OPTIONS may have. The command line may have all of them.
extern const std::span<const std::string_view> kV8OptionsOfEnvironment;

/// What is wrong with an option, in Node's words.
struct BadOption {
  std::string message;
  int exit_code = 9;
};

class OptionParser {
 public:
  /// Reads options up to the first argument that is none, and returns the rest. Throws BadOption.
  std::span<const std::string> read(std::span<const std::string> arguments,
                                    bool from_environment = false);
  /// Reads NODE_OPTIONS; without that variable `fallback`, which may be null.
  void read_environment(const char* fallback);
  /// Sets what a variable that is 1 stands for, if anything.
  void read_variable(std::string_view variable);
  /// Reads options as NODE_OPTIONS has them.
  void read_text(std::string_view text);
  /// Checks values, and hands V8 the options that are not ours. Throws BadOption.
  void finish();

  /// Null if it was not given.
  const OptionValue* find(std::string_view name) const;
  bool is_set(std::string_view name) const;
  /// `fallback` if it was not given, 0 for what is not a number.
  std::int64_t number(std::string_view name, std::int64_t fallback) const;

  std::vector<std::pair<std::string, OptionValue>>& values() noexcept { return values_; }
  /// As they were written, without those of NODE_OPTIONS.
  std::vector<std::string>& given() noexcept { return given_; }
  /// Those that are not ours, before finish() asks V8 about them.
  const std::vector<std::string>& for_v8() const noexcept { return for_v8_; }

 private:
  void read_one(const std::string& argument, std::span<const std::string>& rest,
                bool from_environment);
  void take(const Option& option, std::span<const std::string>& rest);
  void add(const Option& option, std::string value);
  void set(std::string_view name, OptionValue value);
  void check_blocked() const;
  void check_why_alive() const;
  void check_inspector();
  void check_port(std::string_view name) const;
  void check_one_of(std::string_view name, std::initializer_list<std::string_view> allowed,
                    const std::string& complaint, int exit_code = 9) const;
  void check_trace() const;
  void check_secure_heap();
  void check_pairs() const;
  void limit_heap();

  std::vector<std::pair<std::string, OptionValue>> values_;
  std::vector<std::string> given_;
  std::vector<std::string> for_v8_;
};

/// Whether the option is about the whole process, so that a Worker cannot have its own.
bool is_of_process(std::string_view argument);

/// A number of bytes, such as "4096", "512K", "64M" or "2G".
std::optional<std::uint64_t> parse_size(std::string_view text);

/// The file of this program.
std::string program_path();

}  // namespace rondo
