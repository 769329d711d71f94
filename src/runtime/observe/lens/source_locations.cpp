#include "runtime/observe/lens/source_locations.h"

#include <v8-unwinder.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace rondo {

namespace {

// A frame is expensive, and mostly the program's is among the first.
constexpr int kFewFrames = 6;
constexpr int kMostFrames = 32;  // streams are deep
constexpr std::size_t kMostLocations = 10'000;
/// Functions of the engine's own are calls as well, but no frames of JavaScript's: then() in all().
constexpr std::size_t kHidden = 3;

/// Parts of lib/ that only make what the program, or another part, has asked for.
constexpr std::string_view kPlumbing[] = {
    "node:internal/lens/report",
    "node:internal/async_hooks",
    "node:internal/async/promise_hooks",
    "node:internal/process/task_queues",
    "node:internal/timers",
    "node:timers",
    "node:internal/lens/unfinished",
};

/// What stands between the program and what it means to call.
constexpr std::string_view kPromisify = "node:internal/util/promisify";

std::string to_text(v8::Isolate* isolate, v8::Local<v8::String> text) {
  if (text.IsEmpty()) return {};
  const v8::String::Utf8Value utf8(isolate, text);
  return {*utf8, static_cast<std::size_t>(utf8.length())};
}

class Look {
 public:
  explicit Look(v8::Isolate* isolate) : isolate_(isolate) {}

  /// Whether there is one among the first frames, except those that were checked before.
  bool among(int most, int seen) {
    const v8::Local<v8::StackTrace> stack =
        v8::StackTrace::CurrentStackTrace(isolate_, most, v8::StackTrace::kDetailed);
    for (int i = seen; i < stack->GetFrameCount(); ++i) {
      const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate_, static_cast<unsigned>(i));
      ++calls_;
      if (frame->IsConstructor()) ++calls_;  // the engine has one of its own for that
      const v8::Local<v8::String> name = frame->GetScriptName();
      if (name.IsEmpty() || name->Length() == 0) continue;
      if (!is_of_lib(frame, name)) {
        take(frame, name);
        return true;
      }
    }
    return false;
  }

  SourceLocation result() && { return std::move(location_); }
  v8::Local<v8::StackFrame> frame() const noexcept { return frame_; }
  void set_inner() { location_.is_inner = true; }
  /// How many calls lead from here to there, at most: some may have become part of their callers.
  std::size_t calls() const noexcept { return calls_; }

 private:
  void take(v8::Local<v8::StackFrame> frame, v8::Local<v8::String> name) {
    frame_ = frame;
    constexpr std::string_view kFile = "file://";
    const std::string text = to_text(isolate_, name);
    location_.is_url = text.starts_with(kFile);
    location_.file = location_.is_url ? text.substr(kFile.size()) : text;
    location_.function = to_text(isolate_, frame->GetFunctionName());
    location_.line = frame->GetLineNumber();
    location_.column = frame->GetColumn();
    const std::string_view script(called_in_.data(), called_in_size_);
    if (script == "node:fs" || script.starts_with("node:internal/fs/")) {
      location_.called_for_files = to_text(isolate_, called_->GetFunctionName());
    }
  }

  bool is_of_lib(v8::Local<v8::StackFrame> frame, v8::Local<v8::String> name) {
    std::array<char, 48> start;
    const auto count = static_cast<std::uint32_t>(
        std::min<std::size_t>(start.size(), static_cast<std::size_t>(name->Length())));
    name->WriteOneByteV2(isolate_, 0, count, reinterpret_cast<std::uint8_t*>(start.data()));
    const std::string_view text(start.data(), count);
    if (!text.starts_with("node:")) return false;
    if (text != kPromisify) {
      called_ = frame;
      called_in_ = start;
      called_in_size_ = text.size();
    }
    if (std::ranges::find(kPlumbing, text) == std::end(kPlumbing)) set_inner();
    return true;
  }

  v8::Isolate* isolate_;
  SourceLocation location_;
  v8::Local<v8::StackFrame> frame_;   // that it is of
  v8::Local<v8::StackFrame> called_;  // the last one of lib/
  std::array<char, 48> called_in_{};
  std::size_t called_in_size_ = 0;
  std::size_t calls_ = 0;
};

/// How many calls are between here and there.
std::size_t find(v8::Isolate* isolate, SourceLocation& location) {
  const v8::HandleScope scope(isolate);
  Look look(isolate);
  if (!look.among(kFewFrames, 0) && !look.among(kMostFrames, kFewFrames)) look.set_inner();
  const std::size_t calls = look.calls();
  location = std::move(look).result();
  return calls;
}

}  // namespace

SourceLocation find_lens_location(v8::Isolate* isolate) {
  SourceLocation location;
  find(isolate, location);
  return location;
}

