# cmake -D lib=FOLDER -D js=FOLDER -D streams=FOLDER -D out=FILE -P embed_lib.cmake: writes a C++ file that holds every
# lib/**/*.js, Node's own stream modules, and the files of npm packages that lib/ uses, in read-only memory, and a table of
# them, sorted by the name under which require() finds them: "events" is lib/events.js, "stream" a file of Node's,
# "deps/acorn/dist/acorn" a file of the package acorn.
# `js` is what scripts/fetch_js.sh has filled, `streams` what scripts/fetch_streams.sh has.
cmake_policy(VERSION 3.25)
file(GLOB_RECURSE sources RELATIVE ${lib} ${lib}/*.js)
file(GLOB_RECURSE stream_sources RELATIVE ${streams} ${streams}/*.js)
if(NOT stream_sources)
  message(FATAL_ERROR "${streams} has no files: `make setup` fetches them (scripts/fetch_streams.sh)")
endif()
set(packages ${js}/node_modules)
list(APPEND sources ${stream_sources} deps/acorn/dist/acorn.js deps/cjs-module-lexer/lexer.js internal/native/enums.js)

# Sorted by id, which is the name without its end: "a.js" comes after "a/b.js" but "a" before "a/b".
list(TRANSFORM sources REPLACE "\\.js$" "")
list(SORT sources COMPARE STRING)

# What files of lib/ call Object.keys is statics.Object_keys, which no program can change: lib/internal/startup/statics.js, which
# has the same list. Not so at the beginning of a string, which is a message or code for elsewhere.
set(static_functions
  "Array[.](from|isArray|of)"
  "Error[.](captureStackTrace)"
  "JSON[.](parse|stringify)"
  "Number[.](isFinite|isInteger|isNaN|isSafeInteger|parseFloat|parseInt)"
  "Object[.](assign|create|defineProperties|defineProperty|entries|freeze|fromEntries|getOwnPropertyDescriptor|getOwnPropertyDescriptors|getOwnPropertyNames|getOwnPropertySymbols|getPrototypeOf|hasOwn|is|isExtensible|isFrozen|isSealed|keys|preventExtensions|seal|setPrototypeOf|values)"
  "Promise[.](all|allSettled|any|race|reject|resolve|withResolvers)"
  "Reflect[.](apply|construct|defineProperty|deleteProperty|get|getOwnPropertyDescriptor|getPrototypeOf|has|isExtensible|ownKeys|preventExtensions|set|setPrototypeOf)"
  "String[.](fromCharCode|fromCodePoint|raw)"
  "Symbol[.](for)")
# name.startsWith(text) is capturedStatics.startsWith(name, text): methods that nothing but strings and
# functions has.
set(own_methods "call|charCodeAt|codePointAt|endsWith|localeCompare|padEnd|padStart|repeat|replaceAll|startsWith|toLowerCase|toUpperCase|trim|trimEnd|trimStart")
set(receiver "[A-Za-z_$][A-Za-z0-9_$]*([.][A-Za-z_$][A-Za-z0-9_$]*)*")
set(not_rewritten internal/startup/bootstrap internal/startup/statics internal/util/safe)

# V8 uses the bytes where they lie, as one-byte characters: they must be ASCII.
set(not_ascii "[^\t\n\r -~]")
cmake_path(GET out PARENT_PATH out_folder)
set(enums_out ${out_folder}/lib/internal/native/enums.js)
include(${CMAKE_CURRENT_LIST_DIR}/lib_enums.cmake)

set(blobs "")
set(declarations "")
set(table "")
set(number 0)
foreach(id IN LISTS sources)
  set(source ${lib}/${id}.js)
  if(id MATCHES "^deps/(.*)")
    set(source ${packages}/${CMAKE_MATCH_1}.js)
  elseif(id STREQUAL "internal/native/enums")
    set(source ${enums_out})
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
  if(EXISTS ${lib}/${id}.js AND NOT id IN_LIST not_rewritten)
    foreach(functions IN LISTS static_functions)
      string(REGEX MATCH "^[A-Za-z]+" class "${functions}")
      string(REGEX REPLACE "([.][.][.]|[^A-Za-z0-9_$.'\"`])${functions}([^A-Za-z0-9_$])" "\\1capturedStatics.${class}_\\2\\3" text "${text}")
    endforeach()
    string(REGEX REPLACE "([^]A-Za-z0-9_$.#)'\"`?])(${receiver})[.](${own_methods})[(]"
           "\\1capturedStatics.\\4(\\2, " text "${text}")
    string(REGEX REPLACE "([^A-Za-z0-9_$.])new (Map|Set|WeakMap|WeakSet)([^A-Za-z0-9_$])" "\\1new capturedStatics.\\2\\3" text "${text}")
    set(source ${out_folder}/lib/${id}.js)
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
