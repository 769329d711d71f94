// rondo explain [options] script.js [arguments]: what the loop did, and why.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rondo/lens/explain.h"

namespace rondo {

struct ExplainCommand {
  lens::ExplanationOptions story;
  bool json = false;
  std::string html;  // the file; empty: none
  std::string script;
};

/// Takes the word `explain` and the options that are its own from the arguments; the rest is a
/// command line like any other. Nothing if the first argument is another. Throws BadOption.
std::optional<ExplainCommand> take_explain_command(std::vector<std::string>& arguments,
                                                   bool& wants_help);

std::string_view explain_usage();

/// From now on what the process prints is part of the story.
/// Throws std::system_error if the file of --html cannot be written.
std::unique_ptr<lens::Watcher> make_explainer(const ExplainCommand& command, lens::Lens& lens);

}  // namespace rondo
