// The description of the inspector's protocol in JSON, as Node's executable has it
// (scripts/fetch_streams.sh): clients make their methods from it.
#pragma once

#include <string_view>

namespace rondo {

std::string_view protocol_text() noexcept;

}  // namespace rondo
