#include "runtime/observe/report/fatal_report.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>

#include "lens/json_writer.h"
#include "runtime/process/proc_files.h"
#include "runtime/process/start_time.h"

namespace rondo {
namespace {

std::string symbol_of(void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0) return {};
  std::string text;
  if (info.dli_sname != nullptr) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), std::free);
    text = status == 0 ? plain.get() : info.dli_sname;
  }
  if (info.dli_fname != nullptr) text.append(" [").append(info.dli_fname).append("]");
  return text;
}

std::string digits(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", number);
  return text.data();
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void write_usage(lens::JsonWriter& json, const rusage& usage) {
  constexpr double kLeastUptime = 1e-6;
  const double uptime =
      std::max(static_cast<double>(monotonic_ns() - start_ns()) / 1e9, kLeastUptime);
  const double user = seconds(usage.ru_utime);
  const double system = seconds(usage.ru_stime);
  const auto number = [&](std::string_view name, double value) {
    json.key(name);
    json.number(digits(value));
  };
  number("userCpuSeconds", user);
  number("kernelCpuSeconds", system);
  number("cpuConsumptionPercent", (user + system) / uptime * 100);
  number("userCpuConsumptionPercent", user / uptime * 100);
  number("kernelCpuConsumptionPercent", system / uptime * 100);
}

void write_file_activity(lens::JsonWriter& json, const rusage& usage) {
  json.key("fsActivity");
  json.open('{');
  json.field("reads", usage.ru_inblock);
  json.field("writes", usage.ru_oublock);
  json.close('}');
}

void write_resources(lens::JsonWriter& json) {
  constexpr std::uint64_t kKiB = 1024;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  json.open('{');
  json.field("free_memory", meminfo_bytes("MemAvailable"));
  json.field("total_memory", meminfo_bytes("MemTotal"));
  json.field("rss", proc_number(read_proc_file("/proc/self/status"), "VmRSS:").value_or(0) * kKiB);
  json.field("available_memory", std::min(meminfo_bytes("MemAvailable"), memory_limit()));
  write_usage(json, usage);
  json.field("maxRss", static_cast<std::uint64_t>(usage.ru_maxrss) * kKiB);
  json.key("pageFaults");
  json.open('{');
  json.field("IORequired", usage.ru_majflt);
  json.field("IONotRequired", usage.ru_minflt);
  json.close('}');
  write_file_activity(json, usage);
  json.close('}');
}

void write_thread(lens::JsonWriter& json) {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  json.open('{');
  write_usage(json, usage);
  write_file_activity(json, usage);
  json.close('}');
}

void write_heap(lens::JsonWriter& json, v8::Isolate* isolate) {
  if (isolate == nullptr) {
    json.null();
    return;
  }
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  json.open('{');
  json.field("totalMemory", heap.total_heap_size());
  json.field("executableMemory", heap.total_heap_size_executable());
  json.field("totalCommittedMemory", heap.total_physical_size());
  json.field("availableMemory", heap.total_available_size());
  json.field("totalGlobalHandlesMemory", heap.total_global_handles_size());
  json.field("usedGlobalHandlesMemory", heap.used_global_handles_size());
  json.field("usedMemory", heap.used_heap_size());
  json.field("memoryLimit", heap.heap_size_limit());
  json.field("mallocedMemory", heap.malloced_memory());
  json.field("externalMemory", heap.external_memory());
  json.field("peakMallocedMemory", heap.peak_malloced_memory());
  json.field("nativeContextCount", heap.number_of_native_contexts());
  json.field("detachedContextCount", heap.number_of_detached_contexts());
  json.field("doesZapGarbage", heap.does_zap_garbage());
  json.key("heapSpaces");
  json.open('{');
  for (std::size_t i = 0; i < isolate->NumberOfHeapSpaces(); ++i) {
    v8::HeapSpaceStatistics space;
    isolate->GetHeapSpaceStatistics(&space, i);
    json.key(space.space_name());
    json.open('{');
    json.field("memorySize", space.space_size());
    json.field("committedMemory", space.physical_space_size());
    json.field("capacity", space.space_used_size() + space.space_available_size());
    json.field("used", space.space_used_size());
    json.field("available", space.space_available_size());
    json.close('}');
  }
  json.close('}');
  json.close('}');
}

void write_stack(lens::JsonWriter& json) {
  json.open('[');
  for (const auto& [pc, symbol] : native_frames()) {
    json.open('{');
    json.field("pc", pc);
    json.field("symbol", symbol);
    json.close('}');
  }
  json.close(']');
}

std::string time_text(const char* format, bool local) {
  const std::time_t now = std::time(nullptr);
  std::tm time{};
  if (local)
    ::localtime_r(&now, &time);
  else
    ::gmtime_r(&now, &time);
  std::array<char, 48> text{};
  std::strftime(text.data(), text.size(), format, &time);
  return text.data();
}

std::string now_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::to_string(now.tv_sec * 1000 + now.tv_nsec / 1'000'000);
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> native_frames() {
  std::array<void*, 256> addresses;
  const int count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
  std::vector<std::pair<std::string, std::string>> frames;
  for (int i = 0; i < count; ++i) {
    void* const address = addresses.at(static_cast<std::size_t>(i));
    std::array<char, 32> pc;
    std::snprintf(pc.data(), pc.size(), "0x%016lx", reinterpret_cast<unsigned long>(address));
    frames.emplace_back(pc.data(), symbol_of(address));
  }
  return frames;
}

thread_local FatalReport* FatalReport::current_ = nullptr;
std::atomic<FatalReport*> FatalReport::first_ = nullptr;

FatalReport::~FatalReport() {
  current_ = nullptr;
  FatalReport* self = this;
  first_.compare_exchange_strong(self, nullptr);
}

void FatalReport::plan(Environment& environment, Plan plan) {
  if (current_ == nullptr) {
    auto made = std::make_unique<FatalReport>();
    current_ = made.get();
    FatalReport* none = nullptr;
    first_.compare_exchange_strong(none, current_);
    environment.accompany(std::move(made));
  }
  current_->plan_ = std::move(plan);
}

void FatalReport::write(v8::Isolate* isolate, const char* trigger, const char* message) const {
  if (plan_.pieces.empty()) return;
  std::string name = plan_.file;
  if (name.empty()) {
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "report.%s.%d.%u.%03u.json",
                  time_text("%Y%m%d.%H%M%S", true).c_str(), ::getpid(), plan_.thread_id,
                  plan_.number);
    name = text.data();
  }

  const auto value_of = [&](std::string_view which) {
    lens::JsonWriter json;
    if (which == "event")
      json.value(message);
    else if (which == "trigger")
      json.value(trigger);
    else if (which == "filename")
      json.value(name);
    else if (which == "dumpEventTime")
      json.value(time_text("%Y-%m-%dT%H:%M:%SZ", false));
    else if (which == "dumpEventTimeStamp")
      json.value(now_ms());
    else if (which == "javascriptHeap")
      write_heap(json, isolate);
    else if (which == "nativeStack")
      write_stack(json);
    else if (which == "resourceUsage")
      write_resources(json);
    else if (which == "uvthreadResourceUsage")
      write_thread(json);
    return json.take();
  };
  std::string text;
  for (std::size_t i = 0; i < plan_.pieces.size(); ++i) {
    text += i % 2 == 0 ? plan_.pieces[i] : value_of(plan_.pieces[i]);
  }
  text += '\n';

  if (name == "stdout" || name == "stderr") {
    write_all(name == "stdout" ? STDOUT_FILENO : STDERR_FILENO, text);
    return;
  }
  const std::string path = plan_.folder.empty() ? name : plan_.folder + "/" + name;
  constexpr mode_t kMode = 0666;
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (fd < 0) {
    std::fprintf(stderr, "\nFailed to open Node.js report file: %s directory: %s (errno: %d)\n",
                 name.c_str(), plan_.folder.c_str(), errno);
    return;
  }
  std::fprintf(stderr, "\nWriting Node.js report to file: %s\n", name.c_str());
  const bool written = write_all(fd, text);
  ::close(fd);
  if (written) std::fprintf(stderr, "Node.js report completed\n");
}

}  // namespace rondo
