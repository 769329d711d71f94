// A value on its way from one place to another: in V8's serialized form, together with what cannot
// be written down and is handed over instead, or shared.
#pragma once

#include <v8.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "io/descriptor.h"

namespace rondo {

class CloneData;
class Environment;
class MessagePort;
class PortEnd;

class Message {
 public:
  /// Writes `value` down. `transfer` lists what is to be handed over, which afterwards is of no
  /// use to the sender: MessagePorts and ArrayBuffers. Null, with an exception under way, if
  /// something cannot be cloned or handed over; the sender then has lost nothing.
  static std::shared_ptr<Message> write(Environment& environment, v8::Local<v8::Value> value,
                                        const std::vector<v8::Local<v8::Object>>& transfer,
                                        MessagePort* source = nullptr);

  Message();
  ~Message();
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  /// Makes the value anew; what was handed over is there for the first who reads. `ports`, if
  /// given, becomes the list of the MessagePorts that came along. In another context than the main
  /// one, objects of classes of lib/ cannot be made.
  v8::MaybeLocal<v8::Value> read(Environment& environment, v8::Local<v8::Context> context,
                                 v8::Local<v8::Value>* ports = nullptr);

  /// Of a lens: what this message is part of, or 0. See lib/internal/messaging/message_channel.js.
  double origin() const noexcept { return origin_; }
  void set_origin(double origin) noexcept { origin_ = origin; }
  /// From now on messages of all threads have origins.
  static void trace_origins() noexcept { traces_origins_.store(true, std::memory_order_relaxed); }
  static bool traces_origins() noexcept { return traces_origins_.load(std::memory_order_relaxed); }

  /// Whether this end of a channel is handed over with the message.
  bool carries(const PortEnd& end) const noexcept;

 private:
  static std::atomic<bool> traces_origins_;

  class Writer;
  class Reader;
  struct Free {
    void operator()(std::uint8_t* data) const noexcept { std::free(data); }
  };

  std::unique_ptr<std::uint8_t[], Free> data_;  // by malloc: V8 does so
  std::size_t size_ = 0;
  double origin_ = 0;
  std::vector<std::shared_ptr<v8::BackingStore>> array_buffers_;
  std::vector<std::shared_ptr<v8::BackingStore>> shared_array_buffers_;
  std::vector<v8::CompiledWasmModule> wasm_modules_;
  std::vector<std::shared_ptr<const CloneData>> clones_;
  std::vector<std::unique_ptr<PortEnd>> ports_;
  std::vector<std::string> transferred_;  // the class of each object handed over
  // The descriptors of those objects, until the message is read. A file belongs to its Worker.
  struct Carried {
    Descriptor descriptor;
    bool is_file;
  };
  std::vector<Carried> descriptors_;
};

}  // namespace rondo
