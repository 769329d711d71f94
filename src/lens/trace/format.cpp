#include "lens/trace/format.h"

#include <algorithm>
#include <charconv>

namespace rondo::lens {

namespace {

constexpr std::size_t kFlushBytes = std::size_t{256} << 10;
/// More than any event takes: a text of one can become six times as long.
constexpr std::size_t kMostEventBytes = 24 << 10;
// An event, a label and a function, and the rest.
static_assert(kMostEventBytes >= 3 * 6 * kMostText + 1024);
/// Kept for the end of a file that is full: what is open, the figures, the last words.
constexpr std::uint64_t kReserveBytes = 16 << 10;
/// A figure is written no more often than that.
constexpr std::int64_t kCounterGapNs = 20'000;

constexpr std::array<std::string_view, 6> kCounterNames = {
    "timers waiting",     "immediates waiting",   "ticks waiting",
    "microtasks waiting", "requests in progress", "handles open"};

/// How many bytes of `text` are one character of UTF-8; 0 if they are none.
std::size_t character_size(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool is_wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return is_wrong ? 0 : size;
}

std::string_view name_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::timeout:
      return "setTimeout";
    case Kind::interval:
      return "setInterval";
    default:
      return to_string(kind);
  }
}

/// Runs once and is over then. So is a timeout that was not set again.
bool runs_once(Kind kind) noexcept {
  return kind == Kind::tick || kind == Kind::immediate || kind == Kind::microtask ||
         kind == Kind::promise || kind == Kind::deferred || kind == Kind::posted ||
         kind == Kind::main || kind == Kind::before_exit;
}

}  // namespace

TraceFormat::TraceFormat(TraceSink& sink, const Options& options)
    : sink_(sink),
      options_(options),
      head_(",\n{\"pid\":" + std::to_string(options.pid) + ",\"tid\":"),
      text_(kFlushBytes + kMostEventBytes),
      end_of_text_(text_.data()) {
  write_metadata();
}

void TraceFormat::take(const Record& record, std::string_view text) {
  if (full_ || finished_) return;
  if (zero_ < 0) zero_ = record.at;
  now_ = std::max(now_ + 1, record.at - zero_);
  switch (record.type) {
    case RecordType::iteration:
      close_loop_slices(0);
      loop_.push_back({.began = now_, .number = record.id, .what = kIteration});
      break;
    case RecordType::quiet_iteration:
      close_loop_slices(0);
      loop_.push_back({.began = now_, .number = record.id, .what = kIteration});
      loop_.push_back({.began = ++now_, .what = kPhase + static_cast<std::uint8_t>(Phase::check)});
      break;
    case RecordType::enter:
      loop_.push_back({.began = now_, .what = static_cast<std::uint8_t>(kPhase + record.kind)});
      break;
    case RecordType::wait:
      loop_.push_back({.began = now_, .what = kWait});
      break;
    case RecordType::woken:
      if (!loop_.empty() && loop_.back().what == kWait) loop_.back().number = record.id;
      [[fallthrough]];
    case RecordType::leave:
      if (!loop_.empty()) close_loop_slices(loop_.size() - 1);
      break;
    case RecordType::made:
      made(record, text);
      break;
    case RecordType::begin:
      begin(record, text);
      break;
    case RecordType::failed:
      failed(record.id, text);
      break;
    case RecordType::function:
      functions_.emplace_back(text);
      break;
    case RecordType::runs:
      if (!callbacks_.empty() && record.id < functions_.size()) {
        callbacks_.back().function = static_cast<std::uint32_t>(record.id);
      }
      break;
    case RecordType::end:
      end(record.id);
      break;
    case RecordType::gone:
      gone(record.id);
      break;
    case RecordType::again:
      if (TracedSubject* subject = subjects_.find(record.id)) subject->again = true;
      break;
    case RecordType::finish:
      end_ = record.kind;
      finished_ = true;
      break;
  }
  if (now_ >= counters_due_) write_counters(kCounterGapNs);
  full_ = written_ + text_size() + kReserveBytes > options_.limit_bytes;
}

