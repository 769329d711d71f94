#include "lens/explain/explainer.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "lens/explain/time_words.h"

namespace rondo::lens {

namespace {

constexpr std::size_t kMostWaiting = 1024 * 1024;  // of output, until the line of its callback
constexpr std::size_t kColumnsOfFile = 132;
constexpr std::size_t kMostColumns = 1000;
constexpr Time kProgressEvery = std::chrono::milliseconds(200);

std::string current_folder() {
  std::array<char, 4096> path;
  return ::getcwd(path.data(), path.size()) != nullptr ? path.data() : std::string();
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// Without a terminal the width is that of COLUMNS.
std::size_t columns_of_file() {
  const char* value = std::getenv("COLUMNS");
  if (value == nullptr) return kColumnsOfFile;
  const unsigned long columns = std::strtoul(value, nullptr, 10);
  return columns > 0 && columns <= kMostColumns ? columns : kColumnsOfFile;
}

TextStyle style_for(int descriptor) {
  TextStyle style;
  style.folder = current_folder();
  style.columns = columns_of_file();
  const bool is_terminal = ::isatty(descriptor) != 0;
  winsize size{};
  if (is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.columns = size.ws_col;
  }
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  style.colours = is_terminal && !is_dumb && !is_set("NO_COLOR");
  return style;
}

}  // namespace

Explainer::Explainer(Lens& lens, ExplainerOptions options)
    : lens_(lens),
      options_(std::move(options)),
      capture_(*new OutputCapture),
      story_([&] {
        ExplanationOptions story = options_.story;
        if (!options_.at_end) story.output_limit = 0;  // printed at once
        return story;
      }()),
      printer_(style_for(capture_.standard_output()),
               [this](std::string_view text) { text_ += text; }),
      has_progress_(::isatty(capture_.standard_error()) != 0) {
  capture_.start({
      .arrived =
          [this] {
            const std::lock_guard guard(mutex_);
            if (!is_finished_) drain();
          },
      .ended =
          [this](int signal) {
            mutex_.lock();  // for good: nothing happens any more
            finish(now(), End::stopped,
                   std::string("the signal ") + ::strsignal(signal) + " ended the process");
          },
  });
}

// ---- What happens ------------------------------------------------------------------------------

void Explainer::on_iteration(Time at, std::uint64_t number) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_iteration(at, number);
}

void Explainer::on_quiet_iteration(Time at, std::uint64_t number) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_quiet_iteration(at, number);
}

void Explainer::on_phase_enter(Time at, Phase phase) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_phase_enter(at, phase);
}

void Explainer::on_phase_leave(Time at, Phase phase) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_phase_leave(at, phase);
}

void Explainer::on_wait(Time at) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_wait(at);
}

void Explainer::on_woken(Time at, std::size_t completions) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_woken(at, completions);
  may_have_output_ = true;  // of children, of other threads
}

void Explainer::on_made(Time at, const Subject& subject) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_made(at, subject);
}

void Explainer::on_again(Time at, SubjectId id) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_again(at, id);
}

void Explainer::on_gone(Time at, SubjectId id) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_gone(at, id);
}

void Explainer::on_begin(Time at, SubjectId id, std::string_view event,
                         std::string_view label) noexcept {
  const std::lock_guard guard(mutex_);
  drain_if_written();  // before this one
  story_.on_begin(at, id, event, label);
  ++depth_;
  if (has_progress_ && at - last_progress_ >= kProgressEvery) show_progress(at);
}

void Explainer::on_end(Time at, SubjectId id) noexcept {
  const std::lock_guard guard(mutex_);
  drain_if_written();
  story_.on_end(at, id);
  if (depth_ > 0) --depth_;
  if (depth_ == 0) print_outputs();
  if (wants_every_phase() == wanted_every_phase_) return;
  wanted_every_phase_ = !wanted_every_phase_;
  lens_.add(*this);  // asks again what is wanted
}

void Explainer::on_function(SubjectId id, const Site& function) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_function(id, function);
}

void Explainer::on_failed(SubjectId id, std::string_view error) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_failed(id, error);
}

/// What goes to two descriptors is in two pipes: to know what came first, one has to be emptied
/// before the other is filled.
void Explainer::on_output_follows(int descriptor) noexcept {
  const std::lock_guard guard(mutex_);
  if (descriptor != last_descriptor_ || descriptor < 0) drain_if_written();
  last_descriptor_ = descriptor;
  may_have_output_ = true;
}

