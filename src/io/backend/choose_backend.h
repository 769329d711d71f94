// Which backend a loop gets, and why.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <system_error>

#include "rondo/loop.h"

#include "core/backend.h"

namespace rondo {

struct ChosenBackend {
  std::unique_ptr<Backend> backend;
  std::string reason;
};

/// `forced` is the value of RONDO_BACKEND, or null. Throws std::system_error when the wish
/// cannot be met; its text says whose wish it was and what the kernel answered.
ChosenBackend choose_backend(BackendKind wish, const char* forced);

}  // namespace rondo
