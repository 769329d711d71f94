// Takes out of a program's output what differs between two machines, two runs, or Node's own files
// and ours, and nothing else.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo::node_tests {

// Each first string becomes the second: paths of this machine and their names.
using Names = std::vector<std::pair<std::string, std::string>>;

// - the paths in `names`;
// - "(node:1234)", the process id in a warning, becomes "(node:PID)";
// - "Node.js v20.1.2" on a line of its own, below a fatal error, becomes "Node.js VERSION";
// - stack frames inside the runtime's own JavaScript, "at emit (node:events:1:2)", are dropped, and
// so is
//   what stands in for several of them ("... 4 lines matching cause stack trace ..."); frames of
//   the user's files stay;
// - the head of a fatal error that was thrown there, "node:events:497", the source line and the
// caret below it,
//   becomes "node:<internals>".
std::string normalise(std::string_view text, const Names& names);

}  // namespace rondo::node_tests
