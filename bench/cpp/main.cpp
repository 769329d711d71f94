#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "rondo/loop.h"

#include "harness.h"
#include "rows.h"
#include "server_process.h"

int main(int argc, char** argv) {
  using namespace rondo::bench;
  try {
    ServerProcess::serve_if_asked(argc, argv);
    std::vector<Row> rows;
    for (auto subject : {timer_rows, immediate_rows, post_rows, coroutine_rows, descriptor_rows,
                         file_rows, socket_rows, http_rows, process_rows}) {
      for (Row& row : subject()) rows.push_back(std::move(row));
    }
    const std::string backend(rondo::Loop().backend());
    return run_rows(rows, backend, argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
}
