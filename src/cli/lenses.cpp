#include "cli/lenses.h"

namespace rondo {

std::unique_ptr<Lenses> Lenses::make(Loop& loop, const CommandLine& line) {
  std::unique_ptr<Lenses> lenses;
  const auto watch = [&](std::unique_ptr<lens::Watcher> watcher) {
    if (lenses == nullptr) lenses.reset(new Lenses(loop));
    lenses->watch(std::move(watcher));
  };
  if (line.explain) watch(make_explainer(*line.explain));
  return lenses;
}

}  // namespace rondo
