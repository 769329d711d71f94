// SIGUSR1: a debugger of another process wants to attach, and the program begins to listen.
//
// There is one handler for the process, and no thread behind it: a program that never gets the
// signal pays for one system call. The handler itself only interrupts V8 if it finds the thread in
// generated code, where neither V8 nor the allocator can hold a lock. Everywhere else it comes
// again a little later, by a timer, until the thread has been in generated code, or has come back
// from a system call of the loop.
#pragma once

namespace rondo {

class Environment;

/// On the main thread, for the program that owns the process. A program that listens to SIGUSR1
/// itself replaces this.
void listen_to_debug_signal(Environment& environment);

/// --disable-sigusr1: the signal has no effect.
void block_debug_signal() noexcept;

}  // namespace rondo
