// What a diagnostic report says of a socket: its ends, and what the kernel keeps for it.
#pragma once

#include <string>

namespace rondo {

/// As JSON: { localEndpoint, remoteEndpoint, sendBufferSize, recvBufferSize, fd, isListening },
/// those that there are. Names of hosts are looked up if `by_name`, which may take its time.
std::string describe_socket(int fd, bool by_name);

}  // namespace rondo
