#include "lens/trace/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <system_error>
#include <tuple>
#include <utility>

#include "lens/standard_error.h"
#include "lens/trace/format.h"
#include "lens/trace/ring.h"

namespace rondo::lens {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const noexcept { return fd_; }
  int release() noexcept { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

[[noreturn]] void fail(int error_number, const std::string& what) {
  throw std::system_error(error_number, std::system_category(), what);
}

bool is_fifo(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

/// Opening a FIFO waits for a reader; a message says so if there is none yet.
int open_to_write(const std::string& path) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  constexpr mode_t kMode = 0666;
  const int fd = ::open(path.c_str(), kFlags | O_NONBLOCK, kMode);
  if (fd < 0 && errno == ENXIO) {
    if (is_fifo(path)) print_error("rondo: waiting for a reader of '" + path + "'\n");
    return ::open(path.c_str(), kFlags, kMode);
  }
  if (fd >= 0) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd;
}

// ---- In the other process ----------------------------------------------------------------------

/// The file; full stops are errors of write().
class Output final : public TraceSink {
 public:
  Output(int fd, TraceRing& ring) : fd_(fd), ring_(ring) {}

  void write(std::string_view text) override {
    while (!text.empty() && !failed_) {
      const ssize_t count = ::write(fd_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        failed_ = true;
        ring_.error_number.store(errno);
        ring_.state.store(TraceState::write_failed);
        return;
      }
      text.remove_prefix(static_cast<std::size_t>(count));
      ring_.file_bytes.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
    }
  }
  bool failed() const noexcept { return failed_; }

 private:
  int fd_;
  TraceRing& ring_;
  bool failed_ = false;
};

/// Makes records of what is in the ring.
class Reader {
 public:
  Reader(TraceRing& ring, TraceFormat& format) : ring_(ring), format_(format) {}

  /// Takes all that is there. Tells whether that was anything.
  bool take() {
    const std::uint64_t head = ring_.head.load(std::memory_order_acquire);
    if (tail_ == head) return false;
    // Room is given back in pieces: the writer may wait for it.
    constexpr std::uint64_t kPiece = 4096;
    std::uint64_t given_back = tail_;
    while (tail_ != head && !format_.full()) {
      take_one();
      if (tail_ - given_back >= kPiece) {
        ring_.tail.store(tail_, std::memory_order_release);
        given_back = tail_;
      }
    }
    ring_.tail.store(tail_, std::memory_order_release);
    return true;
  }

 private:
  void take_one() {
    Slot slot;
    std::memcpy(&slot, ring_.slot(tail_++), sizeof(slot));
    Record record{.id = slot.id, .kind = slot.kind()};
    if (slot.form() == Slot::kMadeHere) {
      record.at = last_;
      record.type = RecordType::made;
      record.number = static_cast<std::uint32_t>(slot.value());
      record.other = format_.running();
      return format_.take(record, {});
    }
    record.at = last_ = slot.time(last_);
    if (slot.form() < Slot::kMadeHere) {
      record.type = static_cast<RecordType>(slot.form());
      return format_.take(record, {});
    }
    Details details;
    std::memcpy(&details, ring_.slot(tail_++), sizeof(details));
    for (std::size_t i = 0; i < details.text_size; i += sizeof(Slot)) {
      std::memcpy(text_.data() + i, ring_.slot(tail_++), sizeof(Slot));
    }
    record.type = slot.form() == Slot::kMadeInFull      ? RecordType::made
                  : slot.form() == Slot::kBeginWithText ? RecordType::begin
                  : slot.kind() == kFunction            ? RecordType::function
                                                        : RecordType::failed;
    record.other = details.other;
    record.number = details.number;
    format_.take(record, {text_.data(), details.text_size});
  }

  TraceRing& ring_;
  TraceFormat& format_;
  std::uint64_t tail_ = 0;
  std::int64_t last_ = now().count();
  std::array<char, slots_of_text(kMostText) * sizeof(Slot)> text_;
};

/// Until the other process is gone, has closed the socket, or the file is full.
void work(TraceRing& ring, int socket, int parent, int file, const TraceFormat::Options& options) {
  Output output(file, ring);
  TraceFormat format(output, options);
  Reader reader(ring, format);
  bool is_last = false;
  for (;;) {
    const bool any = reader.take();
    if (format.full()) {
      ring.state.store(TraceState::limit_reached);
      break;
    }
    if (output.failed() || format.finished()) break;
    if (any) continue;
    if (is_last) break;
    format.flush();
    ring.taker_sleeps.store(true);
    if (ring.head.load() != ring.tail.load()) continue;
    // Now and then also without being woken, so that the file is current.
    constexpr int kMostMs = 200;
    std::array<pollfd, 2> polled{{{socket, POLLIN, 0}, {parent, POLLIN, 0}}};
    ::poll(polled.data(), polled.size(), kMostMs);
    ring.taker_sleeps.store(false);
    char wake[64];
    const bool closed = polled[0].revents != 0 && ::read(socket, wake, sizeof(wake)) == 0;
    is_last = closed || (parent >= 0 && polled[1].revents != 0);
  }
  format.finish(now().count());
}

void close_all_but(std::array<int, 3> kept) {
  std::ranges::sort(kept);
  unsigned next = 0;
  for (const int fd : kept) {
    if (fd < 0) continue;
    const auto number = static_cast<unsigned>(fd);
    if (number > next) ::close_range(next, number - 1, 0);
    next = number + 1;
  }
  ::close_range(next, ~0U, 0);
}

[[noreturn]] void be_the_process(TraceRing& ring, int socket, int parent, int file,
                                 const TraceFormat::Options& options) noexcept {
  close_all_but({socket, parent, file});
  ::prctl(PR_SET_NAME, "rondo-trace");
  std::ignore = ::chdir("/");
  try {
    work(ring, socket, parent, file, options);
  } catch (const std::bad_alloc&) {
    ring.error_number.store(ENOMEM);
    ring.state.store(TraceState::write_failed);
  }
  ::_exit(0);
}

/// No signal gets in between: handlers are not for the copy.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

TraceProcess start_trace_process(const std::string& path, std::uint64_t limit_bytes) {
  const Descriptor file(open_to_write(path));
  if (file.get() < 0) fail(errno, "the trace cannot be written to '" + path + "'");
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    fail(errno, "no socket for the trace");
  }
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  // An old kernel may have none of these; the socket then says when we are gone.
  const Descriptor self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  void* memory =
      ::mmap(nullptr, sizeof(TraceRing), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail(errno, "no memory for the trace");
  TraceRing& ring = *::new (memory) TraceRing;  // its memory is zero, and stays untouched so
  const TraceFormat::Options options{.pid = static_cast<std::uint32_t>(::getpid()),
                                     .limit_bytes = limit_bytes};
  const AllSignalsBlocked blocked;
  const pid_t between = ::fork();
  if (between == 0) {
    // In a session of its own, where no terminal sends signals, and a grandchild.
    ::setsid();
    const pid_t pid = ::fork();
    if (pid == 0) be_the_process(ring, theirs.get(), self.get(), file.get(), options);
    ::_exit(pid < 0 ? errno : 0);
  }
  int status = 0;
  int error_number = between < 0 ? errno : 0;
  if (between > 0) {
    while (::waitpid(between, &status, 0) < 0 && errno == EINTR) {
    }
    error_number = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  }
  if (error_number != 0) {
    ::munmap(memory, sizeof(TraceRing));
    fail(error_number, "no process for the trace");
  }
  // The program's own descriptors have the numbers that they have without us.
  constexpr int kFirstDescriptor = 200;
  const int moved = ::fcntl(ours.get(), F_DUPFD_CLOEXEC, kFirstDescriptor);
  return {&ring, moved >= 0 ? moved : ours.release()};
}

}  // namespace rondo::lens
