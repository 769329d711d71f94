// --why-alive: asks lib/ what keeps the program alive, when SIGUSR2 comes or a time is up, whatever
// the program is doing then, and prints it.
#pragma once

#include <v8.h>

#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "io/descriptor.h"
#include "io/process/signal_registry.h"
#include "runtime/engine/environment.h"

namespace rondo {

class Interjection;

class AliveWatch final : public Companion {
 public:
  /// `report(whether because of the signal)` returns the text. Without a time: on the signal alone.
  AliveWatch(Environment& environment, std::optional<std::chrono::milliseconds> after,
             v8::Local<v8::Function> report);
  ~AliveWatch() override;

 private:
  struct Question;

  void run();
  void ask(bool is_signal);
  /// Whether the end is wanted, after waiting for that as long as this.
  bool stops_within(std::chrono::milliseconds time) const noexcept;

  Environment& environment_;
  Interjection& interjection_;
  std::shared_ptr<v8::Global<v8::Function>> report_;
  std::unique_ptr<SignalInbox> signals_;
  Descriptor stop_;  // readable when the end is wanted
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::thread thread_;
};

}  // namespace rondo
