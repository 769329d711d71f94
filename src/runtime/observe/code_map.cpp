#include "runtime/observe/code_map.h"

#include <v8-version.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace rondo {

struct CodeMap::Recording {
  struct Entry {
    std::size_t offset;
    std::size_t position;  // in the text of the script
  };
  std::vector<Entry> entries;
};

namespace {

// V8 gives a handler no pointer of its own.
std::mutex all_mutex;
std::unordered_map<v8::Isolate*, CodeMap*>& all_maps() {
  static std::unordered_map<v8::Isolate*, CodeMap*> maps;
  return maps;
}

std::uintptr_t to_number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

std::string to_text(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value.IsEmpty() || !value->IsString()) return {};
  const v8::Local<v8::String> string = value.As<v8::String>();
  std::string text(string->Utf8LengthV2(isolate), '\0');
  string->WriteUtf8V2(isolate, text.data(), text.size());
  return text;
}

/// The name of code is "LazyCompile:~work /srv/server.js:3:14": what it is, how it was compiled,
/// the function, where it begins. Some versions of V8 leave out the column.
CodeMap::Frame parse_name(std::string_view name, std::string_view file) {
  CodeMap::Frame frame;
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos) name.remove_prefix(colon + 1);
  while (!name.empty() && std::string_view("~*^+-'").find(name.front()) != std::string_view::npos)
    name.remove_prefix(1);
  if (const std::size_t place = name.rfind(file); place != std::string_view::npos) {
    const std::string_view line = name.substr(place + file.size());
    if (line.starts_with(':')) {
      std::from_chars(line.data() + 1, line.data() + line.size(), frame.function_line);
    }
    name = name.substr(0, place);
  }
  frame.line = frame.function_line;
  while (name.ends_with(' ')) name.remove_suffix(1);
  frame.function = name;
  constexpr std::string_view kUrl = "file://";
  frame.file = file.starts_with(kUrl) ? file.substr(kUrl.size()) : file;
  frame.is_program = !frame.file.starts_with("node:");
  return frame;
}

}  // namespace

CodeMap::CodeMap(v8::Isolate* isolate) : isolate_(isolate) {
  // Otherwise V8 makes the table of lines when a stack is first asked for, which is too late.
  v8::V8::SetFlagsFromString("--no-enable-lazy-source-positions");
  {
    const std::lock_guard guard(all_mutex);
    all_maps().emplace(isolate, this);
  }
  isolate_->SetJitCodeEventHandler(v8::kJitCodeEventEnumExisting, on_event);
}

CodeMap::~CodeMap() {
  isolate_->SetJitCodeEventHandler(v8::kJitCodeEventDefault, nullptr);
  const std::lock_guard guard(all_mutex);
  all_maps().erase(isolate_);
}

void CodeMap::on_event(const v8::JitCodeEvent* event) {
  CodeMap* map = nullptr;
  {
    const std::lock_guard guard(all_mutex);
    const auto found = all_maps().find(event->isolate);
    if (found == all_maps().end()) return;
    map = found->second;
  }
  switch (event->type) {
    case v8::JitCodeEvent::CODE_ADDED:
      return map->add(*event);
    case v8::JitCodeEvent::CODE_MOVED:
      return map->move(to_number(event->code_start), to_number(event->new_code_start));
    case v8::JitCodeEvent::CODE_START_LINE_INFO_RECORDING:
      // V8 hands it back with what follows: that is how its interface is made.
      const_cast<v8::JitCodeEvent*>(event)->user_data = new Recording;
      return;
    case v8::JitCodeEvent::CODE_ADD_LINE_POS_INFO:
      static_cast<Recording*>(event->user_data)
          ->entries.push_back({event->line_info.offset, event->line_info.pos});
      return;
    case v8::JitCodeEvent::CODE_END_LINE_INFO_RECORDING: {
      const std::lock_guard guard(map->mutex_);
      map->recorded_[to_number(event->code_start)].reset(static_cast<Recording*>(event->user_data));
      return;
    }
    case v8::JitCodeEvent::CODE_REMOVED:
      return;
  }
}

void CodeMap::add(const v8::JitCodeEvent& event) {
  const std::uintptr_t start = to_number(event.code_start);
  std::unique_ptr<Recording> recording;
  {
    const std::lock_guard guard(mutex_);
    if (const auto found = recorded_.find(start); found != recorded_.end()) {
      recording = std::move(found->second);
      recorded_.erase(found);
    }
  }
  if (event.script.IsEmpty()) return;  // code of V8's own
  const v8::HandleScope handles(isolate_);
  const v8::Local<v8::UnboundScript> script = event.script;
  const std::string file = to_text(isolate_, script->GetScriptName());
  if (file.empty()) return;
  auto function = std::make_shared<const Frame>(parse_name({event.name.str, event.name.len}, file));
  Code code{event.code_len, function, {}};
  if (recording != nullptr && function->is_program) {
    for (const Recording::Entry& entry : recording->entries) {
      const int line = script->GetLineNumber(static_cast<int>(entry.position)) + 1;
      if (line <= 0) continue;
      if (!code.positions.empty() && code.positions.back().line == line) continue;
      code.positions.push_back({entry.offset, line});
    }
    std::ranges::stable_sort(code.positions, {}, &Position::offset);
  }
  const std::lock_guard guard(mutex_);
  insert(start, std::move(code));
}

void CodeMap::move(std::uintptr_t from, std::uintptr_t to) {
  const std::lock_guard guard(mutex_);
  const auto found = codes_.find(from);
  if (found == codes_.end()) return;
  Code code = std::move(found->second);
  codes_.erase(found);
  insert(to, std::move(code));
}

/// Code that was here before is gone: V8 does not say so.
void CodeMap::insert(std::uintptr_t start, Code code) {
  auto first = codes_.upper_bound(start);
  if (first != codes_.begin() && std::prev(first)->first + std::prev(first)->second.size > start) {
    --first;
  }
  const auto last = codes_.lower_bound(start + std::max<std::size_t>(code.size, 1));
  codes_.erase(first, last);
  codes_.emplace(start, std::move(code));
}

std::vector<CodeMap::Frame> CodeMap::resolve(const std::vector<void*>& addresses) const {
  const std::lock_guard guard(mutex_);
  std::vector<Frame> frames;
  for (const void* address : addresses) {
    const std::uintptr_t at = to_number(address);
    auto found = codes_.upper_bound(at);
    if (found == codes_.begin()) continue;
    --found;
    const auto& [start, code] = *found;
    if (at - start > code.size)
      continue;  // a call may be its last instruction, and returns after it
    Frame frame = *code.function;
    const auto behind = std::ranges::upper_bound(code.positions, at - start, {}, &Position::offset);
    if (behind != code.positions.begin()) frame.line = std::prev(behind)->line;
    frames.push_back(std::move(frame));
  }
  return frames;
}

}  // namespace rondo
