// The page, as one document. The build takes it from src/lens/page/.
#pragma once

#include <string>
#include <string_view>

namespace rondo::lens {

/// In the file that the build writes (cmake/embed_page.cmake).
extern const std::string_view kPageHtml;
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

/// With style and script inserted, which the browser accepts only with this nonce.
std::string page_text(std::string_view nonce);

}  // namespace rondo::lens
