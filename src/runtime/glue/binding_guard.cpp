// guarded(): one function for each callback that V8 may call, which catches what the callback
// throws. A table entry and a call by address is all it costs a call that does not throw.
#include <array>
#include <cstddef>
#include <cstdint>
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
constinit std::size_t count = 0;  // guarded by the mutex, as are writing above and the next one
// Where a callback is in the table, plus one, by its address: every start asks for all of them. An
// open hash table, half empty at least.
constexpr unsigned kPlaceBits = 11;
constinit std::array<std::uint16_t, std::size_t{1} << kPlaceBits> places{};
static_assert(std::size_t{1} << kPlaceBits >= 2 * kMostCallbacks);
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
  constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
  const std::lock_guard guard(mutex);
  std::size_t at = (reinterpret_cast<std::uintptr_t>(callback) * kGoldenRatio) >> (64 - kPlaceBits);
  for (; places[at] != 0; at = (at + 1) % places.size()) {
    const std::size_t known = places[at] - std::size_t{1};
    if (callbacks[known] == callback) return kCalls[known];
  }
  if (count == kMostCallbacks) {
    std::fputs("rondo: kMostCallbacks in binding_guard.cpp is too low\n", stderr);
    std::abort();
  }
  callbacks[count] = callback;
  places[at] = static_cast<std::uint16_t>(count + 1);
  return kCalls[count++];
}

}  // namespace rondo
