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
#include "runtime/glue/binding.h"
#include "runtime/glue/text.h"
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

void cwd(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  const std::string path = working_folder();
  if (path.empty()) {
    args.GetIsolate()->ThrowException(environment.system_error(errno, "uv_cwd"));
    return;
  }
  args.GetReturnValue().Set(environment.text(path));
}

void chdir(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  // As a C string: a path ends at its first zero byte.
  const std::string path = to_text(args.GetIsolate(), args[0]).c_str();
  if (::chdir(path.c_str()) == 0) return;
  const int error_number = errno;
  args.GetIsolate()->ThrowException(
      environment.system_error(error_number, "chdir", working_folder(), path));
}

// (path): sets the variables of a file that the process has not got. Returns whether the file could
// be read; one that cannot be opened is reported as missing, whatever the reason.
void load_env_file(const Arguments& args) {
  const std::string path = to_text(args.GetIsolate(), args[0]);
  Variables variables;
  const EnvFileResult result = read_env_file(path, variables);
  if (result == EnvFileResult::not_found) {
    const Environment& environment = Environment::of(args.GetIsolate());
    return environment.throw_(environment.system_error(ENOENT, "open", path));
  }
  set_missing_variables(variables);
  args.GetReturnValue().Set(result == EnvFileResult::read);
}

// Without a mask, only returns it.
void umask(const Arguments& args) {
  mode_t old = 0;
  if (args[0]->IsUndefined()) {
    old = ::umask(0);
    ::umask(old);
  } else {
    old = ::umask(args[0]->Uint32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(0));
  }
  args.GetReturnValue().Set(old);
}

// ---- Time --------------------------------------------------------------------------------------

// (Uint32Array): the seconds as two words, the higher first, and the nanoseconds
void hrtime(const Arguments& args) {
  const std::span<std::uint32_t> parts = elements_of<std::uint32_t>(args[0]);
  const std::uint64_t now = monotonic_ns();
  const std::uint64_t seconds = now / 1'000'000'000;
  parts[0] = static_cast<std::uint32_t>(seconds >> 32);
  parts[1] = static_cast<std::uint32_t>(seconds);
  parts[2] = static_cast<std::uint32_t>(now % 1'000'000'000);
}

void hrtime_bigint(const Arguments& args) {
  args.GetReturnValue().Set(v8::BigInt::NewFromUnsigned(args.GetIsolate(), monotonic_ns()));
}

void uptime(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<double>(monotonic_ns() - start_ns()) / 1e9);
}

// ---- Memory ------------------------------------------------------------------------------------

double resident_bytes() {
  unsigned long pages = 0;
  if (std::sscanf(read_proc_file("/proc/self/statm").c_str(), "%*u %lu", &pages) != 1) return 0;
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void rss(const Arguments& args) {
  args.GetReturnValue().Set(resident_bytes());
}

/// What memoryUsage() writes; lib/ has the names from here.
enum class MemoryFigure : std::uint8_t { rss, heap_total, heap_used, external, array_buffers };

// (Float64Array)
void memory_usage(const Arguments& args) {
  const std::span<double> figures = elements_of<double>(args[0]);
  const auto set = [&](MemoryFigure which, double value) {
    figures[static_cast<std::size_t>(which)] = value;
  };
  v8::HeapStatistics heap;
  args.GetIsolate()->GetHeapStatistics(&heap);
  set(MemoryFigure::rss, resident_bytes());
  set(MemoryFigure::heap_total, static_cast<double>(heap.total_heap_size()));
  set(MemoryFigure::heap_used, static_cast<double>(heap.used_heap_size()));
  set(MemoryFigure::external, static_cast<double>(heap.external_memory()));
  const auto* buffers =
      static_cast<const BufferAllocator*>(args.GetIsolate()->GetArrayBufferAllocator());
  set(MemoryFigure::array_buffers, static_cast<double>(buffers->bytes()));
}

/// The names that NODE_OPTIONS may have, those of what can be switched off also with --no- before
/// them.
void environment_options(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
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
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), names.data(), names.size()));
}

void constrained_memory(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<double>(memory_limit()));
}

void available_memory(const Arguments& args) {
  const auto limit = static_cast<double>(memory_limit());
  const auto free = static_cast<double>(meminfo_bytes("MemAvailable"));
  const bool limited = limit <= static_cast<double>(meminfo_bytes("MemTotal"));
  args.GetReturnValue().Set(limited ? std::max(limit - resident_bytes(), 0.0) : free);
}

