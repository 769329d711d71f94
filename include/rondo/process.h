// Child processes.
//
//     auto listing = co_await rondo::run("ls", "-l", "/");       // to its end: status, out, err
//     if (listing && listing->status.success()) std::puts(listing->out.c_str());
//
//     auto sort = rondo::Process::spawn(                          // or step by step
//         loop, rondo::SpawnOptions("sort").with_stdio(rondo::Stdio::pipe(),
//         rondo::Stdio::pipe()));
//     co_await sort->input().write("b\na\n");
//     sort->input().close();
//     auto text = co_await sort->output().read_all(1 << 20);
//     auto status = co_await sort->wait();
//
// A child gets the descriptors it was given and no others, no blocked signals, and the default
// action of every signal. It is always waited for, so that it never stays as a zombie.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "rondo/async.h"
#include "rondo/callback.h"
#include "rondo/detail/chrono.h"
#include "rondo/detail/in_place.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"
#include "rondo/pipe.h"
#include "rondo/terminal.h"

namespace rondo {

class Loop;

/// What a descriptor of the child is.
class Stdio {
 public:
  enum class Kind : std::uint8_t { inherit, ignore, descriptor, input, output, duplex, pipe };

  /// Ours with the same number. If that is closed, so is the one of the child.
  static constexpr Stdio inherit() noexcept { return Stdio(Kind::inherit); }
  /// /dev/null.
  static constexpr Stdio ignore() noexcept { return Stdio(Kind::ignore); }
  /// One of ours, which stays ours: close it when the child has been spawned, if it is no longer
  /// needed.
  static constexpr Stdio descriptor(int fd) noexcept { return Stdio(Kind::descriptor, fd); }
  /// A pipe to us: the child reads its 0 and writes its 1 and 2; any other is for both.
  static constexpr Stdio pipe() noexcept { return Stdio(Kind::pipe); }
  static constexpr Stdio input() noexcept { return Stdio(Kind::input); }    // the child reads it
  static constexpr Stdio output() noexcept { return Stdio(Kind::output); }  // the child writes it
  static constexpr Stdio duplex() noexcept { return Stdio(Kind::duplex); }  // a socket pair

  Kind kind() const noexcept { return kind_; }
  int fd() const noexcept { return fd_; }

 private:
  constexpr explicit Stdio(Kind kind, int fd = -1) noexcept : kind_(kind), fd_(fd) {}
  Kind kind_;
  int fd_;
};

namespace detail {

template <class T>
concept IsText = std::convertible_to<const T&, std::string_view>;

template <IsText... Texts>
std::vector<std::string> strings(const Texts&... texts) {
  std::vector<std::string> all;
  all.reserve(sizeof...(Texts));
  (all.emplace_back(std::string_view(texts)), ...);
  return all;
}

}  // namespace detail

/// What a child may use, as for setrlimit(2): `{RLIMIT_CPU, 10, 12}` is SIGXCPU after 10 seconds of
/// processor time and SIGKILL after 12.
struct ResourceLimit {
  int resource;
  rlim_t soft;
  rlim_t hard;
};

/// What to start, and how.
///
///     SpawnOptions options("sort", "-n");
///     options.cwd = "/tmp";                                             // step by step, or
///     co_await run(SpawnOptions("sort", "-n").with_cwd("/tmp"));        // in one expression
///
/// Not an aggregate, and without a std::initializer_list: g++ 12 destroys a braced temporary that
/// owns memory twice if it stands inside a co_await expression, and cannot compile a list there.
struct SpawnOptions {
  SpawnOptions() = default;
  SpawnOptions(std::vector<std::string> program_and_arguments) noexcept
      : command(std::move(program_and_arguments)) {}
  template <detail::IsText Program, detail::IsText... Args>
  SpawnOptions(const Program& program, const Args&... args)
      : command(detail::strings(program, args...)) {}

