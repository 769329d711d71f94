// A trace of the loop, for Perfetto (ui.perfetto.dev) and chrome://tracing: see docs/trace.md.
//
//     rondo::lens::TraceFile trace(lens, {.path = "loop.json"});
//
// The loop's thread only leaves small records in memory that it shares with a process of its own,
// which makes text of them. So the file is whole even if this process is killed, by SIGKILL too.
#pragma once

#include <cstdint>
#include <string>

#include "rondo/detail/chrono.h"
#include "rondo/detail/memory.h"
#include "rondo/lens.h"

namespace rondo::lens {

enum class RecordType : std::uint8_t;

class TraceFile final : public Watcher {
 public:
  struct Options {
    std::string path;
    /// The trace stops before the file is larger, and says so in its last event and on standard
    /// error.
    std::uint64_t limit_bytes = std::uint64_t{256} << 20;
    /// Of what the file says; without it, the promises cost nothing.
    bool promises = true;
  };

  /// Throws std::system_error if the file cannot be made. The earlier it is called, the better: the
  /// process that writes is a copy of this one, without its threads, and keeps its memory.
  explicit TraceFile(Options options);
  TraceFile(Lens& lens, Options options) : TraceFile(std::move(options)) { watch(lens); }
  ~TraceFile() override;
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  /// Once. The lens has to stay as long as this does.
  void watch(Lens& lens);

  /// Waits until the file is complete; nothing is traced any more. Also done by on_finish() and
  /// when this goes.
  void close() noexcept;

  bool wants_labels() const override { return false; }
  bool wants_sites() const override { return false; }
  bool wants_promises() const override { return options_.promises; }
  bool wants_every_phase() const override { return false; }

  void on_iteration(Time at, std::uint64_t number) noexcept override;
  void on_quiet_iteration(Time at, std::uint64_t number) noexcept override;
  void on_phase_enter(Time at, Phase phase) noexcept override;
  void on_phase_leave(Time at, Phase phase) noexcept override;
  void on_wait(Time at) noexcept override;
  void on_woken(Time at, std::size_t completions) noexcept override;
  void on_made(Time at, const Subject& subject) noexcept override;
  void on_made_plain(Time at, SubjectId id, SubjectId cause, Kind kind,
                     std::chrono::milliseconds delay) noexcept override;
  void on_begin(Time at, SubjectId id, std::string_view event,
                std::string_view label) noexcept override;
  void on_end(Time at, SubjectId id) noexcept override;
  void on_function(SubjectId id, const Site& function) noexcept override;
  void on_failed(SubjectId id, std::string_view error) noexcept override;
  void on_again(Time at, SubjectId id) noexcept override;
  void on_gone(Time at, SubjectId id) noexcept override;
  void on_finish(Time at, End end) noexcept override;

 private:
  class Writer;
  class Functions;

  void put(RecordType type, std::uint8_t kind, Time at, std::uint64_t id) noexcept;
  void put_made(Time at, const Subject& subject, std::string_view text) noexcept;

  Options options_;
  Lens* lens_ = nullptr;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Functions> functions_;
  Time last_{};       // of the last record
  std::string text_;  // of the record that is made; kept for its memory
};

}  // namespace rondo::lens