void TraceFormat::flush() {
  written_ += text_size();
  sink_.write({text_.data(), text_size()});
  end_of_text_ = text_.data();
}

void TraceFormat::finish(std::int64_t at) {
  ++now_;
  if (!full_ && !finished_ && zero_ >= 0) now_ = std::max(now_, at - zero_);
  close_all();
  write_counters(0);
  if (full_) {
    write_last("the trace is full", "it has reached its size limit; the program went on");
  } else if (!finished_) {
    write_last("killed", "the process ended without a word: a signal, or _exit()");
  } else if (end_ == kClosed) {
    write_last("end", "the trace was closed");
  } else {
    write_last("end", to_string(static_cast<End>(end_)));
  }
  put("\n]\n");
  flush();
}

// ---- Subjects -----------------------------------------------------------------------------------

void TraceFormat::made(const Record& record, std::string_view text) {
  TracedSubject subject{.id = record.id,
                        .cause = record.other,
                        .made_at = now_,
                        .delay = record.number,
                        .kind = static_cast<Kind>(record.kind),
                        .has_label = !text.empty(),
                        .waits = true};
  if (!text.empty()) {
    const std::size_t line = std::min(text.find('\n'), text.size());
    words_[subject.id] = {.label = std::string(text.substr(0, line)),
                          .place = std::string(text.substr(std::min(line + 1, text.size())))};
  }
  count(subject.kind, +1);
  // An arrow begins at a slice; what was made while nothing ran has none. Most promises never
  // have a reaction: their arrows are written when one runs.
  if (!callbacks_.empty()) {
    subject.flow = ++last_flow_;
    subject.departs_late = subject.kind == Kind::promise;
    if (!subject.departs_late) write_flow('s', subject.flow, now_);
  }
  subjects_.add(subject);
}

void TraceFormat::begin(const Record& record, std::string_view text) {
  Slice slice{.began = now_, .id = record.id};
  TracedSubject* subject = subjects_.find(record.id);
  if (subject != nullptr) {
    slice.cause = cause_with_slice(subject->cause);
    subject->has_run = true;
    slice.delay = subject->delay;
    slice.kind = subject->kind;
    if (subject->has_label) slice.words = std::make_unique<Words>(words_[subject->id]);
  }
  if (!text.empty()) {
    Words words = slice.words ? *slice.words : Words{};
    if (record.kind == kEvent) {
      const std::string_view of = words.label.empty() ? name_of(slice.kind) : words.label;
      words.label = '\'' + std::string(text) + "' of " + std::string(of);
    } else {
      words.label = text;
    }
    slice.words = std::make_unique<Words>(std::move(words));
  }
  callbacks_.push_back(std::move(slice));
  if (subject == nullptr) return;
  subject->again = false;
  if (subject->waits && runs_once(subject->kind)) {
    subject->waits = false;
    count(subject->kind, -1);
  }
  if (subject->flow == 0) return;
  if (subject->departs_late) write_flow('s', subject->flow, subject->made_at);
  write_flow('f', subject->flow, ++now_);
  subject->flow = 0;
}

void TraceFormat::failed(SubjectId id, std::string_view error) {
  if (callbacks_.empty() || callbacks_.back().id != id) return;
  Slice& slice = callbacks_.back();
  Words words = slice.words ? *slice.words : Words{};
  if (words.label.empty()) words.label = name_of(slice.kind);
  words.label.append(": ").append(error);
  words.error = error;
  slice.words = std::make_unique<Words>(std::move(words));
}

/// A promise that is rejected runs nothing itself: what made it has led on.
SubjectId TraceFormat::cause_with_slice(SubjectId cause) {
  constexpr int kMost = 16;
  for (int i = 0; i < kMost; ++i) {
    const TracedSubject* subject = subjects_.find(cause);
    if (subject == nullptr || subject->has_run) return cause;
    cause = subject->cause;
  }
  return 0;
}