std::string find_source_line(v8::Isolate* isolate, int most) {
  const v8::HandleScope scope(isolate);
  Look look(isolate);
  if (!look.among(kFewFrames, 0) && !look.among(kMostFrames, kFewFrames)) return {};
  const v8::Local<v8::String> source = look.frame()->GetScriptSource();
  if (source.IsEmpty()) return {};
  const v8::String::Value text(isolate, source);
  const std::u16string_view all(reinterpret_cast<const char16_t*>(*text),
                                static_cast<std::size_t>(text.length()));
  std::size_t begin = 0;
  for (int line = 1; line < look.frame()->GetLineNumber(); ++line) {
    begin = all.find(u'\n', begin);
    if (begin == std::u16string_view::npos) return {};
    ++begin;
  }
  std::u16string_view line = all.substr(begin, all.find(u'\n', begin) - begin);
  constexpr std::u16string_view kSpaces = u" \t\r";
  const std::size_t first = line.find_first_not_of(kSpaces);
  if (first == std::u16string_view::npos) return {};
  line = line.substr(first, line.find_last_not_of(kSpaces) + 1 - first);
  const bool is_cut = line.size() > static_cast<std::size_t>(most);
  if (is_cut) line = line.substr(0, static_cast<std::size_t>(most));
  const v8::Local<v8::String> kept =
      v8::String::NewFromTwoByte(isolate, reinterpret_cast<const std::uint16_t*>(line.data()),
                                 v8::NewStringType::kNormal, static_cast<int>(line.size()))
          .ToLocalChecked();
  return to_text(isolate, kept) + (is_cut ? "…" : "");
}

std::size_t SourceLocations::Hash::operator()(const Calls& calls) const noexcept {
  std::size_t hash = 0;
  for (const void* address : calls.addresses) {
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(address)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32U;
  }
  return hash;
}

/// A full collection of garbage moves code, and gives its addresses to other code. The small
/// ones leave it where it is.
void SourceLocations::forget(v8::Isolate* /*isolate*/, v8::GCType /*type*/,
                             v8::GCCallbackFlags /*flags*/, void* self) {
  static_cast<SourceLocations*>(self)->locations_.clear();
}

SourceLocations::SourceLocations(v8::Isolate* isolate) : isolate_(isolate) {
  isolate_->AddGCEpilogueCallback(forget, this, v8::kGCTypeMarkSweepCompact);
}

SourceLocations::~SourceLocations() {
  isolate_->RemoveGCEpilogueCallback(forget, this);
}

std::size_t SourceLocations::sample(Calls& calls) const {
  // Only the start matters: V8 continues from where JavaScript has called us.
  v8::RegisterState state;
  state.sp = state.fp = __builtin_frame_address(0);
  state.pc = __builtin_return_address(0);
  v8::SampleInfo info{};
  isolate_->GetStackSample(state, calls.addresses.data(), calls.addresses.size(), &info);
  std::fill(calls.addresses.begin() + static_cast<std::ptrdiff_t>(info.frames_count),
            calls.addresses.end(), nullptr);
  return info.frames_count;
}

const SourceLocation& SourceLocations::here() {
  Calls calls;
  const std::size_t count = sample(calls);
  const auto found = locations_.find(calls);
  if (found != locations_.end()) return found->second;
  const std::size_t distance = find(isolate_, last_);
  // Behind the hook of promises, and maybe what calls more than one of them.
  constexpr std::ptrdiff_t kHooks = 3;
  const auto begin = calls.addresses.begin();
  last_.is_then = then_ != nullptr && std::find(begin, begin + kHooks, then_) != begin + kHooks;
  // Beyond the calls that are compared it may be another location the next time.
  const bool is_whole = count < kMostCalls;
  if ((distance + kHidden > kMostCalls && !is_whole) || count == 0) return last_;
  if (locations_.size() == kMostLocations) locations_.clear();
  return locations_[calls] = last_;
}

void SourceLocations::learn_then() {
  Calls calls;
  if (sample(calls) > 1) then_ = calls.addresses[1];
}

std::uint32_t SourceLocations::add_word(std::string text) {
  words_.push_back(std::move(text));
  return static_cast<std::uint32_t>(words_.size() - 1);
}

std::uint32_t SourceLocations::add_function(const lens::Site& site) {
  constexpr std::size_t kMost = 100'000;  // vm.Script makes as many as a program likes
  std::string key(site.file);
  key.append(":" + std::to_string(site.line)).append(":" + std::to_string(site.column));
  key.append(" ").append(site.function);
  if (const auto found = function_numbers_.find(key); found != function_numbers_.end()) {
    return found->second;
  }
  if (functions_.size() == kMost) return 0;
  SourceLocation& location = functions_.emplace_back();
  location.file = site.file;
  location.function = site.function;
  location.line = site.line;
  location.column = site.column;
  const auto number = static_cast<std::uint32_t>(functions_.size());
  function_numbers_.emplace(std::move(key), number);
  return number;
}

bool SourceLocations::may_look(lens::Time now) noexcept {
  constexpr lens::Time kForOne = std::chrono::microseconds(50);
  const std::int64_t more = (now - looked_) / kForOne;
  if (more > 0) {
    looks_left_ = std::min(kMostLooks, looks_left_ + std::min(more, kMostLooks));
    looked_ = now;
  }
  if (looks_left_ == 0) return false;
  --looks_left_;
  return true;
}

std::uint32_t SourceLocations::add_request_words(RequestWords words) {
  request_words_.push_back(std::move(words));
  return static_cast<std::uint32_t>(request_words_.size() - 1);
}

}  // namespace rondo
