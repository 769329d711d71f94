// Immediates: how fast the loop iterates.
#include "immediate_chain.h"
#include "rows.h"

namespace rondo::bench {

namespace {

constexpr std::size_t kIterations = 500'000;

double chain_ours() {
  Loop loop;
  return RondoChain(loop, kIterations, Nothing()).run();
}

double chain_theirs() {
  UvLoop loop;
  return UvChain(loop, kIterations, Nothing()).run();
}

}  // namespace

std::vector<Row> immediate_rows() {
  return {uv_row("immediates", "immediate that sets the next immediate", "ns/iteration", 2,
                 chain_ours, chain_theirs)};
}

}  // namespace rondo::bench
