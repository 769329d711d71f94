// The channel between a process and its child: a Unix socket that carries descriptors along with
// bytes, as libuv's IPC pipes do. new Channel(fd) has:
//
//   onread(bytes, fds)         bytes have come; undefined at the end. fds is a list, or undefined
//   readStart(), readStop()
//   readAll()                  calls onread() for what has already arrived
//   write(bytes, fd)           0 if all was written at once, the number of the write if some of it
//                              waits, or a negative errno; fd is sent along unless it is negative
//   onwritten(number, status)  a write that had to wait is done
//   queuedBytes(), descriptor()
//   ref(), unref(), hasRef(), close()
//
// descriptorType(fd): 'TCP', 'PIPE', 'UDP' or 'UNKNOWN', of a descriptor that has come.
// bindSocket(kind, address, port, ipv6Only, reuseAddress): a descriptor that is bound, for
// node:cluster to hand out.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rondo/poll.h"

#include "io/descriptor.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

constexpr std::size_t kReadSize = 64U << 10;
constexpr std::size_t kMostDescriptors = 64;  // in one message; the kernel's limit is 253
constexpr int kMostReads = 32;                // by readAll(); others may share the writing end

/// An epoll set with one descriptor, to be polled instead of it. io_uring keeps what it polls open,
/// and closes it some time after the process has died: the other side would see the end of the
/// channel long after the end of the process. An epoll set keeps nothing open.
class Readiness {
 public:
  explicit Readiness(int fd) : fd_(fd), set_(::epoll_create1(EPOLL_CLOEXEC)) {
    epoll_event event{};
    if (set_ && ::epoll_ctl(set_.get(), EPOLL_CTL_ADD, fd, &event) != 0) set_ = {};
  }

  /// After the poll has ended.
  void close() noexcept { set_ = {}; }
  /// The descriptor itself where there is none for a set.
  int descriptor() const noexcept { return set_ ? set_.get() : fd_; }
  /// What to poll descriptor() for to learn of `events`.
  PollEvents want(PollEvents events) const noexcept {
    if (!set_) return events;
    epoll_event event{};
    if (any(events & PollEvents::readable)) event.events |= EPOLLIN;
    if (any(events & PollEvents::writable)) event.events |= EPOLLOUT;
    ::epoll_ctl(set_.get(), EPOLL_CTL_MOD, fd_, &event);
    return PollEvents::readable;
  }

 private:
  int fd_;
  Descriptor set_;
};

class Channel final : public Wrapped {
 public:
  Channel(Environment& environment, Local<v8::Object> object, Descriptor fd)
      : Wrapped(environment, object),
        fd_(std::move(fd)),
        readiness_(fd_.get()),
        poll_(environment.loop(), readiness_.descriptor()) {
    ::fcntl(fd_.get(), F_SETFL, ::fcntl(fd_.get(), F_GETFL) | O_NONBLOCK);
    ::fcntl(fd_.get(), F_SETFD, FD_CLOEXEC);
    hold();
  }
  ~Channel() override {
    *link_ = nullptr;
    poll_.close();
  }

  static void construct(const Arguments& args) {
    if (!args.IsConstructCall() || !args[0]->IsInt32()) return;
    new Channel(Environment::of(args.GetIsolate()), args.This(),
                Descriptor(args[0].As<v8::Int32>()->Value()));
  }

  std::int32_t read_start() {
    reading_ = true;
    return watch();
  }
  void read_stop() {
    reading_ = false;
    watch();
  }
  void read_all() {
    hold();
    int left = kMostReads;
    while (fd_ && reading_ && left-- > 0 && read_some()) continue;
    let_go();
  }

  std::optional<std::int32_t> write(Local<Value> view, std::optional<std::int32_t> fd) {
    if (!view->IsArrayBufferView()) return {};
    const ReadBytes bytes(view);
    return send_or_queue({reinterpret_cast<const char*>(bytes.get().data()), bytes.get().size()},
                         fd.value_or(-1));
  }

  std::uint64_t queued_bytes() const { return queued_; }
  std::int32_t descriptor() const { return fd_.get(); }
  void ref() { set_ref(true); }
  void unref() { set_ref(false); }
  bool has_ref() const { return referenced_; }

  void close() {
    if (!fd_) return;
    poll_.close();
    writing_.release();
    queued_ = 0;
    readiness_.close();
    fd_ = {};
    if (writes_.empty()) return let_go();
    environment().loop().queue_close([link = link_] {
      if (*link != nullptr) (*link)->cancel_writes();
    });
  }

 private:
  struct Write {
    std::uint32_t number;
    std::string bytes;
    std::size_t written = 0;
    Descriptor fd;  // not sent yet, or none
  };

  void set_ref(bool on) {
    referenced_ = on;
    if (on)
      poll_.ref();
    else
      poll_.unref();
  }

