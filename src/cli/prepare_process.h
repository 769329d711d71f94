// Prepares the process as programs expect it, whatever its parent did.
#pragma once

namespace rondo {

/// Before anything else: standard streams that are there, signals as they are by default (but a
/// write to a closed pipe is an error, not the end), as many open files as are allowed.
void prepare_process();

/// A program that SIGINT or SIGTERM ends leaves its terminal as it found it. Behind the lenses: one
/// that takes these signals keeps them. A listener of the program replaces the handler while
/// there is one.
void restore_terminals_on_signals();

}  // namespace rondo
