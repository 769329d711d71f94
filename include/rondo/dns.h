// DNS: addresses and records of names, and names of addresses.
//
//     auto address = co_await rondo::dns::lookup("example.org");          // as every program does
//     auto mail = co_await rondo::dns::resolve_mx("example.org");         // asks the name servers
//     rondo::dns::lookup("localhost").then(loop, [](auto address) {});    // with a callback
//
// lookup() and lookup_service() are the C library's getaddrinfo() and getnameinfo(), carried out
// on a thread of the loop's pool: /etc/hosts and /etc/nsswitch.conf count. An address in numbers is
// answered without a thread.
//
// resolve4() and similar functions ask name servers themselves (c-ares, on sockets and timers of
// this loop): only what these say counts. They use the servers of /etc/resolv.conf; a Resolver may
// use others.
//
// Errors bear Node's names; error_name() gives them. Those of the name service are dns::Error,
// the others (ECONNREFUSED, ENOMEM, EAGAIN when the queue of the pool is full) are the system's.
// ECANCELED: stopped by a std::stop_token; a lookup that has begun on a thread continues there, but
// its result is dropped.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/async.h"
#include "rondo/detail/chrono.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"

namespace rondo {

class Loop;

namespace dns {

// ---- Errors -----------------------------------------------------------------------------------

enum class Error : std::uint8_t {
  // What a name server answered.
  no_data = 1,      // ENODATA: the name exists, but not with records of this type; not if there is
                    // an alias and nothing more: no records then, and no error
  format,           // EFORMERR: it did not understand the question
  server_failure,   // ESERVFAIL
  not_found,        // ENOTFOUND: there is no such name
  not_implemented,  // ENOTIMP
  refused,          // EREFUSED
  // What went wrong on the way.
  bad_query,     // EBADQUERY
  bad_name,      // EBADNAME: this cannot be a name
  bad_family,    // EBADFAMILY
  bad_response,  // EBADRESP: the answer makes no sense
  timeout,       // ETIMEOUT: no server answered in time
  end_of_file,   // EOF
  file,          // EFILE: a configuration file cannot be read
  destruction,   // EDESTRUCTION: the resolver is going
  bad_string,    // EBADSTR
  cancelled,     // ECANCELLED: by Resolver::cancel()
  // What getaddrinfo() and getnameinfo() can add.
  again,           // EAI_AGAIN: a server may have it, but does not answer now
  fail,            // EAI_FAIL: it never will
  bad_flags,       // EAI_BADFLAGS
  family,          // EAI_FAMILY
  address_family,  // EAI_ADDRFAMILY: the name has no address of this family
  memory,          // EAI_MEMORY
  service,         // EAI_SERVICE
  socket_type,     // EAI_SOCKTYPE
  overflow,        // EAI_OVERFLOW
  other,           // EAI_OTHER
};

/// Compares equal, as a condition, to std::errc::timed_out and operation_canceled where that fits.
const std::error_category& error_category() noexcept;
inline std::error_code make_error_code(Error error) noexcept {
  return {static_cast<int>(error), error_category()};
}

// ---- As every program does it -----------------------------------------------------------------

enum class Family : std::uint8_t { any = 0, ipv4 = 4, ipv6 = 6 };

struct Address {
  std::string text;  // "127.0.0.1", "::1", "fe80::1%eth0": as SocketAddress::ip() takes it
  Family family = Family::any;

  friend bool operator==(const Address&, const Address&) = default;
};

enum class Order : std::uint8_t { verbatim, ipv4_first, ipv6_first };

struct LookupOptions {
  Family family = Family::any;
  Order order = Order::verbatim;  // as the C library gives them
  bool only_configured = false;   // AI_ADDRCONFIG: only families that this machine has addresses of
  bool v4_mapped = false;         // AI_V4MAPPED: IPv4 as ::ffff:a.b.c.d where no IPv6 is found
  bool all_mapped = false;        // AI_ALL: with v4_mapped, both
};

/// The name of an address, and of what listens there by custom.
struct Service {
  std::string host;     // "localhost"
  std::string service;  // "ssh"; the port in digits if it has no name

  friend bool operator==(const Service&, const Service&) = default;
};

namespace detail {

class LookupJob;

struct LookupRequest {
  enum class Kind : std::uint8_t { addresses, service };
  Kind kind;
  std::string name;
  LookupOptions options = {};
  std::uint16_t port = 0;
};

/// A call of the C library on a thread. It is an object of its own there, because nothing can
/// interrupt it: a cancelled operation leaves it running.
class LookupBase {
 public:
  explicit LookupBase(LookupRequest request) noexcept : request_(std::move(request)) {}
  LookupBase(LookupBase&& other) noexcept : request_(std::move(other.request_)) {}
  LookupBase& operator=(LookupBase&&) = delete;

  void begin(const rondo::detail::AsyncContext& context, rondo::detail::Waiter waiter);
  void cancel() noexcept;

 protected:
  ~LookupBase();

  LookupRequest request_;
  LookupJob* job_ = nullptr;  // the loop owns it

