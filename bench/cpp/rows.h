// The subjects: each is a file that returns its rows.
#pragma once

#include <vector>

#include "harness.h"

namespace rondo::bench {

std::vector<Row> timer_rows();
std::vector<Row> immediate_rows();
std::vector<Row> post_rows();
std::vector<Row> coroutine_rows();
std::vector<Row> descriptor_rows();
std::vector<Row> file_rows();
std::vector<Row> socket_rows();
std::vector<Row> http_rows();
std::vector<Row> process_rows();

}  // namespace rondo::bench
