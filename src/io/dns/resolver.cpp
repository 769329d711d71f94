#include <ares.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <utility>

#include "rondo/dns.h"

#include "io/dns/channel.h"
#include "io/dns/error.h"
#include "io/dns/parse.h"
#include "io/io_context.h"

namespace rondo::dns {

using namespace std::chrono_literals;

namespace detail {

// ---- Sockets of c-ares ------------------------------------------------------------------------

class Channel::Socket final : public Watch {
 public:
  Socket(Channel& channel, int descriptor) noexcept : channel_(&channel) { fd = descriptor; }

  Expected<> watch(bool readable, bool writable) {
    events = static_cast<std::uint32_t>((readable ? POLLIN : 0) | (writable ? POLLOUT : 0));
    if (const auto error = channel_->core()->backend().watch(*this)) return std::unexpected(error);
    return {};
  }
  void stop() noexcept {
    channel_->core()->backend().unwatch(*this);
    channel_ = nullptr;
  }

 private:
  void complete(std::int32_t result, std::uint32_t /*flags*/) override {
    if (channel_ == nullptr) return;  // stopped by an earlier completion of the same batch
    // c-ares finds out what an error or a hang-up means by reading.
    const auto ready = result < 0 ? std::uint32_t{POLLERR} : static_cast<std::uint32_t>(result);
    const auto has_come = [&](std::uint32_t event) {
      return (events & event) != 0 && (ready & (event | POLLERR | POLLHUP)) != 0;
    };
    const auto keep = channel_->shared_from_this();
    channel_->process(has_come(POLLIN) ? fd : ARES_SOCKET_BAD,
                      has_come(POLLOUT) ? fd : ARES_SOCKET_BAD);
  }

