// Source locations at which things are created, for the lens; and texts that lib/ registers once.
#pragma once

#include <v8.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "rondo/lens.h"

namespace rondo {

/// The current source location: the innermost frame that is not of lib/.
struct SourceLocation {
  std::string file;     // empty: there is none
  bool is_url = false;  // the script's name is the URL of that file
  std::string function;
  int line = 0;
  int column = 0;
  bool is_inner = false;  // it was lib/ that has led here
  bool is_then = false;   // by a call of then(), maybe inside of catch(), finally(), all() ...
  /// What the program has called there, if that is a function for files: fs.readFile() begins with
  /// an `open`, and is what it is to be called.
  std::string called_for_files;
  /// What WaitingLocations knows it by; 0: it was not asked yet.
  mutable std::uint32_t waiting_mark = 0;

  lens::Site site() const noexcept { return {file, function, line, column}; }
};

/// What is said of a request.
struct RequestWords {
  std::string label;
  std::string type;
  std::string step;
  lens::Traits traits;
};

/// Looks at JavaScript's stack.
SourceLocation find_lens_location(v8::Isolate* isolate);

/// The line of source there, without the spaces around it, and not more than `most` characters of
/// it.
std::string find_source_line(v8::Isolate* isolate, int most);

/// The same for frequent calls. To read a stack takes microseconds; to see that it is one that
/// has been read before takes a fraction of one: the addresses of the calls on it are the same.
class SourceLocations {
 public:
  explicit SourceLocations(v8::Isolate* isolate);
  ~SourceLocations();
  SourceLocations(const SourceLocations&) = delete;
  SourceLocations& operator=(const SourceLocations&) = delete;

  /// Valid until the next call.
  const SourceLocation& here();

  /// In the hook of promises, while then() makes one: this is what that looks like. An await makes
  /// one in the same way, and V8 does not say which it was; but the calls that lead here differ.
  void learn_then();

  /// Texts that lib/ registers once and then names by their numbers, which count from 0.
  std::uint32_t add_word(std::string text);
  std::string_view word(std::uint32_t number) const { return words_[number]; }
  std::uint32_t add_request_words(RequestWords words);
  const RequestWords& request_words(std::uint32_t number) const { return request_words_[number]; }

  /// Functions of the program by their numbers, which count from 1. 0: there are too many.
  std::uint32_t add_function(const lens::Site& site);
  const SourceLocation& function(std::uint32_t number) const { return functions_[number - 1]; }
  /// To find out where a function is takes as long as a few callbacks: whether it may be done once
  /// more now. At most 20 in a millisecond, and 5,000 in a row.
  bool may_look(lens::Time now) noexcept;

 private:
  static constexpr std::size_t kMostCalls =
      14;  // that are compared: lib/ makes up to 8 of them for a timer
  static constexpr std::int64_t kMostLooks = 5000;
  struct Calls {
    std::array<void*, kMostCalls> addresses{};
    bool operator==(const Calls&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Calls& calls) const noexcept;
  };

  std::size_t sample(Calls& calls) const;
  static void forget(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags flags, void* self);

  v8::Isolate* isolate_;
  SourceLocation last_;  // that could not be kept
  void* then_ = nullptr;
  std::unordered_map<Calls, SourceLocation, Hash> locations_;
  std::deque<std::string> words_;
  std::deque<RequestWords> request_words_;
  std::deque<SourceLocation> functions_;
  std::unordered_map<std::string, std::uint32_t> function_numbers_;
  std::int64_t looks_left_ = kMostLooks;
  lens::Time looked_{};  // up to here, looks have been given
};

}  // namespace rondo
