// For lib/internal/lens/unfinished.js: what waits in the program, and where.
#include <deque>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/lens.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/observe/lens/waiting_locations.h"

namespace rondo {
namespace {

v8::Local<v8::String> to_string(v8::Isolate* isolate, std::string_view text) {
  return v8::String::NewFromUtf8(isolate, text.data(), v8::NewStringType::kNormal,
                                 static_cast<int>(text.size()))
      .ToLocalChecked();
}

/// waits(promise, parent): in the hook `init`, of a promise that waits for another
void waits(Environment& environment, v8::Local<v8::Promise> promise,
           v8::Local<v8::Promise> parent) {
  environment.waiting_locations().made(promise, parent);
}

/// begins(promise): in the hook `before`
void begins(Environment& environment, v8::Local<v8::Value> promise) {
  environment.waiting_locations().begins(promise.As<v8::Promise>());
}

/// location(number) -> [file, function, line, column, source, is an await, how many wait]
std::vector<v8::Local<v8::Value>> location(Environment& environment, std::uint32_t number) {
  v8::Isolate* isolate = environment.isolate();
  const WaitingLocations::Location& location = environment.waiting_locations().location(number);
  return {to_string(isolate, location.file),
          to_string(isolate, location.function),
          v8::Integer::New(isolate, location.line),
          v8::Integer::New(isolate, location.column),
          to_string(isolate, location.source),
          v8::Boolean::New(isolate, location.is_await),
          v8::Number::New(isolate, static_cast<double>(location.waiting))};
}

/// waiting() -> the numbers of the source locations where something waits
std::vector<v8::Local<v8::Value>> waiting(Environment& environment) {
  v8::Isolate* isolate = environment.isolate();
  const std::vector<WaitingLocations::Location>& locations =
      environment.waiting_locations().locations();
  std::vector<v8::Local<v8::Value>> numbers;
  for (std::size_t i = 1; i < locations.size(); ++i) {
    if (locations[i].waiting == 0) continue;
    numbers.push_back(v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(i)));
  }
  return numbers;
}

/// lineOf(path, line) -> that line of the file; empty if it cannot be read
std::string line_of(const std::string& path, std::int32_t line) {
  constexpr std::size_t kMostBytes = 120;
  std::ifstream file(path);
  std::string text;
  for (std::int32_t left = line; left > 0; --left) {
    if (!std::getline(file, text)) return {};
  }
  constexpr std::string_view kSpaces = " \t\r";
  text.erase(0, text.find_first_not_of(kSpaces));
  text.erase(text.find_last_not_of(kSpaces) + 1);
  if (text.size() > kMostBytes) {
    std::size_t end = kMostBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    text = text.substr(0, end) + "…";
  }
  return text;
}

/// report([kind, what, count, file, function, line, column, source, ...]): what is left at the end
void report(Environment& environment, v8::Local<v8::Array> parts) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Context> context = environment.context();
  std::deque<std::string> texts;
  const auto text_at = [&](std::uint32_t i) -> std::string_view {
    const v8::String::Utf8Value utf8(isolate, parts->Get(context, i).ToLocalChecked());
    return texts.emplace_back(*utf8, static_cast<std::size_t>(utf8.length()));
  };
  const auto number_at = [&](std::uint32_t i) {
    return parts->Get(context, i).ToLocalChecked().As<v8::Number>()->Value();
  };
  constexpr std::uint32_t kPerEntry = 8;
  std::vector<lens::Unfinished> list;
  for (std::uint32_t i = 0; i < parts->Length(); i += kPerEntry) {
    list.push_back({.kind = text_at(i),
                    .what = text_at(i + 1),
                    .count = static_cast<std::uint64_t>(number_at(i + 2)),
                    .site = {text_at(i + 3), text_at(i + 4), static_cast<int>(number_at(i + 5)),
                             static_cast<int>(number_at(i + 6))},
                    .source = text_at(i + 7)});
  }
  environment.lens()->unfinished(list);
}

const Method kMethods[] = {method<waits>("waits"),       fast_method<begins>("begins"),
                           method<location>("location"), method<waiting>("waiting"),
                           method<line_of>("lineOf"),    method<report>("report")};

}  // namespace

extern const Binding binding_unfinished;
const Binding binding_unfinished{"unfinished", kMethods};

}  // namespace rondo