  Channel* channel_;
};

void Channel::on_socket(void* channel, ares_socket_t fd, int readable, int writable) noexcept {
  auto& self = *static_cast<Channel*>(channel);
  if (self.core() == nullptr) return;
  const auto found = std::ranges::find(self.sockets_, fd, [](const auto& one) { return one->fd; });
  if (readable == 0 && writable == 0) {
    if (found == self.sockets_.end()) return;
    (*found)->stop();
    self.sockets_.erase(found);
    return;
  }
  try {
    auto socket = found == self.sockets_.end() ? std::make_shared<Socket>(self, fd) : *found;
    // A socket that cannot be watched is one that does not answer: the next try may have more luck.
    if (!socket->watch(readable != 0, writable != 0)) return;
    if (found == self.sockets_.end()) self.sockets_.push_back(std::move(socket));
  } catch (const std::exception&) {
    return;  // no memory: as above
  }
}

// ---- The channel ------------------------------------------------------------------------------

constexpr std::chrono::milliseconds kLongestTimeout = 30min;  // doubled by each try, still an int
constexpr int kMostTries = 10;

#ifdef ARES_OPT_QUERY_CACHE
using Options = ares_options;
#else
/// A program on the engine runs with a newer c-ares than that of the header. What it reads beyond
/// the header's fields; c-ares 1.18 does not look there, and ignores the bits that select them.
struct Options : ares_options {
  char* hosts_path;
  int udp_max_queries;
  int maxtimeout;
  unsigned int qcache_max_ttl;
  int evsys;
  struct {
    unsigned short retry_chance;
    std::size_t retry_delay;
  } server_failover_opts;
};
constexpr int ARES_OPT_MAXTIMEOUTMS = 1 << 20;
constexpr int ARES_OPT_QUERY_CACHE = 1 << 21;
#endif

Channel::Channel(Loop& loop, const ResolverOptions& options)
    : LoopOwned(loop),
      loop_(loop),
      timeout_(std::clamp<std::chrono::milliseconds>(options.timeout, 1ms, kLongestTimeout)) {
  static const int kLibraryStatus = ::ares_library_init(ARES_LIB_INIT_ALL);
  Options wanted{};
  // Answers that report an error are answers: without this flag c-ares would ask the next server.
  wanted.flags = ARES_FLAG_NOCHECKRESP;
  wanted.timeout = static_cast<int>(timeout_.count());
  wanted.tries = std::clamp(options.tries, 1, kMostTries);
  wanted.sock_state_cb = &on_socket;
  wanted.sock_state_cb_data = this;
  wanted.qcache_max_ttl = 0;  // no cache: a question is asked
  int chosen = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB |
               ARES_OPT_QUERY_CACHE;
  if (options.max_timeout > 0ms) {
    wanted.maxtimeout = static_cast<int>(std::min(options.max_timeout, kLongestTimeout).count());
    chosen |= ARES_OPT_MAXTIMEOUTMS;
  }
  int status = kLibraryStatus;
  if (status == ARES_SUCCESS) status = ::ares_init_options(&ares_, &wanted, chosen);
  open_error_ = ares_error(status);
  if (open_error_) ares_ = nullptr;
}

Channel::~Channel() {
  shut_down();
}

std::shared_ptr<Channel> Channel::of(Loop& loop) {
  auto& own = IoContext::of(loop.core()).names();
  if (own == nullptr || own->open_error_) own = std::make_shared<Channel>(loop, ResolverOptions{});
  return own;
}

void Channel::loop_ends() noexcept {
  shut_down();
  leave();
}

void Channel::shut_down() noexcept {
  for (Question& question : questions_) {
    if (question.owner_ != nullptr) question.owner_->question_ = nullptr;
    question.owner_ = nullptr;
    question.reported_ = true;  // so that the last answers of c-ares touch nothing
  }
  // With the loop its timers go as well.
  if (core() != nullptr && !core()->ending()) timer_.clear();
  if (ares_ != nullptr) ::ares_destroy(std::exchange(ares_, nullptr));
  for (const auto& socket : sockets_) socket->stop();
  sockets_.clear();
  questions_.clear();
}

// ---- Questions and answers --------------------------------------------------------------------

void Channel::ask(QueryBase& query, rondo::detail::Waiter waiter, void* value) {
  questions_.emplace_front(*this, query, waiter, value);
  Question& question = questions_.front();
  question.self_ = questions_.begin();
  query.question_ = &question;
  ++waited_for_;
  core()->begin_request();
  send(question);
  if (ares_ != nullptr) set_timer();
}

void Channel::send(Question& question) {
  const QueryBase& query = *question.owner_;
  if (open_error_) {
    answered(question, open_error_);
    return;
  }
  if (questions_.size() > kMostQuestions) {
    answered(question, errno_code(EAGAIN));
    return;
  }
  if (query.name_.contains('\0')) {
    answered(question, Error::bad_name);
    return;
  }
  if (query.asking_->type != 0) {
    constexpr int kInternet = 1;
    question.at_ares_ = true;
    ::ares_query(ares_, query.name_.c_str(), kInternet, query.asking_->type, &on_answer, &question);
    question.is_asked_ = true;
    return;
  }
  in6_addr address{};
  for (const auto& [family, size] : {std::pair(AF_INET, 4), std::pair(AF_INET6, 16)}) {
    if (::inet_pton(family, query.name_.c_str(), &address) != 1) continue;
    question.at_ares_ = true;
    ::ares_gethostbyaddr(ares_, &address, size, family, &on_host, &question);
    return;
  }
  answered(question, errno_code(EINVAL));
}

void Channel::on_answer(void* question, int status, int /*timeouts*/, unsigned char* answer,
                        int size) noexcept {
  auto& self = *static_cast<Question*>(question);
  self.at_ares_ = false;
  if (status == ARES_SUCCESS && !self.reported_) {
    try {
      status = self.owner_->asking_->parse({answer, static_cast<std::size_t>(size)}, self.value_);
    } catch (const std::exception&) {
      status = ARES_ENOMEM;
    }
  }
  // No fault of the name that was asked for.
  if (status == ARES_EBADNAME && self.is_asked_) status = ARES_EFORMERR;
  self.channel_.answered(self, ares_error(status));
}

void Channel::on_host(void* question, int status, int /*timeouts*/, hostent* host) noexcept {
  auto& self = *static_cast<Question*>(question);
  self.at_ares_ = false;
  if (status == ARES_SUCCESS && !self.reported_) {
    try {
      *static_cast<std::vector<std::string>*>(self.value_) = names_of(*host);
    } catch (const std::exception&) {
      status = ARES_ENOMEM;
    }
  }
  self.channel_.answered(self, ares_error(status));
}

/// The outcome of a query is known. If an operation waits for it, it is reported in the poll phase.
void Channel::answered(Question& question, const std::error_code& error) noexcept {
  if (question.owner_ == nullptr) {
    // Cancelled, reported, and now c-ares has released it as well. (While the channel shuts down
    // all questions go together.)
    if (!question.reported_) questions_.erase(question.self_);
    return;
  }
  if (question.reported_) return;  // cancelled; complete() is on its way
  question.reported_ = true;
  question.owner_->error_ = error;
  --waited_for_;
  core()->complete_soon(question, 0);
}

void Question::complete(std::int32_t /*result*/, std::uint32_t /*flags*/) {
  const auto channel = channel_.shared_from_this();
  LoopCore& core = *channel->core();
  const rondo::detail::Waiter waiter = waiter_;
  const Task task{TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  owner_->question_ = nullptr;
  owner_ = nullptr;
  reported_ = false;
  core.end_request();
  if (!at_ares_) channel->questions_.erase(self_);
  channel->forget_if_nobody_waits();
  core.door().run(task, [waiter] { waiter(); });
}

void Channel::cancel(Question& question) noexcept {
  if (question.reported_) return;
  answered(question, errno_code(ECANCELED));
}

void Channel::cancel_all() {
  if (core() == nullptr || ares_ == nullptr) return;
  core()->check_thread();
  ::ares_cancel(ares_);
  timer_.clear();
}

/// Lets go of the questions that were cancelled, sockets and all, when no other is left.
void Channel::forget_if_nobody_waits() noexcept {
  if (waited_for_ != 0 || ares_ == nullptr) return;
  if (!questions_.empty()) ::ares_cancel(ares_);
  timer_.clear();
}

// ---- Driving c-ares ---------------------------------------------------------------------------

void Channel::process(ares_socket_t readable, ares_socket_t writable) {
  ::ares_process_fd(ares_, readable, writable);
  if (waited_for_ == 0) timer_.clear();
}

/// Sees to it that c-ares is called when a question is to be repeated or given up. To ask when that
/// is costs a look at every question, so it is not asked more often than need be: a timer that goes
/// off too early does no harm.
void Channel::set_timer() {
  const std::chrono::milliseconds now = loop_.now();
  if (timer_.active() && timer_due_ <= now + timeout_) return;
  timer_.clear();
  timeval left{};
  if (waited_for_ == 0 || ::ares_timeout(ares_, nullptr, &left) == nullptr) return;
  // Rounded up: too early by less than a millisecond would mean to come again at once.
  const auto duration = std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::seconds(left.tv_sec) + std::chrono::microseconds(left.tv_usec));
  timer_due_ = now + duration;
  timer_ = loop_.set_timeout(duration, [this] {
    process(ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    timer_.clear();
    set_timer();
  });
  timer_.unref();  // it is the questions that keep the loop alive
}

// ---- Servers ----------------------------------------------------------------------------------

Expected<> Channel::set_servers(std::span<const std::string> servers) {
  if (core() == nullptr) return std::unexpected(errno_code(ECANCELED));
  core()->check_thread();
  if (open_error_) return std::unexpected(open_error_);
  // c-ares 1.18 refuses this itself; newer ones send what is in progress to the new servers.
  if (std::ranges::any_of(questions_, &Question::at_ares_)) {
    return std::unexpected(errno_code(EBUSY));
  }
  std::vector<ares_addr_port_node> nodes(servers.size());
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const auto server = parse_server(servers[i]);
    if (!server.has_value()) return std::unexpected(errno_code(EINVAL));
    nodes[i].family = server->family;
    std::memcpy(&nodes[i].addr, server->bytes.data(), server->family == AF_INET ? 4 : 16);
    nodes[i].udp_port = nodes[i].tcp_port = server->port;
    nodes[i].next = i + 1 < servers.size() ? &nodes[i + 1] : nullptr;
  }
  const int status = ::ares_set_servers_ports(ares_, nodes.empty() ? nullptr : nodes.data());
  if (status != ARES_SUCCESS) return std::unexpected(ares_error(status));
  return {};
}

std::vector<std::string> Channel::servers() const {
  std::vector<std::string> servers;
  ares_addr_port_node* first = nullptr;
  if (ares_ == nullptr || ::ares_get_servers_ports(ares_, &first) != ARES_SUCCESS) return servers;
  const std::unique_ptr<ares_addr_port_node, decltype(&::ares_free_data)> owned(first,
                                                                                &::ares_free_data);
  for (const ares_addr_port_node* node = first; node != nullptr; node = node->next) {
    Server server{node->family, {}, Server::kUsualPort};
    std::memcpy(server.bytes.data(), &node->addr, node->family == AF_INET ? 4 : 16);
    if (node->udp_port != 0) server.port = static_cast<std::uint16_t>(node->udp_port);
    servers.push_back(to_string(server));
  }
  return servers;
}

Expected<> Channel::set_local_address(std::string_view address) {
  if (core() == nullptr) return std::unexpected(errno_code(ECANCELED));
  core()->check_thread();
  if (open_error_) return std::unexpected(open_error_);
  const std::string text(address);
  in_addr v4{};
  in6_addr v6{};
  if (::inet_pton(AF_INET, text.c_str(), &v4) == 1) {
    ::ares_set_local_ip4(ares_, ntohl(v4.s_addr));
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6) == 1) {
    ::ares_set_local_ip6(ares_, v6.s6_addr);
  } else {
    return std::unexpected(errno_code(EINVAL));
  }
  return {};
}

// ---- The operation ----------------------------------------------------------------------------

namespace {

/// Of a resolver that was moved from: nothing to ask, EBADF.
const Asking kAskNothing{0, nullptr};

}  // namespace

QueryBase::QueryBase(std::shared_ptr<Channel> channel, std::string_view name, const Asking& asking)
    : channel_(std::move(channel)), name_(name), asking_(&asking) {}

QueryBase::QueryBase(QueryBase&& other) noexcept
    : channel_(std::move(other.channel_)), name_(std::move(other.name_)), asking_(other.asking_) {}

QueryBase::~QueryBase() {
  if (question_ != nullptr) question_->owner_ = nullptr;
}

void QueryBase::begin(const rondo::detail::AsyncContext& context, rondo::detail::Waiter waiter,
                      void* value) {
  context.loop->core().check_thread();
  if (asking_ == &kAskNothing) {
    error_ = errno_code(EBADF);
    context.loop->core().pending().add([waiter] { waiter(); });
    return;
  }
  if (channel_ == nullptr) channel_ = Channel::of(*context.loop);
  if (channel_->core() != &context.loop->core()) {
    throw Misuse("ERR_INVALID_ARG_VALUE", "the resolver belongs to another loop");
  }
  channel_->ask(*this, waiter, value);
}

void QueryBase::cancel() noexcept {
  if (question_ != nullptr) channel_->cancel(*question_);
}

}  // namespace detail

