#include "rondo/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

#include "core/loop_core.h"
#include "io/begin_on.h"
#include "io/inherited.h"
#include "io/process/orphan_reaper.h"
#include "io/process/spawn_child.h"

namespace rondo {
namespace detail {

namespace {

/// A wait for the end of a process, inside its operation.
class Waiting final : public Operation {
 public:
  Waiting(std::shared_ptr<ProcessState> state, Waiter waiter) noexcept
      : state_(std::move(state)), waiter_(waiter) {}
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  void begin();
  void cancel() noexcept;
  void complete(std::int32_t result, std::uint32_t flags) override;
  std::int32_t error() const noexcept { return error_; }

  Waiting* next = nullptr;
  bool queued = false;

 private:
  std::shared_ptr<ProcessState> state_;
  Waiter waiter_;
  std::int32_t error_ = 0;
};

}  // namespace

class ProcessState final : public Watch, public Handle {
 public:
  ProcessState(LoopCore& core, Child child, bool leads_group, bool kill_on_destroy) noexcept
      : Handle(core),
        pid_(child.pid),
        pidfd_(std::move(child.pidfd)),
        leads_group_(leads_group),
        kill_on_destroy_(kill_on_destroy) {
    fd = pidfd_.get();
    events = POLLIN;
  }

  std::error_code begin() {
    if (const std::error_code error = core()->backend().watch(*this)) return error;
    self_ = std::static_pointer_cast<ProcessState>(shared_from_this());
    set_active(true);
    count_work();
    core()->door().scheduled(task());
    return {};
  }

  void set_referenced(bool referenced) noexcept {
    Handle::set_referenced(referenced);
    count_work();
  }

  /// The Process has gone. What keeps this alive until the child has ended is self_.
  void abandon() noexcept {
    if (!running_ || core() == nullptr) return;
    // One that was killed is worth waiting for: it ends now, and then nothing of it is left.
    kill_on_destroy_ ? kill_ours() : set_referenced(false);
  }

  int kill(int signum) const noexcept {
    if (!pidfd_) return ESRCH;
    return ::syscall(SYS_pidfd_send_signal, pidfd_.get(), signum, nullptr, 0) == 0 ? 0 : errno;
  }

  /// While it is a zombie at most: afterwards the number may be that of another group.
  int kill_group(int signum) const noexcept {
    if (!leads_group_) return EPERM;
    if (!pidfd_) return ESRCH;
    return ::kill(-pid_, signum) == 0 ? 0 : errno;
  }
  int kill_all(int signum) const noexcept {
    return leads_group_ ? kill_group(signum) : kill(signum);
  }

  pid_t pid() const noexcept { return pid_; }
  bool running() const noexcept { return running_; }
  const std::optional<ExitStatus>& status() const noexcept { return status_; }
  int error() const noexcept { return error_; }

  void on_exit(Callback<void(ExitStatus)> callback) {
    if (running_ && core() != nullptr) on_exit_ = std::move(callback);
  }

  void add(Waiting& waiting) noexcept {
    waiting.queued = true;
    Waiting** end = &first_waiting_;
    while (*end != nullptr) end = &(*end)->next;
    *end = &waiting;
  }
  void remove(Waiting& waiting) noexcept {
    waiting.queued = false;
    Waiting** place = &first_waiting_;
    while (*place != &waiting) place = &(*place)->next;
    *place = std::exchange(waiting.next, nullptr);
  }

 private:
  static constexpr std::uint32_t kAfterOutput = ~0U;  // no flags that a backend gives

  void complete(std::int32_t /*result*/, std::uint32_t flags) override {
    if (!wanted) return;
    // As in Node, the end of a child comes after what it has written, although the kernel may
    // report both at once and in any order.
    if (flags != kAfterOutput) {
      if (!noticed_) core()->complete_last(*this, 0, kAfterOutput);
      noticed_ = true;
      return;
    }
    noticed_ = false;
    if (!collect()) return;
    const auto keep = std::move(self_);
    core()->backend().unwatch(*this);
    pidfd_ = Descriptor();
    running_ = false;
    set_active(false);
    count_work();
    // The first is reported here, the others each on their own: what one throws does not affect
    // them.
    Waiting* first = first_waiting_;
    if (first == nullptr) {
      report_exit();
      return;
    }
    remove(*first);
    if (on_exit_) core()->pending().add([self = keep] { self->report_exit(); });
    while (first_waiting_ != nullptr) {
      Waiting& other = *first_waiting_;
      remove(other);
      core()->complete_soon(other, 0);
    }
    first->complete(0, 0);
  }

  /// A child that an operation waits for is work in progress.
  void count_work() noexcept {
    const bool is_work = active() && referenced();
    if (core() == nullptr || is_work == is_work_) return;
    is_work_ = is_work;
    is_work_ ? core()->begin_work() : core()->end_work();
  }