  std::int32_t watch() {
    if (!fd_) return -EBADF;
    PollEvents events = PollEvents::none;
    if (reading_) events = events | PollEvents::readable;
    if (!writes_.empty()) events = events | PollEvents::writable;
    if (std::exchange(watched_, events) == events) return 0;
    if (events == PollEvents::none) {
      poll_.stop();
      return 0;
    }
    const auto started = poll_.start(readiness_.want(events), [this](PollEvents) { ready(); });
    set_ref(referenced_);
    return started ? 0 : -started.error().value();
  }

  void ready() {
    hold();  // what is called may close us
    if (!writes_.empty()) flush();
    if (fd_ && reading_) read_some();
    let_go();
  }

  // ---- Reading ----

  /// False if there was nothing.
  bool read_some() {
    thread_local const auto buffer = std::make_unique_for_overwrite<std::byte[]>(kReadSize);
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control;
    iovec piece{buffer.get(), kReadSize};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t count = ::recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    const v8::HandleScope scope(environment().isolate());
    const v8::Context::Scope entered(environment().context());
    const Local<Value> undefined = v8::Undefined(environment().isolate());
    if (count <= 0) {
      // A parent that died is the same as one that closed the channel.
      reading_ = false;
      watch();
      report("onread", {undefined, undefined});
      return true;
    }
    const Local<Value> bytes = to_uint8_array({buffer.get(), static_cast<std::size_t>(count)});
    report("onread", {bytes, descriptors_of(message)});
    return true;
  }

  Local<Value> to_uint8_array(std::span<const std::byte> bytes) {
    v8::Isolate* isolate = environment().isolate();
    const Local<v8::ArrayBuffer> memory = v8::ArrayBuffer::New(isolate, bytes.size());
    std::memcpy(memory->Data(), bytes.data(), bytes.size());
    return v8::Uint8Array::New(memory, 0, bytes.size());
  }

  Local<Value> descriptors_of(msghdr& message) {
    v8::Isolate* isolate = environment().isolate();
    std::vector<Local<Value>> list;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
         part = CMSG_NXTHDR(&message, part)) {
      if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (std::size_t i = 0; i < count; ++i) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
        list.push_back(v8::Integer::New(isolate, fd));
      }
    }
    if (list.empty()) return v8::Undefined(isolate);
    return v8::Array::New(isolate, list.data(), list.size());
  }

  // ---- Writing ----

  /// How many bytes the kernel took, or a negative errno.
  ssize_t send(std::string_view bytes, int fd) const {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    if (fd >= 0) {
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      cmsghdr* part = CMSG_FIRSTHDR(&message);
      part->cmsg_level = SOL_SOCKET;
      part->cmsg_type = SCM_RIGHTS;
      part->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(part), &fd, sizeof(int));
    }
    for (;;) {
      const ssize_t count = ::sendmsg(fd_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count >= 0) return count;
      if (errno != EINTR) return -errno;
    }
  }

  std::int32_t send_or_queue(std::string_view bytes, int fd) {
    if (!fd_) return -EBADF;
    std::size_t written = 0;
    while (writes_.empty() && written < bytes.size()) {
      const ssize_t count = send(bytes.substr(written), fd);
      if (count == -EAGAIN) break;
      if (count < 0) return static_cast<std::int32_t>(count);
      written += static_cast<std::size_t>(count);
      fd = -1;
    }
    if (written == bytes.size() && writes_.empty()) return 0;
    Descriptor kept;
    if (fd >= 0) {
      // The sender may close it before it is sent.
      kept = Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
      if (!kept) return -errno;
    }
    last_number_ = last_number_ % 0x3fffffff + 1;
    queued_ += bytes.size() - written;
    writes_.push_back({last_number_, std::string(bytes.substr(written)), 0, std::move(kept)});
    if (writes_.size() == 1) writing_ = environment().loop().keep_alive();
    watch();
    return static_cast<std::int32_t>(last_number_);
  }

  void flush() {
    while (fd_ && !writes_.empty()) {
      Write& first = writes_.front();
      const ssize_t count =
          send(std::string_view(first.bytes).substr(first.written), first.fd ? first.fd.get() : -1);
      if (count == -EAGAIN) return;
      if (count >= 0) {
        first.fd = {};
        first.written += static_cast<std::size_t>(count);
        queued_ -= static_cast<std::size_t>(count);
        if (first.written < first.bytes.size()) continue;
      } else {
        queued_ -= first.bytes.size() - first.written;
      }
      const std::uint32_t number = first.number;
      writes_.pop_front();
      if (writes_.empty()) {
        writing_.release();
        watch();
      }
      v8::Isolate* isolate = environment().isolate();
      const v8::HandleScope scope(isolate);
      const v8::Context::Scope entered(environment().context());
      report("onwritten", {v8::Integer::NewFromUnsigned(isolate, number),
                           v8::Integer::New(isolate, count < 0 ? static_cast<int>(count) : 0)});
    }
  }

  void report(std::string_view name, std::initializer_list<Local<Value>> arguments) {
    Local<Value> function;
    if (object()->Get(environment().context(), environment().name(name)).ToLocal(&function) &&
        function->IsFunction()) {
      environment().call(object(), function.As<v8::Function>(), arguments);
    }
  }

  // As libuv does in its closing phase: the callback of a write that was never made is called too.
  void cancel_writes() {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope entered(environment().context());
    for (; !writes_.empty(); writes_.pop_front()) {
      report("onwritten", {v8::Integer::NewFromUnsigned(isolate, writes_.front().number),
                           v8::Integer::New(isolate, -ECANCELED)});
    }
    let_go();
  }

  const std::shared_ptr<Channel*> link_ = std::make_shared<Channel*>(this);
  Descriptor fd_;
  Readiness readiness_;
  Poll poll_;
  PollEvents watched_ = PollEvents::none;
  bool reading_ = false;
  bool referenced_ = true;
  std::deque<Write> writes_;
  KeepAlive writing_;  // also where the channel is unref'd
  std::size_t queued_ = 0;
  std::uint32_t last_number_ = 0;
};

