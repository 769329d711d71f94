// The stack and source locations as text.
#pragma once

#include <v8.h>

#include <string>
#include <vector>

namespace rondo {

/// "work (file.js:3:5)", the innermost first; of lib/ only what the program has called itself.
std::vector<std::string> current_stack(v8::Isolate* isolate, int most_frames);

/// "work (file.js:3:5)" for where a function is in the source; empty for what is not in a file.
std::string place_of(v8::Isolate* isolate, v8::Local<v8::Function> function);

/// One frame or source location.
std::string frame_words(const std::string& function, const std::string& file, int line, int column);

}  // namespace rondo
