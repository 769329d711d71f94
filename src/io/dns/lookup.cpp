// lookup() and lookup_service(): the C library, on a thread of the pool.
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "rondo/dns.h"

#include "core/loop_core.h"
#include "io/dns/error.h"
#include "io/io_context.h"

namespace rondo::dns {

namespace detail {

namespace {

struct FreeAddresses {
  void operator()(addrinfo* list) const noexcept { ::freeaddrinfo(list); }
};
using AddressList = std::unique_ptr<addrinfo, FreeAddresses>;

/// The family of an address in numbers, with a zone or without; `any` if it is none.
Family numeric_family(const std::string& text) {
  in6_addr bytes{};
  if (::inet_pton(AF_INET, text.c_str(), &bytes) == 1) return Family::ipv4;
  const std::size_t zone = text.find('%');
  const std::string address = text.substr(0, zone);
  if (zone != std::string::npos && zone + 1 == text.size()) return Family::any;
  return ::inet_pton(AF_INET6, address.c_str(), &bytes) == 1 ? Family::ipv6 : Family::any;
}

AddressList get_addresses(const char* name, const addrinfo& hints, std::error_code& error) {
  addrinfo* list = nullptr;
  const int result = ::getaddrinfo(name, nullptr, &hints, &list);
  error = lookup_error(result, errno);
  return AddressList(list);
}

std::vector<Address> look_up(const LookupRequest& request, std::error_code& error) {
  const LookupOptions& options = request.options;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;  // or every address would come once for each type
  if (options.family != Family::any) {
    hints.ai_family = options.family == Family::ipv4 ? AF_INET : AF_INET6;
  }
  if (options.only_configured) hints.ai_flags |= AI_ADDRCONFIG;
  if (options.v4_mapped) hints.ai_flags |= AI_V4MAPPED;
  if (options.all_mapped) hints.ai_flags |= AI_ALL;

  const AddressList list = get_addresses(request.name.c_str(), hints, error);
  std::vector<Address> addresses;
  for (const addrinfo* one = list.get(); one != nullptr; one = one->ai_next) {
    char text[NI_MAXHOST];
    if (one->ai_family != AF_INET && one->ai_family != AF_INET6) continue;
    // Not inet_ntop(): that knows no zones.
    if (::getnameinfo(one->ai_addr, one->ai_addrlen, text, sizeof(text), nullptr, 0,
                      NI_NUMERICHOST) != 0) {
      continue;
    }
    addresses.push_back({text, one->ai_family == AF_INET ? Family::ipv4 : Family::ipv6});
  }
  if (options.order != Order::verbatim) {
    const Family first = options.order == Order::ipv4_first ? Family::ipv4 : Family::ipv6;
    auto place = addresses.begin();
    for (auto one = addresses.begin(); one != addresses.end(); ++one) {
      if (one->family == first) std::rotate(place++, one, one + 1);
    }
  }
  if (addresses.empty() && !error) error = Error::not_found;
  return addresses;
}

Service look_up_service(const LookupRequest& request, std::error_code& error) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  const AddressList list = get_addresses(request.name.c_str(), hints, error);
  if (list == nullptr) return {};
  if (list->ai_family == AF_INET) {
    reinterpret_cast<sockaddr_in*>(list->ai_addr)->sin_port = htons(request.port);
  } else {
    reinterpret_cast<sockaddr_in6*>(list->ai_addr)->sin6_port = htons(request.port);
  }
  char host[NI_MAXHOST] = {};
  char service[NI_MAXSERV] = {};
  const int result = ::getnameinfo(list->ai_addr, list->ai_addrlen, host, sizeof(host), service,
                                   sizeof(service), NI_NAMEREQD);
  error = lookup_error(result, errno);
  return {host, service};
}

}  // namespace

/// One call. The loop owns it; the operation that waits for it may end first.
class LookupJob final : public Operation, public PoolJob, public rondo::detail::LoopOwned {
 public:
  LookupJob(LoopCore& core, LookupBase& owner, rondo::detail::Waiter waiter, LookupRequest request)
      : LoopOwned(core), owner_(&owner), waiter_(waiter), request_(std::move(request)) {}
  ~LookupJob() override {
    if (owner_ != nullptr) owner_->job_ = nullptr;
  }

