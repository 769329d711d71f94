// What a name server sends, read as every type of record, and what a configuration names as a name
// server. What was read must be such as can be used; what is a server must be read again as the
// same one.
#include <ares.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/dns.h"

#include "io/dns/parse.h"

namespace {

using namespace rondo::dns;
using namespace rondo::dns::detail;

void check(bool holds) {
  if (!holds) std::abort();
}

template <class Value>
void read_as(const Asking& asking, Answer answer) {
  Value value;
  if (asking.parse(answer, &value) != ARES_SUCCESS) return;
  if constexpr (requires { value.size(); }) {
    check(value.size() <= answer.size());
    check(value == Value(value));
  } else {
    check(value.name_server.size() < 1025 && value.hostmaster.size() < 1025);
  }
}

void read_as_server(std::string_view text) {
  const auto server = parse_server(text);
  if (!server.has_value()) return;
  check(server->port != 0);
  const std::string written = to_string(*server);
  const auto again = parse_server(written);
  check(again.has_value() && again->family == server->family && again->bytes == server->bytes &&
        again->port == server->port);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Answer answer(data, size);
  read_as<std::vector<AddressRecord>>(kAskA, answer);
  read_as<std::vector<AddressRecord>>(kAskAaaa, answer);
  read_as<std::vector<MxRecord>>(kAskMx, answer);
  read_as<std::vector<TxtRecord>>(kAskTxt, answer);
  read_as<std::vector<SrvRecord>>(kAskSrv, answer);
  read_as<std::vector<std::string>>(kAskNs, answer);
  read_as<std::vector<std::string>>(kAskCname, answer);
  read_as<std::vector<std::string>>(kAskPtr, answer);
  read_as<SoaRecord>(kAskSoa, answer);
  read_as<std::vector<CaaRecord>>(kAskCaa, answer);
  read_as_server({reinterpret_cast<const char*>(data), size});
  return 0;
}