  /// The program and its arguments. A program without a slash is looked for in the PATH of the
  /// child's environment; it is never handed to a shell.
  std::vector<std::string> command;
  /// What the child sees as argv[0]; without it, the program as it is called above.
  std::optional<std::string> argv0;
  /// "NAME=value" each; without it, our own environment.
  std::optional<std::vector<std::string>> env;
  /// The working directory of the child; empty: ours. A relative path of the program is resolved
  /// there.
  std::string cwd;
  /// By descriptor of the child, from 0. Of the first three, missing ones are inherited.
  std::vector<Stdio> stdio;
  /// The user and groups of the child. With a uid or gid but no groups it has no other groups.
  std::optional<uid_t> uid;
  std::optional<gid_t> gid;
  std::optional<std::vector<gid_t>> groups;
  /// A session of its own, without our terminal, so that it can outlive this process.
  bool detached = false;
  /// A process group of its own, for kill_group() and terminate(). A detached child and one with a
  /// terminal have one anyway.
  bool process_group = false;
  /// A terminal of its own (a pty) as its descriptors 0, 1 and 2, in a session of its own; our end
  /// is Process::terminal(). The first three of `stdio` are not used.
  std::optional<TerminalSize> terminal;
  /// Set in the child before exec. EPERM, EINVAL.
  std::vector<ResourceLimit> limits;
  /// Kills it (SIGKILL) when its Process is destroyed or the loop is.
  bool kill_on_destroy = false;

  SpawnOptions&& with_argv0(std::string text) && {
    argv0 = std::move(text);
    return std::move(*this);
  }
  SpawnOptions&& with_env(std::vector<std::string> entries) && {
    env = std::move(entries);
    return std::move(*this);
  }
  template <detail::IsText... Entries>
  SpawnOptions&& with_env(const Entries&... entries) && {
    env = detail::strings(entries...);
    return std::move(*this);
  }
  SpawnOptions&& with_cwd(std::string path) && {
    cwd = std::move(path);
    return std::move(*this);
  }
  SpawnOptions&& with_stdio(std::vector<Stdio> descriptors) && {
    stdio = std::move(descriptors);
    return std::move(*this);
  }
  template <std::same_as<Stdio>... Others>
  SpawnOptions&& with_stdio(Stdio first, Others... others) && {
    stdio.clear();
    stdio.reserve(1 + sizeof...(Others));
    stdio.push_back(first);
    (stdio.push_back(others), ...);
    return std::move(*this);
  }
  SpawnOptions&& with_uid(uid_t id) && {
    uid = id;
    return std::move(*this);
  }
  SpawnOptions&& with_gid(gid_t id) && {
    gid = id;
    return std::move(*this);
  }
  SpawnOptions&& with_groups(std::vector<gid_t> ids) && {
    groups = std::move(ids);
    return std::move(*this);
  }
  SpawnOptions&& with_detached(bool on = true) && {
    detached = on;
    return std::move(*this);
  }
  SpawnOptions&& with_process_group(bool on = true) && {
    process_group = on;
    return std::move(*this);
  }
  SpawnOptions&& with_terminal(TerminalSize size = {.columns = 80, .rows = 24}) && {
    terminal = size;
    return std::move(*this);
  }
  template <std::same_as<ResourceLimit>... Others>
  SpawnOptions&& with_limits(ResourceLimit first, Others... others) && {
    limits.assign({first, others...});
    return std::move(*this);
  }
  SpawnOptions&& with_kill_on_destroy(bool on = true) && {
    kill_on_destroy = on;
    return std::move(*this);
  }
};

/// How a process ended.
struct ExitStatus {
  int code = 0;    // its exit code, if no signal ended it
  int signal = 0;  // the signal that ended it, or 0
  bool core_dumped = false;

  bool success() const noexcept { return code == 0 && signal == 0; }
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

namespace detail {
class ProcessState;
}

/// The operation of Process::wait().
class [[nodiscard]] WaitExitOp : public Operable<WaitExitOp, ExitStatus> {
 public:
  explicit WaitExitOp(std::shared_ptr<detail::ProcessState> state) noexcept;
  ~WaitExitOp();
  WaitExitOp(WaitExitOp&&) noexcept;
  WaitExitOp& operator=(WaitExitOp&&) = delete;

  void begin(const detail::AsyncContext& context, detail::Waiter waiter);
  void cancel() noexcept;
  Expected<ExitStatus> take_result();

 private:
  std::shared_ptr<detail::ProcessState> state_;
  std::error_code error_;  // it could not begin
  detail::InPlace<96> waiting_;
};

/// A child. While it runs it keeps the loop alive, unless it is unref'd. A Process that was moved
/// from has none: pid() is 0, kill() and wait() are EBADF.
///
/// Destroying the handle closes our ends of its pipes and leaves the child running (kill_on_destroy
/// kills it); it no longer keeps the loop alive. Destroying the loop does the same for all
/// children. In either case the child is still waited for, by the loop or, without one, by a
/// thread.
class Process {
 public:
  /// Starts a child; when this returns, the program runs. The errors are those of whatever failed:
  /// ENOENT (no such program, or no such cwd), EACCES, ENOEXEC (no program and no #! line), E2BIG,
  /// EPERM (uid, gid), EAGAIN, ENOMEM, EMFILE, EBADF (a descriptor that is none), EINVAL (an empty
  /// command, or a NUL in a string). It takes as long as the kernel needs to open the program.
  [[nodiscard]] static Expected<Process> spawn(Loop& loop, const SpawnOptions& options);