void TraceFormat::end(SubjectId id) {
  const auto has_begun = [&](const Slice& slice) { return slice.id == id; };
  if (std::ranges::none_of(callbacks_, has_begun)) return;
  while (!callbacks_.empty()) {
    const Slice slice = std::move(callbacks_.back());
    callbacks_.pop_back();
    TracedSubject* subject = subjects_.find(slice.id);
    // A promise that was resolved with another one runs once more.
    const bool may_run_again =
        subject != nullptr &&
        (slice.kind == Kind::promise ||
         (slice.kind == Kind::timeout ? subject->again : !runs_once(slice.kind)));
    if (may_run_again) {
      // If it does, the arrow to it comes from here.
      if (slice.kind == Kind::promise) subject->cause = slice.id;
      subject->flow = ++last_flow_;
      subject->departs_late = true;
      subject->made_at = now_++;
    } else {
      gone(slice.id);
    }
    write_callback(slice, now_);
    if (slice.id == id) return;
  }
}

void TraceFormat::gone(SubjectId id) {
  const TracedSubject* subject = subjects_.find(id);
  if (subject == nullptr) return;
  if (subject->waits) count(subject->kind, -1);
  if (subject->has_label) words_.erase(id);
  subjects_.remove(id);
}

// ---- Slices -------------------------------------------------------------------------------------

void TraceFormat::close_loop_slices(std::size_t depth) {
  while (loop_.size() > depth) {
    write_loop_slice(loop_.back(), now_);
    loop_.pop_back();
  }
}

void TraceFormat::close_all() {
  close_loop_slices(0);
  while (!callbacks_.empty()) {
    write_callback(callbacks_.back(), now_);
    callbacks_.pop_back();
  }
}

void TraceFormat::write_loop_slice(const Slice& slice, std::int64_t ended) {
  open_event('X', kLoop, slice.began);
  put(",\"dur\":");
  put_time(ended - slice.began);
  if (slice.what == kIteration) {
    put(",\"cat\":\"iteration\",\"name\":\"iteration ");
    put_number(slice.number);
    put("\"");
  } else if (slice.what == kWait) {
    put(",\"cat\":\"wait\",\"name\":\"wait\",\"args\":{\"completions\":");
    put_number(slice.number);
    put("}");
  } else {
    put(",\"cat\":\"phase\",\"name\":\"");
    put(rondo::to_string(static_cast<Phase>(slice.what - kPhase)));
    put("\"");
  }
  close_event();
}

void TraceFormat::write_callback(const Slice& slice, std::int64_t ended) {
  open_event('X', kCallbacks, slice.began);
  put(",\"dur\":");
  put_time(ended - slice.began);
  put(",\"cat\":\"");
  put(to_string(slice.kind));
  put("\",\"name\":");
  write_name(slice);
  put(",\"args\":{\"id\":");
  put_number(slice.id);
  if (slice.cause != 0) {
    put(",\"cause\":");
    put_number(slice.cause);
  }
  if (slice.words && !slice.words->place.empty()) {
    put(",\"place\":");
    put_string(slice.words->place);
  }
  if (slice.function != 0) {
    put(",\"callback\":");
    put_string(functions_[slice.function]);
  }
  if (slice.words && !slice.words->error.empty()) {
    put(",\"error\":");
    put_string(slice.words->error);
  }
  put("}");
  close_event();
}

void TraceFormat::write_name(const Slice& slice) {
  if (slice.words && !slice.words->label.empty()) return put_string(slice.words->label);
  put("\"");
  put(name_of(slice.kind));
  if (slice.kind == Kind::timeout || slice.kind == Kind::interval) {
    put(" ");
    put_number(slice.delay);
    put(" ms");
  }
  put("\"");
}

/// Arrows are of one kind, so that only their ids distinguish them.
void TraceFormat::write_flow(char phase, std::uint64_t flow, std::int64_t at) {
  open_event(phase, kCallbacks, at);
  put(phase == 'f' ? ",\"bp\":\"e\",\"cat\":\"cause\",\"name\":\"cause\",\"id\":"
                   : ",\"cat\":\"cause\",\"name\":\"cause\",\"id\":");
  put_number(flow);
  close_event();
}

void TraceFormat::write_last(std::string_view name, std::string_view words) {
  open_event('i', kLoop, ++now_);
  put(",\"s\":\"p\",\"cat\":\"end\",\"name\":");
  put_string(name);
  put(",\"args\":{\"why\":");
  put_string(words);
  put("}");
  close_event();
}

