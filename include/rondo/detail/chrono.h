// Durations, time points and clocks. The header <chrono> has calendars, time zones and streams as
// well, which take longer to compile than the whole loop; libstdc++ keeps the part that we need in
// a file of its own.
#pragma once

#if defined(__has_include) && __has_include(<bits/chrono.h>)
#include <bits/chrono.h>  // IWYU pragma: export
#else
#include <chrono>  // IWYU pragma: export
#endif
