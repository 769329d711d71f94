// guarded(): one function for each callback that V8 may call, which catches what the callback
// throws. A table entry and a call by address is all it costs a call that does not throw.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "rondo/error.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo {

namespace {

// Bindings have some 350. That it is enough shows when the snapshot is made, which lists all of
// them.
constexpr std::size_t kMostCallbacks = 1024;

// An entry is written once, before its function is given to V8.
constinit std::array<v8::FunctionCallback, kMostCallbacks> callbacks{};
constinit std::size_t count = 0;  // guarded by the mutex, as is writing above
constinit std::mutex mutex;

/// The system call in a message of std::system_error's: "eventfd: Too many open files".
std::string_view syscall_of(const std::system_error& error, std::string_view description) {
  std::string_view text = error.what();
  if (text.ends_with(description)) text.remove_suffix(description.size());
  if (text.ends_with(": ")) text.remove_suffix(2);
  return text.empty() ? "system call" : text;
}

v8::Local<v8::Value> to_error(const Environment& environment, const std::system_error& error) {
  const std::string description = error.code().message();
  if (error.code().category() == std::system_category() ||
      error.code().category() == std::generic_category()) {
    return environment.system_error(error.code().value(), syscall_of(error, description));
  }
  return environment.error(error_name(error.code()), error.what());
}

}  // namespace

void throw_caught() {
  const Environment& environment = Environment::current();
  // A fast call has none.
  const v8::HandleScope scope(environment.isolate());
  try {
    throw;
  } catch (const PendingException&) {
    return;
  } catch (const std::system_error& error) {
    environment.throw_(to_error(environment, error));
  } catch (const Misuse& misuse) {
    environment.throw_(environment.error(misuse.code(), misuse.what()));
  } catch (const std::bad_alloc&) {
    environment.throw_(
        environment.error("ERR_MEMORY_ALLOCATION_FAILED", "Failed to allocate memory"));
  } catch (const std::length_error&) {  // more than any memory could hold
    environment.throw_(
        environment.error("ERR_MEMORY_ALLOCATION_FAILED", "Failed to allocate memory"));
  } catch (const std::exception& error) {
    environment.throw_(environment.error("ERR_INTERNAL_ASSERTION", error.what()));
  }
}

namespace {

template <std::size_t index>
void call(const Arguments& args) {
  try {
    callbacks[index](args);
  } catch (...) {
    throw_caught();
  }
}

template <std::size_t... indices>
constexpr std::array<v8::FunctionCallback, sizeof...(indices)> calls(
    std::index_sequence<indices...> /*all*/) {
  return {call<indices>...};
}

constexpr auto kCalls = calls(std::make_index_sequence<kMostCallbacks>());

}  // namespace

v8::FunctionCallback guarded(v8::FunctionCallback callback) {
  const std::lock_guard guard(mutex);
  for (std::size_t i = 0; i < count; ++i) {
    if (callbacks[i] == callback) return kCalls[i];
  }
  if (count == kMostCallbacks) {
    std::fputs("rondo: kMostCallbacks in binding_guard.cpp is too low\n", stderr);
    std::abort();
  }
  callbacks[count] = callback;
  return kCalls[count++];
}

}  // namespace rondo
