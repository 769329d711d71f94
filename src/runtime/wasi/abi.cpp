#include "runtime/wasi/abi.h"

#include <array>
#include <cerrno>
#include <cstddef>

namespace rondo::wasi {
namespace {

struct Name {
  const char* name;
  int number;  // of Linux; 0 for what a system call does not return
};

// The index is WASI's number.
constexpr std::array<Name, 77> kNames = {{
    {"ESUCCESS", 0},
    {"E2BIG", E2BIG},
    {"EACCES", EACCES},
    {"EADDRINUSE", EADDRINUSE},
    {"EADDRNOTAVAIL", EADDRNOTAVAIL},
    {"EAFNOSUPPORT", EAFNOSUPPORT},
    {"EAGAIN", EAGAIN},
    {"EALREADY", EALREADY},
    {"EBADF", EBADF},
    {"EBADMSG", EBADMSG},
    {"EBUSY", EBUSY},
    {"ECANCELED", ECANCELED},
    {"ECHILD", ECHILD},
    {"ECONNABORTED", ECONNABORTED},
    {"ECONNREFUSED", ECONNREFUSED},
    {"ECONNRESET", ECONNRESET},
    {"EDEADLK", EDEADLK},
    {"EDESTADDRREQ", EDESTADDRREQ},
    {"EDOM", EDOM},
    {"EDQUOT", EDQUOT},
    {"EEXIST", EEXIST},
    {"EFAULT", EFAULT},
    {"EFBIG", EFBIG},
    {"EHOSTUNREACH", EHOSTUNREACH},
    {"EIDRM", EIDRM},
    {"EILSEQ", EILSEQ},
    {"EINPROGRESS", EINPROGRESS},
    {"EINTR", EINTR},
    {"EINVAL", EINVAL},
    {"EIO", EIO},
    {"EISCONN", EISCONN},
    {"EISDIR", EISDIR},
    {"ELOOP", ELOOP},
    {"EMFILE", EMFILE},
    {"EMLINK", EMLINK},
    {"EMSGSIZE", EMSGSIZE},
    {"EMULTIHOP", EMULTIHOP},
    {"ENAMETOOLONG", ENAMETOOLONG},
    {"ENETDOWN", ENETDOWN},
    {"ENETRESET", ENETRESET},
    {"ENETUNREACH", ENETUNREACH},
    {"ENFILE", ENFILE},
    {"ENOBUFS", ENOBUFS},
    {"ENODEV", ENODEV},
    {"ENOENT", ENOENT},
    {"ENOEXEC", ENOEXEC},
    {"ENOLCK", ENOLCK},
    {"ENOLINK", ENOLINK},
    {"ENOMEM", ENOMEM},
    {"ENOMSG", ENOMSG},
    {"ENOPROTOOPT", ENOPROTOOPT},
    {"ENOSPC", ENOSPC},
    {"ENOSYS", ENOSYS},
    {"ENOTCONN", ENOTCONN},
    {"ENOTDIR", ENOTDIR},
    {"ENOTEMPTY", ENOTEMPTY},
    {"ENOTRECOVERABLE", ENOTRECOVERABLE},
    {"ENOTSOCK", ENOTSOCK},
    {"ENOTSUP", ENOTSUP},
    {"ENOTTY", ENOTTY},
    {"ENXIO", ENXIO},
    {"EOVERFLOW", EOVERFLOW},
    {"EOWNERDEAD", EOWNERDEAD},
    {"EPERM", EPERM},
    {"EPIPE", EPIPE},
    {"EPROTO", EPROTO},
    {"EPROTONOSUPPORT", EPROTONOSUPPORT},
    {"EPROTOTYPE", EPROTOTYPE},
    {"ERANGE", ERANGE},
    {"EROFS", EROFS},
    {"ESPIPE", ESPIPE},
    {"ESRCH", ESRCH},
    {"ESTALE", ESTALE},
    {"ETIMEDOUT", ETIMEDOUT},
    {"ETXTBSY", ETXTBSY},
    {"EXDEV", EXDEV},
    {"ENOTCAPABLE", 0},
}};

}  // namespace

Errno from_errno(int number) noexcept {
  for (std::size_t i = 1; i < kNames.size(); ++i) {
    if (kNames[i].number == number && number != 0) return static_cast<Errno>(i);
  }
  return Errno::nosys;
}

const char* name_of(Errno error) noexcept {
  return kNames[static_cast<std::size_t>(error)].name;
}

}  // namespace rondo::wasi
