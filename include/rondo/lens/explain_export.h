// An explanation for tools and for browsers: what `rondo explain --json` and `--html=FILE` write.
// docs/explain-json.md describes the document.
#pragma once

#include <optional>
#include <string>

#include "rondo/detail/chrono.h"
#include "rondo/lens/explain.h"

namespace rondo::lens {

/// What the explanation does not know of what it explains.
struct Explained {
  std::string program;  // the script, as it was named; may be empty
  std::string backend;
  std::chrono::system_clock::time_point started{};
  std::optional<int> exit_code = std::nullopt;
  std::string why_ended = {};  // a clause; empty: as to_string(End) says
};

/// One JSON document, in UTF-8 whatever the program printed. It has no `<` in it, so that it can
/// stand in a page.
std::string to_json(const Explanation& story, const Explained& what);

/// A page that needs nothing but itself.
std::string to_html(const Explanation& story, const Explained& what);

}  // namespace rondo::lens
