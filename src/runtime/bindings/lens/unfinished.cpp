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

WaitingLocations& places_of(const Arguments& args) {
  return Environment::of(args.GetIsolate()).waiting_locations();
}

v8::Local<v8::String> to_string(v8::Isolate* isolate, std::string_view text) {
  return v8::String::NewFromUtf8(isolate, text.data(), v8::NewStringType::kNormal,
                                 static_cast<int>(text.size()))
      .ToLocalChecked();
}

/// waits(promise, parent): in the hook `init`, of a promise that waits for another
void waits(const Arguments& args) {
  places_of(args).made(args[0].As<v8::Promise>(), args[1].As<v8::Promise>());
}

/// begins(promise): in the hook `before`
void begins(Environment& environment, v8::Local<v8::Value> promise) {
  environment.waiting_locations().begins(promise.As<v8::Promise>());
}

/// place(number) -> [file, function, line, column, source, is an await, how many wait]
void place(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const WaitingLocations::Place& place = places_of(args).place(args[0].As<v8::Uint32>()->Value());
  std::vector<v8::Local<v8::Value>> parts{
      to_string(isolate, place.file),
      to_string(isolate, place.function),
      v8::Integer::New(isolate, place.line),
      v8::Integer::New(isolate, place.column),
      to_string(isolate, place.source),
      v8::Boolean::New(isolate, place.is_await),
      v8::Number::New(isolate, static_cast<double>(place.waiting))};
  args.GetReturnValue().Set(v8::Array::New(isolate, parts.data(), parts.size()));
}

/// waiting() -> the numbers of the source locations where something waits
void waiting(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const std::vector<WaitingLocations::Place>& places = places_of(args).places();
  std::vector<v8::Local<v8::Value>> numbers;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].waiting == 0) continue;
    numbers.push_back(v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(i)));
  }
  args.GetReturnValue().Set(v8::Array::New(isolate, numbers.data(), numbers.size()));
}

/// lineOf(path, line) -> that line of the file; empty if it cannot be read
void line_of(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  constexpr std::size_t kMostBytes = 120;
  const v8::String::Utf8Value path(isolate, args[0]);
  std::ifstream file(*path);
  std::string text;
  for (int left = args[1].As<v8::Int32>()->Value(); left > 0; --left) {
    if (!std::getline(file, text)) return args.GetReturnValue().SetEmptyString();
  }
  constexpr std::string_view kSpaces = " \t\r";
  text.erase(0, text.find_first_not_of(kSpaces));
  text.erase(text.find_last_not_of(kSpaces) + 1);
  if (text.size() > kMostBytes) {
    std::size_t end = kMostBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    text = text.substr(0, end) + "…";
  }
  args.GetReturnValue().Set(to_string(isolate, text));
}

/// tell([kind, what, count, file, function, line, column, source, ...]): what is left at the end
void tell(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Context> context = environment.context();
  const v8::Local<v8::Array> parts = args[0].As<v8::Array>();
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

const Method kMethods[] = {{"waits", waits},     fast_method<begins>("begins"), {"place", place},
                           {"waiting", waiting}, {"lineOf", line_of},           {"tell", tell}};

}  // namespace

extern const Binding binding_unfinished;
const Binding binding_unfinished{"unfinished", kMethods};

}  // namespace rondo