 private:
  friend class LookupJob;
};

}  // namespace detail

class [[nodiscard]] LookupOp : public Operable<LookupOp, Address>, public detail::LookupBase {
 public:
  Expected<Address> take_result();

  using LookupBase::LookupBase;
};

class [[nodiscard]] LookupAllOp : public Operable<LookupAllOp, std::vector<Address>>,
                                  public detail::LookupBase {
 public:
  Expected<std::vector<Address>> take_result();

  using LookupBase::LookupBase;
};

class [[nodiscard]] LookupServiceOp : public Operable<LookupServiceOp, Service>,
                                      public detail::LookupBase {
 public:
  Expected<Service> take_result();

  using LookupBase::LookupBase;
};

/// The first address of a name, and all of them. ENOTFOUND, EAI_AGAIN, EAI_FAIL; EINVAL for a name
/// with a NUL in it or of more than 255 bytes. An address in numbers is given back as it is,
/// whatever family was asked for.
LookupOp lookup(std::string_view host, LookupOptions options = {});
LookupAllOp lookup_all(std::string_view host, LookupOptions options = {});

/// The names of a numeric address and of a port. ENOTFOUND if it has none, EINVAL if it is not
/// an address.
LookupServiceOp lookup_service(std::string_view address, std::uint16_t port);

// ---- Asking name servers ----------------------------------------------------------------------

struct AddressRecord {  // A and AAAA
  std::string address;
  std::chrono::seconds ttl{};

  friend bool operator==(const AddressRecord&, const AddressRecord&) = default;
};
struct MxRecord {
  std::string exchange;
  std::uint16_t priority = 0;

  friend bool operator==(const MxRecord&, const MxRecord&) = default;
};
struct TxtRecord {
  std::vector<std::string> chunks;  // as they were sent; any bytes, NUL included

  std::string text() const;  // all of them together
  friend bool operator==(const TxtRecord&, const TxtRecord&) = default;
};
struct SrvRecord {
  std::string name;
  std::uint16_t port = 0;
  std::uint16_t priority = 0;
  std::uint16_t weight = 0;

  friend bool operator==(const SrvRecord&, const SrvRecord&) = default;
};
struct SoaRecord {
  std::string name_server;
  std::string hostmaster;
  std::uint32_t serial = 0;
  std::chrono::seconds refresh{};
  std::chrono::seconds retry{};
  std::chrono::seconds expire{};
  std::chrono::seconds minimum_ttl{};

  friend bool operator==(const SoaRecord&, const SoaRecord&) = default;
};
struct CaaRecord {
  bool critical = false;
  std::string tag;         // "issue", "issuewild", "iodef"
  std::string value;       // any bytes
  std::uint8_t flags = 0;  // with the bit of `critical`, 0x80

  friend bool operator==(const CaaRecord&, const CaaRecord&) = default;
};

struct NaptrRecord {
  std::string flags;
  std::string service;
  std::string regexp;
  std::string replacement;
  std::uint16_t order = 0;
  std::uint16_t preference = 0;

  friend bool operator==(const NaptrRecord&, const NaptrRecord&) = default;
};

/// What a service's certificate must be like.
struct TlsaRecord {
  std::uint8_t usage = 0;
  std::uint8_t selector = 0;
  std::uint8_t match = 0;
  std::string data;  // any bytes

  friend bool operator==(const TlsaRecord&, const TlsaRecord&) = default;
};

/// All records of a name that a server gave when it was asked for any.
struct AnyRecords {
  std::vector<AddressRecord> a;
  std::vector<std::string> cname;  // none or one; then there is nothing in `a`
  std::vector<AddressRecord> aaaa;
  std::vector<MxRecord> mx;
  std::vector<std::string> ns;
  std::vector<TxtRecord> txt;
  std::vector<SrvRecord> srv;
  std::vector<std::string> ptr;
  std::vector<NaptrRecord> naptr;
  std::vector<SoaRecord> soa;  // none or one
  std::vector<TlsaRecord> tlsa;
  std::vector<CaaRecord> caa;

  friend bool operator==(const AnyRecords&, const AnyRecords&) = default;
};

struct ResolverOptions {
  std::chrono::milliseconds timeout{5000};  // of the first try; later ones wait longer
  int tries = 4;                            // of each server, at most 10
  std::chrono::milliseconds max_timeout{};  // of any try, 0: no limit; c-ares 1.22 or later
};

namespace detail {

class Channel;
class Question;

/// What to ask, and how to read the answer into a value.
struct Asking {
  int type;  // the number of the record type; 0: the name of an address
  int (*parse)(std::span<const unsigned char> answer, void* value);
};

class QueryBase {
 public:
  void cancel() noexcept;

 protected:
  QueryBase(std::shared_ptr<Channel> channel, std::string_view name, const Asking& asking);
  QueryBase(QueryBase&& other) noexcept;
  ~QueryBase();

  void begin(const rondo::detail::AsyncContext& context, rondo::detail::Waiter waiter, void* value);
  const std::error_code& error() const noexcept { return error_; }

