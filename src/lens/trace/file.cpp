#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <new>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "rondo/lens/trace.h"

#include "lens/standard_error.h"
#include "lens/trace/process.h"
#include "lens/trace/ring.h"

namespace rondo::lens {

namespace {

/// For so long the other process may do nothing before it is given up.
constexpr int kPatienceMs = 20'000;

Slot slot_of(RecordType type, std::uint8_t kind, Time at, std::uint64_t id) noexcept {
  return Slot::make(static_cast<unsigned>(type), kind, static_cast<std::uint64_t>(at.count()), id);
}

/// Each step is a slice of its own: "readFile a.txt: open".
void append_step(std::string& text, std::string_view step) {
  if (!step.empty() && !is_of_step(text, step)) text.append(": ").append(step);
}

/// "work (file.js:3:5)"
void append_site(std::string& text, const Site& site) {
  const bool has_function = !site.function.empty();
  if (has_function) text.append(site.function).append(" (");
  text.append(site.file).append(":" + std::to_string(site.line));
  text.append(":" + std::to_string(site.column)).append(has_function ? ")" : "");
}

std::uint32_t fit(std::chrono::milliseconds delay) noexcept {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(delay.count(), 0, UINT32_MAX));
}

}  // namespace

/// Leaves records in the ring, and sees to it that the other process takes them.
class TraceFile::Writer {
 public:
  explicit Writer(const Options& options)
      : path_(options.path), process_(start_trace_process(options.path, options.limit_bytes)) {
    ring_ = process_.ring;
    void* page =
        ::mmap(nullptr, sizeof(Local), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
      let_go();
      throw std::system_error(errno, std::system_category(), "no memory for the trace");
    }
    // A process forked from this one finds zeros here, and leaves the ring alone.
    ::madvise(page, sizeof(Local), MADV_WIPEONFORK);
    local_ = ::new (page) Local;
    local_->active = true;
    local_->pause = kWakeEvery;
  }