  ~Process();
  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;

  /// Waits for the end; gives the status at once if that has come. Any number may wait. ECHILD if
  /// other code in this program has waited for the child (or ignores SIGCHLD), and so took its
  /// status. Stopping the wait leaves the child alone.
  WaitExitOp wait();

  /// Calls `callback` in the poll phase when the child has ended. Unlike wait() it does not
  /// keep the loop alive: ref() and unref() decide that. Not called if the end was reported before,
  /// or other code took the status.
  void on_exit(Callback<void(ExitStatus)> callback);

  /// Sends a signal, never to another process that happens to have the same pid by now. ESRCH when
  /// the child has ended, EINVAL for an invalid signal, EPERM.
  [[nodiscard]] Expected<> kill(int signum);

  /// The same to all processes of its group: ESRCH also when the child itself has ended,
  /// and EPERM without options.process_group, detached or a terminal.
  [[nodiscard]] Expected<> kill_group(int signum);

  /// Asks it to end (SIGTERM), waits so long, then kills it (SIGKILL); gives the status when it has
  /// ended. Signals go to its process group if it has one of its own. When this is stopped, it is
  /// killed at once, and its end waited for all the same.
  Async<Expected<ExitStatus>> terminate(std::chrono::milliseconds grace = std::chrono::seconds(5));

  pid_t pid() const;
  bool running() const;                      // as far as the loop knows
  std::optional<ExitStatus> status() const;  // once it has

  /// Our end of what was given as a pipe. Throws Misuse (ERR_INVALID_ARG_VALUE) if it was not.
  Pipe& pipe(std::size_t child_fd);
  Pipe& input() { return pipe(0); }
  Pipe& output() { return pipe(1); }
  Pipe& error_output() { return pipe(2); }

  /// Our end of its terminal: what it writes can be read here, to the end when it has closed it.
  /// Throws Misuse (ERR_INVALID_ARG_VALUE) without one.
  Pipe& terminal() { return pipe(0); }
  /// Changes the size of its terminal (SIGWINCH). ENOTTY without one, EBADF.
  [[nodiscard]] Expected<> resize_terminal(TerminalSize size);

  Process& ref();
  Process& unref();
  bool has_ref() const;

 private:
  Process(std::shared_ptr<detail::ProcessState> state, std::vector<Pipe> pipes) noexcept;
  std::shared_ptr<detail::ProcessState> state_;
  std::vector<Pipe> pipes_;  // by descriptor of the child
};

// ---- From beginning to end ----------------------------------------------------------------------

/// What is run; what it reads; how much it may write. As SpawnOptions: by constructor and with_...,
/// or member by member.
struct RunOptions {
  RunOptions() = default;
  RunOptions(SpawnOptions what) noexcept : spawn(std::move(what)) {}
  RunOptions(std::vector<std::string> command) noexcept : spawn(std::move(command)) {}
  template <detail::IsText Program, detail::IsText... Args>
  RunOptions(const Program& program, const Args&... args) : spawn(program, args...) {}

  SpawnOptions spawn;  // its stdio and kill_on_destroy are not used
  std::string input;
  std::size_t most_output = 1 << 20;  // to out and to err, each

  RunOptions&& with_input(std::string text) && {
    input = std::move(text);
    return std::move(*this);
  }
  RunOptions&& with_most_output(std::size_t bytes) && {
    most_output = bytes;
    return std::move(*this);
  }
};

struct RunResult {
  ExitStatus status;
  std::string out;
  std::string err;
};

/// Runs a program to its end: until it has exited and closed its output. Its descriptors 0, 1 and 2
/// are pipes. ENOBUFS if it writes more than most_output: it is killed then, as it is when this is
/// stopped (ECANCELED). Other errors are those of Process::spawn().
///
///     co_await run({"sort", "-n"});
///     co_await run(RunOptions("sort", "-n").with_input(text));
///     co_await run(SpawnOptions("ls").with_cwd("/"));
Async<Expected<RunResult>> run(RunOptions options);
/// run("ls", "-l", "/")
template <detail::IsText Program, detail::IsText... Args>
Async<Expected<RunResult>> run(const Program& program, const Args&... args) {
  return run(RunOptions(program, args...));
}

}  // namespace rondo
