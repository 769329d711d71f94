// rondo explain: records the run, captures what the program prints, and writes both.
#pragma once

#include <mutex>

#include "rondo/lens/explain.h"

#include "lens/explain/output_capture.h"
#include "lens/explain/text.h"

namespace rondo::lens {

struct ExplainerOptions {
  ExplanationOptions story;
  bool text = true;  // written during the run; otherwise by `at_end`
  /// The output of the program is passed through. Only without text.
  bool pass_output = false;
  /// Writes the explanation elsewhere, or prints what it returns.
  /// With a clause that says why it ended, if more is known than the explanation says.
  std::function<std::string(const Explanation&, const std::string& why)> at_end = {};
};

class Explainer final : public Watcher {
 public:
  /// From now on the output of the process is captured. Throws std::system_error.
  Explainer(Lens& lens, ExplainerOptions options);

  bool wants_unfinished() const override { return true; }
  bool wants_every_phase() const override { return story_.wants_every_phase(); }

  void on_iteration(Time at, std::uint64_t number) noexcept override;
  void on_quiet_iteration(Time at, std::uint64_t number) noexcept override;
  void on_phase_enter(Time at, Phase phase) noexcept override;
  void on_phase_leave(Time at, Phase phase) noexcept override;
  void on_wait(Time at) noexcept override;
  void on_woken(Time at, std::size_t completions) noexcept override;
  void on_made(Time at, const Subject& subject) noexcept override;
  void on_begin(Time at, SubjectId id, std::string_view event,
                std::string_view label) noexcept override;
  void on_end(Time at, SubjectId id) noexcept override;
  void on_function(SubjectId id, const Site& function) noexcept override;
  void on_failed(SubjectId id, std::string_view error) noexcept override;
  void on_again(Time at, SubjectId id) noexcept override;
  void on_gone(Time at, SubjectId id) noexcept override;
  void on_output_follows(int descriptor) noexcept override;
  void on_unfinished(Time at, std::span<const Unfinished> left) noexcept override;
  void on_finish(Time at, End end) noexcept override;

 private:
  void drain();
  void drain_if_written();
  void print_outputs();
  void print_some_outputs();
  void print(std::string_view text);
  void finish(Time at, End end, const std::string& why);
  void show_progress(Time at);
  void hide_progress();

  /// Used by the helper thread when the loop cannot.
  std::mutex mutex_;
  Lens& lens_;
  bool wanted_every_phase_ = true;
  ExplainerOptions options_;
  OutputCapture& capture_;
  Explanation story_;
  TextPrinter printer_;
  std::string text_;  // to be printed
  /// Something may have been written since the last look; and to what, if only to that.
  bool may_have_output_ = true;
  int last_descriptor_ = -1;
  int depth_ = 0;                // how many callbacks run, one inside the other
  std::vector<Output> outputs_;  // of the callback that runs, not printed yet
  std::size_t output_size_ = 0;
  bool is_finished_ = false;
  bool has_progress_ = false;  // whether there is a terminal for it
  bool is_in_line_ = false;    // the program, which may print there as well
  bool shows_progress_ = false;
  Time last_progress_{};
};

}  // namespace rondo::lens
