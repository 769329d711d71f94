// Which function of the program an address of its code belongs to. V8 can be asked for that only on
// its own thread and only where JavaScript could run; this map can be read by any thread while
// native code runs. V8 fills it: it announces code when it compiles it and when the garbage
// collector moves it. Running that code costs nothing more.
#pragma once

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace rondo {

class CodeMap {
 public:
  struct Frame {
    std::string function;
    std::string file;
    int line = 0;             // where it is; where the function begins if no more is known
    int function_line = 0;    // where the function begins
    bool is_program = false;  // else it is a part of lib/
  };

  /// On the isolate's thread, which has one at most.
  explicit CodeMap(v8::Isolate* isolate);
  ~CodeMap();
  CodeMap(const CodeMap&) = delete;
  CodeMap& operator=(const CodeMap&) = delete;

  /// Functions written in JavaScript, the innermost first. `addresses` are those that
  /// Isolate::GetStackSample() gives: of all but the first, where the call returns to.
  std::vector<Frame> resolve(const std::vector<void*>& addresses) const;

 private:
  struct Position {
    std::size_t offset;
    int line;
  };
  struct Code {
    std::size_t size;
    std::shared_ptr<const Frame> function;
    std::vector<Position> positions;  // by offset
  };
  /// Source positions of code that is announced next.
  struct Recording;

  static void on_event(const v8::JitCodeEvent* event);
  void add(const v8::JitCodeEvent& event);
  void move(std::uintptr_t from, std::uintptr_t to);
  void insert(std::uintptr_t start, Code code);

  v8::Isolate* isolate_;
  mutable std::mutex mutex_;  // V8 moves code on several threads
  std::map<std::uintptr_t, Code> codes_;
  std::map<std::uintptr_t, std::unique_ptr<Recording>> recorded_;
};

}  // namespace rondo
