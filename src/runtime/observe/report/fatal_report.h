// The diagnostic report (process.report) of a failure of the engine itself, when no JavaScript can
// run any more.
#pragma once

#include <v8.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"

namespace rondo {

/// The stack of the thread, the innermost frame first: addresses, and what is known of them. Frames
/// of JavaScript have no symbol.
std::vector<std::pair<std::string, std::string>> native_frames();

/// What the report says was known before (lib/internal/process/report.js makes it), but for the
/// figures of the moment.
class FatalReport final : public Companion {
 public:
  struct Plan {
    /// Text of JSON, then the name of a value, then text, and so on: see value_of() for the names.
    std::vector<std::string> pieces;
    std::string folder;  // empty: the current one
    std::string file;    // empty: a name is made
    unsigned thread_id = 0;
    unsigned number = 0;  // in the name that is made
  };

  /// Of this thread, or, on a thread of V8's, of the main one; null if none is planned.
  static FatalReport* current() noexcept { return current_ != nullptr ? current_ : first_.load(); }
  /// An empty plan: no report.
  static void plan(Environment& environment, Plan plan);

  ~FatalReport() override;

  /// Says on standard error which file it writes. `isolate` is null on a thread without one.
  void write(v8::Isolate* isolate, const char* trigger, const char* message) const;

 private:
  static thread_local FatalReport* current_;
  static std::atomic<FatalReport*> first_;

  Plan plan_;
};

}  // namespace rondo
