// Asking name servers: new Channel(timeout, tries, max_timeout), where a timeout below 0 is the
// usual one, and a max_timeout of 0 no limit.
//
//   query(requests, number, type, name)   the result comes to the request (see requests.h): a flat
//                                         array of the fields of all records; a failure as its name
//   cancel()                              what is in progress fails with ECANCELLED
//   setServers(list), getServers()        "10.0.0.1:5353"; setServers gives minus an errno, or 0
//   setLocalAddress(address)              minus an errno, or 0
#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/dns.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/requests.h"
#include "runtime/glue/text.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;
using Values = std::vector<Local<Value>>;

/// The types of records that a query for any type returns, in the order of Node.
enum class AnyType : std::uint8_t {
  a,
  cname,
  aaaa,
  mx,
  ns,
  txt,
  srv,
  ptr,
  naptr,
  soa,
  tlsa,
  caa,
  kCount,
};

/// Concatenates the fields of records.
class Fields {
 public:
  explicit Fields(const Environment& environment) : environment_(environment) {}

  void add(std::string_view text) { values_.push_back(environment_.text(text)); }
  void add(double number) { values_.push_back(v8::Number::New(environment_.isolate(), number)); }
  void add(std::chrono::seconds time) { add(static_cast<double>(time.count())); }
  /// Bytes that need not be UTF-8.
  void add_bytes(Values& to, const std::string& bytes) const {
    to.push_back(v8::String::NewFromOneByte(
                     environment_.isolate(), reinterpret_cast<const std::uint8_t*>(bytes.data()),
                     v8::NewStringType::kNormal, static_cast<int>(bytes.size()))
                     .ToLocalChecked());
  }

  void add(const std::string& name) { add(std::string_view(name)); }
  void add(const dns::AddressRecord& record) {
    add(record.address);
    add(record.ttl);
  }
  void add(const dns::MxRecord& record) {
    add(record.exchange);
    add(static_cast<double>(record.priority));
  }
  void add(const dns::TxtRecord& record) {
    Values chunks;
    for (const std::string& chunk : record.chunks) add_bytes(chunks, chunk);
    values_.push_back(v8::Array::New(environment_.isolate(), chunks.data(), chunks.size()));
  }
  void add(const dns::SrvRecord& record) {
    add(record.name);
    for (const std::uint16_t number : {record.port, record.priority, record.weight}) {
      add(static_cast<double>(number));
    }
  }
  void add(const dns::SoaRecord& record) {
    add(record.name_server);
    add(record.hostmaster);
    add(static_cast<double>(record.serial));
    // Of these 32 bits each, Node reads the first three as a number with a sign.
    for (const auto time : {record.refresh, record.retry, record.expire}) {
      add(static_cast<double>(static_cast<std::int32_t>(time.count())));
    }
    add(record.minimum_ttl);
  }
  void add(const dns::CaaRecord& record) {
    add(static_cast<double>(record.flags));
    add_bytes(values_, record.tag);
    add_bytes(values_, record.value.c_str());  // Node's ends before a zero byte
  }
  void add(const dns::NaptrRecord& record) {
    for (const auto* text : {&record.flags, &record.service, &record.regexp, &record.replacement}) {
      add(*text);
    }
    add(static_cast<double>(record.order));
    add(static_cast<double>(record.preference));
  }
  void add(const dns::TlsaRecord& record) {
    for (const std::uint8_t number : {record.usage, record.selector, record.match}) {
      add(static_cast<double>(number));
    }
    const Local<v8::ArrayBuffer> data =
        v8::ArrayBuffer::New(environment_.isolate(), record.data.size());
    std::ranges::copy(record.data, static_cast<char*>(data->Data()));
    values_.push_back(data);
  }
  /// The fields of each type as an array of their own, by the number of the type.
  void add(const dns::AnyRecords& any) {
    values_.resize(static_cast<std::size_t>(AnyType::kCount));
    const auto add_type = [&](AnyType type, const auto& records) {
      Fields fields(environment_);
      fields.add(records);
      values_[static_cast<std::size_t>(type)] = fields.array();
    };
    add_type(AnyType::a, any.a);
    add_type(AnyType::cname, any.cname);
    add_type(AnyType::aaaa, any.aaaa);
    add_type(AnyType::mx, any.mx);
    add_type(AnyType::ns, any.ns);
    add_type(AnyType::txt, any.txt);
    add_type(AnyType::srv, any.srv);
    add_type(AnyType::ptr, any.ptr);
    add_type(AnyType::naptr, any.naptr);
    add_type(AnyType::soa, any.soa);
    add_type(AnyType::tlsa, any.tlsa);
    add_type(AnyType::caa, any.caa);
  }
  template <class T>
  void add(const std::vector<T>& records) {
    for (const T& record : records) add(record);
  }