  void report_exit() {
    if (!on_exit_ || !status_.has_value()) return;
    core()->door().run(task(), [callback = std::move(on_exit_), status = *status_]() mutable {
      callback(status);
    });
  }

  /// In a forked process it is a child of our parent's, and none of our business.
  void kill_ours() const noexcept {
    if (!spawned_in_.inherited()) kill(SIGKILL);
  }

  /// Takes the status of the child, which then is gone. False if it still runs.
  bool collect() noexcept {
    siginfo_t info{};
    const auto id = static_cast<id_t>(pidfd_.get());
    int result = 0;
    do {
      result = ::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG | __WALL);
    } while (result != 0 && errno == EINTR);
    if (result != 0) {
      error_ = errno;
      return true;
    }
    if (info.si_pid == 0) return false;
    const bool exited = info.si_code == CLD_EXITED;
    status_ = ExitStatus{.code = exited ? info.si_status : 0,
                         .signal = exited ? 0 : info.si_status,
                         .core_dumped = info.si_code == CLD_DUMPED};
    return true;
  }

  void loop_ends() noexcept override {
    const auto keep = std::move(self_);
    if (running_) {
      core()->backend().unwatch(*this);
      if (kill_on_destroy_) kill_ours();
      // A copy: on the ring the kernel may still know this one, and so may a Process.
      reap_orphan(Descriptor(::fcntl(pidfd_.get(), F_DUPFD_CLOEXEC, 0)));
    }
    detach();
  }

  Task task() const noexcept {
    return {TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  }

  ProcessMark spawned_in_;
  pid_t pid_;
  Descriptor pidfd_;
  bool leads_group_;
  bool kill_on_destroy_;
  bool running_ = true;
  bool noticed_ = false;  // its end was reported, and is not delivered yet
  bool is_work_ = false;
  std::optional<ExitStatus> status_;
  int error_ = 0;  // why there is no status
  Waiting* first_waiting_ = nullptr;
  Callback<void(ExitStatus)> on_exit_;
  std::shared_ptr<ProcessState> self_;  // while the loop watches it
};

namespace {

Waiting::~Waiting() {
  if (queued) state_->remove(*this);
}

void Waiting::begin() {
  LoopCore& core = *state_->core();
  core.begin_request();
  state_->running() ? state_->add(*this) : core.complete_soon(*this, 0);
}

void Waiting::cancel() noexcept {
  if (!queued) return;
  state_->remove(*this);
  state_->core()->complete_soon(*this, -ECANCELED);
}

void Waiting::complete(std::int32_t result, std::uint32_t /*flags*/) {
  error_ = result != 0 ? -result : state_->error();
  LoopCore& core = *state_->core();
  core.end_request();
  const Task task{TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)};
  core.door().run(task, [waiter = waiter_] { waiter(); });
}

}  // namespace
}  // namespace detail

// ---- Waiting -----------------------------------------------------------------------------------

WaitExitOp::WaitExitOp(std::shared_ptr<detail::ProcessState> state) noexcept
    : state_(std::move(state)) {}
WaitExitOp::~WaitExitOp() = default;
WaitExitOp::WaitExitOp(WaitExitOp&&) noexcept = default;

void WaitExitOp::begin(const detail::AsyncContext& context, detail::Waiter waiter) {
  if (!detail::begins_on(state_.get(), context, waiter, error_)) return;
  if (state_->core() == nullptr) {  // the loop that watched it is gone
    error_ = errno_code(ECHILD);
    context.loop->core().pending().add([waiter] { waiter(); });
    return;
  }
  waiting_.make<detail::Waiting>(state_, waiter).begin();
}

void WaitExitOp::cancel() noexcept {
  if (error_) return;
  waiting_.get<detail::Waiting>().cancel();
}

Expected<ExitStatus> WaitExitOp::take_result() {
  if (error_) return std::unexpected(error_);
  if (const int error = waiting_.get<detail::Waiting>().error()) {
    return std::unexpected(errno_code(error));
  }
  return *state_->status();
}

// ---- Spawning ----------------------------------------------------------------------------------

