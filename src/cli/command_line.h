// The command line: options first, then a script and what is for the script.
#pragma once

#include <optional>

#include "cli/explain_command.h"
#include "runtime/engine/instance.h"

namespace rondo {

struct CommandLine {
  StartInfo start;
  std::optional<ExplainCommand> explain;
  /// Set if there is nothing to run: after --help, or after an error that has been printed.
  std::optional<int> exit_code;
};

/// Reads the command line and NODE_OPTIONS, and hands V8 the options that are V8's.
CommandLine parse_command_line(int argc, char** argv);

}  // namespace rondo