 private:
  friend class Channel;
  friend class Question;

  std::shared_ptr<Channel> channel_;  // null: the loop's own
  std::string name_;
  const Asking* asking_;
  Question* question_ = nullptr;  // while it is in progress
  std::error_code error_;
};

}  // namespace detail

/// A question to the name servers that gives a T.
template <class T>
class [[nodiscard]] QueryOp : public Operable<QueryOp<T>, T>, public detail::QueryBase {
 public:
  QueryOp(std::shared_ptr<detail::Channel> channel, std::string_view name,
          const detail::Asking& asking)
      : QueryBase(std::move(channel), name, asking) {}

  void begin(const rondo::detail::AsyncContext& context, rondo::detail::Waiter waiter) {
    QueryBase::begin(context, waiter, &value_);
  }
  Expected<T> take_result() {
    if (error()) return std::unexpected(error());
    return std::move(value_);
  }

 private:
  T value_;
};

using AddressQuery = QueryOp<std::vector<AddressRecord>>;
using NameQuery = QueryOp<std::vector<std::string>>;

/// With the loop's own resolver. ENOTFOUND, ENODATA, ESERVFAIL, EREFUSED, ETIMEOUT, EBADRESP,
/// EBADNAME, ECONNREFUSED (no server listens), EAGAIN (more than 16,384 questions at once).
AddressQuery resolve4(std::string_view name);
AddressQuery resolve6(std::string_view name);
QueryOp<std::vector<MxRecord>> resolve_mx(std::string_view name);
QueryOp<std::vector<TxtRecord>> resolve_txt(std::string_view name);
QueryOp<std::vector<SrvRecord>> resolve_srv(std::string_view name);
NameQuery resolve_ns(std::string_view name);
NameQuery resolve_cname(std::string_view name);
NameQuery resolve_ptr(std::string_view name);
QueryOp<SoaRecord> resolve_soa(std::string_view name);
QueryOp<std::vector<CaaRecord>> resolve_caa(std::string_view name);
QueryOp<std::vector<NaptrRecord>> resolve_naptr(std::string_view name);
QueryOp<std::vector<TlsaRecord>> resolve_tlsa(std::string_view name);
QueryOp<AnyRecords> resolve_any(std::string_view name);

/// The names of an address in numbers: /etc/hosts first, then the name servers. EINVAL if it is not
/// an address.
NameQuery reverse(std::string_view address);

/// Asks name servers of its own choice. It may be dropped while queries are in progress, which
/// continue; it may outlive its loop. A question must be asked on the loop of the resolver: Misuse
/// (ERR_INVALID_ARG_VALUE) otherwise. What keeps it from reading the configuration of the system
/// (EFILE, ENOMEM) is the answer to every question. One that was moved from answers EBADF.
class Resolver {
 public:
  explicit Resolver(Loop& loop, ResolverOptions options = {});
  ~Resolver();
  Resolver(Resolver&&) noexcept;
  Resolver& operator=(Resolver&&) noexcept;

  /// "10.0.0.1", "10.0.0.1:5353", "::1", "[::1]:5353". EINVAL, and nothing has changed, if one of
  /// them is none of these; EBUSY while queries are in progress.
  [[nodiscard]] Expected<> set_servers(std::span<const std::string> servers);
  [[nodiscard]] Expected<> set_servers(std::initializer_list<std::string> servers) {
    return set_servers(std::span(servers.begin(), servers.size()));
  }
  /// In the form above; the port is left out where it is 53.
  std::vector<std::string> servers() const;

  /// Questions are sent from this address, to servers of its family. EINVAL if it is not an
  /// address; "0.0.0.0" and "::" leave it to the kernel again.
  [[nodiscard]] Expected<> set_local_address(std::string_view address);

  /// Every query in progress fails with ECANCELLED.
  void cancel();

  AddressQuery resolve4(std::string_view name) const;
  AddressQuery resolve6(std::string_view name) const;
  QueryOp<std::vector<MxRecord>> resolve_mx(std::string_view name) const;
  QueryOp<std::vector<TxtRecord>> resolve_txt(std::string_view name) const;
  QueryOp<std::vector<SrvRecord>> resolve_srv(std::string_view name) const;
  NameQuery resolve_ns(std::string_view name) const;
  NameQuery resolve_cname(std::string_view name) const;
  NameQuery resolve_ptr(std::string_view name) const;
  QueryOp<SoaRecord> resolve_soa(std::string_view name) const;
  QueryOp<std::vector<CaaRecord>> resolve_caa(std::string_view name) const;
  QueryOp<std::vector<NaptrRecord>> resolve_naptr(std::string_view name) const;
  QueryOp<std::vector<TlsaRecord>> resolve_tlsa(std::string_view name) const;
  QueryOp<AnyRecords> resolve_any(std::string_view name) const;
  NameQuery reverse(std::string_view address) const;

 private:
  std::shared_ptr<detail::Channel> channel_;
};

}  // namespace dns
}  // namespace rondo

template <>
struct std::is_error_code_enum<rondo::dns::Error> : std::true_type {};
