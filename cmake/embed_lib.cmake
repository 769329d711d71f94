# cmake -D lib=FOLDER -D js=FOLDER -D streams=FOLDER -D out=FILE -P embed_lib.cmake: writes a C++ file that holds every
# lib/**/*.js, Node's own stream modules, and the files of npm packages that lib/ uses, in read-only memory, and a table of
# them, sorted by the name under which require() finds them: "events" is lib/events.js, "stream" a file of Node's,
# "deps/acorn/dist/acorn" a file of the package acorn.
# `js` is what scripts/fetch_js.sh has filled, `streams` what scripts/fetch_streams.sh has.
file(GLOB_RECURSE sources RELATIVE ${lib} ${lib}/*.js)
file(GLOB_RECURSE stream_sources RELATIVE ${streams} ${streams}/*.js)
if(NOT stream_sources)
  message(FATAL_ERROR "${streams} has no files: `make setup` fetches them (scripts/fetch_streams.sh)")
endif()
set(packages ${js}/node_modules)
list(APPEND sources ${stream_sources} deps/acorn/dist/acorn.js deps/cjs-module-lexer/lexer.js)

# Sorted by id, which is the name without its end: "a.js" comes after "a/b.js" but "a" before "a/b".
list(TRANSFORM sources REPLACE "\\.js$" "")
list(SORT sources COMPARE STRING)

# V8 uses the bytes where they lie, as one-byte characters: they must be ASCII.
set(not_ascii "[^\t\n\r -~]")
cmake_path(GET out PARENT_PATH out_folder)

set(blobs "")
set(declarations "")
set(table "")
set(number 0)
foreach(id IN LISTS sources)
  set(source ${lib}/${id}.js)
  if(id MATCHES "^deps/(.*)")
    set(source ${packages}/${CMAKE_MATCH_1}.js)
  elseif(NOT EXISTS ${source})
    set(source ${streams}/${id}.js)
  endif()
  file(READ ${source} text)
  if(text MATCHES "${not_ascii}" AND id MATCHES "^deps/")
    # Lines that are comments can do without; nothing but them has such characters in the versions we use.
    string(REGEX REPLACE "\n[ \t]*//[^\n]*${not_ascii}[^\n]*" "\n//" text "${text}")
    set(source ${out_folder}/${id}.js)
    file(WRITE ${source} "${text}")
  endif()
  if(text MATCHES "${not_ascii}")
    message(FATAL_ERROR "${source} has characters that are not ASCII; write them as escapes")
  endif()
  string(APPEND blobs "asm(\".section .rodata\\nlib_${number}: .incbin \\\"${source}\\\"\\nlib_${number}_end:\\n.previous\");\n")
  string(APPEND declarations "extern const char lib_${number}[] asm(\"lib_${number}\");\nextern const char lib_${number}_end[] asm(\"lib_${number}_end\");\n")
  string(APPEND table "    {\"${id}\", lib_${number}, lib_${number}_end},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[// Written by cmake/embed_lib.cmake.
#include "runtime/engine/builtins.h"

@blobs@
@declarations@
namespace rondo {

const Builtin kBuiltins[] = {
@table@};
const std::size_t kBuiltinCount = @number@;

}  // namespace rondo
]])
