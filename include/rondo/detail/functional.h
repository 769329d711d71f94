// std::invoke, std::function and std::reference_wrapper, without the searchers of <functional>: see
// chrono.h.
#pragma once

#if defined(__has_include) && __has_include(<bits/std_function.h>) && __has_include(<bits/refwrap.h>)
// Not self-contained: these come first.
#include <bits/invoke.h>
#include <bits/refwrap.h>
#include <bits/std_function.h>
#include <bits/stl_function.h>

#include <tuple>
#include <typeinfo>
#include <utility>
namespace rondo::detail {
/// std::invoke(), which only <functional> declares.
template <class Function, class... Args>
constexpr decltype(auto) invoke(Function&& function, Args&&... args) {
  return std::__invoke(std::forward<Function>(function), std::forward<Args>(args)...);
}
}  // namespace rondo::detail
#else
#include <functional>  // IWYU pragma: export
namespace rondo::detail {
using std::invoke;
}
#endif
