# cmake -D page=FOLDER -D out=FILE -P embed_explain_page.cmake: makes one text of explain.html, explain.css and
# explain.js, and writes a C++ file that holds it. The page says by a Content-Security-Policy which script and which
# style are its own, by their hashes: nothing that a program printed can become either.

# The base64 of a hash, as policies want it; CMake gives hashes in hexadecimal digits.
function(to_base64 hexadecimal result)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(text "")
  # 32 bytes are ten groups of three, and two bytes that lack one.
  foreach(group RANGE 10)
    math(EXPR begin "${group} * 6")
    string(SUBSTRING "${hexadecimal}00" ${begin} 6 bytes)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${bytes} >> ${shift}) & 63")
      string(SUBSTRING ${digits} ${digit} 1 digit)
      string(APPEND text ${digit})
    endforeach()
  endforeach()
  string(REGEX REPLACE ".$" "=" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

file(READ ${page}/explain.html html)
foreach(part css js)
  file(READ ${page}/explain.${part} text)
  string(SHA256 hash "${text}")
  to_base64(${hash} hash)
  string(REPLACE "@${part}_hash@" "${hash}" html "${html}")
  string(REPLACE "@${part}@" "${text}" html "${html}")
endforeach()
cmake_path(REPLACE_EXTENSION out html OUTPUT_VARIABLE whole)
file(WRITE ${whole} "${html}")

file(WRITE ${out} "// Written by cmake/embed_explain_page.cmake.
#include \"lens/explain/page.h\"

asm(\".section .rodata\\nrondo_explain_page: .incbin \\\"${whole}\\\"\\n\"
    \"rondo_explain_page_end:\\n.previous\");
extern const char rondo_explain_page[] asm(\"rondo_explain_page\");
extern const char rondo_explain_page_end[] asm(\"rondo_explain_page_end\");

namespace rondo::lens {

const std::string_view kExplainPage{
    rondo_explain_page, static_cast<std::size_t>(rondo_explain_page_end - rondo_explain_page)};

}  // namespace rondo::lens
")