namespace {

/// The question itself, if there is a resolver to ask.
const detail::Asking& asked_of(const std::shared_ptr<detail::Channel>& channel,
                               const detail::Asking& asking) noexcept {
  return channel != nullptr ? asking : detail::kAskNothing;
}

}  // namespace

// ---- The public face --------------------------------------------------------------------------

Resolver::Resolver(Loop& loop, ResolverOptions options) {
  loop.core().check_thread();
  channel_ = std::make_shared<detail::Channel>(loop, options);
}

Resolver::~Resolver() {
  if (channel_ != nullptr) channel_->check_drop();
}
Resolver::Resolver(Resolver&&) noexcept = default;
Resolver& Resolver::operator=(Resolver&&) noexcept = default;

Expected<> Resolver::set_servers(std::span<const std::string> servers) {
  if (channel_ == nullptr) return std::unexpected(errno_code(EBADF));
  return channel_->set_servers(servers);
}
std::vector<std::string> Resolver::servers() const {
  if (channel_ == nullptr) return {};
  return channel_->servers();
}
Expected<> Resolver::set_local_address(std::string_view address) {
  if (channel_ == nullptr) return std::unexpected(errno_code(EBADF));
  return channel_->set_local_address(address);
}
void Resolver::cancel() {
  if (channel_ == nullptr) return;
  channel_->cancel_all();
}

