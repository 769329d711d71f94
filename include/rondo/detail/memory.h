// std::unique_ptr and std::shared_ptr, without the parallel algorithms of <memory>: see chrono.h.
#pragma once

#include <new>

#if defined(__has_include) && __has_include(<bits/unique_ptr.h>) && __has_include(<bits/shared_ptr.h>)
#include <bits/shared_ptr.h>  // IWYU pragma: export
#include <bits/unique_ptr.h>  // IWYU pragma: export
#else
#include <memory>  // IWYU pragma: export
#endif
