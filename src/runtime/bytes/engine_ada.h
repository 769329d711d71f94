// ada, the URL parser in the engine, whose headers the engine's package lacks. make_engine checks
// that the engine exports these functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ada::idna {

/// UTF-8 to ASCII. Empty for a domain that has no ASCII form.
std::string to_ascii(std::string_view domain);
/// ASCII to UTF-8. A label that is wrong stays as it is.
std::string to_unicode(std::string_view domain);

}  // namespace ada::idna

// The names are ada's.
extern "C" {

struct ada_string {
  const char* data;
  std::size_t length;
};

/// Where the components are in the text; 0xffffffff for a port, a search or a hash that is absent.
struct ada_url_components {
  std::uint32_t protocol_end;
  std::uint32_t username_end;
  std::uint32_t host_start;
  std::uint32_t host_end;
  std::uint32_t port;
  std::uint32_t pathname_start;
  std::uint32_t search_start;
  std::uint32_t hash_start;
};

using ada_url = void*;

/// Never null; to be freed, valid or not.
ada_url ada_parse(const char* input, std::size_t length);
ada_url ada_parse_with_base(const char* input, std::size_t length, const char* base,
                            std::size_t base_length);
void ada_free(ada_url url);

bool ada_is_valid(ada_url url);
ada_string ada_get_href(ada_url url);
const ada_url_components* ada_get_components(ada_url url);
std::uint8_t ada_get_scheme_type(ada_url url);

bool ada_set_protocol(ada_url url, const char* value, std::size_t length);
bool ada_set_username(ada_url url, const char* value, std::size_t length);
bool ada_set_password(ada_url url, const char* value, std::size_t length);
bool ada_set_host(ada_url url, const char* value, std::size_t length);
bool ada_set_hostname(ada_url url, const char* value, std::size_t length);
bool ada_set_port(ada_url url, const char* value, std::size_t length);
bool ada_set_pathname(ada_url url, const char* value, std::size_t length);
void ada_set_search(ada_url url, const char* value, std::size_t length);
void ada_set_hash(ada_url url, const char* value, std::size_t length);

}  // extern "C"
