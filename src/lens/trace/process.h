// The process that makes the file of a trace out of what is in the ring.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace rondo::lens {

struct TraceRing;

struct TraceProcess {
  TraceRing* ring = nullptr;  // shared with it; the starting process unmaps it
  /// Readable when it has ended. A byte wakes it; closed, it takes what is in the ring and ends.
  int socket = -1;
};

/// It is not a child of this process: wait() here never finds it. No signal
/// but SIGKILL reaches it, and it keeps no descriptor of ours open. Throws std::system_error.
TraceProcess start_trace_process(const std::string& path, std::uint64_t limit_bytes);

}  // namespace rondo::lens