// ---- Resources ---------------------------------------------------------------------------------

double microseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
}

// (Float64Array): user, system, in microseconds
void cpu_usage(const Arguments& args) {
  const std::span<double> figures = elements_of<double>(args[0]);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  figures[0] = microseconds(usage.ru_utime);
  figures[1] = microseconds(usage.ru_stime);
}

// The same of this thread.
void thread_cpu_usage(const Arguments& args) {
  const std::span<double> figures = elements_of<double>(args[0]);
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
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
void resource_usage(const Arguments& args) {
  const std::span<double> figures = elements_of<double>(args[0]);
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
void kill(const Arguments& args) {
  const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
  const int pid = args[0]->Int32Value(context).FromMaybe(0);
  const int signal = args[1]->Int32Value(context).FromMaybe(0);
  args.GetReturnValue().Set(::kill(pid, signal) == 0 ? 0 : -errno);
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
void execve(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  const std::string path = to_text(isolate, args[0]);
  std::vector<std::string> arguments = texts_of(isolate, args[1].As<v8::Array>());
  std::vector<std::string> variables = texts_of(isolate, args[2].As<v8::Array>());
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
  Local<v8::Value> result[] = {v8::Integer::New(isolate, error_number),
                               environment.text(std::strerror(error_number))};
  args.GetReturnValue().Set(v8::Array::New(isolate, result, std::size(result)));
}

void abort(const Arguments&) {
  std::abort();
}

// (boolean): whether an uncaught exception aborts the process, where the command line asks for
// that (--abort-on-uncaught-exception, which V8 sees to). Workers never do that.
void set_abort_on_uncaught(const Arguments& args) {
  const bool aborts = args[0]->IsTrue() && Environment::of(args.GetIsolate()).worker() == nullptr;
  args.GetIsolate()->SetAbortOnUncaughtExceptionCallback(
      aborts ? [](v8::Isolate*) { return !CompileCatch::any(); }
             : [](v8::Isolate*) { return false; });
}

// What is thrown remembers where, even if it is not an Error: --trace-uncaught.
void keep_stack_of_uncaught(const Arguments& args) {
  constexpr int kFrames = 10;
  args.GetIsolate()->SetCaptureStackTraceForUncaughtExceptions(true, kFrames);
}

// Straight to the standard error, however it is: for messages that must not get lost.
void raw_debug(const Arguments& args) {
  const std::string line = to_text(args.GetIsolate(), args[0]) + "\n";
  Environment::of(args.GetIsolate()).output_follows(STDERR_FILENO);
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
  set_process_title(to_text(info.GetIsolate(), value));
}

void get_ppid(Local<v8::Name>, const Property& info) {
  info.GetReturnValue().Set(::getppid());
}

void ignore(Local<v8::Name>, Local<v8::Value>, const Assignment&) {}

// (process): they look like plain values. Called at each start.
void define_properties(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
  const auto process = args[0].As<v8::Object>();
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
                          v8::Integer::New(args.GetIsolate(), ::getpid()), v8::ReadOnly)
      .Check();
}

constexpr Method kMethods[] = {
    {"cwd", cwd},
    {"chdir", chdir},
    {"loadEnvFile", load_env_file},
    {"umask", umask},
    {"hrtime", hrtime},
    {"hrtimeBigInt", hrtime_bigint},
    {"uptime", uptime},
    {"rss", rss},
    {"memoryUsage", memory_usage},
    {"constrainedMemory", constrained_memory},
    {"environmentOptions", environment_options},
    {"availableMemory", available_memory},
    {"cpuUsage", cpu_usage},
    {"threadCpuUsage", thread_cpu_usage},
    {"resourceUsage", resource_usage},
    {"_kill", kill},
    {"execve", execve},
    {"abort", abort},
    {"setAbortOnUncaught", set_abort_on_uncaught},
    {"keepStackOfUncaught", keep_stack_of_uncaught},
    {"_rawDebug", raw_debug},
    {"defineProperties", define_properties},
};

}  // namespace

extern const Binding binding_process_methods;
const Binding binding_process_methods{"process_methods", kMethods};

}  // namespace rondo
