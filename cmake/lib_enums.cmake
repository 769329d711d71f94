# Included by embed_lib.cmake, with `lib` (the folder) and `enums_out` (a file to write): the numbers that C++ and lib/ agree
# on. The table is the enumeration in C++; require('internal/native/enums') is generated from it:
#
#   enum class Milestone { node_start, v8_start };        ->    Milestone: { nodeStart: 0, v8Start: 1 }
#   enum HeadBits { kKeepAlive = 1U << 16 };              ->    HeadBits: { keepAlive: 65536 }
#
# kCount (kHeadBitsCount) is left out. A file of lib/ that takes a name which does not exist ends the build: names are looked for
# in `const { name, name: kName } = Enumeration;` and `Enumeration.name`.

set(enums_root ${lib}/..)
set(enums
  "AnyType src/runtime/bindings/network/dns_resolver.cpp"
  "Encoding src/runtime/bytes/encodings.h"
  "EventKind src/http2/session.h"
  "FillFailure src/runtime/bindings/bytes/buffer.cpp"
  "HeadBits src/runtime/bindings/network/http_parser.cpp"
  "Kind include/rondo/lens.h"
  "LensNote src/runtime/bindings/lens/lens.cpp"
  "LensWants src/runtime/bindings/lens/lens.cpp"
  "LibFunction src/runtime/engine/environment.h"
  "Limit src/runtime/messaging/worker_thread.h"
  "LookupHints src/runtime/bindings/network/dns.cpp"
  "LoopFigure src/runtime/bindings/lens/iterations.cpp"
  "MemoryFigure src/runtime/bindings/process/process_methods.cpp"
  "Milestone src/runtime/process/start_time.h"
  "NoteMark src/runtime/bindings/lens/lens.cpp"
  "OnceFailure src/runtime/bindings/bytes/zlib.cpp"
  "Order include/rondo/dns.h"
  "Phase include/rondo/phase.h"
  "RejectionEvent src/runtime/engine/host/isolate_callbacks.cpp"
  "ReplyBits src/runtime/bindings/network/http_parser.cpp"
  "SamplingFlags src/runtime/bindings/language/v8.cpp"
  "SessionNumber src/runtime/bindings/network/http2.cpp"
  "Setting src/http2/session.h"
  "Shared src/runtime/engine/environment.h"
  "Source include/rondo/lens.h"
  "StatNumber src/runtime/glue/stat_numbers.h"
  "Tracing src/runtime/bindings/process/env.cpp"
  "UrlAction src/runtime/bindings/bytes/url.cpp"
  "UrlComponent src/runtime/bindings/bytes/url.cpp"
  "UrlScheme src/runtime/bindings/bytes/url.cpp"
  "Usage src/runtime/bindings/process/process_methods.cpp"
  "WantedEvents src/runtime/bindings/network/http2.cpp")

set(enums_text "")
set(enum_names "")
foreach(entry IN LISTS enums)
  string(REPLACE " " ";" entry "${entry}")
  list(GET entry 0 enum)
  list(GET entry 1 header)
  file(READ ${enums_root}/${header} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  if(NOT text MATCHES "enum (class )?${enum} : [a-z0-9_: ]+{([^}]*)}")
    message(FATAL_ERROR "${header} has no enumeration ${enum}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " body "${CMAKE_MATCH_2}")
  string(REPLACE "," ";" body "${body}")
  list(APPEND enum_names ${enum})
  set(names_of_${enum} "")
  set(value 0)
  set(members "")
  foreach(member IN LISTS body)
    string(STRIP "${member}" member)
    if(member MATCHES "^([A-Za-z0-9_]+) = ([-0-9U< ]+)$")
      set(member ${CMAKE_MATCH_1})
      string(REPLACE "U" "" number "${CMAKE_MATCH_2}")
      math(EXPR value "${number}")
    endif()
    if(NOT member STREQUAL "" AND NOT member STREQUAL "kCount" AND NOT member STREQUAL "k${enum}Count")
      string(REGEX REPLACE "^k([A-Z])" "\\1" member "${member}")
      string(REPLACE "_" ";" words "${member}")
      set(name "")
      foreach(word IN LISTS words)
        string(SUBSTRING "${word}" 0 1 first)
        string(SUBSTRING "${word}" 1 -1 rest)
        if(name STREQUAL "")
          string(TOLOWER "${first}" first)
        else()
          string(TOUPPER "${first}" first)
        endif()
        string(APPEND name "${first}${rest}")
      endforeach()
      string(APPEND members " ${name}: ${value},")
      list(APPEND names_of_${enum} ${name})
    endif()
    math(EXPR value "${value} + 1")
  endforeach()
  string(APPEND enums_text "  ${enum}: {${members} },\n")
endforeach()
file(CONFIGURE OUTPUT ${enums_out} @ONLY CONTENT [['use strict';
// Written by cmake/lib_enums.cmake.
module.exports = {
@enums_text@};
]])

# Ends the build if `name` is not in the enumeration.
function(rondo_check_enum_name file enum name)
  if(NOT name IN_LIST names_of_${enum})
    message(FATAL_ERROR "${file} takes ${enum}.${name}, which C++ does not have")
  endif()
endfunction()

file(GLOB_RECURSE enum_users ${lib}/*.js)
foreach(file IN LISTS enum_users)
  file(READ ${file} text)
  # internal/native/shared_state has Shared under names of its own: kTicks for `ticks`.
  if(text MATCHES "const {([^}]*)} = require\\('internal/native/shared_state'\\)")
    string(REGEX MATCHALL "k[A-Z][A-Za-z]*" taken "${CMAKE_MATCH_1}")
    list(REMOVE_ITEM taken kSmallReadBytes)
    foreach(name IN LISTS taken)
      string(SUBSTRING ${name} 1 1 first)
      string(SUBSTRING ${name} 2 -1 rest)
      string(TOLOWER ${first} first)
      rondo_check_enum_name(${file} Shared ${first}${rest})
    endforeach()
  endif()
  if(NOT text MATCHES "const {([^}]*)} = require\\('internal/native/enums'\\)")
    continue()
  endif()
  string(REGEX REPLACE "[ \n,]+" ";" taken "${CMAKE_MATCH_1}")
  foreach(enum IN LISTS taken)
    if(enum STREQUAL "")
      continue()
    endif()
    if(NOT enum IN_LIST enum_names)
      message(FATAL_ERROR "${file} takes the enumeration ${enum}, which cmake/lib_enums.cmake does not list")
    endif()
    string(REGEX MATCHALL "[^A-Za-z0-9_.$]${enum}[.][A-Za-z0-9]+" uses "${text}")
    foreach(use IN LISTS uses)
      string(REGEX REPLACE "^.*[.]" "" name "${use}")
      rondo_check_enum_name(${file} ${enum} ${name})
    endforeach()
    string(REGEX MATCHALL "const {[^}]*} = ${enum};" patterns "${text}")
    foreach(pattern IN LISTS patterns)
      string(REGEX REPLACE "const {([^}]*)}.*" "\\1" pattern "${pattern}")
      string(REPLACE "," ";" parts "${pattern}")
      foreach(part IN LISTS parts)
        string(REGEX REPLACE ":.*" "" name "${part}")
        string(STRIP "${name}" name)
        if(NOT name STREQUAL "")
          rondo_check_enum_name(${file} ${enum} ${name})
        endif()
      endforeach()
    endforeach()
  endforeach()
endforeach()