AddressQuery Resolver::resolve4(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskA)};
}
AddressQuery Resolver::resolve6(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskAaaa)};
}
QueryOp<std::vector<MxRecord>> Resolver::resolve_mx(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskMx)};
}
QueryOp<std::vector<TxtRecord>> Resolver::resolve_txt(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskTxt)};
}
QueryOp<std::vector<SrvRecord>> Resolver::resolve_srv(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskSrv)};
}
NameQuery Resolver::resolve_ns(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskNs)};
}
NameQuery Resolver::resolve_cname(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskCname)};
}
NameQuery Resolver::resolve_ptr(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskPtr)};
}
QueryOp<SoaRecord> Resolver::resolve_soa(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskSoa)};
}
QueryOp<std::vector<CaaRecord>> Resolver::resolve_caa(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskCaa)};
}
QueryOp<std::vector<NaptrRecord>> Resolver::resolve_naptr(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskNaptr)};
}
QueryOp<std::vector<TlsaRecord>> Resolver::resolve_tlsa(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskTlsa)};
}
QueryOp<AnyRecords> Resolver::resolve_any(std::string_view name) const {
  return {channel_, name, asked_of(channel_, detail::kAskAny)};
}
NameQuery Resolver::reverse(std::string_view address) const {
  return {channel_, address, asked_of(channel_, detail::kAskNamesOfAddress)};
}