namespace {

bool has_nul(const std::string& text) noexcept {
  return text.find('\0') != std::string::npos;
}

bool has_nul(const SpawnOptions& options) noexcept {
  const auto any = [](const auto& texts) {
    return std::ranges::any_of(texts, [](const std::string& text) { return has_nul(text); });
  };
  return any(options.command) || (options.env.has_value() && any(*options.env)) ||
         has_nul(options.cwd) || (options.argv0.has_value() && has_nul(*options.argv0));
}

const char* path_of(const SpawnOptions& options) noexcept {
  if (!options.env.has_value()) return ::getenv("PATH");
  constexpr std::string_view kName = "PATH=";
  for (const std::string& entry : *options.env) {
    if (entry.starts_with(kName)) return entry.c_str() + kName.size();
  }
  return nullptr;
}

winsize window_of(TerminalSize size) noexcept {
  return {.ws_row = static_cast<unsigned short>(size.rows),
          .ws_col = static_cast<unsigned short>(size.columns),
          .ws_xpixel = 0,
          .ws_ypixel = 0};
}

bool leads_group(const SpawnOptions& options) noexcept {
  return options.process_group || options.detached || options.terminal.has_value();
}

/// The descriptors of the child: its ends, which are closed here when it has them, and ours.
class Wiring {
 public:
  std::error_code add_all(const SpawnOptions& options) {
    const std::vector<Stdio>& stdio = options.stdio;
    const std::size_t count = std::max<std::size_t>(stdio.size(), 3);
    // Looked at before there are pipes, whose ends may get the numbers of what is closed.
    std::vector<bool> is_open(count);
    for (std::size_t i = 0; i < count; ++i) {
      is_open[i] = ::fcntl(static_cast<int>(i), F_GETFD) >= 0;
    }
    if (options.terminal.has_value()) {
      if (const std::error_code error = add_terminal(*options.terminal)) return error;
    }
    for (std::size_t i = for_child_.size(); i < count; ++i) {
      const Stdio one = i < stdio.size() ? stdio[i] : Stdio::inherit();
      if (const std::error_code error = add(one, is_open[i])) return error;
    }
    return {};
  }

  const std::vector<int>& for_child() const noexcept { return for_child_; }
  std::vector<Descriptor>& ours() noexcept { return ours_; }

 private:
  std::error_code add(Stdio stdio, bool is_open) {
    const std::size_t number = for_child_.size();
    ours_.emplace_back();
    switch (stdio.kind()) {
      case Stdio::Kind::inherit:
        for_child_.push_back(is_open ? static_cast<int>(number) : ChildPlan::kClosed);
        return {};
      case Stdio::Kind::descriptor:
        if (::fcntl(stdio.fd(), F_GETFD) < 0) return errno_code(EBADF);
        for_child_.push_back(stdio.fd());
        return {};
      case Stdio::Kind::ignore:
        if (!null_) null_ = Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
        if (!null_) return errno_code(errno);
        for_child_.push_back(null_.get());
        return {};
      case Stdio::Kind::duplex:
        return add_duplex();
      case Stdio::Kind::input:
        return add_pipe(true);
      case Stdio::Kind::output:
        return add_pipe(false);
      case Stdio::Kind::pipe:
        return number > 2 ? add_duplex() : add_pipe(number == 0);
    }
    return errno_code(EINVAL);
  }

  /// The first three descriptors of the child are one end of a pty.
  std::error_code add_terminal(TerminalSize size) {
    Descriptor ours(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!ours) return errno_code(errno);
    char name[64];
    if (::unlockpt(ours.get()) != 0 || ::ptsname_r(ours.get(), name, sizeof(name)) != 0) {
      return errno_code(errno);
    }
    const winsize window = window_of(size);
    ::ioctl(ours.get(), TIOCSWINSZ, &window);
    Descriptor childs(::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!childs) return errno_code(errno);
    for_child_.assign(3, childs.get());
    childs_.push_back(std::move(childs));
    ours_.resize(3);
    ours_.front() = std::move(ours);
    return {};
  }
  std::error_code add_pipe(bool child_reads) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return errno_code(errno);
    return take(child_reads ? ends[0] : ends[1], child_reads ? ends[1] : ends[0]);
  }
  std::error_code add_duplex() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno_code(errno);
    return take(ends[0], ends[1]);
  }
  std::error_code take(int childs, int ours) {
    ours_.back() = Descriptor(ours);
    childs_.emplace_back(childs);
    for_child_.push_back(childs);
    return {};
  }

  std::vector<int> for_child_;
  std::vector<Descriptor> childs_;
  std::vector<Descriptor> ours_;  // by number; none where there is no pipe
  Descriptor null_;
};

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) result.push_back(text.c_str());
  result.push_back(nullptr);
  return result;
}

ChildPlan plan_for(const SpawnOptions& options, const Wiring& wiring) {
  ChildPlan plan;
  plan.candidates = search_path(options.command.front(), path_of(options));
  plan.argv = pointers(options.command);
  if (options.argv0.has_value()) plan.argv.front() = options.argv0->c_str();
  if (options.env.has_value()) {
    plan.env = pointers(*options.env);
  } else {
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      plan.env.push_back(*entry);
    }
    plan.env.push_back(nullptr);
  }
  plan.cwd = options.cwd.empty() ? nullptr : options.cwd.c_str();
  plan.descriptors = wiring.for_child();
  plan.new_session = options.detached || options.terminal.has_value();
  plan.new_group = options.process_group;
  plan.takes_terminal = options.terminal.has_value();
  plan.limits = options.limits;
  plan.uid = options.uid;
  plan.gid = options.gid;
  plan.groups = options.groups;
  return plan;
}

}  // namespace

