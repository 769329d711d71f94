#include "io/dns/error.h"

#include <ares.h>
#include <netdb.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "rondo/dns.h"
#include "rondo/error.h"

namespace rondo::dns {

namespace {

struct ErrorText {
  std::string_view name;
  std::string_view message;
};

ErrorText text_of(int number) noexcept {
  switch (static_cast<Error>(number)) {
    case Error::no_data:
      return {"ENODATA", "the name has no records of this type"};
    case Error::format:
      return {"EFORMERR", "the name server did not understand the question"};
    case Error::server_failure:
      return {"ESERVFAIL", "the name server failed"};
    case Error::not_found:
      return {"ENOTFOUND", "there is no such name"};
    case Error::not_implemented:
      return {"ENOTIMP", "the name server cannot answer such questions"};
    case Error::refused:
      return {"EREFUSED", "the name server refused to answer"};
    case Error::bad_query:
      return {"EBADQUERY", "the question makes no sense"};
    case Error::bad_name:
      return {"EBADNAME", "this cannot be a name"};
    case Error::bad_family:
      return {"EBADFAMILY", "unknown family of addresses"};
    case Error::bad_response:
      return {"EBADRESP", "the answer of the name server makes no sense"};
    case Error::timeout:
      return {"ETIMEOUT", "no name server answered in time"};
    case Error::end_of_file:
      return {"EOF", "end of file"};
    case Error::file:
      return {"EFILE", "a configuration file cannot be read"};
    case Error::destruction:
      return {"EDESTRUCTION", "the resolver is being destroyed"};
    case Error::bad_string:
      return {"EBADSTR", "a string makes no sense"};
    case Error::cancelled:
      return {"ECANCELLED", "the question was cancelled"};
    case Error::again:
      return {"EAI_AGAIN", "the name service does not answer now"};
    case Error::fail:
      return {"EAI_FAIL", "the name service failed for good"};
    case Error::bad_flags:
      return {"EAI_BADFLAGS", "unknown flags"};
    case Error::family:
      return {"EAI_FAMILY", "unknown family of addresses"};
    case Error::address_family:
      return {"EAI_ADDRFAMILY", "the name has no address of this family"};
    case Error::memory:
      return {"EAI_MEMORY", "out of memory"};
    case Error::service:
      return {"EAI_SERVICE", "unknown service"};
    case Error::socket_type:
      return {"EAI_SOCKTYPE", "unknown type of socket"};
    case Error::overflow:
      return {"EAI_OVERFLOW", "a name is too long"};
    case Error::other:
      return {"EAI_OTHER", "the name service failed for a reason of its own"};
  }
  return {};
}

class Category final : public NamedCategory {
 public:
  const char* name() const noexcept override { return "dns"; }
  std::string message(int number) const override {
    const std::string_view message = text_of(number).message;
    return message.empty() ? "no error of this number: " + std::to_string(number)
                           : std::string(message);
  }
  std::string_view error_name(int number) const noexcept override { return text_of(number).name; }

  std::error_condition default_error_condition(int number) const noexcept override {
    switch (static_cast<Error>(number)) {
      case Error::timeout:
        return std::errc::timed_out;
      case Error::cancelled:
        return std::errc::operation_canceled;
      case Error::memory:
        return std::errc::not_enough_memory;
      default:
        return {number, *this};
    }
  }
};

}  // namespace

const std::error_category& error_category() noexcept {
  static const Category kCategory;
  return kCategory;
}

namespace detail {

std::error_code ares_error(int status) noexcept {
  switch (status) {
    case ARES_SUCCESS:
      return {};
    case ARES_ENODATA:
      return Error::no_data;
    case ARES_EFORMERR:
      return Error::format;
    case ARES_ESERVFAIL:
      return Error::server_failure;
    case ARES_ENOTFOUND:
    case ARES_ENONAME:
      return Error::not_found;
    case ARES_ENOTIMP:
      return Error::not_implemented;
    case ARES_EREFUSED:
      return Error::refused;
    case ARES_EBADNAME:
      return Error::bad_name;
    case ARES_EBADFAMILY:
      return Error::bad_family;
    case ARES_EBADRESP:
      return Error::bad_response;
    case ARES_ECONNREFUSED:
      return errno_code(ECONNREFUSED);
    case ARES_ETIMEOUT:
      return Error::timeout;
    case ARES_EOF:
      return Error::end_of_file;
    case ARES_EFILE:
      return Error::file;
    case ARES_ENOMEM:
      return errno_code(ENOMEM);
    case ARES_EDESTRUCTION:
      return Error::destruction;
    case ARES_EBADSTR:
      return Error::bad_string;
    case ARES_ECANCELLED:
      return Error::cancelled;
    default:
      return Error::bad_query;
  }
}

std::error_code lookup_error(int result, int error_number) noexcept {
  switch (result) {
    case 0:
      return {};
    // Node's users know one name for both.
    case EAI_NONAME:
    case EAI_NODATA:
      return Error::not_found;
    case EAI_AGAIN:
      return Error::again;
    case EAI_FAIL:
      return Error::fail;
    case EAI_BADFLAGS:
      return Error::bad_flags;
    case EAI_FAMILY:
      return Error::family;
    case EAI_ADDRFAMILY:
      return Error::address_family;
    case EAI_MEMORY:
      return Error::memory;
    case EAI_SERVICE:
      return Error::service;
    case EAI_SOCKTYPE:
      return Error::socket_type;
    case EAI_OVERFLOW:
      return Error::overflow;
    case EAI_SYSTEM:
      return errno_code(error_number);
    default:
      return Error::other;
  }
}

}  // namespace detail
}  // namespace rondo::dns
