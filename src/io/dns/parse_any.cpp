// Answers with records of several types, and of a type that c-ares 1.18 does not read.
#include <ares.h>

#include <cstdint>
#include <optional>
#include <span>

#include "io/dns/parse.h"

namespace rondo::dns::detail {

namespace {

// Where an answer's header (RFC 1035, 4.1.1) counts its questions and its records.
constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kQuestionCount = 4;
constexpr std::size_t kRecordCount = 6;
constexpr std::uint16_t kTlsa = 52;

/// Walks through the bytes of an answer; a step beyond their end fails, and so do all after it.
class Walk {
 public:
  explicit Walk(Answer answer) : answer_(answer) {}

  bool ok() const noexcept { return ok_; }
  std::uint8_t byte() { return take(1) ? answer_[at_ - 1] : 0; }
  std::uint16_t number() {
    if (!take(2)) return 0;
    return static_cast<std::uint16_t>(answer_[at_ - 2] << 8 | answer_[at_ - 1]);
  }
  Answer bytes(std::size_t count) {
    return take(count) ? answer_.subspan(at_ - count, count) : Answer{};
  }
  Answer rest() { return bytes(answer_.size() - at_); }
  void skip(std::size_t count) { take(count); }
  void skip_name() {
    char* name = nullptr;
    long size = 0;
    if (!ok_ || at_ >= answer_.size() ||
        ::ares_expand_name(answer_.data() + at_, answer_.data(), static_cast<int>(answer_.size()),
                           &name, &size) != ARES_SUCCESS) {
      ok_ = false;
      return;
    }
    ::ares_free_string(name);
    take(static_cast<std::size_t>(size));
  }

 private:
  bool take(std::size_t count) {
    ok_ = ok_ && count <= answer_.size() - at_;
    if (ok_) at_ += count;
    return ok_;
  }

  Answer answer_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

/// Adds what one of the other functions finds; false if the answer makes no sense.
template <class T>
bool add(int (*parse)(Answer, void*), Answer answer, T& records, int& status) {
  status = parse(answer, &records);
  return status == ARES_SUCCESS || status == ARES_ENODATA;
}

}  // namespace

int parse_tlsa(Answer answer, void* records) {
  Walk walk(answer);
  walk.skip(kQuestionCount);
  const std::uint16_t questions = walk.number();
  const std::uint16_t count = walk.number();
  walk.skip(kHeaderBytes - kRecordCount - 2);
  for (std::uint16_t i = 0; i < questions && walk.ok(); ++i) {
    walk.skip_name();
    walk.skip(4);  // type and class
  }
  auto& list = *static_cast<std::vector<TlsaRecord>*>(records);
  for (std::uint16_t i = 0; i < count && walk.ok(); ++i) {
    walk.skip_name();
    const std::uint16_t type = walk.number();
    walk.skip(6);  // class and time to live
    Walk data(walk.bytes(walk.number()));
    if (!walk.ok() || type != kTlsa) continue;
    TlsaRecord record;
    record.usage = data.byte();
    record.selector = data.byte();
    record.match = data.byte();
    if (!data.ok()) return ARES_EBADRESP;
    const Answer certificate = data.rest();
    if (certificate.empty()) continue;
    record.data.assign(certificate.begin(), certificate.end());
    list.push_back(std::move(record));
  }
  return walk.ok() ? ARES_SUCCESS : ARES_EBADRESP;
}

int parse_any(Answer answer, void* records) {
  auto& any = *static_cast<AnyRecords*>(records);
  int status = ARES_SUCCESS;
  // An alias has a name of its own beside it, and addresses that are not those of the name asked
  // for.
  const auto addresses = [&] {
    if (!add(parse_a, answer, any.a, status)) return false;
    std::optional<std::string> alias;
    if (!find_alias(answer, alias)) return true;
    any.a.clear();
    any.cname.push_back(*std::move(alias));
    return true;
  };
  const auto soa = [&] {
    // An answer without such a record is a bad one for c-ares 1.18; those that make no sense have
    // been found out above.
    SoaRecord record;
    if (parse_soa(answer, &record) == ARES_SUCCESS) any.soa.push_back(std::move(record));
    return true;
  };
  const bool makes_sense =
      addresses() && add(parse_aaaa, answer, any.aaaa, status) &&
      add(parse_mx, answer, any.mx, status) && add(parse_ns, answer, any.ns, status) &&
      add(parse_txt, answer, any.txt, status) && add(parse_srv, answer, any.srv, status) &&
      add(parse_ptr, answer, any.ptr, status) && add(parse_naptr, answer, any.naptr, status) &&
      soa() && add(parse_tlsa, answer, any.tlsa, status) && add(parse_caa, answer, any.caa, status);
  return makes_sense ? ARES_SUCCESS : status;
}

}  // namespace rondo::dns::detail
