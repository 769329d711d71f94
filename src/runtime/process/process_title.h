// What `ps` shows for this process.
#pragma once

#include <string>
#include <string_view>

namespace rondo {

/// As set_process_title() left it; before that, the first word of the command line.
std::string process_title();

/// It goes where the command line was, and is cut to its length.
void set_process_title(std::string_view title);

}  // namespace rondo
