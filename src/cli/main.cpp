// rondo: runs JavaScript.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <tuple>

#include "cli/command_line.h"
#include "cli/lenses.h"
#include "cli/prepare_process.h"
#include "io/backend/choose_backend.h"
#include "runtime/engine/instance.h"
#include "runtime/inspector/debug_signal.h"

int main(int argc, char** argv) {
  rondo::prepare_process();
  try {
    const rondo::CommandLine line = rondo::parse_command_line(argc, argv);
    if (line.exit_code) return *line.exit_code;
    auto trace = rondo::start_trace(line);
    const rondo::LoopsWithoutHost without_host;
    rondo::Loop loop({.timer_start = rondo::TimerStart::present});
    // Never put away: the end of the process does that, and faster.
    auto* lenses = rondo::Lenses::make(loop, line, std::move(trace)).release();
    rondo::restore_terminals_on_signals();
    auto* instance = new rondo::Instance(
        loop, {.owns_process = true, .lens = lenses != nullptr ? &lenses->lens() : nullptr});
    const auto& options = line.start.options;
    const bool takes_signal = std::ranges::none_of(options, [](const auto& option) {
      return option.first == "--disable-sigusr1" && option.second == rondo::OptionValue(true);
    });
    if (takes_signal) {
      rondo::listen_to_debug_signal(instance->environment());
    } else {
      rondo::block_debug_signal();
    }
    {
      const v8::HandleScope scope(instance->isolate());
      std::ignore = instance->start(line.start);
    }
    instance->environment().exit(instance->run());
  } catch (const std::bad_alloc&) {
    std::fputs("rondo: Cannot allocate memory\n", stderr);
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rondo: %s\n", error.what());
    return 1;
  }
}
