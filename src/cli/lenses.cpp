#include "cli/lenses.h"

namespace rondo {

std::unique_ptr<Lenses> Lenses::make(Loop& loop, const CommandLine& line) {
  std::unique_ptr<Lenses> lenses;
  const auto watch = [&](auto make) {
    if (lenses == nullptr) lenses.reset(new Lenses(loop));
    lenses->watch(make(lenses->lens()));
  };
  if (line.explain) watch([&](auto& lens) { return make_explainer(*line.explain, lens); });
  return lenses;
}

}  // namespace rondo
