#include "runtime/lens_places.h"

#include <v8-unwinder.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace rondo {

namespace {

// A frame is expensive, and mostly the program's is among the first.
constexpr int kFewFrames = 6;
constexpr int kMostFrames = 32;  // streams are deep
constexpr std::size_t kMostPlaces = 10'000;

/// Parts of lib/ that only make what the program, or another part, has asked for.
constexpr std::string_view kPlumbing[] = {
    "node:internal/lens",          "node:internal/async_hooks",
    "node:internal/promise_hooks", "node:internal/process/task_queues",
    "node:internal/timers",        "node:timers",
};

std::string to_text(v8::Isolate* isolate, v8::Local<v8::String> text) {
  if (text.IsEmpty()) return {};
  const v8::String::Utf8Value utf8(isolate, text);
  return {*utf8, static_cast<std::size_t>(utf8.length())};
}

class Look {
 public:
  explicit Look(v8::Isolate* isolate) : isolate_(isolate) {}

  /// Whether there is one among the first frames, but for those that have been looked at.
  bool among(int most, int seen) {
    const v8::Local<v8::StackTrace> stack =
        v8::StackTrace::CurrentStackTrace(isolate_, most, v8::StackTrace::kDetailed);
    for (int i = seen; i < stack->GetFrameCount(); ++i) {
      const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate_, static_cast<unsigned>(i));
      const v8::Local<v8::String> name = frame->GetScriptName();
      if (name.IsEmpty() || name->Length() == 0) {
        has_engine_ = true;
      } else if (is_of_lib(name)) {
        called_ = frame;
      } else {
        take(frame, name);
        return true;
      }
    }
    return false;
  }

  LensPlace result() && { return std::move(place_); }
  void set_inner() { place_.is_inner = true; }

 private:
  void take(v8::Local<v8::StackFrame> frame, v8::Local<v8::String> name) {
    constexpr std::string_view kFile = "file://";
    const std::string text = to_text(isolate_, name);
    place_.file = text.starts_with(kFile) ? text.substr(kFile.size()) : text;
    place_.function = to_text(isolate_, frame->GetFunctionName());
    place_.line = frame->GetLineNumber();
    place_.column = frame->GetColumn();
    place_.is_direct = !has_engine_ && !place_.is_inner;
    const std::string_view script(called_in_.data(), called_in_size_);
    if (script == "node:fs" || script.starts_with("node:internal/fs/")) {
      place_.called_for_files = to_text(isolate_, called_->GetFunctionName());
    }
  }

  bool is_of_lib(v8::Local<v8::String> name) {
    std::array<char, 48> start;
    const int count = name->WriteOneByte(isolate_, reinterpret_cast<std::uint8_t*>(start.data()), 0,
                                         static_cast<int>(start.size()));
    const std::string_view text(start.data(), static_cast<std::size_t>(count));
    if (!text.starts_with("node:")) return false;
    called_in_ = start;
    called_in_size_ = text.size();
    if (std::ranges::find(kPlumbing, text) == std::end(kPlumbing)) set_inner();
    return true;
  }

  v8::Isolate* isolate_;
  LensPlace place_;
  v8::Local<v8::StackFrame> called_;  // the last one of lib/
  std::array<char, 48> called_in_{};
  std::size_t called_in_size_ = 0;
  bool has_engine_ = false;  // a function of the engine's own was among them
};

/// Whether it was found among the first frames.
bool find(v8::Isolate* isolate, LensPlace& place) {
  const v8::HandleScope scope(isolate);
  Look look(isolate);
  const bool is_near = look.among(kFewFrames, 0);
  if (!is_near && !look.among(kMostFrames, kFewFrames)) look.set_inner();
  place = std::move(look).result();
  return is_near;
}

}  // namespace

LensPlace find_lens_place(v8::Isolate* isolate) {
  LensPlace place;
  find(isolate, place);
  return place;
}

std::size_t LensPlaces::Hash::operator()(const Calls& calls) const noexcept {
  std::size_t hash = 0;
  for (const void* address : calls.addresses) {
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(address)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32U;
  }
  return hash;
}

/// A full collection of garbage moves code, and gives the place of some to other code. The small
/// ones leave it where it is.
void LensPlaces::forget(v8::Isolate* /*isolate*/, v8::GCType /*type*/,
                        v8::GCCallbackFlags /*flags*/, void* self) {
  static_cast<LensPlaces*>(self)->places_.clear();
}

LensPlaces::LensPlaces(v8::Isolate* isolate) : isolate_(isolate) {
  isolate_->AddGCEpilogueCallback(forget, this, v8::kGCTypeMarkSweepCompact);
}

LensPlaces::~LensPlaces() {
  isolate_->RemoveGCEpilogueCallback(forget, this);
}

const LensPlace& LensPlaces::here() {
  // Only where to begin matters: V8 goes on from where JavaScript has called us.
  v8::RegisterState state;
  state.sp = state.fp = __builtin_frame_address(0);
  state.pc = __builtin_return_address(0);
  Calls calls;
  v8::SampleInfo info{};
  isolate_->GetStackSample(state, calls.addresses.data(), calls.addresses.size(), &info);
  std::fill(calls.addresses.begin() + static_cast<std::ptrdiff_t>(info.frames_count),
            calls.addresses.end(), nullptr);
  const auto found = places_.find(calls);
  if (found != places_.end()) return found->second;
  // Further away than the calls that have been compared it may be another one the next time.
  if (!find(isolate_, last_) || info.frames_count == 0) return last_;
  if (places_.size() == kMostPlaces) places_.clear();
  return places_[calls] = last_;
}

std::uint32_t LensPlaces::add_word(std::string text) {
  words_.push_back(std::move(text));
  return static_cast<std::uint32_t>(words_.size() - 1);
}

}  // namespace rondo
