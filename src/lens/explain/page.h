// The page of `rondo explain --html`, made of page/explain.* by the build; the document takes the
// place of kExplainData.
#pragma once

#include <string_view>

namespace rondo::lens {

extern const std::string_view kExplainPage;
inline constexpr std::string_view kExplainData = "@data@";

}  // namespace rondo::lens
