// Again, after a while, when something has failed.
//
//     auto socket = co_await rondo::retry({.attempts = 5}, [&] { return
//     TcpSocket::connect(address); });
#pragma once

#include <cerrno>
#include <concepts>
#include <cstddef>
#include <system_error>
#include <type_traits>
#include <utility>

#include "rondo/async.h"
#include "rondo/detail/chrono.h"
#include "rondo/error.h"

namespace rondo {

struct RetryOptions {
  /// All together, the first included; 0 counts as 1.
  std::size_t attempts = 5;
  /// After the first failure; each further one is `factor` times as long, up to `longest`.
  std::chrono::nanoseconds delay = std::chrono::milliseconds(100);
  double factor = 2;
  std::chrono::nanoseconds longest = std::chrono::seconds(30);
  /// The part of a delay that is random, so that operations that failed together do not all
  /// try again together: 0 for none, 1 for all of it.
  double jitter = 0.5;
};

namespace detail {

/// The delays between attempts.
class Backoff {
 public:
  explicit Backoff(const RetryOptions& options) noexcept
      : options_(options), next_(static_cast<double>(options.delay.count())) {}
  std::chrono::nanoseconds next();

 private:
  RetryOptions options_;
  double next_;  // in nanoseconds
};

struct AlwaysAgain {
  bool operator()(const std::error_code& /*error*/) const noexcept { return true; }
};

}  // namespace detail

/// Awaits what `make` returns (an Async or an operation with an Expected) until that is not an
/// error, the attempts are used up, or `again(error)` says no. Gives the last result. ECANCELED,
/// its own or that of a stop between two attempts, is never tried again; an exception propagates to
/// the caller.
template <class Make, std::predicate<const std::error_code&> Again = detail::AlwaysAgain>
  requires detail::kIsExpected<detail::ResultOf<std::invoke_result_t<Make&>>>
Async<detail::ResultOf<std::invoke_result_t<Make&>>> retry(RetryOptions options, Make make,
                                                           Again again = {}) {
  detail::Backoff backoff(options);
  for (std::size_t attempt = 1;; ++attempt) {
    auto result = co_await make();
    if (result || attempt >= options.attempts || result.error() == errno_code(ECANCELED) ||
        !again(result.error())) {
      co_return std::move(result);
    }
    if (const auto slept = co_await sleep_for(backoff.next()); !slept) {
      co_return std::unexpected(slept.error());
    }
  }
}

}  // namespace rondo