AddressQuery resolve4(std::string_view name) {
  return {nullptr, name, detail::kAskA};
}
AddressQuery resolve6(std::string_view name) {
  return {nullptr, name, detail::kAskAaaa};
}
QueryOp<std::vector<MxRecord>> resolve_mx(std::string_view name) {
  return {nullptr, name, detail::kAskMx};
}
QueryOp<std::vector<TxtRecord>> resolve_txt(std::string_view name) {
  return {nullptr, name, detail::kAskTxt};
}
QueryOp<std::vector<SrvRecord>> resolve_srv(std::string_view name) {
  return {nullptr, name, detail::kAskSrv};
}
NameQuery resolve_ns(std::string_view name) {
  return {nullptr, name, detail::kAskNs};
}
NameQuery resolve_cname(std::string_view name) {
  return {nullptr, name, detail::kAskCname};
}
NameQuery resolve_ptr(std::string_view name) {
  return {nullptr, name, detail::kAskPtr};
}
QueryOp<SoaRecord> resolve_soa(std::string_view name) {
  return {nullptr, name, detail::kAskSoa};
}
QueryOp<std::vector<CaaRecord>> resolve_caa(std::string_view name) {
  return {nullptr, name, detail::kAskCaa};
}
QueryOp<std::vector<NaptrRecord>> resolve_naptr(std::string_view name) {
  return {nullptr, name, detail::kAskNaptr};
}
QueryOp<std::vector<TlsaRecord>> resolve_tlsa(std::string_view name) {
  return {nullptr, name, detail::kAskTlsa};
}
QueryOp<AnyRecords> resolve_any(std::string_view name) {
  return {nullptr, name, detail::kAskAny};
}
NameQuery reverse(std::string_view address) {
  return {nullptr, address, detail::kAskNamesOfAddress};
}

}  // namespace rondo::dns
