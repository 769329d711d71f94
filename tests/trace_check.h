// Reads a trace of the loop and checks it by the rules of the Trace Event Format, and by ours: see
// docs/trace.md.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::test {

/// A value of JSON.
struct Json {
  enum class Type { null, boolean, number, string, array, object };
  Type type = Type::null;
  double number = 0;
  std::string text = {};  // of a number too, as it was written
  std::vector<Json> items = {};
  std::map<std::string, Json> members = {};

  const Json* find(const std::string& name) const {
    const auto found = members.find(name);
    return found == members.end() ? nullptr : &found->second;
  }
  const Json& at(const std::string& name) const {
    const Json* found = find(name);
    if (found == nullptr) throw std::runtime_error("there is no \"" + name + "\"");
    return *found;
  }
};

/// Takes what RFC 8259 says and nothing else. Throws std::runtime_error.
class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Json parse() {
    Json value = read_value();
    skip_space();
    if (at_ != text_.size()) fail("something follows the end");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " at byte " + std::to_string(at_) + ": " +
                             std::string(text_.substr(at_, 60)));
  }
  char peek() const {
    if (at_ == text_.size()) fail("the end is missing");
    return text_[at_];
  }
  void expect(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) fail("not " + std::string(word));
    at_ += word.size();
  }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").contains(text_[at_])) ++at_;
  }

  Json read_value() {
    skip_space();
    switch (peek()) {
      case '{':
        return read_object();
      case '[':
        return read_array();
      case '"':
        return {.type = Json::Type::string, .text = read_string()};
      case 't':
        expect("true");
        return {.type = Json::Type::boolean, .number = 1};
      case 'f':
        expect("false");
        return {.type = Json::Type::boolean};
      case 'n':
        expect("null");
        return {};
      default:
        return read_number();
    }
  }
  Json read_object() {
    Json value{.type = Json::Type::object};
    expect("{");
    skip_space();
    if (peek() == '}') return expect("}"), value;
    for (;;) {
      skip_space();
      const std::string name = read_string();
      skip_space();
      expect(":");
      if (!value.members.emplace(name, read_value()).second) fail("\"" + name + "\" twice");
      skip_space();
      if (peek() == '}') return expect("}"), value;
      expect(",");
    }
  }
  Json read_array() {
    Json value{.type = Json::Type::array};
    expect("[");
    skip_space();
    if (peek() == ']') return expect("]"), value;
    for (;;) {
      value.items.push_back(read_value());
      skip_space();
      if (peek() == ']') return expect("]"), value;
      expect(",");
    }
  }
  Json read_number() {
    const std::size_t begin = at_;
    const auto digits = [&] {
      if (std::isdigit(static_cast<unsigned char>(peek())) == 0) fail("not a number");
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    };
    if (peek() == '-') ++at_;
    if (peek() == '0')
      ++at_;
    else
      digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      digits();
    }
    std::string text(text_.substr(begin, at_ - begin));
    const double number = std::strtod(text.c_str(), nullptr);
    return {.type = Json::Type::number, .number = number, .text = std::move(text)};
  }
  std::string read_string() {
    std::string value;
    expect("\"");
    for (;;) {
      const char c = peek();
      if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
      ++at_;
      if (c == '"') return value;
      if (c != '\\') {
        value += c;
        continue;
      }
      const char escaped = peek();
      ++at_;
      if (escaped == 'u') {
        const std::string digits(text_.substr(at_, 4));
        if (digits.size() < 4) fail("half an escape");
        value += static_cast<char>(std::stoi(digits, nullptr, 16));  // only of ASCII, here
        at_ += 4;
      } else if (escaped == '"' || escaped == '\\' || escaped == '/') {
        value += escaped;
      } else {
        fail("an unknown escape");
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A trace that is in order; the constructor throws std::runtime_error if it is not.
class Trace {
 public:
  struct Slice {
    std::int64_t begin = 0;  // nanoseconds
    std::int64_t end = 0;
    std::string name;
    std::string category;
    std::uint64_t id = 0;
    std::uint64_t cause = 0;
    std::size_t depth = 0;
    std::string parent = {};  // the name of the slice around it
  };
  static constexpr int kLoop = 1;
  static constexpr int kCallbacks = 2;

  explicit Trace(std::string_view text) {
    const Json all = JsonParser(text).parse();
    if (all.type != Json::Type::array || all.items.empty()) throw std::runtime_error("no events");
    for (const Json& event : all.items) read(event);
    last_ = all.items.back().at("name").text;
    if (all.items.back().at("cat").text != "end") throw std::runtime_error("no last event");
    for (const int track : {kLoop, kCallbacks}) nest(slices_[track]);
    check_flows();
    check_causes();
    if (!metadata_.contains("process_name rondo") || !metadata_.contains("thread_name loop") ||
        !metadata_.contains("thread_name callbacks")) {
      throw std::runtime_error("a name is missing");
    }
  }
  static Trace of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return Trace(std::string(std::istreambuf_iterator<char>(file), {}));
  }

  /// In the order of their begins.
  const std::vector<Slice>& loop() const { return slices_.at(kLoop); }
  const std::vector<Slice>& callbacks() const { return slices_.at(kCallbacks); }
  std::vector<std::string> names(int track) const {
    std::vector<std::string> names;
    for (const Slice& slice : slices_.at(track)) names.push_back(slice.name);
    return names;
  }
  const Slice* find(std::string_view name) const {
    for (const auto& [track, slices] : slices_) {
      for (const Slice& slice : slices) {
        if (slice.name == name) return &slice;
      }
    }
    return nullptr;
  }
  std::size_t count(std::string_view name) const {
    std::size_t count = 0;
    for (const auto& [track, slices] : slices_) {
      count += static_cast<std::size_t>(std::ranges::count(slices, name, &Slice::name));
    }
    return count;
  }
  /// Arrows that arrive, as the slices they lead to and from.
  std::vector<std::pair<Slice, Slice>> arrows() const {
    std::vector<std::pair<Slice, Slice>> arrows;
    for (const auto& [id, arrival] : arrivals_) {
      arrows.emplace_back(*around(departures_.at(id)), *around(arrival));
    }
    return arrows;
  }
  /// The values of a counter, in order.
  const std::vector<double>& counter(const std::string& name) { return counters_[name]; }
  const std::string& last() const { return last_; }

 private:
  static std::int64_t nanoseconds(const Json& time) {
    if (time.type != Json::Type::number || time.text.size() < 5 ||
        time.text[time.text.size() - 4] != '.') {
      throw std::runtime_error("not a time: " + time.text);
    }
    std::string digits = time.text;
    digits.erase(digits.size() - 4, 1);
    return std::stoll(digits);
  }

  void read(const Json& event) {
    if (event.type != Json::Type::object) throw std::runtime_error("not an event");
    const std::string& phase = event.at("ph").text;
    const std::string& pid = event.at("pid").text;
    if (pid_.empty()) pid_ = pid;
    if (pid != pid_) throw std::runtime_error("another process: " + pid);
    const int track = std::stoi(event.at("tid").text);
    const std::string& name = event.at("name").text;
    if (name.empty()) throw std::runtime_error("no name");
    if (phase == "M") {
      metadata_.insert(
          name + " " +
          event.at("args").at(name == "thread_sort_index" ? "sort_index" : "name").text);
      return;
    }
    const std::int64_t at = nanoseconds(event.at("ts"));
    if (phase == "X") return read_slice(event, track, at);
    if (!times_.insert(at).second) throw std::runtime_error("two events at one time");
    if (phase == "s" || phase == "f") {
      if (track != kCallbacks) throw std::runtime_error("an arrow beside the callbacks");
      if (phase == "f" && event.at("bp").text != "e") throw std::runtime_error("an arrow to what?");
      auto& ends = phase == "s" ? departures_ : arrivals_;
      if (!ends.emplace(event.at("id").text, at).second) {
        throw std::runtime_error("an arrow with two ends of one kind: " + event.at("id").text);
      }
    } else if (phase == "C") {
      for (const auto& [key, value] : event.at("args").members) {
        if (value.type != Json::Type::number || value.number < 0) {
          throw std::runtime_error("counter " + name + " is no number");
        }
        counters_[name].push_back(value.number);
      }
    } else if (phase != "i") {
      throw std::runtime_error("an event of an unknown kind: " + phase);
    }
  }

  void read_slice(const Json& event, int track, std::int64_t at) {
    if (track != kLoop && track != kCallbacks) throw std::runtime_error("an unknown track");
    if (!times_.insert(at).second) throw std::runtime_error("two events at one time");
    Slice slice{.begin = at,
                .end = at + nanoseconds(event.at("dur")),
                .name = event.at("name").text,
                .category = event.at("cat").text};
    if (track == kCallbacks) {
      const Json& args = event.at("args");
      slice.id = std::stoull(args.at("id").text);
      if (const Json* cause = args.find("cause")) slice.cause = std::stoull(cause->text);
    }
    slices_[track].push_back(std::move(slice));
  }

  /// Slices of a track are one inside of the other or apart.
  static void nest(std::vector<Slice>& slices) {
    std::ranges::sort(slices, {}, &Slice::begin);
    std::vector<const Slice*> open;
    for (Slice& slice : slices) {
      while (!open.empty() && open.back()->end <= slice.begin) open.pop_back();
      if (!open.empty() && open.back()->end < slice.end) {
        throw std::runtime_error(slice.name + " is half inside of " + open.back()->name);
      }
      slice.depth = open.size();
      if (!open.empty()) slice.parent = open.back()->name;
      open.push_back(&slice);
    }
  }

  /// The innermost callback around a time; null for none.
  const Slice* around(std::int64_t at) const {
    const Slice* found = nullptr;
    const auto slices = slices_.find(kCallbacks);
    if (slices == slices_.end()) return nullptr;
    auto slice = std::ranges::upper_bound(slices->second, at, {}, &Slice::begin);
    while (slice != slices->second.begin() && found == nullptr) {
      --slice;
      if (slice->end > at) found = &*slice;
      if (slice->depth == 0) break;
    }
    return found;
  }

  void check_flows() const {
    for (const auto& [id, at] : departures_) {
      if (around(at) == nullptr) throw std::runtime_error("an arrow from nowhere: " + id);
    }
    for (const auto& [id, at] : arrivals_) {
      const auto from = departures_.find(id);
      if (from == departures_.end() || from->second >= at) {
        throw std::runtime_error("an arrow without a begin: " + id);
      }
      if (around(at) == nullptr) throw std::runtime_error("an arrow to nowhere: " + id);
    }
  }

  /// Who made something ran before.
  void check_causes() {
    std::set<std::uint64_t> ran;
    for (const Slice& slice : slices_[kCallbacks]) {
      if (slice.cause != 0 && !ran.contains(slice.cause)) {
        throw std::runtime_error(slice.name + " was made by " + std::to_string(slice.cause) +
                                 ", which has not run");
      }
      ran.insert(slice.id);
    }
  }

  std::string pid_;
  std::set<std::string> metadata_;
  std::set<std::int64_t> times_;
  std::map<int, std::vector<Slice>> slices_;
  std::map<std::string, std::int64_t> departures_;
  std::map<std::string, std::int64_t> arrivals_;
  std::map<std::string, std::vector<double>> counters_;
  std::string last_;
};

}  // namespace rondo::test