void Explainer::on_unfinished(Time at, std::span<const Unfinished> left) noexcept {
  const std::lock_guard guard(mutex_);
  story_.on_unfinished(at, left);
}

void Explainer::on_finish(Time at, End end) noexcept {
  const std::lock_guard guard(mutex_);
  finish(at, end, {});
}

// ---- What is written ---------------------------------------------------------------------------

/// Only the loop's thread may forget that something was written: the helper's drain() may come
/// between on_output_follows() and the write itself.
void Explainer::drain_if_written() {
  if (std::exchange(may_have_output_, false)) drain();
}

void Explainer::drain() {
  capture_.drain([&](int descriptor, std::string_view text) {
    story_.on_output(now(), descriptor, text);
    if (options_.text) {
      if (outputs_.empty() || outputs_.back().descriptor != descriptor ||
          outputs_.back().run != story_.run_count()) {
        outputs_.push_back({.descriptor = descriptor, .run = story_.run_count(), .text = {}});
      }
      outputs_.back().text += text;
      output_size_ += text.size();
    } else if (options_.pass_output) {
      hide_progress();
      is_in_line_ = !text.ends_with('\n');
      write_all(descriptor == 2 ? capture_.standard_error() : capture_.standard_output(), text);
    }
  });
  if (depth_ == 0) {
    print_outputs();
  } else if (output_size_ > kMostWaiting) {
    print_some_outputs();
  }
}

/// The line of the callback has to come first, though it is not over: output is not kept without a
/// bound. The end of a line may be on its way.
void Explainer::print_some_outputs() {
  std::string& last = outputs_.back().text;
  const std::size_t end = last.rfind('\n');
  Output rest{.descriptor = outputs_.back().descriptor, .run = outputs_.back().run, .text = {}};
  if (end != std::string::npos && last.size() - end <= kMostWaiting) {
    rest.text = last.substr(end + 1);
    last.resize(end + 1);
  }
  if (options_.text) printer_.print_open(story_);
  print_outputs();
  if (rest.text.empty()) return;
  output_size_ = rest.text.size();
  outputs_.push_back(std::move(rest));
}

/// The callbacks that are over, and what was printed meanwhile.
void Explainer::print_outputs() {
  if (!options_.text) return;
  for (const Output& output : outputs_) {
    printer_.print_runs(story_, output.run);
    printer_.print_output(output.descriptor, output.text);
  }
  printer_.print_runs(story_);
  outputs_.clear();
  output_size_ = 0;
  print(std::exchange(text_, {}));
}

void Explainer::print(std::string_view text) {
  if (text.empty()) return;
  hide_progress();
  if (write_all(capture_.standard_output(), text)) return;
  if (errno != EPIPE) {
    const std::string why = std::strerror(errno);
    write_all(capture_.standard_error(), "rondo: the explanation cannot be written: " + why + '\n');
    ::_exit(1);
  }
  // Nobody reads any more: the end of all that write into a pipe (`| head`).
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGPIPE);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(SIGPIPE);
}

void Explainer::finish(Time at, End end, const std::string& why) {
  if (std::exchange(is_finished_, true)) return;
  drain();
  story_.on_finish(at, end);
  print_outputs();
  hide_progress();
  if (options_.text) {
    if (!why.empty()) printer_.set_end(why);
    printer_.print_summary(story_);
    printer_.print_left(story_);
    print(std::exchange(text_, {}));
  }
  if (options_.at_end) print(options_.at_end(story_, why));
  capture_.restore();
}

// ---- Progress ----------------------------------------------------------------------------------

/// Where callbacks go by without a line of their own.
void Explainer::show_progress(Time at) {
  if (options_.text && story_.runs().size() < story_.options().limit) return;
  if (is_in_line_) return;
  last_progress_ = at;
  shows_progress_ = true;
  const std::uint64_t count = story_.run_count();
  write_all(capture_.standard_error(), "\r\033[K" + std::to_string(count) +
                                           (count == 1 ? " callback, " : " callbacks, ") +
                                           to_words(at - story_.began()));
}

void Explainer::hide_progress() {
  if (std::exchange(shows_progress_, false)) write_all(capture_.standard_error(), "\r\033[K");
}

}  // namespace rondo::lens
