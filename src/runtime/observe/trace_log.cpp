#include "runtime/observe/trace_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "runtime/process/start_time.h"

namespace rondo {
namespace {

// As Node: then the next file begins.
constexpr std::uint64_t kMostEventsInFile = 1U << 19;
constexpr std::size_t kWriteAtBytes = 1U << 20;

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

bool has_enabled(std::string_view group, const std::map<std::string, int, std::less<>>& enabled) {
  for (;;) {
    const std::size_t comma = group.find(',');
    if (enabled.contains(group.substr(0, comma))) return true;
    if (comma == group.npos) return false;
    group.remove_prefix(comma + 1);
  }
}

std::string head(std::uint64_t time_ns, std::uint64_t thread_time_ns) {
  return "{\"pid\":" + std::to_string(::getpid()) + ",\"tid\":" + std::to_string(::gettid()) +
         ",\"ts\":" + std::to_string(time_ns / 1000) +
         ",\"tts\":" + std::to_string(thread_time_ns / 1000) + ",";
}

/// The fields of an event up to its arguments.
std::string named(const char* phase, std::string_view group, std::string_view name,
                  std::uint64_t duration_ns, std::uint64_t thread_duration_ns) {
  std::string fields = "\"ph\":\"";
  fields += phase;
  fields += "\",\"cat\":\"";
  fields += group;
  fields += "\",\"name\":\"";
  fields += name;
  fields += "\",\"dur\":" + std::to_string(duration_ns / 1000);
  fields += ",\"tdur\":" + std::to_string(thread_duration_ns / 1000);
  fields += ",\"args\":";
  return fields;
}

}  // namespace

std::uint64_t thread_ns() noexcept {
  struct ::timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(time.tv_nsec);
}

TraceLog& TraceLog::instance() {
  // Never destroyed: threads of V8 may write until the very end.
  static TraceLog* const log = new TraceLog;
  return *log;
}

std::uint8_t* TraceLog::flag(std::string_view group) {
  const std::lock_guard guard(mutex_);
  const auto found = flags_.find(group);
  if (found != flags_.end()) return &found->second;
  const std::uint8_t value = has_enabled(group, enabled_) ? kRecorded : 0;
  return &flags_.emplace(group, value).first->second;
}

std::string TraceLog::group_of(const std::uint8_t* flag) {
  const std::lock_guard guard(mutex_);
  const auto found =
      std::ranges::find_if(flags_, [&](const auto& entry) { return &entry.second == flag; });
  return found == flags_.end() ? std::string() : found->first;
}

void TraceLog::count(std::string_view group) {
  std::uint8_t* const found = flag(group);
  __atomic_fetch_or(found, kCounted, __ATOMIC_RELAXED);
}

void TraceLog::update_flags() {
  for (auto& [group, value] : flags_) {
    if (has_enabled(group, enabled_)) {
      __atomic_fetch_or(&value, kRecorded, __ATOMIC_RELAXED);
    } else {
      __atomic_fetch_and(&value, static_cast<std::uint8_t>(~kRecorded), __ATOMIC_RELAXED);
    }
  }
}

void TraceLog::enable(std::span<const std::string> categories) {
  const std::lock_guard guard(mutex_);
  for (const std::string& category : categories) ++enabled_[category];
  update_flags();
}

void TraceLog::disable(std::span<const std::string> categories) {
  const std::lock_guard guard(mutex_);
  for (const std::string& category : categories) {
    const auto found = enabled_.find(category);
    if (found != enabled_.end() && --found->second == 0) enabled_.erase(found);
  }
  update_flags();
}

std::vector<std::string> TraceLog::categories() {
  const std::lock_guard guard(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, times] : enabled_) names.push_back(name);
  return names;
}

void TraceLog::set_file_pattern(std::string pattern) {
  const std::lock_guard guard(mutex_);
  pattern_ = std::move(pattern);
}

void TraceLog::start() {
  started_.store(true, std::memory_order_relaxed);
}

// ---- Events -------------------------------------------------------------------------------------

void TraceLog::add(std::string_view fields, std::optional<std::uint64_t> time_ns) {
  std::string event = head(time_ns.value_or(monotonic_ns()), thread_ns());
  event += fields;
  event += '}';
  const std::lock_guard guard(mutex_);
  append(event);
}

void TraceLog::add_span(std::string_view group, std::string_view name, std::uint64_t start_ns,
                        std::uint64_t start_thread_ns) {
  std::string event = head(start_ns, start_thread_ns);
  event += named("X", group, name, monotonic_ns() - start_ns, thread_ns() - start_thread_ns);
  event += "{}}";
  const std::lock_guard guard(mutex_);
  append(event);
}

void TraceLog::add_metadata(std::string_view name, std::string_view arguments) {
  std::string event = head(monotonic_ns(), thread_ns());
  event += named("M", "__metadata", name, 0, 0);
  event += arguments;
  event += '}';
  const std::lock_guard guard(mutex_);
  metadata_.push_back(std::move(event));
}

void TraceLog::append(std::string_view event) {
  if (finished_) return;
  if (in_file_ == kMostEventsInFile) close_file();
  pending_ += in_file_++ == 0 ? R"({"traceEvents":[)" : ",";
  pending_ += event;
  if (pending_.size() >= kWriteAtBytes) write();
}

void TraceLog::write() {
  if (fd_ < 0) {
    std::string path = replaced(pattern_, "${pid}", std::to_string(::getpid()));
    path = replaced(std::move(path), "${rotation}", std::to_string(++rotation_));
    fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd_ < 0) {
      std::fprintf(stderr, "Could not open trace file %s: %s\n", path.c_str(),
                   std::strerror(errno));
    }
  }
  std::string_view left = pending_;
  while (fd_ >= 0 && !left.empty()) {
    const ssize_t written = ::write(fd_, left.data(), left.size());
    if (written < 0 && errno != EINTR) break;
    left.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  pending_.clear();
}

void TraceLog::close_file() {
  pending_ += in_file_ == 0 ? R"({"traceEvents":[]})" : "]}";
  write();
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  in_file_ = 0;
}

void TraceLog::finish() {
  if (!started()) return;
  const std::lock_guard guard(mutex_);
  if (finished_) return;
  for (const std::string& event : metadata_) append(event);
  close_file();
  finished_ = true;
}

// ---- Spans --------------------------------------------------------------------------------------

TraceSpan::TraceSpan(const std::uint8_t* flag, std::string_view group, const char* name) noexcept
    : group_(group), name_((*flag & TraceLog::kRecorded) != 0 ? name : nullptr) {
  if (name_ == nullptr) return;
  start_ns_ = monotonic_ns();
  start_thread_ns_ = thread_ns();
}

TraceSpan::~TraceSpan() {
  if (name_ != nullptr) {
    TraceLog::instance().add_span(group_, name_, start_ns_, start_thread_ns_);
  }
}

}  // namespace rondo
