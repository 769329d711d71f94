# cmake -D lib=FOLDER -D js=FOLDER -D out=FILE -P embed_lib.cmake: writes a C++ file that holds every lib/**/*.js, and
# the files of npm packages that lib/ uses, in read-only memory, and a table of them, sorted by the name under which
# require() finds them: "events" is lib/events.js, "deps/acorn/dist/acorn" a file of the package acorn.
# `js` is what scripts/fetch_js.sh has filled. lib/deps/ has files that take the place of a package's own.
file(GLOB_RECURSE sources RELATIVE ${lib} ${lib}/*.js)
set(packages ${js}/node_modules)
file(GLOB_RECURSE package_sources RELATIVE ${packages} ${packages}/readable-stream/lib/*.js)
# What is for other environments, or needs what the package does not have.
list(FILTER package_sources EXCLUDE REGEX "/ours/(browser|index)\\.js$|/_stream_|/lazy_transform")
list(APPEND package_sources acorn/dist/acorn.js cjs-module-lexer/lexer.js)
list(TRANSFORM package_sources PREPEND deps/)
list(APPEND sources ${package_sources})

# Sorted by id, which is the name without its end: "a.js" comes after "a/b.js" but "a" before "a/b".
list(TRANSFORM sources REPLACE "\\.js$" "")
list(REMOVE_DUPLICATES sources)
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
  if(id MATCHES "^deps/(.*)" AND NOT EXISTS ${source})
    set(source ${packages}/${CMAKE_MATCH_1}.js)
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
#include "runtime/builtins.h"

@blobs@
@declarations@
namespace rondo {

const Builtin kBuiltins[] = {
@table@};
const std::size_t kBuiltinCount = @number@;

}  // namespace rondo
]])
