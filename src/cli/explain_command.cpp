#include "cli/explain_command.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "rondo/lens/explain_export.h"
#include "rondo/loop.h"

#include "lens/explain/explainer.h"
#include "lens/explain/output_capture.h"
#include "runtime/process/options.h"

namespace rondo {

namespace {

/// The value of an option, after `=` or as the next argument.
class Values {
 public:
  explicit Values(std::vector<std::string>& arguments) : arguments_(arguments) {}

  bool take_flag(std::string_view name) {
    if (arguments_.front().substr(0, arguments_.front().find('=')) != name) return false;
    if (arguments_.front() != name) throw BadOption{arguments_.front() + " takes no value"};
    arguments_.erase(arguments_.begin());
    return true;
  }

  bool take(std::string_view name, std::string& value) {
    const std::string argument = arguments_.front();
    const std::size_t equals = argument.find('=');
    if (argument.substr(0, equals) != name) return false;
    arguments_.erase(arguments_.begin());
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (!arguments_.empty() && !arguments_.front().starts_with('-')) {
      value = arguments_.front();
      arguments_.erase(arguments_.begin());
    }
    if (value.empty()) throw BadOption{argument + " requires an argument"};
    return true;
  }

 private:
  std::vector<std::string>& arguments_;
};

Phase to_phase(std::string_view name) {
  if (name == "main") return Phase::none;
  for (std::size_t i = 1; i < kPhaseCount; ++i) {
    if (to_string(static_cast<Phase>(i)) == name) return static_cast<Phase>(i);
  }
  throw BadOption{"--phase: there is no phase \"" + std::string(name) +
                  "\" (main, timers, pending, idle, prepare, poll, check, close)"};
}

std::vector<Phase> to_phases(std::string_view names) {
  std::vector<Phase> phases;
  for (;;) {
    const std::size_t comma = names.find(',');
    phases.push_back(to_phase(names.substr(0, comma)));
    if (comma == std::string_view::npos) return phases;
    names.remove_prefix(comma + 1);
  }
}

std::size_t to_limit(std::string_view text) {
  constexpr std::size_t kMost = 10'000'000;
  std::size_t limit = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, limit);
  if (error != std::errc() || rest != end || limit > kMost) {
    throw BadOption{"--limit must be a number from 0 to " + std::to_string(kMost) + ", not \"" +
                    std::string(text) + '"'};
  }
  return limit;
}

/// Opened before the program runs, so that an error comes first; written when it is over.
class PageFile {
 public:
  explicit PageFile(const std::string& path)
      : path_(path),
        descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)),
        errors_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) {
    if (descriptor_ < 0) {
      throw std::system_error(errno, std::generic_category(), "cannot write " + path_);
    }
  }
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;
  ~PageFile() {
    ::close(descriptor_);
    ::close(errors_);
  }

  /// The program is over: an exception could not be handled.
  void write(std::string_view text) {
    // What is not a usual file (a pipe, a terminal) has nothing left of before.
    const bool is_empty = ::ftruncate(descriptor_, 0) == 0 || errno == EINVAL;
    if (is_empty && lens::write_all(descriptor_, text)) return;
    ::dprintf(errors_, "rondo: cannot write %s: %s\n", path_.c_str(), std::strerror(errno));
  }

 private:
  std::string path_;
  int descriptor_;
  int errors_;  // standard error itself, while what the program writes there is caught
};

}  // namespace

std::string_view explain_usage() {
  return "Usage: rondo explain [options] script.js [arguments]\n\n"
         "Runs the program and prints every callback in order: iteration and phase of the loop, "
         "its "
         "cause,\n"
         "how long it waited and how long it ran; and the output of the program, after a bar.\n\n"
         "Options:\n"
         "  --json                        print JSON instead of text\n"
         "  --html=FILE                   write an HTML page; the program prints as usual\n"
         "  --phase=NAME[,NAME...]        list only callbacks of these phases (main, timers, "
         "pending, idle,\n"
         "                                prepare, poll, check, close)\n"
         "  --file=TEXT                   list only callbacks scheduled in files whose path "
         "contains this\n"
         "  --limit=N                     list the first N callbacks (2000) and count the rest\n"
         "  --help                        print this help\n\n"
         "Options of rondo follow these. To run a script named explain: rondo "
         "./explain\n";
}

std::optional<ExplainCommand> take_explain_command(std::vector<std::string>& arguments,
                                                   bool& wants_help) {
  if (arguments.empty() || arguments.front() != "explain") return std::nullopt;
  arguments.erase(arguments.begin());
  ExplainCommand command;
  std::string text;
  Values values(arguments);
  while (!arguments.empty() && arguments.front().starts_with("--")) {
    if (values.take_flag("--help")) {
      wants_help = true;
      return command;
    } else if (values.take_flag("--json")) {
      command.json = true;
    } else if (arguments.front() == "--html") {
      // The next argument may well be the script, which would be lost.
      throw BadOption{"--html requires a file: --html=FILE"};
    } else if (values.take("--html", command.html)) {
    } else if (values.take("--phase", text)) {
      command.story.phases = to_phases(text);
    } else if (values.take("--file", command.story.file)) {
    } else if (values.take("--limit", text)) {
      command.story.limit = to_limit(text);
    } else {
      break;
    }
    text.clear();
  }
  return command;
}

std::unique_ptr<lens::Watcher> make_explainer(const ExplainCommand& command, lens::Lens& lens) {
  lens::ExplainerOptions options{.story = command.story};
  if (command.json || !command.html.empty()) {
    options.text = false;
    options.pass_output = !command.json;
    std::shared_ptr<PageFile> page;
    if (!command.html.empty()) page = std::make_shared<PageFile>(command.html);
    lens::Explained what{.program = command.script,
                         .backend = std::string(lens.loop().backend()),
                         .started = std::chrono::system_clock::now()};
    options.at_end = [&lens, page, what, json = command.json](const lens::Explanation& story,
                                                              const std::string& why) mutable {
      what.exit_code = lens.exit_code();
      what.why_ended = why;
      if (page != nullptr) page->write(lens::to_html(story, what));
      return json ? lens::to_json(story, what) : std::string();
    };
  }
  return std::make_unique<lens::Explainer>(lens, std::move(options));
}

}  // namespace rondo
