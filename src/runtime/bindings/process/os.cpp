// What there is to know about the system: node:os. Where a function can fail, its last argument is
// an object that receives the error, and the result is undefined.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <pwd.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/errors/error_texts.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/views.h"
#include "runtime/process/proc_files.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

void fail(const Arguments& args, int error_number, std::string_view syscall) {
  Environment& environment = Environment::of(args.GetIsolate());
  const Local<Value> last = args[args.Length() - 1];
  if (!last->IsObject()) return;
  const auto target = last.As<v8::Object>();
  const ErrorText* error = find_error_text(-error_number);
  set_value(environment, target, "errno", -error_number);
  set_value(environment, target, "code",
            environment.text(error != nullptr ? error->name : "UNKNOWN"));
  set_value(environment, target, "message",
            environment.text(error != nullptr ? error->text : "unknown error"));
  set_value(environment, target, "syscall", environment.text(syscall));
}

void return_text(const Arguments& args, std::string_view text) {
  args.GetReturnValue().Set(Environment::of(args.GetIsolate()).text(text));
}

void return_list(const Arguments& args, std::vector<Local<Value>>& list) {
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), list.data(), list.size()));
}

int int_of(const Arguments& args, int index) {
  return args[index]->Int32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(0);
}

void get_hostname(const Arguments& args) {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) {
    return fail(args, errno, "uv_os_gethostname");
  }
  return_text(args, name.data());
}

// [type, version, release, machine]
void get_os_information(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  utsname names{};
  if (::uname(&names) != 0) return fail(args, errno, "uv_os_uname");
  std::vector<Local<Value>> list{environment.text(names.sysname), environment.text(names.version),
                                 environment.text(names.release), environment.text(names.machine)};
  return_list(args, list);
}

void get_uptime(const Arguments& args) {
  timespec time{};
  if (::clock_gettime(CLOCK_BOOTTIME, &time) != 0) return fail(args, errno, "uv_uptime");
  // In hundredths, as the kernel has it in /proc/uptime.
  args.GetReturnValue().Set(static_cast<double>(time.tv_sec) +
                            static_cast<double>(time.tv_nsec / 10'000'000) / 100);
}

void get_load_average(const Arguments& args) {
  const std::span<double> averages = elements_of<double>(args[0]);
  if (averages.size() == 3 && ::getloadavg(averages.data(), 3) != 3) {
    std::ranges::fill(averages, 0.0);
  }
}

void get_total_memory(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<double>(meminfo_bytes("MemTotal")));
}

void get_free_memory(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<double>(meminfo_bytes("MemAvailable")));
}

void get_available_parallelism(const Arguments& args) {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int count = ::sched_getaffinity(0, sizeof set, &set) == 0
                        ? CPU_COUNT(&set)
                        : static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  args.GetReturnValue().Set(std::max(count, 1));
}

// ---- Processors --------------------------------------------------------------------------------

// The models, by the numbers of the processors.
std::vector<std::string> processor_models() {
  std::vector<std::string> models;
  std::istringstream lines(read_proc_file("/proc/cpuinfo"));
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == line.npos) continue;
    if (line.starts_with("processor\t")) number = std::strtoul(&line[colon + 2], nullptr, 10);
    if (!line.starts_with("model name\t")) continue;
    if (models.size() <= number) models.resize(number + 1);
    models[number] = line.substr(colon + 2);
  }
  return models;
}

double processor_speed(unsigned number) {
  const std::string path =
      "/sys/devices/system/cpu/cpu" + std::to_string(number) + "/cpufreq/scaling_cur_freq";
  return std::strtod(read_proc_file(path.c_str()).c_str(), nullptr) / 1000;
}

// For each processor: model, speed in MHz, and the milliseconds of user, nice, sys, idle and irq.
void get_cpus(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  const std::vector<std::string> models = processor_models();
  const double tick_ms = 1000.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  std::vector<Local<Value>> list;
  std::istringstream lines(read_proc_file("/proc/stat"));
  for (std::string line; std::getline(lines, line);) {
    unsigned number = 0;
    unsigned long long user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0;
    // Not the line of their sum, "cpu  ": sscanf() would skip the spaces.
    if (line.size() < 4 || line[3] < '0' || line[3] > '9') continue;
    if (std::sscanf(line.c_str(), "cpu%u %llu %llu %llu %llu %llu %llu", &number, &user, &nice,
                    &system, &idle, &wait, &irq) != 7) {
      continue;
    }
    const bool known = number < models.size() && !models[number].empty();
    list.push_back(environment.text(known ? models[number] : "unknown"));
    list.push_back(v8::Number::New(isolate, static_cast<int>(processor_speed(number))));
    for (const auto ticks : {user, nice, system, idle, irq}) {
      list.push_back(v8::Number::New(isolate, static_cast<double>(ticks) * tick_ms));
    }
  }
  return_list(args, list);
}

// ---- Network interfaces ------------------------------------------------------------------------

std::string address_text(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = nullptr;
  if (address->sa_family == AF_INET) {
    bytes = &reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
  } else {
    bytes = &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  }
  ::inet_ntop(address->sa_family, bytes, text.data(), text.size());
  return text.data();
}

// Of the link layer of the interface: the kernel lists it as a separate address.
std::string hardware_address(const ifaddrs* all, std::string_view name) {
  std::array<unsigned char, 6> bytes{};
  for (const ifaddrs* entry = all; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_PACKET) continue;
    // "eth0:1" is a second address on the card of eth0
    const std::string_view card = entry->ifa_name;
    if (!name.starts_with(card) || (name.size() > card.size() && name[card.size()] != ':'))
      continue;
    const auto* link = reinterpret_cast<const sockaddr_ll*>(entry->ifa_addr);
    std::copy_n(link->sll_addr, bytes.size(), bytes.begin());
  }
  std::array<char, 18> text{};
  std::snprintf(text.data(), text.size(), "%02x:%02x:%02x:%02x:%02x:%02x", bytes[0], bytes[1],
                bytes[2], bytes[3], bytes[4], bytes[5]);
  return text.data();
}

