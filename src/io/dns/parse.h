// From the bytes of an answer to records (c-ares reads the bytes), and from the text of a
// configuration to the address of a name server.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rondo/dns.h"

struct hostent;  // NOLINT(readability-identifier-naming): the C library's

namespace rondo::dns::detail {

// Each reads an answer into the value that the query of that type gives (see `kAsk...`) and returns
// a status of c-ares.
using Answer = std::span<const unsigned char>;
int parse_a(Answer answer, void* records);
int parse_aaaa(Answer answer, void* records);
int parse_mx(Answer answer, void* records);
int parse_txt(Answer answer, void* records);
int parse_srv(Answer answer, void* records);
int parse_ns(Answer answer, void* names);
int parse_cname(Answer answer, void* names);
int parse_ptr(Answer answer, void* names);
int parse_soa(Answer answer, void* record);
int parse_caa(Answer answer, void* records);
int parse_naptr(Answer answer, void* records);
int parse_tlsa(Answer answer, void* records);
int parse_any(Answer answer, void* records);

/// The canonical name in an answer that has an alias; false if it has none.
bool find_alias(Answer answer, std::optional<std::string>& name);

// The numbers are those of RFC 1035 and its successors.
inline constexpr Asking kAskA{1, &parse_a};
inline constexpr Asking kAskNs{2, &parse_ns};
inline constexpr Asking kAskCname{5, &parse_cname};
inline constexpr Asking kAskSoa{6, &parse_soa};
inline constexpr Asking kAskPtr{12, &parse_ptr};
inline constexpr Asking kAskMx{15, &parse_mx};
inline constexpr Asking kAskTxt{16, &parse_txt};
inline constexpr Asking kAskAaaa{28, &parse_aaaa};
inline constexpr Asking kAskSrv{33, &parse_srv};
inline constexpr Asking kAskNaptr{35, &parse_naptr};
inline constexpr Asking kAskTlsa{52, &parse_tlsa};
inline constexpr Asking kAskAny{255, &parse_any};
inline constexpr Asking kAskCaa{257, &parse_caa};
inline constexpr Asking kAskNamesOfAddress{0, nullptr};

/// All names of a host, the first one first, each once.
std::vector<std::string> names_of(const hostent& host);

struct Server {
  static constexpr std::uint16_t kUsualPort = 53;

  int family;                           // AF_INET or AF_INET6
  std::array<unsigned char, 16> bytes;  // four of them for AF_INET
  std::uint16_t port;
};

/// "10.0.0.1", "10.0.0.1:5353", "::1", "[::1]", "[::1]:5353"; nothing else.
std::optional<Server> parse_server(std::string_view text);
std::string to_string(const Server& server);

}  // namespace rondo::dns::detail