Expected<Process> Process::spawn(Loop& loop, const SpawnOptions& options) {
  LoopCore& core = loop.core();
  core.check_thread();
  if (core.ending()) return std::unexpected(errno_code(ECANCELED));
  if (options.command.empty() || has_nul(options)) return std::unexpected(errno_code(EINVAL));

  Wiring wiring;
  if (const std::error_code error = wiring.add_all(options)) return std::unexpected(error);
  auto child = spawn_child(plan_for(options, wiring));
  if (!child) return std::unexpected(child.error());

  auto state = std::make_shared<detail::ProcessState>(core, *std::move(child), leads_group(options),
                                                      options.kill_on_destroy);
  if (const std::error_code error = state->begin()) {
    state->kill(SIGKILL);
    while (::waitpid(state->pid(), nullptr, __WALL) < 0 && errno == EINTR) {
    }
    return std::unexpected(error);
  }
  std::vector<Pipe> pipes;
  pipes.reserve(wiring.ours().size());
  for (Descriptor& ours : wiring.ours()) {
    pipes.push_back(ours ? Pipe(loop, ours.release()) : Pipe());
  }
  return Process(std::move(state), std::move(pipes));
}

// ---- Process -----------------------------------------------------------------------------------

Process::Process(std::shared_ptr<detail::ProcessState> state, std::vector<Pipe> pipes) noexcept
    : state_(std::move(state)), pipes_(std::move(pipes)) {}

Process::~Process() {
  if (state_ == nullptr) return;
  state_->check_drop();
  state_->abandon();
}

Process::Process(Process&&) noexcept = default;

Process& Process::operator=(Process&& other) noexcept {
  std::swap(state_, other.state_);
  std::swap(pipes_, other.pipes_);
  return *this;
}

WaitExitOp Process::wait() {
  return WaitExitOp(state_);
}

void Process::on_exit(Callback<void(ExitStatus)> callback) {
  if (state_ == nullptr) return;
  state_->on_exit(std::move(callback));
}

Expected<> Process::kill(int signum) {
  if (state_ == nullptr) return std::unexpected(errno_code(EBADF));
  if (const int error = state_->kill(signum)) return std::unexpected(errno_code(error));
  return {};
}

Expected<> Process::kill_group(int signum) {
  if (state_ == nullptr) return std::unexpected(errno_code(EBADF));
  if (const int error = state_->kill_group(signum)) return std::unexpected(errno_code(error));
  return {};
}

namespace {

Async<Expected<ExitStatus>> terminate_child(std::shared_ptr<detail::ProcessState> state,
                                            std::chrono::milliseconds grace) {
  state->kill_all(SIGTERM);
  auto ended = co_await with_timeout(grace, WaitExitOp(state));
  const bool in_time =
      ended || (ended.error() != errno_code(ETIMEDOUT) && ended.error() != errno_code(ECANCELED));
  if (in_time) co_return ended;
  state->kill_all(SIGKILL);
  co_return co_await shield(WaitExitOp(state));
}

}  // namespace

Async<Expected<ExitStatus>> Process::terminate(std::chrono::milliseconds grace) {
  if (state_ == nullptr) return detail::as_async(WaitExitOp(nullptr));
  return terminate_child(state_, grace);
}

Expected<> Process::resize_terminal(TerminalSize size) {
  const int fd = pipes_.empty() ? -1 : pipes_.front().fd();
  const winsize window = window_of(size);
  if (::ioctl(fd, TIOCSWINSZ, &window) != 0) return std::unexpected(errno_code(errno));
  return {};
}

pid_t Process::pid() const {
  if (state_ == nullptr) return 0;
  return state_->pid();
}
bool Process::running() const {
  if (state_ == nullptr) return false;
  return state_->running();
}
std::optional<ExitStatus> Process::status() const {
  if (state_ == nullptr) return std::nullopt;
  return state_->status();
}

Pipe& Process::pipe(std::size_t child_fd) {
  if (child_fd >= pipes_.size() || pipes_[child_fd].empty()) {
    throw Misuse("ERR_INVALID_ARG_VALUE", "the child was not given a pipe there");
  }
  return pipes_[child_fd];
}

Process& Process::ref() {
  if (state_ == nullptr) return *this;
  state_->set_referenced(true);
  return *this;
}

Process& Process::unref() {
  if (state_ == nullptr) return *this;
  state_->set_referenced(false);
  return *this;
}

bool Process::has_ref() const {
  if (state_ == nullptr) return false;
  return state_->referenced();
}

}  // namespace rondo