  Local<Value> array() {
    return v8::Array::New(environment_.isolate(), values_.data(), values_.size());
  }

 private:
  const Environment& environment_;
  Values values_;
};

class Channel final : public Wrapped {
 public:
  Channel(Environment& environment, Local<v8::Object> object, dns::ResolverOptions options)
      : Wrapped(environment, object), resolver_(environment.loop(), options) {}

  static void construct(const Arguments& args) {
    const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
    dns::ResolverOptions options;
    const std::int32_t timeout = args[0]->Int32Value(context).FromMaybe(-1);
    if (timeout >= 0) options.timeout = std::chrono::milliseconds(std::max(timeout, 1));
    options.tries = std::clamp(args[1]->Int32Value(context).FromMaybe(4), 1, 10);
    options.max_timeout = std::chrono::milliseconds(args[2]->Uint32Value(context).FromMaybe(0));
    new Channel(Environment::of(args.GetIsolate()), args.This(), options);
  }

  static void query(const Arguments& args) {
    const std::string type = to_text(args.GetIsolate(), args[2]);
    const std::string name = to_text(args.GetIsolate(), args[3]);
    const dns::Resolver& resolver = from<Channel>(args.This())->resolver_;
    if (type == "A") return begin(args, resolver.resolve4(name));
    if (type == "ANY") return begin(args, resolver.resolve_any(name));
    if (type == "AAAA") return begin(args, resolver.resolve6(name));
    if (type == "CAA") return begin(args, resolver.resolve_caa(name));
    if (type == "CNAME") return begin(args, resolver.resolve_cname(name));
    if (type == "MX") return begin(args, resolver.resolve_mx(name));
    if (type == "NAPTR") return begin(args, resolver.resolve_naptr(name));
    if (type == "NS") return begin(args, resolver.resolve_ns(name));
    if (type == "PTR") return begin(args, resolver.resolve_ptr(name));
    if (type == "SOA") return begin(args, resolver.resolve_soa(name));
    if (type == "SRV") return begin(args, resolver.resolve_srv(name));
    if (type == "TLSA") return begin(args, resolver.resolve_tlsa(name));
    if (type == "TXT") return begin(args, resolver.resolve_txt(name));
    begin(args, resolver.reverse(name));
  }

  static void cancel(const Arguments& args) { from<Channel>(args.This())->resolver_.cancel(); }

  static void set_servers(const Arguments& args) {
    const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
    const auto list = args[0].As<v8::Array>();
    std::vector<std::string> servers;
    for (std::uint32_t i = 0; i < list->Length(); ++i) {
      servers.push_back(to_text(args.GetIsolate(), list->Get(context, i).ToLocalChecked()));
    }
    const Expected<> set = from<Channel>(args.This())->resolver_.set_servers(servers);
    args.GetReturnValue().Set(set ? 0 : -set.error().value());
  }

  static void get_servers(const Arguments& args) {
    auto* self = from<Channel>(args.This());
    Fields fields(self->environment());
    fields.add(self->resolver_.servers());
    args.GetReturnValue().Set(fields.array());
  }

  static void set_local_address(const Arguments& args) {
    const Expected<> set = from<Channel>(args.This())
                               ->resolver_.set_local_address(to_text(args.GetIsolate(), args[0]));
    args.GetReturnValue().Set(set ? 0 : -set.error().value());
  }

 private:
  template <class T>
  static void begin(const Arguments& args, dns::QueryOp<T> operation) {
    Environment& environment = Environment::of(args.GetIsolate());
    std::move(operation).then(environment.loop(),
                              [request = Request(args[0], args[1])](Expected<T> result) {
                                if (request.gone()) return;
                                const Environment& there = request.environment();
                                const v8::HandleScope scope(there.isolate());
                                const v8::Context::Scope inside(there.context());
                                if (!result) {
                                  request.fail(there.text(error_name(result.error())));
                                  return;
                                }
                                Fields fields(there);
                                fields.add(*result);
                                request.succeed(fields.array());
                              });
  }

  dns::Resolver resolver_;
};

constexpr Method kMethods[] = {{"query", Channel::query},
                               {"cancel", Channel::cancel},
                               {"setServers", Channel::set_servers},
                               {"getServers", Channel::get_servers},
                               {"setLocalAddress", Channel::set_local_address}};

constexpr ClassShape kClasses[] = {{"Channel", Channel::construct, kMethods}};

}  // namespace

extern const Binding binding_dns_resolver;
const Binding binding_dns_resolver{.name = "dns_resolver", .classes = kClasses};

}  // namespace rondo
