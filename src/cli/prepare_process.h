// Makes of the process that somebody started the one that programs expect.
#pragma once

namespace rondo {

/// Before anything else: standard streams that are there, signals as they are by default (but a
/// write to a closed pipe is an error, not the end), as many open files as are allowed.
void prepare_process();

}  // namespace rondo