  ~Writer() {
    close();
    ::munmap(local_, sizeof(Local));
    let_go();
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void put(Slot slot) noexcept {
    Local& local = *local_;
    if (local.head >= local.pause && !make_room()) return;
    ::new (ring_->slot(local.head++)) Slot(slot);
    // The other process has had that memory in its hands since.
    __builtin_prefetch(ring_->slot(local.head + kAhead), 1);
    ring_->head.store(local.head, std::memory_order_release);
  }

  void put(Slot slot, Details details, std::string_view text) noexcept {
    Local& local = *local_;
    if (local.head >= local.pause && !make_room()) return;
    text = text.substr(0, kMostText);
    details.text_size = static_cast<std::uint32_t>(text.size());
    ::new (ring_->slot(local.head++)) Slot(slot);
    ::new (ring_->slot(local.head++)) Details(details);
    for (; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof(Slot)))) {
      std::memcpy(ring_->slot(local.head++), text.data(), std::min(text.size(), sizeof(Slot)));
    }
    ring_->head.store(local.head, std::memory_order_release);
  }

  /// Lets the other process end the file, and waits for that.
  void close() noexcept {
    if (!local_->active) return;
    stop();
    ::shutdown(process_.socket, SHUT_WR);
    std::uint64_t before = progress();
    for (int waited_ms = 0; !has_ended(kStepMs); waited_ms += kStepMs) {
      if (std::exchange(before, progress()) != progress()) waited_ms = 0;
      if (waited_ms >= kPatienceMs) return complain("its writer does not answer");
    }
    if (ring_->state.load() != TraceState::running) complain_of_end();
  }

 private:
  /// Room that is always there when `pause` is not reached.
  static constexpr std::uint64_t kLongest = 2 + slots_of_text(kMostText);
  static constexpr std::uint64_t kWakeEvery = TraceRing::kSlots / 4;
  static constexpr std::uint64_t kAhead = 32;
  static constexpr int kStepMs = 100;

  /// In a page of its own. All zero, nothing is written.
  struct Local {
    bool active = false;
    std::uint64_t head = 0;
    std::uint64_t pause = 0;  // where to look what the other process does
  };

  void stop() noexcept {
    local_->active = false;
    local_->pause = 0;
  }

  /// Now and then: wakes the other process, waits for it if it lags. False if it is
  /// gone.
  [[gnu::noinline, gnu::cold]] bool make_room() noexcept {
    if (!local_->active) return false;
    if (ring_->taker_sleeps.exchange(false)) {
      ::send(process_.socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    int waited_ms = 0;
    std::uint64_t before = progress();
    std::uint64_t needed = kLongest;
    for (;;) {
      if (ring_->state.load(std::memory_order_relaxed) != TraceState::running) {
        stop();
        complain_of_end();
        return false;
      }
      const std::uint64_t end = ring_->tail.load(std::memory_order_acquire) + TraceRing::kSlots;
      if (local_->head + needed <= end) {
        local_->pause = std::min(local_->head + kWakeEvery, end - kLongest + 1);
        return true;
      }
      needed = kWakeEvery;  // once it waits, it waits long enough to be worth it
      if (has_ended(1)) {
        if (ring_->state.load() != TraceState::running) continue;
        stop();
        complain("its writer has died");
        return false;
      }
      if (std::exchange(before, progress()) != progress()) waited_ms = 0;
      if (++waited_ms >= kPatienceMs) {
        stop();
        complain("its writer does not answer");
        return false;
      }
    }
  }

  std::uint64_t progress() const noexcept {
    return ring_->tail.load(std::memory_order_relaxed) +
           ring_->file_bytes.load(std::memory_order_relaxed);
  }

  bool has_ended(int timeout_ms) const noexcept {
    pollfd polled{process_.socket, POLLIN, 0};
    return ::poll(&polled, 1, timeout_ms) > 0;
  }

  void complain_of_end() const noexcept {
    if (ring_->state.load() == TraceState::limit_reached)
      return complain("it has reached its limit");
    complain(std::strerror(ring_->error_number.load()));
  }
  void complain(std::string_view why) const noexcept {
    print_error("rondo: the trace " + path_ + " stops: " + std::string(why) + '\n');
  }

  void let_go() noexcept {
    ::close(process_.socket);
    ::munmap(ring_, sizeof(TraceRing));
  }

  std::string path_;
  TraceProcess process_;
  TraceRing* ring_;
  Local* local_ = nullptr;
};

/// Numbers for functions: the words of each are handed on once.
class TraceFile::Functions {
 public:
  /// Its number, from 1 on, and whether that is a new one. 0: there are too many of them.
  std::pair<std::uint32_t, bool> number_of(const Site& site) {
    // Mostly it is the one that ran last.
    if (last_ != nullptr && is_at(*last_, site)) return {last_->number, false};
    const auto [begin, end] = known_.equal_range(hash_of(site));
    for (auto it = begin; it != end; ++it) {
      if (!is_at(it->second, site)) continue;
      last_ = &it->second;
      return {last_->number, false};
    }
    constexpr std::size_t kMost = 100'000;  // a program can make up as many as it likes
    if (known_.size() == kMost) return {0, false};
    const auto number = static_cast<std::uint32_t>(known_.size() + 1);
    const auto added = known_.emplace(
        hash_of(site),
        Known{std::string(site.file), std::string(site.function), site.line, site.column, number});
    last_ = &added->second;
    return {number, true};
  }

 private:
  struct Known {
    std::string file;
    std::string function;
    int line;
    int column;
    std::uint32_t number;
  };

  static bool is_at(const Known& known, const Site& site) noexcept {
    return known.line == site.line && known.column == site.column && known.file == site.file &&
           known.function == site.function;
  }
  static std::size_t hash_of(const Site& site) noexcept {
    constexpr std::size_t kPrime = 1'000'003;
    const auto where =
        static_cast<std::size_t>(site.line) * kPrime + static_cast<std::size_t>(site.column);
    return std::hash<std::string_view>()(site.file) * kPrime + where;
  }

  std::unordered_multimap<std::size_t, Known> known_;
  const Known* last_ = nullptr;
};

TraceFile::TraceFile(Options options)
    : options_(std::move(options)),
      writer_(std::make_unique<Writer>(options_)),
      functions_(std::make_unique<Functions>()) {}

TraceFile::~TraceFile() {
  if (lens_ != nullptr) lens_->remove(*this);
  close();
}

void TraceFile::watch(Lens& lens) {
  lens_ = &lens;
  lens.add(*this);
}

void TraceFile::close() noexcept {
  put(RecordType::finish, kClosed, now(), 0);
  writer_->close();
}

inline void TraceFile::put(RecordType type, std::uint8_t kind, Time at, std::uint64_t id) noexcept {
  last_ = at;
  writer_->put(slot_of(type, kind, at, id));
}

void TraceFile::on_iteration(Time at, std::uint64_t number) noexcept {
  put(RecordType::iteration, 0, at, number);
}

void TraceFile::on_quiet_iteration(Time at, std::uint64_t number) noexcept {
  put(RecordType::quiet_iteration, 0, at, number);
}

void TraceFile::on_phase_enter(Time at, Phase phase) noexcept {
  put(RecordType::enter, static_cast<std::uint8_t>(phase), at, 0);
}

void TraceFile::on_phase_leave(Time at, Phase phase) noexcept {
  put(RecordType::leave, static_cast<std::uint8_t>(phase), at, 0);
}

void TraceFile::on_wait(Time at) noexcept {
  put(RecordType::wait, 0, at, 0);
}

void TraceFile::on_woken(Time at, std::size_t completions) noexcept {
  put(RecordType::woken, 0, at, completions);
}

void TraceFile::on_made_plain(Time at, SubjectId id, SubjectId cause, Kind kind,
                              std::chrono::milliseconds delay) noexcept {
  if (at != last_ || cause == 0 || cause != lens_->running()) {
    return put_made(at, {.id = id, .cause = cause, .kind = kind, .delay = delay}, {});
  }
  writer_->put(Slot::make(Slot::kMadeHere, static_cast<std::uint8_t>(kind), fit(delay), id));
}

void TraceFile::on_made(Time at, const Subject& subject) noexcept {
  if (subject.site.file.empty() && subject.step.empty()) {
    return put_made(at, subject, subject.label.empty() ? subject.type : subject.label);
  }
  std::string& text = text_;
  text = subject.label;
  if (text.empty()) text = describe(subject);
  append_step(text, subject.step);
  if (subject.site.file.empty()) return put_made(at, subject, text);
  text += '\n';
  append_site(text, subject.site);
  put_made(at, subject, text);
}

void TraceFile::put_made(Time at, const Subject& subject, std::string_view text) noexcept {
  last_ = at;
  writer_->put(Slot::make(Slot::kMadeInFull, static_cast<std::uint8_t>(subject.kind),
                          static_cast<std::uint64_t>(at.count()), subject.id),
               {.other = subject.cause, .number = fit(subject.delay)}, text);
}

void TraceFile::on_begin(Time at, SubjectId id, std::string_view event,
                         std::string_view label) noexcept {
  if (event.empty() && label.empty()) return put(RecordType::begin, 0, at, id);
  last_ = at;
  writer_->put(Slot::make(Slot::kBeginWithText, label.empty() ? kEvent : std::uint8_t{0},
                          static_cast<std::uint64_t>(at.count()), id),
               {}, label.empty() ? event : label);
}

void TraceFile::on_function(SubjectId /*id*/, const Site& function) noexcept {
  const auto [number, is_new] = functions_->number_of(function);
  if (number == 0) return;
  if (is_new) {
    text_.clear();
    append_site(text_, function);
    writer_->put(
        Slot::make(Slot::kText, kFunction, static_cast<std::uint64_t>(last_.count()), number), {},
        text_);
  }
  put(RecordType::runs, 0, last_, number);
}

void TraceFile::on_failed(SubjectId id, std::string_view error) noexcept {
  writer_->put(Slot::make(Slot::kText, kError, static_cast<std::uint64_t>(last_.count()), id), {},
               error);
}

void TraceFile::on_end(Time at, SubjectId id) noexcept {
  put(RecordType::end, 0, at, id);
}

void TraceFile::on_again(Time at, SubjectId id) noexcept {
  put(RecordType::again, 0, at, id);
}

void TraceFile::on_gone(Time at, SubjectId id) noexcept {
  put(RecordType::gone, 0, at, id);
}

void TraceFile::on_finish(Time at, End end) noexcept {
  put(RecordType::finish, static_cast<std::uint8_t>(end), at, 0);
  writer_->close();
}

}  // namespace rondo::lens
