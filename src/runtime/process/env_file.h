// Files of variables for the environment (--env-file, process.loadEnvFile(), util.parseEnv()), as
// Node reads them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace rondo {

/// Sorted by name, which is the order in which util.parseEnv() returns them.
using Variables = std::map<std::string, std::string>;

enum class EnvFileResult : std::uint8_t { read, not_found, unreadable };

/// KEY=value lines; values may be quoted with ', " or `, and then span lines; `#` begins a comment.
/// There are no errors: a line without "=" is skipped. A name that is there already gets the new
/// value.
void parse_env(std::string_view text, Variables& variables);
EnvFileResult read_env_file(const std::string& path, Variables& variables);

/// Sets those that the process has not got yet.
void set_missing_variables(const Variables& variables);

}  // namespace rondo
