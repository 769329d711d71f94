#include "io/dns/parse.h"

#include <ares.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace rondo::dns {

std::string TxtRecord::text() const {
  std::string text;
  for (const std::string& chunk : chunks) text += chunk;
  return text;
}

namespace detail {

namespace {

struct FreeHost {
  void operator()(hostent* host) const noexcept { ::ares_free_hostent(host); }
};
struct FreeData {
  void operator()(void* data) const noexcept { ::ares_free_data(data); }
};

int size_of(Answer answer) noexcept {
  return static_cast<int>(answer.size());
}

std::string bytes_of(const unsigned char* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

std::string text_of(int family, const void* address) {
  char text[INET6_ADDRSTRLEN] = {};
  ::inet_ntop(family, address, text, sizeof(text));
  return text;
}

/// Reads addresses with one of the two parsers that give their time to live.
template <class WithTtl, class Parse>
int parse_addresses(Answer answer, void* records, Parse parse, int family) {
  // No address takes less room in an answer than this.
  constexpr std::size_t kLeastBytes = 14;
  std::vector<WithTtl> found(answer.size() / kLeastBytes + 1);
  int count = static_cast<int>(found.size());
  // An alias without an address is an answer too, if c-ares is asked for the host.
  hostent* host = nullptr;
  const int status = parse(answer.data(), size_of(answer), &host, found.data(), &count);
  const std::unique_ptr<hostent, FreeHost> owned(host);
  if (status != ARES_SUCCESS) return status;
  auto& addresses = *static_cast<std::vector<AddressRecord>*>(records);
  for (int i = 0; i < count; ++i) {
    const WithTtl& one = found[static_cast<std::size_t>(i)];
    // The address is the first member of both structures.
    addresses.push_back(
        {text_of(family, &one), std::chrono::seconds(static_cast<std::uint32_t>(one.ttl))});
  }
  return status;
}

/// Reads a linked list of replies and makes a record of each.
template <class Reply, class Record, class Parse, class Convert>
int parse_list(Answer answer, void* records, Parse parse, Convert convert) {
  Reply* first = nullptr;
  const int status = parse(answer.data(), size_of(answer), &first);
  const std::unique_ptr<Reply, FreeData> owned(first);
  if (status != ARES_SUCCESS) return status;
  auto& list = *static_cast<std::vector<Record>*>(records);
  for (const Reply* reply = first; reply != nullptr; reply = reply->next) convert(list, *reply);
  return status;
}

/// Takes over the names of a reply that c-ares gives as a host.
int take_names(int status, hostent* host, void* names, bool only_first) {
  const std::unique_ptr<hostent, FreeHost> owned(host);
  if (status != ARES_SUCCESS) return status;
  auto& list = *static_cast<std::vector<std::string>*>(names);
  if (only_first) {
    if (host->h_name != nullptr) list.emplace_back(host->h_name);
  } else {
    for (char** alias = host->h_aliases; alias != nullptr && *alias != nullptr; ++alias) {
      list.emplace_back(*alias);
    }
  }
  return list.empty() ? ARES_ENODATA : status;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

}  // namespace

int parse_a(Answer answer, void* records) {
  return parse_addresses<ares_addrttl>(answer, records, &::ares_parse_a_reply, AF_INET);
}

int parse_aaaa(Answer answer, void* records) {
  return parse_addresses<ares_addr6ttl>(answer, records, &::ares_parse_aaaa_reply, AF_INET6);
}

int parse_mx(Answer answer, void* records) {
  return parse_list<ares_mx_reply, MxRecord>(
      answer, records, &::ares_parse_mx_reply,
      [](auto& list, const auto& reply) { list.push_back({reply.host, reply.priority}); });
}

int parse_txt(Answer answer, void* records) {
  return parse_list<ares_txt_ext, TxtRecord>(
      answer, records, &::ares_parse_txt_reply_ext, [](auto& list, const auto& reply) {
        if (reply.record_start != 0 || list.empty()) list.emplace_back();
        list.back().chunks.push_back(bytes_of(reply.txt, reply.length));
      });
}

int parse_srv(Answer answer, void* records) {
  return parse_list<ares_srv_reply, SrvRecord>(
      answer, records, &::ares_parse_srv_reply, [](auto& list, const auto& reply) {
        list.push_back({reply.host, reply.port, reply.priority, reply.weight});
      });
}

int parse_caa(Answer answer, void* records) {
  return parse_list<ares_caa_reply, CaaRecord>(
      answer, records, &::ares_parse_caa_reply, [](auto& list, const auto& reply) {
        list.push_back({(reply.critical & 0x80) != 0, bytes_of(reply.property, reply.plength),
                        bytes_of(reply.value, reply.length),
                        static_cast<std::uint8_t>(reply.critical)});
      });
}

int parse_naptr(Answer answer, void* records) {
  const auto text = [](const unsigned char* bytes) {
    return std::string(reinterpret_cast<const char*>(bytes));
  };
  return parse_list<ares_naptr_reply, NaptrRecord>(
      answer, records, &::ares_parse_naptr_reply, [&text](auto& list, const auto& reply) {
        list.push_back({text(reply.flags), text(reply.service), text(reply.regexp),
                        reply.replacement, reply.order, reply.preference});
      });
}

int parse_soa(Answer answer, void* record) {
  ares_soa_reply* reply = nullptr;
  const int status = ::ares_parse_soa_reply(answer.data(), size_of(answer), &reply);
  const std::unique_ptr<ares_soa_reply, FreeData> owned(reply);
  if (status != ARES_SUCCESS) return status;
  using std::chrono::seconds;
  *static_cast<SoaRecord*>(record) = {
      reply->nsname,         reply->hostmaster,      reply->serial,         seconds(reply->refresh),
      seconds(reply->retry), seconds(reply->expire), seconds(reply->minttl)};
  return status;
}

int parse_ns(Answer answer, void* names) {
  hostent* host = nullptr;
  const int status = ::ares_parse_ns_reply(answer.data(), size_of(answer), &host);
  return take_names(status, host, names, false);
}

int parse_ptr(Answer answer, void* names) {
  hostent* host = nullptr;
  const int status =
      ::ares_parse_ptr_reply(answer.data(), size_of(answer), nullptr, 0, AF_INET, &host);
  return take_names(status, host, names, false);
}

int parse_cname(Answer answer, void* names) {
  hostent* host = nullptr;
  const int status = ::ares_parse_a_reply(answer.data(), size_of(answer), &host, nullptr, nullptr);
  return take_names(status, host, names, true);
}

bool find_alias(Answer answer, std::optional<std::string>& name) {
  hostent* host = nullptr;
  const int status = ::ares_parse_a_reply(answer.data(), size_of(answer), &host, nullptr, nullptr);
  const std::unique_ptr<hostent, FreeHost> owned(host);
  if (status != ARES_SUCCESS || host->h_name == nullptr || host->h_aliases[0] == nullptr) {
    return false;
  }
  name = host->h_name;
  return true;
}

std::vector<std::string> names_of(const hostent& host) {
  std::vector<std::string> names;
  const auto add = [&names](const char* name) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  if (host.h_name != nullptr) add(host.h_name);
  for (char** alias = host.h_aliases; alias != nullptr && *alias != nullptr; ++alias) add(*alias);
  return names;
}

std::optional<Server> parse_server(std::string_view text) {
  Server server{AF_INET, {}, Server::kUsualPort};
  std::string_view address = text;
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    address = text.substr(1, end - 1);
    server.family = AF_INET6;
    const std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && rest[0] != ':') return std::nullopt;
    has_port = !rest.empty();
    if (has_port) port = rest.substr(1);
  } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    if (text.find(':', colon + 1) != std::string_view::npos) {
      server.family = AF_INET6;  // an IPv6 address without a port
    } else {
      address = text.substr(0, colon);
      port = text.substr(colon + 1);
      has_port = true;
    }
  }
  if (has_port) {
    const auto number = parse_port(port);
    if (!number.has_value()) return std::nullopt;
    server.port = *number;
  }
  if (address.contains('\0')) return std::nullopt;  // inet_pton() would not see what follows
  if (::inet_pton(server.family, std::string(address).c_str(), server.bytes.data()) != 1) {
    return std::nullopt;
  }
  return server;
}

std::string to_string(const Server& server) {
  std::string address = text_of(server.family, server.bytes.data());
  if (server.port == Server::kUsualPort) return address;
  const std::string port = ":" + std::to_string(server.port);
  return server.family == AF_INET6 ? "[" + address + "]" + port : address + port;
}

}  // namespace detail
}  // namespace rondo::dns
