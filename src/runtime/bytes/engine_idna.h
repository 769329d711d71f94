// Domain names in other scripts, by ada, the URL parser in the engine, whose headers the engine's
// package lacks. make_engine checks that the engine exports them.
#pragma once

#include <string>
#include <string_view>

namespace ada::idna {

/// UTF-8 to ASCII. Empty for a domain that has no ASCII form.
std::string to_ascii(std::string_view domain);
/// ASCII to UTF-8. A label that is wrong stays as it is.
std::string to_unicode(std::string_view domain);

}  // namespace ada::idna
