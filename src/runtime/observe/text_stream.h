// What V8 serializes (profiles, snapshots of the heap), as one text.
#pragma once

#include <v8-profiler.h>

#include <string>

namespace rondo {

class TextStream final : public v8::OutputStream {
 public:
  int GetChunkSize() override { return 64 * 1024; }
  void EndOfStream() override {}
  WriteResult WriteAsciiChunk(char* data, int size) override {
    text_.append(data, static_cast<std::size_t>(size));
    return kContinue;
  }
  std::string& text() noexcept { return text_; }

 private:
  std::string text_;
};

}  // namespace rondo