std::string_view descriptor_type(std::int32_t fd) {
  int domain = 0;
  int type = 0;
  socklen_t size = sizeof(int);
  if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
      ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0) {
    if (domain == AF_UNIX) return "PIPE";
    if (type == SOCK_STREAM) return "TCP";
    if (type == SOCK_DGRAM) return "UDP";
  }
  return "UNKNOWN";
}

/// Whether the socket has a peer.
bool is_connected(std::int32_t fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  return ::getpeername(fd, reinterpret_cast<sockaddr*>(&storage), &size) == 0;
}

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

/// Of size 0 if it is none.
Address to_address(const std::string& text, int port) {
  Address address;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
  if (::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof(v4);
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof(v6);
  }
  return address;
}

Address to_path(const std::string& path) {
  Address address;
  auto& unix_address = reinterpret_cast<sockaddr_un&>(address.storage);
  if (path.size() >= sizeof(unix_address.sun_path)) return address;
  unix_address.sun_family = AF_UNIX;
  std::memcpy(unix_address.sun_path, path.data(), path.size());
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  return address;
}

/// A descriptor, or a negative errno.
int bind_address(const Address& address, int type, bool ipv6_only, bool reuse_address) {
  if (address.size == 0) return -EINVAL;
  const int family = address.storage.ss_family;
  Descriptor fd(::socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return -errno;
  const int on = 1;
  const int only = ipv6_only ? 1 : 0;
  if (family != AF_UNIX && (type == SOCK_STREAM || reuse_address)) {
    ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  }
  if (family == AF_INET6) {
    ::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof(only));
  }
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.size) != 0) {
    return -errno;
  }
  return fd.release();
}

/// (kind, address or undefined for any, port, IPv6 only, reuse address); kind is 'tcp', 'udp' or
/// 'pipe'.
std::int32_t bind_socket(std::string_view kind, const std::optional<std::string>& address,
                         std::int32_t port, bool ipv6_only, bool reuse) {
  const int type = kind == "udp" ? SOCK_DGRAM : SOCK_STREAM;
  if (kind == "pipe") return bind_address(to_path(address.value_or("")), type, false, false);
  if (address.has_value() && !address->empty()) {
    return bind_address(to_address(*address, port), type, ipv6_only, reuse);
  }
  const int fd = bind_address(to_address("::", port), type, ipv6_only, reuse);
  if (fd >= 0 || fd == -EADDRINUSE) return fd;
  return bind_address(to_address("0.0.0.0", port), type, false, reuse);
}

/// (fd): another one for the same, or a negative errno
std::int32_t duplicate_descriptor(std::int32_t fd) {
  const int duplicate = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return duplicate < 0 ? -errno : duplicate;
}

void close_descriptor(std::int32_t fd) {
  ::close(fd);
}

constexpr Method kChannelMethods[] = {
    method<&Channel::read_start>("readStart"),
    method<&Channel::read_stop>("readStop"),
    method<&Channel::read_all>("readAll"),
    method<&Channel::write>("write"),
    method<&Channel::queued_bytes>("queuedBytes"),
    method<&Channel::descriptor>("descriptor"),
    method<&Channel::ref>("ref"),
    method<&Channel::unref>("unref"),
    method<&Channel::has_ref>("hasRef"),
    method<&Channel::close>("close"),
};

constexpr ClassShape kClasses[] = {{"Channel", Channel::construct, kChannelMethods}};

constexpr Method kMethods[] = {
    method<descriptor_type>("descriptorType"), method<is_connected>("isConnected"),
    method<bind_socket>("bindSocket"), method<close_descriptor>("closeDescriptor"),
    method<duplicate_descriptor>("duplicateDescriptor")};

}  // namespace

extern const Binding binding_ipc;
const Binding binding_ipc{.name = "ipc", .methods = kMethods, .classes = kClasses};

}  // namespace rondo
