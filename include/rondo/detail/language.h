// What the compiler must support. One clear error instead of a thousand.
#pragma once

#if !defined(__cplusplus) || __cplusplus <= 202002L || !__has_include(<expected>)
#error "Rondo needs C++23 and its <expected>: g++ 12 or clang 16 and later, with -std=c++23"
#include "stop: Rondo needs C++23, see the line before"
#endif
