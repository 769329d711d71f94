// What the lens wants to know of Node's resources beyond their names.
#pragma once

#include <string_view>

#include "rondo/lens.h"

namespace rondo {

/// `type` is Node's name of the resource, `label` begins with the function that the program has
/// called.
inline lens::Traits traits_of(std::string_view type, std::string_view label) noexcept {
  const bool is_file = type == "FSREQCALLBACK" || type == "FSREQPROMISE";
  const bool is_lookup = type == "GETADDRINFOREQWRAP" || type == "GETNAMEINFOREQWRAP";
  return {
      .on_threads = is_file || is_lookup,
      .in_order = type == "WRITEWRAP" || type == "SHUTDOWNWRAP",
      .ends_by_itself = type == "PROCESSWRAP",
      .by_promises = type == "FSREQPROMISE",
      // Node 26 reads a file in one go, and may be done before the first immediate. To write one
      // takes as many iterations as there are steps in Node.
      .in_one_go = is_file && label.starts_with("readFile "),
      .in_many_steps = is_file && label.starts_with("writeFile "),
  };
}

}  // namespace rondo