// For each address: name, address, netmask, family, mac, internal, scope (-1 without one).
void get_interface_addresses(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return fail(args, errno, "uv_interface_addresses");
  std::vector<Local<Value>> list;
  for (const ifaddrs* entry = all; entry != nullptr; entry = entry->ifa_next) {
    constexpr unsigned kAlive = IFF_UP | IFF_RUNNING;
    if ((entry->ifa_flags & kAlive) != kAlive || entry->ifa_addr == nullptr) continue;
    const int family = entry->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    double scope = -1;
    if (family == AF_INET6) {
      scope = reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr)->sin6_scope_id;
    }
    list.push_back(environment.text(entry->ifa_name));
    list.push_back(environment.text(address_text(entry->ifa_addr)));
    list.push_back(environment.text(entry->ifa_netmask != nullptr ? address_text(entry->ifa_netmask)
                                                                  : std::string()));
    list.push_back(environment.name(family == AF_INET ? "IPv4" : "IPv6"));
    list.push_back(environment.text(hardware_address(all, entry->ifa_name)));
    list.push_back(v8::Boolean::New(isolate, (entry->ifa_flags & IFF_LOOPBACK) != 0));
    list.push_back(v8::Number::New(isolate, scope));
  }
  ::freeifaddrs(all);
  return_list(args, list);
}

// ---- The user ----------------------------------------------------------------------------------

struct User {
  passwd entry{};
  std::vector<char> texts;
  int error_number = 0;
};

User find_user() {
  User user{.texts = std::vector<char>(4096)};
  passwd* found = nullptr;
  int result = 0;
  while ((result = ::getpwuid_r(::geteuid(), &user.entry, user.texts.data(), user.texts.size(),
                                &found)) == ERANGE) {
    user.texts.resize(user.texts.size() * 2);
  }
  user.error_number = result != 0 ? result : found == nullptr ? ENOENT : 0;
  return user;
}

void get_home_directory(const Arguments& args) {
  if (const char* home = std::getenv("HOME")) return return_text(args, home);
  const User user = find_user();
  if (user.error_number != 0) return fail(args, user.error_number, "uv_os_homedir");
  return_text(args, user.entry.pw_dir);
}

Local<Value> bytes_from(v8::Isolate* isolate, std::string_view text) {
  const auto buffer = v8::ArrayBuffer::New(isolate, text.size());
  if (!text.empty()) std::ranges::copy(text, static_cast<char*>(buffer->Data()));
  return v8::Uint8Array::New(buffer, 0, text.size());
}

// ({ encoding: 'buffer' } or nothing): the names as bytes, or as text
void get_user_info(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const Local<v8::Context> context = isolate->GetCurrentContext();
  bool as_bytes = false;
  if (args[0]->IsObject()) {
    Local<Value> encoding;
    if (!args[0].As<v8::Object>()->Get(context, environment.name("encoding")).ToLocal(&encoding)) {
      return;
    }
    as_bytes = encoding->StrictEquals(environment.name("buffer"));
  }
  const User user = find_user();
  if (user.error_number != 0) return fail(args, user.error_number, "uv_os_get_passwd");
  const Local<v8::Object> result = v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  const auto set_text = [&](std::string_view name, const char* text) {
    const std::string_view value = text != nullptr ? text : "";
    set_value(environment, result, name,
              as_bytes ? bytes_from(isolate, value) : Local<Value>(environment.text(value)));
  };
  set_value(environment, result, "uid", user.entry.pw_uid);
  set_value(environment, result, "gid", user.entry.pw_gid);
  set_text("username", user.entry.pw_name);
  set_text("homedir", user.entry.pw_dir);
  set_text("shell", user.entry.pw_shell);
  args.GetReturnValue().Set(result);
}

// ---- Priority ----------------------------------------------------------------------------------

void get_priority(const Arguments& args) {
  errno = 0;
  const int priority = ::getpriority(PRIO_PROCESS, static_cast<id_t>(int_of(args, 0)));
  if (priority == -1 && errno != 0) return fail(args, errno, "uv_os_getpriority");
  args.GetReturnValue().Set(priority);
}

void set_priority(const Arguments& args) {
  const int result =
      ::setpriority(PRIO_PROCESS, static_cast<id_t>(int_of(args, 0)), int_of(args, 1)) == 0 ? 0
                                                                                            : errno;
  if (result != 0) fail(args, result, "uv_os_setpriority");
  args.GetReturnValue().Set(-result);
}

void extend(Environment& environment, Local<v8::Object> target) {
  set_value(environment, target, "isBigEndian",
            v8::Boolean::New(environment.isolate(), std::endian::native == std::endian::big));
}

constexpr Method kMethods[] = {
    {"getHostname", get_hostname},
    {"getLoadAvg", get_load_average},
    {"getUptime", get_uptime},
    {"getTotalMem", get_total_memory},
    {"getFreeMem", get_free_memory},
    {"getCPUs", get_cpus},
    {"getInterfaceAddresses", get_interface_addresses},
    {"getHomeDirectory", get_home_directory},
    {"getUserInfo", get_user_info},
    {"setPriority", set_priority},
    {"getPriority", get_priority},
    {"getAvailableParallelism", get_available_parallelism},
    {"getOSInformation", get_os_information},
};

}  // namespace

extern const Binding binding_os;
const Binding binding_os{"os", kMethods, extend};

}  // namespace rondo
