// What process asks of the system, and its properties that are the system's: title and ppid.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <ranges>
#include <string>
#include <vector>

#include "runtime/bytes/buffer_allocator.h"
#include "runtime/engine/environment.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"
#include "runtime/process/env_file.h"
#include "runtime/process/options.h"
#include "runtime/process/proc_files.h"
#include "runtime/process/process_title.h"
#include "runtime/process/start_time.h"

namespace rondo {
namespace {

using v8::Local;

// ---- Folder and files --------------------------------------------------------------------------

// Empty, and errno set, if there is none any more.
std::string working_folder() {
  char* path = ::getcwd(nullptr, 0);
  const int error_number = errno;
  std::string result = path != nullptr ? path : "";
  std::free(path);
  errno = error_number;
  return result;
}

std::optional<std::string> cwd(Environment& environment) {
  std::string path = working_folder();
  if (!path.empty()) return path;
  const int error_number = errno;
  const std::string_view reason = error_number == ENOENT
                                      ? "process.cwd failed with error no such file or directory, "
                                        "the current working directory "
                                        "was likely removed without changing the working directory"
                                      : "";
  environment.throw_(environment.system_error(error_number, "uv_cwd", {}, {}, reason));
  return {};
}

void chdir(Environment& environment, const std::string& text) {
  const std::string path = text.c_str();  // ends at its first zero byte
  if (::chdir(path.c_str()) == 0) return;
  const int error_number = errno;
  environment.throw_(environment.system_error(error_number, "chdir", working_folder(), path));
}

// (path): sets the variables of a file that the process has not got. Returns whether the file could
// be read; one that cannot be opened is reported as missing, whatever the reason.
std::optional<bool> load_env_file(Environment& environment, const std::string& path) {
  Variables variables;
  const EnvFileResult result = read_env_file(path, variables);
  if (result == EnvFileResult::not_found) {
    environment.throw_(environment.system_error(ENOENT, "open", path));
    return {};
  }
  set_missing_variables(variables);
  return result == EnvFileResult::read;
}

// Without a mask, only returns it.
std::uint32_t umask(std::optional<std::uint32_t> mask) {
  if (mask) return ::umask(*mask);
  const mode_t old = ::umask(0);
  ::umask(old);
  return old;
}

// ---- Time --------------------------------------------------------------------------------------

// (Uint32Array): the seconds as two words, the higher first, and the nanoseconds
void hrtime(Local<v8::Uint32Array> array) {
  const std::span<std::uint32_t> parts = elements_of<std::uint32_t>(array);
  const std::uint64_t now = monotonic_ns();
  const std::uint64_t seconds = now / 1'000'000'000;
  parts[0] = static_cast<std::uint32_t>(seconds >> 32);
  parts[1] = static_cast<std::uint32_t>(seconds);
  parts[2] = static_cast<std::uint32_t>(now % 1'000'000'000);
}

Local<v8::BigInt> hrtime_bigint(v8::Isolate* isolate) {
  return v8::BigInt::NewFromUnsigned(isolate, monotonic_ns());
}

double uptime() {
  return static_cast<double>(monotonic_ns() - start_ns()) / 1e9;
}

// ---- Memory ------------------------------------------------------------------------------------

double resident_bytes() {
  unsigned long pages = 0;
  if (std::sscanf(read_proc_file("/proc/self/statm").c_str(), "%*u %lu", &pages) != 1) return 0;
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double rss() {
  return resident_bytes();
}

/// What memoryUsage() writes; lib/ has the names from here.
enum class MemoryFigure : std::uint8_t { rss, heap_total, heap_used, external, array_buffers };

// (Float64Array)
void memory_usage(v8::Isolate* isolate, Local<v8::Float64Array> array) {
  const std::span<double> figures = elements_of<double>(array);
  const auto set = [&](MemoryFigure which, double value) {
    figures[static_cast<std::size_t>(which)] = value;
  };
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  set(MemoryFigure::rss, resident_bytes());
  set(MemoryFigure::heap_total, static_cast<double>(heap.total_heap_size()));
  set(MemoryFigure::heap_used, static_cast<double>(heap.used_heap_size()));
  set(MemoryFigure::external, static_cast<double>(heap.external_memory()));
  const auto* buffers = static_cast<const BufferAllocator*>(isolate->GetArrayBufferAllocator());
  set(MemoryFigure::array_buffers, static_cast<double>(buffers->bytes()));
}

/// The names that NODE_OPTIONS may have, those of what can be switched off also with --no- before
/// them.
std::vector<Local<v8::Value>> environment_options(Environment& environment) {
  std::vector<Local<v8::Value>> names;
  const auto add = [&](std::string_view name) { names.push_back(environment.text(name)); };
  const auto is_allowed = [](const Option& option) { return !option.command_line_only; };
  for (const std::span<const Option> table : {kOptions, kOptionsWithoutEffect}) {
    for (const Option& option : table | std::views::filter(is_allowed)) {
      add(option.name);
      if (!option.short_name.empty()) add(option.short_name);
      if (option.kind == OptionKind::flag) add("--no-" + std::string(option.name.substr(2)));
    }
  }
  for (const std::string_view name : kV8OptionsOfEnvironment) add(name);
  for (const auto& [alias, meaning] : kOptionAliases) {
    if (std::ranges::any_of(kOptions, [&](const Option& option) {
          return option.name == meaning && is_allowed(option);
        })) {
      add(alias);
    }
  }
  return names;
}

double constrained_memory() {
  return static_cast<double>(memory_limit());
}

double available_memory() {
  const auto limit = static_cast<double>(memory_limit());
  const auto free = static_cast<double>(meminfo_bytes("MemAvailable"));
  const bool limited = limit <= static_cast<double>(meminfo_bytes("MemTotal"));
  return limited ? std::max(limit - resident_bytes(), 0.0) : free;
}

// ---- Resources ---------------------------------------------------------------------------------

double microseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
}

// (Float64Array): user, system, in microseconds; of the process or of this thread
template <int kWhose>
void cpu_usage(Local<v8::Float64Array> array) {
  const std::span<double> figures = elements_of<double>(array);
  rusage usage{};
  ::getrusage(kWhose, &usage);
  figures[0] = microseconds(usage.ru_utime);
  figures[1] = microseconds(usage.ru_stime);
}

/// The properties of process.resourceUsage(), in its order.
enum Usage : std::uint8_t {
  kUserCPUTime,
  kSystemCPUTime,
  kMaxRSS,
  kSharedMemorySize,
  kUnsharedDataSize,
  kUnsharedStackSize,
  kMinorPageFault,
  kMajorPageFault,
  kSwappedOut,
  kFsRead,
  kFsWrite,
  kIpcSent,
  kIpcReceived,
  kSignalsCount,
  kVoluntaryContextSwitches,
  kInvoluntaryContextSwitches,
  kUsageCount,
};

// (Float64Array): fills it.
void resource_usage(Local<v8::Float64Array> array) {
  const std::span<double> figures = elements_of<double>(array);
  if (figures.size() < kUsageCount) return;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  figures[kUserCPUTime] = microseconds(usage.ru_utime);
  figures[kSystemCPUTime] = microseconds(usage.ru_stime);
  const auto put = [&](Usage which, long count) { figures[which] = static_cast<double>(count); };
  put(kMaxRSS, usage.ru_maxrss);
  put(kSharedMemorySize, usage.ru_ixrss);
  put(kUnsharedDataSize, usage.ru_idrss);
  put(kUnsharedStackSize, usage.ru_isrss);
  put(kMinorPageFault, usage.ru_minflt);
  put(kMajorPageFault, usage.ru_majflt);
  put(kSwappedOut, usage.ru_nswap);
  put(kFsRead, usage.ru_inblock);
  put(kFsWrite, usage.ru_oublock);
  put(kIpcSent, usage.ru_msgsnd);
  put(kIpcReceived, usage.ru_msgrcv);
  put(kSignalsCount, usage.ru_nsignals);
  put(kVoluntaryContextSwitches, usage.ru_nvcsw);
  put(kInvoluntaryContextSwitches, usage.ru_nivcsw);
}

// ---- Signals and ends --------------------------------------------------------------------------

// Minus the errno, or 0.
std::int32_t kill(std::int32_t pid, std::int32_t signal) {
  return ::kill(pid, signal) == 0 ? 0 : -errno;
}

std::vector<std::string> texts_of(v8::Isolate* isolate, Local<v8::Array> array) {
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < array->Length(); ++i) {
    Local<v8::Value> text;
    if (!array->Get(isolate->GetCurrentContext(), i).ToLocal(&text)) return texts;
    texts.push_back(to_text(isolate, text));
  }
  return texts;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// (path, arguments, environment): replaces this program by another one. Returns only if that
// fails: [errno, text]. The standard streams survive; all other descriptors of the runtime are
// closed by the kernel.
std::vector<Local<v8::Value>> execve(Environment& environment, const std::string& path,
                                     Local<v8::Array> argument_list,
                                     Local<v8::Array> variable_list) {
  v8::Isolate* isolate = environment.isolate();
  std::vector<std::string> arguments = texts_of(isolate, argument_list);
  std::vector<std::string> variables = texts_of(isolate, variable_list);
  int flags[3] = {};
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    flags[descriptor] = ::fcntl(descriptor, F_GETFD);
    if (flags[descriptor] >= 0) ::fcntl(descriptor, F_SETFD, flags[descriptor] & ~FD_CLOEXEC);
  }
  ::execve(path.c_str(), pointers_to(arguments).data(), pointers_to(variables).data());
  const int error_number = errno;
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if (flags[descriptor] >= 0) ::fcntl(descriptor, F_SETFD, flags[descriptor]);
  }
  return {v8::Integer::New(isolate, error_number), environment.text(std::strerror(error_number))};
}

void abort() {
  std::abort();
}

// (boolean): whether an uncaught exception aborts the process, where the command line asks for
// that (--abort-on-uncaught-exception, which V8 sees to). Workers never do that.
void set_abort_on_uncaught(Environment& environment, bool wanted) {
  const bool aborts = wanted && environment.worker() == nullptr;
  environment.isolate()->SetAbortOnUncaughtExceptionCallback(
      aborts ? [](v8::Isolate*) { return !CompileCatch::any(); }
             : [](v8::Isolate*) { return false; });
}

// What is thrown remembers where, even if it is not an Error: --trace-uncaught.
void keep_stack_of_uncaught(v8::Isolate* isolate) {
  constexpr int kFrames = 10;
  isolate->SetCaptureStackTraceForUncaughtExceptions(true, kFrames);
}

// Straight to the standard error, however it is: for messages that must not get lost.
void raw_debug(Environment& environment, const std::string& text) {
  const std::string line = text + "\n";
  environment.output_follows(STDERR_FILENO);
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

// ---- Properties of process ---------------------------------------------------------------------

using Property = v8::PropertyCallbackInfo<v8::Value>;
using Assignment = v8::PropertyCallbackInfo<void>;

void get_title(Local<v8::Name>, const Property& info) {
  info.GetReturnValue().Set(Environment::of(info.GetIsolate()).text(process_title()));
}

void set_title(Local<v8::Name>, Local<v8::Value> value, const Assignment& info) {
  v8::Isolate* isolate = info.GetIsolate();
  Local<v8::String> title;
  if (!value->ToString(isolate->GetCurrentContext()).ToLocal(&title)) return;
  set_process_title(to_text(isolate, title));
}

void get_ppid(Local<v8::Name>, const Property& info) {
  info.GetReturnValue().Set(::getppid());
}

void ignore(Local<v8::Name>, Local<v8::Value>, const Assignment&) {}

// (process): they look like plain values. Called at each start.
void define_properties(Environment& environment, Local<v8::Object> process) {
  const Local<v8::Context> context = environment.isolate()->GetCurrentContext();
  // The title belongs to the main thread; a Worker has a copy.
  const Local<v8::String> title = environment.name("title");
  if (environment.worker() == nullptr) {
    process->SetNativeDataProperty(context, title, get_title, set_title).Check();
  } else {
    process->Set(context, title, environment.text(process_title())).Check();
  }
  process->SetNativeDataProperty(context, environment.name("ppid"), get_ppid, ignore).Check();
  process
      ->DefineOwnProperty(context, environment.name("pid"),
                          v8::Integer::New(environment.isolate(), ::getpid()), v8::ReadOnly)
      .Check();
}

constexpr Method kMethods[] = {
    method<cwd>("cwd"),
    method<chdir>("chdir"),
    method<load_env_file>("loadEnvFile"),
    method<umask>("umask"),
    method<hrtime>("hrtime"),
    method<hrtime_bigint>("hrtimeBigInt"),
    method<uptime>("uptime"),
    method<rss>("rss"),
    method<memory_usage>("memoryUsage"),
    method<constrained_memory>("constrainedMemory"),
    method<environment_options>("environmentOptions"),
    method<available_memory>("availableMemory"),
    method<cpu_usage<RUSAGE_SELF>>("cpuUsage"),
    method<cpu_usage<RUSAGE_THREAD>>("threadCpuUsage"),
    method<resource_usage>("resourceUsage"),
    method<kill>("_kill"),
    method<execve>("execve"),
    method<abort>("abort"),
    method<set_abort_on_uncaught>("setAbortOnUncaught"),
    method<keep_stack_of_uncaught>("keepStackOfUncaught"),
    method<raw_debug>("_rawDebug"),
    method<define_properties>("defineProperties"),
};

}  // namespace

extern const Binding binding_process_methods;
const Binding binding_process_methods{"process_methods", kMethods};

}  // namespace rondo
