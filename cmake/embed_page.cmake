# cmake -D page=FOLDER -D out=FILE -P embed_page.cmake: writes a C++ file that holds the files of the lens's page.
file(READ ${page}/index.html html)
file(READ ${page}/style.css style)
file(READ ${page}/page.js script)
file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[// Written by cmake/embed_page.cmake.
#include "lens/page/page_text.h"

namespace rondo::lens {

const std::string_view kPageHtml = R"_page_(@html@)_page_";
const std::string_view kPageStyle = R"_page_(@style@)_page_";
const std::string_view kPageScript = R"_page_(@script@)_page_";

}  // namespace rondo::lens
]])
