// What the command line asks the lens for: a trace, a page, an explanation ...
#pragma once

#include <memory>
#include <vector>

#include "rondo/lens.h"
#include "rondo/lens/page.h"
#include "rondo/lens/trace.h"

#include "cli/command_line.h"

namespace rondo {

/// --trace-loop: starts a process, which should have no part in anything that is made later. Null
/// for none.
std::unique_ptr<lens::TraceFile> start_trace(const CommandLine& line);

class Lenses {
 public:
  /// Null if the command line asks for none. Those that had to begin before the loop are given.
  static std::unique_ptr<Lenses> make(Loop& loop, const CommandLine& line,
                                      std::unique_ptr<lens::TraceFile> trace);

  lens::Lens& lens() noexcept { return lens_; }

 private:
  explicit Lenses(Loop& loop) : lens_(loop) { lens_.engine_begins(); }

  void show_page(const std::string& port, std::string program);

  void watch(std::unique_ptr<lens::Watcher> watcher) {
    lens_.add(*watcher);
    watchers_.push_back(std::move(watcher));
  }

  lens::Lens lens_;
  std::vector<std::unique_ptr<lens::Watcher>> watchers_;
  std::unique_ptr<lens::Page> page_;
};

}  // namespace rondo
