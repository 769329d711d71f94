// Looking names up as the C library does. Results come to a request (see requests.h); failures as
// numbers: negative, an errno or one of Node's EAI_ codes.
#include "rondo/dns.h"

#include <netdb.h>

#include <string>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/requests.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

int to_status(const std::error_code& error) {
  if (error.category() != dns::error_category()) return -error.value();
  switch (static_cast<dns::Error>(error.value())) {
    case dns::Error::address_family:
      return -3000;
    case dns::Error::again:
      return -3001;
    case dns::Error::bad_flags:
      return -3002;
    case dns::Error::fail:
      return -3004;
    case dns::Error::family:
      return -3005;
    case dns::Error::memory:
      return -3006;
    case dns::Error::no_data:
      return -3007;
    case dns::Error::overflow:
      return -3009;
    case dns::Error::service:
      return -3010;
    case dns::Error::socket_type:
      return -3011;
    default:
      return -3008;
  }
}

std::string text_at(const Arguments& args, int index) {
  const v8::String::Utf8Value text(args.GetIsolate(), args[index]);
  return *text == nullptr ? std::string()
                          : std::string(*text, static_cast<std::size_t>(text.length()));
}

int int_at(const Arguments& args, int index) {
  return args[index]->Int32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(0);
}

/// Begins; `to_value` makes the result of what was found.
template <class Op, class Convert>
void begin(const Arguments& args, Op operation, Convert to_value) {
  Environment& environment = Environment::of(args.GetIsolate());
  std::move(operation).then(environment.loop(), [request = Request(args[0], args[1]),
                                                 to_value](Expected<typename Op::Value> result) {
    if (request.gone()) return;
    const Environment& there = request.environment();
    const v8::HandleScope scope(there.isolate());
    const v8::Context::Scope inside(there.context());
    if (result) {
      request.succeed(to_value(there, *result));
    } else {
      request.fail(v8::Integer::New(there.isolate(), to_status(result.error())));
    }
  });
}

/// Numbers that programs see, those of the C library on Linux.
enum LookupHints : std::int32_t { kV4Mapped = 8, kAll = 16, kAddrConfig = 32 };
static_assert(kV4Mapped == AI_V4MAPPED && kAll == AI_ALL && kAddrConfig == AI_ADDRCONFIG);

// (requests, number, host, family, hints, order) -> [address, family, address, family ...]
// hints: LookupHints; order: dns::Order
void lookup(const Arguments& args) {
  const int hints = int_at(args, 4);
  const dns::LookupOptions options{
      .family = static_cast<dns::Family>(int_at(args, 3)),
      .order = static_cast<dns::Order>(int_at(args, 5)),
      .only_configured = (hints & kAddrConfig) != 0,
      .v4_mapped = (hints & kV4Mapped) != 0,
      .all_mapped = (hints & kAll) != 0,
  };
  begin(
      args, dns::lookup_all(text_at(args, 2), options),
      [](const Environment& environment, const std::vector<dns::Address>& found) -> Local<Value> {
        std::vector<Local<Value>> flat;
        for (const dns::Address& address : found) {
          flat.push_back(environment.text(address.text));
          flat.push_back(v8::Integer::New(environment.isolate(), static_cast<int>(address.family)));
        }
        return v8::Array::New(environment.isolate(), flat.data(), flat.size());
      });
}

// (requests, number, address, port) -> [host, service]
void lookup_service(const Arguments& args) {
  begin(args, dns::lookup_service(text_at(args, 2), static_cast<std::uint16_t>(int_at(args, 3))),
        [](const Environment& environment, const dns::Service& service) -> Local<Value> {
          Local<Value> parts[] = {environment.text(service.host),
                                  environment.text(service.service)};
          return v8::Array::New(environment.isolate(), parts, 2);
        });
}

constexpr Method kMethods[] = {{"lookup", lookup}, {"lookupService", lookup_service}};

}  // namespace

extern const Binding binding_dns;
const Binding binding_dns{"dns", kMethods};

}  // namespace rondo