  void begin() {
    core()->begin_request();
    core()->begin_work();
    if (!known_at_once()) {
      const std::error_code refused = IoContext::of(*core()).pool().submit(*this);
      if (!refused) return;  // from here on error_ is the thread's
      error_ = refused;
    }
    core()->complete_soon(*this, 0);
  }

  void cancel() noexcept {
    if (reported_ || IoContext::of(*core()).pool().cancel(*this)) return;
    // A thread is at it, or it is done already. Another job takes over, with nothing to do but to
    // report; the request that keeps the loop alive is passed to it.
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): without memory the failure could not be
    // reported
    auto* successor = new LookupJob(*core(), *owner_, waiter_, {});
    successor->error_ = errno_code(ECANCELED);
    owner_->job_ = successor;
    owner_ = nullptr;
    successor->core()->complete_soon(*successor, 0);
  }

  /// The operation is destroyed. A job that was not reported yet is left to the loop.
  void leave_behind() noexcept {
    owner_ = nullptr;
    if (reported_) delete this;
  }

  const std::error_code& error() const noexcept { return error_; }
  std::vector<Address>& addresses() noexcept { return addresses_; }
  Service& service() noexcept { return service_; }

 private:
  bool known_at_once() {
    constexpr std::size_t kLongestName = 255;
    if (request_.name.contains('\0') || request_.name.size() > kLongestName) {
      error_ = errno_code(EINVAL);
      return true;
    }
    const Family family = numeric_family(request_.name);
    if (request_.kind == LookupRequest::Kind::service) {
      if (family == Family::any) error_ = errno_code(EINVAL);
      return family == Family::any;
    }
    if (request_.name.empty()) error_ = Error::not_found;
    if (family != Family::any) addresses_.push_back({request_.name, family});
    return request_.name.empty() || family != Family::any;
  }

  void perform() noexcept override {
    try {
      if (request_.kind == LookupRequest::Kind::addresses) {
        addresses_ = look_up(request_, error_);
      } else {
        service_ = look_up_service(request_, error_);
      }
    } catch (const std::exception&) {
      error_ = errno_code(ENOMEM);
    }
  }
  void finished(bool performed) noexcept override {
    if (!performed) error_ = errno_code(ECANCELED);
    core()->complete_from_thread(*this, 0);
  }

  void complete(std::int32_t /*result*/, std::uint32_t /*flags*/) override {
    if (owner_ == nullptr) {
      delete this;
      return;
    }
    reported_ = true;
    LoopCore& loop = *core();
    loop.end_request();
    loop.end_work();
    const Task task{TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
    loop.door().run(task, [waiter = waiter_] { waiter(); });
  }

  void loop_ends() noexcept override { delete this; }

  LookupBase* owner_;
  rondo::detail::Waiter waiter_;
  LookupRequest request_;
  bool reported_ = false;
  std::error_code error_;
  std::vector<Address> addresses_;
  Service service_;
};

void LookupBase::begin(const rondo::detail::AsyncContext& context, rondo::detail::Waiter waiter) {
  LoopCore& core = context.loop->core();
  core.check_thread();
  job_ = new LookupJob(core, *this, waiter, std::move(request_));
  job_->begin();
}

void LookupBase::cancel() noexcept {
  job_->cancel();
}

LookupBase::~LookupBase() {
  if (job_ != nullptr) job_->leave_behind();
}

}  // namespace detail

Expected<Address> LookupOp::take_result() {
  if (job_->error()) return std::unexpected(job_->error());
  return std::move(job_->addresses().front());
}

Expected<std::vector<Address>> LookupAllOp::take_result() {
  if (job_->error()) return std::unexpected(job_->error());
  return std::move(job_->addresses());
}

Expected<Service> LookupServiceOp::take_result() {
  if (job_->error()) return std::unexpected(job_->error());
  return std::move(job_->service());
}

LookupOp lookup(std::string_view host, LookupOptions options) {
  return LookupOp({detail::LookupRequest::Kind::addresses, std::string(host), options});
}

LookupAllOp lookup_all(std::string_view host, LookupOptions options) {
  return LookupAllOp({detail::LookupRequest::Kind::addresses, std::string(host), options});
}

LookupServiceOp lookup_service(std::string_view address, std::uint16_t port) {
  return LookupServiceOp({detail::LookupRequest::Kind::service, std::string(address), {}, port});
}

}  // namespace rondo::dns
