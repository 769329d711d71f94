#include "accept_faults.h"

#include <linux/io_uring.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "io/backend/uring_ring.h"

namespace rondo::test {

namespace {

/// An accept that the ring was asked for.
struct RingAccept {
  std::uint64_t user_data;
  int listener;
  int flags;
};

struct State {
  bool active = false;
  int error = 0;
  int times = 0;
  int failed = 0;
  std::vector<io_uring_sqe*> entries;  // handed out since the ring was last entered
  std::vector<RingAccept> accepts;     // which the kernel has as polls
};

thread_local State state;

/// Whether there is something to accept.
bool pending(int listener) {
  pollfd polled{listener, POLLIN, 0};
  return ::poll(&polled, 1, 0) == 1;
}

}  // namespace

AcceptFaults::AcceptFaults() {
  state = State();
  state.active = true;
}

AcceptFaults::~AcceptFaults() {
  state = State();
}

void AcceptFaults::fail_with(int error, int times) {
  state.error = error;
  state.times = times;
  state.failed = 0;
}

int AcceptFaults::failed() {
  return state.failed;
}

// ---- What the linker puts in the place of the library's calls (--wrap) --------------------------

// The names are those of accept4() and of the three members of UringRing, as the linker knows them.
#define RONDO_NEXT_ENTRY "_ZN5rondo9UringRing10next_entryEv"
#define RONDO_ENTER \
  "_ZN5rondo9UringRing5enterEbSt8optionalINSt6chrono8durationIlSt5ratioILl1ELl1000000000EEEEE"
#define RONDO_PEEK "_ZN5rondo9UringRing4peekEv"

using Timeout = std::optional<std::chrono::nanoseconds>;

int real_accept(int fd, sockaddr* address, socklen_t* size, int flags) asm("__real_accept4");
io_uring_sqe* real_next_entry(UringRing* ring) asm("__real_" RONDO_NEXT_ENTRY);
int real_enter(UringRing* ring, bool wait, Timeout timeout) asm("__real_" RONDO_ENTER);
const io_uring_cqe* real_peek(UringRing* ring) asm("__real_" RONDO_PEEK);

int accept(int fd, sockaddr* address, socklen_t* size, int flags) asm("__wrap_accept4");
io_uring_sqe* next_entry(UringRing* ring) asm("__wrap_" RONDO_NEXT_ENTRY);
int enter(UringRing* ring, bool wait, Timeout timeout) asm("__wrap_" RONDO_ENTER);
const io_uring_cqe* peek(UringRing* ring) asm("__wrap_" RONDO_PEEK);

int accept(int fd, sockaddr* address, socklen_t* size, int flags) {
  if (state.times == 0 || !pending(fd)) return real_accept(fd, address, size, flags);
  if (state.times > 0) --state.times;
  ++state.failed;
  if (state.error == ECONNABORTED) ::close(real_accept(fd, address, size, flags));
  errno = state.error;
  return -1;
}

io_uring_sqe* next_entry(UringRing* ring) {
  io_uring_sqe* entry = real_next_entry(ring);
  if (state.active && entry != nullptr) state.entries.push_back(entry);
  return entry;
}

/// An accept goes to the kernel as a poll of the listener.
int enter(UringRing* ring, bool wait, Timeout timeout) {
  for (io_uring_sqe* entry : std::exchange(state.entries, {})) {
    if (entry->opcode != IORING_OP_ACCEPT) continue;
    const RingAccept accept{entry->user_data, entry->fd, static_cast<int>(entry->accept_flags)};
    state.accepts.push_back(accept);
    *entry = io_uring_sqe{};
    entry->opcode = IORING_OP_POLL_ADD;
    entry->fd = accept.listener;
    entry->poll32_events = POLLIN;
    entry->user_data = accept.user_data;
  }
  return real_enter(ring, wait, timeout);
}

/// The poll is answered: now comes the accept. Its result is what the backend reads.
const io_uring_cqe* peek(UringRing* ring) {
  const io_uring_cqe* cqe = real_peek(ring);
  if (cqe == nullptr || state.accepts.empty()) return cqe;
  const auto asked = std::ranges::find(state.accepts, cqe->user_data, &RingAccept::user_data);
  if (asked == state.accepts.end()) return cqe;
  if (cqe->res >= 0) {
    const int fd = accept(asked->listener, nullptr, nullptr, asked->flags);
    const_cast<io_uring_cqe*>(cqe)->res = fd >= 0 ? fd : -errno;
  }
  state.accepts.erase(asked);
  return cqe;
}

}  // namespace rondo::test
