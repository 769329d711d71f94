// What a record (record.h) keeps of a subject, and of a callback while it runs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rondo/lens/explain.h"

#include "lens/explain/text_pool.h"

namespace rondo::lens {

/// The callback is part of an operation, and ran before the loop went on.
inline bool follows_operation(Kind kind) noexcept {
  return kind == Kind::tick || kind == Kind::promise || kind == Kind::microtask;
}

inline bool is_timer(Kind kind) noexcept {
  return kind == Kind::timeout || kind == Kind::interval;
}

struct KnownSubject {
  Kind kind = Kind::request;
  bool counted = false;       // among the operations of OrderReasons
  bool is_single = false;     // and is done at once, when it is done: no steps
  bool is_over = false;       // nothing more of it will run: goes when what runs has ended
  bool follows_step = false;  // the label is that of the whole
  bool is_inner = false;      // made by a library
  bool site_is_inherited = false;
  bool is_waiting = false;  // an immediate, or a timer of 1 ms, that has not run yet
  Phase made_in = Phase::none;
  int depth = 0;
  PooledText label;
  PooledText whole;  // the operation that it is a part of; empty: none
  const std::string* step = nullptr;
  Traits traits = {};
  const std::string* type = nullptr;
  PooledSite site;
  std::chrono::milliseconds delay{};
  Time made{};
  RunNumber cause = 0;
  RunNumber last_run = 0;
  RunNumber asked_by = 0;  // the cause of the whole, if it is a step
  std::uint64_t look = 0;  // how often the timers had been visited
};

/// A callback that runs. Only those that are listed, and those that run longest, are worth a Run.
struct RunningCallback {
  static constexpr std::size_t kUnlisted = static_cast<std::size_t>(-1);

  RunNumber number = 0;
  SubjectId subject = 0;
  std::uint64_t iteration = 0;
  Phase phase = Phase::none;
  Kind kind = Kind::request;
  bool made_step = false;
  bool is_again = false;            // its subject has run before
  bool made_inner_promise = false;  // where no code of the program ran
  bool has_program = false;         // code of the program was seen in it
  int depth = 0;
  PooledText label;
  PooledText event;
  const std::string* type = nullptr;
  PooledSite site;
  PooledSite callback;
  std::string error = {};
  RunNumber cause = 0;
  RunNumber after = 0;
  RunNumber inside = 0;
  std::chrono::milliseconds delay{};
  Time made{};
  Time begin{};
  std::size_t index = kUnlisted;  // of the runs that are listed
  std::string note = {};

  /// As long as it runs.
  Run to_run() const;
};

}  // namespace rondo::lens
