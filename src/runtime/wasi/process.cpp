// What a program knows about its process: standard streams, arguments, variables, clocks, random
// bytes.
#include <fcntl.h>
#include <sched.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "runtime/wasi/wasi.h"

namespace rondo::wasi {
namespace {

/// Texts with their zeros, one after the other, and where each begins.
Errno put_texts(const GuestMemory& memory, const std::vector<std::string>& texts, u32 pointers,
                u32 bytes) {
  u64 size = 0;
  for (const std::string& text : texts) size += text.size() + 1;
  if (!memory.has(pointers, u64{texts.size()} * sizeof(u32)) || !memory.has(bytes, size)) {
    return Errno::overflow;
  }
  for (const std::string& text : texts) {
    const auto length = static_cast<u32>(text.size() + 1);
    std::copy_n(text.c_str(), length, memory.part(bytes, length).begin());
    memory.put<u32>(pointers, bytes);
    pointers += sizeof(u32);
    bytes += length;
  }
  return Errno::success;
}

Errno put_sizes(const GuestMemory& memory, const std::vector<std::string>& texts, u32 count,
                u32 size) {
  if (!memory.has(count, sizeof(u32)) || !memory.has(size, sizeof(u32))) return Errno::overflow;
  u32 bytes = 0;
  for (const std::string& text : texts) bytes += static_cast<u32>(text.size() + 1);
  memory.put<u32>(count, static_cast<u32>(texts.size()));
  memory.put<u32>(size, bytes);
  return Errno::success;
}

constexpr clockid_t kClocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID,
                                 CLOCK_THREAD_CPUTIME_ID};

Errno put_clock(const GuestMemory& memory, u32 clock, u32 result,
                int (*read)(clockid_t, struct ::timespec*)) {
  if (!memory.has(result, sizeof(u64))) return Errno::overflow;
  if (clock >= std::size(kClocks)) return Errno::inval;
  struct ::timespec time{};
  if (read(kClocks[clock], &time) != 0) return from_errno(errno);
  memory.put<u64>(result,
                  static_cast<u64>(time.tv_sec) * 1'000'000'000U + static_cast<u64>(time.tv_nsec));
  return Errno::success;
}

}  // namespace

Errno Wasi::open(const std::vector<int>& stdio, const std::vector<Preopen>& preopens) {
  for (const int fd : stdio) {
    struct ::stat status{};
    if (::fstat(fd, &status) != 0) return from_errno(errno);
    const FileType type = type_of(status.st_mode);
    descriptors_.add({.fd = fd, .type = type, .rights = most_rights(fd, type)});
  }
  for (const Preopen& preopen : preopens) {
    OwnedFd fd(::open(preopen.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.valid()) return from_errno(errno);
    Descriptor made{.fd = fd.get(),
                    .type = FileType::directory,
                    .rights = most_rights(fd.get(), FileType::directory),
                    .preopened_as = preopen.name};
    made.owned = std::move(fd);
    descriptors_.add(std::move(made));
  }
  return Errno::success;
}

Errno Wasi::args_get(const GuestMemory& memory, u32 pointers, u32 bytes) const {
  return put_texts(memory, args_, pointers, bytes);
}

Errno Wasi::args_sizes_get(const GuestMemory& memory, u32 count, u32 size) const {
  return put_sizes(memory, args_, count, size);
}

Errno Wasi::environ_get(const GuestMemory& memory, u32 pointers, u32 bytes) const {
  return put_texts(memory, env_, pointers, bytes);
}

Errno Wasi::environ_sizes_get(const GuestMemory& memory, u32 count, u32 size) const {
  return put_sizes(memory, env_, count, size);
}

Errno Wasi::clock_res_get(const GuestMemory& memory, u32 clock, u32 result) const {
  return put_clock(memory, clock, result, ::clock_getres);
}

Errno Wasi::clock_time_get(const GuestMemory& memory, u32 clock, u64 /*precision*/,
                           u32 result) const {
  return put_clock(memory, clock, result, ::clock_gettime);
}

/// As in Node, where programs cannot send signals either.
Errno Wasi::proc_raise(const GuestMemory& /*memory*/, u32 /*signal*/) const {
  return Errno::nosys;
}

Errno Wasi::random_get(const GuestMemory& memory, u32 buffer, u32 size) const {
  if (!memory.has(buffer, size)) return Errno::overflow;
  auto left = memory.part(buffer, size);
  while (!left.empty()) {
    const ssize_t filled = ::getrandom(left.data(), left.size(), 0);
    if (filled < 0 && errno != EINTR) return from_errno(errno);
    left = left.subspan(static_cast<std::size_t>(std::max<ssize_t>(filled, 0)));
  }
  return Errno::success;
}

Errno Wasi::sched_yield(const GuestMemory& /*memory*/) const {
  return ::sched_yield() == 0 ? Errno::success : from_errno(errno);
}

}  // namespace rondo::wasi
