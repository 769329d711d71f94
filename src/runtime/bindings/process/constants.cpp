// The numbers of the system by their names: os.constants and fs.constants.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo {
namespace {

struct Constant {
  std::string_view name;
  int value;
};

#define RONDO_CONSTANT(name) {#name, name}

constexpr Constant kDlopen[] = {
    RONDO_CONSTANT(RTLD_LAZY),  RONDO_CONSTANT(RTLD_NOW),      RONDO_CONSTANT(RTLD_GLOBAL),
    RONDO_CONSTANT(RTLD_LOCAL), RONDO_CONSTANT(RTLD_DEEPBIND),
};

constexpr Constant kErrno[] = {
    RONDO_CONSTANT(E2BIG),        RONDO_CONSTANT(EACCES),
    RONDO_CONSTANT(EADDRINUSE),   RONDO_CONSTANT(EADDRNOTAVAIL),
    RONDO_CONSTANT(EAFNOSUPPORT), RONDO_CONSTANT(EAGAIN),
    RONDO_CONSTANT(EALREADY),     RONDO_CONSTANT(EBADF),
    RONDO_CONSTANT(EBADMSG),      RONDO_CONSTANT(EBUSY),
    RONDO_CONSTANT(ECANCELED),    RONDO_CONSTANT(ECHILD),
    RONDO_CONSTANT(ECONNABORTED), RONDO_CONSTANT(ECONNREFUSED),
    RONDO_CONSTANT(ECONNRESET),   RONDO_CONSTANT(EDEADLK),
    RONDO_CONSTANT(EDESTADDRREQ), RONDO_CONSTANT(EDOM),
    RONDO_CONSTANT(EDQUOT),       RONDO_CONSTANT(EEXIST),
    RONDO_CONSTANT(EFAULT),       RONDO_CONSTANT(EFBIG),
    RONDO_CONSTANT(EHOSTUNREACH), RONDO_CONSTANT(EIDRM),
    RONDO_CONSTANT(EILSEQ),       RONDO_CONSTANT(EINPROGRESS),
    RONDO_CONSTANT(EINTR),        RONDO_CONSTANT(EINVAL),
    RONDO_CONSTANT(EIO),          RONDO_CONSTANT(EISCONN),
    RONDO_CONSTANT(EISDIR),       RONDO_CONSTANT(ELOOP),
    RONDO_CONSTANT(EMFILE),       RONDO_CONSTANT(EMLINK),
    RONDO_CONSTANT(EMSGSIZE),     RONDO_CONSTANT(EMULTIHOP),
    RONDO_CONSTANT(ENAMETOOLONG), RONDO_CONSTANT(ENETDOWN),
    RONDO_CONSTANT(ENETRESET),    RONDO_CONSTANT(ENETUNREACH),
    RONDO_CONSTANT(ENFILE),       RONDO_CONSTANT(ENOBUFS),
    RONDO_CONSTANT(ENODATA),      RONDO_CONSTANT(ENODEV),
    RONDO_CONSTANT(ENOENT),       RONDO_CONSTANT(ENOEXEC),
    RONDO_CONSTANT(ENOLCK),       RONDO_CONSTANT(ENOLINK),
    RONDO_CONSTANT(ENOMEM),       RONDO_CONSTANT(ENOMSG),
    RONDO_CONSTANT(ENOPROTOOPT),  RONDO_CONSTANT(ENOSPC),
    RONDO_CONSTANT(ENOSR),        RONDO_CONSTANT(ENOSTR),
    RONDO_CONSTANT(ENOSYS),       RONDO_CONSTANT(ENOTCONN),
    RONDO_CONSTANT(ENOTDIR),      RONDO_CONSTANT(ENOTEMPTY),
    RONDO_CONSTANT(ENOTSOCK),     RONDO_CONSTANT(ENOTSUP),
    RONDO_CONSTANT(ENOTTY),       RONDO_CONSTANT(ENXIO),
    RONDO_CONSTANT(EOPNOTSUPP),   RONDO_CONSTANT(EOVERFLOW),
    RONDO_CONSTANT(EPERM),        RONDO_CONSTANT(EPIPE),
    RONDO_CONSTANT(EPROTO),       RONDO_CONSTANT(EPROTONOSUPPORT),
    RONDO_CONSTANT(EPROTOTYPE),   RONDO_CONSTANT(ERANGE),
    RONDO_CONSTANT(EROFS),        RONDO_CONSTANT(ESPIPE),
    RONDO_CONSTANT(ESRCH),        RONDO_CONSTANT(ESTALE),
    RONDO_CONSTANT(ETIME),        RONDO_CONSTANT(ETIMEDOUT),
    RONDO_CONSTANT(ETXTBSY),      RONDO_CONSTANT(EWOULDBLOCK),
    RONDO_CONSTANT(EXDEV),
};

constexpr Constant kSignals[] = {
    RONDO_CONSTANT(SIGHUP),  RONDO_CONSTANT(SIGINT),   RONDO_CONSTANT(SIGQUIT),
    RONDO_CONSTANT(SIGILL),  RONDO_CONSTANT(SIGTRAP),  RONDO_CONSTANT(SIGABRT),
    RONDO_CONSTANT(SIGIOT),  RONDO_CONSTANT(SIGBUS),   RONDO_CONSTANT(SIGFPE),
    RONDO_CONSTANT(SIGKILL), RONDO_CONSTANT(SIGUSR1),  RONDO_CONSTANT(SIGSEGV),
    RONDO_CONSTANT(SIGUSR2), RONDO_CONSTANT(SIGPIPE),  RONDO_CONSTANT(SIGALRM),
    RONDO_CONSTANT(SIGTERM), RONDO_CONSTANT(SIGCHLD),  RONDO_CONSTANT(SIGSTKFLT),
    RONDO_CONSTANT(SIGCONT), RONDO_CONSTANT(SIGSTOP),  RONDO_CONSTANT(SIGTSTP),
    RONDO_CONSTANT(SIGTTIN), RONDO_CONSTANT(SIGTTOU),  RONDO_CONSTANT(SIGURG),
    RONDO_CONSTANT(SIGXCPU), RONDO_CONSTANT(SIGXFSZ),  RONDO_CONSTANT(SIGVTALRM),
    RONDO_CONSTANT(SIGPROF), RONDO_CONSTANT(SIGWINCH), RONDO_CONSTANT(SIGIO),
    RONDO_CONSTANT(SIGPOLL), RONDO_CONSTANT(SIGPWR),   RONDO_CONSTANT(SIGSYS),
};

constexpr Constant kFs[] = {
    {"UV_FS_SYMLINK_DIR", 1},
    {"UV_FS_SYMLINK_JUNCTION", 2},
    RONDO_CONSTANT(O_RDONLY),
    RONDO_CONSTANT(O_WRONLY),
    RONDO_CONSTANT(O_RDWR),
    {"UV_DIRENT_UNKNOWN", 0},
    {"UV_DIRENT_FILE", 1},
    {"UV_DIRENT_DIR", 2},
    {"UV_DIRENT_LINK", 3},
    {"UV_DIRENT_FIFO", 4},
    {"UV_DIRENT_SOCKET", 5},
    {"UV_DIRENT_CHAR", 6},
    {"UV_DIRENT_BLOCK", 7},
    RONDO_CONSTANT(S_IFMT),
    RONDO_CONSTANT(S_IFREG),
    RONDO_CONSTANT(S_IFDIR),
    RONDO_CONSTANT(S_IFCHR),
    RONDO_CONSTANT(S_IFBLK),
    RONDO_CONSTANT(S_IFIFO),
    RONDO_CONSTANT(S_IFLNK),
    RONDO_CONSTANT(S_IFSOCK),
    RONDO_CONSTANT(O_CREAT),
    RONDO_CONSTANT(O_EXCL),
    {"UV_FS_O_FILEMAP", 0},
    {"UV_FS_O_TEMPORARY", 0},
    {"UV_FS_O_SHORT_LIVED", 0},
    {"UV_FS_O_SEQUENTIAL", 0},
    {"UV_FS_O_RANDOM", 0},
    RONDO_CONSTANT(O_NOCTTY),
    RONDO_CONSTANT(O_TRUNC),
    RONDO_CONSTANT(O_APPEND),
    RONDO_CONSTANT(O_DIRECTORY),
    RONDO_CONSTANT(O_NOATIME),
    RONDO_CONSTANT(O_NOFOLLOW),
    RONDO_CONSTANT(O_SYNC),
    RONDO_CONSTANT(O_DSYNC),
    RONDO_CONSTANT(O_DIRECT),
    RONDO_CONSTANT(O_NONBLOCK),
    RONDO_CONSTANT(S_IRWXU),
    RONDO_CONSTANT(S_IRUSR),
    RONDO_CONSTANT(S_IWUSR),
    RONDO_CONSTANT(S_IXUSR),
    RONDO_CONSTANT(S_IRWXG),
    RONDO_CONSTANT(S_IRGRP),
    RONDO_CONSTANT(S_IWGRP),
    RONDO_CONSTANT(S_IXGRP),
    RONDO_CONSTANT(S_IRWXO),
    RONDO_CONSTANT(S_IROTH),
    RONDO_CONSTANT(S_IWOTH),
    RONDO_CONSTANT(S_IXOTH),
    RONDO_CONSTANT(F_OK),
    RONDO_CONSTANT(R_OK),
    RONDO_CONSTANT(W_OK),
    RONDO_CONSTANT(X_OK),
    {"UV_FS_COPYFILE_EXCL", 1},
    {"COPYFILE_EXCL", 1},
    {"UV_FS_COPYFILE_FICLONE", 2},
    {"COPYFILE_FICLONE", 2},
    {"UV_FS_COPYFILE_FICLONE_FORCE", 4},
    {"COPYFILE_FICLONE_FORCE", 4},
};

#undef RONDO_CONSTANT

constexpr Constant kPriority[] = {
    {"PRIORITY_LOW", 19},          {"PRIORITY_BELOW_NORMAL", 10}, {"PRIORITY_NORMAL", 0},
    {"PRIORITY_ABOVE_NORMAL", -7}, {"PRIORITY_HIGH", -14},        {"PRIORITY_HIGHEST", -20},
};

constexpr Constant kUdp[] = {{"UV_UDP_REUSEADDR", 4}};

using v8::Local;

Local<v8::Object> make_object(const Environment& environment) {
  v8::Isolate* isolate = environment.isolate();
  return v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
}

void define(const Environment& environment, Local<v8::Object> target,
            std::span<const Constant> constants) {
  v8::Isolate* isolate = environment.isolate();
  for (const Constant& constant : constants) {
    target
        ->DefineOwnProperty(isolate->GetCurrentContext(), environment.name(constant.name),
                            v8::Integer::New(isolate, constant.value),
                            static_cast<v8::PropertyAttribute>(v8::ReadOnly | v8::DontDelete))
        .Check();
  }
}

void add(Environment& environment, Local<v8::Object> target, std::string_view name,
         std::span<const Constant> constants) {
  const Local<v8::Object> object = make_object(environment);
  define(environment, object, constants);
  set_value(environment, target, name, object);
}

void extend(Environment& environment, Local<v8::Object> target) {
  const Local<v8::Object> os = make_object(environment);
  define(environment, os, kUdp);
  add(environment, os, "dlopen", kDlopen);
  add(environment, os, "errno", kErrno);
  add(environment, os, "signals", kSignals);
  add(environment, os, "priority", kPriority);
  set_value(environment, target, "os", os);
  add(environment, target, "fs", kFs);
}

}  // namespace

extern const Binding binding_constants;
const Binding binding_constants{"constants", {}, extend};

}  // namespace rondo
