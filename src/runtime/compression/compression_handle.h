// The handles of the streams of node:zlib, with the names and the shape that they have in Node:
// packages look at them.
//
//     handle.write(flush, in, inOffset, inLength, out, outOffset, outLength)
//     // then the callback of init()
//     handle.writeSync(...)
//
// Afterwards the Uint32Array that init() was given has what is left: of the output, of the input.
// An error is reported by handle.onerror(message, number, code) instead.
#pragma once

#include <v8.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/compression/compressor.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"

namespace rondo {

class CompressionHandle : public Wrapped {
 public:
  static constexpr int kInternalFields = 3;  // Wrapped's, the callback, the array for the result

  CompressionHandle(Environment& environment, v8::Local<v8::Object> object, CompressionMode mode);
  ~CompressionHandle() override;

  void write(std::uint32_t flush, v8::Local<v8::Value> in, std::uint32_t in_offset,
             std::uint32_t in_size, v8::Local<v8::Value> out, std::uint32_t out_offset,
             std::uint32_t out_size);
  void write_sync(std::uint32_t flush, v8::Local<v8::Value> in, std::uint32_t in_offset,
                  std::uint32_t in_size, v8::Local<v8::Value> out, std::uint32_t out_offset,
                  std::uint32_t out_size);
  void close();
  void reset();

  CompressionMode mode() const noexcept { return mode_; }
  /// The end of init().
  void set_up(std::unique_ptr<Compressor> compressor, v8::Local<v8::Uint32Array> result,
              v8::Local<v8::Function> callback);
  /// Null before init() and after close().
  Compressor* compressor() const noexcept;
  /// Tells V8 what memory the library has taken or given back.
  void report_memory();
  void report(const CompressionError& error);
  /// Calls it now, or when the current step is done: a thread may have the compressor.
  void between_steps(std::function<void()> change);

 private:
  struct Job;

  void begin_step(std::uint32_t flush, v8::Local<v8::Value> in, std::uint32_t in_offset,
                  std::uint32_t in_size, v8::Local<v8::Value> out, std::uint32_t out_offset,
                  std::uint32_t out_size);
  [[noreturn]] void refuse(v8::Local<v8::Value> error) const;
  void finish_in_background();
  void report_from_loop(const CompressionError& error);
  void write_result();

  CompressionMode mode_;
  std::shared_ptr<Job> job_;  // a thread may still have it when the handle is gone
  bool writing_ = false;
  bool closes_later_ = false;
  std::vector<std::function<void()>> changes_;  // for the end of the step
  std::int64_t memory_reported_ = 0;
};

}  // namespace rondo