void TraceFormat::write_metadata() {
  // The first event has no comma before it.
  put("[\n");
  put(std::string_view(head_).substr(2));
  put("0,\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":\"rondo\"}}");
  const auto name_track = [&](Track track, std::string_view name) {
    for (const bool is_name : {true, false}) {
      put(head_);
      put_number(track);
      put(is_name ? R"(,"ph":"M","name":"thread_name","args":{"name":)"
                  : R"(,"ph":"M","name":"thread_sort_index","args":{"sort_index":)");
      is_name ? put_string(name) : put_number(track);
      put("}}");
    }
  };
  name_track(kLoop, "loop");
  name_track(kCallbacks, "callbacks");
}

// ---- Figures ------------------------------------------------------------------------------------

void TraceFormat::count(Kind kind, int change) noexcept {
  const auto add = [&](Counter counter) {
    CounterState& state = counters_[counter];
    state.value += change;
    const bool is_new = state.written < 0;
    counters_due_ = std::min(counters_due_, is_new ? 0 : state.written_at + kCounterGapNs);
  };
  switch (kind) {
    case Kind::timeout:
    case Kind::interval:
      return add(kTimers);
    case Kind::immediate:
      return add(kImmediates);
    case Kind::tick:
      return add(kTicks);
    case Kind::microtask:
      return add(kMicrotasks);
    case Kind::request:
      return add(kRequests);
    case Kind::handle:
      return add(kHandles);
    default:
      return;
  }
}

void TraceFormat::write_counters(std::int64_t gap) {
  counters_due_ = INT64_MAX;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    CounterState& counter = counters_[i];
    if (counter.value == std::max<std::int64_t>(counter.written, 0)) continue;
    if (counter.written >= 0 && now_ - counter.written_at < gap) {
      counters_due_ = std::min(counters_due_, counter.written_at + gap);
      continue;
    }
    counter.written = std::max<std::int64_t>(counter.value, 0);
    counter.written_at = now_;
    open_event('C', 0, ++now_);
    put(",\"name\":\"");
    put(kCounterNames[i]);
    put("\",\"args\":{\"n\":");
    put_number(static_cast<std::uint64_t>(counter.written));
    put("}");
    close_event();
  }
}

// ---- JSON ---------------------------------------------------------------------------------------

void TraceFormat::open_event(char phase, std::uint8_t track, std::int64_t at) {
  if (text_size() >= kFlushBytes) flush();
  put(head_);
  const char rest[] = {static_cast<char>('0' + track), ',', '"', 'p', 'h', '"', ':', '"', phase};
  put({rest, sizeof(rest)});
  put("\",\"ts\":");
  put_time(at);
}

void TraceFormat::put_number(std::uint64_t number) noexcept {
  constexpr std::ptrdiff_t kMostDigits = 20;
  end_of_text_ = std::to_chars(end_of_text_, end_of_text_ + kMostDigits, number).ptr;
}

/// In microseconds, as the format wants it, and exact.
void TraceFormat::put_time(std::int64_t nanoseconds) noexcept {
  const auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(nanoseconds, 0));
  put_number(time / 1000);
  const std::uint64_t rest = time % 1000;
  const char digits[] = {'.', static_cast<char>('0' + rest / 100),
                         static_cast<char>('0' + rest / 10 % 10),
                         static_cast<char>('0' + rest % 10)};
  put({digits, sizeof(digits)});
}

/// Names of files may be any bytes: invalid UTF-8 is replaced.
void TraceFormat::put_string(std::string_view text) {
  put("\"");
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const char c = text.front();
    if (size == 0) {
      put("\xEF\xBF\xBD");
    } else if (c == '"' || c == '\\') {
      put("\\");
      put({&c, 1});
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      put("\\u00");
      put(c < 0x10 ? "0" : "1");
      put(kHex.substr(static_cast<std::size_t>(c) & 15, 1));
    } else {
      put(text.substr(0, size));
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  put("\"");
}

}  // namespace rondo::lens
