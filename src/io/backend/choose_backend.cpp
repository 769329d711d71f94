#include "io/backend/choose_backend.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <utility>

#include "core/loop_core.h"
#include "io/backend/epoll_backend.h"
#include "io/backend/uring_backend.h"

namespace rondo {

thread_local constinit bool LoopsWithoutHost::now_ = false;

namespace {

/// Why the kernel said no, in words that help to change it.
std::string explain_refusal(const std::system_error& error) {
  std::string text = std::string(error.what()) + " (" + std::string(error_name(error.code())) + ")";
  switch (error.code().value()) {
    case ENOSYS:
      return text + ": this kernel has no io_uring";
    case EINVAL:
      return text + ": this kernel's io_uring is older than Linux 6.0";
    case EPERM:
    case EACCES: {
      std::ifstream file("/proc/sys/kernel/io_uring_disabled");
      int disabled = 0;
      if (file >> disabled && disabled != 0) {
        return text + ": the sysctl kernel.io_uring_disabled is " + std::to_string(disabled);
      }
      return text + ": io_uring is forbidden here, probably by a seccomp filter";
    }
    case ENOMEM:
      return text + ": the limit on locked memory (ulimit -l) is too low";
    default:
      return text;
  }
}

std::unique_ptr<Backend> uring_or_throw(const std::string& whose_wish) {
  try {
    return std::make_unique<UringBackend>(!LoopsWithoutHost::now());
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), whose_wish + ": " + explain_refusal(error));
  }
}

}  // namespace

ChosenBackend choose_backend(BackendKind wish, const char* forced) {
  std::string whose_wish = "the loop's options";
  if (forced != nullptr && *forced != '\0') {
    const std::string_view name = forced;
    whose_wish = "RONDO_BACKEND=" + std::string(name);
    if (name == "uring") {
      wish = BackendKind::uring;
    } else if (name == "epoll") {
      wish = BackendKind::epoll;
    } else {
      throw std::system_error(std::make_error_code(std::errc::invalid_argument),
                              whose_wish + ": there is no such backend; it is uring or epoll");
    }
  }
  switch (wish) {
    case BackendKind::uring:
      return {uring_or_throw(whose_wish), "uring, because " + whose_wish + " asked for it"};
    case BackendKind::epoll:
      return {std::make_unique<EpollBackend>(), "epoll, because " + whose_wish + " asked for it"};
    case BackendKind::automatic:
      break;
  }
  try {
    return {std::make_unique<UringBackend>(!LoopsWithoutHost::now()),
            "uring, because the kernel offers it"};
  } catch (const std::system_error& error) {
    std::string reason = "epoll, because io_uring was refused: " + explain_refusal(error);
    return {std::make_unique<EpollBackend>(), std::move(reason)};
  }
  // The analyzer does not see that the caller owns what was returned.
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)

// Here and not in the core, which does not know the backends.
Loop::Loop(LoopOptions options) {
  ChosenBackend chosen = choose_backend(options.backend, std::getenv("RONDO_BACKEND"));
  core_ = std::make_unique<LoopCore>(std::move(chosen.backend), std::move(chosen.reason), options);
}

}  // namespace rondo
