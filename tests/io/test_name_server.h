// A name server for tests, on loopback, in a thread: UDP and TCP on one port. It answers with the
// records it was given, and misbehaves for names whose first label says so:
//
//     silent      no answer at all             second-try  an answer to the second question only
//     nxdomain, servfail, refused, notimp, formerr         an answer with that code
//     truncated   over UDP only "ask by TCP"   tcp-closed  the same, and TCP is closed at once
//     dribble     the same; by TCP the answer comes byte by byte
//     wrong-id    an answer with another id, then the right one
//     only-wrong-id                            never the right one
//     wrong-name  an answer to another question
//     malformed   a record that says it is longer than the answer
//     short       five bytes                   looping     a name that refers to itself
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace rondo::testing_dns {

using Bytes = std::string;

inline Bytes u8(unsigned value) {
  return Bytes(1, static_cast<char>(value));
}
inline Bytes u16(unsigned value) {
  return u8(value >> 8) + u8(value & 0xff);
}
inline Bytes u32(std::uint32_t value) {
  return u16(value >> 16) + u16(value & 0xffff);
}
inline Bytes chunk(std::string_view text) {
  return u8(static_cast<unsigned>(text.size())) + Bytes(text);
}
/// A name as it is sent, without compression.
inline Bytes name(std::string_view text) {
  Bytes bytes;
  while (!text.empty()) {
    const std::size_t dot = text.find('.');
    bytes += chunk(text.substr(0, dot));
    text = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
  }
  return bytes + u8(0);
}
inline Bytes ip(int family, const char* text) {
  Bytes bytes(family == AF_INET ? 4 : 16, '\0');
  ::inet_pton(family, text, bytes.data());
  return bytes;
}

struct Record {
  unsigned type;
  std::uint32_t ttl;
  Bytes data;
};

inline constexpr unsigned kPointerToQuestion = 0xc00c;

/// An answer as a server sends it: the question (already in bytes), then the records.
inline Bytes answer(unsigned id, unsigned flags, const Bytes& question,
                    const std::vector<Record>& records) {
  Bytes bytes = u16(id) + u16(flags) + u16(1) + u16(static_cast<unsigned>(records.size())) +
                u16(0) + u16(0) + question;
  for (const Record& record : records) {
    bytes += u16(kPointerToQuestion) + u16(record.type) + u16(1) + u32(record.ttl) +
             u16(static_cast<unsigned>(record.data.size())) + record.data;
  }
  return bytes;
}

class NameServer {
 public:
  NameServer() {
    bind_both();
    wake_ = ::eventfd(0, EFD_CLOEXEC);
    thread_ = std::thread([this] { serve(); });
  }
  ~NameServer() {
    const std::uint64_t one = 1;
    if (::write(wake_, &one, sizeof(one)) != sizeof(one)) std::terminate();
    thread_.join();
    for (const int fd : connections_) ::close(fd);
    for (const int fd : {udp_, tcp_, wake_}) ::close(fd);
  }
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  void add(const std::string& host, std::vector<Record> records) {
    const std::lock_guard guard(mutex_);
    for (Record& record : records) records_[host].push_back(std::move(record));
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  int udp_questions() const { return udp_questions_; }
  int tcp_questions() const { return tcp_questions_; }
  /// Waits until so many questions have come by UDP.
  void wait_for_questions(int count) const {
    for (int seen = udp_questions_; seen < count; seen = udp_questions_) udp_questions_.wait(seen);
  }

 private:
  enum Flags : unsigned { kAnswer = 0x8580, kTruncated = 0x0200 };

  void bind_both() {
    // The port that the kernel gives for one protocol may be taken for the other.
    for (int attempt = 0; attempt < 100; ++attempt) {
      udp_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      tcp_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      auto* generic = reinterpret_cast<sockaddr*>(&address);
      socklen_t size = sizeof(address);
      if (::bind(udp_, generic, size) == 0 && ::getsockname(udp_, generic, &size) == 0 &&
          ::bind(tcp_, generic, size) == 0 && ::listen(tcp_, 64) == 0) {
        port_ = ntohs(address.sin_port);
        return;
      }
      ::close(udp_);
      ::close(tcp_);
    }
    throw std::runtime_error("no port for the name server");
  }

  void serve() {
    for (;;) {
      std::vector<pollfd> polled{{wake_, POLLIN, 0}, {udp_, POLLIN, 0}, {tcp_, POLLIN, 0}};
      for (const int fd : connections_) polled.push_back({fd, POLLIN, 0});
      if (::poll(polled.data(), polled.size(), -1) < 0) continue;
      if (polled[0].revents != 0) return;
      if (polled[1].revents != 0) answer_udp();
      for (std::size_t i = 3; i < polled.size(); ++i) {
        if (polled[i].revents != 0 && !answer_tcp(polled[i].fd)) {
          ::close(polled[i].fd);
          std::erase(connections_, polled[i].fd);
        }
      }
      if (polled[2].revents != 0) {
        const int fd = ::accept4(tcp_, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd >= 0) connections_.push_back(fd);
      }
    }
  }

  void answer_udp() {
    char bytes[4096];
    sockaddr_storage from{};
    socklen_t from_size = sizeof(from);
    const ssize_t size =
        ::recvfrom(udp_, bytes, sizeof(bytes), 0, reinterpret_cast<sockaddr*>(&from), &from_size);
    if (size < 12) return;
    const std::vector<Bytes> packets =
        answers_to(Bytes(bytes, static_cast<std::size_t>(size)), false);
    // Counted before the answer is sent: a client with the answer finds it counted.
    ++udp_questions_;
    udp_questions_.notify_all();
    for (const Bytes& packet : packets) {
      ::sendto(udp_, packet.data(), packet.size(), 0, reinterpret_cast<sockaddr*>(&from),
               from_size);
    }
  }

  /// False when the connection is to be closed.
  bool answer_tcp(int fd) {
    unsigned char prefix[2];
    if (!read_all(fd, prefix, 2)) return false;
    Bytes question(static_cast<std::size_t>(prefix[0] << 8 | prefix[1]), '\0');
    if (question.size() < 12 || !read_all(fd, question.data(), question.size())) return false;
    ++tcp_questions_;
    const std::string label = first_label(question);
    if (label == "tcp-closed") return false;
    for (const Bytes& packet : answers_to(question, true)) {
      const Bytes framed = u16(static_cast<unsigned>(packet.size())) + packet;
      const std::size_t step = label == "dribble" ? 1 : framed.size();
      for (std::size_t sent = 0; sent < framed.size(); sent += step) {
        if (::send(fd, framed.data() + sent, step, MSG_NOSIGNAL) < 0) return false;
      }
    }
    return true;
  }

  static bool read_all(int fd, void* to, std::size_t size) {
    return ::recv(fd, to, size, MSG_WAITALL) == static_cast<ssize_t>(size);
  }

  static std::string first_label(const Bytes& query) {
    return query.substr(13, static_cast<unsigned char>(query[12]));
  }

  /// The packets to send in answer to a query.
  std::vector<Bytes> answers_to(const Bytes& query, bool by_tcp) {
    const unsigned id = static_cast<unsigned>(static_cast<unsigned char>(query[0]) << 8 |
                                              static_cast<unsigned char>(query[1]));
    std::string host;
    std::size_t at = 12;
    while (at < query.size() && query[at] != 0) {
      const auto size = static_cast<unsigned char>(query[at]);
      if (!host.empty()) host += '.';
      host += query.substr(at + 1, size);
      at += 1U + size;
    }
    const Bytes question = query.substr(12, at + 5 - 12);
    const unsigned type = static_cast<unsigned>(static_cast<unsigned char>(query[at + 1]) << 8 |
                                                static_cast<unsigned char>(query[at + 2]));
    const std::string label = first_label(query);

    static const std::map<std::string, unsigned> kCodes{
        {"formerr", 1}, {"servfail", 2}, {"nxdomain", 3}, {"notimp", 4}, {"refused", 5}};
    if (const auto code = kCodes.find(label); code != kCodes.end()) {
      return {answer(id, kAnswer | code->second, question, {})};
    }

    const std::lock_guard guard(mutex_);
    std::vector<Record> records;
    for (const Record& record : records_[host]) {
      // A CNAME is part of the answer to whatever is asked.
      if (record.type == type || record.type == 5) records.push_back(record);
    }
    const Bytes good = answer(id, kAnswer, question, records);
    const bool first_time = ++asked_[host] == 1;
    if (label == "silent" || (label == "second-try" && first_time)) return {};
    if (!by_tcp && (label == "truncated" || label == "tcp-closed" || label == "dribble")) {
      return {answer(id, kAnswer | kTruncated, question, {})};
    }
    const Bytes wrong_id = answer(id ^ 1, kAnswer, question, {{1, 60, ip(AF_INET, "6.6.6.6")}});
    if (label == "wrong-id") return {wrong_id, good};
    if (label == "only-wrong-id") return {wrong_id};
    if (label == "wrong-name") {
      return {answer(id, kAnswer, name("evil.test") + u16(type) + u16(1),
                     {{1, 60, ip(AF_INET, "6.6.6.6")}}),
              good};
    }
    if (label == "malformed") {
      Bytes bad = answer(id, kAnswer, question, {});
      bad.replace(6, 2, u16(1));
      return {bad + u16(kPointerToQuestion) + u16(type) + u16(1) + u32(60) + u16(500) + "x"};
    }
    if (label == "short") return {u16(id) + u16(kAnswer) + "x"};
    if (label == "looping") {
      Bytes bad = answer(id, kAnswer, question, {});
      bad.replace(6, 2, u16(1));
      return {bad + u16(0xc000U + static_cast<unsigned>(bad.size())) + u16(type) + u16(1) +
              u32(60) + u16(4) + "xxxx"};
    }
    return {good};
  }

  int udp_ = -1;
  int tcp_ = -1;
  int wake_ = -1;
  unsigned port_ = 0;
  std::vector<int> connections_;
  std::mutex mutex_;
  std::map<std::string, std::vector<Record>> records_;
  std::map<std::string, int> asked_;
  std::atomic<int> udp_questions_ = 0;
  std::atomic<int> tcp_questions_ = 0;
  std::thread thread_;
};

}  // namespace rondo::testing_dns
